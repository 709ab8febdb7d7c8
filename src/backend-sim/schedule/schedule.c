/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of a schedule: its life, and what threads of the host do in it.
 */
#include "backend-sim/schedule/schedule.h"

#include "backend-sim/schedule/runner.h"
#include "base/alloc.h"
#include "base/process/asleep.h"
#include "base/park.h"
#include "base/shuffle.h"

/* How long a thread that is stuck sleeps, at first and at most. */
#define STUCK_FIRST_NS 200000u
#define STUCK_NS 1000000u

/* How long the end of a schedule waits for a function after a hang, before it leaves the function's
 * thread. */
#define HANGS_NS 20000000u

_Thread_local struct schedule_here sim_schedule_here RL_THREAD_WORD;

/* ---- The turn ------------------------------------------------------------------------- */

/* Wakes the runner if it sleeps until something is HELD. */
static void wake_dozing(struct schedule *schedule)
{
    if (atomic_load(&schedule->dozes)) sim_runner_rouse(atomic_load(&schedule->runner));
}

void sim_schedule_take_turn(struct schedule *schedule)
{
    if (!rl_trylock(&schedule->turn)) {
        atomic_fetch_add(&schedule->seekers, 1);
        rl_lock(&schedule->turn);
        atomic_fetch_sub(&schedule->seekers, 1);
    }
    sim_schedule_here.turn = schedule;
}

static inline void give_turn(struct schedule *schedule)
{
    sim_schedule_here.turn = NULL;
    sim_schedule_list_at_hand(schedule);
    if (sim_held_any(&schedule->held)) wake_dozing(schedule);
    rl_unlock(&schedule->turn);
}

void sim_schedule_give_turn(struct schedule *schedule)
{
    give_turn(schedule);
}

/* ---- Calls ---------------------------------------------------------------------------------- */

__attribute__((noinline))
static void begin_with_steps(struct schedule *schedule, bool asks)
{
    static const struct moment query = { .kind = MOMENT_QUERY }, call = { .kind = MOMENT_CALL };
    bool sees_all = schedule->policy.spec.policy->sees_all;
    if (!sees_all && !schedule->takes_only)
        schedule->takes_only = !sim_runner_free_ended(schedule);
    if (sees_all) sim_runner_ask(schedule, &call);
    /* A program that asks again and again is answered at some time. */
    if (asks && ++schedule->queries > 1) sim_runner_ask(schedule, &query);
}

/* Begins a call of a thread that has arrived. */
static inline void begin_call(struct schedule *schedule, bool asks)
{
    unsigned entered = atomic_load_explicit(&schedule->entered, memory_order_relaxed);
    schedule->policy.calls++;
    atomic_store_explicit(&schedule->entered, entered + 1, memory_order_relaxed);
    if (asks || !schedule->takes_only) begin_with_steps(schedule, asks);
}

/* Begins a call of a thread that has to wait for the turn, or for threads that arrive first. */
__attribute__((noinline))
static void enter_late(struct schedule *schedule, bool asks)
{
    if (sim_schedule_here.turn != schedule) sim_schedule_take_turn(schedule);
    sim_arrivals_wait(schedule);
    begin_call(schedule, asks);
}

void sim_schedule_enter(struct schedule *schedule, bool asks)
{
    if (sim_schedule_here.turn || sim_runner_here(schedule)) return;
    if (rl_trylock(&schedule->turn)) {
        sim_schedule_here.turn = schedule;
        if (sim_runner_can_be_asked(schedule) && sim_arrivals_again(&schedule->arrivals)) {
            begin_call(schedule, asks);
            return;
        }
    }
    enter_late(schedule, asks);
}

/* Tells whether the host certainly goes on before any step, without asking the policy to choose. */
static inline bool host_goes_on(struct schedule *schedule)
{
    const struct schedule_policy *policy = schedule->policy.spec.policy;
    if (!policy->lets_host_go) return policy->waits_only;
    struct strand *only = sim_held_only(&schedule->held);
    return only && policy->lets_host_go(&schedule->policy, only->ordinal);
}

void sim_schedule_leave(struct schedule *schedule)
{
    static const struct moment call = { .kind = MOMENT_CALL };
    if (sim_schedule_here.turn != schedule) return;
    /* Values are looked at in any case. */
    bool over = !sim_schedule_polls(schedule) &&
                (host_goes_on(schedule) ||
                 (schedule->takes_only && sim_schedule_take_only(schedule)));
    if (!over) sim_runner_ask(schedule, &call);
    give_turn(schedule);
}

void sim_schedule_forget_queries(struct schedule *schedule)
{
    schedule->queries = 0;
}

