/* SPDX-License-Identifier: Apache-2.0
 *
 * Which step is taken next, or whether the host goes first.
 */
#include "backend-sim/schedule/runner.h"

void sim_schedule_note(struct schedule *schedule, const struct candidate *step)
{
    struct cell *cell = sim_queue_front(&step->strand->queue);
    schedule->step = *step;
    if (cell->type->choose) cell->type->choose(cell, step->place);
    sim_schedule_note_step(schedule);
}

struct strand *sim_schedule_begin(struct schedule *schedule, struct runner *runner,
                                  const struct candidate *chosen)
{
    const struct candidate step = *chosen; /* a copy: removing the strand may free the list */
    runner->may_go_on = sim_held_remove(&schedule->held, step.strand);
    sim_schedule_note(schedule, &step);
    return step.strand;
}

/* Chooses among all steps that are possible.  Returns NULL if the host goes first. */
static const struct candidate *choose_step(struct schedule *schedule, const struct moment *moment)
{
    struct policy_state *policy = &schedule->policy;
    uint32_t count = sim_held_candidates(&schedule->held, moment->point), at = CHOOSE_HOST;
    const struct candidate *candidates = schedule->held.candidates;
    if (count || policy->spec.policy->sees_all)
        at = policy->spec.policy->choose(policy, candidates, count, moment->kind);
    return at == CHOOSE_HOST ? NULL : &candidates[at];
}

struct strand *sim_schedule_decide(struct schedule *schedule, struct runner *runner,
                                   const struct moment *moment, enum outcome *outcome)
{
    struct policy_state *policy = &schedule->policy;
    struct candidate step;
    const struct candidate *chosen = &step;
    bool waits = moment->kind == MOMENT_WAIT;
    *outcome = OUTCOME_DONE;
    if (waits && moment->point.strand && sim_point_reached(moment->point)) return NULL;
    if (sim_schedule_polls(schedule)) sim_schedule_poll(schedule);
    struct strand *only = sim_held_only(&schedule->held);
    if (!only) {
        chosen = choose_step(schedule, moment);
    } else {
        sim_describe_next(only, &step);
        if (policy->spec.policy->choose(policy, &step, 1, moment->kind) == CHOOSE_HOST)
            chosen = NULL;
    }
    if (chosen) return sim_schedule_begin(schedule, runner, chosen);
    if (waits) *outcome = OUTCOME_STUCK;
    return NULL;
}
