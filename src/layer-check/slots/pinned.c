/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/pinned.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "layer-check/pages/pages.h"
#include "layer-check/site/system.h"
#include "layer-check/slots/checker.h"
#include "layer-check/slots/running.h"
#include "layer-check/slots/touches.h"

struct ck_pinned {
    struct range range;   /* must stay first              */
    struct ck_area *area; /* while it is set aside        */
};

/* Why touches are not seen. */
#define REFUSED "the system did not protect it, or memory was short"
#define HANDLERS "the program installed too many handlers of SIGSEGV"

/* ---- Touches --------------------------------------------------------------------------------- */

/* Touches between two calls of the library: one for each page of 256 MiB. */
#define TOUCHES_MAX 65536u

/* Runs inside a handler of signals: notes the touch, for whoever enters the checker next. */
static void see_touch(void *data, const struct ck_touch *touch)
{
    struct ck_checker *checker = data;
    const uintptr_t *stack, *frame;
    memcpy(&stack, &touch->stack_pointer, sizeof stack);
    memcpy(&frame, &touch->frame_pointer, sizeof frame);
    const struct ck_frame at = { stack, frame, (uintptr_t)touch->instruction };
    struct ck_seen seen = {
        .touched = { (uintptr_t)touch->address, 1, touch->how },
        .site = touch->instruction ? ck_site_of_fault(at, touch->link) : NULL,
    };
    ck_touched_note(checker, &seen);
}

/* ---- The platform's -------------------------------------------------------------------------- */

void ck_pinned_init(struct ck_checker *checker)
{
    const struct rill_watch_ops *watch = checker->beneath->watch;
    if (checker->unprotected || !watch || !watch->split_views || ck_pages_unusable()) return;
    if (watch->split_views(checker->platform)) return;
    ck_learn_system();
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

void ck_pinned_add(struct ck_checker *checker, void *memory, size_t bytes)
{
    if (!checker->pages || !bytes) return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) & ~(page - 1);
    struct ck_pinned *pinned = rl_zalloc(sizeof *pinned);
    if (!pinned || !ck_pages_add(checker->pages, memory, whole)) {
        ck_report_unseen(checker->report, REFUSED);
        rl_free(pinned);
        return;
    }
    pinned->range.base = (uintptr_t)memory;
    pinned->range.bytes = whole;
    rl_ranges_add(&checker->pinned, &pinned->range);
}

struct ck_pinned *ck_pinned_set_aside(struct ck_checker *checker, void *memory)
{
    struct range *range = rl_ranges_at(&checker->pinned, (uintptr_t)memory);
    if (!range || range->base != (uintptr_t)memory) return NULL;
    struct ck_pinned *pinned = (struct ck_pinned *)range;
    pinned->area = ck_pages_set_aside(checker->pages, memory);
    rl_ranges_remove(&checker->pinned, range);
    return pinned;
}

void ck_pinned_forget(struct ck_checker *checker, struct ck_pinned *pinned)
{
    ck_pages_forget(checker->pages, pinned->area);
    rl_free(pinned);
}

void ck_pinned_put_back(struct ck_checker *checker, struct ck_pinned *pinned)
{
    if (!ck_pages_put_back(checker->pages, pinned->area)) {
        ck_report_unseen(checker->report, REFUSED);
        rl_free(pinned);
        return;
    }
    rl_ranges_add(&checker->pinned, &pinned->range);
    ck_pinned_release(checker); /* what the host learned meanwhile */
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
        if (!ck_pages_guard(checker->pages, (const void *)(uintptr_t)from, bytes,
                            rows[i].how & (RILL_TOUCH_READ | RILL_TOUCH_WRITE |
                                           RILL_TOUCH_ATOMIC), until))
            ck_report_unseen(checker->report, REFUSED);
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

void ck_pinned_begin(struct ck_checker *checker, rill_op_kind kind)
{
    if (!checker->pages) return;
    if (kind != RILL_OP_HOST) {
        unblock_faults();
        return;
    }
    if (!ck_pages_watch_all(checker->pages, true)) ck_report_unseen(checker->report, REFUSED);
    errno = 0;
}

void ck_pinned_end(struct ck_checker *checker, rill_op_kind kind)
{
    if (!checker->pages || kind != RILL_OP_HOST) return;
    look_at_errno(checker);
    ck_pages_watch_all(checker->pages, false);
}
