/* SPDX-License-Identifier: Apache-2.0
 *
 * The runner: the thread that takes steps while it is asked, and when nobody asks for long.
 */
#include "backend-sim/schedule/runner.h"

#include <limits.h>

#include "base/alloc.h"
#include "base/park.h"

/* How often a thread looks for a change in a loop, and how often it yields instead once that was in
 * vain, before it tries the loop again. */
#define LOOKS 1000u
#define TRY_AGAIN 2048u

/* After how long without a call the runner goes on by itself, since the program may wait for work
 * by looking at memory: after PATIENCE_NS if the program used a processor for half of that time,
 * and after PATIENCE_MOST_NS in any case. */
#define PATIENCE_NS 100000000u
#define PATIENCE_MOST_NS 1000000000u

/* How long the runner sleeps before it begins to measure how long nobody asks. */
#define SHORT_NS 1000000u

/* ---- Being asked ------------------------------------------------------------------------- */

bool sim_runner_look_long(struct runner *runner, bool asked, struct looks *looks)
{
    if (!looks->yields) {
        for (unsigned i = 0; i < LOOKS; i++) {
            if (sim_runner_is_asked(runner) != asked) return true;
            rl_relax();
        }
        looks->yields = TRY_AGAIN;
    }
    sched_yield();
    return sim_runner_is_asked(runner) != asked;
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

/* ---- The thread --------------------------------------------------------------------------- */

static void end_moment(struct runner *runner)
{
    sim_runner_set_asked(runner, false);
    sim_schedule_note_progress(runner->schedule);
}

/* Tells whether the runner is to end: all do, or another one took its place. */
static bool is_over(struct runner *runner)
{
    return atomic_load(&runner->schedule->ends) ||
           sim_runner_is_left(runner);
}

/* Tells whether there is something to do, now or when memory changes.  A thread that adds something
 * later sees that the runner dozes. */
static bool may_go_on_alone(struct schedule *schedule)
{
    return sim_held_any_for_certain(&schedule->held) ||
           atomic_load(&schedule->engine->attention) & ATTEND_POLLED;
}

/* Sleeps while there is nothing to do at all.  Returns false, at once, if there is something. */
static bool doze(struct runner *runner)
{
    struct schedule *schedule = runner->schedule;
    atomic_fetch_and(&runner->asked, ~(unsigned)RUNNER_ROUSED);
    atomic_store(&schedule->dozes, true); /* before the look, so that one thread sees the other */
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

/* Waits until the runner is asked, when looking for that was in vain.  Returns false if the runner
 * is to end, or if nobody has asked for long although there is something to do. */
static bool await_asked(struct runner *runner)
{
    if (is_over(runner)) return false;
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
    uint64_t steps = schedule->policy.steps;
    if (sim_runner_decide_and_take_steps(runner, &moment) != OUTCOME_AWAY &&
        schedule->policy.steps > steps)
        sim_trail_say(&schedule->trail, "alone");
    end_moment(runner);
}

static void *runner_main(void *data)
{
    struct runner *runner = data;
    sim_schedule_here.runner = runner;
    atomic_store(&runner->id, rl_thread_id());
    for (;;) {
        if (sim_runner_look(runner, false, &runner->looks_for_moment) || await_asked(runner)) {
            enum outcome outcome = runner->outcome = sim_runner_serve(runner);
            end_moment(runner);
            if (outcome != OUTCOME_AWAY) continue; /* nobody asks once all ends */
        } else if (!is_over(runner)) {
            go_on_alone(runner);
        }
        if (is_over(runner)) break;
    }
    atomic_store(&runner->ended, true);
    return NULL;
}

bool sim_runner_free_ended(struct schedule *schedule)
{
    struct runner *newest = atomic_load(&schedule->runner);
    for (struct runner *before = newest, *runner; before && (runner = before->older);) {
        if (!atomic_load(&runner->ended)) {
            before = runner;
            continue;
        }
        before->older = runner->older;
        pthread_join(runner->thread, NULL);
        rl_free(runner);
    }
    return newest && newest->older;
}

bool sim_runner_start(struct schedule *schedule)
{
    struct runner *runner = rl_zalloc_lines(sizeof *runner);
    struct runner *before = atomic_load(&schedule->runner);
    if (!runner) return false;
    sim_runner_free_ended(schedule);
    runner->schedule = schedule;
    runner->older = before;
    schedule->pausing = false;
    atomic_store(&schedule->runner, runner); /* the thread reads it */
    if (rl_thread_start(&runner->thread, runner_main, runner)) return true;
    atomic_store(&schedule->runner, before);
    rl_free(runner);
    return false;
}
