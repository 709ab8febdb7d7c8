/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking the runner for steps, from a thread of the host that has the turn.
 */
#include "backend-sim/schedule/runner.h"

#include "base/process/asleep.h"

/* How long a thread sleeps until it looks again at what the runner does. */
#define LOOK_NS 1000000u

/* How many looks it takes until the host goes on without a runner that waits for a thread inside a
 * function, or whose state cannot be told; how many looks have to find it in the system for
 * something else; and how long it has to use a processor if it runs.  Where other programs use the
 * processors, many looks may find it without one. */
#define LOOKS_WAITS 2
#define LOOKS_OTHER 20
#define LOOKS_UNKNOWN 200
#define RUNS_NS 200000000u

/* ---- Asking the runner ------------------------------------------------------------------ */

/* A runner that is seen in the same step again and again; a look takes a millisecond. */
struct sight {
    unsigned stage;
    int looks;
    int in_system;   /* looks that found it in the system, for something other than a wait */
    uint64_t worked; /* rl_thread_ns() at the first look */
};

static void look_again(struct sight *sight, struct runner *runner)
{
    unsigned stage = atomic_load(&runner->stage);
    sight->looks++;
    if (stage == sight->stage) return;
    *sight = (struct sight){ .stage = stage, .worked = rl_thread_ns(runner->thread) };
}

/* Tells whether the runner is unlikely to end its step before this thread goes on. */
static bool is_away(struct runner *runner, struct sight *sight)
{
    if (atomic_load(&runner->is_stuck)) return true;
    if (sight->looks < LOOKS_WAITS) return false;
    switch (rl_thread_doing(atomic_load(&runner->id))) {
    case RL_DOING_WAITS:
    case RL_DOING_WAITS_SO_LONG: return true;
    case RL_DOING_OTHER: return ++sight->in_system >= LOOKS_OTHER;
    case RL_DOING_RUNS: return rl_thread_ns(runner->thread) - sight->worked >= RUNS_NS;
    default: return sight->looks >= LOOKS_UNKNOWN;
    }
}

/* Leaves the runner if it is still in that step.  Requires the turn. */
static bool leave_runner(struct runner *runner, unsigned stage)
{
    runner->left = atomic_compare_exchange_strong(&runner->stage, &stage,
                                                  (stage & ~STAGE_MASK) | STAGE_LEFT);
    return runner->left;
}

/* Waits until the runner has ended its moment.  Returns false if it was left. */
static bool await_runner(struct runner *runner)
{
    struct sight sight = { .stage = STAGE_BETWEEN };
    while (sim_runner_is_asked(runner)) {
        look_again(&sight, runner);
        if (atomic_load(&runner->schedule->ends)) return false;
        if ((sight.stage & STAGE_MASK) == STAGE_STEP && is_away(runner, &sight) &&
            leave_runner(runner, sight.stage))
            return false;
        sim_runner_sleep_while(runner, true, LOOK_NS);
    }
    return true;
}

/* Puts another runner in the place of one that was left.  Returns NULL if there is no thread for
 * it.  Requires the turn. */
static struct runner *replace_runner(struct schedule *schedule)
{
    if (atomic_load(&schedule->ends) || !sim_runner_start(schedule)) return NULL;
    schedule->takes_only = false;
    sim_trail_say(&schedule->trail, "away");
    return atomic_load(&schedule->runner);
}

struct runner *sim_runner_find_other(struct schedule *schedule, struct runner *runner)
{
    return !runner->left && await_runner(runner) ? runner : replace_runner(schedule);
}

enum outcome sim_runner_await(struct schedule *schedule, struct runner *runner)
{
    if (await_runner(runner)) return runner->outcome;
    replace_runner(schedule); /* now: the host may make no call for long */
    return OUTCOME_AWAY;
}

enum outcome sim_runner_ask(struct schedule *schedule, const struct moment *moment)
{
    enum outcome outcome;
    sim_schedule_list_at_hand(schedule);
    struct runner *runner = sim_runner_find(schedule);
    if (!runner) return OUTCOME_AWAY;
    struct strand *first = sim_schedule_decide(schedule, runner, moment, &outcome);
    if (!first) return outcome;
    if (schedule->runs_here) {
        outcome = sim_runner_stand_in(runner, moment, &first);
        if (outcome != OUTCOME_BEGUN) return outcome;
    }
    runner->moment = *moment;
    return sim_runner_hand_over(schedule, runner, first);
}
