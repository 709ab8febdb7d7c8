/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/worker.h"

#include "backend-sim/scheduler/polled.h"
#include "base/park.h"
#include "base/thread.h"

/* How long the watch sleeps between two looks: short while it finds work, then
 * longer; and how long it stays when nothing was listed at all. */
#define POLL_SHORT_NS 50000u
#define POLL_LONG_NS 200000u
#define WATCH_ENDS_NS 50000000u

/* The same while all that runs calls for help by itself: the watch only looks whether
 * any of it stands still, and each look takes a processor away from a thread that works,
 * and keeps those waiting that need what that thread does. */
#define SLOW_POLL_SHORT_NS 2000000u
#define SLOW_POLL_LONG_NS 16000000u

/* After so many operations a worker lets others of the strand's priority go
 * first. */
#define OPERATIONS_MOST 4096u

/* A worker that has caught up with the thread that submits leaves a few operations to
 * the watch: the two would only get in each other's way.  So it is while operations are
 * short, and only after so many of them, since a interval is as long as these. */
#define SERIES_OPERATIONS 256u
#define SHORT_OPERATION_NS 1000u
#define FEW_STRANDS 4

/* After shared work a worker looks so often for the next before it rests: graphs are
 * launched again and again. */
#define SPINS_AFTER_WORK 4000u

_Thread_local bool sim_is_worker;

/* ---- Work ----------------------------------------------------------------- */

/* After shared work: stays awake for a moment, in case there is more of it. */
static void spin_after_work(struct engine *engine)
{
    unsigned events = atomic_load(&engine->work_events);
    rl_lock(&engine->lock);
    engine->spinning++;
    atomic_fetch_add(&engine->watched, 1);
    bool stay = !engine->occupied && !engine->stopping && !sim_work_wants(engine);
    rl_unlock(&engine->lock);
    for (unsigned i = 0; stay && i < SPINS_AFTER_WORK; i++) {
        if (atomic_load_explicit(&engine->work_events, memory_order_relaxed) != events) break;
        rl_relax();
    }
    rl_lock(&engine->lock);
    engine->spinning--;
    engine->helper_woken = false;
    atomic_fetch_sub(&engine->watched, 1); /* now the worker looks at the list */
    rl_unlock(&engine->lock);
}

/* Whether what is listed is no more than what was submitted while the worker ran all that
 * there was before.  Under the engine's lock. */
static bool has_caught_up(struct engine *engine, const struct worker *worker)
{
    if (worker->ran < SERIES_OPERATIONS || engine->occupied & (engine->occupied - 1)) return false;
    uint64_t pending = 0;
    const struct strand *strand =
        engine->occupied ? engine->ready[__builtin_ctz(engine->occupied)].first : NULL;
    for (int i = 0; strand && i < FEW_STRANDS; i++, strand = strand->ready_next)
        pending += sim_strand_pending(strand);
    return !strand && pending < STRAND_FEW &&
           sim_engine_now(engine) - worker->since < worker->ran * SHORT_OPERATION_NS;
}

/* Takes the next strand.  When more are left than this worker can run, or
 * values must be polled, and nobody would notice, calls somebody. */
static struct strand *take_strand(struct engine *engine, const struct worker *worker)
{
    struct worker *other = NULL;
    rl_lock(&engine->lock);
    struct strand *strand = has_caught_up(engine, worker) ? NULL : sim_engine_take_ready(engine);
    if (strand) other = sim_engine_pick_relief(engine);
    else engine->helper_woken = false; /* the worker looks for shared work next */
    rl_unlock(&engine->lock);
    if (other) sim_worker_wake(other);
    return strand;
}

/* Sleeps until the worker is woken, which may have happened before. */
static void sleep_idle(struct worker *worker)
{
    while (!atomic_exchange(&worker->futex_word, 0)) rl_park(&worker->futex_word, 0, RL_FOREVER);
}

enum watched { WATCH_WORK, WATCH_NOTHING, WATCH_STALE, WATCH_SLOWLY };

/* One look of the watch.  What is due is only seen here and taken afterwards: that may
 * take any time. */
static enum watched poll_work(struct engine *engine, bool *stopping)
{
    bool polled = atomic_load(&engine->attention) & ATTEND_POLLED;
    if (polled) sim_engine_poll(engine);
    rl_lock(&engine->lock);
    bool stale = engine->occupied != 0;
    bool work = sim_engine_has_ready(engine) || sim_work_wants(engine);
    enum work_runs runs = sim_work_runs(engine);
    *stopping = engine->stopping;
    rl_unlock(&engine->lock);
    if (!work && !*stopping) work = runs && sim_work_is_due(engine);
    if (work) return WATCH_WORK;
    if (stale || polled || runs == WORK_WATCHED) return WATCH_STALE;
    return runs ? WATCH_SLOWLY : WATCH_NOTHING;
}

