/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/check/shadow.h"

#include <string.h>

#define PAGE 1024u /* bytes that have their cells in one page */
#define WORD 4u

/* ---- Pages -------------------------------------------------------------------------------- */

static bool is_of_words(const struct ptx_page *page)
{
    return page->bytes == PAGE / WORD * sizeof(struct ptx_cell);
}

/* Gives each byte of a page a cell of its own. */
static struct ptx_page *split_words(struct ptx_shadow *shadow, const struct ptx_page *words,
                                    struct ptx_allowance *allowance)
{
    struct ptx_page *bytes =
        ptx_page_make(words->number, PAGE * sizeof(struct ptx_cell), allowance);
    if (!bytes) return NULL;
    const struct ptx_cell *from = (const struct ptx_cell *)(const void *)words->content;
    struct ptx_cell *to = (struct ptx_cell *)(void *)bytes->content;
    for (uint32_t i = 0; i < PAGE; i++) {
        to[i] = from[i / WORD];
        to[i].value[0] = from[i / WORD].value[i % WORD];
    }
    ptx_pages_replace(&shadow->pages, bytes, allowance);
    return bytes;
}

/* Returns the page for an access, which has cells for whole words only if the access is of such. */
static struct ptx_page *page_for(struct ptx_shadow *shadow, const struct ptx_visit *visit,
                                 uint64_t address)
{
    struct ptx_allowance *allowance = &visit->block->order->allowance;
    struct ptx_page *page = ptx_pages_get(&shadow->pages, address / PAGE,
                                          PAGE / WORD * sizeof(struct ptx_cell), allowance);
    const bool whole = (visit->address | visit->bytes) % WORD == 0;
    return page && is_of_words(page) && !whole ? split_words(shadow, page, allowance) : page;
}

static struct ptx_cell *cell_of(struct ptx_page *page, uint64_t address)
{
    const uint64_t place = address % PAGE;
    return (struct ptx_cell *)(void *)page->content + (is_of_words(page) ? place / WORD : place);
}

/* ---- Conflicts ---------------------------------------------------------------------------- */

static uint64_t thread_of(const struct ptx_visit *visit)
{
    return visit->block->number * visit->block->order->threads + visit->thread;
}

static bool is_of_block(const struct ptx_visit *visit, const struct ptx_note *note)
{
    return note->thread / visit->block->order->threads == visit->block->number;
}

/* Strong accesses may meet, unless one is for the threads of another block only.  So may a load and
 * a swap: programs guess what is there, and the swap tells them whether that was right. */
static bool may_meet(const struct ptx_visit *visit, const struct ptx_note *note)
{
    const unsigned both = note->manner & visit->note.manner;
    const unsigned any = note->manner | visit->note.manner;
    if (any & PTX_DID_SWAP && !(both & PTX_DID_STORE)) return true;
    if (!(both & PTX_DID_STRONGLY)) return false;
    return !(any & PTX_DID_NARROWLY) || is_of_block(visit, note);
}

static bool conflicts_with(const struct ptx_visit *visit, const struct ptx_note *note)
{
    return note->time && !may_meet(visit, note) &&
           !ptx_order_sees(visit->block, visit->thread, note->thread, note->time);
}

static const struct ptx_note *last_write(const struct ptx_cell *cell)
{
    return &cell->writes[cell->writes[1].time >= cell->writes[0].time];
}

/* Returns true if the store leaves there what another one has left. */
static bool keeps_value(const struct ptx_visit *visit, const struct ptx_cell *cell, uint32_t from,
                        uint32_t bytes)
{
    return visit->values && !(last_write(cell)->manner & PTX_DID_ATOMICALLY) &&
           !memcmp(cell->value, visit->values + from, bytes);
}

static bool find_conflict(const struct ptx_visit *visit, const struct ptx_cell *cell, uint32_t from,
                          uint32_t bytes, struct ptx_note *other)
{
    const bool stores = visit->note.manner & PTX_DID_STORE;
    for (unsigned i = 0; i < 2; i++) {
        if (!conflicts_with(visit, &cell->writes[i]) || keeps_value(visit, cell, from, bytes))
            continue;
        *other = cell->writes[i];
        return true;
    }
    for (unsigned i = 0; stores && i < PTX_READERS; i++) {
        if (!conflicts_with(visit, &cell->reads[i])) continue;
        *other = cell->reads[i];
        return true;
    }
    return false;
}

/* ---- Notes -------------------------------------------------------------------------------- */

static void note_load(const struct ptx_visit *visit, struct ptx_cell *cell)
{
    struct ptx_note *reads = cell->reads;
    const uint32_t threads = visit->block->order->threads;
    if (reads[0].time && reads[0].thread != visit->note.thread) {
        if (reads[0].thread / threads != visit->note.thread / threads) reads[2] = reads[0];
        reads[1] = reads[0];
    }
    reads[0] = visit->note;
}

static void note_access(const struct ptx_visit *visit, struct ptx_cell *cell, uint32_t from,
                        uint32_t bytes)
{
    if (!(visit->note.manner & PTX_DID_STORE)) {
        note_load(visit, cell);
        return;
    }
    cell->writes[(visit->note.manner & PTX_DID_STRONGLY) != 0] = visit->note;
    if (visit->values) memcpy(cell->value, visit->values + from, bytes);
}

bool ptx_shadow_visit(struct ptx_shadow *shadow, const struct ptx_visit *visit,
                      struct ptx_note *other)
{
    bool found = false;
    for (uint32_t n = 0, step; n < visit->bytes && !visit->block->order->over; n += step) {
        struct ptx_page *page = page_for(shadow, visit, visit->address + n);
        if (!page) {
            visit->block->order->over = true; /* what is published here would not be known */
            break;
        }
        struct ptx_cell *cell = cell_of(page, visit->address + n);
        step = is_of_words(page) ? WORD : 1;
        if (!found) found = find_conflict(visit, cell, n, step, other);
        note_access(visit, cell, n, step);
    }
    return found;
}

/* ---- What is published -------------------------------------------------------------------- */

unsigned ptx_shadow_last(struct ptx_shadow *shadow, uint64_t address)
{
    struct ptx_page *page = ptx_pages_find(&shadow->pages, address / PAGE);
    return page ? last_write(cell_of(page, address))->manner : 0;
}

bool ptx_shadow_offers(struct ptx_shadow *shadow, const struct ptx_visit *visit)
{
    struct ptx_page *page = ptx_pages_find(&shadow->pages, visit->address / PAGE);
    if (!page) return false;
    const struct ptx_note *write = last_write(cell_of(page, visit->address));
    if (write->thread == thread_of(visit)) return false;
    return write->manner & (is_of_block(visit, write) ? PTX_DID_PUBLISH | PTX_DID_PUBLISH_ALL
                                                      : PTX_DID_PUBLISH_ALL);
}

void ptx_shadow_forget(struct ptx_shadow *shadow, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    while (address < end) {
        const uint64_t next = (address / PAGE + 1) * PAGE, last = (next < end ? next : end) - 1;
        struct ptx_page *page = ptx_pages_find(&shadow->pages, address / PAGE);
        if (page) {
            struct ptx_cell *first = cell_of(page, address);
            memset(first, 0, (size_t)(cell_of(page, last) + 1 - first) * sizeof *first);
        }
        address = next;
    }
}
