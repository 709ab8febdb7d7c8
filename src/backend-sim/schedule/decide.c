/* SPDX-License-Identifier: Apache-2.0
 *
 * Which step is taken next, or whether the host goes first.
 */
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/schedule/schedule.h"

static inline void note_step(struct schedule *schedule)
{
    const struct candidate *step = &schedule->step;
    sim_trail_note(&schedule->trail, step, schedule->policy.calls);
    if (schedule->taken)
        schedule->taken(schedule->taken_data, step->stream, step->number, step->place);
    schedule->policy.steps++;
    schedule->queries = 0;
}

void sim_schedule_note(struct schedule *schedule, const struct candidate *step)
{
    struct cell *cell = sim_queue_front(&step->strand->queue);
    schedule->step = *step;
    if (cell->type->choose) cell->type->choose(cell, step->place);
    note_step(schedule);
}

struct strand *sim_schedule_begin(struct schedule *schedule, struct runner *runner,
                                  const struct candidate *chosen)
{
    const struct candidate step = *chosen; /* which may go */
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
    if (atomic_load(&schedule->engine->attention) & ATTEND_POLLED)
        sim_engine_poll(schedule->engine);
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

struct strand *sim_schedule_begin_only(struct schedule *schedule, struct runner *runner,
                                       struct strand *only)
{
    struct policy_state *policy = &schedule->policy;
    struct candidate step;
    sim_describe_next(only, &step);
    if (policy->spec.policy->choose(policy, &step, 1, MOMENT_CALL) == CHOOSE_HOST) return NULL;
    runner->may_go_on = sim_held_remove(&schedule->held, only);
    schedule->step = step;
    note_step(schedule);
    return only;
}

/* Asks the policy about the next operation of the strand, the only step that is possible. */
__attribute__((noinline))
static bool takes_next(struct policy_state *policy, const struct moment *moment,
                       struct strand *strand)
{
    struct candidate step;
    sim_describe_next(strand, &step);
    return policy->spec.policy->choose(policy, &step, 1, moment->kind) != CHOOSE_HOST;
}

enum next_step sim_schedule_decide_next(struct runner *runner, const struct moment *moment,
                                        struct strand *strand)
{
    struct schedule *schedule = runner->schedule;
    struct policy_state *policy = &schedule->policy;
    if (moment->kind == MOMENT_QUERY || policy->spec.policy->sees_all) return NEXT_UNKNOWN;
    if (moment->point.strand && sim_point_reached(moment->point)) return NEXT_UNKNOWN;
    if (atomic_load(&schedule->engine->attention) & ATTEND_POLLED) return NEXT_UNKNOWN;
    if (!sim_held_is_only(&schedule->held, strand)) return NEXT_UNKNOWN;
    if (runner->only_brief && !sim_schedule_is_brief(strand)) return NEXT_UNKNOWN;
    bool sure = moment->kind == MOMENT_WAIT && sim_policy_is_sure(policy);
    if (!sure && !takes_next(policy, moment, strand)) return NEXT_IS_HOST;
    sim_describe_next(strand, &schedule->step);
    runner->may_go_on = false;
    note_step(schedule);
    return NEXT_IS_SAME;
}
