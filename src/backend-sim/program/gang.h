/* SPDX-License-Identifier: Apache-2.0
 *
 * A gang: several threads that share one run of a program.
 *
 * Each member has a seat with a deque of what is ready, and takes from the
 * others' when its own is empty.  What is put there is a unit: a single node,
 * or, once it is known what each node costs, a run of nodes worth the trouble
 * (plan.h).  A unit is ready when the units before it are done, which a counter
 * for each tells.
 *
 * A member that finds nothing spins for as long as a unit takes, then sleeps within
 * the gang, where the next unit to spare wakes it, and leaves only after that.  So
 * there are never more threads at it than there are seats for, also with a thread of
 * the program among them; and no two on one processor where another is free.
 *
 * Members come and go.  The run is over when every unit is done and every
 * member has left; the last one wakes whoever is parked on it.
 */
#ifndef SIM_GANG_H
#define SIM_GANG_H

#include "backend-sim/node/running_launch.h"
#include "backend-sim/program/deque.h"
#include "backend-sim/program/program.h"
#include "backend-sim/program/tickets.h"
#include "backend-sim/scheduler/engine.h"

#define GANG_SEATS_MAX 64

/* A slice of a cluster, in the plan's order (cluster_split.h). */
struct split;
struct slice {
    uint32_t unit, begin, end; /* unit NODE_NONE: none */
    struct split *split;       /* NULL: all of the cluster */
};

struct seat {
    struct deque deque;
    bool taken;             /* engine's lock                                */
    atomic_int processor;   /* where its member was last; the member's      */
    atomic_bool stays;      /* there: a thread of the program's; the member's */
    uint32_t moves;         /* of the gang's, that it knows; the member's   */
    uint32_t done;          /* units, not yet taken off `left`: the member's */
    struct slice given;     /* what a new member begins with: the member's  */

    /* The cluster that the member runs. */
    _Alignas(64) atomic_uint at; /* in the plan's order: the member's       */
    atomic_uint stop;       /* 1: somebody takes what is behind `at`        */
    struct rl_spin lock;
    uint32_t unit, end;     /* of the stretch; lock                         */
    struct split *split;    /* lock                                         */
    uint64_t noticed_ns;    /* by who looks on; lock                        */
    uint32_t noticed_at;    /* lock                                         */
};

struct gang {
    struct engine *engine;
    struct program *program;
    struct launch *launch;  /* of this run  */
    const struct plan *plan; /* units are its clusters; NULL: nodes */
    bool timed;             /* notes what each node costs */
    bool observed;          /* shows each node            */

    _Alignas(64) atomic_uint left;    /* units that are not done            */
    _Alignas(64) atomic_uint members; /* raised under the engine's lock     */
    atomic_bool done;       /* nothing is left                              */
    bool parked;            /* the strand of the launch is parked on this: who makes
                               it false wakes it; engine's lock             */
    bool awaited;           /* a thread in sim_gang_finish() sleeps on `futex_word`;
                               engine's lock                                */
    atomic_uint futex_word; /* 1: look again                                */
    atomic_uint napping;    /* members that sleep on `alarm`: see nap()     */
    atomic_uint alarm;      /* another number: look again                   */
    atomic_uint moves;      /* counts members that came to another processor */

    struct tickets tickets; /* clusters that became ready at once              */

    /* What somebody without a seat made ready, or a seat had no room for: units
     * linked through `spill_next`. */
    struct rl_spin spill_lock;
    uint32_t spill;         /* the first; NODE_NONE; spill_lock             */
    atomic_bool spilled;
    uint32_t *spill_next;   /* by unit                                      */

    atomic_uint *joins;     /* by unit: units before it that are not done   */
    uint64_t armed;         /* the serial of the plan that these are set up for: its address
                               may be another plan's by now; 0: none        */
    struct gang *next, *previous; /* of those that run; engine's lock        */
    bool listed;            /* engine's lock                                */
    uint32_t most;          /* members that come by themselves              */
    uint32_t seat_count;    /* one more: for who takes from a member        */
    struct seat seats[];
};

/* The gangs of a platform. */
struct gangs {
    struct gang *running; /* through `next`; engine's lock */
};

/* Gangs, as shared work. */
extern const struct work_source sim_gangs;

/* How many threads of the engine a run is shared by, at most. */
uint32_t sim_gang_threads(const struct engine *engine);

/* Room for runs of the program, which keeps it; false when memory is short. */
bool sim_gang_prepare(struct engine *engine, struct program *program);
void sim_gang_free(struct gang *gang);

/* Begins a run; the caller is its first member, on *seat. */
struct gang *sim_gang_begin(struct engine *engine, struct program *program, uint32_t *seat);

/* The same for a run that one thread has begun: it is at the place `at`, has done
 * those before, gets seat 0, and completes that place later.  The caller's seat
 * is in *own.  NULL when memory is short. */
struct gang *sim_gang_begin_after(struct engine *engine, struct program *program,
                                  struct launch *launch, uint32_t at, uint32_t *own);

/* A member completed a place outside of sim_gang_work(). */
void sim_gang_complete(struct gang *gang, uint32_t seat, uint32_t place);

/* Does what there is, then leaves.  True: the run is over, and this was the last
 * member. */
bool sim_gang_work(struct gang *gang, uint32_t seat);

/* The same for a run inside another: returns when it is over. */
void sim_gang_finish(struct gang *gang, uint32_t seat);

enum gang_seat { GANG_JOINED, GANG_FULL, GANG_OVER };

/* Becomes a member again. */
enum gang_seat sim_gang_join(struct gang *gang, uint32_t *seat);

/* The strand of the launch parks on its gang; false: it need not. */
bool sim_gang_park(struct gang *gang);

/* ---- For the files of this part -------------------------------------------------- */

/* So many units are ready that no member will get to soon: whoever lingers sees it,
 * else a worker is woken. */
void sim_gang_call_help(struct gang *gang, uint32_t units);

/* Between two units of a member: whether the system moved somebody (gang_place.c). */
void sim_gang_mind_processor(struct gang *gang, struct seat *seat);

/* A ready unit for whoever comes first. */
void sim_gang_spill(struct gang *gang, uint32_t unit);

/* Whether anything is ready. */
bool sim_gang_has_work(struct gang *gang);

/* A seat for one more, of which there is one; under the engine's lock. */
uint32_t sim_gang_take_seat(struct gang *gang);

/* A member that sat down: works, leaves, and wakes the launch's strand where it must. */
void sim_gang_help(struct gang *gang, uint32_t seat);

/* Sets a cluster's counter up for the next run of the plan. */
void sim_gang_arm(struct gang *gang, uint32_t cluster);

/* ---- From outside ------------------------------------------------------------- */

/* A place that waited for something can go on. */
void sim_gang_resume(struct gang *gang, uint32_t place);

#endif
