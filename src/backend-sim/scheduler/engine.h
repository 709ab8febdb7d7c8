/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine: threads that run strands.
 *
 * A strand that becomes READY is listed.  A worker takes it from the list, or a
 * host thread that waits for it takes it directly; then its entry is stale and
 * is dropped when it comes up.
 *
 * Waking a sleeping thread costs a hundred times what a short operation does,
 * so listing a strand wakes nobody as long as a worker is on watch: the watch
 * looks at the list several thousand times a second and sleeps in between.  It
 * ends when nothing was listed for a while; then nobody is awake, and the next
 * strand that is listed wakes a worker.  While work runs that calls for help by itself
 * (work_source.h), the watch dozes, since each look takes a processor away from it:
 * then it must be woken.  What keeps work from being forgotten:
 *
 *     every listing either finds a worker that will look by itself, or wakes one,
 *     or finds all of them running, and each looks at the list when it is done.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "backend-sim/scheduler/op_type.h"
#include "backend-sim/scheduler/work_source.h"

#define ENGINE_WORKERS_MAX 1024
#define ENGINE_PRIORITIES 32

struct watchdog;
struct worker;

/* What strands count, each its own, since all of them would contend for one place. */
struct strand_counters {
    uint64_t operations, helped, parks;
};

struct ready_list {
    struct strand *first, *last; /* engine's lock */
};

struct engine {
    struct sim_platform *platform;
    const struct work_source *const *sources; /* up to NULL; fixed */
    int workers_max;

    alignas(64) atomic_uint attention; /* enum attention; read by every operation */
    struct observer *observer;         /* observe.h                               */
    struct watchdog *watchdog;         /* watchdog.h; NULL: there is none; fixed  */
    bool whims;                        /* programs are run as they are not: plan_whim.c;
                                          fixed                                   */

    alignas(64) struct rl_lock lock;   /* the lists, the workers, the watch       */
    uint32_t occupied;                 /* bit p: ready[p] is not empty            */
    struct ready_list ready[ENGINE_PRIORITIES];
    struct worker *idle;               /* asleep until rung                       */
    struct worker *watch;              /* on watch, or NULL                       */
    struct worker *workers;            /* room for all of them; `started` have a thread */
    int started;
    bool stopping;
    atomic_uint watched;               /* workers that will look at the list soon by
                                          themselves: the watch, unless it dozes, and
                                          those that linger                       */
    bool helper_woken;                       /* a worker was rung, and has not come yet */
    int spinning;                     /* workers that look for shared work without
                                          sleep                                   */
    atomic_uint idlers;                /* workers that could come; raised and lowered
                                          under the lock                          */
    atomic_uint work_events;                  /* counts shared work that began, and calls */

    alignas(64) struct rl_lock polled_lock;
    struct strand *polled;             /* through `polled_next`; polled_lock      */

    alignas(64) struct rl_lock strands_lock; /* innermost                         */
    struct strand *strands;            /* all there are, through `next`; strands_lock */
    struct strand_counters counted;                 /* of those that are no more; strands_lock  */

    /* Counters, relaxed. */
    atomic_uint_least64_t held, wakes;
};

/* `sources` ends with NULL and outlives the engine. */
rill_status sim_engine_create(struct sim_platform *platform,
                              const struct work_source *const *sources, int workers,
                              struct engine **engine);

/* Nothing may be pending.  Ends the workers. */
void sim_engine_destroy(struct engine *engine);

/* The workers end within `patience_ns`, without one to replace them.  False: not all;
 * those are left to themselves, and the engine cannot be destroyed. */
bool sim_engine_abandon(struct engine *engine, uint64_t patience_ns);

/* A strand became READY, and is listed from now on, retained: puts it into the list,
 * for whoever is on watch. */
void sim_engine_list(struct engine *engine, struct strand *strand);

/* Somebody looks on without helping, or nobody is on watch: runs what is listed
 * without delay. */
void sim_engine_wake_worker(struct engine *engine);

void sim_engine_set_attention(struct engine *engine, unsigned bit, bool on);

/* Some shared work can use more threads than it has: one more worker comes. */
void sim_engine_wake_helper(struct engine *engine);

/* Shared work began: whoever lingers looks for it. */
static inline void sim_engine_announce_work(struct engine *engine)
{
    atomic_fetch_add(&engine->work_events, 1);
}

/* ---- census.c -------------------------------------------------------------- */

void sim_engine_add_strand(struct engine *engine, struct strand *strand);

/* The strand is about to be freed. */
void sim_engine_remove_strand(struct engine *engine, struct strand *strand);

/* What all strands have counted so far. */
struct strand_counters sim_engine_count(struct engine *engine);

/* ---- chooser.c: the one place that says what runs next -------------------- */

/* The next strand of the lists, claimed, or NULL.  Under the engine's lock. */
struct strand *sim_engine_take_ready(struct engine *engine);

/* Whether there is one, without taking it.  Under the engine's lock. */
bool sim_engine_has_ready(struct engine *engine);

/* ---- wait.c ---------------------------------------------------------------- */

/* Waits until the point is reached, running what it depends on where nobody
 * else does.  `blocking_sync`: sleeps at once where it cannot help.  False when the
 * point depends on a strand that this very thread is in the middle of. */
bool sim_engine_wait(struct engine *engine, struct point point, bool blocking_sync);

/* ---- clock.c --------------------------------------------------------------- */

/* The one source of time. */
uint64_t sim_engine_now(struct engine *engine);

#endif
