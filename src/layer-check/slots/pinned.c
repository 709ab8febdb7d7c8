/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/pinned.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "site/system.h"
#include "layer-check/slots/checker.h"
#include "layer-check/slots/running.h"
#include "layer-check/slots/touches.h"

/* How often functions of one place are held back, of as many places, and how long: 2 ms. */
#define HELD_TIMES 4
#define HELD_SLOTS 64u
#define HELD_NS 2000000

/* Why touches are not seen. */
#define HANDLERS "the program installed too many handlers of SIGSEGV"

/* ---- Touches --------------------------------------------------------------------------------- */

/* Touches between two calls of the library: one for each page of 256 MiB. */
#define TOUCHES_MAX 65536u

/* Runs inside a handler of signals: notes the touch, for the next thread in the checker. */
static void see_touch(void *data, const struct ck_touch *touch)
{
    struct ck_checker *checker = data;
    const uintptr_t *stack, *frame;
    memcpy(&stack, &touch->stack_pointer, sizeof stack);
    memcpy(&frame, &touch->frame_pointer, sizeof frame);
    const struct cs_frame at = { stack, frame, (uintptr_t)touch->instruction };
    struct ck_seen seen = {
        .touched = { (uintptr_t)touch->address, 1, touch->how },
        .site = touch->instruction ? cs_site_of_fault(at, touch->link) : NULL,
    };
    ck_touched_note(checker, &seen);
}

/* ---- The platform's -------------------------------------------------------------------------- */

void ck_pinned_init(struct ck_checker *checker)
{
    const struct rill_watch_ops *watch = checker->beneath->watch;
    if (checker->protection == CK_PROTECT_NONE || ck_pages_unusable()) return;
    if (!watch || !watch->split_views) return;
    if (watch->split_views(checker->platform)) return;
    cs_learn_system();
    checker->touches = ck_touches_create(TOUCHES_MAX);
    if (checker->touches) checker->pages = ck_pages_create(see_touch, checker);
}

void ck_pinned_fini(struct ck_checker *checker)
{
    if (checker->pages) ck_pages_destroy(checker->pages);
    ck_touches_destroy(checker->touches);
    while (checker->pinned.root) {
        struct range *range = checker->pinned.root;
        rl_ranges_remove(&checker->pinned, range);
        rl_free(range);
    }
}

/* ---- Allocations ----------------------------------------------------------------------------- */

void ck_pinned_add(struct ck_checker *checker, const rill_context *context, void *memory,
                   size_t bytes, uint32_t flags)
{
    if (!checker->pages || !bytes) return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) & ~(page - 1);
    struct ck_pinned *pinned = rl_zalloc(sizeof *pinned);
    if (!pinned) checker->order.failed = true;
    if (!pinned || !ck_pages_add(checker->pages, memory, whole)) {
        ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
        rl_free(pinned);
        return;
    }
    ck_report_pinned(checker->report);
    atomic_store_explicit(&checker->had_pinned, true, memory_order_relaxed);
    pinned->range.base = (uintptr_t)memory;
    pinned->range.bytes = whole;
    pinned->end = (uintptr_t)memory + bytes;
    pinned->context = context;
    pinned->attachment.flags = pinned->made = flags;
    rl_ranges_add(&checker->pinned, &pinned->range);
}

struct ck_pinned *ck_pinned_set_aside(struct ck_checker *checker, void *memory)
{
    struct range *range = rl_ranges_at(&checker->pinned, (uintptr_t)memory);
    if (!range || range->base != (uintptr_t)memory) return NULL;
    struct ck_pinned *pinned = (struct ck_pinned *)range;
    pinned->area = ck_pages_set_aside(checker->pages, memory);
    pinned->next = NULL;
    rl_ranges_remove(&checker->pinned, range);
    return pinned;
}

struct ck_pinned *ck_pinned_set_aside_all(struct ck_checker *checker, const rill_context *context)
{
    struct ck_pinned *all = NULL;
    struct range *range = rl_ranges_from(&checker->pinned, 0);
    while (range) {
        uint64_t end = rl_range_end(range);
        struct ck_pinned *pinned = (struct ck_pinned *)range;
        if (pinned->context == context) {
            pinned = ck_pinned_set_aside(checker, (void *)(uintptr_t)range->base);
            pinned->next = all;
            all = pinned;
        }
        range = rl_ranges_from(&checker->pinned, end);
    }
    return all;
}

void ck_pinned_forget(struct ck_checker *checker, struct ck_pinned *pinned)
{
    while (pinned) {
        struct ck_pinned *next = pinned->next;
        ck_pages_forget(checker->pages, pinned->area);
        rl_free(pinned);
        pinned = next;
    }
}

