/* SPDX-License-Identifier: Apache-2.0
 *
 * How a takeover is agreed on.  Before each node the runner stores its place in
 * `at` and looks at `stop`; the taker sets `stop`, makes all processors fence
 * (base/fence.h), and reads `at`.  So either the runner has seen `stop`, or the
 * taker sees the last place that the runner can have begun.  The taker takes
 * what is behind it, and says so in `limit`; the runner, once it sees `stop`,
 * waits for that and goes on up to there.
 */
#include "backend-sim/solo.h"

#include <sched.h>

#include "backend-sim/gang.h"
#include "base/fence.h"
#include "base/park.h"
#include "base/thread.h"

/* A program runs for so long before others take from it ... */
#define PATIENCE_NS 20000u

/* ... and where a second one would not help, on a device with a single worker or
 * in a program of one long chain, only if it stood at one place for so long. */
#define STUCK_NS 10000000u

struct solo {
    _Alignas(64) atomic_uint at; /* the runner's                          */
    atomic_uint stop;
    struct program *program;
    struct launch *launch;

    struct solo *next, *previous; /* engine's solos_lock                  */
    bool listed;                  /* the same                             */
    uint64_t noticed_ns;          /* by who looks on; 0: never; the same  */
    uint32_t noticed_at;

    atomic_bool settled;          /* the taker has said what it takes:    */
    uint32_t limit;               /* ... from here on                     */
    struct gang *gang;            /* ... into this, where the runner has seat 0;
                                     NULL: nothing                        */
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

static uint32_t run_from(struct solo *solo, uint32_t place, const atomic_uint *attention)
{
    const struct entry *entries = solo->program->entries;
    uint32_t end = solo->program->count;
    for (; place < end; place++) {
        /* Release: who takes over may run what depends on nodes before. */
        atomic_store_explicit(&solo->at, place, memory_order_release);
        rl_fence_often();
        if (atomic_load_explicit(&solo->stop, memory_order_relaxed)) break;
        if (atomic_load_explicit(attention, memory_order_relaxed) & ATTEND_FAULT) return end;
        entries[place].fn(entries[place].arg);
    }
    return place;
}

/* ---- Who runs --------------------------------------------------------------- */

static void list(struct engine *engine, struct solo *solo)
{
    rl_lock(&engine->solos_lock);
    solo->next = engine->solos;
    if (engine->solos) engine->solos->previous = solo;
    engine->solos = solo;
    solo->listed = true;
    rl_unlock(&engine->solos_lock);
    /* Somebody must look on from time to time. */
    if (!atomic_load(&engine->watched)) sim_engine_hurry(engine);
}

static void unlink(struct engine *engine, struct solo *solo)
{
    if (solo->previous) solo->previous->next = solo->next;
    else engine->solos = solo->next;
    if (solo->next) solo->next->previous = solo->previous;
    solo->listed = false;
}

/* True when nobody takes over: the runner is done with it. */
static bool unlist(struct engine *engine, struct solo *solo)
{
    rl_lock(&engine->solos_lock);
    bool listed = solo->listed;
    if (listed) unlink(engine, solo);
    rl_unlock(&engine->solos_lock);
    return listed;
}

static void await_settled(struct solo *solo)
{
    for (int i = 0; !atomic_load_explicit(&solo->settled, memory_order_acquire); i++) {
        if (i < 100) rl_relax();
        else sched_yield();
    }
}

/* Apart, since it wants much of the stack. */
__attribute__((noinline))
static struct gang *run_listed(struct engine *engine, struct program *program, uint32_t *seat)
{
    struct solo solo = { .program = program, .launch = sim_launch_here };
    list(engine, &solo);
    uint32_t place = run_from(&solo, 0, &engine->attention);
    if (unlist(engine, &solo)) return NULL;
    /* Somebody took over; what is before the limit is still ours. */
    await_settled(&solo);
    for (; place < solo.limit; place++)
        if (!sim_launch_failed()) program->entries[place].fn(program->entries[place].arg);
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

static bool is_due(const struct engine *engine, struct solo *solo, uint64_t now)
{
    uint32_t at = atomic_load_explicit(&solo->at, memory_order_relaxed);
    bool single = engine->workers_max == 1 || solo->program->pace == PACE_NARROW;
    if (!solo->noticed_ns || (single && solo->noticed_at != at)) {
        solo->noticed_ns = now;
        solo->noticed_at = at;
        return false;
    }
    return now - solo->noticed_ns >= (single ? STUCK_NS : PATIENCE_NS);
}

/* Under solos_lock. */
static struct solo *find_due(struct engine *engine, const struct point *until)
{
    uint64_t now = engine->solos ? rl_monotonic_ns() : 0;
    for (struct solo *solo = engine->solos; solo; solo = solo->next)
        if (sim_launch_comes_before(solo->launch, until) && is_due(engine, solo, now)) return solo;
    return NULL;
}

static struct solo *take_due(struct engine *engine, const struct point *until)
{
    rl_lock(&engine->solos_lock);
    struct solo *due = find_due(engine, until);
    if (due) unlink(engine, due);
    rl_unlock(&engine->solos_lock);
    return due;
}

bool sim_solo_is_due(struct engine *engine)
{
    rl_lock(&engine->solos_lock);
    bool due = find_due(engine, NULL);
    rl_unlock(&engine->solos_lock);
    return due;
}

bool sim_solo_listed(struct engine *engine)
{
    rl_lock(&engine->solos_lock);
    bool listed = engine->solos;
    rl_unlock(&engine->solos_lock);
    return listed;
}

bool sim_solo_take_over(struct engine *engine, const struct point *until)
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
        gang = sim_gang_begin_behind(engine, program, solo->launch, at, &seat);
    solo->limit = gang ? at + 1 : program->count;
    solo->gang = gang;
    /* From here on the runner may be gone, and `solo` with it. */
    atomic_store_explicit(&solo->settled, true, memory_order_release);
    if (!gang) return false;
    /* This thread looks at nothing else from now on. */
    if (!atomic_load(&engine->watched)) sim_engine_hurry(engine);
    sim_gang_help(gang, seat);
    return true;
}
