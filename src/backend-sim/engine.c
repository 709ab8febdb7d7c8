/* SPDX-License-Identifier: Apache-2.0
 *
 * Workers, and the rule that wakes them (engine.h).
 */
#include "backend-sim/engine.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "backend-sim/gang.h"
#include "backend-sim/share.h"
#include "backend-sim/solo.h"
#include "base/alloc.h"
#include "base/fence.h"
#include "base/park.h"
#include "base/thread.h"

/* How long the watch sleeps between two looks: short while it finds work, then
 * longer; and how long it stays when nothing was listed at all. */
#define NAP_SHORT_NS 50000u
#define NAP_LONG_NS 200000u
#define WATCH_ENDS_NS 50000000u

/* The same while gangs are all that there is to look at: they call for help
 * themselves, so it only looks whether one of them stands still, and each look takes
 * a processor away from somebody who works. */
#define NAP_GANGS_NS 2000000u

/* After so many operations a worker lets others of the strand's priority go
 * first. */
#define BUDGET 4096u

/* A worker that has caught up with the thread that submits leaves fewer
 * operations than this to the watch: the two would only get in each other's way. */
#define WORTH_TAKING 64u

/* After work in a gang a worker looks so often for the next one before it rests:
 * graphs are launched again and again. */
#define LINGERS 4000u

void sim_engine_attend(struct engine *engine, unsigned bit, bool on)
{
    if (on) atomic_fetch_or(&engine->attention, bit);
    else atomic_fetch_and(&engine->attention, ~bit);
}

/* ---- Workers -------------------------------------------------------------- */

static void ring(struct engine *engine, struct worker *worker)
{
    atomic_fetch_add_explicit(&engine->wakes, 1, memory_order_relaxed);
    atomic_store(&worker->bell, 1);
    rl_unpark(&worker->bell, 1);
}

static void *worker_main(void *data);

_Thread_local bool sim_is_worker;

/* Whether something is to be run, or looked at now and then: also a program, which
 * may stand still until somebody takes a part of it.  Under the engine's lock. */
static bool needs_watch(struct engine *engine)
{
    return sim_engine_has_ready(engine) || (atomic_load(&engine->attention) & ATTEND_VALUES) ||
           engine->gangs || sim_solo_listed(engine);
}

/* The same, or a gang has more to do than its members can. */
static bool needs_eyes(struct engine *engine)
{
    return needs_watch(engine) || sim_gang_wanted(engine);
}

