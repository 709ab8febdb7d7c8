/* SPDX-License-Identifier: Apache-2.0
 *
 * The runner: the thread that takes steps.
 */
#include "backend-sim/schedule/schedule.h"

#include <limits.h>

#include "backend-sim/scheduler/polled.h"
#include "base/alloc.h"
#include "base/park.h"

/* How often a thread looks for a change before it sleeps: at most, and while that is in vain.  Then
 * it looks for long again once in so many times. */
#define LOOKS_MOST 1000u
#define LOOKS_FEW 2u
#define TRY_AGAIN 256u

/* How many steps a moment has at most.  A loop of a launch may wait for what the host does next:
 * the host goes on then, or another of its threads does. */
#define STEPS_MOST 65536u

/* When the runner goes on by itself, since a program may wait for work without a call, by looking
 * at memory: after this time if the program was at work for half of it, or after the longer one. */
#define PATIENCE_NS 100000000u
#define PATIENCE_MOST_NS 1000000000u

/* How long the runner sleeps before it takes down since when nobody asks. */
#define SHORT_NS 1000000u

static _Thread_local struct runner *runner_here RL_THREAD_WORD;

struct runner *sim_runner_here(const struct schedule *schedule)
{
    return runner_here && runner_here->schedule == schedule ? runner_here : NULL;
}

/* ---- Being asked ------------------------------------------------------------------------- */

void sim_runner_set_asked(struct runner *runner, bool asked)
{
    unsigned before = atomic_exchange(&runner->asked, asked ? RUNNER_ASKED : 0);
    if (before & RUNNER_AWAITED) rl_unpark(&runner->asked, INT_MAX);
}

bool sim_runner_look(struct runner *runner, bool asked, struct looks *looks)
{
    bool tries = looks->times++ % TRY_AGAIN == 0;
    unsigned most = tries ? LOOKS_MOST : looks->most;
    for (unsigned i = 0; i < most; i++) {
        if (sim_runner_is_asked(runner) != asked) {
            looks->most = i < LOOKS_FEW ? most : LOOKS_MOST;
            return true;
        }
        rl_relax();
    }
    looks->most = LOOKS_FEW;
    return false;
}

void sim_runner_sleep_while(struct runner *runner, bool asked, uint64_t timeout_ns)
{
    unsigned seen = atomic_load(&runner->asked), slept = seen | RUNNER_AWAITED;
    if (asked ? !(seen & RUNNER_ASKED) : seen & (RUNNER_ASKED | RUNNER_ROUSED)) return;
    if (seen == slept || atomic_compare_exchange_strong(&runner->asked, &seen, slept))
        rl_park(&runner->asked, slept, timeout_ns);
}

void sim_runner_rouse(struct runner *runner)
{
    atomic_fetch_or(&runner->asked, RUNNER_ROUSED);
    rl_unpark(&runner->asked, INT_MAX);
}

/* ---- Taking what is left ------------------------------------------------------------------ */

/* Takes a step with a strand, whose reference it takes over. */
static void step_and_hold(struct strand *strand)
{
    if (sim_strand_step(strand)) sim_strand_hold_again(strand);
    sim_strand_release(strand);
}

void sim_schedule_drain(struct schedule *schedule)
{
    static const struct point nowhere = { .strand = NULL };
    struct runner *runner = atomic_load(&schedule->runner);
    if (!rl_trylock(&schedule->turn)) return;
    sim_engine_poll(schedule->engine);
    while (sim_held_candidates(&schedule->held, nowhere)) {
        step_and_hold(sim_schedule_begin(schedule, runner, schedule->held.candidates));
    }
    rl_unlock(&schedule->turn);
}

void sim_runner_note_held(struct schedule *schedule)
{
    struct runner *runner = sim_runner_here(schedule);
    if (runner) runner->may_go_on = true;
    if (atomic_load(&schedule->dozes)) sim_runner_rouse(atomic_load(&schedule->runner));
}

/* ---- Taking steps ------------------------------------------------------------------------
 *
 * While a runner is in a step, the host may leave it: whichever of the two changes the stage first
 * has its way.  So the one who chooses is always alone, although the runner that was left may be
 * late to notice.
 */

static void begin_step(struct runner *runner)
{
    unsigned stage = atomic_load_explicit(&runner->stage, memory_order_relaxed);
    atomic_store_explicit(&runner->stage, (stage & ~STAGE_MASK) + STAGE_MASK + 1 + STAGE_STEP,
                          memory_order_release);
}

