/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking steps.
 */
#include "backend-sim/schedule/runner.h"

#include "backend-sim/scheduler/strand_ready.h"

/* ---- Taking what is left ------------------------------------------------------------------ */

/* Takes a step with a strand. */
static void step_and_hold(struct strand *strand)
{
    if (sim_strand_step(strand)) sim_strand_make_ready(strand);
}

void sim_schedule_drain(struct schedule *schedule)
{
    static const struct point nowhere = { .strand = NULL };
    struct runner *runner = atomic_load(&schedule->runner);
    if (!rl_trylock(&schedule->turn)) return;
    sim_schedule_poll(schedule);
    while (sim_held_candidates(&schedule->held, nowhere)) {
        step_and_hold(sim_schedule_begin(schedule, runner, schedule->held.candidates));
    }
    rl_unlock(&schedule->turn);
}

/* ---- Taking steps ------------------------------------------------------------------------
 *
 * While a runner is in a step, the host may leave it: whichever of the two changes the stage first
 * has its way.  So the one who chooses is always alone, although the runner that was left may be
 * late to notice.
 */

static inline void begin_own_step(struct runner *runner)
{
    unsigned stage = atomic_load_explicit(&runner->stage, memory_order_relaxed);
    atomic_store_explicit(&runner->stage, (stage & ~STAGE_MASK) + STAGE_MASK + 1 + STAGE_STEP,
                          memory_order_release);
}

/* Ends a step.  Returns false if the runner was left in it. */
static inline bool end_own_step(struct runner *runner)
{
    unsigned stage = atomic_load_explicit(&runner->stage, memory_order_relaxed);
    return (stage & STAGE_MASK) == STAGE_STEP &&
           atomic_compare_exchange_strong(&runner->stage, &stage, stage & ~STAGE_MASK);
}

/* Likewise, where a thread of the host may stand in for the runner: nobody else has the turn then,
 * to leave it. */
static void begin_step(struct runner *runner)
{
    if (!runner->stood_in_for) begin_own_step(runner);
}

static bool end_step(struct runner *runner)
{
    return runner->stood_in_for || end_own_step(runner);
}

/* Takes a step.  Returns false if the runner was left in it. */
static bool take_step(struct runner *runner, struct strand *strand)
{
    begin_step(runner);
    step_and_hold(strand);
    return end_step(runner);
}

/* Decides in short, when a strand took a step, is RUNNING and has more.  In a long stream of
 * functions that is what a step costs. */
static inline enum next_step decide_next(struct runner *runner, const struct moment *moment,
                                         struct strand *strand)
{
    struct schedule *schedule = runner->schedule;
    struct policy_state *policy = &schedule->policy;
    if (moment->kind == MOMENT_QUERY || !schedule->takes_only) return NEXT_UNKNOWN;
    if (moment->point.strand && sim_point_reached(moment->point)) return NEXT_UNKNOWN;
    if (sim_schedule_polls(schedule) || !sim_held_none_beside(&schedule->held, strand))
        return NEXT_UNKNOWN;
    if (runner->only_brief ? !sim_schedule_is_brief(strand) : sim_held_in_launch(strand))
        return NEXT_UNKNOWN;
    struct candidate *step = &schedule->step; /* the last one is over */
    sim_describe_next(strand, step);
    bool sure = moment->kind == MOMENT_WAIT && sim_policy_is_sure(policy);
    if (!sure && policy->spec.policy->choose(policy, step, 1, moment->kind) == CHOOSE_HOST)
        return NEXT_IS_HOST;
    runner->may_go_on = false;
    sim_schedule_note_step(schedule);
    return NEXT_IS_SAME;
}

