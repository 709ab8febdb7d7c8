/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/levels.h"

#include "layer-check/pages/faults.h"
#include "layer-check/pages/table.h"

/* ---- Closing ------------------------------------------------------------------------------- */

/* What the handler and the thread's signals are like is asked only if something has to be done. */
bool ck_levels_close(struct ck_area *area, size_t first, size_t stop, enum ck_level level)
{
    if (!ck_area_is_below(area, first, stop, level)) return true;
    return ck_faults_catch() && ck_area_raise(area, first, stop, level);
}

bool ck_levels_close_guard(const struct ck_guard *guard)
{
    struct ck_area *area = guard->area;
    return ck_levels_close(area, ck_area_page(area, guard->begin), ck_area_page(area, guard->end),
                           guard->level);
}

bool ck_levels_close_guarded(const struct ck_guards *guards, struct ck_area *area)
{
    bool closed = true;
    for (size_t i = 0; i < guards->count && closed; i++) {
        const struct ck_guard *guard = &guards->list[i];
        if (guard->area == area && !guard->lifted) closed = ck_levels_close_guard(guard);
    }
    return closed;
}

/* ---- Opening ------------------------------------------------------------------------------- */

void ck_levels_ask(struct ck_area *area, size_t first, size_t stop)
{
    if (area->first == area->stop) {
        area->first = first;
        area->stop = stop;
        return;
    }
    if (first < area->first) area->first = first;
    if (stop > area->stop) area->stop = stop;
}

void ck_levels_ask_guarded(const struct ck_guard *guard)
{
    struct ck_area *area = guard->area;
    if (area->aside) return;
    ck_levels_ask(area, ck_area_page(area, guard->begin), ck_area_page(area, guard->end));
}

/* Answers with one of the guards that are left. */
static void want_guarded(const struct ck_guard *guard)
{
    struct ck_area *area = guard->area;
    if (area->aside || guard->lifted) return;
    size_t first = ck_area_page(area, guard->begin), stop = ck_area_page(area, guard->end);
    if (first < area->first) first = area->first;
    if (stop > area->stop) stop = area->stop;
    for (size_t page = first; page < stop; page++)
        if (area->wanted[page] < guard->level) area->wanted[page] = (unsigned char)guard->level;
}

void ck_levels_lower(const struct ck_guards *guards)
{
    const struct ck_table *table = ck_table_get();
    for (size_t i = 0; i < table->count; i++) {
        struct ck_area *area = table->areas[i];
        for (size_t page = area->first; page < area->stop; page++) area->wanted[page] = CK_OPEN;
    }
    for (size_t i = 0; i < guards->count; i++) want_guarded(&guards->list[i]);
    for (size_t i = 0; i < table->count; i++) {
        struct ck_area *area = table->areas[i];
        if (area->first < area->stop) ck_area_lower(area, area->first, area->stop);
        area->first = area->stop = 0;
    }
}