static void put_back(struct ck_checker *checker, struct ck_pinned *pinned)
{
    if (!ck_pages_put_back(checker->pages, pinned->area)) {
        ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
        rl_free(pinned);
        return;
    }
    rl_ranges_add(&checker->pinned, &pinned->range);
}

void ck_pinned_put_back(struct ck_checker *checker, struct ck_pinned *pinned)
{
    while (pinned) {
        struct ck_pinned *next = pinned->next;
        put_back(checker, pinned);
        pinned = next;
    }
    ck_pinned_release(checker); /* what the host learned meanwhile */
}

/* ---- Guards ---------------------------------------------------------------------------------- */

/* Tells whether clocks do not say all that comes before a work. */
static bool has_more_before(const struct ck_work *work)
{
    return work->before->extra_count || work->waits || work->caller;
}

/* Tells whether a work comes after a host function that has not ended, or may. */
static bool comes_after_function(const struct ck_checker *checker, const struct ck_work *work)
{
    const struct ck_functions *functions = &checker->parts.functions;
    if (functions->more || (functions->count && has_more_before(work))) return true;
    for (size_t i = 0; i < functions->count; i++)
        if (functions->at[i].line == work->at.line ||
            ck_clock_covers(work->before, functions->at[i]))
            return true;
    return false;
}

struct ck_until ck_pinned_until(const struct ck_checker *checker, const struct ck_work *work,
                                bool apart)
{
    return (struct ck_until){ work->at.line, work->at.number, comes_after_function(checker, work),
                              apart };
}

/* Bytes that a work touches, of one allocation. */
struct bytes {
    uint64_t begin, end;
};

/* Leaves those on pages of which the work touches all that is allocated, since the program may
 * hand the others to the system. */
static struct bytes leave_whole_pages(const struct ck_pinned *pinned, struct bytes bytes)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (bytes.end >= pinned->end) bytes.end = rl_range_end(&pinned->range);
    bytes.begin = (bytes.begin + page - 1) & ~(page - 1);
    bytes.end &= ~(page - 1);
    return bytes;
}

static void guard_row(struct ck_checker *checker, const struct ck_pinned *pinned,
                      const rill_touched *row, struct ck_until until)
{
    const uint32_t ways = RILL_TOUCH_READ | RILL_TOUCH_WRITE | RILL_TOUCH_ATOMIC;
    struct bytes bytes = { pinned->range.base, rl_range_end(&pinned->range) };
    if (row->bytes) bytes = (struct bytes){ row->address, row->address + row->bytes };
    if (checker->protection != CK_PROTECT_ALL) bytes = leave_whole_pages(pinned, bytes);
    if (bytes.begin < bytes.end &&
        !ck_pages_guard(checker->pages, (const void *)(uintptr_t)bytes.begin,
                        bytes.end - bytes.begin, row->how & ways, until))
        ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
}

void ck_pinned_guard(struct ck_checker *checker, const struct ck_work *work,
                     const rill_touched *rows, size_t count, bool apart)
{
    const uint32_t of_values = (uint32_t)RILL_TOUCH_ATOMIC | CK_TOUCH_AWAIT;
    if (!checker->pinned.root) return;
    const struct ck_until until = ck_pinned_until(checker, work, apart);
    for (size_t i = 0; i < count; i++) {
        if (!(rows[i].how & ~of_values)) continue; /* the host may touch what is a value */
        const struct range *range = rl_ranges_at(&checker->pinned, rows[i].address);
        if (range) guard_row(checker, (const struct ck_pinned *)range, &rows[i], until);
    }
}

