/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools: memory that streams allocate and free in their order.
 *
 * Each pool has a window of addresses, and holds memory for parts of it in chunks.
 * A block of the window is
 *
 *     FREE      its chunks may be held or not
 *     LIVE      allocated, and in the address map
 *     PENDING   freed at a point of a strand that no synchronize has seen yet
 *
 * A pending block is on the timeline of its strand, in the order of the points, so
 * that the blocks whose point is reached are always the oldest.  Its own strand may
 * reuse it at once; others may do so by the pool's rules of reuse.
 *
 * One lock for each device protects all of its pools.  The order of locks:
 *
 *     a strand's submit_lock -> the pools' lock -> the heap's, the map's
 *
 * This is the header of pool.c and of the files pool_*.c.
 */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include <rill/sim.h>

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/extent.h"
#include "backend-sim/memory/heap.h"
#include "backend-sim/memory/memory.h"

/* Memory is claimed and unclaimed in chunks of this size, as measured; in smaller ones if the
 * device is small. */
#define POOL_CHUNK_MAX (UINT64_C(32) << 20)
#define POOL_CHUNK_MIN (UINT64_C(64) << 10)

#define POOL_BINS 48      /* of sizes: powers of two, in units of SIM_ALIGNMENT */
#define POOL_TIMELINES 32 /* lists of timelines, by strand */

struct block {
    struct allocation allocation; /* in the map while it is live              */
    struct pool *pool;
    struct extent *extent;
    struct timeline *timeline;    /* pending: the one it is on; live: the one of
                                     the point it was reused after, or NULL   */
    uint64_t number;              /* of that point                            */
    struct strand *stray;         /* a stray's strand, retained               */
    struct block *older, *newer;  /* pending: on the timeline                 */
    struct block *bin_next, *bin_previous;
};

/* The pending blocks of one strand. */
struct timeline {
    struct strand *strand;        /* retained                                 */
    struct block *oldest, *newest;
    size_t holds;                 /* live blocks that were reused after a point
                                     of it                                    */
    uint64_t bins_set;            /* bit n: bins[n] is not empty              */
    struct block *bins[POOL_BINS];
    struct timeline *next;        /* of its list                              */
};

struct pool {
    struct pools *home;           /* fixed                                    */
    struct pool *next, *previous; /* of the device's                          */
    struct pool_face face;        /* changes under the map's lock, too        */
    bool destroyed;
    bool shareable;               /* fixed: other processes can open it       */
    bool shared;                  /* somebody got its file                    */
    bool imported;                /* fixed: another process gives its memory out */
    int file;                     /* that has the window's memory, or -1      */
    uint64_t file_id;             /* of all files on the machine              */
    size_t live, pending;         /* blocks                                   */

    struct window window;         /* of 0 bytes until it is reserved          */
    struct extents extents;
    uint64_t chunk_bytes;         /* fixed                                    */
    bool *held;                   /* whether each chunk is held               */
    uint64_t held_end;            /* no chunk from this number on is held     */

    uint64_t maximum;             /* fixed; whole chunks, or 0 for no maximum */
    uint64_t threshold;
    uint64_t reserved, reserved_high, used, used_high;
    bool follow_events, opportunistic, internal;

    struct timeline *timelines[POOL_TIMELINES];
    struct block *strays;         /* pending, but freed when memory was short of
                                     a timeline; linked through `older`       */
};

/* The pools of a device. */
struct pools {
    struct rl_lock lock;          /* everything that is not fixed, here and in
                                     the pools                                */
    struct sim_device *device;    /* fixed                                    */
    rill_pool *fallback;          /* fixed: the default pool                  */
    rill_pool *current;
    struct pool *first;           /* of all, also destroyed ones that have blocks */
    bool dirty;                   /* counted in the platform's pools_dirty    */
};

static inline struct pool *sim_pool_of(const rill_pool *pool)
{
    return *(struct pool **)rill_private(pool);
}

/* Returns the block of an allocation in the map, which is its first member. */
static inline struct block *sim_block_of(struct allocation *allocation)
{
    return (struct block *)allocation;
}

/* ---- All pools of a device ----------------------------------------------------------- */

/* Returns the size of a chunk for a device with that much memory. */
uint64_t sim_chunk_bytes(uint64_t memory_bytes);

rill_status sim_pools_open(struct sim_device *device);

/* Makes the pool of a handle and adds it to the device's. */
rill_status sim_pool_make(struct pools *pools, rill_pool *handle, uint64_t maximum,
                          bool shareable);

