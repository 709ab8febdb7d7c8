/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/pages.h"

#include <sched.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "base/thread.h"
#include "layer-check/pages/faults.h"
#include "layer-check/pages/guards.h"
#include "layer-check/pages/levels.h"
#include "layer-check/pages/table.h"

/* All fields but the listener are protected by the lock, if they do not say otherwise.
 *
 * Most functions of the program run while there is no guard, and then take no lock.  A thread that
 * lays a guard sets `guarded` and then looks at `lifting`; one that begins or ends a function
 * changes `lifting` and then looks at `guarded`.  So one of the two sees the other. */
struct ck_pages {
    struct ck_listener listener;
    struct ck_guards guards;
    unsigned watching;   /* how many ask for all pages to be watched                    */
    atomic_uint lifting; /* how many ask for guards to be lifted; changed without the lock */
    atomic_bool guarded; /* there may be guards; read without the lock                  */
    bool stopped;        /* all pages are open, and stay so                             */
    atomic_bool closed;  /* some may be closed; read without the lock                   */
};

/* Protects which areas there are, their levels from being raised, and all guards.  No thread that
 * holds it touches memory of the program, calls the program or waits for anything but the system
 * and handlers of faults, which do not take it. */
static struct rl_lock lock;

const char *ck_pages_unusable(void)
{
    /* This is how valgrind gets into a program. */
    const char *preloaded = rl_getenv("LD_PRELOAD");
    if (preloaded && strstr(preloaded, "/vgpreload_"))
        return "touches of pinned memory are not seen under valgrind, which does not resume an "
               "access that faulted";
    return NULL;
}

struct ck_pages *ck_pages_create(ck_touched_fn touched, void *data)
{
    struct ck_pages *pages = rl_zalloc(sizeof *pages);
    if (!pages) return NULL;
    pages->listener.touched = touched;
    pages->listener.data = data;
    return pages;
}

static bool is_of(const struct ck_area *area, const struct ck_pages *pages)
{
    return area->listener == &pages->listener;
}

static size_t count_of(const struct ck_area *area)
{
    return ck_area_page(area, area->end);
}

/* ---- Allocations --------------------------------------------------------------------------- */

static void note_closed(struct ck_pages *pages)
{
    atomic_store(&pages->guarded, pages->guards.count);
    bool closed = !pages->stopped && (pages->guards.count || pages->watching);
    atomic_store_explicit(&pages->closed, closed, memory_order_relaxed);
}

static bool add_area(struct ck_pages *pages, struct ck_area *area)
{
    if (!ck_table_add(area)) return false;
    if (pages->stopped || !pages->watching) return true;
    if (ck_levels_close(area, 0, count_of(area), CK_CLOSED)) return true;
    ck_table_remove(area);
    return false;
}

bool ck_pages_add(struct ck_pages *pages, const void *memory, size_t bytes)
{
    uintptr_t begin = (uintptr_t)memory;
    if (ck_faults_in_child()) return true;
    if (!bytes || begin % ck_page_bytes() || bytes % ck_page_bytes()) return false;
    struct ck_area *area = ck_area_create(begin, bytes, &pages->listener);
    if (!area) return false;
    rl_lock(&lock);
    bool added = add_area(pages, area);
    rl_unlock(&lock);
    if (!added) ck_area_destroy(area);
    return added;
}

bool ck_pages_is_open(const void *address)
{
    rl_lock(&lock);
    struct ck_area *area = ck_table_find(ck_table_get(), (uintptr_t)address);
    bool open = !area || atomic_load(&area->now[ck_area_page(area, (uintptr_t)address)]) == CK_OPEN;
    rl_unlock(&lock);
    return open;
}

static void set_aside(struct ck_area *area)
{
    ck_area_open(area);
    ck_table_remove(area);
    area->aside = true;
}

static void forget_area(struct ck_pages *pages, struct ck_area *area)
{
    ck_guards_forget(&pages->guards, area);
    ck_area_destroy(area);
    note_closed(pages);
}

struct ck_area *ck_pages_set_aside(struct ck_pages *pages, const void *memory)
{
    if (ck_faults_in_child()) return NULL;
    rl_lock(&lock);
    struct ck_area *area = ck_table_find(ck_table_get(), (uintptr_t)memory);
    if (area && (!is_of(area, pages) || area->begin != (uintptr_t)memory)) area = NULL;
    if (area) set_aside(area);
    rl_unlock(&lock);
    return area;
}

void ck_pages_forget(struct ck_pages *pages, struct ck_area *area)
{
    if (!area || ck_faults_in_child()) return;
    rl_lock(&lock);
    forget_area(pages, area);
    rl_unlock(&lock);
}

