/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs, as the backend tells it: which bytes kernels touched, and what is touched by
 * functions of the program while they run.
 */
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "layer-check/access/kernels.h"
#include "layer-check/slots/checker.h"
#include "layer-check/slots/flags.h"
#include "layer-check/slots/pinned.h"
#include "layer-check/slots/running.h"

/* How long nothing may end until pending work counts as stuck: a quarter of a second. */
#define PAUSE_NS 1000000
#define PAUSES_MAX 250u

/* What the thread submits, and what it runs: little, since libraries that are loaded late share
 * what room there is.  Handlers of signals read the latter. */
static _Thread_local struct ck_log_entry *submitting;
static RL_THREAD_WORD _Thread_local struct ck_run here;

struct ck_run *ck_run_here(void)
{
    return here.running ? &here : NULL;
}

void ck_watch_submitting(struct ck_log_entry *entry)
{
    submitting = entry;
}

/* ---- Submitted ------------------------------------------------------------------------------ */

static void see_submitted(void *data, uint64_t id, uint64_t point, rill_op_kind kind)
{
    struct ck_checker *checker = data;
    if (!submitting) return;
    const struct ck_part part = {
        .point = point, .entry = submitting,
        .function = kind == RILL_OP_HOST || kind == RILL_OP_GRAPH,
    };
    rl_lock(&checker->lock);
    if (!ck_part_add(&checker->parts, id, &part)) checker->order.failed = true;
    if (part.function) checker->order.unseen = true;
    checker->order.running++;
    rl_unlock(&checker->lock);
}

/* ---- Running ------------------------------------------------------------------------------- */

/* Tells whether it is code of the program that runs. */
static bool is_function(const rill_running *running)
{
    return running->kind == RILL_OP_KERNEL || running->kind == RILL_OP_HOST;
}

static void fail_checker(struct ck_checker *checker)
{
    rl_lock(&checker->lock);
    checker->order.failed = true;
    rl_unlock(&checker->lock);
}

/* Keeps what the thread runs, which waits and has its thread run another one. */
__attribute__((noinline)) static struct ck_run *keep_outer(void)
{
    struct ck_run *outer = rl_alloc(sizeof *outer);
    if (outer) *outer = here;
    else fail_checker(here.checker);
    return outer;
}

static void begin_run(struct ck_checker *checker, const rill_running *running)
{
    struct ck_run *outer = here.running ? keep_outer() : NULL;
    here = (struct ck_run){ .checker = checker, .running = running, .outer = outer };
}

__attribute__((noinline)) static void resume_outer(void)
{
    struct ck_run *outer = here.outer;
    here = *outer;
    rl_free(outer);
}

static void end_run(void)
{
    here.running = NULL;
    if (here.outer) resume_outer();
}


/* The other threads that run a kernel may be the only ones that declare what it touches. */
struct ck_declared {
    struct ck_declared *next;
    const rill_running *running;
};

static void note_declared(struct ck_checker *checker, const rill_running *running)
{
    struct ck_declared *declared = rl_alloc(sizeof *declared);
    if (declared) *declared = (struct ck_declared){ checker->declared, running };
    else checker->order.failed = true;
    if (declared) checker->declared = declared;
}

/* Returns whether others have declared something, and forgets it. */
static bool take_declared(struct ck_checker *checker, const rill_running *running)
{
    bool found = false;
    for (struct ck_declared **link = &checker->declared; *link;) {
        struct ck_declared *declared = *link;
        if (declared->running != running) {
            link = &declared->next;
            continue;
        }
        *link = declared->next;
        rl_free(declared);
        found = true;
    }
    return found;
}

static void see_joins(void *data, const rill_running *running)
{
    begin_run(data, running);
    ck_pinned_begin(data, running);
}

/* Whether nodes outside of bodies have declared something, their rows tell. */
static void see_leaves(void *data, const rill_running *running)
{
    struct ck_checker *checker = data;
    bool touched = here.touched;
    end_run();
    if (!touched || !running->depth) return;
    ck_lock(checker);
    note_declared(checker, running);
    ck_leave_untold(checker);
}

__attribute__((noinline)) static void begin_any(struct ck_checker *checker,
                                                const rill_running *running)
{
    if (is_function(running)) begin_run(checker, running);
    if (ck_pinned_begin(checker, running)) here.pinned = true;
}

/* A launch may have thousands of host functions that do little: most begin and end without a
 * call. */
static void see_begins(void *data, const rill_running *running)
{
    struct ck_checker *checker = data;
    bool plain = running->kind == RILL_OP_HOST && !here.running &&
                 !atomic_load_explicit(&checker->had_pinned, memory_order_relaxed);
    if (plain) here = (struct ck_run){ .checker = checker, .running = running };
    else begin_any(checker, running);
}

