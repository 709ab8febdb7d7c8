/* SPDX-License-Identifier: Apache-2.0
 *
 * The runner: the thread that takes steps.
 */
#include "backend-sim/schedule/schedule.h"

#include <limits.h>

#include "backend-sim/scheduler/polled.h"
#include "base/alloc.h"
#include "base/park.h"

/* How often the runner looks whether it is asked before it sleeps, and after which time it goes on
 * by itself: a program may wait for work without a call, by looking at memory. */
#define LOOKS 4000
#define PATIENCE_NS 100000000u

_Thread_local struct runner *sim_runner_here;

/* ---- Choosing ---------------------------------------------------------------------------- */

bool sim_schedule_decide(struct schedule *schedule, const struct moment *moment,
                         struct candidate *step, enum outcome *outcome)
{
    struct policy_state *policy = &schedule->policy;
    bool waits = moment->kind == MOMENT_WAIT;
    *outcome = OUTCOME_DONE;
    if (waits && moment->point.strand && sim_point_reached(moment->point)) return false;
    if (atomic_load(&schedule->engine->attention) & ATTEND_POLLED)
        sim_engine_poll(schedule->engine);
    uint32_t count = sim_held_candidates(&schedule->held, moment->point), at = CHOOSE_HOST;
    const struct candidate *candidates = schedule->held.candidates;
    if (count) at = policy->spec.policy->choose(policy, candidates, count, moment->kind);
    if (at == CHOOSE_HOST) {
        if (waits) *outcome = OUTCOME_STUCK;
        return false;
    }
    *step = candidates[at];
    return true;
}

/* ---- Taking steps ------------------------------------------------------------------------ */

static void take_step(struct runner *runner, const struct candidate *step)
{
    struct schedule *schedule = runner->schedule;
    struct strand *strand = step->strand;
    struct cell *cell = sim_queue_front(&strand->queue);
    sim_trail_note(&schedule->trail, step, schedule->policy.calls);
    schedule->policy.steps++;
    schedule->queries = 0;
    if (cell->type->choose) cell->type->choose(cell, step->place);
    sim_held_remove(&schedule->held, strand);
    bool nested = atomic_exchange(&runner->in_step, true);
    sim_strand_step(strand);
    sim_strand_release(strand);
    atomic_store(&runner->in_step, nested);
    atomic_store(&runner->away, false);
}

static bool is_asked_at_all(struct runner *runner)
{
    return atomic_load(&runner->schedule->runner) == runner;
}

enum outcome sim_runner_serve(struct runner *runner, const struct moment *moment)
{
    struct candidate step;
    enum outcome outcome = OUTCOME_STUCK;
    while (is_asked_at_all(runner) &&
           sim_schedule_decide(runner->schedule, moment, &step, &outcome)) {
        take_step(runner, &step);
        if (moment->kind == MOMENT_QUERY) return OUTCOME_DONE;
    }
    return outcome;
}

bool sim_runner_is_needed_for(struct point point)
{
    while (point.strand && !sim_point_reached(point)) {
        struct strand *strand = point.strand;
        if (sim_strand_runs_here(strand)) return true;
        rl_spin_lock(&strand->park_lock);
        bool further = sim_strand_state(strand) == STRAND_PARKED &&
                       (strand->parked == PARKED_ON_POINT || strand->parked == PARKED_ON_NODE);
        point = strand->parked_point;
        rl_spin_unlock(&strand->park_lock);
        if (!further) return false;
    }
    return false;
}

/* ---- The thread --------------------------------------------------------------------------- */

static void end_moment(struct runner *runner)
{
    struct schedule *schedule = runner->schedule;
    atomic_store_explicit(&runner->asked, 0, memory_order_release);
    rl_unpark(&runner->asked, INT_MAX);
    atomic_fetch_add(&schedule->progress, 1);
    rl_unpark(&schedule->progress, INT_MAX);
}

/* Tells whether the runner is to end: all do, or another one took its place. */
static bool is_over(struct runner *runner)
{
    return atomic_load(&runner->schedule->ends) || !is_asked_at_all(runner);
}

/* Waits until the runner is asked.  Returns false if it is not, but over, or nobody asked for long
 * while there is something to do. */
static bool await_asked(struct runner *runner)
{
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&runner->asked, memory_order_acquire)) return true;
        rl_relax();
    }
    for (uint64_t since = rl_monotonic_ns(); !atomic_load(&runner->asked) && !is_over(runner);) {
        rl_park(&runner->asked, 0, PATIENCE_NS);
        if (rl_monotonic_ns() - since >= PATIENCE_NS) break;
    }
    return atomic_load(&runner->asked);
}

/* Takes all steps although no call asks for them, unless a thread of the host is in a call. */
static void go_on_alone(struct runner *runner)
{
    static const struct moment moment = { .kind = MOMENT_WAIT };
    struct schedule *schedule = runner->schedule;
    if (!sim_held_any(&schedule->held) || !rl_trylock(&schedule->turn)) return;
    bool asked = is_asked_at_all(runner);
    if (asked) atomic_store(&runner->asked, 1);
    rl_unlock(&schedule->turn);
    if (!asked) return;
    uint64_t steps = schedule->trail.steps;
    sim_runner_serve(runner, &moment);
    if (schedule->trail.steps > steps) sim_trail_say(&schedule->trail, "alone");
    end_moment(runner);
}

static void *runner_main(void *data)
{
    struct runner *runner = data;
    sim_runner_here = runner;
    atomic_store(&runner->id, rl_thread_id());
    while (!is_over(runner)) {
        if (!await_asked(runner)) {
            if (!is_over(runner)) go_on_alone(runner);
            continue;
        }
        const struct moment moment = runner->moment;
        take_step(runner, &runner->first);
        runner->outcome = moment.kind == MOMENT_QUERY ? OUTCOME_DONE
                                                      : sim_runner_serve(runner, &moment);
        end_moment(runner);
    }
    return NULL;
}

bool sim_runner_start(struct schedule *schedule)
{
    struct runner *runner = rl_zalloc_lines(sizeof *runner);
    struct runner *before = atomic_load(&schedule->runner);
    if (!runner) return false;
    runner->schedule = schedule;
    runner->older = before;
    atomic_store(&schedule->runner, runner); /* the thread reads it */
    if (rl_thread_start(&runner->thread, runner_main, runner)) return true;
    atomic_store(&schedule->runner, before);
    rl_free(runner);
    return false;
}
