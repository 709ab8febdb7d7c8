/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool's window of addresses and the chunks of memory that back it.
 */
#include "backend-sim/memory/pool.h"
#include "base/alloc.h"
#include "base/memory_file.h"

/* ---- Life --------------------------------------------------------------------------- */

rill_status sim_pool_begin_window(struct pool *pool)
{
    uint64_t bytes = pool->window.range.bytes;
    pool->held = rl_zalloc((size_t)(bytes / pool->chunk_bytes) * sizeof *pool->held);
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    if (pool->held)
        status = sim_extents_open(&pool->extents, EXTENTS_SMALLEST, pool->window.range.base, bytes,
                                  SIM_ALIGNMENT);
    if (status) {
        rl_free(pool->held);
        sim_window_close(&pool->window);
        return status;
    }
    sim_map_add_window(pool->home->device->platform->map, &pool->window);
    return RILL_SUCCESS;
}

static bool open_addresses(struct pool *pool, uint64_t bytes)
{
    return pool->shareable ? sim_pool_open_file(pool, bytes)
                           : sim_window_open(&pool->window, bytes);
}

/* Opens a window as large as the pool can grow, or a smaller one if the system refuses so
 * many addresses. */
rill_status sim_pool_open_window(struct pool *pool)
{
    struct sim_device *device = pool->home->device;
    uint64_t chunk = pool->chunk_bytes, memory = device->heap->memory_bytes;
    uint64_t chunks = (pool->maximum ? pool->maximum : memory) / chunk;
    if (chunks > memory / chunk) chunks = memory / chunk;
    while (chunks && !open_addresses(pool, chunks * chunk)) chunks /= 2;
    rill_status status = chunks ? sim_pool_begin_window(pool) : RILL_ERROR_OUT_OF_MEMORY;
    if (status) sim_pool_close_file(pool);
    return status;
}

void sim_pool_close_window(struct pool *pool)
{
    struct sim_device *device = pool->home->device;
    if (!pool->window.range.bytes) return;
    sim_map_remove_window(device->platform->map, &pool->window);
    sim_window_close(&pool->window);
    sim_extents_close(&pool->extents);
    rl_free(pool->held);
    sim_heap_unclaim(device->heap, pool->reserved);
}

/* ---- Chunks ------------------------------------------------------------------------- */

struct chunks {
    uint64_t first, end;
};

static struct chunks chunks_of(const struct pool *pool, uint64_t base, uint64_t bytes)
{
    uint64_t offset = base - pool->window.range.base;
    return (struct chunks){ offset / pool->chunk_bytes,
                            (offset + bytes + pool->chunk_bytes - 1) / pool->chunk_bytes };
}

/* Returns how many bytes of the chunks are not held. */
static uint64_t missing_bytes(const struct pool *pool, struct chunks chunks)
{
    uint64_t bytes = 0;
    for (uint64_t i = chunks.first; i < chunks.end; i++)
        if (!pool->held[i]) bytes += pool->chunk_bytes;
    return bytes;
}

/* Claims the chunks that are not held.  Returns false if there is no memory for them. */
static bool hold_chunks(struct pool *pool, struct chunks chunks)
{
    uint64_t bytes = missing_bytes(pool, chunks);
    if (!bytes) return true;
    uint64_t end = pool->window.range.base + chunks.end * pool->chunk_bytes;
    if (!sim_heap_claim(pool->home->device->heap, bytes)) return false;
    if (!sim_window_use(&pool->window, end)) {
        sim_heap_unclaim(pool->home->device->heap, bytes);
        return false;
    }
    for (uint64_t i = chunks.first; i < chunks.end; i++) pool->held[i] = true;
    if (chunks.end > pool->held_end) pool->held_end = chunks.end;
    pool->reserved += bytes;
    if (pool->reserved > pool->reserved_high) pool->reserved_high = pool->reserved;
    return true;
}

uint64_t sim_pool_shrink(struct pool *pool, uint64_t least)
{
    uint64_t chunk = pool->chunk_bytes, given = 0;
    while (pool->held_end && !pool->held[pool->held_end - 1]) pool->held_end--;
    for (uint64_t i = pool->held_end; i-- > 0;) {
        if (pool->reserved < chunk || pool->reserved - chunk < least) break;
        if (!pool->held[i]) continue;
        uint64_t base = pool->window.range.base + i * chunk;
        const struct extent *extent = sim_extents_at(&pool->extents, base);
        if (extent->used || rl_range_end(&extent->range) - base < chunk) continue;
        if (pool->file >= 0) rl_memory_file_discard(pool->file, i * chunk, chunk);
        else sim_window_discard(base, chunk);
        pool->held[i] = false;
        pool->reserved -= chunk;
        given += chunk;
    }
    sim_heap_unclaim(pool->home->device->heap, given);
    return given;
}

/* ---- Extents ------------------------------------------------------------------------ */

/* Returns the offset in a free extent from which `bytes` lie in held chunks alone, or the
 * extent's size if there is none. */
static uint64_t held_offset(const struct pool *pool, const struct extent *extent, uint64_t bytes)
{
    uint64_t base = extent->range.base, size = extent->range.bytes, offset = 0;
    struct chunks all = chunks_of(pool, base, size);
    for (uint64_t i = all.first; i < all.end && offset + bytes <= size; i++) {
        uint64_t next = pool->window.range.base + (i + 1) * pool->chunk_bytes - base;
        if (!pool->held[i]) offset = next; /* a run of held chunks can begin here */
        else if (next - offset >= bytes) return offset;
    }
    return size;
}

struct extent *sim_pool_alloc_held(struct pool *pool, uint64_t bytes, bool anywhere)
{
    struct extent *extent = sim_extents_fit(&pool->extents, bytes);
    if (!extent) return NULL;
    if (!missing_bytes(pool, chunks_of(pool, extent->range.base, bytes)))
        return sim_extents_carve(&pool->extents, extent, 0, bytes);
    if (!anywhere) return NULL;
    for (extent = sim_extents_first(&pool->extents); extent; extent = sim_extent_next(extent)) {
        if (extent->used || extent->range.bytes < bytes) continue;
        uint64_t offset = held_offset(pool, extent, bytes);
        if (offset < extent->range.bytes)
            return sim_extents_carve(&pool->extents, extent, offset, bytes);
    }
    return NULL;
}

struct extent *sim_pool_alloc_fresh(struct pool *pool, uint64_t bytes)
{
    struct extent *from = sim_extents_fit(&pool->extents, bytes);
    struct extent *extent = from ? sim_extents_carve(&pool->extents, from, 0, bytes) : NULL;
    if (!extent || hold_chunks(pool, chunks_of(pool, extent->range.base, bytes))) return extent;
    sim_extents_release(&pool->extents, extent, 0);
    return NULL;
}