void ck_pages_remove(struct ck_pages *pages, const void *memory)
{
    ck_pages_forget(pages, ck_pages_set_aside(pages, memory));
}

/* Closes an area as its guards demand. */
static bool close_as_guarded(const struct ck_pages *pages, struct ck_area *area)
{
    return pages->stopped || ck_levels_close_guarded(&pages->guards, area);
}

bool ck_pages_put_back(struct ck_pages *pages, struct ck_area *area)
{
    if (!area || ck_faults_in_child()) return true;
    rl_lock(&lock);
    bool added = add_area(pages, area);
    if (added) {
        area->aside = false;
        added = close_as_guarded(pages, area);
    } else {
        forget_area(pages, area);
    }
    rl_unlock(&lock);
    return added;
}

static struct ck_area *any_area(const struct ck_pages *pages)
{
    const struct ck_table *table = ck_table_get();
    for (size_t i = 0; i < table->count; i++)
        if (is_of(table->areas[i], pages)) return table->areas[i];
    return NULL;
}

void ck_pages_destroy(struct ck_pages *pages)
{
    if (!pages || ck_faults_in_child()) return;
    struct ck_area *area;
    rl_lock(&lock);
    while ((area = any_area(pages)) != NULL) {
        set_aside(area);
        forget_area(pages, area);
    }
    rl_unlock(&lock);
    while (atomic_load(&pages->listener.telling)) sched_yield();
    ck_guards_fini(&pages->guards);
    rl_free(pages);
}

/* ---- Guards -------------------------------------------------------------------------------- */

/* Guards what lies in one area. */
static bool guard_area(struct ck_pages *pages, struct ck_area *area, struct ck_guard guard)
{
    size_t page_bytes = ck_page_bytes();
    if (guard.begin < area->begin) guard.begin = area->begin;
    if (guard.end > area->end) guard.end = area->end;
    size_t first = ck_area_page(area, guard.begin);
    size_t stop = ck_area_page(area, guard.end - 1) + 1;
    guard.begin = area->begin + first * page_bytes;
    guard.end = area->begin + stop * page_bytes;
    guard.area = area;
    guard.lifted = atomic_load(&pages->lifting) && guard.until.after_function;
    if (!ck_guards_add(&pages->guards, guard)) return false;
    return guard.lifted || ck_levels_close(area, first, stop, guard.level);
}

bool ck_pages_guard(struct ck_pages *pages, const void *address, size_t bytes, uint32_t how,
                    struct ck_until until)
{
    struct ck_guard guard = {
        .begin = (uintptr_t)address,
        .end = (uintptr_t)address + bytes,
        .level = how & (RILL_TOUCH_WRITE | RILL_TOUCH_ATOMIC) ? CK_CLOSED : CK_READABLE,
        .until = until,
        .first = until.number,
    };
    bool guarded = true;
    if (guard.end <= guard.begin || ck_faults_in_child()) return true;
    rl_lock(&lock);
    atomic_store(&pages->guarded, true);
    const struct ck_table *table = ck_table_get();
    for (size_t i = ck_table_from(table, guard.begin); !pages->stopped && guarded &&
         i < table->count && table->areas[i]->begin < guard.end; i++)
        if (is_of(table->areas[i], pages)) guarded = guard_area(pages, table->areas[i], guard);
    note_closed(pages);
    rl_unlock(&lock);
    return guarded;
}

/* ---- Release ------------------------------------------------------------------------------- */

void ck_pages_release(struct ck_pages *pages, ck_over_fn over, void *data)
{
    if (ck_faults_in_child()) return;
    rl_lock(&lock);
    size_t before = ck_guards_end(&pages->guards, over, data);
    /* While all pages are watched they stay closed. */
    if (before != pages->guards.count && !pages->watching) {
        for (size_t i = pages->guards.count; i < before; i++)
            ck_levels_ask_guarded(&pages->guards.list[i]);
        ck_levels_lower(&pages->guards);
    }
    note_closed(pages);
    rl_unlock(&lock);
}

/* ---- Watching all -------------------------------------------------------------------------- */

static bool close_all(struct ck_pages *pages)
{
    const struct ck_table *table = ck_table_get();
    bool closed = true;
    for (size_t i = 0; i < table->count && closed; i++)
        if (is_of(table->areas[i], pages))
            closed = ck_levels_close(table->areas[i], 0, count_of(table->areas[i]), CK_CLOSED);
    return closed;
}

/* Closes what touches have opened since the last time: the rest is closed still. */
static bool close_eased(struct ck_pages *pages)
{
    bool eased = atomic_exchange(&pages->listener.eased, false);
    bool closed = pages->stopped || (pages->watching && !eased) || close_all(pages);
    if (!closed) atomic_store(&pages->listener.eased, true);
    return closed;
}

