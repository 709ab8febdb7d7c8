/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host and functions of the program touch: as they declare it, or as was seen of pinned
 * memory.
 */
#include <pthread.h>

#include "layer-check/access/account.h"
#include "layer-check/slots/checker.h"
#include "layer-check/slots/pinned.h"
#include "layer-check/slots/running.h"
#include "layer-check/slots/touches.h"
#include "site/site.h"

/* ---- The host ------------------------------------------------------------------------------ */

static void touch_by_host(struct ck_checker *checker, const rill_touched *touched,
                          const void *site)
{
    const struct ck_what what = { .kind = RILL_OP_EMPTY, .host = true, .site = site };
    struct ck_work *work = ck_host_add(&checker->order, &what);
    struct ck_log_entry *entry = work ? ck_log_add(&checker->log, work, checker->order.host) : NULL;
    struct ck_rows *rows = entry ? ck_log_add_rows(entry, 0, 0, 1) : NULL;
    if (rows) rows->items[0] = *touched;
    else checker->order.failed = true;
    if (entry) entry->pending = 0;
    ck_work_release(work);
}

/* ---- Seen ---------------------------------------------------------------------------------- */

void ck_touched_note(struct ck_checker *checker, struct ck_seen *seen)
{
    struct ck_run *run = ck_run_here();
    if (!atomic_load_explicit(&checker->on, memory_order_relaxed)) return;
    if (run && run->checker == checker) {
        if (run->running->kind != RILL_OP_HOST) return;
        run->touched = run->seen = true;
        seen->running = run->running;
    }
    /* What finds no room remains counted. */
    ck_report_seen(checker->report);
    ck_touches_put(checker->touches, seen);
}

static void add_seen(void *data, const struct ck_seen *seen)
{
    struct ck_checker *checker = data;
    if (seen->running) ck_run_touch(checker, seen->running, &seen->touched);
    else touch_by_host(checker, &seen->touched, seen->site);
}

void ck_lock(struct ck_checker *checker)
{
    rl_lock(&checker->lock);
    if (checker->touches && ck_touches_wait(checker->touches))
        ck_report_judged(checker->report,
                         ck_touches_take(checker->touches, add_seen, checker));
}

/* ---- Platforms that are checked ------------------------------------------------------------ */

/* What the host touches it touches for each of them. */
static struct rl_lock checkers_lock; /* taken before a checker's */
static struct ck_checker *_Atomic checkers; /* a list; changed under the lock */

/* A child of fork() has none of its parent's platforms. */
static void forget_parent(void)
{
    checkers = NULL;
    checkers_lock = (struct rl_lock){ 0 };
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_parent);
}

/* Judges what a process has left to run in platforms that it does not close, before its findings
 * are written (report/session.c). */
__attribute__((destructor(102))) static void settle_checkers(void)
{
    for (struct ck_checker *checker = checkers; checker; checker = checker->next) {
        ck_watcher.abandons(checker);
        ck_look_behind(checker);
        ck_ending_tell(checker);
        if (checker->court.account) ck_account_settle(checker->court.account);
    }
}

void ck_watch_add(struct ck_checker *checker)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    rl_lock(&checkers_lock);
    checker->next = checkers;
    checkers = checker;
    rl_unlock(&checkers_lock);
}

void ck_watch_remove(struct ck_checker *checker)
{
    rl_lock(&checkers_lock);
    struct ck_checker *before = checkers;
    if (before == checker) checkers = checker->next;
    while (before && before->next != checker) before = before->next;
    if (before) before->next = checker->next;
    rl_unlock(&checkers_lock);
}

/* ---- Declared ------------------------------------------------------------------------------ */

static void touch_one(struct ck_checker *checker, struct ck_run *run, const rill_touched *touched,
                      const void *site)
{
    if (!ck_enter_checker(checker)) return;
    if (run) {
        run->touched = true;
        ck_run_declare(checker, run->running);
        ck_run_touch(checker, run->running, touched);
        ck_leave_untold(checker);
    } else {
        touch_by_host(checker, touched, site);
        ck_leave(checker);
    }
}

/* Adds what the host, or the operation that runs in this thread, says that it touches. */
static void touch_memory(uint64_t address, size_t bytes, uint32_t how, const void *site)
{
    const uint32_t known = RILL_TOUCH_READ | RILL_TOUCH_WRITE | RILL_TOUCH_ATOMIC;
    const rill_touched touched = { address, bytes, how & known };
    struct ck_run *run = ck_run_here();
    if (!address || !bytes || bytes - 1 > UINT64_MAX - address || !touched.how) return;
    if (run) {
        touch_one(run->checker, run, &touched, site);
        return;
    }
    rl_lock(&checkers_lock);
    for (struct ck_checker *checker = checkers; checker; checker = checker->next)
        touch_one(checker, NULL, &touched, site);
    rl_unlock(&checkers_lock);
}

void rill_touch(rill_devptr address, size_t bytes, uint32_t how)
{
    if (checkers) touch_memory(address, bytes, how, cs_site_here());
}

void rill_touch_host(const void *pointer, size_t bytes, uint32_t how)
{
    if (checkers) touch_memory((uintptr_t)pointer, bytes, how, cs_site_here());
}
