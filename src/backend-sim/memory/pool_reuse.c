/* SPDX-License-Identifier: Apache-2.0
 *
 * Which memory an allocation gets: first what its own strand freed; then what is free
 * for all strands, or is by now; then what was freed at a point that precedes the
 * strand's work anyway; then fresh memory; and if there is none, what another strand has
 * freed but not reached, at the price of waiting for it.  The attributes of the pool
 * allow or forbid each of the ways that depend on when things happen to run.
 */
#include <inttypes.h>

#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/pool.h"
#include "backend-sim/scheduler/strand.h"
#include "base/alloc.h"
#include "base/asan.h"

/* How many pending blocks of another strand are looked at, oldest first. */
#define ORDERED_LOOKS 64

/* ---- Choosing ----------------------------------------------------------------------- */

/* Returns a block that was freed before the work of the strand by order, or NULL. */
static struct block *fit_ordered(const struct pool *pool, const struct sim_orderer *orderer,
                                 uint64_t bytes)
{
    for (int i = 0; i < POOL_TIMELINES; i++) {
        const struct timeline *timeline = pool->timelines[i];
        for (; timeline; timeline = timeline->next) {
            struct block *block = timeline->oldest;
            for (int looks = 0; block && looks < ORDERED_LOOKS; block = block->newer, looks++) {
                struct point freed = { timeline->strand, block->number };
                if (!orderer->ordered_after(orderer, freed)) break;
                if (block->extent->range.bytes >= bytes) return block;
            }
        }
    }
    return NULL;
}

/* Returns a pending block of any strand, rather one whose point is reached, or NULL. */
static struct block *fit_any(const struct pool *pool, uint64_t bytes)
{
    struct block *best = NULL;
    for (int i = 0; i < POOL_TIMELINES; i++) {
        const struct timeline *timeline = pool->timelines[i];
        for (; timeline; timeline = timeline->next) {
            struct block *block = sim_timeline_fit(timeline, bytes, true);
            if (!block) continue;
            if (sim_point_reached((struct point){ timeline->strand, block->number })) return block;
            best = block;
        }
    }
    return best;
}

struct block *sim_block_around(struct pool *pool, struct extent *extent)
{
    if (!extent) return NULL;
    struct block *block = rl_zalloc(sizeof *block);
    if (!block) {
        sim_extents_release(&pool->extents, extent, 0);
        return NULL;
    }
    block->pool = pool;
    block->extent = extent;
    return block;
}

/* Takes a block off its timeline, if there is a block. */
static struct block *take_block(struct block *block, uint64_t bytes)
{
    if (block) sim_timeline_take(block, bytes);
    return block;
}

/* Chooses a block once the device has no memory left or the pool may not grow any more. */
static struct block *choose_without_fresh(struct pool *pool, const struct strand *strand,
                                          uint64_t bytes, struct point *after)
{
    const struct timeline *own = sim_timeline_of(pool, strand);
    struct block *block = own ? sim_timeline_fit(own, bytes, true) : NULL;
    if (block) return take_block(block, bytes);
    struct extent *extent = sim_pool_alloc_held(pool, bytes, true);
    if (!extent && sim_pools_reclaim_locked(pool->home, bytes)) {
        extent = sim_pool_alloc_fresh(pool, bytes);
        if (!extent) extent = sim_pool_alloc_held(pool, bytes, true);
    }
    if (extent || !pool->internal) return sim_block_around(pool, extent);
    block = take_block(fit_any(pool, bytes), bytes);
    if (block && block->timeline) {
        *after = (struct point){ block->timeline->strand, block->number };
        sim_strand_retain(after->strand);
    }
    return block;
}

static struct block *choose_block(struct pool *pool, const struct sim_orderer *orderer,
                                  uint64_t bytes, struct point *after)
{
    const struct timeline *own = sim_timeline_of(pool, orderer->strand);
    struct block *block = own ? sim_timeline_fit(own, bytes, false) : NULL;
    if (block) return take_block(block, bytes);
    struct extent *extent = sim_pool_alloc_held(pool, bytes, false);
    if (!extent && pool->opportunistic && sim_timelines_sweep(pool, NULL))
        extent = sim_pool_alloc_held(pool, bytes, false);
    if (!extent && pool->follow_events) {
        block = fit_ordered(pool, orderer, bytes);
        if (block) return take_block(block, bytes);
    }
    if (!extent) extent = sim_pool_alloc_fresh(pool, bytes);
    if (extent) return sim_block_around(pool, extent);
    return choose_without_fresh(pool, orderer->strand, bytes, after);
}

/* ---- Allocating --------------------------------------------------------------------- */