void ck_pinned_guard_all(struct ck_checker *checker, const struct ck_work *work)
{
    if (checker->protection != CK_PROTECT_ALL || !checker->pinned.root) return;
    const struct ck_until until = { work->at.line, work->at.number, true, false };
    if (!ck_pages_guard(checker->pages, NULL, UINTPTR_MAX, RILL_TOUCH_WRITE, until))
        ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
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

/* The system does not fault on behalf of a program: its calls fail instead. */
static void look_at_errno(struct ck_checker *checker)
{
    if (errno == EFAULT) ck_report_efault(checker->report);
}

void ck_pinned_look(struct ck_checker *checker)
{
    if (checker->pinned.root) look_at_errno(checker);
    if (checker->pages && !ck_pages_come_first(checker->pages))
        ck_report_unseen(checker->report, HANDLERS);
    if (checker->pages && checker->protection == CK_PROTECT_ALL &&
        !ck_pages_watch_again(checker->pages))
        ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
}

void ck_pinned_stop(struct ck_checker *checker)
{
    if (checker->pages) ck_pages_stop(checker->pages);
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

/* Tells whether a guard is of a node that is in no order with a function of the same launch. */
static bool is_apart(const struct ck_work *function, struct ck_until until)
{
    return until.apart && until.line == function->at.line && until.number == function->at.number;
}

/* Tells whether a guard is over when a function begins: if all its works, the last of them as well,
 * may come before the function.  That is what the function may tell other threads by means of its
 * own, which may have the system touch the memory then. */
static bool may_be_told(void *data, struct ck_until until)
{
    const struct ck_work *function = data;
    const struct ck_point last = { (uint32_t)until.line, until.number };
    if (function && is_apart(function, until)) return false;
    if (!function || has_more_before(function)) return true;
    return last.line == function->at.line ? last.number <= function->at.number
                                          : ck_clock_covers(function->before, last);
}

/* Tells whether a guard is lifted while a function runs: if its works, the first of them at
 * least, may be in order with the function, which may have the system touch the memory then. */
static bool may_be_ordered(void *data, struct ck_until until)
{
    const struct ck_work *function = data;
    const struct ck_point first = { (uint32_t)until.line, until.number };
    if (function && is_apart(function, until)) return false;
    return until.after_function || !function || first.line == function->at.line ||
           has_more_before(function) || ck_clock_covers(function->before, first);
}

/* How often functions were held back. */
static atomic_uchar *held_slot(const void *site, const rill_running *running)
{
    static atomic_uchar held[HELD_SLOTS];
    return &held[((uintptr_t)site + running->node) % HELD_SLOTS];
}

/* Tells whether a function shall wait a little: the first few times that the process runs it.
 * Requires checker->lock. */
static bool holds_back(const struct ck_checker *checker, const struct ck_work *function,
                       const rill_running *running)
{
    if (!checker->pinned.root || !function) return false;
    atomic_uchar *held = held_slot(function->what.site, running);
    if (atomic_load(held) >= HELD_TIMES) return false;
    atomic_fetch_add(held, 1);
    return true;
}

/* Lets the program submit what it has right behind a function, if it does not wait: what is in no
 * order with the function is guarded then when the function touches it.  Returns the function's
 * work, or NULL.  Requires checker->lock, which it releases meanwhile. */
static struct ck_work *let_program_go_on(struct ck_checker *checker, const rill_running *running)
{
    const struct timespec pause = { .tv_nsec = HELD_NS };
    struct ck_work *function = ck_run_work(checker, running);
    if (!holds_back(checker, function, running)) return function;
    rl_unlock(&checker->lock);
    nanosleep(&pause, NULL);
    ck_lock(checker);
    return ck_run_work(checker, running);
}

/* The launch whose functions this thread has run last. */
static _Thread_local struct {
    const struct ck_checker *checker; /* NULL if there was none */
    uint64_t queue, point;
    const void *site;
} last_launch;

/* Tells whether a function is a node of that launch, and has been held back often enough. */
static bool is_known(const struct ck_checker *checker, const rill_running *running)
{
    return running->node && last_launch.checker == checker &&
           last_launch.queue == running->queue && last_launch.point == running->point &&
           atomic_load(held_slot(last_launch.site, running)) >= HELD_TIMES;
}

static void lift_guards(struct ck_checker *checker, const rill_running *running)
{
    if (is_known(checker, running) && ck_pages_lift_none(checker->pages)) return;
    ck_lock(checker);
    struct ck_work *function = let_program_go_on(checker, running);
    last_launch.checker = function && running->node ? checker : NULL;
    last_launch.queue = running->queue;
    last_launch.point = running->point;
    last_launch.site = function ? function->what.site : NULL;
    ck_pages_release(checker->pages, may_be_told, function);
    ck_pages_lift(checker->pages, may_be_ordered, function);
    rl_unlock(&checker->lock);
}

/* Apart, since programs without pinned memory need none of it. */
__attribute__((noinline)) static bool begin_function(struct ck_checker *checker,
                                                     const rill_running *running)
{
    if (checker->protection != CK_PROTECT_ALL) lift_guards(checker, running);
    else if (!ck_pages_watch_all(checker->pages, true))
        ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
    errno = 0;
    return true;
}

bool ck_pinned_begin(struct ck_checker *checker, const rill_running *running)
{
    if (!checker->pages) return false;
    if (running->kind != RILL_OP_HOST) unblock_faults();
    else if (atomic_load_explicit(&checker->had_pinned, memory_order_relaxed))
        return begin_function(checker, running);
    return false;
}

void ck_pinned_end(struct ck_checker *checker)
{
    look_at_errno(checker);
    bool closed = checker->protection == CK_PROTECT_ALL ? ck_pages_watch_all(checker->pages, false)
                                                        : ck_pages_unlift(checker->pages);
    if (!closed) ck_report_unseen(checker->report, CK_UNSEEN_REFUSED);
}