/* Starts one more worker; under the engine's lock. */
static rill_status start_worker(struct engine *engine)
{
    struct worker *worker = rl_zalloc_lines(sizeof *worker);
    if (!worker) return RILL_ERROR_OUT_OF_MEMORY;
    worker->engine = engine;
    /* A library's threads leave the program's signals to its own. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = pthread_create(&worker->thread, NULL, worker_main, worker);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed) {
        rl_free(worker);
        return RILL_ERROR_OPERATING_SYSTEM;
    }
    engine->workers[engine->started++] = worker;
    atomic_fetch_sub(&engine->idlers, 1);
    return RILL_SUCCESS;
}

/* Under the engine's lock, when something is listed and nobody is on watch:
 * the worker to ring once the lock is free, or NULL. */
static struct worker *summon(struct engine *engine)
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

void sim_engine_list(struct engine *engine, struct strand *strand)
{
    rl_lock(&engine->lock);
    struct ready_list *list = &engine->ready[strand->priority];
    if (list->last) list->last->ready_next = strand;
    else list->first = strand;
    list->last = strand;
    engine->occupied |= 1u << strand->priority;
    rl_unlock(&engine->lock);
}

void sim_engine_hurry(struct engine *engine)
{
    struct worker *worker = NULL;
    if (!atomic_load(&engine->idlers)) return; /* each looks once more when it is done */
    rl_lock(&engine->lock);
    if (engine->watch) worker = engine->watch;
    else if (needs_eyes(engine)) worker = summon(engine);
    rl_unlock(&engine->lock);
    if (worker) ring(engine, worker);
}

/* ---- Gangs ------------------------------------------------------------------ */

void sim_engine_call(struct engine *engine)
{
    struct worker *worker = NULL;
    rl_lock(&engine->lock);
    if (!engine->called && !engine->stopping) {
        engine->called = true;
        if (engine->lingering) atomic_fetch_add(&engine->news, 1);
        else worker = engine->watch ? engine->watch : summon(engine);
    }
    rl_unlock(&engine->lock);
    if (worker) ring(engine, worker);
}

void sim_engine_list_gang(struct engine *engine, struct gang *gang)
{
    gang->previous = NULL;
    gang->next = engine->gangs;
    if (engine->gangs) engine->gangs->previous = gang;
    engine->gangs = gang;
    atomic_fetch_add(&engine->news, 1);
}

void sim_engine_unlist_gang(struct engine *engine, struct gang *gang)
{
    if (gang->previous) gang->previous->next = gang->next;
    else engine->gangs = gang->next;
    if (gang->next) gang->next->previous = gang->previous;
}

/* Joins a gang that has more to do than its members can; false: there is none. */
static bool help_gang(struct engine *engine)
{
    uint32_t seat;
    struct worker *other = NULL;
    rl_lock(&engine->lock);
    engine->called = false;
    struct gang *gang = engine->gangs ? sim_gang_choose(engine, NULL, &seat) : NULL;
    if (gang && !engine->watch && needs_watch(engine)) other = summon(engine);
    rl_unlock(&engine->lock);
    if (other) ring(engine, other);
    if (gang) sim_gang_help(gang, seat);
    return gang;
}

/* After a gang: stays awake for a moment, in case there is another or more to do. */
static void linger(struct engine *engine)
{
    unsigned news = atomic_load(&engine->news);
    rl_lock(&engine->lock);
    engine->lingering++;
    atomic_fetch_add(&engine->watched, 1);
    bool stay = !engine->occupied && !engine->stopping && !sim_gang_wanted(engine);
    rl_unlock(&engine->lock);
    for (unsigned i = 0; stay && i < LINGERS; i++) {
        if (atomic_load_explicit(&engine->news, memory_order_relaxed) != news) break;
        rl_relax();
    }
    rl_lock(&engine->lock);
    engine->lingering--;
    engine->called = false;
    atomic_fetch_sub(&engine->watched, 1); /* now the worker looks at the list */
    rl_unlock(&engine->lock);
}

/* Whether nothing is to be run but the strand that the worker has just caught up
 * with, and little of that.  Under the engine's lock. */
static bool caught_up(struct engine *engine, const struct worker *worker)
{
    const struct strand *last = worker->last;
    if (!last || engine->occupied != 1u << worker->last_priority) return false;
    const struct ready_list *list = &engine->ready[worker->last_priority];
    return list->first == last && list->last == last &&
           sim_strand_pending(list->first) < WORTH_TAKING;
}

/* Takes the next strand.  When more are left than this worker can run, or
 * values must be polled, and nobody would notice, calls somebody. */
static struct strand *take(struct engine *engine, const struct worker *worker)
{
    struct worker *other = NULL;
    rl_lock(&engine->lock);
    struct strand *strand = caught_up(engine, worker) ? NULL : sim_engine_choose(engine);
    if (strand && !engine->watch && needs_eyes(engine)) other = summon(engine);
    rl_unlock(&engine->lock);
    if (other) ring(engine, other);
    return strand;
}

/* Sleeps until rung.  The bell may have rung before. */
static void sleep_idle(struct worker *worker)
{
    while (!atomic_exchange(&worker->bell, 0)) rl_park(&worker->bell, 0, RL_FOREVER);
}

enum watched { WATCH_WORK, WATCH_NOTHING, WATCH_STALE, WATCH_GANGS };

/* One look of the watch. */
static enum watched look(struct engine *engine, bool *stopping)
{
    bool values = atomic_load(&engine->attention) & ATTEND_VALUES;
    if (values) sim_engine_poll_values(engine);
    rl_lock(&engine->lock);
    bool stale = engine->occupied != 0;
    bool work = sim_engine_has_ready(engine) || sim_gang_wanted(engine);
    bool gangs = engine->gangs;
    *stopping = engine->stopping;
    rl_unlock(&engine->lock);
    bool solos = sim_solo_listed(engine);
    if (!work && !*stopping)
        work = (solos && sim_solo_is_due(engine)) || (gangs && sim_share_is_due(engine));
    if (work) return WATCH_WORK;
    if (stale || values || solos) return WATCH_STALE;
    return gangs ? WATCH_GANGS : WATCH_NOTHING;
}

/* On watch: looks and sleeps by turns until there is work, or long enough
 * nothing.  Whoever lists a strand meanwhile need not wake anybody, but while the
 * watch dozes: it looks once more after it has said so, before it sleeps for longer. */
static void watch(struct engine *engine, struct worker *worker)
{
    uint64_t nap = NAP_SHORT_NS, quiet = 0;
    bool dozes = false;
    atomic_fetch_add(&engine->watched, 1);
    while (quiet < WATCH_ENDS_NS) {
        /* A nap before the first look: see WORTH_TAKING. */
        if (!atomic_exchange(&worker->bell, 0)) rl_park(&worker->bell, 0, nap);
        atomic_store(&worker->bell, 0);
        bool stopping;
        enum watched found = look(engine, &stopping);
        if (stopping || found == WATCH_WORK) break;
        quiet = found == WATCH_NOTHING ? quiet + nap : 0;
        if (dozes != (found == WATCH_GANGS)) {
            dozes = !dozes;
            if (dozes) atomic_fetch_sub(&engine->watched, 1);
            else atomic_fetch_add(&engine->watched, 1);
            nap = NAP_SHORT_NS;
        } else if (dozes) {
            nap = NAP_GANGS_NS;
        } else if (nap < NAP_LONG_NS) {
            nap *= 2;
        }
    }
    if (!dozes) atomic_fetch_sub(&engine->watched, 1);
}

/* The worker comes back from its rest.  Under the engine's lock. */
static void come_back(struct engine *engine)
{
    atomic_fetch_sub(&engine->idlers, 1);
    engine->called = false;
}

/* A ring that was meant for the worker's watch may wake it later: then it is still
 * among the idle.  Under the engine's lock. */
static void leave_idle(struct engine *engine, struct worker *worker)
{
    struct worker **link = &engine->idle;
    while (worker->idle && *link && *link != worker) link = &(*link)->idle_next;
    if (worker->idle && *link) *link = worker->idle_next;
    worker->idle = false;
}

/* Nothing to run: takes the watch if nobody has it, else goes to sleep. */
static bool rest(struct engine *engine, struct worker *worker)
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
        watch(engine, worker);
        rl_lock(&engine->lock);
        come_back(engine);
        engine->watch = NULL;
        /* What was listed while this one was among the watching is ours to see. */
        worker->rested = !needs_eyes(engine);
        rl_unlock(&engine->lock);
        return true;
    }
    /* Counted, then the last look: sim_engine_hurry() may have found nobody. */
    atomic_fetch_add(&engine->idlers, 1);
    if (!engine->watch && needs_eyes(engine)) {
        come_back(engine);
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
    come_back(engine);
    rl_unlock(&engine->lock);
    worker->rested = false;
    return true;
}

