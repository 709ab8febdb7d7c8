/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of a schedule: its life, and what threads of the host do in it.
 */
#include "backend-sim/schedule/schedule.h"

#include "backend-sim/scheduler/polled.h"
#include "base/alloc.h"
#include "base/process/asleep.h"
#include "base/park.h"

/* How often a thread looks whether the runner is done before it sleeps, and how long it sleeps
 * before it looks what the runner does. */
#define LOOKS 4000
#define LOOK_NS 1000000u

/* After so many looks a function that runs on is left to itself, or one that was left before. */
#define LOOKS_MOST 200
#define LOOKS_AGAIN 3

/* How long a thread that is stuck sleeps. */
#define STUCK_NS 1000000u

/* This thread has the turn. */
static _Thread_local bool has_turn;

/* ---- The turn ------------------------------------------------------------------------- */

static void take_turn(struct schedule *schedule)
{
    rl_lock(&schedule->turn);
    has_turn = true;
}

static void give_turn(struct schedule *schedule)
{
    has_turn = false;
    rl_unlock(&schedule->turn);
}

/* ---- Asking the runner ------------------------------------------------------------------ */

static bool is_asked(struct runner *runner)
{
    return atomic_load_explicit(&runner->asked, memory_order_acquire);
}

/* Tells whether the runner is in a function of the program that will not get on before this thread
 * does; each look takes a millisecond. */
static bool is_away(struct runner *runner, int looks)
{
    if (!atomic_load(&runner->in_step)) return false;
    bool before = atomic_load(&runner->away);
    switch (rl_thread_doing(atomic_load(&runner->id))) {
    case RL_DOING_WAITS:
    case RL_DOING_WAITS_SO_LONG:
    case RL_DOING_OTHER: return looks > 1 || before;
    default: return looks > (before ? LOOKS_AGAIN : LOOKS_MOST);
    }
}

/* Waits until the runner has ended its moment.  Returns false if it is away. */
static bool await_runner(struct runner *runner)
{
    for (int i = 0; i < LOOKS && is_asked(runner); i++) rl_relax();
    for (int looks = 0; is_asked(runner); looks++) {
        if (is_away(runner, looks)) {
            atomic_store(&runner->away, true);
            return false;
        }
        rl_park(&runner->asked, 1, LOOK_NS);
    }
    return true;
}

/* Returns a runner that can be asked, or NULL if it is away and there is no thread for another.
 * Requires the turn. */
static struct runner *find_runner(struct schedule *schedule)
{
    if (await_runner(atomic_load(&schedule->runner))) return atomic_load(&schedule->runner);
    sim_trail_say(&schedule->trail, "away");
    return sim_runner_start(schedule) ? atomic_load(&schedule->runner) : NULL;
}

/* Has the runner take steps until the moment ends.  Requires the turn. */
static enum outcome ask_runner(struct schedule *schedule, const struct moment *moment)
{
    struct candidate first;
    enum outcome outcome;
    struct runner *runner = find_runner(schedule);
    if (!runner) return OUTCOME_AWAY;
    if (!sim_schedule_decide(schedule, moment, &first, &outcome)) return outcome;
    runner->moment = *moment;
    runner->first = first;
    atomic_store_explicit(&runner->asked, 1, memory_order_release);
    rl_unpark(&runner->asked, 1);
    return await_runner(runner) ? runner->outcome : OUTCOME_AWAY;
}

/* ---- Calls ---------------------------------------------------------------------------------- */

void sim_schedule_enter(struct schedule *schedule, bool asks)
{
    if (sim_runner_here || has_turn) return;
    take_turn(schedule);
    schedule->policy.calls++;
    if (!asks) {
        find_runner(schedule);
        return;
    }
    /* Who asks again and again is answered at some time. */
    static const struct moment query = { .kind = MOMENT_QUERY };
    if (++schedule->queries > 1) ask_runner(schedule, &query);
}