bool sim_schedule_steps_here(const struct schedule *schedule)
{
    return sim_runner_here(schedule);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

static void note_waiting(struct schedule *schedule, struct waiting_host *host)
{
    rl_lock(&schedule->waiting_lock);
    host->next = schedule->waiting;
    schedule->waiting = host;
    atomic_fetch_add(&schedule->waiting_count, 1);
    rl_unlock(&schedule->waiting_lock);
}

static void forget_waiting(struct schedule *schedule, struct waiting_host *host)
{
    rl_lock(&schedule->waiting_lock);
    struct waiting_host **link = &schedule->waiting;
    while (*link != host) link = &(*link)->next;
    *link = host->next;
    atomic_fetch_sub(&schedule->waiting_count, 1);
    rl_unlock(&schedule->waiting_lock);
}

/* Returns how long a thread sleeps that was stuck `times` times in a row.  Threads that are stuck
 * at once wake at different times, since one that looks for a hang has to find the others
 * asleep. */
static uint64_t stuck_ns(unsigned long id, unsigned times)
{
    uint64_t most = (uint64_t)STUCK_FIRST_NS << (times < 8 ? times : 8);
    if (most > STUCK_NS) most = STUCK_NS;
    uint64_t drawn = (id * 31 + times) * 0x9e3779b97f4a7c15u >> 32;
    return most - drawn % (most / 2);
}

/* Sleeps until a moment has ended since `seen` was read, or for a short time.  `times` is how often
 * the thread has done so in vain. */
static void sleep_stuck(struct schedule *schedule, struct point point, unsigned seen,
                        unsigned times)
{
    struct waiting_host host = { rl_thread_id(), point, cs_call_here(), NULL };
    note_waiting(schedule, &host);
    rl_park(&schedule->progress, seen, stuck_ns(host.id, times));
    if (atomic_load(&schedule->progress) == seen) sim_schedule_look_for_hang(schedule);
    forget_waiting(schedule, &host);
}

/* Tells whether threads that are stuck give up. */
static bool is_given_up(struct schedule *schedule)
{
    return atomic_load(&schedule->hangs) || atomic_load(&schedule->ends);
}

/* Waits inside a function that this runner is in.  Returns false if it comes before the point. */
static bool wait_in_runner(struct runner *runner, struct point point)
{
    struct schedule *schedule = runner->schedule;
    const struct moment moment = { MOMENT_WAIT, point };
    unsigned stuck = 0;
    while (!sim_point_reached(point) && !is_given_up(schedule)) {
        if (sim_runner_is_needed_for(schedule, point)) return false;
        unsigned seen = atomic_load(&schedule->progress);
        if (sim_runner_serve_inside(runner, &moment) == OUTCOME_DONE) continue;
        atomic_store(&runner->is_stuck, true);
        sleep_stuck(schedule, point, seen, stuck++);
        atomic_store(&runner->is_stuck, false);
    }
    return true;
}

/* Tells whether a thread that was stuck has something to do, and arrives for that. */
static bool may_go_on(struct schedule *schedule, struct point point)
{
    sim_runner_find(schedule); /* which may have been going on alone */
    return (sim_point_reached(point) || sim_schedule_any_step(schedule)) &&
           sim_arrivals_try(schedule);
}

/* Waits in a thread of the host, which has the turn except while it is stuck. */
static void wait_in_host(struct schedule *schedule, struct point point)
{
    const struct moment moment = { MOMENT_WAIT, point };
    unsigned stuck = 0;
    for (bool arrived = true;; arrived = may_go_on(schedule, point)) {
        unsigned seen = atomic_load(&schedule->progress);
        enum outcome outcome = arrived ? sim_runner_ask(schedule, &moment) : OUTCOME_STUCK;
        if (arrived && sim_point_reached(point)) return;
        if (outcome != OUTCOME_DONE && is_given_up(schedule)) return;
        sim_schedule_give_turn(schedule);
        sleep_stuck(schedule, point, seen, stuck++);
        sim_schedule_take_turn(schedule);
    }
}

static bool wait_for_point(struct steering *steering, struct point point)
{
    struct schedule *schedule = (struct schedule *)steering;
    struct runner *runner = sim_runner_here(schedule);
    if (runner) return wait_in_runner(runner, point);
    struct schedule *outer = sim_schedule_here.turn;
    if (outer != schedule) {
        sim_schedule_take_turn(schedule);
        sim_arrivals_wait(schedule);
    }
    wait_in_host(schedule, point);
    if (outer == schedule) return true;
    sim_schedule_give_turn(schedule);
    sim_schedule_here.turn = outer;
    return true;
}

/* ---- What the scheduler tells ---------------------------------------------------------- */

/* Tells whether this thread is in a call and no other step is possible.  Then the thread decides at
 * the end of the call whether the strand's step is taken. */
static inline bool comes_alone(struct schedule *schedule, const struct strand *strand)
{
    return sim_schedule_here.turn == schedule && schedule->takes_only && strand->ordinal &&
           !schedule->at_hand && !sim_held_any(&schedule->held);
}

__attribute__((noinline))
static void hold_among_others(struct schedule *schedule, struct strand *strand)
{
    bool in_call = sim_schedule_here.turn == schedule;
    if (in_call) sim_schedule_list_at_hand(schedule); /* it came first */
    sim_held_add(&schedule->held, strand);
    if (in_call) return;
    struct runner *runner = sim_runner_here(schedule);
    if (runner) runner->may_go_on = true;
    if (!runner || !runner->stood_in_for) wake_dozing(schedule);
}

static bool hold_strand(struct steering *steering, struct strand *strand)
{
    struct schedule *schedule = (struct schedule *)steering;
    if (comes_alone(schedule, strand)) {
        atomic_store_explicit(&strand->state, STRAND_RUNNING, memory_order_release);
        schedule->at_hand = strand;
    } else {
        hold_among_others(schedule, strand);
    }
    return true;
}

static void note_submitted(struct steering *steering, const struct submission *submission)
{
    sim_held_note_submitted(&((struct schedule *)steering)->held, submission);
}

/* Says how a kernel runs.  One that runs in the middle of another does not pause. */
static struct kernel_manner begin_kernel(struct steering *steering, uint64_t blocks)
{
    struct schedule *schedule = (struct schedule *)steering;
    struct kernel_manner manner = { RL_SHUFFLE_NONE, false };
    const struct policy_state *policy = &schedule->policy;
    struct runner *runner = sim_runner_here(schedule);
    if (!runner || sim_runner_is_left(runner)) return manner;
    if (policy->spec.policy->manner)
        manner = policy->spec.policy->manner(policy, &schedule->step);
    if (blocks < 2) manner.order = RL_SHUFFLE_NONE;
    if (manner.order) sim_trail_note_order(&schedule->trail, &schedule->step, manner.order);
    if (schedule->pausing) manner.pauses = false;
    return manner;
}

static void pause_kernel(struct steering *steering)
{
    struct runner *runner = sim_runner_here((struct schedule *)steering);
    if (runner) sim_runner_take_others(runner);
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
    schedule->held.keeps_order = spec->policy->keeps_order;
    schedule->steering = (struct steering){
        .hold = hold_strand, .submitted = note_submitted,
        .wait = wait_for_point, .begin_kernel = begin_kernel, .pause_kernel = pause_kernel,
    };
    schedule->engine = engine;
    sim_policy_init(&schedule->policy, spec);
    *spec = (struct schedule_spec){ .policy = NULL };
    schedule->takes_only = !schedule->policy.spec.policy->sees_all;
    sim_arrivals_init(&schedule->arrivals, &schedule->policy.spec.arrivals);
    if (!sim_runner_start(schedule)) {
        sim_schedule_free(schedule);
        return RILL_ERROR_OPERATING_SYSTEM;
    }
    sim_engine_steer(engine, &schedule->steering);
    if (schedule->held.keeps_order) sim_engine_set_attention(engine, ATTEND_ORDER, true);
    if (schedule->policy.spec.policy->same_numbers)
        sim_engine_set_attention(engine, ATTEND_NUMBERS, true);
    *out = schedule;
    return RILL_SUCCESS;
}

void sim_schedule_run_here(struct schedule *schedule)
{
    schedule->runs_here = true;
}

void sim_schedule_listen(struct schedule *schedule, rill_taken_fn taken, void *data)
{
    schedule->taken = taken;
    schedule->taken_data = data;
}

bool sim_schedule_stop(struct schedule *schedule, uint64_t patience_ns)
{
    /* Functions that were proved to wait for ever get less time to return. */
    if (atomic_load(&schedule->hangs) && patience_ns > HANGS_NS) patience_ns = HANGS_NS;
    struct timespec end = rl_in(patience_ns);
    bool joined = true;
    atomic_store(&schedule->ends, true);
    for (struct runner *runner = schedule->runner; runner; runner = runner->older) {
        sim_runner_rouse(runner);
        if (!runner->joined) runner->joined = rl_join_until(runner->thread, &end);
        joined = joined && runner->joined;
    }
    if (joined) sim_schedule_drain(schedule);
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