struct ck_work *ck_run_work(struct ck_checker *checker, const rill_running *running)
{
    const struct ck_part *part = ck_part_find(&checker->parts, running);
    return part ? part->entry->work : NULL;
}

/* Returns the node of the entry's launch that a watcher knows by a number, or 0. */
static uint32_t node_of(const struct ck_log_entry *entry, uint64_t number)
{
    if (!number || !entry->work->inside) return 0;
    const struct ck_shape *shape = ck_launch_model(entry->work->inside)->shape;
    return number < shape->number_count ? shape->numbers[number] : 0;
}

struct ck_caller *ck_watch_caller(struct ck_checker *checker)
{
    struct ck_run *run = ck_run_here();
    if (!run || run->checker != checker) return NULL;
    const struct ck_part *part = run->caller ? NULL : ck_part_find(&checker->parts, run->running);
    if (!part) return run->caller;
    uint32_t node = node_of(part->entry, run->running->node);
    if (run->running->node && !node) return NULL;
    const struct ck_step step = { .work = part->entry->work, .node = node };
    return run->caller = ck_order_add_caller(&checker->order, &step);
}

/* Returns the step of an entry that runs.  Returns false if it is none that is told apart. */
static bool find_step(struct ck_checker *checker, struct ck_log_entry *entry,
                      const rill_running *running, uint32_t *node, uint16_t *round)
{
    *node = node_of(entry, running->node);
    *round = 0;
    if (running->node && !*node) return false;
    if (*node && running->depth &&
        !ck_launch_round(entry->work->inside, running->rounds, running->depth, round))
        checker->order.failed = true;
    return !*node || !running->depth || *round; /* 0 for more rounds than are kept apart */
}

/* Adds a row, or none, to a step of an entry.  `extra`: besides those that its operation says. */
static void add_declared(struct ck_checker *checker, struct ck_log_entry *entry,
                         const rill_running *running, const rill_touched *touched, size_t count,
                         bool extra)
{
    uint32_t node;
    uint16_t round;
    if (!find_step(checker, entry, running, &node, &round)) return;
    struct ck_rows *rows = ck_log_add_rows(entry, node, round, count);
    if (!rows) {
        checker->order.failed = true;
        return;
    }
    rows->extra = extra;
    if (count) memcpy(rows->items, touched, count * sizeof *touched);
}

/* Tells whether the host would be seen to look at a word: if the kernel was given the memory, so
 * that all of it is protected from the launch on, and no function of the program lifts that. */
static bool sees_host_look(const struct ck_checker *checker, const struct ck_log_entry *entry,
                           const rill_touched *word)
{
    const struct range *range = rl_ranges_at(&checker->pinned, word->address);
    if (!range || entry->work->inside || checker->order.unseen) return false;
    for (const struct ck_rows *rows = entry->rows; rows; rows = rows->next)
        for (size_t i = 0; i < rows->count; i++)
            if (rl_ranges_at(&checker->pinned, rows->items[i].address) == range) return true;
    return false;
}

/* Notes at which words a kernel has told others something, before what it was said to touch is
 * forgotten. */
static void note_signals(struct ck_checker *checker, const struct ck_log_entry *entry,
                         uint32_t node, const rill_touches *touches)
{
    struct ck_work *work = entry->work;
    bool fits = true;
    if (!touches->signal_count) return;
    for (size_t i = 0; fits && i < touches->signal_count; i++) {
        const rill_touched *word = &touches->signals[i];
        fits = ck_signals_add(&work->signals,
                              &(struct ck_signal){ .word = *word, .node = node,
                                                   .seen = sees_host_look(checker, entry, word) });
    }
    if (fits) ck_signals_end(work->signals, checker->order.host, checker->order.serial);
    else checker->order.failed = true;
}

/* Notes what a kernel or a function has touched.  What was seen takes the place of what was
 * assumed. */
static void note_end(struct ck_checker *checker, struct ck_log_entry *entry,
                     const rill_running *running, const rill_touches *touches,
                     bool touched_itself)
{
    uint32_t node;
    uint16_t round;
    if (touches) {
        const bool known = find_step(checker, entry, running, &node, &round);
        const struct ck_step step = { .work = entry->work, .node = node };
        if (known) note_signals(checker, entry, node, touches);
        if (known) ck_flags_seen(checker, &step, touches);
        if (!entry->work->inside) ck_log_drop_rows(entry);
        if (known && !ck_log_add_seen(entry, node, round, touches)) checker->order.failed = true;
    } else if (entry->work->inside && running->depth && !touched_itself) {
        add_declared(checker, entry, running, NULL, 0, true); /* that it ran at all */
    }
}

/* Notes that a part or a node is over, and what it has touched.  Apart, since most nodes have
 * nothing to note. */
