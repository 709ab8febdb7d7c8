/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools: memory that streams allocate and free in their order.
 *
 * Each pool has a window of addresses, of which it holds memory in chunks.  A
 * block of the window is one of these:
 *
 *     FREE      nobody's; its chunks may be there or not
 *     LIVE      allocated: in the address map
 *     PENDING   freed at a point of a strand that no synchronize has seen yet
 *
 * A pending block stands on the timeline of its strand, in the order of the
 * points, so that those whose point is reached are always the oldest.  Only its
 * own strand may have it at once; others must have good reasons (pool_reuse.c).
 *
 * One lock for each device protects all of its pools.  The order of locks:
 *
 *     a strand's submit_lock -> the pools' lock -> the heap's, the map's
 */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/extent.h"
#include "backend-sim/memory/heap.h"
#include "backend-sim/memory/memory.h"

/* Memory is taken and given back by chunks of this size, as on hardware; of
 * less where the device is small. */
#define POOL_CHUNK_MAX (UINT64_C(32) << 20)
#define POOL_CHUNK_MIN (UINT64_C(64) << 10)

#define POOL_BINS 48      /* of sizes: powers of two, in units of SIM_ALIGNMENT */
#define POOL_TIMELINES 32 /* lists of timelines, by strand */

struct block {
    struct allocation allocation; /* in the map while it is live              */
    struct pool *pool;
    struct extent *extent;
    struct timeline *timeline;    /* pending: that it stands on; live: that of
                                     the point it was taken behind, or NULL   */
    uint64_t number;              /* of the point on it                       */
    struct strand *stray;         /* a stray's strand, retained               */
    struct block *older, *newer;  /* pending: on the timeline                 */
    struct block *bin_next, *bin_previous;
};

/* The pending blocks of one strand. */
struct timeline {
    struct strand *strand;        /* retained                                 */
    struct block *oldest, *newest;
    size_t holds;                 /* live blocks that were taken behind a point
                                     of it                                    */
    uint64_t bins_set;            /* bit n: bins[n] is not empty              */
    struct block *bins[POOL_BINS];
    struct timeline *next;        /* of its list                              */
};

struct pool {
    struct pools *home;           /* fixed                                    */
    struct pool *next, *previous; /* of the device's                          */
    struct pool_face face;        /* changes under the map's lock as well     */
    bool destroyed;
    size_t live, pending;         /* blocks                                   */

    struct window window;         /* bytes 0: not reserved yet                */
    struct extents extents;
    uint64_t chunk_bytes;         /* fixed                                    */
    bool *held;                   /* by chunk: whether its memory is there    */
    uint64_t held_end;            /* no chunk from here on is held            */

    uint64_t maximum;             /* fixed; a multiple of chunks, 0: none     */
    uint64_t threshold;
    uint64_t reserved, reserved_high, used, used_high;
    bool follow_events, opportunistic, internal;

    struct timeline *timelines[POOL_TIMELINES];
    struct block *strays;         /* pending, freed when there was no memory for
                                     a timeline; a list through `older`       */
};

/* The pools of a device. */
struct pools {
    struct rl_lock lock;          /* everything that is not fixed, here and in
                                     the pools                                */
    struct sim_device *device;    /* fixed                                    */
    rill_pool *fallback;          /* fixed: the default pool                  */
    rill_pool *current;
    struct pool *first;           /* also destroyed ones, to their end        */
    bool dirty;                   /* counted in the platform's pools_dirty  */
};

static inline struct pool *sim_pool_of(const rill_pool *pool)
{
    return *(struct pool **)rill_private(pool);
}

/* A block of the map; its allocation is its first member. */
static inline struct block *sim_block_of(struct allocation *allocation)
{
    return (struct block *)allocation;
}

/* ---- pool.c -------------------------------------------------------------------------- */

/* The chunk of a device with so much memory. */
uint64_t sim_chunk_bytes(uint64_t memory_bytes);

rill_status sim_pools_open(struct sim_device *device);
void sim_pools_close(struct sim_device *device);

/* Takes `bytes` of memory that the device's pools do not use from them, or as
 * much as there is; true when it was any. */
bool sim_pools_reclaim(struct sim_device *device, uint64_t bytes);

/* The same under the lock. */
bool sim_pools_reclaim_locked(struct pools *pools, uint64_t bytes);

/* Memory with an address, if need be what pools do not use.  RILL_ERROR_OUT_OF_MEMORY,
 * without a sentence. */
rill_status sim_device_alloc(struct sim_device *device, uint64_t bytes, struct extent **extent);

/* A synchronize should look at these pools.  Under the lock. */
void sim_pools_set_dirty(struct pools *pools);

/* Gives back what exceeds the threshold; ends a destroyed pool that nothing is
 * left of.  Under the lock. */
void sim_pool_settle(struct pool *pool);

/* ---- pool_reuse.c -------------------------------------------------------------------- */

/* A claimed block is free for everybody, by mem_free. */
void sim_pool_release(struct sim_platform *platform, struct allocation *allocation);

/* ---- pool_window.c: under the lock --------------------------------------------------- */

rill_status sim_pool_open_window(struct pool *pool);
void sim_pool_close_window(struct pool *pool);

/* An extent whose memory is there already: the smallest free one that fits, or
 * (`anywhere`) wherever there is one.  NULL: none, or no memory for the node. */
struct extent *sim_pool_alloc_held(struct pool *pool, uint64_t bytes, bool anywhere);

/* An extent, with new memory where it is missing; NULL as above. */
struct extent *sim_pool_alloc_fresh(struct pool *pool, uint64_t bytes);

/* Gives chunks that nothing uses back, highest first, as long as `least` bytes
 * stay; returns how many bytes that were. */
uint64_t sim_pool_shrink(struct pool *pool, uint64_t least);

/* ---- pool_timeline.c: under the lock ------------------------------------------------- */

/* The timeline of a strand, or NULL. */
struct timeline *sim_timeline_of(const struct pool *pool, const struct strand *strand);

/* Makes a block that is not in the map pending. */
void sim_timeline_put(struct block *block, struct point freed);

/* Takes a pending block off its timeline, cuts it to `bytes`, and notes the
 * point that it was taken behind, unless that is reached. */
void sim_timeline_take(struct block *block, uint64_t bytes);

/* Forgets what a live block was taken behind. */
void sim_timeline_let_go(struct block *block);

/* A pending block of at least `bytes`, or NULL.  `thorough`: however many there are. */
struct block *sim_timeline_fit(const struct timeline *timeline, uint64_t bytes, bool thorough);

/* Frees the pending blocks whose point is reached, as far as the host knows it;
 * `known` NULL: whether it knows or not.  True when there were any. */
bool sim_timelines_sweep(struct pool *pool, const struct sim_known_points *known);

/* Frees all of them, reached or not. */
void sim_timelines_close(struct pool *pool);

/* Frees a block that is neither live nor pending. */
void sim_block_free(struct block *block);

#endif