enum next_step sim_runner_go_on_in(struct runner *runner, const struct moment *moment,
                                   struct strand *strand, unsigned *left)
{
    enum next_step next = NEXT_UNKNOWN;
    while (*left) {
        next = decide_next(runner, moment, strand);
        if (next != NEXT_IS_SAME) break;
        --*left;
        begin_step(runner);
        bool more = sim_strand_step(strand), ours = end_step(runner);
        next = ours ? NEXT_UNKNOWN : NEXT_OF_OTHERS;
        if (!more) return next;
        if (!ours) break;
    }
    sim_strand_make_ready(strand);
    return next;
}

/* Goes on after a step, in the same strand without another look if it has more, and counts down how
 * many steps are left. */
static enum next_step go_on_after(struct runner *runner, const struct moment *moment,
                                  struct strand *strand, bool more, bool ours, unsigned *left)
{
    --*left;
    if (ours && more) return sim_runner_go_on_in(runner, moment, strand, left);
    if (more) sim_strand_make_ready(strand);
    return ours ? NEXT_UNKNOWN : NEXT_OF_OTHERS;
}

/* Takes a step with the strand, and those that follow it there. */
static enum next_step take_step_on(struct runner *runner, const struct moment *moment,
                                   struct strand *strand, unsigned *left)
{
    begin_step(runner);
    bool more = sim_strand_step(strand), ours = end_step(runner);
    return go_on_after(runner, moment, strand, more, ours, left);
}

/* Tells whether a call that does not wait can end without another decision. */
static inline bool is_plainly_over(const struct runner *runner, enum moment_kind kind)
{
    const struct schedule *schedule = runner->schedule;
    return kind == MOMENT_CALL && !runner->may_go_on && schedule->takes_only &&
           !sim_schedule_polls(schedule);
}

/* Takes steps until the moment ends, when what comes after some of them is known or not. */
static enum outcome take_others(struct runner *runner, const struct moment *moment,
                                struct strand **first, enum next_step next, unsigned left)
{
    enum outcome outcome = OUTCOME_DONE;
    for (;;) {
        if (next == NEXT_OF_OTHERS) return OUTCOME_AWAY;
        if (next == NEXT_IS_HOST || !left)
            return moment->kind == MOMENT_WAIT ? OUTCOME_STUCK : OUTCOME_DONE;
        if (moment->kind == MOMENT_QUERY || is_plainly_over(runner, moment->kind))
            return OUTCOME_DONE;
        *first = sim_schedule_decide(runner->schedule, runner, moment, &outcome);
        if (!*first) return outcome;
        if (runner->only_brief && !sim_schedule_is_brief(*first)) return OUTCOME_BEGUN;
        next = take_step_on(runner, moment, *first, &left);
    }
}

enum outcome sim_runner_take_steps(struct runner *runner, const struct moment *moment,
                                   struct strand **first)
{
    unsigned left = STEPS_MOST;
    if (runner->only_brief && !sim_schedule_is_brief(*first)) return OUTCOME_BEGUN;
    enum next_step next = take_step_on(runner, moment, *first, &left);
    return take_others(runner, moment, first, next, left);
}

static const struct moment call = { .kind = MOMENT_CALL };

/* Goes on in a moment of which the first step was taken. */
__attribute__((noinline))
static enum outcome serve_on(struct runner *runner, struct strand *strand, bool more, bool ours)
{
    /* A copy: a function may ask for a moment of its own. */
    const struct moment moment = runner->moment.kind == MOMENT_CALL ? call : runner->moment;
    unsigned left = STEPS_MOST;
    enum next_step next = go_on_after(runner, &moment, strand, more, ours, &left);
    return take_others(runner, &moment, &strand, next, left);
}

/* Goes on in a call in which a strand took a step and has more. */
static inline enum outcome serve_call_on(struct runner *runner, struct strand *strand)
{
    unsigned left = STEPS_MOST - 1;
    enum next_step next = sim_runner_go_on_in(runner, &call, strand, &left);
    return next == NEXT_IS_HOST ? OUTCOME_DONE : take_others(runner, &call, &strand, next, left);
}

