/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking steps in a call: the thread of the host that has the turn stands in for the runner.
 *
 * Functions of the program find the thread to be the runner, and not in a call.
 */
#include "backend-sim/schedule/runner.h"

static inline struct schedule_here begin_to_stand_in(struct runner *runner)
{
    struct schedule_here outer = sim_schedule_here;
    runner->stood_in_for = runner->only_brief = true;
    sim_schedule_here = (struct schedule_here){ .runner = runner };
    return outer;
}

static inline void end_to_stand_in(struct runner *runner, struct schedule_here outer)
{
    sim_schedule_here = outer;
    runner->stood_in_for = runner->only_brief = false;
}

enum outcome sim_runner_stand_in(struct runner *runner, const struct moment *moment,
                                 struct strand **strand)
{
    struct schedule_here outer = begin_to_stand_in(runner);
    enum outcome outcome = sim_runner_take_steps(runner, moment, strand);
    end_to_stand_in(runner, outer);
    if (outcome != OUTCOME_BEGUN) sim_schedule_note_progress(runner->schedule);
    return outcome;
}

/* ---- The only step ---------------------------------------------------------------------------
 *
 * In a stream of functions each call makes one step possible, and takes it: that is what a schedule
 * costs.
 */

/* Tells whether this thread may decide about a strand's next operation by itself. */
static inline bool may_decide(struct schedule *schedule, struct strand *strand)
{
    if (schedule->runs_here) return sim_schedule_is_brief(strand); /* no launch is */
    return !sim_held_in_launch(strand);
}

/* Returns the strand of the only step that is possible, if it is one for this thread to decide
 * about, or NULL. */
static inline struct strand *find_only(struct schedule *schedule)
{
    struct strand *only = schedule->at_hand;
    if (!only) only = sim_held_only(&schedule->held);
    else if (!sim_held_none_beside(&schedule->held, only)) return NULL;
    return only && may_decide(schedule, only) ? only : NULL;
}

/* Asks the policy about that step, and begins it.  Returns false if the host goes first. */
static inline bool begin_only(struct schedule *schedule, struct runner *runner,
                              struct strand *only)
{
    struct policy_state *policy = &schedule->policy;
    struct candidate *step = &schedule->step; /* free, since no step is being taken */
    sim_describe_next(only, step);
    if (policy->spec.policy->choose(policy, step, 1, MOMENT_CALL) == CHOOSE_HOST) return false;
    runner->may_go_on = only != schedule->at_hand && sim_held_remove(&schedule->held, only);
    schedule->at_hand = NULL;
    sim_schedule_note_step(schedule);
    return true;
}

static const struct moment call = { .kind = MOMENT_CALL };

/* Takes the step that was begun, and the strand's next ones.  Returns whether the call is over. */
__attribute__((noinline))
static bool take_here(struct schedule *schedule, struct runner *runner, struct strand *strand)
{
    enum next_step next = NEXT_UNKNOWN;
    struct schedule_here outer = begin_to_stand_in(runner);
    if (sim_strand_step(strand)) {
        unsigned left = STEPS_MOST;
        next = sim_runner_go_on_in(runner, &call, strand, &left);
        if (!left) next = NEXT_IS_HOST;
    }
    end_to_stand_in(runner, outer);
    sim_schedule_note_progress(schedule);
    return next == NEXT_IS_HOST || !(runner->may_go_on || sim_schedule_polls(schedule));
}

bool sim_schedule_take_only(struct schedule *schedule)
{
    struct runner *runner = atomic_load_explicit(&schedule->runner, memory_order_relaxed);
    struct strand *only = find_only(schedule);
    if (!only || runner->left || sim_runner_is_asked(runner)) return false;
    if (!begin_only(schedule, runner, only)) return true;
    if (schedule->runs_here) return take_here(schedule, runner, only);
    runner->moment.kind = MOMENT_CALL;
    sim_runner_hand_over(schedule, runner, only);
    return true;
}
