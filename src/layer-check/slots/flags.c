/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/flags.h"

#include <stdatomic.h>

#include "layer-check/pages/pages.h"

#define WRITES ((uint32_t)RILL_TOUCH_WRITE | RILL_TOUCH_ATOMIC)

/* How many works that are not judged are looked through for who has written to a new place. */
#define LOOKED_MOST 4096u

/* ---- Who writes ---------------------------------------------------------------------------- */

void ck_flags_written(struct ck_checker *checker, const struct ck_step *step,
                      const rill_touched *rows, size_t count)
{
    if (!checker->values.high) return;
    for (size_t i = 0; i < count; i++)
        if ((rows[i].how & WRITES) && rows[i].bytes && !(rows[i].how & CK_TOUCH_ASSUMED))
            ck_values_overwrite(&checker->values, &checker->order, step, rows[i].address,
                                rows[i].bytes);
}

void ck_flags_seen(struct ck_checker *checker, const struct ck_step *step,
                   const rill_touches *touches)
{
    ck_flags_written(checker, step, touches->rows, touches->row_count);
    for (size_t i = 0; checker->values.high && i < touches->page_count; i++) {
        const rill_touched_page *page = &touches->pages[i];
        for (uint64_t at = 0; (page->how & WRITES) && at < CK_PAGE_BYTES; at += 4)
            if (page->map[at / 64] >> at % 64 & 1)
                ck_values_overwrite(&checker->values, &checker->order, step, page->address + at, 4);
    }
}

/* ---- Places that nobody has asked for before ----------------------------------------------- */

/* Notes who has written last, of what was judged. */
static void look_at_memory(struct ck_checker *checker, uint64_t address)
{
    const struct ck_block *block = ck_memory_find(&checker->memory, address);
    const struct ck_segment *segment =
        block && !block->gone ? ck_segments_at(&block->segments, address) : NULL;
    const struct ck_mark *write = segment ? &segment->write : NULL;
    if (write && write->step.work && (write->how & RILL_TOUCH_WRITE) && !write->step.assumed)
        ck_values_overwrite(&checker->values, &checker->order, &write->step, address, 4);
}

static void look_at_rows(struct ck_checker *checker, const struct ck_step *step,
                         const struct ck_rows *rows, uint64_t address)
{
    for (size_t i = 0; i < rows->count; i++) {
        const rill_touched *row = &rows->items[i];
        if ((row->how & WRITES) && !(row->how & CK_TOUCH_ASSUMED) &&
            address - row->address < row->bytes)
            ck_values_overwrite(&checker->values, &checker->order, step, address, 4);
    }
    for (size_t i = 0; i < rows->page_count; i++) {
        const struct ck_page_rows *page = &rows->pages[i];
        const uint64_t byte = address - page->address;
        if ((page->how & WRITES) && byte < CK_PAGE_BYTES &&
            (page->map->words[byte / 64] >> byte % 64 & 1))
            ck_values_overwrite(&checker->values, &checker->order, step, address, 4);
    }
}

/* Notes who has written of what was submitted and not judged, but for streams that write values:
 * what those write is known. */
static void look_at_log(struct ck_checker *checker, uint64_t address)
{
    size_t looked = 0;
    for (const struct ck_log_entry *entry = checker->log.head; entry && looked++ < LOOKED_MOST;
         entry = entry->next)
        for (const struct ck_rows *rows = entry->rows; rows; rows = rows->next) {
            const struct ck_step step = { .work = entry->work, .node = rows->node };
            if (ck_step_what(&step).kind != RILL_OP_VALUES)
                look_at_rows(checker, &step, rows, address);
        }
}

static void learn_place(struct ck_checker *checker, uint64_t address)
{
    if (ck_values_know(&checker->values, address)) return;
    if (!ck_values_learn(&checker->values, address)) {
        checker->order.failed = true;
        return;
    }
    look_at_memory(checker, address);
    look_at_log(checker, address);
}

/* ---- Values -------------------------------------------------------------------------------- */

/* Looks at what is in pinned memory, where the host may have written, unless somebody would take
 * the look for one of the program's.  Returns NULL if it cannot be seen. */
static const uint64_t *look_now(struct ck_checker *checker, const rill_value *value, uint64_t *now)
{
    const uintptr_t address = (uintptr_t)value->address;
    const bool wide = value->kind == RILL_VALUE_WAIT_64;
    if (checker->order.unseen || !rl_ranges_at(&checker->pinned, address) ||
        !ck_pages_is_open((const void *)address))
        return NULL;
    if (wide) *now = atomic_load_explicit((const _Atomic uint64_t *)address, memory_order_relaxed);
    else *now = atomic_load_explicit((const _Atomic uint32_t *)address, memory_order_relaxed);
    return now;
}

void ck_flags_write(struct ck_checker *checker, const struct ck_step *step,
                    const rill_value *value)
{
    learn_place(checker, value->address);
    ck_values_write(&checker->values, &checker->order, step, value);
}

struct ck_clock *ck_flags_wait(struct ck_checker *checker, const struct ck_step *step,
                               struct ck_clock *before, const rill_value *value)
{
    uint64_t now;
    learn_place(checker, value->address);
    return ck_values_wait(&checker->values, &checker->order, step, before, value,
                          look_now(checker, value, &now));
}
