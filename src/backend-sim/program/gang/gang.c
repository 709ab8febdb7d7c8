/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a program by several threads (gang.h).
 */
#include "backend-sim/program/gang/gang.h"

#include <limits.h>
#include <sched.h>

#include "backend-sim/program/gang/cluster_split.h"
#include "backend-sim/program/external_node.h"
#include "backend-sim/program/gang/check.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/program/run.h"
#include "backend-sim/scheduler/watch/observe.h"
#include "backend-sim/scheduler/worker.h"
#include "base/fence.h"
#include "base/park.h"
#include "base/processor.h"
#include "base/thread.h"

/* How often a member without work looks for some before it sleeps, and how long it sleeps
 * before it leaves. */
#define LOOKS 600
#define NAP_NS 200000u

/* ---- Help ----------------------------------------------------------------------- */

/* A member says that it naps before it looks for work once more (nap_in_gang()), and this looks
 * for napping members after there is work: at least one of the two sees the other. */
void sim_gang_wake(struct gang *gang, int count)
{
    rl_fence_full();
    if (!atomic_load_explicit(&gang->napping, memory_order_relaxed)) return;
    atomic_fetch_add(&gang->alarm, 1);
    rl_unpark(&gang->alarm, count);
}

void sim_gang_call_help(struct gang *gang, uint32_t units)
{
    struct engine *engine = gang->engine;
    sim_gang_wake(gang, units < GANG_SEATS_MAX ? (int)units : GANG_SEATS_MAX);
    if (atomic_load_explicit(&gang->members, memory_order_relaxed) >= gang->most) return;
    if (!atomic_load_explicit(&engine->idlers, memory_order_relaxed)) return;
    sim_engine_wake_helper(engine);
}

/* How many threads a member calls: together they are there in a few steps, where one that calls
 * all the others, or each the next, takes as many as there are threads. */
#define CALLED_BY_EACH 2

void sim_gang_call_members(struct gang *gang)
{
    struct engine *engine = gang->engine;
    struct worker *called[CALLED_BY_EACH] = { NULL };
    if (!atomic_load_explicit(&engine->idlers, memory_order_relaxed)) return;
    if (atomic_load_explicit(&gang->called, memory_order_relaxed) >= gang->most) return;
    rl_lock(&engine->lock);
    for (int i = 0; i < CALLED_BY_EACH && gang->called < gang->most; i++, gang->called++)
        called[i] = sim_engine_pick_helper(engine);
    rl_unlock(&engine->lock);
    for (int i = 0; i < CALLED_BY_EACH; i++)
        if (called[i]) sim_worker_wake(called[i]);
}

/* ---- Units that become ready -------------------------------------------------------- */

void sim_gang_spill(struct gang *gang, uint32_t unit)
{
    rl_spin_lock(&gang->spill_lock);
    gang->spill_next[unit] = gang->spill;
    gang->spill = unit;
    atomic_store(&gang->spilled, true);
    rl_spin_unlock(&gang->spill_lock);
}

static bool take_spilled(struct gang *gang, uint32_t *unit)
{
    if (!atomic_load_explicit(&gang->spilled, memory_order_relaxed)) return false;
    rl_spin_lock(&gang->spill_lock);
    *unit = gang->spill;
    bool any = *unit != NODE_NONE;
    if (any) gang->spill = gang->spill_next[*unit];
    if (gang->spill == NODE_NONE) atomic_store(&gang->spilled, false);
    rl_spin_unlock(&gang->spill_lock);
    return any;
}

/* Puts a ready unit into the member's deque. */
static void put_unit(struct gang *gang, struct seat *seat, uint32_t unit)
{
    if (!sim_deque_put(&seat->deque, unit)) sim_gang_spill(gang, unit);
    else if (!atomic_load_explicit(&gang->stocked, memory_order_relaxed))
        atomic_store_explicit(&gang->stocked, true, memory_order_release);
    sim_gang_call_help(gang, 1);
}

/* Notes that a predecessor of `unit` is done.  Returns true if it was the last. */
static inline bool count_down(struct gang *gang, uint32_t unit)
{
    return atomic_fetch_sub_explicit(&gang->joins[unit], 1, memory_order_acq_rel) == 1;
}

/* The successors of a unit: a range of an array. */
struct successors {
    const uint32_t *at, *end;
};

static inline struct successors successors_of(const struct gang *gang, uint32_t unit)
{
    const uint32_t *start = gang->plan ? gang->plan->edge_starts : gang->program->edge_starts;
    const uint32_t *successors = gang->plan ? gang->plan->successors : gang->program->successors;
    return (struct successors){ successors + start[unit], successors + start[unit + 1] };
}

static bool open_row(struct gang *gang, uint32_t unit, uint32_t begin, uint32_t end)
{
    struct tickets *tickets = &gang->tickets;
    const uint64_t row = sim_tickets_row(tickets);
    /* A barrier comes after all units of the row, so no lane has to be looked at. */
    if (row && gang->plan->clusters[sim_row_begin(row)].barrier == unit)
        return sim_tickets_open_after(tickets, row, begin, end);
    return sim_tickets_open(tickets, begin, end);
}

