/* SPDX-License-Identifier: Apache-2.0
 *
 * Deterministic mode: the schedule is data.
 *
 * One thread, the runner, takes all steps; nothing else runs operations.  It takes them while the
 * host is inside a call: each call of the host is a moment at which a policy (policy.h) decides
 * what runs before the call returns, and a call that waits lets steps run until what it waits for
 * is over.  So a program with one thread runs the same way each time, with any number of workers,
 * and what happened is told by a number (trail.h).
 *
 *     host thread                              runner
 *     enter: takes the turn among threads
 *     ...the call...                           sleeps
 *     leave: moment -------------------------> asks the policy, takes steps
 *            <---- done, or the host is first  sleeps
 *     gives the turn back
 *
 * Where the program promises that its host functions wait for no thread of it (`runs_here`), the
 * thread in the call stands in for the runner, as long as steps are host functions, copies and
 * fills: that spares the way to another thread and back, and what is decided is the same.
 *
 * A function of the program may wait for what the host does later.  The host is let go then, and
 * another runner takes the place of the one that is away, which ends once the function returned;
 * what such a program does between two calls is not in the schedule's hands.
 */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include <rill/backend.h>

#include <limits.h>
#include <sched.h>

#include "backend-sim/schedule/arrivals.h"
#include "backend-sim/schedule/candidates.h"
#include "backend-sim/schedule/policy.h"
#include "backend-sim/schedule/trail.h"
#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/scheduler/steering.h"
#include "base/park.h"
#include "base/thread.h"
#include "site/site.h"

/* What the runner is asked for. */
struct moment {
    enum moment_kind kind;
    struct point point; /* that is waited for; of a wait */
};

/* How a moment ended. */
enum outcome {
    OUTCOME_DONE,  /* the host goes on, or what it waits for is over      */
    OUTCOME_STUCK, /* nothing can run, and what it waits for is not over  */
    OUTCOME_AWAY,  /* the runner is in a function that waits or takes long */
    OUTCOME_BEGUN  /* a step was begun that the runner's own thread has to take */
};

/* What a runner does; in `stage`, together with the number of its step.  The runner itself moves
 * on from each of them but the last. */
enum stage {
    STAGE_BETWEEN = 0, /* chooses, or is not asked                             */
    STAGE_STEP = 1,    /* takes a step                                         */
    STAGE_LEFT = 2,    /* the host went on without it in a step, for good: it ends when the
                          functions that it is in have returned                */
    STAGE_MASK = 3
};

/* In `asked`. */
enum {
    RUNNER_ASKED = 1,
    RUNNER_AWAITED = 2, /* a thread sleeps until RUNNER_ASKED changes           */
    RUNNER_ROUSED = 4   /* the runner is not to sleep before it has looked again */
};

/* How a thread looks for a change before it sleeps.  Where the other thread has a processor of its
 * own, that is seen soonest in a loop; where it waits for this one's, after that was given away. */
struct looks {
    unsigned yields; /* how often it is given away before the loop is tried again; 0 while that
                        helps */
};

/* A thread that takes steps. */
struct runner {
    struct schedule *schedule;
    struct runner *older;          /* NULL at the list's end; stored with the turn */
    pthread_t thread;
    atomic_ulong id;               /* rl_thread_id() */
    atomic_bool ended;
    atomic_bool is_stuck;          /* waits in a function, where it can take no step */
    bool joined;                   /* of the thread that stops the schedule */

    atomic_uint asked;             /* RUNNER_ASKED: there is a moment; the runner takes it back at
                                      its end.  The next fields: of the runner meanwhile, else of
                                      the thread that has the turn */
    struct moment moment;          /* of a MOMENT_CALL only the kind is stored            */
    struct strand *first;          /* takes the first step of the moment                 */
    bool stood_in_for;             /* a thread of the host takes the steps; with the turn */
    bool only_brief;               /* it leaves others to the runner's thread; as well    */
    bool may_go_on;                /* another step may be possible, although no more was HELD
                                      when the last one was chosen                       */
    enum outcome outcome;
    bool left;                     /* its stage is STAGE_LEFT; stored with the turn      */
    struct looks looks_for_end;    /* of the thread that has the turn                    */

    struct looks looks_for_moment; /* the runner's */

    alignas(64) atomic_uint stage; /* enum stage, and above it the number of the step */
};

/* A thread that is stuck. */
struct waiting_host {
    unsigned long id;
    struct point point;
    struct cs_call made; /* by the program */
    struct waiting_host *next;
};

