/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/check/pages.h"

#include "base/alloc.h"

#define ROOM_LEAST 64

static size_t place_of(const struct ptx_pages *pages, uint64_t number)
{
    return (size_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (pages->room - 1);
}

static struct ptx_page **slot_of(const struct ptx_pages *pages, uint64_t number)
{
    size_t at = place_of(pages, number);
    while (pages->slots[at] && pages->slots[at]->number != number)
        at = (at + 1) & (pages->room - 1);
    return &pages->slots[at];
}

struct ptx_page *ptx_pages_find(struct ptx_pages *pages, uint64_t number)
{
    if (pages->last && pages->last->number == number) return pages->last;
    struct ptx_page *found = pages->room ? *slot_of(pages, number) : NULL;
    if (found) pages->last = found;
    return found;
}

static bool grow_pages(struct ptx_pages *pages)
{
    const struct ptx_pages old = *pages;
    size_t room = old.room ? 2 * old.room : ROOM_LEAST;
    struct ptx_page **slots = rl_zalloc(room * sizeof *slots);
    if (!slots) return false;
    pages->slots = slots;
    pages->room = room;
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i]) *slot_of(pages, old.slots[i]->number) = old.slots[i];
    rl_free(old.slots);
    return true;
}

struct ptx_page *ptx_page_make(uint64_t number, size_t bytes, struct ptx_allowance *allowance)
{
    const size_t whole = sizeof(struct ptx_page) + bytes;
    struct ptx_page *page = allowance->left < whole ? NULL : rl_zalloc(whole);
    if (!page) {
        allowance->spent = true;
        return NULL;
    }
    allowance->left -= whole;
    page->number = number;
    page->bytes = bytes;
    return page;
}

static void free_page(struct ptx_page *page, struct ptx_allowance *allowance)
{
    allowance->left += sizeof *page + page->bytes;
    rl_free(page);
}

struct ptx_page *ptx_pages_get(struct ptx_pages *pages, uint64_t number, size_t bytes,
                               struct ptx_allowance *allowance)
{
    struct ptx_page *page = ptx_pages_find(pages, number);
    if (page) return page;
    if (2 * pages->used >= pages->room && !grow_pages(pages)) {
        allowance->spent = true;
        return NULL;
    }
    page = ptx_page_make(number, bytes, allowance);
    if (!page) return NULL;
    *slot_of(pages, number) = page;
    pages->used++;
    return pages->last = page;
}

void ptx_pages_replace(struct ptx_pages *pages, struct ptx_page *page,
                       struct ptx_allowance *allowance)
{
    struct ptx_page **slot = slot_of(pages, page->number);
    free_page(*slot, allowance);
    *slot = pages->last = page;
}

void ptx_pages_clear(struct ptx_pages *pages, struct ptx_allowance *allowance)
{
    for (size_t i = 0; i < pages->room; i++)
        if (pages->slots[i]) free_page(pages->slots[i], allowance);
    rl_free(pages->slots);
    *pages = (struct ptx_pages){ .slots = NULL };
}