/* If all successors of a unit become ready by it, opens a row of tickets for them, and no
 * counter is touched.  Returns false otherwise. */
static bool open_tickets(struct gang *gang, uint32_t unit, struct successors successors)
{
    if (!gang->plan || !gang->plan->clusters[unit].opens) return false;
    uint32_t count = (uint32_t)(successors.end - successors.at);
    if (!open_row(gang, unit, successors.at[0], successors.at[0] + count)) return false;
    sim_gang_call_help(gang, count - 1);
    return true;
}

/* ---- Barriers ------------------------------------------------------------------------- */

/* What a member has done of the units before a barrier it takes off the barrier's counter at once,
 * when it goes on with something else.  The barrier has to wait in any case for the units that the
 * member does meanwhile. */
static bool owe(struct gang *gang, struct seat *seat, uint32_t unit)
{
    const uint32_t barrier = gang->plan ? gang->plan->clusters[unit].barrier : NODE_NONE;
    if (barrier == NODE_NONE) return false;
    seat->owed_to = barrier;
    seat->owed++;
    return true;
}

/* Returns true if a member that goes on with `unit` has to pay first. */
static inline bool is_due(const struct gang *gang, const struct seat *seat, uint32_t unit)
{
    return seat->owed && gang->plan->clusters[unit].barrier != seat->owed_to;
}

/* Takes what is owed off the barrier's counter.  Returns the barrier if that was the last, or
 * NODE_NONE. */
static uint32_t pay(struct gang *gang, struct seat *seat)
{
    const uint32_t owed = seat->owed, barrier = seat->owed_to;
    if (!owed) return NODE_NONE;
    seat->owed = 0;
    if (atomic_fetch_sub_explicit(&gang->joins[barrier], owed, memory_order_acq_rel) != owed)
        return NODE_NONE;
    sim_gang_arm(gang, barrier);
    return barrier;
}

static inline bool draw(struct gang *gang, struct seat *seat, uint32_t *unit)
{
    return sim_tickets_draw(&gang->tickets, (uint32_t)(seat - gang->seats), &seat->ended, unit);
}

/* Completes a unit.  Returns one of the units that become ready by it, for the member to go on
 * with, or NODE_NONE. */
static uint32_t complete_unit(struct gang *gang, struct seat *seat, uint32_t unit)
{
    uint32_t next = NODE_NONE;
    struct successors successors = successors_of(gang, unit);
    seat->done += successors.at == successors.end;
    if (owe(gang, seat, unit)) return NODE_NONE;
    if (open_tickets(gang, unit, successors)) return draw(gang, seat, &next) ? next : NODE_NONE;
    for (; successors.at < successors.end; successors.at++) {
        if (!count_down(gang, *successors.at)) continue;
        /* For the plan's next run: in this one it is not looked at any more. */
        if (gang->plan) sim_gang_arm(gang, *successors.at);
        if (next == NODE_NONE) next = *successors.at;
        else put_unit(gang, seat, *successors.at);
    }
    return next;
}

void sim_gang_complete(struct gang *gang, uint32_t seat, uint32_t place)
{
    uint32_t next = complete_unit(gang, &gang->seats[seat], place);
    if (next != NODE_NONE) put_unit(gang, &gang->seats[seat], next);
}

/* ---- Doing units ------------------------------------------------------------------ */

static bool do_observed(struct gang *gang, uint32_t place)
{
    sim_program_run_observed(gang->launch, gang->program, place);
    return true;
}

/* Returns true if the node is done.  Otherwise it waits; sim_gang_resume() completes it. */
static bool do_node(struct gang *gang, uint32_t place)
{
    const struct entry *entry = &gang->program->entries[place];
    if (sim_entry_waits(entry)) return sim_external_wait(entry->arg, gang);
    if (sim_run_failed()) return true;
    if (gang->observed) return do_observed(gang, place);
    if (!gang->timed) {
        entry->fn(entry->arg);
        return true;
    }
    uint64_t before = rl_monotonic_ns();
    entry->fn(entry->arg);
    sim_plan_note(gang->program, place, rl_monotonic_ns() - before, !gang->program->run.measured);
    return true;
}

static bool do_unit(struct gang *gang, struct seat *seat, uint32_t unit)
{
    if (!gang->plan) return do_node(gang, unit);
    return sim_cluster_run(gang, seat, unit);
}

/* ---- Members ------------------------------------------------------------------------ */

/* Many plans never put anything into a deque: then there is nothing to go through between two
 * levels, where all members look for units until one opens the next. */
static bool steal_unit(struct gang *gang, const struct seat *own, uint32_t *unit)
{
    if (!atomic_load_explicit(&gang->stocked, memory_order_acquire)) return false;
    for (uint32_t i = 0; i < gang->seat_count; i++) {
        struct seat *seat = &gang->seats[i];
        if (seat == own || sim_deque_is_empty(&seat->deque)) continue;
        if (sim_deque_steal(&seat->deque, unit)) return true;
    }
    return false;
}