/* Goes from a step back to what is between steps.  Returns false if the runner was left. */
static bool end_step(struct runner *runner)
{
    unsigned stage = atomic_load_explicit(&runner->stage, memory_order_relaxed);
    return (stage & STAGE_MASK) == STAGE_STEP &&
           atomic_compare_exchange_strong(&runner->stage, &stage, stage & ~STAGE_MASK);
}

/* Takes a step.  Returns false if the runner was left in it. */
static bool take_step(struct runner *runner, struct strand *strand)
{
    begin_step(runner);
    step_and_hold(strand);
    return end_step(runner);
}

/* Takes this step, and those that follow it in the same strand without another look, and counts
 * down how many are left. */
static enum next_step take_step_on(struct runner *runner, const struct moment *moment,
                                   struct strand *strand, unsigned *left)
{
    enum next_step next;
    do {
        --*left;
        begin_step(runner);
        bool more = sim_strand_step(strand), ours = end_step(runner);
        next = ours ? NEXT_UNKNOWN : NEXT_OF_OTHERS;
        if (ours && more && *left) next = sim_schedule_decide_next(runner, moment, strand);
        if (more && next != NEXT_IS_SAME) sim_strand_hold_again(strand);
    } while (next == NEXT_IS_SAME);
    sim_strand_release(strand);
    return next;
}

/* Tells whether a call that does not wait can end without another decision. */
static bool is_plainly_over(const struct runner *runner, const struct moment *moment)
{
    const struct schedule *schedule = runner->schedule;
    return moment->kind == MOMENT_CALL && !runner->may_go_on &&
           !schedule->policy.spec.policy->sees_all &&
           !(atomic_load(&schedule->engine->attention) & ATTEND_POLLED);
}

/* Takes this step, and others until the moment ends. */
static enum outcome take_steps(struct runner *runner, const struct moment *moment,
                               struct strand *strand)
{
    enum outcome outcome = OUTCOME_DONE;
    bool waits = moment->kind == MOMENT_WAIT;
    unsigned left = STEPS_MOST;
    do {
        enum next_step next = take_step_on(runner, moment, strand, &left);
        if (next == NEXT_OF_OTHERS) return OUTCOME_AWAY;
        if (next == NEXT_IS_HOST || !left) return waits ? OUTCOME_STUCK : OUTCOME_DONE;
        if (moment->kind == MOMENT_QUERY || is_plainly_over(runner, moment)) return OUTCOME_DONE;
        strand = sim_schedule_decide(runner->schedule, runner, moment, &outcome);
    } while (strand);
    return outcome;
}

/* Decides, and takes steps if there are any.  Requires that the runner is between two steps. */
static enum outcome decide_and_take_steps(struct runner *runner, const struct moment *moment)
{
    enum outcome outcome;
    struct strand *strand = sim_schedule_decide(runner->schedule, runner, moment, &outcome);
    return strand ? take_steps(runner, moment, strand) : outcome;
}

enum outcome sim_runner_serve_inside(struct runner *runner, const struct moment *moment)
{
    if (!end_step(runner)) return OUTCOME_AWAY;
    enum outcome outcome = decide_and_take_steps(runner, moment);
    if (outcome != OUTCOME_AWAY) begin_step(runner); /* the one that it is in */
    runner->may_go_on = true;
    return outcome;
}

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
    if (atomic_load(&schedule->engine->attention) & ATTEND_POLLED)
        sim_engine_poll(schedule->engine);
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

/* ---- The thread --------------------------------------------------------------------------- */

static void end_moment(struct runner *runner)
{
    struct schedule *schedule = runner->schedule;
    sim_runner_set_asked(runner, false);
    atomic_fetch_add(&schedule->progress, 1);
    if (atomic_load(&schedule->waiting_count)) rl_unpark(&schedule->progress, INT_MAX);
}

/* Tells whether the runner is to end: all do, or another one took its place. */
static bool is_over(struct runner *runner)
{
    return atomic_load(&runner->schedule->ends) ||
           sim_runner_is_left(runner);
}

/* Tells whether there is something to do, now or when memory changes. */
static bool may_go_on_alone(struct schedule *schedule)
{
    return sim_held_any(&schedule->held) ||
           atomic_load(&schedule->engine->attention) & ATTEND_POLLED;
}