struct schedule {
    struct steering steering;     /* first: what the engine knows of it */
    struct engine *engine;        /* fixed */
    bool runs_here;               /* functions wait for no thread of the program; stored when the
                                     platform was just opened */
    bool takes_only;              /* a call that makes the only step possible decides about it by
                                     itself, unless the policy sees all, or a runner was left that
                                     is to be freed; stored with the turn while nobody is asked */
    struct held_strands held;     /* its own lock */

    /* Whose turn it is among the threads of the host: a thread keeps it during a call, but not
     * while the call is stuck. */
    struct rl_lock turn;
    atomic_uint seekers;             /* threads that wait for it */
    _Atomic(struct runner *) runner; /* that is asked, the last of all; stored with the turn */
    atomic_bool dozes;               /* it sleeps until there is something to do */

    /* Of the runner that is asked while there is a moment, else of the thread that has the turn. */
    struct policy_state policy;
    struct arrivals arrivals;     /* the latter's                             */
    struct trail trail;
    rill_taken_fn taken;          /* or NULL; stored when the platform was just opened */
    void *taken_data;             /* as well                                           */
    struct candidate step;        /* that was begun last                      */
    struct strand *at_hand;       /* became possible in this call while nothing else was: RUNNING,
                                     and in no list yet, since mostly this thread takes its step
                                     at the call's end; or NULL; with the turn */
    bool pausing;                 /* a kernel pauses, so that others go on    */
    unsigned queries;             /* that were made without a step in between */
    atomic_uint entered;          /* counts calls; stored with the turn       */

    atomic_bool ends;
    atomic_bool hangs;             /* it was proved, and said */
    alignas(64) atomic_uint progress; /* counts moments that ended; stuck threads sleep on it */

    struct rl_lock waiting_lock;
    struct waiting_host *waiting;  /* waiting_lock */
    atomic_uint waiting_count;     /* stored with waiting_lock */
};

/* What the calling thread is, if anything. */
struct schedule_here {
    struct schedule *turn; /* it is in a call, and has the turn of this one */
    struct runner *runner; /* it is this one, or stands in for it           */
};

extern _Thread_local struct schedule_here sim_schedule_here RL_THREAD_WORD;

/* Returns the runner of this schedule that the calling thread is, or stands in for, or NULL. */
static inline struct runner *sim_runner_here(const struct schedule *schedule)
{
    struct runner *runner = sim_schedule_here.runner;
    return runner && runner->schedule == schedule ? runner : NULL;
}

/* Gives the schedule of an engine that was just created.  Takes the spec over, also if it fails. */
rill_status sim_schedule_create(struct engine *engine, struct schedule_spec *spec,
                                const char *trail_path, struct schedule **schedule);

/* Has the threads in calls take steps, since functions wait for no thread of the program. */
void sim_schedule_run_here(struct schedule *schedule);

/* Ends the runner, and runs or drops what is held.  Returns false if the runner is in a function
 * and does not end within `patience_ns`; it is left to itself then. */
bool sim_schedule_stop(struct schedule *schedule, uint64_t patience_ns);

/* Frees a schedule that was stopped; NULL is fine. */
void sim_schedule_free(struct schedule *schedule);

/* ---- Around each call of the host (the layer `schedule`) ---------------------------------- */

/* Takes the turn, and notes that a call begins that asks again and again, or another one. */
void sim_schedule_enter(struct schedule *schedule, bool asks);

/* Lets steps run, and gives the turn back. */
void sim_schedule_leave(struct schedule *schedule);

/* ---- Parts (schedule.c, hang.c) ------------------------------------------------------------- */

void sim_schedule_take_turn(struct schedule *schedule);
void sim_schedule_give_turn(struct schedule *schedule);

/* Tells whether a policy could take any step.  Memory is looked at: a value may be there.  Requires
 * the turn, and that there is no moment. */
bool sim_schedule_any_step(struct schedule *schedule);

/* Called by a thread that is stuck, now and then: fails the device if it is proved that the program
 * waits for ever. */
void sim_schedule_look_for_hang(struct schedule *schedule);

/* ---- Deciding (decide.c) ------------------------------------------------------------------- */

/* Decides what comes next.  Returns the strand that is to take a step, or NULL and how the moment
 * ends.  Called by the runner, or with the turn while there is no moment. */
struct strand *sim_schedule_decide(struct schedule *schedule, struct runner *runner,
                                   const struct moment *moment, enum outcome *outcome);

