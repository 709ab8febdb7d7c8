/* SPDX-License-Identifier: Apache-2.0
 *
 * How runner and taker agree on what is split off.  Before each node the runner stores its
 * place in `at` and looks at `stop`; the taker sets `stop`, makes all processors fence
 * (base/fence.h), and reads `at`.  So either the runner has seen `stop`, or the taker sees the
 * last place that the runner can have begun.  The taker takes what comes after that place, and
 * says so in `limit`; the runner, once it sees `stop`, waits for `limit` and goes on up to
 * there.
 */
#include "backend-sim/program/solo.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan.h"
#include "base/fence.h"
#include "base/park.h"
#include "base/thread.h"

/* A program runs for so long before another thread splits it, unless it gets on so fast that
 * others would be in its way: then its next runs are measured (plan.h). */
#define PATIENCE_NS 20000u

/* If a second thread would not help, on a device with a single worker or in a program that is a
 * long chain or has fine-grained nodes, and if the runner's thread does not run at all, the
 * program is split only after it stood at one place for so long. */
#define STUCK_NS 10000000u

struct solo {
    _Alignas(64) atomic_uint at; /* the runner's                          */
    atomic_uint stop;
    struct program *program;
    struct launch *launch;
    pthread_t runner;

    struct solo *next, *previous; /* solos->lock                          */
    bool listed;                  /* solos->lock                          */
    bool fine_grained;            /* got on that fast; solos->lock        */
    uint64_t noticed_ns;          /* when a thread looked on; 0 if none did; solos->lock */
    uint64_t noticed_busy_ns;     /* the runner's processor time then; solos->lock */
    uint32_t noticed_at;          /* its place then; solos->lock          */

    atomic_bool settled;          /* the taker has said what it takes:    */
    uint32_t limit;               /* ... from here on                     */
    struct gang *gang;            /* ... into this, where the runner has seat 0;
                                     NULL if nothing was split off        */
};

/* ---- The loop --------------------------------------------------------------- */

static void run_line(const struct program *program, const atomic_uint *attention)
{
    const struct entry *entry = program->entries, *end = entry + program->count;
    for (; entry < end; entry++) {
        if (atomic_load_explicit(attention, memory_order_relaxed) & ATTEND_FAULT) break;
        entry->fn(entry->arg);
    }
}

static uint32_t run_untimed(struct solo *solo, const atomic_uint *attention)
{
    const struct entry *entries = solo->program->entries;
    uint32_t place = 0, end = solo->program->count;
    for (; place < end; place++) {
        /* Release: a taker may run what depends on nodes before. */
        atomic_store_explicit(&solo->at, place, memory_order_release);
        rl_fence_often();
        if (atomic_load_explicit(&solo->stop, memory_order_relaxed)) break;
        if (atomic_load_explicit(attention, memory_order_relaxed) & ATTEND_FAULT) return end;
        entries[place].fn(entries[place].arg);
    }
    return place;
}

/* Does the same, and notes what each node takes. */
static uint32_t run_timed(struct solo *solo, const atomic_uint *attention, bool first)
{
    struct program *program = solo->program;
    uint64_t before = rl_monotonic_ns();
    for (uint32_t place = 0; place < program->count; place++) {
        atomic_store_explicit(&solo->at, place, memory_order_release);
        rl_fence_often();
        if (atomic_load_explicit(&solo->stop, memory_order_relaxed)) return place;
        if (atomic_load_explicit(attention, memory_order_relaxed) & ATTEND_FAULT) break;
        program->entries[place].fn(program->entries[place].arg);
        uint64_t now = rl_monotonic_ns();
        sim_plan_note(program, place, now - before, first);
        before = now;
    }
    return program->count;
}

/* ---- Who runs --------------------------------------------------------------- */

