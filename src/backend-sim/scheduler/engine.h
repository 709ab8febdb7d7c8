/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine: threads that run strands.
 *
 * A strand that becomes READY is listed.  A worker takes it from the list, or a host thread
 * that waits for the strand takes it directly; the strand's entry is then stale, and is
 * dropped when it comes up.
 *
 * Waking a sleeping thread costs a hundred times what a short operation does, so listing a
 * strand wakes nobody while a worker is on watch: the watch is the one idle worker that polls
 * the list several thousand times a second and sleeps in between.  A watch ends when nothing
 * was listed for a while; no worker is awake then, and the next strand that is listed wakes
 * one.  While all work that runs wakes helpers by itself (work_source.h), the watch polls
 * slowly, since each poll takes a processor away from that work, and must be woken.  No work
 * is forgotten:
 *
 *     every listing either finds a worker that will poll by itself, or wakes one,
 *     or finds all of them running, and each polls the list when it is done.
 *
 * Below, some functions return a worker to wake: the caller wakes it once it has given
 * engine->lock back.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "backend-sim/scheduler/op_type.h"
#include "backend-sim/scheduler/work_source.h"

#define ENGINE_WORKERS_MAX 1024
#define ENGINE_PRIORITIES 32

struct steering;
struct waiting_thread;
struct virtual_time;
struct watchdog;
struct worker;

/* What strands count.  Each has counters of its own, since all would contend for shared ones. */
struct strand_counters {
    uint64_t operations, helped, parks;
};

struct ready_list {
    struct strand *first, *last; /* engine->lock */
};

struct engine {
    struct sim_platform *platform;
    const struct work_source *const *sources; /* the last is NULL; fixed */
    int workers_max;                   /* fixed                                   */

    alignas(64) atomic_uint attention; /* enum attention; read by every operation */
    struct observer *observer;         /* watch/observe.h; fixed                  */
    struct rill_watcher watcher;       /* watch/watcher.h; set before ATTEND_WATCHER, then fixed */
    struct rill_timekeeper timekeeper; /* watch/timekeeper.h; set before ATTEND_TIMEKEEPER, then
                                          fixed                                   */
    struct watchdog *watchdog;         /* watchdog.h, or NULL; fixed              */
    struct steering *steering;         /* steering.h; NULL unless the schedule is given;
                                          fixed before anything is submitted      */
    void (*look_for_hang)(struct engine *engine); /* called by a thread whose wait ends in one
                                          for a value or a function; NULL unless
                                          there is a watcher; fixed before anything
                                          is submitted                            */
    atomic_uint_least64_t looked_ns;   /* when that was done last                 */
    struct virtual_time *virtual_time; /* virtual_time.h; NULL unless time is virtual; fixed as
                                          the steering is                         */
    uint64_t (*now)(struct engine *engine); /* sim_engine_now(); fixed in the same way */
    bool whims;                        /* costs and plans of programs are made up at
                                          random; fixed                           */

    alignas(64) struct rl_lock lock;   /* protects all up to `work_events`        */
    atomic_uint occupied;              /* bit p: ready[p] is not empty; stored under the
                                          lock                                    */
    struct ready_list ready[ENGINE_PRIORITIES];
    struct worker *idle;               /* asleep until woken, through `idle_next` */
    _Atomic(struct worker *) watch;    /* on watch, or NULL; stored under the lock */
    struct worker *workers;            /* room for all of them; `started` have a thread */
    int started;
    bool stopping;
    struct waiting_thread *waiting;    /* stuck.h: if there is look_for_hang      */
    atomic_uint watched;               /* workers that will poll the list soon by
                                          themselves: the watch, unless it polls slowly,
                                          and those that spin after work; no lock */
    atomic_bool helper_woken;          /* a worker was woken, and has not come yet; cleared
                                          by that worker, without the lock        */
    atomic_int spinning;               /* workers that spin after work; no lock   */
    atomic_bool spinner_called;        /* one of those is about to look at the list; no lock */
    atomic_uint idlers;                /* workers that could come; stored under the lock */
    atomic_uint work_events;           /* counts shared work that began, and helpers that
                                          were woken for it; no lock              */

