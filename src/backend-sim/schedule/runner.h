/* SPDX-License-Identifier: Apache-2.0
 *
 * The runner and the schedule that it serves, shared by the files of this room: how the host's
 * threads ask the runner, and how it takes steps.
 */
#ifndef SIM_RUNNER_H
#define SIM_RUNNER_H

#include <limits.h>
#include <sched.h>

#include "backend-sim/schedule/arrivals.h"
#include "backend-sim/schedule/candidates.h"
#include "backend-sim/schedule/policy.h"
#include "backend-sim/schedule/schedule.h"
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
    struct point point; /* what the host waits for, in a MOMENT_WAIT */
};

/* How a moment ended. */
enum outcome {
    OUTCOME_DONE,  /* the host goes on, or what it waits for is over      */
    OUTCOME_STUCK, /* nothing can run, and what it waits for is not over  */
    OUTCOME_AWAY,  /* the runner is in a function that waits or takes long */
    OUTCOME_BEGUN  /* a step was begun that the runner's own thread has to take */
};

/* What a runner does: the low bits of `stage`, whose other bits number the runner's steps.  A
 * runner that was left stays so. */
enum stage {
    STAGE_BETWEEN = 0, /* chooses, or is not asked                             */
    STAGE_STEP = 1,    /* takes a step                                         */
    STAGE_LEFT = 2,    /* the host went on without it in a step, for good: it ends when the
                          functions that it is in have returned                */
    STAGE_MASK = 3
};

/* The bits of `asked`. */
enum {
    RUNNER_ASKED = 1,   /* there is a moment that has not ended                 */
    RUNNER_AWAITED = 2, /* a thread sleeps until RUNNER_ASKED changes           */
    RUNNER_ROUSED = 4   /* the runner is not to sleep before it has looked again */
};

/* How a thread looks for what another thread changes, before it sleeps.  If the other thread has a
 * processor of its own, a loop sees the change soonest; if it waits for this thread's processor, it
 * can only make the change once this thread yields. */
struct looks {
    unsigned yields; /* how often to yield before the loop is tried again; 0 while the loop helps */
};

/* A thread that takes steps. */
struct runner {
    struct schedule *schedule;     /* fixed */
    struct runner *older;          /* which this one replaced, or NULL; written with the turn */
    pthread_t thread;              /* fixed */
    atomic_ulong id;               /* rl_thread_id() */
    atomic_bool ended;
    atomic_bool is_stuck;          /* waits in a function, where it can take no step */
    bool joined;                   /* used by the thread that stops the schedule */

    /* While RUNNER_ASKED is set, the runner may use the fields down to `outcome`; else the thread
     * that has the turn may. */
    atomic_uint asked;
    struct moment moment;          /* of a MOMENT_CALL, only the kind is stored            */
    struct strand *first;          /* takes the first step of the moment                 */
    bool stood_in_for;             /* a thread of the host takes the steps in its place  */
    bool only_brief;               /* that thread leaves other steps to the runner's own */
    bool may_go_on;                /* another step may be possible: something else was HELD when
                                      the last one was chosen, or became so in that step */
    enum outcome outcome;

    bool left;                     /* its stage is STAGE_LEFT; used with the turn        */
    struct looks looks_for_end;    /* used with the turn                                 */

    struct looks looks_for_moment; /* used by the runner */

    alignas(64) atomic_uint stage; /* enum stage, and above it the number of the step */
};

/* A thread that is stuck. */
struct waiting_host {
    unsigned long id;
    struct point point;
    struct cs_call made; /* the program's call that waits */
    struct waiting_host *next;
};

struct schedule {
    struct steering steering;     /* the engine's way in; first, so that slots can cast it back */
    struct engine *engine;        /* fixed */
    bool runs_here;               /* functions wait for no thread of the program; fixed once the
                                     platform is in use */
    bool takes_only;              /* a call decides by itself about the only step that is possible;
                                     false if the policy sees all, or while a runner that was left
                                     has not been freed; written with the turn while no runner is
                                     asked */
    struct held_strands held;     /* has a lock of its own */

    /* Whose turn it is among the threads of the host: a thread keeps it during a call, but not
     * while the call is stuck. */
    struct rl_lock turn;
    atomic_uint seekers;             /* threads that wait for the turn */
    _Atomic(struct runner *) runner; /* the newest, the one to ask; written with the turn */
    atomic_bool dozes;               /* the runner sleeps until there is something to do */

    /* While a runner is asked, it may use these; else the thread that has the turn may. */
    struct policy_state policy;
    struct arrivals arrivals;     /* used with the turn                       */
    struct trail trail;
    rill_taken_fn taken;          /* or NULL; fixed once the platform is in use */
    void *taken_data;             /* likewise                                 */
    struct candidate step;        /* the one that was begun last              */
    struct strand *at_hand;       /* the strand that became ready in this call while no other step
                                     was possible, or NULL: RUNNING, and in no list yet, since
                                     mostly this thread takes its step when the call ends; used
                                     with the turn */
    bool pausing;                 /* a kernel pauses, so that others go on    */
    unsigned queries;             /* since the last step                      */
    atomic_uint entered;          /* counts calls; written with the turn      */

    atomic_bool ends;
    atomic_bool hangs;             /* a hang was proved and reported */
    alignas(64) atomic_uint progress; /* counts moments that ended; stuck threads sleep on it */

    struct rl_lock waiting_lock;
    struct waiting_host *waiting;  /* waiting_lock */
    atomic_uint waiting_count;     /* written with waiting_lock */
};