/* Leaves closed what guards demand, and closes it where touches have opened it meanwhile. */
static bool leave_guards(struct ck_pages *pages)
{
    const struct ck_table *table = ck_table_get();
    bool closed = true;
    for (size_t i = 0; i < table->count; i++)
        if (is_of(table->areas[i], pages))
            ck_levels_ask(table->areas[i], 0, count_of(table->areas[i]));
    ck_levels_lower(&pages->guards);
    for (size_t i = 0; i < table->count && closed; i++)
        if (is_of(table->areas[i], pages)) closed = close_as_guarded(pages, table->areas[i]);
    return closed;
}

bool ck_pages_watch_all(struct ck_pages *pages, bool on)
{
    bool closed = true;
    if (ck_faults_in_child()) return true;
    if (on) ck_faults_unblock();
    rl_lock(&lock);
    if (on) {
        closed = close_eased(pages);
        pages->watching++;
    } else if (--pages->watching == 0) {
        closed = leave_guards(pages);
    }
    note_closed(pages);
    rl_unlock(&lock);
    return closed;
}

bool ck_pages_watch_again(struct ck_pages *pages)
{
    if (!atomic_load_explicit(&pages->listener.eased, memory_order_relaxed)) return true;
    if (ck_faults_in_child()) return true;
    rl_lock(&lock);
    bool closed = !pages->watching || close_eased(pages);
    rl_unlock(&lock);
    return closed;
}

/* ---- Lifting ------------------------------------------------------------------------------- */

static void lift_guards(struct ck_pages *pages, ck_over_fn lifts, void *data)
{
    bool lifted = false;
    for (size_t i = 0; i < pages->guards.count; i++) {
        struct ck_guard *guard = &pages->guards.list[i];
        struct ck_until first = guard->until;
        first.number = guard->first;
        if (guard->lifted || !lifts(data, first)) continue;
        guard->lifted = lifted = true;
        ck_levels_ask_guarded(guard);
    }
    if (lifted) ck_levels_lower(&pages->guards);
}

void ck_pages_lift(struct ck_pages *pages, ck_over_fn lifts, void *data)
{
    if (ck_faults_in_child()) return;
    ck_faults_unblock();
    rl_lock(&lock);
    atomic_fetch_add(&pages->lifting, 1);
    lift_guards(pages, lifts, data);
    rl_unlock(&lock);
}

bool ck_pages_lift_none(struct ck_pages *pages)
{
    if (ck_faults_in_child()) return true;
    ck_faults_unblock();
    atomic_fetch_add(&pages->lifting, 1);
    if (!atomic_load(&pages->guarded)) return true;
    /* What is laid at this moment is lifted with the guards that there are. */
    atomic_fetch_sub(&pages->lifting, 1);
    return false;
}

static bool lay_lifted(struct ck_pages *pages)
{
    bool closed = true;
    for (size_t i = 0; i < pages->guards.count; i++) {
        struct ck_guard *guard = &pages->guards.list[i];
        if (!guard->lifted) continue;
        guard->lifted = false;
        if (!guard->area->aside && !pages->stopped && closed)
            closed = ck_levels_close_guard(guard);
    }
    return closed;
}

bool ck_pages_unlift(struct ck_pages *pages)
{
    if (ck_faults_in_child()) return true;
    if (atomic_fetch_sub(&pages->lifting, 1) > 1 || !atomic_load(&pages->guarded)) return true;
    rl_lock(&lock);
    /* Another function may have begun meanwhile. */
    bool closed = atomic_load(&pages->lifting) || lay_lifted(pages);
    rl_unlock(&lock);
    return closed;
}

/* ---- The end of it ------------------------------------------------------------------------- */

static void stop_pages(struct ck_pages *pages)
{
    const struct ck_table *table = ck_table_get();
    pages->stopped = true;
    for (size_t i = 0; i < table->count; i++)
        if (is_of(table->areas[i], pages)) ck_area_open(table->areas[i]);
    note_closed(pages);
}

void ck_pages_stop(struct ck_pages *pages)
{
    if (ck_faults_in_child()) return;
    rl_lock(&lock);
    stop_pages(pages);
    rl_unlock(&lock);
}

bool ck_pages_come_first(struct ck_pages *pages)
{
    if (!atomic_load_explicit(&pages->closed, memory_order_relaxed)) return true;
    if (ck_faults_in_child()) return true;
    rl_lock(&lock);
    bool first = ck_faults_come_first();
    if (!first) stop_pages(pages);
    rl_unlock(&lock);
    return first;
}