static rill_status fail_full(const struct pool *pool, size_t bytes)
{
    const struct sim_device *device = pool->home->device;
    if (pool->maximum)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "%zu bytes do not fit: the pool holds %" PRIu64 " of at most "
                                 "%" PRIu64 " bytes, of which %" PRIu64 " are in use",
                                 bytes, pool->reserved, pool->maximum, pool->used);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                             "%zu bytes do not fit: device %d has %" PRIu64 " of %" PRIu64
                             " bytes left, and the pool holds %" PRIu64 ", of which %" PRIu64
                             " are in use",
                             bytes, device->ordinal, sim_heap_left(device->heap),
                             device->heap->memory_bytes, pool->reserved, pool->used);
}

void sim_block_go_live(struct block *block, size_t bytes)
{
    struct pool *pool = block->pool;
    const struct sim_device *device = pool->home->device;
    block->allocation = (struct allocation){
        .range = { .base = block->extent->range.base, .bytes = bytes },
        .kind = ALLOCATION_POOL,
        .device = device->ordinal,
        .face = &pool->face,
        .extent = block->extent,
    };
    pool->live++;
    pool->used += bytes;
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    rl_asan_allow(block->allocation.range.base, bytes);
    sim_map_add(device->platform->map, &block->allocation);
}

rill_status sim_pool_acquire(struct sim_platform *platform, int ordinal, rill_pool *handle,
                             size_t bytes, const struct sim_orderer *orderer,
                             rill_devptr *address, struct point *after)
{
    struct pools *pools = handle ? sim_pool_of(handle)->home : platform->devices[ordinal].pools;
    *after = (struct point){ NULL, 0 };
    if (!bytes) { /* nothing, at the address 0, as measured */
        *address = 0;
        return RILL_SUCCESS;
    }
    rl_lock(&pools->lock);
    struct pool *pool = sim_pool_of(handle ? handle : pools->current);
    if (pool->imported) {
        rl_unlock(&pools->lock);
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pool",
                                 "the pool is another process's, which alone allocates of it");
    }
    rill_status status = pool->window.range.bytes ? RILL_SUCCESS : sim_pool_open_window(pool);
    uint64_t rounded = status ? 0 : sim_extents_round(&pool->extents, bytes);
    struct block *block = NULL;
    if (rounded && rounded <= pool->window.range.bytes)
        block = choose_block(pool, orderer, rounded, after);
    if (block) {
        sim_block_go_live(block, bytes);
        *address = block->allocation.range.base;
    }
    status = block ? RILL_SUCCESS : fail_full(pool, bytes);
    rl_unlock(&pools->lock);
    return status;
}

/* ---- Freeing ------------------------------------------------------------------------ */

/* Removes a claimed block from the map.  Requires pools->lock. */
static struct pool *go_dead(struct sim_platform *platform, struct block *block)
{
    sim_map_remove(platform->map, &block->allocation);
    block->pool->live--;
    return block->pool;
}

/* Takes the lock of the pools that an allocation comes from, and returns them. */
static struct pools *lock_pools_of(struct allocation *allocation)
{
    struct pools *pools = sim_block_of(allocation)->pool->home;
    rl_lock(&pools->lock);
    return pools;
}

void sim_pool_cancel(struct sim_platform *platform, rill_devptr address)
{
    struct address_info info;
    struct allocation *allocation = sim_map_claim(platform->map, address, ALLOCATION_POOL, &info);
    if (!allocation) return;
    struct pools *pools = lock_pools_of(allocation);
    struct block *block = sim_block_of(allocation);
    struct pool *pool = go_dead(platform, block);
    pool->used -= allocation->range.bytes;
    if (block->timeline) {
        /* The block holds its timeline, so sim_timeline_put() finds that again. */
        struct timeline *timeline = block->timeline;
        sim_timeline_put(block, (struct point){ timeline->strand, block->number });
        timeline->holds--;
    } else {
        sim_block_free(block);
    }
    sim_pool_settle(pool);
    rl_unlock(&pools->lock);
}

void sim_free_at(struct sim_platform *platform, rill_devptr address, struct point freed)
{
    struct allocation *allocation = sim_map_claimed(platform->map, address);
    struct pools *pools = lock_pools_of(allocation);
    struct block *block = sim_block_of(allocation);
    struct pool *pool = go_dead(platform, block);
    pool->used -= allocation->range.bytes;
    sim_timeline_let_go(block);
    sim_timeline_put(block, freed);
    rl_unlock(&pools->lock);
}

/* Leaves such memory counted as used, as measured. */
void sim_pool_release(struct sim_platform *platform, struct allocation *allocation)
{
    struct pools *pools = lock_pools_of(allocation);
    struct block *block = sim_block_of(allocation);
    struct pool *pool = go_dead(platform, block);
    sim_timeline_let_go(block);
    sim_block_free(block);
    sim_pool_settle(pool);
    rl_unlock(&pools->lock);
}