static bool find_ready(struct gang *gang, struct seat *seat, uint32_t *unit)
{
    return sim_deque_take(&seat->deque, unit) || draw(gang, seat, unit) ||
           take_spilled(gang, unit) || steal_unit(gang, seat, unit);
}

/* Finds a unit to go on with, or else a barrier that this member was the last one for. */
static bool find_unit(struct gang *gang, struct seat *seat, uint32_t *unit)
{
    if (!find_ready(gang, seat, unit)) {
        *unit = pay(gang, seat);
        return *unit != NODE_NONE;
    }
    if (is_due(gang, seat, *unit)) {
        const uint32_t barrier = pay(gang, seat);
        if (barrier != NODE_NONE) put_unit(gang, seat, barrier);
    }
    return true;
}

/* Requires engine->lock. */
static void unlist_gang(struct gang *gang)
{
    if (gang->previous) gang->previous->next = gang->next;
    else gang->engine->platform->gangs->running = gang->next;
    if (gang->next) gang->next->previous = gang->previous;
}

/* Once those have joined that found the gang in the list, nobody does any more. */
static void await_joining(struct gangs *gangs)
{
    for (int i = 0; atomic_load(&gangs->joining); i++) {
        if (i < 100) rl_relax();
        else sched_yield();
    }
}

/* Takes what the member has done off what is left. */
static void report_done(struct gang *gang, struct seat *seat)
{
    uint32_t done = seat->done;
    if (!done) return;
    seat->done = 0;
    uint32_t left = atomic_fetch_sub_explicit(&gang->left, done, memory_order_acq_rel);
    struct engine *engine = gang->engine;
    if (engine->watchdog) sim_gang_check_report(done, left);
    if (left != done) return;
    rl_lock(&engine->lock);
    unlist_gang(gang);
    rl_unlock(&engine->lock);
    await_joining(engine->platform->gangs);
    atomic_store(&gang->done, true);
    sim_gang_wake(gang, INT_MAX);
}

/* Goes on with what becomes ready by a unit, until nothing does. */
static void follow_unit(struct gang *gang, struct seat *seat, uint32_t unit)
{
    do {
        unit = complete_unit(gang, seat, unit);
        sim_gang_mind_processor(gang, seat);
    } while (unit != NODE_NONE && do_unit(gang, seat, unit));
}

bool sim_gang_has_work(struct gang *gang)
{
    if (atomic_load(&gang->spilled) || sim_tickets_any(&gang->tickets)) return true;
    for (uint32_t i = 0; i < gang->seat_count; i++)
        if (!sim_deque_is_empty(&gang->seats[i].deque)) return true;
    return false;
}

/* Sleeps until there is more to do.  To leave the gang would cost its other members more,
 * since they would wake a thread that has to join it.  Returns false if nothing came for too
 * long, and at once if the program has nodes that wait for something outside, which this
 * thread may have to do, or if there is a member too many, one that came for a slice of a
 * cluster (cluster_split.h). */
static bool nap_in_gang(struct gang *gang)
{
    if (gang->program->waits || atomic_load(&gang->members) > gang->most) return false;
    unsigned alarm = atomic_load(&gang->alarm);
    atomic_fetch_add(&gang->napping, 1);
    rl_fence_full();
    if (!sim_gang_has_work(gang) && !atomic_load(&gang->done))
        rl_park(&gang->alarm, alarm, NAP_NS);
    atomic_fetch_sub(&gang->napping, 1);
    return atomic_load(&gang->alarm) != alarm || sim_gang_has_work(gang);
}

void sim_gang_take_part(struct gang *gang, uint32_t own)
{
    struct seat *seat = &gang->seats[own];
    struct run_context *outer = sim_run_here;
    /* A host function that waits for the stream it runs for is told so, whatever thread
     * runs it. */
    struct running here = { gang->launch->context.strand, sim_running, NULL };
    uint32_t given;
    sim_run_here = &gang->launch->context;
    sim_running = &here;
    sim_host_depth++;
    atomic_store_explicit(&seat->stays, !sim_is_worker, memory_order_relaxed);
    seat->moves = atomic_load_explicit(&gang->moves, memory_order_relaxed) - 1; /* so it checks */
    sim_gang_mind_processor(gang, seat);
    if (seat->given.unit != NODE_NONE && sim_cluster_run_given(gang, seat, &given))
        follow_unit(gang, seat, given);
    for (int looks = 0; !atomic_load(&gang->done);) {
        uint32_t unit;
        if (!find_unit(gang, seat, &unit)) {
            report_done(gang, seat);
            if (++looks % 32 == 0 && gang->engine->workers_max < 2) sched_yield();
            rl_relax();
            if (looks < LOOKS) continue;
            if (!nap_in_gang(gang)) {
                atomic_store(&gang->idled, true);
                break;
            }
            looks = 0;
            continue;
        }
        looks = 0;
        if (do_unit(gang, seat, unit)) follow_unit(gang, seat, unit);
    }
    sim_host_depth--;
    sim_running = here.outer;
    sim_run_here = outer;
}
