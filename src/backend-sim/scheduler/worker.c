/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/worker.h"

#include "backend-sim/scheduler/polled.h"
#include "base/park.h"
#include "base/thread.h"

/* How long the watch sleeps between two polls: short while it finds work, then longer; and how
 * long a watch lasts when nothing is listed at all. */
#define POLL_SHORT_NS 50000u
#define POLL_LONG_NS 200000u
#define WATCH_ENDS_NS 50000000u

/* The same while all work that runs wakes helpers by itself: the watch then only checks whether
 * any of it stands still, and each poll takes a processor away from a thread that works, and
 * delays others that need what that thread does. */
#define SLOW_POLL_SHORT_NS 2000000u
#define SLOW_POLL_LONG_NS 16000000u

/* After so many operations a worker lets other strands of the same priority go first. */
#define OPERATIONS_MOST 4096u

/* A worker that has caught up with the thread that submits leaves a few operations to the watch,
 * since the two would only get in each other's way.  It does so while operations are short, and
 * only after so many of them, since the watch's sleep is as long as these take. */
#define SERIES_OPERATIONS 256u
#define SHORT_OPERATION_NS 1000u
#define FEW_STRANDS 4

/* How often a worker checks for more shared work before it rests: graphs are launched again and
 * again. */
#define SPINS_AFTER_WORK 4000u

_Thread_local bool sim_is_worker;

/* ---- Work ----------------------------------------------------------------- */

/* Returns whether the worker is the one of those that spin that goes and looks at the list: if all
 * did they would be in each other's way there, and in that of a thread that begins a launch. */
static bool is_called(struct engine *engine)
{
    if (!atomic_load_explicit(&engine->occupied, memory_order_relaxed)) return false;
    if (atomic_load_explicit(&engine->spinner_called, memory_order_relaxed)) return false;
    return !atomic_exchange(&engine->spinner_called, true);
}

/* A worker that goes and looks spends as many spins as that takes, so that one for whom there is no
 * place in launches that follow each other closely rests after a while, too. */
#define SPINS_OF_A_LOOK 64u

static void take_spins(struct worker *worker, unsigned count)
{
    worker->spins -= count < worker->spins ? count : worker->spins;
}

/* Takes no lock: all members of a gang come here at once, while the thread that launches needs the
 * lock for the next one. */
void sim_worker_spin(struct engine *engine, struct worker *worker, unsigned events)
{
    atomic_fetch_add(&engine->spinning, 1);
    atomic_fetch_add(&engine->watched, 1);
    while (worker->spins) {
        const bool news =
            atomic_load_explicit(&engine->work_events, memory_order_relaxed) != events;
        worker->called = !news && is_called(engine);
        take_spins(worker, news || worker->called ? SPINS_OF_A_LOOK : 1);
        if (news || worker->called) break;
        rl_relax();
    }
    atomic_fetch_sub(&engine->spinning, 1);
    atomic_store(&engine->helper_woken, false);
    atomic_fetch_sub(&engine->watched, 1); /* the worker polls the list next */
}

/* The next one of those that spin may look. */
static void has_looked(struct engine *engine, struct worker *worker)
{
    if (!worker->called) return;
    worker->called = false;
    atomic_store(&engine->spinner_called, false);
}

/* Tells whether the list holds no more than what was submitted while the worker ran all that was
 * there before.  Requires engine->lock. */
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

/* Takes the next strand.  Wakes another worker if more strands are left, or values must be polled,
 * and no worker is on watch. */
static struct strand *take_strand(struct engine *engine, const struct worker *worker)
{
    struct worker *other = NULL;
    /* Before it rests a worker looks again, under the lock. */
    if (!atomic_load_explicit(&engine->occupied, memory_order_relaxed)) {
        atomic_store(&engine->helper_woken, false);
        return NULL;
    }
    rl_lock(&engine->lock);
    struct strand *strand = has_caught_up(engine, worker) ? NULL : sim_engine_take_ready(engine);
    if (strand) other = sim_engine_pick_relief(engine);
    else engine->helper_woken = false; /* the worker asks for shared work next */
    rl_unlock(&engine->lock);
    if (other) sim_worker_wake(other);
    return strand;
}

/* Sleeps until the worker is woken, which may have happened before. */
static void sleep_idle(struct worker *worker)
{
    atomic_store(&worker->rests, true);
    while (!atomic_exchange(&worker->futex_word, 0)) rl_park(&worker->futex_word, 0, RL_FOREVER);
    atomic_store(&worker->rests, false);
}

/* Sleeps until the worker is woken, or for some time. */
static void nap_on_watch(struct worker *worker, uint64_t timeout_ns)
{
    atomic_store(&worker->rests, true);
    if (!atomic_exchange(&worker->futex_word, 0)) rl_park(&worker->futex_word, 0, timeout_ns);
    atomic_store(&worker->futex_word, 0);
    atomic_store(&worker->rests, false);
}

enum watched { WATCH_WORK, WATCH_NOTHING, WATCH_STALE, WATCH_SLOWLY };

/* One poll of the watch.  Work that is due is only noticed here and taken afterwards, since that
 * may take any time. */
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

/* Keeps watch: polls and sleeps by turns until there is work, or was none for long.  A thread
 * that lists a strand need not wake any worker then, unless the watch polls slowly: the watch
 * polls once more after it has said so, before it sleeps for longer. */
static void keep_watch(struct engine *engine, struct worker *worker)
{
    uint64_t interval = POLL_SHORT_NS, quiet = 0;
    bool slow = false;
    atomic_fetch_add(&engine->watched, 1);
    while (quiet < WATCH_ENDS_NS) {
        /* Sleeps before the first poll: see has_caught_up(). */
        nap_on_watch(worker, interval);
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

/* Counts the worker as back from its rest.  Requires engine->lock. */
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

/* Rests a worker that has nothing to run: takes the watch if no worker has it, else sleeps.
 * Returns false if the worker must end. */
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
        /* What was listed while this worker counted as watching, it must see itself. */
        worker->rested = !sim_engine_needs_watch(engine);
        rl_unlock(&engine->lock);
        return true;
    }
    /* Counts itself, then polls once more: sim_engine_wake_worker() may have found no idle
     * worker. */
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
    atomic_store(&worker->id, rl_thread_id());
    for (;;) {
        unsigned events = atomic_load(&engine->work_events);
        struct strand *strand = take_strand(engine, worker);
        has_looked(engine, worker);
        if (strand) {
            worker->rested = false;
            if (!worker->ran) worker->since = sim_engine_now(engine);
            worker->ran += sim_strand_run(strand, STRAND_NO_LIMIT, OPERATIONS_MOST);
            continue;
        }
        worker->ran = 0;
        if (sim_work_help(engine, NULL)) {
            worker->rested = false;
            worker->spins = SPINS_AFTER_WORK;
            continue;
        }
        if (worker->spins) {
            sim_worker_spin(engine, worker, events);
            continue;
        }
        if (!rest_worker(engine, worker)) break;
    }
    return NULL;
}
