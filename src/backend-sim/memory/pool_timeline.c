/* SPDX-License-Identifier: Apache-2.0
 *
 * The pending blocks of a pool, by the strand that freed them.
 */
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/pool.h"
#include "backend-sim/scheduler/strand.h"

#include "base/alloc.h"
#include "base/asan.h"

/* How many blocks of a bin are looked at for the smallest that fits, unless it matters. */
#define FIT_LOOKS 32

/* ---- Bins --------------------------------------------------------------------------- */

static unsigned bin_of(uint64_t bytes)
{
    return 63u - (unsigned)__builtin_clzll(bytes / SIM_ALIGNMENT);
}

static void bin_add(struct timeline *timeline, struct block *block)
{
    unsigned bin = bin_of(block->extent->range.bytes);
    struct block *next = timeline->bins[bin];
    block->bin_previous = NULL;
    block->bin_next = next;
    if (next) next->bin_previous = block;
    timeline->bins[bin] = block;
    timeline->bins_set |= UINT64_C(1) << bin;
}

static void bin_remove(struct timeline *timeline, struct block *block)
{
    unsigned bin = bin_of(block->extent->range.bytes);
    struct block *next = block->bin_next, *previous = block->bin_previous;
    if (next) next->bin_previous = previous;
    if (previous) previous->bin_next = next;
    else timeline->bins[bin] = next;
    if (!timeline->bins[bin]) timeline->bins_set &= ~(UINT64_C(1) << bin);
}

/* Returns the smallest block of at least `bytes` among the first `most` of a bin, or NULL. */
static struct block *smallest_block(struct block *block, uint64_t bytes, size_t most)
{
    struct block *best = NULL;
    for (size_t looks = 0; block && looks < most; block = block->bin_next, looks++) {
        uint64_t size = block->extent->range.bytes;
        if (size >= bytes && (!best || size < best->extent->range.bytes)) best = block;
    }
    return best;
}

struct block *sim_timeline_fit(const struct timeline *timeline, uint64_t bytes, bool thorough)
{
    unsigned bin = bin_of(bytes);
    struct block *best =
        smallest_block(timeline->bins[bin], bytes, thorough ? SIZE_MAX : FIT_LOOKS);
    uint64_t larger = timeline->bins_set >> (bin + 1);
    if (best || !larger) return best;
    return smallest_block(timeline->bins[bin + 1 + (unsigned)__builtin_ctzll(larger)], bytes,
                          FIT_LOOKS);
}

/* ---- Timelines ---------------------------------------------------------------------- */

static size_t list_of(const struct strand *strand)
{
    return (uintptr_t)strand / 64 % POOL_TIMELINES;
}

struct timeline *sim_timeline_of(const struct pool *pool, const struct strand *strand)
{
    struct timeline *timeline = pool->timelines[list_of(strand)];
    while (timeline && timeline->strand != strand) timeline = timeline->next;
    return timeline;
}

/* Returns the timeline of a strand, new if need be, or NULL if memory is short. */
static struct timeline *timeline_for(struct pool *pool, struct strand *strand)
{
    struct timeline *timeline = sim_timeline_of(pool, strand);
    if (timeline) return timeline;
    timeline = rl_zalloc(sizeof *timeline);
    if (!timeline) return NULL;
    sim_strand_retain(strand);
    timeline->strand = strand;
    timeline->next = pool->timelines[list_of(strand)];
    pool->timelines[list_of(strand)] = timeline;
    return timeline;
}

static void drop_if_empty(struct pool *pool, struct timeline *timeline)
{
    if (timeline->oldest || timeline->holds) return;
    struct timeline **link = &pool->timelines[list_of(timeline->strand)];
    while (*link != timeline) link = &(*link)->next;
    *link = timeline->next;
    sim_strand_release(timeline->strand);
    rl_free(timeline);
}

/* ---- Putting ------------------------------------------------------------------------ */

/* Inserts a block after the last one whose point comes no later: nearly always the newest. */
static void link_block(struct timeline *timeline, struct block *block)
{
    struct block *older = timeline->newest;
    while (older && older->number > block->number) older = older->older;
    struct block *newer = older ? older->newer : timeline->oldest;
    block->older = older;
    block->newer = newer;
    if (older) older->newer = block;
    else timeline->oldest = block;
    if (newer) newer->older = block;
    else timeline->newest = block;
    block->timeline = timeline;
    bin_add(timeline, block);
}

static void unlink_block(struct timeline *timeline, struct block *block)
{
    bin_remove(timeline, block);
    if (block->older) block->older->newer = block->newer;
    else timeline->oldest = block->newer;
    if (block->newer) block->newer->older = block->older;
    else timeline->newest = block->older;
    block->timeline = NULL;
}