static void list_solo(struct engine *engine, struct solo *solo)
{
    struct solos *solos = engine->platform->solos;
    rl_lock(&solos->lock);
    solo->next = solos->running;
    if (solos->running) solos->running->previous = solo;
    solos->running = solo;
    solo->listed = true;
    rl_unlock(&solos->lock);
    /* A thread must look on from time to time. */
    if (!atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
}

/* Requires solos->lock. */
static void unlink_solo(struct solos *solos, struct solo *solo)
{
    if (solo->previous) solo->previous->next = solo->next;
    else solos->running = solo->next;
    if (solo->next) solo->next->previous = solo->previous;
    solo->listed = false;
}

/* Returns true if no thread took anything: the runner is done with it. */
static bool unlist_solo(struct engine *engine, struct solo *solo)
{
    struct solos *solos = engine->platform->solos;
    rl_lock(&solos->lock);
    bool listed = solo->listed;
    if (listed) unlink_solo(solos, solo);
    rl_unlock(&solos->lock);
    return listed;
}

static void await_settled(struct solo *solo)
{
    for (int i = 0; !atomic_load_explicit(&solo->settled, memory_order_acquire); i++) {
        if (i < 100) rl_relax();
        else sched_yield();
    }
}

/* A function of its own, since it needs much stack. */
__attribute__((noinline))
static struct gang *run_listed(struct engine *engine, struct program *program, uint32_t *seat)
{
    struct solo solo = { .program = program, .launch = sim_launch_here(),
                         .runner = pthread_self() };
    bool timed = program->run.schedule == SCHEDULE_MEASURE_SERIAL && sim_plan_make_room(program);
    bool first = !program->run.measured; /* a taker begins to measure again */
    uint64_t began = sim_plan_times_run(program) ? rl_monotonic_ns() : 0;
    list_solo(engine, &solo);
    uint32_t place = timed ? run_timed(&solo, &engine->attention, first)
                           : run_untimed(&solo, &engine->attention);
    if (unlist_solo(engine, &solo)) {
        if (timed) sim_plan_judge(program, sim_gang_threads(engine));
        else if (solo.fine_grained) sim_plan_measure(program, true);
        else if (began) sim_plan_timed(program, engine, rl_monotonic_ns() - began);
        return NULL;
    }
    /* A thread took the rest; what is before the limit is still ours. */
    await_settled(&solo);
    for (; place < solo.limit; place++)
        if (!sim_run_failed()) program->entries[place].fn(program->entries[place].arg);
    if (!solo.gang) return NULL;
    *seat = 0;
    sim_gang_complete(solo.gang, 0, solo.limit - 1);
    return solo.gang;
}

struct gang *sim_solo_run(struct engine *engine, struct program *program, uint32_t *seat)
{
    if (!program->is_line) return run_listed(engine, program, seat);
    run_line(program, &engine->attention);
    return NULL;
}

/* ---- Who looks on ------------------------------------------------------------- */

/* Returns how long the runner's thread had a processor or, if that is not known, `now`. */
static uint64_t busy_ns(const struct solo *solo, uint64_t now)
{
    clockid_t clock;
    struct timespec busy;
    if (pthread_getcpuclockid(solo->runner, &clock) || clock_gettime(clock, &busy)) return now;
    return (uint64_t)busy.tv_sec * 1000000000u + (uint64_t)busy.tv_nsec;
}

/* Notes where the loop is.  Returns false: it is not due. */
static bool notice_progress(struct solo *solo, uint32_t at, uint64_t now)
{
    solo->noticed_ns = now;
    solo->noticed_busy_ns = busy_ns(solo, now);
    solo->noticed_at = at;
    return false;
}

/* Returns whether a second thread would not help. */
static bool is_best_alone(const struct engine *engine, const struct program *program)
{
    return engine->workers_max == 1 || program->run.schedule == SCHEDULE_SERIAL ||
           program->run.schedule == SCHEDULE_MEASURE_SERIAL;
}

/* Returns whether a thread may split the loop.  Other threads may keep the runner from its
 * processor: what counts is how far it got in the time that it had.  Requires solos->lock. */
static bool solo_is_due(const struct engine *engine, struct solo *solo, uint64_t now)
{
    uint32_t at = atomic_load_explicit(&solo->at, memory_order_relaxed);
    bool alone = is_best_alone(engine, solo->program);
    if (!solo->noticed_ns || (alone && solo->noticed_at != at))
        return notice_progress(solo, at, now);
    uint64_t since = now - solo->noticed_ns;
    if (alone || since < PATIENCE_NS) return since >= STUCK_NS;
    uint64_t busy = busy_ns(solo, now) - solo->noticed_busy_ns;
    uint32_t nodes = at - solo->noticed_at;
    if (!nodes) return busy >= PATIENCE_NS || since >= STUCK_NS;
    if (!sim_nodes_are_fine_grained(nodes, busy)) return true;
    solo->fine_grained = true;
    return notice_progress(solo, at, now);
}

/* Requires solos->lock. */
static struct solo *find_due(struct engine *engine, const struct point *until)
{
    struct solo *solo = engine->platform->solos->running;
    uint64_t now = solo ? rl_monotonic_ns() : 0;
    for (; solo; solo = solo->next)
        if (sim_run_comes_before(&solo->launch->context, until) && solo_is_due(engine, solo, now))
            return solo;
    return NULL;
}

static struct solo *take_due(struct engine *engine, const struct point *until)
{
    struct solos *solos = engine->platform->solos;
    if (!atomic_load_explicit(&solos->running, memory_order_relaxed)) return NULL;
    rl_lock(&solos->lock);
    struct solo *due = find_due(engine, until);
    if (due) unlink_solo(solos, due);
    rl_unlock(&solos->lock);
    return due;
}

static bool solos_are_due(struct engine *engine)
{
    struct solos *solos = engine->platform->solos;
    rl_lock(&solos->lock);
    bool due = find_due(engine, NULL);
    rl_unlock(&solos->lock);
    return due;
}

static bool solos_run(struct engine *engine)
{
    struct solos *solos = engine->platform->solos;
    rl_lock(&solos->lock);
    bool run = solos->running;
    rl_unlock(&solos->lock);
    return run;
}

static bool split_off(struct engine *engine, const struct point *until)
{
    struct solo *solo = take_due(engine, until);
    if (!solo) return false;
    struct program *program = solo->program;
    atomic_store(&solo->stop, 1);
    rl_fence_rarely();
    uint32_t at = atomic_load_explicit(&solo->at, memory_order_acquire);
    struct gang *gang = NULL;
    uint32_t seat;
    if (at + 1 < program->count)
        gang = sim_gang_begin_after(engine, program, solo->launch, at, &seat);
    solo->limit = gang ? at + 1 : program->count;
    solo->gang = gang;
    /* From here on the runner may be gone, and `solo` with it. */
    atomic_store_explicit(&solo->settled, true, memory_order_release);
    if (!gang) return false;
    /* This thread looks at nothing else from now on. */
    if (!atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
    sim_gang_help(gang, seat);
    return true;
}

const struct work_source sim_solos = {
    .runs = solos_run, .due = solos_are_due, .help = split_off,
};
