/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of a strand: submitting, running, letting go.
 */
#include "backend-sim/strand.h"

#include <stdio.h>

#include "backend-sim/engine.h"
#include "backend-sim/observe.h"
#include "base/alloc.h"
#include "base/park.h"

struct strand *sim_strand_create(struct engine *engine, struct sim_context *context, uint64_t id,
                             int priority)
{
    struct strand *strand = rl_zalloc_lines(sizeof *strand);
    if (!strand) return NULL;
    sim_queue_init(&strand->queue, &engine->held);
    atomic_init(&strand->wanted, UINT64_MAX);
    atomic_init(&strand->references, 1);
    strand->engine = engine;
    strand->attention = &engine->attention;
    strand->context = context;
    strand->id = id;
    strand->priority = priority;
    sim_engine_add_strand(engine, strand);
    return strand;
}

void sim_strand_retain(struct strand *strand)
{
    atomic_fetch_add_explicit(&strand->references, 1, memory_order_relaxed);
}

void sim_strand_release(struct strand *strand)
{
    if (atomic_fetch_sub_explicit(&strand->references, 1, memory_order_acq_rel) != 1) return;
    sim_engine_remove_strand(strand->engine, strand);
    sim_queue_fini(&strand->queue);
    rl_free(strand);
}

bool sim_strand_label(struct strand *strand, char text[RILL_LABEL_MAX])
{
    rl_spin_lock(&strand->name_lock);
    const char *label = strand->named_by ? rill_stream_label(strand->named_by) : NULL;
    snprintf(text, RILL_LABEL_MAX, "%s", label ? label : "");
    rl_spin_unlock(&strand->name_lock);
    return *text;
}

/* ---- Submitting ---------------------------------------------------------- */

/* An observer wants to know since when the operation in front could run. */
static void note_ready(struct strand *strand)
{
    if (sim_strand_observed(strand)) strand->ready_since = sim_engine_now(strand->engine);
}

/* The strand became READY; what its word was says whether it stands in the list
 * already, as an entry that was stale. */
static void list(struct strand *strand, uint64_t life)
{
    struct engine *engine = strand->engine;
    if (!(life & STRAND_LISTED)) sim_engine_list(engine, strand);
    if (!atomic_load(&engine->watched)) sim_engine_hurry(engine);
}

void sim_submission_rouse(struct strand *strand, uint64_t count)
{
    uint64_t life = atomic_load_explicit(&strand->life, memory_order_acquire);
    note_ready(strand);
    /* The word is the producer's but for its stale entry, which may go meanwhile:
     * once it is 0 it stays so, and the next one holds a reference. */
    do if (!life) sim_strand_retain(strand);
    while (!atomic_compare_exchange_strong(
        &strand->life, &life, (life | STRAND_LISTED) + STRAND_READY + count * STRAND_PENDING));
    rl_spin_unlock(&strand->submit_lock);
    list(strand, life);
}

/* ---- Running ------------------------------------------------------------- */

__attribute__((noinline))
static void wake_reached(struct strand *strand, uint64_t number)
{
    rl_spin_lock(&strand->waiters_lock);
    struct waiter *woken = strand->first;
    struct waiter *last = NULL;
    for (struct waiter *w = woken; w && w->number <= number; w = w->next) {
        w->linked = false;
        last = w;
    }
    if (!last) {
        rl_spin_unlock(&strand->waiters_lock);
        return;
    }
    strand->first = last->next;
    last->next = NULL;
    if (strand->first) strand->first->previous = NULL;
    else strand->last = NULL;
    atomic_store(&strand->wanted, strand->first ? strand->first->number : UINT64_MAX);
    rl_spin_unlock(&strand->waiters_lock);

    while (woken) {
        struct waiter *next = woken->next; /* a woken waiter is gone at once */
        if (woken->reached) {
            woken->reached(woken);
        } else {
            atomic_store_explicit(&woken->bell, 2, memory_order_release);
            rl_unpark(&woken->bell, 1);
        }
        woken = next;
    }
}

/* The operation `number` is done: whoever waited for it goes on.  The store
 * and the load are ordered against sim_strand_add_waiter()'s. */
static inline void complete(struct strand *strand, uint64_t number)
{
    atomic_store(&strand->completed, number);
    if (number >= atomic_load(&strand->wanted)) wake_reached(strand, number);
}

void sim_strand_complete(struct strand *strand, uint64_t number)
{
    complete(strand, number);
}

/* Threads that sleep until this strand gets somewhere must see that it stopped
 * short: what it waits for may be theirs to run. */