/* What the calling thread does for a schedule. */
struct schedule_here {
    struct schedule *turn; /* whose turn it has, in a call of the host, or NULL */
    struct runner *runner; /* which it is, or stands in for, or NULL            */
};

extern _Thread_local struct schedule_here sim_schedule_here RL_THREAD_WORD;

/* Returns the runner of this schedule that the calling thread is, or stands in for, or NULL. */
static inline struct runner *sim_runner_here(const struct schedule *schedule)
{
    struct runner *runner = sim_schedule_here.runner;
    return runner && runner->schedule == schedule ? runner : NULL;
}

/* ---- The turn, and hangs (schedule.c, hang_scheduled.c) ------------------------------------ */

void sim_schedule_take_turn(struct schedule *schedule);
void sim_schedule_give_turn(struct schedule *schedule);

/* Tells whether any step is possible, after a look at the memory in which strands wait for values.
 * Requires the turn, and that there is no moment. */
bool sim_schedule_any_step(struct schedule *schedule);

/* Fails the device if it can be proved that the program hangs.  Called now and then by a thread
 * that is stuck. */
void sim_schedule_look_for_hang(struct schedule *schedule);

/* ---- Deciding (decide.c) ------------------------------------------------------------------- */

/* Decides what comes next.  Returns the strand whose step was begun; or NULL, and stores how the
 * moment ends.  Called by the runner, or with the turn while there is no moment. */
struct strand *sim_schedule_decide(struct schedule *schedule, struct runner *runner,
                                   const struct moment *moment, enum outcome *outcome);

/* Tells whether memory has to be looked at: strands wait for values there. */
static inline bool sim_schedule_polls(const struct schedule *schedule)
{
    return atomic_load_explicit(&schedule->engine->attention, memory_order_relaxed) & ATTEND_POLLED;
}

/* Adds the strand at hand to those that are HELD, where others find it.  Requires the turn. */
static inline void sim_schedule_list_at_hand(struct schedule *schedule)
{
    struct strand *strand = schedule->at_hand;
    if (!strand) return;
    schedule->at_hand = NULL;
    sim_held_add(&schedule->held, strand);
}

/* Looks at the memory in which strands wait for values, and lists what that makes ready. */
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

/* Tells whether a thread that stands in for the runner may run the next operation of a strand: it
 * does not park, is no kernel, and nobody observes it.  The only code of the program in such an
 * operation is a host function, which waits for no thread where threads stand in. */
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

/* Waits until the runner can be asked, or puts another in its place.  Returns the one to ask, or
 * NULL if there is no thread for another. */
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

/* Frees the runners that were left and have ended.  Returns whether others have not ended yet.
 * Requires the turn. */
bool sim_runner_free_ended(struct schedule *schedule);

/* Notes that a moment ended, and wakes the threads that are stuck. */
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

/* Stores whether there is a moment, and wakes the threads that sleep until that changes. */
static inline void sim_runner_set_asked(struct runner *runner, bool asked)
{
    unsigned before = atomic_exchange(&runner->asked, asked ? RUNNER_ASKED : 0);
    if (before & RUNNER_AWAITED) rl_unpark(&runner->asked, INT_MAX);
}

/* Has a runner that is not asked look again whether there is something to do. */
void sim_runner_rouse(struct runner *runner);

/* Looks for a while whether the runner is still asked, or still is not, as `asked` says.  Returns
 * true if that has changed. */
bool sim_runner_look_long(struct runner *runner, bool asked, struct looks *looks);

/* Does the same, but only yields first if the loop did not help the last time. */
static inline bool sim_runner_look(struct runner *runner, bool asked, struct looks *looks)
{
    if (looks->yields) {
        looks->yields--;
        sched_yield();
        if (sim_runner_is_asked(runner) != asked) return true;
    }
    return sim_runner_look_long(runner, asked, looks);
}

/* Sleeps while the runner is asked, or is not, as `asked` says, for at most `timeout_ns`.  May
 * return sooner. */
void sim_runner_sleep_while(struct runner *runner, bool asked, uint64_t timeout_ns);

/* Has the runner's thread take the steps of the moment in `runner->moment`, beginning with that of
 * `first`, which was begun.  Requires that the runner can be asked. */
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

/* Takes the next steps of a strand that took one, is RUNNING and has more, for as long as no step
 * of another strand could come first, and counts down how many steps are left. */
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
 * until the moment ends or a step is not brief; then *strand is the strand of that step.  Requires
 * the turn, and that there is no moment. */
enum outcome sim_runner_stand_in(struct runner *runner, const struct moment *moment,
                                 struct strand **strand);

/* Decides about the only step that is possible after a call that does not wait, and takes it and
 * the strand's next ones, or has the runner take them.  Returns true if the call is over, and false
 * if the runner is to be asked.  Requires the turn, `takes_only`, and that no strand waits for
 * values. */
bool sim_schedule_take_only(struct schedule *schedule);

/* ---- Where a runner is (steps.c) ------------------------------------------------------------ */

/* Tells whether the point comes after an operation that the calling thread, a runner, is in. */
bool sim_runner_is_needed_for(struct schedule *schedule, struct point point);

/* Lets a runner that waits in a function take steps until the moment ends. */
enum outcome sim_runner_serve_inside(struct runner *runner, const struct moment *moment);

/* Takes all steps that are possible in the middle of the one that the runner is in, also those of
 * the same launch. */
void sim_runner_take_others(struct runner *runner);

/* Has the calling thread take the steps that are left once all runners have ended.  What is pending
 * on a device that failed is dropped. */
void sim_schedule_drain(struct schedule *schedule);

#endif
