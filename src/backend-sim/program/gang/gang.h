/* SPDX-License-Identifier: Apache-2.0
 *
 * A gang: several threads that share one run of a program.
 *
 * Each member has a seat with a deque of what is ready, and takes from the
 * others' when its own is empty.  What is put there is a unit: a single node,
 * or, once it is known what each node costs, a cluster of nodes (plan.h).  A unit
 * is ready when the units before it are done, which a counter for each tells.
 *
 * A member that finds nothing spins for as long as a unit takes, then sleeps within
 * the gang, where the next unit to spare wakes it, and leaves only after that.  So
 * there are never more threads at it than there are seats for, also with a thread of
 * the application among them; and no two on one processor while another is free.
 *
 * Members come and go.  A run along a plan calls as many as the plan is wide when it begins;
 * others call one when there is something to do.  The run is over when every end is done, a unit
 * that nothing comes after, and every member has left; the last one wakes the strand that is
 * parked on it.
 *
 * The header of gang.c (what members do), members.c (how they come and go), begin.c (how a run
 * begins), place.c (on which processors members run) and source.c (how other threads come to
 * help).
 */
#ifndef SIM_GANG_H
#define SIM_GANG_H

#include "backend-sim/node/running_launch.h"
#include "backend-sim/program/gang/deque.h"
#include "backend-sim/program/program.h"
#include "backend-sim/program/gang/tickets.h"
#include "backend-sim/scheduler/engine.h"

#define GANG_SEATS_MAX 64

/* A slice of a cluster, in the plan's order (cluster_split.h). */
struct split;
struct slice {
    uint32_t unit, begin, end; /* unit NODE_NONE if there is none */
    struct split *split;       /* NULL if it is all of the cluster */
};

struct seat {
    struct deque deque;
    atomic_int processor;   /* where its member, or the one before, was last; the member's */
    atomic_bool stays;      /* its member is a thread of the application, which stays
                               on its processor; the member's               */
    uint32_t moves;         /* the gang's, as the member knows it; the member's */
    uint32_t done;          /* ends not yet taken off `left`; the member's  */
    uint32_t owed;          /* units done, not yet taken off the counter of `owed_to`; the
                               member's                                     */
    uint32_t owed_to;       /* a barrier; the member's                      */
    uint64_t ended;         /* the row in which no ticket is left; the member's */
    struct slice given;     /* what a new member begins with: the member's  */

    /* The cluster that the member runs. */
    _Alignas(64) atomic_uint at; /* in the plan's order: the member's       */
    atomic_uint stop;       /* 1 while a thread takes what comes after `at` */
    struct rl_spin lock;
    uint32_t unit, end;     /* of the stretch; lock                         */
    struct split *split;    /* lock                                         */
    uint64_t noticed_ns;    /* by a thread that looks on; lock              */
    uint32_t noticed_at;    /* lock                                         */
};

struct gang {
    struct engine *engine;
    struct program *program;
    struct launch *launch;  /* of this run  */
    const struct plan *plan; /* units are its clusters; NULL: nodes */
    bool timed;             /* notes what each node costs */
    bool observed;          /* shows each node            */

    /* Apart from what members look at all the time. */
    _Alignas(64) atomic_uint left;    /* ends, which nothing comes after, that are not done */
    _Alignas(64) atomic_uint members; /* raised from 0 under engine->lock, and lowered under it
                               by the last two                              */
    atomic_uint_least64_t taken; /* seats, a bit each: the member's             */

    _Alignas(64) atomic_bool done; /* nothing is left                       */
    atomic_bool stocked;    /* a deque has had a unit in this run           */
    atomic_bool idled;      /* a member found nothing to do for so long that it left */
    atomic_uint called;     /* threads that came or were called; stored under engine->lock */
    bool parked;            /* the strand of the launch is parked on this; a thread that
                               makes it false wakes the strand; engine->lock */
    bool awaited;           /* a thread in sim_gang_finish() sleeps on `futex_word`;
                               engine->lock                                 */
    atomic_uint futex_word; /* 1 if that thread is to look again            */
    atomic_uint napping;    /* members that sleep on `alarm` in nap_in_gang() */
    atomic_uint alarm;      /* changes if they are to look again            */
    atomic_uint moves;      /* counts members that came to another processor */

    struct tickets tickets; /* clusters that became ready at once; a lane for each member */

    /* Units that a thread without a seat made ready, or that a seat had no room for, linked
     * through `spill_next`. */
    struct rl_spin spill_lock;
    uint32_t spill;         /* the first or NODE_NONE; spill_lock           */
    atomic_bool spilled;
    uint32_t *spill_next;   /* by unit                                      */