    alignas(64) struct rl_lock polled_lock;
    struct strand *polled;             /* through `polled_next`; polled_lock      */

    alignas(64) struct rl_lock strands_lock; /* innermost                         */
    struct strand *strands;            /* all of them, through `next`; strands_lock */
    struct strand_counters counted;    /* by strands that were freed; strands_lock */

    /* Counters, relaxed: bytes in chunks of queues, and workers that were woken. */
    atomic_uint_least64_t held, wakes;
};

/* Creates an engine, and its first worker.  `sources` ends with NULL and outlives the engine. */
rill_status sim_engine_create(struct sim_platform *platform,
                              const struct work_source *const *sources, int workers,
                              struct engine **engine);

/* Has the schedule given by `steering`, and ends the workers.  Called when nothing was submitted
 * yet. */
void sim_engine_steer(struct engine *engine, struct steering *steering);

/* Stores `occupied`.  Requires engine->lock. */
static inline void sim_ready_set(struct engine *engine, unsigned occupied)
{
    atomic_store_explicit(&engine->occupied, occupied, memory_order_relaxed);
}

/* Ends the workers and frees the engine.  Nothing may be pending. */
void sim_engine_destroy(struct engine *engine);

/* Ends the workers, for good.  Returns false if not all of them end within `patience_ns`; the
 * others are left to themselves, and the engine cannot be destroyed. */
bool sim_engine_abandon(struct engine *engine, uint64_t patience_ns);

/* Puts a strand that became READY into the list, for the watch.  The caller retained the strand
 * for that and set `listed`. */
void sim_engine_list(struct engine *engine, struct strand *strand);

/* Wakes the watch or another worker, so that what is listed runs without delay: called when no
 * worker is on watch, or for a thread that asks without helping. */
void sim_engine_wake_worker(struct engine *engine);

/* Sets or clears a bit of enum attention. */
void sim_engine_set_attention(struct engine *engine, unsigned bit, bool on);

/* Wakes one more worker, since some shared work can use more threads than it has. */
void sim_engine_wake_helper(struct engine *engine);

/* Lets workers that spin see that shared work began. */
static inline void sim_engine_announce_work(struct engine *engine)
{
    atomic_fetch_add(&engine->work_events, 1);
}

/* ---- All strands ----------------------------------------------------------- */

void sim_engine_add_strand(struct engine *engine, struct strand *strand);

/* Forgets a strand that is about to be freed, but not what it counted. */
void sim_engine_remove_strand(struct engine *engine, struct strand *strand);

/* Returns what all strands have counted so far. */
struct strand_counters sim_engine_count(struct engine *engine);

/* ---- What is pending on all of them at one moment (pending.c) ---------------- */

/* Points after all that was submitted, one for each strand that has not done it. */
struct pending {
    struct point *points; /* whose strands are retained; NULL if there are none */
    size_t count;
};

/* Lists what is pending now.  Returns false, with nothing listed, if memory is short. */
bool sim_pending_list(struct engine *engine, struct pending *pending);

/* Tells whether all of it is done. */
bool sim_pending_reached(const struct pending *pending);

void sim_pending_drop(struct pending *pending);

/* ---- The ready list: the one place that decides what runs next ------------- */

/* Returns the next strand of the list, claimed, or NULL if there is none.  Requires
 * engine->lock. */
struct strand *sim_engine_take_ready(struct engine *engine);

/* Tells whether there is one, without taking it.  Requires engine->lock. */
bool sim_engine_has_ready(struct engine *engine);

/* ---- The time -------------------------------------------------------------- */

/* Returns the time in nanoseconds; the one source of time. */
static inline uint64_t sim_engine_now(struct engine *engine)
{
    return engine->now(engine);
}

/* Returns the time of the system. */
uint64_t sim_engine_real_now(struct engine *engine);

#endif