/* Sleeps as long as there is nothing to do at all.  Returns false if there is something. */
static bool doze(struct runner *runner)
{
    struct schedule *schedule = runner->schedule;
    atomic_fetch_and(&runner->asked, ~(unsigned)RUNNER_ROUSED);
    atomic_store(&schedule->dozes, true); /* seen by who adds something that is not seen here */
    bool nothing = !may_go_on_alone(schedule);
    if (nothing && !is_over(runner)) sim_runner_sleep_while(runner, false, RL_FOREVER);
    atomic_store(&schedule->dozes, false);
    return nothing;
}

/* A while in which no call was made. */
struct silence {
    unsigned entered;
    uint64_t since, worked;
};

static struct silence begin_silence(const struct schedule *schedule)
{
    return (struct silence){ atomic_load(&schedule->entered), rl_monotonic_ns(), rl_process_ns() };
}

static bool has_lasted(const struct silence *silence)
{
    bool works = rl_process_ns() - silence->worked >= PATIENCE_NS / 2;
    return rl_monotonic_ns() - silence->since >= (works ? PATIENCE_NS : PATIENCE_MOST_NS);
}

/* Waits until the runner is asked.  Returns false if it is not, but over, or nobody asked for long
 * while there is something to do. */
static bool await_asked(struct runner *runner)
{
    if (sim_runner_look(runner, false, &runner->looks_for_moment)) return true;
    sim_runner_sleep_while(runner, false, SHORT_NS); /* mostly it is asked soon */
    if (sim_runner_is_asked(runner)) return true;
    struct silence silence = begin_silence(runner->schedule);
    while (!sim_runner_is_asked(runner) && !is_over(runner)) {
        bool dozed = doze(runner);
        if (!dozed) sim_runner_sleep_while(runner, false, PATIENCE_NS);
        if (dozed || atomic_load(&runner->schedule->entered) != silence.entered)
            silence = begin_silence(runner->schedule);
        else if (has_lasted(&silence)) break;
    }
    return sim_runner_is_asked(runner);
}

/* Takes all steps although no call asks for them, unless a thread of the host is in a call. */
static void go_on_alone(struct runner *runner)
{
    static const struct moment moment = { .kind = MOMENT_WAIT };
    struct schedule *schedule = runner->schedule;
    if (!may_go_on_alone(schedule) || !rl_trylock(&schedule->turn)) return;
    bool asked = !sim_runner_is_asked(runner);
    if (asked) sim_runner_set_asked(runner, true);
    rl_unlock(&schedule->turn);
    if (!asked) return;
    uint64_t steps = schedule->trail.steps;
    if (decide_and_take_steps(runner, &moment) != OUTCOME_AWAY && schedule->trail.steps > steps)
        sim_trail_say(&schedule->trail, "alone");
    end_moment(runner);
}

static void *runner_main(void *data)
{
    struct runner *runner = data;
    runner_here = runner;
    atomic_store(&runner->id, rl_thread_id());
    while (!is_over(runner)) {
        if (!await_asked(runner)) {
            if (!is_over(runner)) go_on_alone(runner);
            continue;
        }
        const struct moment moment = runner->moment;
        runner->outcome = take_steps(runner, &moment, runner->first);
        end_moment(runner);
    }
    atomic_store(&runner->ended, true);
    return NULL;
}

/* Frees those who were left and have ended by now. */
static void free_ended(struct runner *newest)
{
    for (struct runner *before = newest, *runner; before && (runner = before->older);) {
        if (!atomic_load(&runner->ended)) {
            before = runner;
            continue;
        }
        before->older = runner->older;
        pthread_join(runner->thread, NULL);
        rl_free(runner);
    }
}

bool sim_runner_start(struct schedule *schedule)
{
    struct runner *runner = rl_zalloc_lines(sizeof *runner);
    struct runner *before = atomic_load(&schedule->runner);
    if (!runner) return false;
    free_ended(before);
    runner->schedule = schedule;
    runner->older = before;
    schedule->pausing = false;
    atomic_store(&schedule->runner, runner); /* the thread reads it */
    if (rl_thread_start(&runner->thread, runner_main, runner)) return true;
    atomic_store(&schedule->runner, before);
    rl_free(runner);
    return false;
}