void sim_pools_close(struct sim_device *device);

/* Takes up to `bytes` of memory that they do not use from the device's pools.  Returns true
 * if there was any. */
bool sim_pools_reclaim(struct sim_device *device, uint64_t bytes);

/* Does the same.  Requires pools->lock. */
bool sim_pools_reclaim_locked(struct pools *pools, uint64_t bytes);

/* Allocates memory with an address, if need be memory that pools do not use.  Fails with
 * RILL_ERROR_OUT_OF_MEMORY, without a note. */
rill_status sim_device_alloc(struct sim_device *device, uint64_t bytes, struct extent **extent);

/* Marks the pools as ones that a synchronize should look at.  Requires pools->lock. */
void sim_pools_set_dirty(struct pools *pools);

/* Unclaims what exceeds the pool's threshold, and frees a destroyed pool that has no blocks.
 * Requires pools->lock. */
void sim_pool_settle(struct pool *pool);

/* ---- Frees --------------------------------------------------------------------------- */

/* Frees a claimed block for every stream at once, for mem_free. */
void sim_pool_release(struct sim_platform *platform, struct allocation *allocation);

/* ---- The window.  All of these require pools->lock ----------------------------------- */

rill_status sim_pool_open_window(struct pool *pool);
void sim_pool_close_window(struct pool *pool);

/* Makes the addresses of a window that is open the pool's. */
rill_status sim_pool_begin_window(struct pool *pool);

/* Allocates an extent whose memory is held already: the smallest free one that fits, or with
 * `anywhere` any.  Returns NULL if there is none, or if the host's memory is short. */
struct extent *sim_pool_alloc_held(struct pool *pool, uint64_t bytes, bool anywhere);

/* Allocates an extent and claims the memory that it lacks.  Returns NULL as above. */
struct extent *sim_pool_alloc_fresh(struct pool *pool, uint64_t bytes);

/* Unclaims unused chunks, highest first, but leaves at least `least` bytes.  Returns how many
 * bytes it has unclaimed. */
uint64_t sim_pool_shrink(struct pool *pool, uint64_t least);

/* ---- Timelines.  All of these require pools->lock ------------------------------------ */

/* Returns the timeline of a strand, or NULL. */
struct timeline *sim_timeline_of(const struct pool *pool, const struct strand *strand);

/* Makes a block that is not in the map pending. */
void sim_timeline_put(struct block *block, struct point freed);

/* Takes a pending block off its timeline, cuts it to `bytes`, and notes the point after which
 * it is reused, unless that is reached. */
void sim_timeline_take(struct block *block, uint64_t bytes);

/* Forgets the point after which a live block was reused. */
void sim_timeline_let_go(struct block *block);

/* Returns a pending block of at least `bytes`, or NULL.  With `thorough`, searches all of them
 * however many there are. */
struct block *sim_timeline_fit(const struct timeline *timeline, uint64_t bytes, bool thorough);

/* Frees the pending blocks whose point the host knows to be reached, or with a NULL `known`
 * all whose point is reached.  Returns true if there were any. */
bool sim_timelines_sweep(struct pool *pool, const struct sim_known_points *known);

/* Frees all pending blocks, reached or not. */
void sim_timelines_close(struct pool *pool);

/* Frees the struct and the extent of a block that is neither live nor pending. */
void sim_block_free(struct block *block);

/* ---- Blocks.  All of these require pools->lock --------------------------------------- */

/* Makes the block of an extent.  Returns NULL if there is none or memory is short. */
struct block *sim_block_around(struct pool *pool, struct extent *extent);

/* Adds a block to the map. */
void sim_block_go_live(struct block *block, size_t bytes);

/* ---- Pools of several processes (pool_share.c) ---------------------------------------- */

/* Opens the window of a pool that can be shared, over a file.  Returns false if the system
 * refuses.  Requires pools->lock. */
bool sim_pool_open_file(struct pool *pool, uint64_t bytes);

/* Closes the file, if there is one. */
void sim_pool_close_file(struct pool *pool);

/* Makes a file descriptor by which other processes open the pool. */
rill_status sim_pool_share(struct pool *pool, int *file);

/* Opens a pool of another process. */
rill_status sim_pool_import(struct sim_platform *platform, rill_pool *handle, int file);

/* Makes a handle of the block that begins at an address, or opens a block by it. */
rill_status sim_block_share(struct sim_platform *platform, uint64_t address,
                            rill_sim_shared *shared);
rill_status sim_block_import(struct pool *pool, const rill_sim_shared *shared, uint64_t *address);

#endif
