/* SPDX-License-Identifier: Apache-2.0
 *
 * How a strand that was claimed runs: its operations run one after the other, and its owner lets go
 * of it.
 */
#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/watch/observe.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/scheduler/strand_ready.h"
#include "backend-sim/scheduler/strand_refs.h"
#include "backend-sim/scheduler/watch/timekeeper.h"
#include "backend-sim/scheduler/virtual_time.h"
#include "backend-sim/scheduler/watch/watcher.h"

/* ---- A turn -------------------------------------------------------------- */

/* A strand that this thread owns, and how far it is. */
struct turn {
    struct strand *strand;
    uint64_t number; /* of the operation that ran last                       */
    uint64_t end;    /* up to here operations are submitted, as far as known */
};

/* A turn that this thread is running. */
struct run {
    struct running here;
    struct turn turn;
    struct turn kept;    /* of here.kept, while there is one ...     */
    uint64_t kept_until; /* ... which waits for this number of ours  */
};

static struct turn begin_turn(struct strand *strand)
{
    uint64_t number = atomic_load_explicit(&strand->completed, memory_order_relaxed);
    return (struct turn){ strand, number, sim_strand_submitted(strand) };
}

/* Tells whether more was submitted than ran, and notes how much. */
static bool has_more(struct turn *turn)
{
    turn->end = sim_strand_submitted(turn->strand);
    return turn->end > turn->number;
}

/* Lets go of a strand of which all is run.  Returns false if there is more by now. */
static inline bool let_go(struct turn *turn)
{
    struct strand *strand = turn->strand;
    if (has_more(turn)) return false;
    sim_strand_refs_flush(strand);
    rl_spin_lock(&strand->submit_lock);
    bool ends = !has_more(turn), disowned = strand->disowned;
    if (ends) {
        if (sim_queue_is_large(&strand->queue)) sim_queue_clear(&strand->queue);
        atomic_store_explicit(&strand->state, STRAND_IDLE, memory_order_release);
    }
    rl_spin_unlock(&strand->submit_lock);
    if (ends && disowned) sim_strand_release(strand);
    return ends;
}

/* Parks a strand that must wait, and lets go of it.  Returns false if it need not wait any more. */
__attribute__((noinline))
static bool park(struct turn *turn, struct cell *cell)
{
    struct strand *strand = turn->strand;
    sim_count(&strand->parks);
    atomic_store(&strand->state, STRAND_PARKED);
    sim_strand_wake_sleepers(strand);
    if (cell->type->park(strand, cell)) return true;
    atomic_store(&strand->state, STRAND_RUNNING);
    return false;
}

/* ---- Running ahead --------------------------------------------------------
 *
 * What the operation in front waits for may only lack a thread to run it, and this thread has
 * nothing else to do here: it runs the other strand first, a little way and up to the point.  A
 * hop from stream to stream then parks nothing and wakes nobody.
 *
 * If the other strand then waits in turn for what this one is about to do, the thread keeps it:
 * no other thread could do anything in it, and soon this strand will wait for it again.  Two
 * streams that take turns are therefore handed from thread to thread once, not at each hop. */

/* How many strands may run ahead of each other in one thread, and how far: each takes a frame of
 * the thread's stack, and more than a few operations are a turn of their own. */
#define AHEAD_DEPTH 16
#define AHEAD_BUDGET 32

_Thread_local struct running *sim_running RL_THREAD_WORD;

bool sim_strand_runs_here(const struct strand *strand)
{
    for (const struct running *r = sim_running; r; r = r->outer)
        if (r->strand == strand || r->kept == strand) return true;
    return false;
}

/* Tells whether this thread runs more than `most` strands. */
static bool runs_more_than(int most)
{
    const struct running *r = sim_running;
    while (r && most--) r = r->outer;
    return r;
}

/* Returns the point that the operation waits for; reached from the start if it waits for none. */
static struct point awaited(const struct cell *cell)
{
    const struct op_type *type = cell->type;
    return type->after ? type->after(cell) : (struct point){ NULL, 0 };
}

/* Tells whether the kept strand stays kept for the operation in front: nothing in the kept
 * strand can run before that operation did, and no other thread can help with the operation,
 * since a helper would find the way to it only by way of a strand that is parked. */