/* On watch: looks and sleeps by turns until there is work, or long enough
 * nothing.  Whoever lists a strand meanwhile need not wake anybody, but while the
 * watch slow: it looks once more after it has said so, before it sleeps for longer. */
static void keep_watch(struct engine *engine, struct worker *worker)
{
    uint64_t interval = POLL_SHORT_NS, quiet = 0;
    bool slow = false;
    atomic_fetch_add(&engine->watched, 1);
    while (quiet < WATCH_ENDS_NS) {
        /* A interval before the first look: see has_caught_up(). */
        if (!atomic_exchange(&worker->futex_word, 0)) rl_park(&worker->futex_word, 0, interval);
        atomic_store(&worker->futex_word, 0);
        bool stopping;
        enum watched found = poll_work(engine, &stopping);
        if (stopping || found == WATCH_WORK) break;
        quiet = found == WATCH_NOTHING ? quiet + interval : 0;
        if (slow != (found == WATCH_SLOWLY)) {
            slow = !slow;
            if (slow) atomic_fetch_sub(&engine->watched, 1);
            else atomic_fetch_add(&engine->watched, 1);
            interval = POLL_SHORT_NS;
        } else if (slow && interval < SLOW_POLL_SHORT_NS) {
            interval = SLOW_POLL_SHORT_NS;
        } else if (interval < (slow ? SLOW_POLL_LONG_NS : POLL_LONG_NS)) {
            interval *= 2;
        }
    }
    if (!slow) atomic_fetch_sub(&engine->watched, 1);
}

/* The worker comes back from its rest.  Under the engine's lock. */
static void end_rest(struct engine *engine)
{
    atomic_fetch_sub(&engine->idlers, 1);
    engine->helper_woken = false;
}

/* Takes the worker off the idle list if it is still there, since a wake that was meant for its
 * watch may come later.  Requires engine->lock. */
static void leave_idle(struct engine *engine, struct worker *worker)
{
    struct worker **link = &engine->idle;
    while (worker->idle && *link && *link != worker) link = &(*link)->idle_next;
    if (worker->idle && *link) *link = worker->idle_next;
    worker->idle = false;
}

/* Nothing to run: takes the watch if nobody has it, else goes to sleep. */
static bool rest_worker(struct engine *engine, struct worker *worker)
{
    rl_lock(&engine->lock);
    bool stopping = engine->stopping;
    bool on_watch = !engine->watch && !worker->rested;
    if (stopping) {
        rl_unlock(&engine->lock);
        return false;
    }
    if (on_watch) {
        engine->watch = worker;
        atomic_fetch_add(&engine->idlers, 1);
        rl_unlock(&engine->lock);
        keep_watch(engine, worker);
        rl_lock(&engine->lock);
        end_rest(engine);
        engine->watch = NULL;
        /* What was listed while this one was among the watching is ours to see. */
        worker->rested = !sim_engine_needs_watch(engine);
        rl_unlock(&engine->lock);
        return true;
    }
    /* Counted, then the last look: sim_engine_wake_worker() may have found nobody. */
    atomic_fetch_add(&engine->idlers, 1);
    if (!engine->watch && sim_engine_needs_watch(engine)) {
        end_rest(engine);
        worker->rested = false;
        rl_unlock(&engine->lock);
        return true;
    }
    worker->idle_next = engine->idle;
    engine->idle = worker;
    worker->idle = true;
    rl_unlock(&engine->lock);
    sleep_idle(worker);
    rl_lock(&engine->lock);
    leave_idle(engine, worker);
    end_rest(engine);
    rl_unlock(&engine->lock);
    worker->rested = false;
    return true;
}

void *sim_worker_main(void *data)
{
    struct worker *worker = data;
    struct engine *engine = worker->engine;
    sim_is_worker = true;
    for (;;) {
        struct strand *strand = take_strand(engine, worker);
        if (strand) {
            worker->rested = false;
            if (!worker->ran) worker->since = sim_engine_now(engine);
            worker->ran += sim_strand_run(strand, STRAND_NO_LIMIT, OPERATIONS_MOST);
            continue;
        }
        worker->ran = 0;
        if (sim_work_help(engine, NULL)) {
            worker->rested = false;
            spin_after_work(engine);
            continue;
        }
        if (!rest_worker(engine, worker)) break;
    }
    return NULL;
}