enum outcome sim_runner_serve(struct runner *runner)
{
    struct strand *strand = runner->first;
    begin_own_step(runner);
    bool more = sim_strand_step(strand), ours = end_own_step(runner);
    if (!ours || runner->moment.kind != MOMENT_CALL) return serve_on(runner, strand, more, ours);
    if (more) return serve_call_on(runner, strand);
    /* Mostly a call made one step possible, and that was it. */
    if (is_plainly_over(runner, MOMENT_CALL)) return OUTCOME_DONE;
    return take_others(runner, &call, &strand, NEXT_UNKNOWN, STEPS_MOST - 1);
}

enum outcome sim_runner_decide_and_take_steps(struct runner *runner, const struct moment *moment)
{
    enum outcome outcome;
    struct strand *strand = sim_schedule_decide(runner->schedule, runner, moment, &outcome);
    return strand ? sim_runner_take_steps(runner, moment, &strand) : outcome;
}

enum outcome sim_runner_serve_inside(struct runner *runner, const struct moment *moment)
{
    if (!end_step(runner)) return OUTCOME_AWAY;
    /* The promise holds for what a function waits for as well. */
    bool outer = runner->only_brief;
    runner->only_brief = false;
    enum outcome outcome = sim_runner_decide_and_take_steps(runner, moment);
    runner->only_brief = outer;
    if (outcome != OUTCOME_AWAY) begin_step(runner); /* the one that it is in */
    runner->may_go_on = true;
    return outcome;
}

/* ---- In the middle of a step ----------------------------------------------------------------- */

/* Notes, at the first of the steps that are taken in the middle of another one, that it pauses. */
static void note_pause(struct schedule *schedule)
{
    if (!schedule->pausing) sim_trail_note_pause(&schedule->trail, &schedule->step);
    schedule->pausing = true;
}

/* Takes the first of the steps that are possible.  Returns false if there is none, or the runner
 * was left. */
static bool take_other(struct runner *runner)
{
    struct schedule *schedule = runner->schedule;
    if (sim_schedule_polls(schedule)) sim_schedule_poll(schedule);
    if (!sim_held_candidates(&schedule->held, (struct point){ NULL, 0 })) return false;
    note_pause(schedule);
    return take_step(runner, sim_schedule_begin(schedule, runner, schedule->held.candidates));
}

/* Takes the first of the steps that are possible in the same launch as the one that pauses: its
 * strand is RUNNING, and the launch cannot end before that one.  Returns false if there is none,
 * the launch has failed, or the runner was left. */
static bool take_beside(struct runner *runner, const struct candidate *paused)
{
    struct schedule *schedule = runner->schedule;
    struct cell *cell = sim_queue_front(&paused->strand->queue);
    uint32_t count = 0;
    if (paused->place == HOLD_ANY_PLACE || !cell->type->choices) return false;
    const uint32_t *places = cell->type->choices(cell, &count);
    if (!count) return false;
    struct candidate step = *paused;
    step.place = places[0];
    note_pause(schedule);
    sim_schedule_note(schedule, &step);
    begin_step(runner);
    bool failed = cell->type->advance(paused->strand, cell) == ADVANCE_DONE;
    return end_step(runner) && !failed;
}

void sim_runner_take_others(struct runner *runner)
{
    const struct candidate paused = runner->schedule->step;
    unsigned steps = 0;
    if (!end_step(runner)) return;
    while (steps < STEPS_MOST && (take_other(runner) || (!sim_runner_is_left(runner) &&
                                                         take_beside(runner, &paused))))
        steps++;
    if (sim_runner_is_left(runner)) return;
    runner->schedule->pausing = false;
    begin_step(runner);
    runner->may_go_on = true;
}

bool sim_runner_is_needed_for(struct schedule *schedule, struct point point)
{
    bool needed = false;
    sim_strand_retain(point.strand);
    do {
        if (sim_point_reached(point)) break;
        needed = sim_strand_runs_here(point.strand);
    } while (!needed && sim_held_follow(&schedule->held, &point));
    sim_strand_release(point.strand);
    return needed;
}

