/* SPDX-License-Identifier: Apache-2.0
 *
 * The workers of an engine, and the rule that wakes them (engine.h).
 */
#include "backend-sim/scheduler/engine.h"

#include "backend-sim/scheduler/watchdog.h"
#include "backend-sim/scheduler/worker.h"
#include "base/alloc.h"
#include "base/fence.h"
#include "base/park.h"
#include "base/thread.h"

void sim_engine_set_attention(struct engine *engine, unsigned bit, bool on)
{
    if (on) atomic_fetch_or(&engine->attention, bit);
    else atomic_fetch_and(&engine->attention, ~bit);
}

/* ---- Workers -------------------------------------------------------------- */

void sim_worker_wake(struct worker *worker)
{
    atomic_fetch_add_explicit(&worker->engine->wakes, 1, memory_order_relaxed);
    atomic_store(&worker->futex_word, 1);
    rl_unpark(&worker->futex_word, 1);
}

bool sim_engine_needs_watch(struct engine *engine)
{
    return sim_engine_has_ready(engine) || (atomic_load(&engine->attention) & ATTEND_POLLED) ||
           sim_work_runs(engine) || sim_work_wants(engine);
}

/* Starts one more worker.  Requires engine->lock. */
static rill_status start_worker(struct engine *engine)
{
    struct worker *worker = &engine->workers[engine->started];
    worker->engine = engine;
    if (!rl_thread_start(&worker->thread, sim_worker_main, worker))
        return RILL_ERROR_OPERATING_SYSTEM;
    engine->started++;
    atomic_fetch_sub(&engine->idlers, 1);
    return RILL_SUCCESS;
}

/* Takes a worker off the idle list, or starts one.  Returns the worker to wake, or NULL if there is
 * none or it was just started.  Requires engine->lock. */
static struct worker *pick_worker(struct engine *engine)
{
    struct worker *worker = engine->idle;
    if (worker) {
        engine->idle = worker->idle_next;
        worker->idle = false;
        return worker;
    }
    if (engine->started < engine->workers_max && !engine->stopping) start_worker(engine);
    return NULL;
}

struct worker *sim_engine_pick_relief(struct engine *engine)
{
    return !engine->watch && sim_engine_needs_watch(engine) ? pick_worker(engine) : NULL;
}

void sim_engine_list(struct engine *engine, struct strand *strand)
{
    rl_lock(&engine->lock);
    struct ready_list *list = &engine->ready[strand->priority];
    if (list->last) list->last->ready_next = strand;
    else list->first = strand;
    list->last = strand;
    sim_ready_set(engine, engine->occupied | 1u << strand->priority);
    rl_unlock(&engine->lock);
}

void sim_engine_wake_worker(struct engine *engine)
{
    struct worker *worker = NULL;
    if (!atomic_load(&engine->idlers)) return; /* each polls once more when it is done */
    rl_lock(&engine->lock);
    if (engine->watch) worker = engine->watch;
    else if (sim_engine_needs_watch(engine)) worker = pick_worker(engine);
    rl_unlock(&engine->lock);
    if (worker) sim_worker_wake(worker);
}

void sim_engine_wake_helper(struct engine *engine)
{
    struct worker *worker = NULL;
    rl_lock(&engine->lock);
    if (!engine->helper_woken && !engine->stopping) {
        engine->helper_woken = true;
        if (engine->spinning) atomic_fetch_add(&engine->work_events, 1);
        else worker = engine->watch ? engine->watch : pick_worker(engine);
    }
    rl_unlock(&engine->lock);
    if (worker) sim_worker_wake(worker);
}

struct worker *sim_engine_pick_helper(struct engine *engine)
{
    if (engine->stopping) return NULL;
    bool more = engine->idle || engine->started < engine->workers_max;
    return more ? pick_worker(engine) : engine->watch;
}

/* ---- The engine ------------------------------------------------------------ */

rill_status sim_engine_create(struct sim_platform *platform,
                              const struct work_source *const *sources, int workers,
                              struct engine **out)
{
    struct engine *engine = rl_zalloc_lines(sizeof *engine);
    if (!engine) return RILL_ERROR_OUT_OF_MEMORY;
    rl_fence_init();
    engine->platform = platform;
    engine->now = sim_engine_real_now;
    engine->sources = sources;
    engine->workers_max = workers;
    atomic_init(&engine->idlers, (unsigned)workers);
    engine->workers = rl_zalloc_lines((size_t)workers * sizeof *engine->workers);
    if (!engine->workers) {
        rl_free(engine);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    rl_lock(&engine->lock);
    rill_status status = start_worker(engine);
    rl_unlock(&engine->lock);
    if (status) {
        rl_free(engine->workers);
        rl_free(engine);
        return rill_backend_fail(status, NULL, "there is no thread for the simulator's first "
                                 "worker");
    }
    *out = engine;
    return RILL_SUCCESS;
}

/* Tells the workers to end.  Returns how many there are. */
static int stop_workers(struct engine *engine)
{
    sim_watchdog_stop(engine);
    rl_lock(&engine->lock);
    engine->stopping = true; /* workers that are about to sleep see it first */
    int started = engine->started;
    engine->idle = NULL;
    rl_unlock(&engine->lock);
    for (int i = 0; i < started; i++) sim_worker_wake(&engine->workers[i]);
    return started;
}

/* Joins all workers, which were told to end. */
static void join_workers(struct engine *engine, int started)
{
    /* Until the last one ends, one may be about to wake another. */
    for (int i = 0; i < started; i++)
        if (!engine->workers[i].joined) pthread_join(engine->workers[i].thread, NULL);
    engine->started = 0;
}

void sim_engine_steer(struct engine *engine, struct steering *steering)
{
    join_workers(engine, stop_workers(engine));
    engine->steering = steering;
    engine->workers_max = 1; /* no work is shared */
    atomic_fetch_add(&engine->watched, 1); /* nobody is woken for what is listed: nothing is */
    sim_engine_set_attention(engine, ATTEND_STEERED, true);
}

bool sim_engine_abandon(struct engine *engine, uint64_t patience_ns)
{
    int started = stop_workers(engine), left = 0;
    struct timespec end = rl_in(patience_ns);
    for (int i = 0; i < started; i++) {
        struct worker *worker = &engine->workers[i];
        if (!worker->joined) worker->joined = rl_join_until(worker->thread, &end);
        left += !worker->joined;
    }
    if (left) return false;
    rl_lock(&engine->lock);
    engine->started = 0;
    rl_unlock(&engine->lock);
    return true;
}

void sim_engine_destroy(struct engine *engine)
{
    join_workers(engine, stop_workers(engine));
    rl_lock(&engine->lock);
    sim_engine_has_ready(engine); /* drops stale entries */
    rl_unlock(&engine->lock);
    sim_watchdog_free(engine);
    rl_free(engine->workers);
    rl_free(engine);
}