static void nudge_sleepers(struct strand *strand)
{
    if (!atomic_load(&strand->sleepers)) return;
    rl_spin_lock(&strand->waiters_lock);
    for (struct waiter *w = strand->first; w; w = w->next) {
        if (w->reached) continue;
        atomic_store_explicit(&w->bell, 1, memory_order_release);
        rl_unpark(&w->bell, 1);
    }
    rl_spin_unlock(&strand->waiters_lock);
}

/* The slow way past one operation: somebody observes, or the device failed, or
 * strands wait for values that this operation may write. */
__attribute__((noinline))
static void run_attended(struct strand *strand, struct cell *cell, uint64_t number,
                         unsigned attention)
{
    const struct op_type *type = sim_op_types[cell->code];
    struct sighting sighting;
    if (attention & ATTEND_OBSERVER) sim_observe_started(&sighting, strand, cell, number);
    if (attention & ATTEND_FAULT) {
        if (type->drop) type->drop(strand, cell);
    } else {
        type->run(strand, cell);
    }
    if (attention & ATTEND_OBSERVER) sim_observe_done(&sighting, strand, number);
}

/* Whether the operation can run now; when not, `attention` may overrule. */
static inline bool can_run(struct strand *strand, struct cell *cell, unsigned attention)
{
    const struct op_type *type = sim_op_types[cell->code];
    if (!type->ready) return true;
    return ((attention & ATTEND_FAULT) && !type->persists) || type->ready(strand, cell);
}

/* All of the `done` operations that were published are run: lets go of the strand,
 * unless there are more by now, up to a new `end`. */
static bool let_go(struct strand *strand, uint64_t done, uint64_t *end)
{
    uint64_t life = atomic_load_explicit(&strand->life, memory_order_relaxed);
    while (life / STRAND_PENDING == done) {
        uint64_t idle = life & STRAND_LISTED;
        if (!atomic_compare_exchange_weak_explicit(&strand->life, &life, idle,
                                                   memory_order_acq_rel, memory_order_relaxed))
            continue;
        if (!idle) sim_strand_release(strand);
        return true;
    }
    life = atomic_fetch_sub_explicit(&strand->life, done * STRAND_PENDING, memory_order_acq_rel);
    *end += life / STRAND_PENDING - done;
    return false;
}

/* At the end of what is published: a queue that grew gives its memory back,
 * unless somebody is just submitting. */
__attribute__((noinline))
static void shed(struct strand *strand, uint64_t done)
{
    if (!rl_spin_trylock(&strand->submit_lock)) return;
    if (sim_strand_pending(strand) == done)
        sim_queue_clear(&strand->queue);
    rl_spin_unlock(&strand->submit_lock);
}

/* Lets go of a strand that must wait, `done` operations further; false when it need
 * not wait any more. */
__attribute__((noinline))
static bool park(struct strand *strand, struct cell *cell, uint64_t done)
{
    sim_count(&strand->parks);
    const uint64_t step = STRAND_PARKED - STRAND_RUNNING;
    atomic_fetch_add(&strand->life, step - done * STRAND_PENDING);
    nudge_sleepers(strand);
    if (sim_op_types[cell->code]->park(strand, cell)) return true;
    atomic_fetch_sub(&strand->life, step);
    return false;
}

/* READY again, in the middle of what is pending, `done` operations further. */
__attribute__((noinline))
static void make_ready(struct strand *strand, uint64_t done)
{
    /* Against whoever runs it to its end before this thread is done with it. */
    sim_strand_retain(strand);
    note_ready(strand);
    uint64_t life = atomic_load_explicit(&strand->life, memory_order_relaxed), ready;
    do ready = (((life & ~(uint64_t)STRAND_STATE) | STRAND_LISTED) + STRAND_READY) -
               done * STRAND_PENDING;
    while (!atomic_compare_exchange_weak(&strand->life, &life, ready));
    list(strand, life);
    nudge_sleepers(strand);
    sim_strand_release(strand);
}

_Thread_local struct running *sim_running RL_THREAD_WORD;

/* How many strands run ahead of each other in one thread, and how far: each takes a
 * frame of its stack, and what is more than a few operations is a turn of its own. */
#define AHEAD_DEPTH 16
#define AHEAD_BUDGET 32

bool sim_strand_runs_here(const struct strand *strand)
{
    for (const struct running *r = sim_running; r; r = r->outer)
        if (r->strand == strand) return true;
    return false;
}

static bool in_the_midst_of(int many)
{
    const struct running *r = sim_running;
    while (r && many--) r = r->outer;
    return r;
}

/* What the operation in front waits for may want no more than a thread, and this one
 * has nothing else to do here: it runs the other strand first, a little way and up to
 * the point.  So a hop from stream to stream parks nothing and wakes nobody.  False
 * when the operation has to wait all the same. */