    atomic_uint *joins;     /* by unit: units before it that are not done   */
    uint64_t armed;         /* the serial of the plan that `joins` is set up for, since its
                               address may be another plan's by now; 0 if none */
    struct gang *next, *previous; /* of those that run; engine->lock         */
    bool listed;            /* engine->lock                                 */
    uint32_t most;          /* members that come by themselves in this run  */
    uint32_t seat_count;    /* one more: for a thread that takes a slice from a member */
    struct seat seats[];
};

/* The gangs of a platform. */
struct gangs {
    _Atomic(struct gang *) running; /* through `next`; stored under engine->lock */
    _Alignas(64) atomic_uint joining; /* threads that look at the first one without the lock: no
                                       run that has left the list ends before they do */
};

/* Tells whether any gang runs, without engine->lock: a thread that then rests looks again under
 * it. */
static inline bool sim_gangs_run(const struct gangs *gangs)
{
    return atomic_load_explicit(&gangs->running, memory_order_relaxed);
}

/* Gangs as shared work. */
extern const struct work_source sim_gangs;

/* Returns how many threads of the engine can share a run. */
uint32_t sim_gang_threads(const struct engine *engine);

/* Makes room for runs of the program, which keeps it.  Returns false if memory is short. */
bool sim_gang_prepare(struct engine *engine, struct program *program);
void sim_gang_free(struct gang *gang);

/* Begins a run; the caller is its first member, on *seat.  Returns NULL if memory is short. */
struct gang *sim_gang_begin(struct engine *engine, struct program *program, uint32_t *seat);

/* Does the same for the rest of a run that one thread has begun: it is at the place `at`, has
 * done those before, gets seat 0, and completes that place later.  The caller's seat is in
 * *own. */
struct gang *sim_gang_begin_after(struct engine *engine, struct program *program,
                                  struct launch *launch, uint32_t at, uint32_t *own);

/* Completes a place that a member ran outside of sim_gang_work(). */
void sim_gang_complete(struct gang *gang, uint32_t seat, uint32_t place);

/* Works as a member until nothing is left to do, then leaves.  Returns true if the run is over
 * and this was the last member. */
bool sim_gang_work(struct gang *gang, uint32_t seat);

/* Works in a run inside another one; returns when it is over. */
void sim_gang_finish(struct gang *gang, uint32_t seat);

enum gang_seat { GANG_JOINED, GANG_FULL, GANG_OVER };

/* Takes a seat again, unless the run is over or has members enough. */
enum gang_seat sim_gang_join(struct gang *gang, uint32_t *seat);

/* Parks the strand of the launch on its gang.  Returns false if the strand can go on. */
bool sim_gang_park(struct gang *gang);

/* ---- For the gang's own files, clusters and loops ---------------------------------- */

/* Works on a seat until nothing is left to do, or nothing came for too long. */
void sim_gang_take_part(struct gang *gang, uint32_t seat);

/* Wakes so many members that nap, if any do. */
void sim_gang_wake(struct gang *gang, int count);

/* Calls for help with so many units that are ready: wakes members that nap, or else a
 * worker. */
void sim_gang_call_help(struct gang *gang, uint32_t units);

/* Calls two of the threads that a run along a plan can use; each of them calls two more. */
void sim_gang_call_members(struct gang *gang);

/* Notes, between two units, where the member runs; a worker that shares a processor leaves
 * it. */
void sim_gang_mind_processor(struct gang *gang, struct seat *seat);

/* Adds a ready unit that any member may take. */
void sim_gang_spill(struct gang *gang, uint32_t unit);

/* Returns whether any unit is ready. */
bool sim_gang_has_work(struct gang *gang);

/* Takes a seat for a member that comes besides those that come by themselves; the caller has
 * checked that there is one.  Requires engine->lock. */
uint32_t sim_gang_take_seat(struct gang *gang);

/* Takes a seat, unless there are fewer members than `least`, or as many as come by themselves.
 * Requires engine->lock, or that the gang is kept by `joining` and `least` is not 0. */
bool sim_gang_enter(struct gang *gang, unsigned least, uint32_t *seat);

/* Works on a seat that was taken, leaves, and wakes the strand of the launch if the run is
 * over. */
void sim_gang_help(struct gang *gang, uint32_t seat);

/* Sets a cluster's counter up for the next run of the plan. */
void sim_gang_arm(struct gang *gang, uint32_t cluster);

/* ---- From outside ------------------------------------------------------------- */

/* Goes on with a place that waited; called from outside of the gang. */
void sim_gang_resume(struct gang *gang, uint32_t place);

#endif