__attribute__((noinline)) static void note_over(struct ck_checker *checker,
                                                const rill_running *running,
                                                const rill_touches *touches, bool touched)
{
    bool node = running->node != 0;
    ck_lock(checker);
    if (running->depth && take_declared(checker, running)) touched = true;
    struct ck_part *part = ck_part_find(&checker->parts, running);
    if (part) {
        struct ck_log_entry *entry = part->entry;
        if (running->dropped) entry->dropped = true;
        else if (running->kind != RILL_OP_GRAPH || node)
            note_end(checker, entry, running, touches, touched);
        if (running->kind == RILL_OP_KERNEL && !touches) checker->order.unseen = true;
        if (!node) {
            ck_part_end(&checker->parts, running->queue, part);
            checker->order.running--;
        }
    }
    ck_leave_untold(checker);
}

__attribute__((noinline)) static void end_any(struct ck_checker *checker,
                                              const rill_running *running,
                                              const rill_touches *touches)
{
    bool touched = false, seen = false, pinned = false;
    if (is_function(running)) {
        pinned = here.pinned;
        touched = here.touched;
        seen = here.seen;
        end_run();
    }
    if (pinned) ck_pinned_end(checker);
    if (!running->node || touches || running->depth || seen)
        note_over(checker, running, touches, touched);
}

static void see_ends(void *data, const rill_running *running, const rill_touches *touches)
{
    bool plain = running->kind == RILL_OP_HOST && running->node && !running->depth &&
                 !here.seen && !here.pinned && !here.outer;
    if (plain) here.running = NULL;
    else end_any(data, running, touches);
}

static void see_found(void *data, const rill_running *running, const rill_kernel_finding *found)
{
    struct ck_checker *checker = data;
    ck_lock(checker);
    const struct ck_part *part = checker->kernels ? ck_part_find(&checker->parts, running) : NULL;
    const uint32_t node = part ? node_of(part->entry, running->node) : 0;
    if (part && (node || !running->node)) {
        const struct ck_step step = { .work = part->entry->work, .node = node };
        if (!ck_kernels_tell(&checker->verdicts, &checker->memory, &step, found))
            checker->order.failed = true;
    }
    ck_leave_untold(checker);
}

static void see_failed(void *data, const rill_running *running)
{
    const struct ck_checker *checker = data;
    (void)running;
    ck_report_failed(checker->report);
}

static void see_stuck(void *data, uint64_t queue, uint64_t point)
{
    struct ck_checker *checker = ck_enter_checker(data);
    if (!checker) return;
    const rill_running running = { .queue = queue, .point = point };
    struct ck_work *work = ck_run_work(checker, &running);
    if (checker->hangs && work) ck_hangs_tell_function(work, &checker->verdicts);
    ck_leave(checker);
}

static void see_hangs(void *data, const rill_devptr *addresses, size_t count)
{
    struct ck_checker *checker = ck_enter_checker(data);
    if (!checker) return;
    if (checker->hangs) ck_hangs_tell(&checker->values, addresses, count, &checker->verdicts);
    ck_leave(checker);
}

/* Waits for what is pending, as long as some of it ends now and then: what a program leaves to run
 * at its end is judged like the rest.  Work that waits for what never comes is not waited for. */
static void see_abandons(void *data)
{
    struct ck_checker *checker = data;
    const struct timespec pause = { .tv_nsec = PAUSE_NS };
    size_t left = SIZE_MAX;
    for (unsigned idle = 0; idle < PAUSES_MAX; idle++) {
        ck_lock(checker);
        size_t now = checker->log.count;
        ck_leave(checker);
        if (!now) return;
        if (now < left) idle = 0;
        left = now;
        nanosleep(&pause, NULL);
    }
}

void ck_run_declare(struct ck_checker *checker, const rill_running *running)
{
    const bool function = running->kind == RILL_OP_HOST && !running->node;
    const struct ck_part *part = function ? ck_part_find(&checker->parts, running) : NULL;
    if (part) ck_log_drop_assumed(part->entry);
}

void ck_run_touch(struct ck_checker *checker, const rill_running *running,
                  const rill_touched *touched)
{
    struct ck_part *part = ck_part_find(&checker->parts, running);
    bool kernel = running->kind == RILL_OP_KERNEL;
    if (!part) return;
    if (kernel && !running->node && !part->declared) ck_log_drop_rows(part->entry);
    part->declared = true;
    add_declared(checker, part->entry, running, touched, 1, !kernel);
}

const struct rill_watcher ck_watcher = {
    .submitted = see_submitted, .begins = see_begins, .joins = see_joins, .leaves = see_leaves,
    .ends = see_ends, .abandons = see_abandons, .hangs = see_hangs,
    .stuck = see_stuck, .found = see_found, .failed = see_failed,
};