static void *worker_main(void *data)
{
    struct worker *worker = data;
    struct engine *engine = worker->engine;
    sim_is_worker = true;
    for (;;) {
        struct strand *strand = take(engine, worker);
        if (strand) {
            worker->rested = false;
            worker->last = strand;
            worker->last_priority = strand->priority;
            sim_strand_run(strand, UINT64_MAX, BUDGET);
            continue;
        }
        worker->last = NULL;
        if (help_gang(engine) || sim_solo_take_over(engine, NULL) ||
            sim_share_take(engine, NULL)) {
            worker->rested = false;
            linger(engine);
            continue;
        }
        if (!rest(engine, worker)) break;
    }
    return NULL;
}

/* ---- The engine ------------------------------------------------------------ */

rill_status sim_engine_create(struct sim_platform *platform, int workers, struct engine **out)
{
    struct engine *engine = rl_zalloc_lines(sizeof *engine);
    if (!engine) return RILL_ERROR_OUT_OF_MEMORY;
    rl_fence_init();
    engine->platform = platform;
    engine->workers_max = workers;
    atomic_init(&engine->idlers, (unsigned)workers);
    engine->workers = rl_zalloc((size_t)workers * sizeof *engine->workers);
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
        return rill_backend_fail(status, NULL, "there is %s for the simulator's first worker",
                                 status == RILL_ERROR_OUT_OF_MEMORY ? "no memory" : "no thread");
    }
    *out = engine;
    return RILL_SUCCESS;
}

/* Tells the workers to end, and how many there are. */
static int stop(struct engine *engine)
{
    rl_lock(&engine->lock);
    engine->stopping = true; /* workers that are about to sleep see it first */
    int started = engine->started;
    engine->idle = NULL;
    rl_unlock(&engine->lock);
    for (int i = 0; i < started; i++) ring(engine, engine->workers[i]);
    return started;
}

bool sim_engine_abandon(struct engine *engine, uint64_t patience_ns)
{
    struct timespec end;
    int started = stop(engine), left = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    uint64_t ns = (uint64_t)end.tv_nsec + patience_ns;
    end.tv_sec += (time_t)(ns / 1000000000u);
    end.tv_nsec = (long)(ns % 1000000000u);
    for (int i = 0; i < started; i++) {
        pthread_t thread = engine->workers[i]->thread;
        if (pthread_equal(thread, pthread_self()) || pthread_timedjoin_np(thread, NULL, &end))
            left++;
    }
    if (left) return false;
    for (int i = 0; i < started; i++) rl_free(engine->workers[i]);
    rl_lock(&engine->lock);
    engine->started = 0;
    rl_unlock(&engine->lock);
    return true;
}

void sim_engine_destroy(struct engine *engine)
{
    int started = stop(engine);
    /* Until the last one ends, one may be about to ring another. */
    for (int i = 0; i < started; i++) pthread_join(engine->workers[i]->thread, NULL);
    for (int i = 0; i < started; i++) rl_free(engine->workers[i]);
    rl_lock(&engine->lock);
    sim_engine_has_ready(engine); /* drops what is stale */
    rl_unlock(&engine->lock);
    rl_free(engine->workers);
    rl_free(engine);
}
