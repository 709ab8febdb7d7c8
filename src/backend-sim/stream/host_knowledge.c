/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host knows to be done: the points that a synchronize covers.  Pools need to know, since
 * they may give memory back once the host knows that its free is done.
 */
#include "backend-sim/memory/memory.h"
#include "backend-sim/stream/stream.h"

struct known_point {
    struct sim_known_points known;
    struct point point;
    struct seen_point seen[STRAND_SEEN]; /* of the point's strand */
};

static uint64_t number_known_from_point(const struct sim_known_points *known,
                                        const struct strand *strand)
{
    const struct known_point *at = (const struct known_point *)known;
    if (strand == at->point.strand) return at->point.number;
    return sim_seen_point(at->seen, at->point.number, strand->id);
}

void sim_synchronized_pools(struct sim_platform *platform, struct point point)
{
    struct known_point known = { .known.of = number_known_from_point, .point = point };
    rl_spin_lock(&point.strand->submit_lock); /* comes before the lock of the pools */
    for (int i = 0; i < STRAND_SEEN; i++) known.seen[i] = point.strand->seen[i];
    rl_spin_unlock(&point.strand->submit_lock);
    sim_pools_synchronized(platform, &known.known);
}

struct known_context {
    struct sim_known_points known;
    uint64_t context; /* the id of the context */
    bool blocking;    /* only its blocking streams */
};

/* Covers all that is reached: what came since the synchronize is known as well. */
static uint64_t number_known_from_context(const struct sim_known_points *known,
                                          const struct strand *strand)
{
    const struct known_context *of = (const struct known_context *)known;
    bool covers = strand->context == of->context && !(of->blocking && strand->non_blocking);
    return covers ? UINT64_MAX : 0;
}

static void synchronize_pools(struct sim_context *context, bool blocking)
{
    if (!sim_pools_dirty(context->platform)) return;
    const struct known_context known = { { number_known_from_context }, context->id, blocking };
    sim_pools_synchronized(context->platform, &known.known);
}

void sim_synchronized_blocking(struct sim_context *context)
{
    synchronize_pools(context, true);
}

void sim_synchronized_context(struct sim_context *context)
{
    synchronize_pools(context, false);
}
