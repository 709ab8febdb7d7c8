/* SPDX-License-Identifier: Apache-2.0
 *
 * The agreement is that of solo.c: `at` and `stop`, and fences of which only the
 * taker's costs anything.
 */
#include "backend-sim/program/cluster_split.h"

#include "backend-sim/program/plan.h"
#include "base/alloc.h"
#include "base/fence.h"
#include "base/thread.h"

/* A node of a cluster stands still for so long before others take what is behind
 * it.  Clusters take a few microseconds. */
#define STILL_NS 200000u

/* A cluster in several hands. */
struct shared {
    atomic_uint parts; /* that are not done */
};

static void begin(struct seat *seat, const struct stretch *stretch)
{
    rl_spin_lock(&seat->lock);
    atomic_store_explicit(&seat->at, stretch->begin, memory_order_relaxed);
    atomic_store_explicit(&seat->stop, 0, memory_order_relaxed);
    seat->unit = stretch->unit;
    seat->end = stretch->end;
    seat->shared = stretch->shared;
    seat->noticed_ns = 0;
    rl_spin_unlock(&seat->lock);
}

/* What there is to do after all, and with whom. */
static void agree(struct seat *seat, struct stretch *stretch)
{
    rl_spin_lock(&seat->lock);
    stretch->end = seat->end;
    stretch->shared = seat->shared;
    atomic_store_explicit(&seat->stop, 0, memory_order_relaxed);
    rl_spin_unlock(&seat->lock);
}

static struct shared *end(struct seat *seat)
{
    rl_spin_lock(&seat->lock);
    struct shared *shared = seat->shared;
    seat->unit = NODE_NONE;
    rl_spin_unlock(&seat->lock);
    return shared;
}

/* True: it was the last part of the cluster. */
static bool run(struct gang *gang, struct seat *seat, struct stretch stretch)
{
    const struct entry *entries = gang->program->entries;
    const uint32_t *order = gang->plan->order;
    begin(seat, &stretch);
    for (uint32_t i = stretch.begin; i < stretch.end; i++) {
        atomic_store_explicit(&seat->at, i, memory_order_release);
        rl_fence_often();
        if (atomic_load_explicit(&seat->stop, memory_order_relaxed)) {
            agree(seat, &stretch);
            if (i >= stretch.end) break;
        }
        if (sim_run_failed()) continue;
        entries[order[i]].fn(entries[order[i]].arg);
    }
    struct shared *shared = end(seat);
    if (!shared) return true;
    if (atomic_fetch_sub_explicit(&shared->parts, 1, memory_order_acq_rel) != 1) return false;
    rl_free(shared);
    return true;
}

bool sim_share_run(struct gang *gang, struct seat *seat, uint32_t unit)
{
    const struct cluster *cluster = &gang->plan->clusters[unit];
    return run(gang, seat, (struct stretch){ unit, cluster->begin, cluster->end, NULL });
}

bool sim_share_run_given(struct gang *gang, struct seat *seat, uint32_t *unit)
{
    struct stretch given = seat->given;
    seat->given.unit = NODE_NONE;
    *unit = given.unit;
    return run(gang, seat, given);
}

/* ---- Taking ------------------------------------------------------------------------ */

/* Whether the two are neighbours in a chain: then the second cannot run before
 * the first is done. */
static bool chained(const struct program *program, uint32_t place, uint32_t next)
{
    uint32_t start = program->behind_start[place];
    return program->behind_start[place + 1] - start == 1 && program->behind[start] == next &&
           program->before[next] == 1;
}

/* Takes the chains behind the one that the seat is at.  Under its lock. */
static bool take(struct gang *gang, struct seat *seat, struct stretch *taken)
{
    const uint32_t *order = gang->plan->order;
    unsigned stopped = atomic_exchange(&seat->stop, 1);
    rl_fence_rarely();
    uint32_t from = atomic_load_explicit(&seat->at, memory_order_acquire) + 1;
    while (from < seat->end && chained(gang->program, order[from - 1], order[from])) from++;
    struct shared *shared = seat->shared;
    if (from < seat->end && !shared) {
        shared = rl_alloc(sizeof *shared);
        if (shared) atomic_init(&shared->parts, 1);
    }
    if (from >= seat->end || !shared) {
        /* It may not have seen what was taken before. */
        atomic_store(&seat->stop, stopped);
        return false;
    }
    atomic_fetch_add(&shared->parts, 1);
    *taken = (struct stretch){ seat->unit, from, seat->end, shared };
    seat->end = from;
    seat->shared = shared;
    return true;
}

static bool stands_still(struct seat *seat, uint64_t now)
{
    uint32_t at = atomic_load_explicit(&seat->at, memory_order_relaxed);
    if (!seat->noticed_ns || seat->noticed_at != at) {
        seat->noticed_ns = now;
        seat->noticed_at = at;
    }
    return at + 1 < seat->end && now - seat->noticed_ns >= STILL_NS;
}

/* `taken` NULL: only looks. */
static bool take_from(struct gang *gang, struct stretch *taken)
{
    uint64_t now = rl_monotonic_ns();
    bool found = false;
    for (uint32_t i = 0; i < gang->seat_count && !found; i++) {
        struct seat *seat = &gang->seats[i];
        rl_spin_lock(&seat->lock);
        if (seat->unit != NODE_NONE && stands_still(seat, now)) {
            found = !taken || take(gang, seat, taken);
            if (!found) seat->noticed_ns = now; /* there is nothing to be had for a while */
        }
        rl_spin_unlock(&seat->lock);
    }
    return found;
}

static bool can_sit_down(const struct gang *gang)
{
    return gang->plan && atomic_load(&gang->members) < gang->seat_count;
}

static bool shares_are_due(struct engine *engine)
{
    rl_lock(&engine->lock);
    struct gang *gang = engine->platform->gangs->running;
    while (gang && !(can_sit_down(gang) && take_from(gang, NULL))) gang = gang->next;
    rl_unlock(&engine->lock);
    return gang;
}

static bool help_share(struct engine *engine, const struct point *until)
{
    struct stretch taken;
    uint32_t own = NODE_NONE;
    rl_lock(&engine->lock);
    struct gang *gang = engine->platform->gangs->running;
    for (; gang; gang = gang->next) {
        if (!sim_run_comes_before(&gang->launch->context, until) || !can_sit_down(gang)) continue;
        if (!take_from(gang, &taken)) continue;
        own = sim_gang_sit_down(gang);
        gang->seats[own].given = taken;
        break;
    }
    rl_unlock(&engine->lock);
    if (!gang) return false;
    if (!atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
    sim_gang_help(gang, own);
    return true;
}

const struct work_source sim_shares = { .due = shares_are_due, .help = help_share };