/* Tells whether memory has to be looked at: strands wait for values there. */
static inline bool sim_schedule_polls(const struct schedule *schedule)
{
    return atomic_load_explicit(&schedule->engine->attention, memory_order_relaxed) & ATTEND_POLLED;
}

/* Puts what is at hand among what is HELD, for others to find and to choose from.  Requires the
 * turn. */
static inline void sim_schedule_list_at_hand(struct schedule *schedule)
{
    struct strand *strand = schedule->at_hand;
    if (!strand) return;
    schedule->at_hand = NULL;
    sim_held_add(&schedule->held, strand);
}

/* Looks at memory.  What that makes possible in a call of this thread is chosen from at once. */
static inline void sim_schedule_poll(struct schedule *schedule)
{
    sim_engine_poll(schedule->engine);
    sim_schedule_list_at_hand(schedule);
}

/* What comes after a step. */
enum next_step {
    NEXT_UNKNOWN,  /* is to be decided                     */
    NEXT_IS_SAME,  /* the next operation of the strand     */
    NEXT_IS_HOST,  /* the host goes first                  */
    NEXT_OF_OTHERS /* not this runner's: it was left       */
};

/* Tells whether the next operation of a strand is one that a thread of the host may take while it
 * stands in for the runner: code of the program is in host functions alone, which wait for no
 * thread then, and nobody is told of it. */
static inline bool sim_schedule_is_brief(struct strand *strand)
{
    const struct op_type *type = sim_queue_front(&strand->queue)->type;
    return !type->park && type->kind != RILL_OP_KERNEL &&
           !(sim_strand_attention(strand) & ~(unsigned)ATTEND_STEERING);
}

/* Takes the strand of a step out of those that are HELD, and notes the step. */
struct strand *sim_schedule_begin(struct schedule *schedule, struct runner *runner,
                                  const struct candidate *chosen);

/* Notes that the step in schedule->step is taken. */
static inline void sim_schedule_note_step(struct schedule *schedule)
{
    const struct candidate *step = &schedule->step;
    sim_trail_note(&schedule->trail, step, schedule->policy.calls);
    if (schedule->taken)
        schedule->taken(schedule->taken_data, step->stream, step->number, step->place);
    schedule->policy.steps++;
    schedule->queries = 0;
}

/* Notes a step of a strand that is RUNNING, and says which one it is. */
void sim_schedule_note(struct schedule *schedule, const struct candidate *step);

/* Tells whether there is a moment that has not ended. */
static inline bool sim_runner_is_asked(struct runner *runner)
{
    return atomic_load_explicit(&runner->asked, memory_order_acquire) & RUNNER_ASKED;
}

/* ---- Asking the runner (asking.c) ---------------------------------------------------------- */

/* Waits until the runner can be asked, or puts another in its place. */
struct runner *sim_runner_find_other(struct schedule *schedule, struct runner *runner);

/* Tells whether the runner of now is not in a moment, and was not left.  Requires the turn. */
static inline bool sim_runner_can_be_asked(struct schedule *schedule)
{
    struct runner *runner = atomic_load_explicit(&schedule->runner, memory_order_relaxed);
    return !runner->left && !sim_runner_is_asked(runner);
}

/* Returns a runner that can be asked, or NULL if it was left and there is no thread for another.
 * Requires the turn. */
static inline struct runner *sim_runner_find(struct schedule *schedule)
{
    struct runner *runner = atomic_load_explicit(&schedule->runner, memory_order_relaxed);
    if (sim_runner_can_be_asked(schedule)) return runner;
    return sim_runner_find_other(schedule, runner);
}

/* Has the runner take steps until the moment ends.  Requires the turn. */
enum outcome sim_runner_ask(struct schedule *schedule, const struct moment *moment);

/* Waits until the runner, which is asked and was looked at for a while, has ended its moment, or
 * puts another in its place.  Returns how the moment ended. */
enum outcome sim_runner_await(struct schedule *schedule, struct runner *runner);

/* ---- The runner's thread (runner.c) -------------------------------------------------------- */

/* Starts a runner that is asked from now on.  Returns false if there is no thread or no memory.
 * Requires the turn. */
bool sim_runner_start(struct schedule *schedule);

/* Frees those who were left and have ended by now.  Returns whether others have not.  Requires the
 * turn. */
bool sim_runner_free_ended(struct schedule *schedule);