/* Keeps a pending block when memory for a timeline is short. */
static void put_stray(struct pool *pool, struct block *block, struct strand *strand)
{
    sim_strand_retain(strand);
    block->stray = strand;
    block->older = pool->strays;
    pool->strays = block;
}

void sim_timeline_put(struct block *block, struct point freed)
{
    struct pool *pool = block->pool;
    struct timeline *timeline = timeline_for(pool, freed.strand);
    block->number = freed.number;
    pool->pending++;
    if (timeline) link_block(timeline, block);
    else put_stray(pool, block, freed.strand);
    sim_pools_set_dirty(pool->home);
}

/* ---- Taking ------------------------------------------------------------------------- */

/* Cuts a block and makes the rest pending.  If memory for that is short, it stays whole. */
static void cut_block(struct timeline *timeline, struct block *block, uint64_t bytes)
{
    if (block->extent->range.bytes == bytes) return;
    struct block *rest = rl_zalloc(sizeof *rest);
    if (!rest) return;
    rest->extent = sim_extents_split(&block->pool->extents, block->extent, bytes);
    if (!rest->extent) {
        rl_free(rest);
        return;
    }
    rest->pool = block->pool;
    rest->number = block->number;
    link_block(timeline, rest);
    block->pool->pending++;
}

void sim_timeline_take(struct block *block, uint64_t bytes)
{
    struct pool *pool = block->pool;
    struct timeline *timeline = block->timeline;
    unlink_block(timeline, block);
    pool->pending--;
    cut_block(timeline, block, bytes);
    if (sim_point_reached((struct point){ timeline->strand, block->number })) {
        drop_if_empty(pool, timeline);
    } else {
        block->timeline = timeline;
        timeline->holds++;
    }
}

void sim_timeline_let_go(struct block *block)
{
    struct timeline *timeline = block->timeline;
    if (!timeline) return;
    block->timeline = NULL;
    timeline->holds--;
    drop_if_empty(block->pool, timeline);
}

/* ---- Freeing ------------------------------------------------------------------------ */

void sim_block_free(struct block *block)
{
    rl_asan_forbid(block->extent->range.base, block->extent->range.bytes);
    sim_extents_release(&block->pool->extents, block->extent, 0);
    rl_free(block);
}

/* Which pending blocks a sweep frees: all, or those whose point is reached and known. */
struct broom {
    bool all;
    const struct sim_known_points *known; /* or NULL: whatever is known */
};

static uint64_t known_of(const struct broom *broom, const struct strand *strand)
{
    return broom->all || !broom->known ? UINT64_MAX : broom->known->of(broom->known, strand);
}

static bool point_is_due(const struct broom *broom, struct point freed, uint64_t known)
{
    return broom->all || (freed.number <= known && sim_point_reached(freed));
}

static bool sweep_timeline(struct pool *pool, struct timeline *timeline, const struct broom *broom)
{
    uint64_t known = known_of(broom, timeline->strand);
    bool any = false;
    struct block *block;
    while ((block = timeline->oldest) &&
           point_is_due(broom, (struct point){ timeline->strand, block->number }, known)) {
        unlink_block(timeline, block);
        pool->pending--;
        sim_block_free(block);
        any = true;
    }
    drop_if_empty(pool, timeline);
    return any;
}

static bool sweep_strays(struct pool *pool, const struct broom *broom)
{
    bool any = false;
    struct block **link = &pool->strays, *block;
    while ((block = *link)) {
        struct point freed = { block->stray, block->number };
        if (!point_is_due(broom, freed, known_of(broom, block->stray))) {
            link = &block->older;
            continue;
        }
        *link = block->older;
        pool->pending--;
        sim_strand_release(block->stray);
        sim_block_free(block);
        any = true;
    }
    return any;
}

static bool sweep_pool(struct pool *pool, const struct broom *broom)
{
    if (!pool->pending) return false;
    bool any = sweep_strays(pool, broom);
    for (int i = 0; i < POOL_TIMELINES; i++) {
        struct timeline *next;
        for (struct timeline *timeline = pool->timelines[i]; timeline; timeline = next) {
            next = timeline->next;
            any |= sweep_timeline(pool, timeline, broom);
        }
    }
    return any;
}

bool sim_timelines_sweep(struct pool *pool, const struct sim_known_points *known)
{
    return sweep_pool(pool, &(struct broom){ .known = known });
}

void sim_timelines_close(struct pool *pool)
{
    sweep_pool(pool, &(struct broom){ .all = true });
}
