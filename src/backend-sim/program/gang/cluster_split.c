/* SPDX-License-Identifier: Apache-2.0
 *
 * Runner and taker agree as in solo.c: through `at` and `stop`, and fences, only the taker's
 * of which costs anything.
 */
#include "backend-sim/program/gang/cluster_split.h"

#include "backend-sim/program/plan.h"
#include "base/alloc.h"
#include "base/fence.h"
#include "base/thread.h"

/* How long a node of a cluster stands still before others take what comes after it.  Clusters
 * take a few microseconds. */
#define STILL_NS 200000u

/* A cluster that several members run slices of. */
struct split {
    atomic_uint slices; /* that are not done */
};

static void begin_slice(struct seat *seat, const struct slice *slice)
{
    rl_spin_lock(&seat->lock);
    atomic_store_explicit(&seat->at, slice->begin, memory_order_relaxed);
    atomic_store_explicit(&seat->stop, 0, memory_order_relaxed);
    seat->unit = slice->unit;
    seat->end = slice->end;
    seat->split = slice->split;
    seat->noticed_ns = 0;
    rl_spin_unlock(&seat->lock);
}

/* Reads what is left of the slice after a taker has taken its part. */
static void read_agreement(struct seat *seat, struct slice *slice)
{
    rl_spin_lock(&seat->lock);
    slice->end = seat->end;
    slice->split = seat->split;
    atomic_store_explicit(&seat->stop, 0, memory_order_relaxed);
    rl_spin_unlock(&seat->lock);
}

static struct split *end_slice(struct seat *seat)
{
    rl_spin_lock(&seat->lock);
    struct split *split = seat->split;
    seat->unit = NODE_NONE;
    rl_spin_unlock(&seat->lock);
    return split;
}

/* Returns true if it was the last slice of the cluster. */
static bool run_slice(struct gang *gang, struct seat *seat, struct slice slice)
{
    const struct entry *entries = gang->program->entries;
    const uint32_t *order = gang->plan->order;
    begin_slice(seat, &slice);
    for (uint32_t i = slice.begin; i < slice.end; i++) {
        atomic_store_explicit(&seat->at, i, memory_order_release);
        rl_fence_often();
        if (atomic_load_explicit(&seat->stop, memory_order_relaxed)) {
            read_agreement(seat, &slice);
            if (i >= slice.end) break;
        }
        if (sim_run_failed()) continue;
        entries[order[i]].fn(entries[order[i]].arg);
    }
    struct split *split = end_slice(seat);
    if (!split) return true;
    if (atomic_fetch_sub_explicit(&split->slices, 1, memory_order_acq_rel) != 1) return false;
    rl_free(split);
    return true;
}

bool sim_cluster_run(struct gang *gang, struct seat *seat, uint32_t unit)
{
    const struct cluster *cluster = &gang->plan->clusters[unit];
    if (cluster->begin == cluster->end) return true; /* a barrier */
    return run_slice(gang, seat, (struct slice){ unit, cluster->begin, cluster->end, NULL });
}

bool sim_cluster_run_given(struct gang *gang, struct seat *seat, uint32_t *unit)
{
    struct slice given = seat->given;
    seat->given.unit = NODE_NONE;
    *unit = given.unit;
    return run_slice(gang, seat, given);
}

/* ---- Taking ------------------------------------------------------------------------ */

/* Returns whether two places are neighbours in a chain: then the second cannot run before the
 * first is done. */
static bool are_chained(const struct program *program, uint32_t place, uint32_t next)
{
    uint32_t start = program->edge_starts[place];
    return program->edge_starts[place + 1] - start == 1 && program->successors[start] == next &&
           program->in_degrees[next] == 1;
}

/* Takes the chains after the one that the seat is at.  Requires seat->lock. */
static bool take_slice(struct gang *gang, struct seat *seat, struct slice *taken)
{
    const uint32_t *order = gang->plan->order;
    unsigned stopped = atomic_exchange(&seat->stop, 1);
    rl_fence_rarely();
    uint32_t from = atomic_load_explicit(&seat->at, memory_order_acquire) + 1;
    while (from < seat->end && are_chained(gang->program, order[from - 1], order[from])) from++;
    struct split *split = seat->split;
    if (from < seat->end && !split) {
        split = rl_alloc(sizeof *split);
        if (split) atomic_init(&split->slices, 1);
    }
    if (from >= seat->end || !split) {
        /* The runner may not have seen what was taken before. */
        atomic_store(&seat->stop, stopped);
        return false;
    }
    atomic_fetch_add(&split->slices, 1);
    *taken = (struct slice){ seat->unit, from, seat->end, split };
    seat->end = from;
    seat->split = split;
    return true;
}

/* Requires seat->lock. */
static bool seat_stands_still(struct seat *seat, uint64_t now)
{
    uint32_t at = atomic_load_explicit(&seat->at, memory_order_relaxed);
    if (!seat->noticed_ns || seat->noticed_at != at) {
        seat->noticed_ns = now;
        seat->noticed_at = at;
    }
    return at + 1 < seat->end && now - seat->noticed_ns >= STILL_NS;
}

/* Takes a slice of a cluster that stands still.  If `taken` is NULL, only looks for one. */
static bool take_from_gang(struct gang *gang, struct slice *taken)
{
    uint64_t now = rl_monotonic_ns();
    bool found = false;
    for (uint32_t i = 0; i < gang->seat_count && !found; i++) {
        struct seat *seat = &gang->seats[i];
        rl_spin_lock(&seat->lock);
        if (seat->unit != NODE_NONE && seat_stands_still(seat, now)) {
            found = !taken || take_slice(gang, seat, taken);
            if (!found) seat->noticed_ns = now; /* nothing to take for a while */
        }
        rl_spin_unlock(&seat->lock);
    }
    return found;
}

static bool has_free_seat(const struct gang *gang)
{
    return gang->plan && atomic_load(&gang->members) < gang->seat_count;
}

static bool splits_are_due(struct engine *engine)
{
    rl_lock(&engine->lock);
    struct gang *gang = engine->platform->gangs->running;
    while (gang && !(has_free_seat(gang) && take_from_gang(gang, NULL))) gang = gang->next;
    rl_unlock(&engine->lock);
    return gang;
}

static bool help_split(struct engine *engine, const struct point *until)
{
    struct slice taken;
    uint32_t own = NODE_NONE;
    if (!sim_gangs_run(engine->platform->gangs)) return false;
    rl_lock(&engine->lock);
    struct gang *gang = engine->platform->gangs->running;
    for (; gang; gang = gang->next) {
        if (!sim_run_comes_before(&gang->launch->context, until) || !has_free_seat(gang)) continue;
        if (!take_from_gang(gang, &taken)) continue;
        own = sim_gang_take_seat(gang);
        gang->seats[own].given = taken;
        break;
    }
    rl_unlock(&engine->lock);
    if (!gang) return false;
    if (!atomic_load(&engine->watched)) sim_engine_wake_worker(engine);
    sim_gang_help(gang, own);
    return true;
}

const struct work_source sim_cluster_splits = { .due = splits_are_due, .help = help_split };