void sim_schedule_leave(struct schedule *schedule)
{
    static const struct moment call = { .kind = MOMENT_CALL };
    if (sim_runner_here || !has_turn) return;
    ask_runner(schedule, &call);
    give_turn(schedule);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

static void note_waiting(struct schedule *schedule, struct point point)
{
    rl_lock(&schedule->waiting_lock);
    if (schedule->waiting_count < WAITING_HOSTS_MOST)
        schedule->waiting[schedule->waiting_count] =
            (struct waiting_host){ rl_thread_id(), point };
    schedule->waiting_count++;
    rl_unlock(&schedule->waiting_lock);
}

static void forget_waiting(struct schedule *schedule)
{
    unsigned long id = rl_thread_id();
    rl_lock(&schedule->waiting_lock);
    int known = schedule->waiting_count--;
    if (known > WAITING_HOSTS_MOST) known = WAITING_HOSTS_MOST;
    for (int i = 0; i < known; i++) {
        if (schedule->waiting[i].id != id) continue;
        schedule->waiting[i] = schedule->waiting[known - 1];
        break;
    }
    rl_unlock(&schedule->waiting_lock);
}

/* Sleeps until a moment has ended since `seen` was counted, or a little time is over. */
static void sleep_stuck(struct schedule *schedule, struct point point, unsigned seen)
{
    note_waiting(schedule, point);
    rl_park(&schedule->progress, seen, STUCK_NS);
    if (atomic_load(&schedule->progress) == seen) sim_schedule_look_for_hang(schedule);
    forget_waiting(schedule);
}

/* Waits inside a function that this runner is in. */
static bool wait_in_runner(struct runner *runner, struct point point)
{
    struct schedule *schedule = runner->schedule;
    const struct moment moment = { MOMENT_WAIT, point };
    while (!sim_point_reached(point) && !atomic_load(&schedule->hangs)) {
        if (sim_runner_is_needed_for(point)) return false;
        unsigned seen = atomic_load(&schedule->progress);
        if (sim_runner_serve(runner, &moment) == OUTCOME_STUCK) sleep_stuck(schedule, point, seen);
    }
    return true;
}

static bool wait_for_point(struct steering *steering, struct point point)
{
    struct schedule *schedule = (struct schedule *)steering;
    if (sim_runner_here) return wait_in_runner(sim_runner_here, point);
    const struct moment moment = { MOMENT_WAIT, point };
    bool had_turn = has_turn;
    if (!had_turn) take_turn(schedule);
    for (;;) {
        unsigned seen = atomic_load(&schedule->progress);
        enum outcome outcome = ask_runner(schedule, &moment);
        if (sim_point_reached(point) || (outcome != OUTCOME_DONE && atomic_load(&schedule->hangs)))
            break;
        give_turn(schedule);
        sleep_stuck(schedule, point, seen);
        take_turn(schedule);
    }
    if (!had_turn) give_turn(schedule);
    return true;
}

/* ---- What the scheduler tells ---------------------------------------------------------- */

static void hold_strand(struct steering *steering, struct strand *strand)
{
    sim_held_add(&((struct schedule *)steering)->held, strand);
}

static void note_submitted(struct steering *steering, const struct submission *submission)
{
    sim_held_note_submitted(&((struct schedule *)steering)->held, submission);
}

/* ---- Life ------------------------------------------------------------------------------ */

rill_status sim_schedule_create(struct engine *engine, struct schedule_spec *spec,
                                const char *trail_path, struct schedule **out)
{
    struct schedule *schedule = rl_zalloc_lines(sizeof *schedule);
    rill_status status = schedule ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
    if (!status) status = sim_trail_open(&schedule->trail, trail_path);
    if (status) {
        sim_schedule_spec_free(spec);
        rl_free(schedule);
        return status;
    }
    schedule->steering = (struct steering){ hold_strand, note_submitted, wait_for_point };
    schedule->engine = engine;
    schedule->held.keeps_order = spec->policy->keeps_order;
    sim_policy_init(&schedule->policy, spec);
    if (!sim_runner_start(schedule)) {
        sim_schedule_free(schedule);
        return RILL_ERROR_OPERATING_SYSTEM;
    }
    sim_engine_steer(engine, &schedule->steering);
    *out = schedule;
    return RILL_SUCCESS;
}

bool sim_schedule_stop(struct schedule *schedule, uint64_t patience_ns)
{
    struct timespec end = rl_in(patience_ns);
    bool joined = true;
    atomic_store(&schedule->ends, true);
    for (struct runner *runner = schedule->runner; runner; runner = runner->older) {
        rl_unpark(&runner->asked, 1);
        if (!runner->joined) runner->joined = rl_join_until(runner->thread, &end);
        joined = joined && runner->joined;
    }
    return joined;
}

void sim_schedule_free(struct schedule *schedule)
{
    if (!schedule) return;
    for (struct runner *runner = schedule->runner, *older; runner; runner = older) {
        older = runner->older;
        rl_free(runner);
    }
    sim_trail_close(&schedule->trail);
    sim_policy_fini(&schedule->policy);
    sim_held_fini(&schedule->held);
    rl_free(schedule);
}