static inline __attribute__((always_inline))
bool keeps(const struct run *run, const struct cell *cell)
{
    struct point point = awaited(cell);
    bool waits = point.strand && !sim_point_reached(point);
    if (waits) return point.strand == run->here.kept;
    return run->turn.number < run->kept_until && !cell->type->shared;
}

/* Gives the kept strand back, READY. */
__attribute__((noinline))
static void give_back_kept(struct run *run)
{
    run->here.kept = NULL;
    sim_strand_set_parked(run->turn.strand, (struct point){ NULL, 0 });
    sim_strand_make_ready(run->kept.strand);
}

/* Gives it back unless only a watcher is to be heeded, which changes nothing of what runs. */
__attribute__((noinline))
static void reconsider_kept(struct run *run, const struct cell *cell, unsigned attention)
{
    if (attention != ATTEND_WATCHER || !keeps(run, cell)) give_back_kept(run);
}

/* Tells whether the other strand stopped at a wait for what this strand is about to do. */
static bool waits_for_us(struct run *run, const struct turn *other)
{
    if (other->number == other->end) return false;
    struct point point = awaited(sim_queue_front(&other->strand->queue));
    run->kept_until = point.number;
    return point.strand == run->turn.strand && point.number > run->turn.number;
}

static bool go_on(struct run *run, uint64_t limit, bool follows);

/* Runs the strand that the operation in front waits for.  Returns false if the operation must wait
 * all the same. */
__attribute__((noinline))
static bool run_ahead(struct run *run, const struct cell *cell)
{
    struct point point = awaited(cell);
    if (!point.strand || runs_more_than(AHEAD_DEPTH)) return false;
    struct strand *strand = run->turn.strand;
    struct run ahead;
    ahead.here = (struct running){ point.strand, &run->here, NULL };
    if (run->here.kept) {
        ahead.turn = run->kept;
        run->here.kept = NULL;
        atomic_store_explicit(&strand->ahead_to, point.number, memory_order_relaxed);
    } else {
        if (!sim_strand_claim(point.strand)) return false;
        ahead.turn = begin_turn(point.strand);
        sim_strand_set_parked(strand, point); /* threads that wait then know what to help with */
    }
    if (sim_queue_front(&point.strand->queue)->type->shared) sim_strand_wake_sleepers(strand);
    uint64_t most = ahead.turn.number + AHEAD_BUDGET;
    sim_running = &ahead.here;
    bool ours = go_on(&ahead, most < point.number ? most : point.number, true);
    sim_running = &run->here;
    sim_strand_note_ready(strand); /* what it waited for was done only now */
    if (ours && waits_for_us(run, &ahead.turn)) {
        run->here.kept = point.strand;
        run->kept = ahead.turn;
        return sim_point_reached(point);
    }
    sim_strand_set_parked(strand, (struct point){ NULL, 0 });
    if (ours) sim_strand_make_ready(point.strand);
    return sim_point_reached(point);
}

/* ---- Running ------------------------------------------------------------- */

/* Runs or drops one operation while there are flags to heed: an observer or a watcher is installed,
 * the device failed, or strands wait for values that the operation may write. */
__attribute__((noinline))
static void run_with_attention(struct strand *strand, struct cell *cell, uint64_t number,
                               unsigned attention)
{
    const struct op_type *type = cell->type;
    struct sighting sighting;
    rill_span span;
    if (attention & ATTEND_OBSERVER) sim_observe_started(&sighting, strand, cell, number);
    if (attention & ATTEND_TIMEKEEPER) span = sim_timekeeper_begin(strand, cell, number);
    if (attention & ATTEND_WATCHER && type->run_watched) {
        sim_watch_operation(strand, cell, number, attention & ATTEND_FAULT);
    } else if (attention & ATTEND_FAULT) {
        if (type->drop) type->drop(strand, cell);
    } else {
        type->run(strand, cell);
    }
    if (attention & ATTEND_VIRTUAL) sim_step_ran(strand, WHOLE_OPERATION);
    if (attention & ATTEND_TIMEKEEPER) sim_timekeeper_end(strand->engine, &span);
    if (attention & ATTEND_OBSERVER) sim_observe_done(&sighting, strand, number);
}