/* Notes that a moment ended, which threads that are stuck look for. */
static inline void sim_schedule_note_progress(struct schedule *schedule)
{
    atomic_fetch_add(&schedule->progress, 1);
    if (atomic_load(&schedule->waiting_count)) rl_unpark(&schedule->progress, INT_MAX);
}

/* Tells whether another runner took the place of this one. */
static inline bool sim_runner_is_left(struct runner *runner)
{
    return (atomic_load(&runner->stage) & STAGE_MASK) == STAGE_LEFT;
}

/* Stores whether there is a moment, and wakes who sleeps until that changes. */
static inline void sim_runner_set_asked(struct runner *runner, bool asked)
{
    unsigned before = atomic_exchange(&runner->asked, asked ? RUNNER_ASKED : 0);
    if (before & RUNNER_AWAITED) rl_unpark(&runner->asked, INT_MAX);
}

/* Has a runner that is not asked look again whether there is something to do. */
void sim_runner_rouse(struct runner *runner);

/* Looks for a while whether that changes.  Returns whether it did. */
bool sim_runner_look_long(struct runner *runner, bool asked, struct looks *looks);

static inline bool sim_runner_look(struct runner *runner, bool asked, struct looks *looks)
{
    if (looks->yields) {
        looks->yields--;
        sched_yield();
        if (sim_runner_is_asked(runner) != asked) return true;
    }
    return sim_runner_look_long(runner, asked, looks);
}

/* Sleeps until it changes whether there is a moment, for at most `timeout_ns`; spuriously less. */
void sim_runner_sleep_while(struct runner *runner, bool asked, uint64_t timeout_ns);

/* Has the runner's thread take steps, from one on that was begun, in the moment that is stored.
 * Requires that it can be asked. */
static inline enum outcome sim_runner_hand_over(struct schedule *schedule, struct runner *runner,
                                                struct strand *first)
{
    runner->first = first;
    sim_runner_set_asked(runner, true);
    if (sim_runner_look(runner, true, &runner->looks_for_end)) return runner->outcome;
    return sim_runner_await(schedule, runner);
}

/* ---- Taking steps (steps.c) ---------------------------------------------------------------- */

/* How many steps a moment has at most.  A loop of a launch may wait for what the host does next:
 * the host goes on then, or another of its threads does. */
#define STEPS_MOST 65536u

/* Goes on with a strand that took a step, is RUNNING and has more, as long as no other step could
 * come before its own, and counts down how many are left. */
enum next_step sim_runner_go_on_in(struct runner *runner, const struct moment *moment,
                                   struct strand *strand, unsigned *left);

/* Takes a step with *first, and others until the moment ends; with `only_brief`, until one was
 * begun that is not brief, whose strand is *first then. */
enum outcome sim_runner_take_steps(struct runner *runner, const struct moment *moment,
                                   struct strand **first);

/* Takes the steps of the moment that the runner is asked for. */
enum outcome sim_runner_serve(struct runner *runner);

/* Decides, and takes steps if there are any.  Requires that the runner is between two steps. */
enum outcome sim_runner_decide_and_take_steps(struct runner *runner, const struct moment *moment);

/* ---- Taking steps in a call (in_call.c) ----------------------------------------------------- */

/* Has the calling thread take the steps of a moment in the runner's place, the first with *strand,
 * until it ends or comes to one that is not for it: then stores the strand of that one.  Requires
 * the turn, and that there is no moment. */
enum outcome sim_runner_stand_in(struct runner *runner, const struct moment *moment,
                                 struct strand **strand);

/* Decides in short about the only step that is possible after a call that does not wait, and takes
 * it, and those behind it, or has the runner do so.  Returns true if the call is over, and false if
 * the runner is to be asked.  Requires the turn, `takes_only`, and that nobody waits for values. */
bool sim_schedule_take_only(struct schedule *schedule);

/* ---- Where a runner is (steps.c) ------------------------------------------------------------ */

/* Tells whether the point comes after an operation that the calling thread, a runner, is in. */
bool sim_runner_is_needed_for(struct schedule *schedule, struct point point);

/* Lets a runner that waits in a function take steps until the moment ends. */
enum outcome sim_runner_serve_inside(struct runner *runner, const struct moment *moment);

/* Takes all steps that are possible in the middle of the one that the runner is in, also those of
 * the same launch. */
void sim_runner_take_others(struct runner *runner);

/* Has the calling thread take the steps that are left, once no runner takes any: what a device that
 * failed has pending is dropped, and given back. */
void sim_schedule_drain(struct schedule *schedule);

#endif