__attribute__((noinline))
static bool run_ahead(struct strand *strand, struct cell *cell)
{
    const struct op_type *type = sim_op_types[cell->code];
    if (!type->after || in_the_midst_of(AHEAD_DEPTH)) return false;
    struct point point = type->after(cell);
    if (!sim_strand_claim(point.strand)) return false;
    sim_strand_set_parked(strand, point); /* so that those who wait find what to help with */
    if (sim_queue_front(&point.strand->queue)->code == OP_LAUNCH) nudge_sleepers(strand);
    sim_strand_run(point.strand, point.number, AHEAD_BUDGET);
    sim_strand_set_parked(strand, (struct point){ NULL, 0 });
    return sim_point_reached(point);
}

/* From behind operation `number` on, up to `limit`. */
static void run(struct strand *strand, uint64_t number, uint64_t limit)
{
    /* Up to where operations are published, and taken off the count of those. */
    uint64_t end = number + sim_strand_pending(strand), retired = number;
    while (number < limit) {
        struct cell *cell = sim_queue_front(&strand->queue);
        unsigned attention = atomic_load_explicit(strand->attention, memory_order_relaxed);
        if (!can_run(strand, cell, attention)) {
            if (run_ahead(strand, cell)) continue;
            if (park(strand, cell, number - retired)) return;
            retired = number;
            continue;
        }
        if (!attention) sim_op_types[cell->code]->run(strand, cell);
        else run_attended(strand, cell, number + 1, attention);
        sim_queue_advance(&strand->queue, cell);
        complete(strand, ++number);
        if (attention & ATTEND_VALUES) sim_engine_poll_values(strand->engine);
        if (number < end) continue;
        if (sim_queue_is_large(&strand->queue)) shed(strand, number - retired);
        if (let_go(strand, number - retired, &end)) return;
        retired = number;
    }
    make_ready(strand, number - retired);
}

void sim_strand_run(struct strand *strand, uint64_t limit, unsigned budget)
{
    struct running here = { strand, sim_running };
    uint64_t number = atomic_load_explicit(&strand->completed, memory_order_relaxed);
    sim_running = &here;
    run(strand, number, number + budget < limit ? number + budget : limit);
    sim_running = here.outer;
}

void sim_strand_unpark(struct strand *strand)
{
    rl_spin_lock(&strand->park_lock);
    strand->parked = PARKED_ON_NOTHING;
    rl_spin_unlock(&strand->park_lock);
    make_ready(strand, 0);
}

/* ---- Waiting ------------------------------------------------------------- */

static void link_waiter(struct strand *strand, struct waiter *waiter)
{
    /* Waits are mostly for ever later points: from the back. */
    struct waiter *before = strand->last;
    while (before && before->number > waiter->number) before = before->previous;
    waiter->previous = before;
    waiter->next = before ? before->next : strand->first;
    if (waiter->next) waiter->next->previous = waiter;
    else strand->last = waiter;
    if (before) before->next = waiter;
    else strand->first = waiter;
    waiter->linked = true;
}

static void unlink_waiter(struct strand *strand, struct waiter *waiter)
{
    if (waiter->previous) waiter->previous->next = waiter->next;
    else strand->first = waiter->next;
    if (waiter->next) waiter->next->previous = waiter->previous;
    else strand->last = waiter->previous;
    waiter->linked = false;
    atomic_store(&strand->wanted, strand->first ? strand->first->number : UINT64_MAX);
}

bool sim_strand_add_waiter(struct strand *strand, struct waiter *waiter)
{
    if (!waiter->reached) atomic_fetch_add(&strand->sleepers, 1);
    rl_spin_lock(&strand->waiters_lock);
    link_waiter(strand, waiter);
    atomic_store(&strand->wanted, strand->first->number);
    /* After `wanted`, before anybody can wake us: either we see the point
     * reached, or its runner sees that we want it. */
    bool reached = atomic_load(&strand->completed) >= waiter->number;
    if (reached) unlink_waiter(strand, waiter);
    rl_spin_unlock(&strand->waiters_lock);
    if (reached && !waiter->reached) atomic_fetch_sub(&strand->sleepers, 1);
    return !reached;
}

void sim_strand_remove_sleeper(struct strand *strand, struct waiter *waiter)
{
    rl_spin_lock(&strand->waiters_lock);
    bool linked = waiter->linked;
    if (linked) unlink_waiter(strand, waiter);
    rl_spin_unlock(&strand->waiters_lock);
    /* Unlinked by its waker, who is about to ring: wait for the last touch. */
    while (!linked && atomic_load_explicit(&waiter->bell, memory_order_acquire) != 2) rl_relax();
    atomic_fetch_sub(&strand->sleepers, 1);
}