/* Takes the operation in front as far as it gets before it runs.  Returns false if it must be
 * parked.  A wait is over when the device has failed. */
static inline bool get_ready(struct strand *strand, struct cell *cell, unsigned attention)
{
    const struct op_type *type = cell->type;
    if (!type->park) return true;
    if (type->advance) return type->advance(strand, cell) == ADVANCE_DONE;
    if ((attention & ATTEND_FAULT) || type->ready(strand, cell)) return true;
    if (attention & ATTEND_TIMEKEEPER && !strand->blocked_since)
        strand->blocked_since = sim_engine_now(strand->engine);
    return false;
}

/* Runs operations up to `limit`; with `follows` also those that come while it runs, however few.
 * Returns true if the strand still belongs to this thread at the end. */
static bool go_on(struct run *run, uint64_t limit, bool follows)
{
    struct turn *turn = &run->turn;
    struct strand *strand = turn->strand;
    while (turn->number < limit) {
        struct cell *cell = sim_queue_front(&strand->queue);
        unsigned attention = atomic_load_explicit(strand->attention, memory_order_relaxed);
        if (run->here.kept && (attention || !keeps(run, cell)))
            reconsider_kept(run, cell, attention);
        if (!get_ready(strand, cell, attention)) {
            if (run_ahead(run, cell)) continue;
            if (run->here.kept) give_back_kept(run);
            if (park(turn, cell)) return false;
            continue;
        }
        if (!attention) cell->type->run(strand, cell);
        else run_with_attention(strand, cell, turn->number + 1, attention);
        sim_queue_advance(&strand->queue, cell);
        sim_strand_complete(strand, ++turn->number);
        if (attention & ATTEND_POLLED) sim_engine_poll(strand->engine);
        if (turn->number < turn->end) continue;
        if (run->here.kept) give_back_kept(run);
        if (let_go(turn)) return false;
        if (!follows && turn->end - turn->number < STRAND_FEW) return true;
    }
    if (run->here.kept) give_back_kept(run);
    return true;
}

uint64_t sim_strand_run(struct strand *strand, uint64_t limit, unsigned budget)
{
    struct run run;
    run.here = (struct running){ strand, sim_running, NULL };
    run.turn = begin_turn(strand);
    sim_running = &run.here;
    uint64_t from = run.turn.number, most = from + budget;
    bool follows = limit != STRAND_NO_LIMIT;
    if (go_on(&run, most < limit ? most : limit, follows)) sim_strand_make_ready(strand);
    sim_running = run.here.outer;
    return run.turn.number - from;
}

/* ---- One step ------------------------------------------------------------ */

/* Completes the operation that ran.  Returns whether there are more; else it has let go. */
static inline bool complete_step(struct turn turn, struct cell *cell)
{
    sim_queue_advance(&turn.strand->queue, cell);
    sim_strand_complete(turn.strand, ++turn.number);
    return !let_go(&turn);
}

/* Takes a step where there may be more to heed than that the schedule is given. */
__attribute__((noinline))
static bool step_with_attention(struct turn turn, struct cell *cell, unsigned attention)
{
    struct strand *strand = turn.strand;
    bool ends = sim_step_ends(strand, WHOLE_OPERATION);
    if (!ends && !get_ready(strand, cell, attention)) return !park(&turn, cell);
    if (!ends) run_with_attention(strand, cell, turn.number + 1, attention);
    return (!ends && sim_step_lasts(strand, WHOLE_OPERATION)) || complete_step(turn, cell);
}

bool sim_strand_step(struct strand *strand)
{
    struct running here = { strand, sim_running, NULL };
    struct turn turn = begin_turn(strand);
    struct cell *cell = sim_queue_front(&strand->queue);
    unsigned attention = sim_strand_attention(strand);
    bool ours;
    sim_running = &here;
    if (attention & ~(unsigned)ATTEND_STEERING || cell->type->park) {
        ours = step_with_attention(turn, cell, attention);
    } else {
        cell->type->run(strand, cell);
        ours = complete_step(turn, cell);
    }
    sim_running = here.outer;
    return ours;
}
