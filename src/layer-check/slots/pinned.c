/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/pinned.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "layer-check/pages/pages.h"
#include "layer-check/slots/checker.h"

/* How often a touch tries to get the lock: its thread may have interrupted whoever holds it. */
#define TRIES_MAX 100000u

struct pinned {
    struct range range; /* must stay first */
};

/* ---- Touches --------------------------------------------------------------------------------- */

static bool is_in_libc(const void *address)
{
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname) return false;
    const char *slash = strrchr(info.dli_fname, '/');
    return !strncmp(slash ? slash + 1 : info.dli_fname, "libc.", 5);
}

/* Returns the place of the program that touched: the instruction itself, or the call of the
 * function of libc, such as memcpy(), in which it is. */
static const void *site_of(const void *instruction)
{
    enum { FRAMES = 48 };
    void *frames[FRAMES];
    const void *next = (const char *)instruction + 1;
    if (!instruction || !is_in_libc(instruction)) return instruction ? next : NULL;
    int count = backtrace(frames, FRAMES), at = 0;
    while (at < count && frames[at] != instruction) at++;
    while (at < count && is_in_libc(frames[at])) at++;
    return at < count ? frames[at] : next;
}

static void see_touch(void *data, const struct ck_touch *touch)
{
    struct ck_checker *checker = data;
    const rill_touched touched = { (uintptr_t)touch->address, 1, touch->how };
    const void *site = site_of(touch->instruction);
    for (unsigned i = 0; i < TRIES_MAX; i++) {
        if (!rl_trylock(&checker->lock)) continue;
        ck_watch_seen(checker, &touched, site);
        rl_unlock(&checker->lock);
        return;
    }
}

/* ---- The platform's -------------------------------------------------------------------------- */

/* A touch is noted where it happens, inside the handler of its fault, in memory that is allocated
 * there.  ThreadSanitizer objects to that in any handler of signals, though the program was not
 * inside of malloc() when it touched pinned memory. */
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define HANDLERS_ALLOCATE 0
#endif
#endif
#if defined __SANITIZE_THREAD__
#define HANDLERS_ALLOCATE 0
#endif
#ifndef HANDLERS_ALLOCATE
#define HANDLERS_ALLOCATE 1
#endif

void ck_pinned_init(struct ck_checker *checker)
{
    const struct rill_watch_ops *watch = checker->beneath->watch;
    if (!HANDLERS_ALLOCATE) return;
    if (!watch || !watch->split_views || ck_pages_unusable()) return;
    if (watch->split_views(checker->platform)) return;
    checker->pages = ck_pages_create(see_touch, checker);
}

void ck_pinned_fini(struct ck_checker *checker)
{
    if (checker->pages) ck_pages_destroy(checker->pages);
    while (checker->pinned.root) {
        struct range *range = checker->pinned.root;
        rl_ranges_remove(&checker->pinned, range);
        rl_free(range);
    }
}

/* ---- Allocations ----------------------------------------------------------------------------- */

void ck_pinned_add(struct ck_checker *checker, void *memory, size_t bytes)
{
    if (!checker->pages) return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) & ~(page - 1);
    struct pinned *pinned = rl_zalloc(sizeof *pinned);
    if (!pinned || !whole || !ck_pages_add(checker->pages, memory, whole)) {
        rl_free(pinned);
        return;
    }
    pinned->range.base = (uintptr_t)memory;
    pinned->range.bytes = whole;
    rl_ranges_add(&checker->pinned, &pinned->range);
}

void ck_pinned_remove(struct ck_checker *checker, void *memory)
{
    struct range *range = rl_ranges_at(&checker->pinned, (uintptr_t)memory);
    if (!range || range->base != (uintptr_t)memory) return;
    ck_pages_remove(checker->pages, memory);
    rl_ranges_remove(&checker->pinned, range);
    rl_free(range);
}

/* ---- Guards ---------------------------------------------------------------------------------- */

void ck_pinned_guard(struct ck_checker *checker, const struct ck_work *work,
                     const rill_touched *rows, size_t count)
{
    const struct ck_until until = { work->at.line, work->at.number };
    const uint32_t of_values = (uint32_t)RILL_TOUCH_ATOMIC | CK_TOUCH_AWAIT;
    if (!checker->pinned.root) return;
    for (size_t i = 0; i < count; i++) {
        if (!(rows[i].how & ~of_values)) continue; /* the host may touch what is a value */
        const struct range *range = rl_ranges_at(&checker->pinned, rows[i].address);
        if (!range) continue;
        uint64_t from = rows[i].bytes ? rows[i].address : range->base;
        uint64_t bytes = rows[i].bytes ? rows[i].bytes : range->bytes;
        ck_pages_guard(checker->pages, (const void *)(uintptr_t)from, bytes,
                       rows[i].how & (RILL_TOUCH_READ | RILL_TOUCH_WRITE | RILL_TOUCH_ATOMIC),
                       until);
    }
}

static bool is_over(void *data, struct ck_until until)
{
    const struct ck_checker *checker = data;
    const struct ck_point point = { (uint32_t)until.line, until.number };
    return ck_clock_covers(checker->order.host, point);
}

void ck_pinned_release(struct ck_checker *checker)
{
    if (checker->pinned.root) ck_pages_release(checker->pages, is_over, checker);
}

/* ---- Threads of the library's ---------------------------------------------------------------- */

/* A C kernel may touch guarded pages, and the library's threads block all signals. */
static void unblock_faults(void)
{
    static _Thread_local bool done;
    sigset_t faults;
    if (done) return;
    done = true;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

void ck_pinned_begin(struct ck_checker *checker, rill_op_kind kind)
{
    if (!checker->pages) return;
    if (kind == RILL_OP_HOST) ck_pages_watch_all(checker->pages, true);
    else unblock_faults();
}

void ck_pinned_end(struct ck_checker *checker, rill_op_kind kind)
{
    if (checker->pages && kind == RILL_OP_HOST) ck_pages_watch_all(checker->pages, false);
}
