/* SPDX-License-Identifier: Apache-2.0
 *
 * The window of a device's graph memory: blocks of addresses, and chunks of
 * memory behind them.
 */
#include "backend-sim/graph_heap.h"

#include <inttypes.h>

#include "backend-sim/heap.h"
#include "backend-sim/pool.h"
#include "base/alloc.h"

/* How much larger the window is than the memory, where the system lets us. */
#define WINDOW_FACTOR 64

/* ---- Life --------------------------------------------------------------------------- */

rill_status sim_graph_heap_open(struct sim_device *device)
{
    struct graph_heap *heap = rl_zalloc_lines(sizeof *heap);
    if (!heap) return RILL_ERROR_OUT_OF_MEMORY;
    heap->device = device;
    heap->trims = 1;
    device->graphs = heap;
    return RILL_SUCCESS;
}

static struct graph_block *block_of(struct range *place)
{
    return place ? (struct graph_block *)((char *)place - offsetof(struct graph_block, place))
                 : NULL;
}

/* What a device that failed did not get to. */
static void drop_blocks(struct graph_heap *heap)
{
    struct range *place;
    while ((place = sim_ranges_from(&heap->blocks, 0))) {
        sim_ranges_remove(&heap->blocks, place);
        rl_free(block_of(place));
    }
}

/* No task is left, and nothing is in the map. */
void sim_graph_heap_close(struct sim_device *device)
{
    struct graph_heap *heap = device->graphs;
    if (!heap) return;
    if (heap->window.bytes) {
        drop_blocks(heap);
        sim_map_remove_window(device->platform->map, &heap->window);
        sim_extents_close(&heap->extents);
        sim_window_release(heap->window.base, heap->window.bytes);
        sim_heap_unclaim(device->heap, heap->reserved);
        rl_free(heap->chunks);
    }
    rl_free(heap);
    device->graphs = NULL;
}

static uint64_t reserve_window(struct graph_heap *heap, uint64_t *bytes)
{
    uint64_t memory = heap->device->memory_bytes, chunk = heap->chunk_bytes;
    for (uint64_t factor = WINDOW_FACTOR; factor; factor /= 2) {
        if (memory > UINT64_MAX / factor) continue;
        *bytes = memory * factor / chunk * chunk;
        uint64_t base = *bytes ? sim_window_reserve(*bytes) : 0;
        if (base) return base;
    }
    return 0;
}

static rill_status open_window(struct graph_heap *heap)
{
    uint64_t bytes;
    heap->chunk_bytes = sim_chunk_bytes(heap->device->memory_bytes);
    uint64_t base = reserve_window(heap, &bytes);
    if (!base) return RILL_ERROR_OUT_OF_MEMORY;
    heap->chunks = rl_zalloc((size_t)(bytes / heap->chunk_bytes));
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    if (heap->chunks)
        status = sim_extents_open(&heap->extents, EXTENTS_LOWEST, base, bytes, SIM_ALIGNMENT);
    if (status) {
        rl_free(heap->chunks);
        heap->chunks = NULL;
        sim_window_release(base, bytes);
        return status;
    }
    heap->window = (struct range){ .base = base, .bytes = bytes };
    sim_map_add_window(heap->device->platform->map, &heap->window);
    atomic_store_explicit(&heap->opened, true, memory_order_release);
    return RILL_SUCCESS;
}

struct graph_heap *sim_graph_heap_at(const struct sim_platform *platform, uint64_t address)
{
    for (int i = 0; i < platform->device_count; i++) {
        struct graph_heap *heap = platform->devices[i].graphs;
        if (atomic_load_explicit(&heap->opened, memory_order_acquire) &&
            sim_range_holds(&heap->window, address))
            return heap;
    }
    return NULL;
}

/* ---- Chunks ------------------------------------------------------------------------- */

struct chunks {
    uint64_t first, end;
};

static struct chunks chunks_of(const struct graph_heap *heap, const struct range *range)
{
    uint64_t offset = range->base - heap->window.base;
    return (struct chunks){ offset / heap->chunk_bytes,
                            (offset + range->bytes + heap->chunk_bytes - 1) / heap->chunk_bytes };
}

/* Whether the device has as much to give, or its pools can do without. */
static bool claim(struct graph_heap *heap, uint64_t bytes)
{
    struct sim_device *device = heap->device;
    if (sim_heap_claim(device->heap, bytes)) return true;
    if (sim_graph_heap_trim(heap) && sim_heap_claim(device->heap, bytes)) return true;
    return sim_pools_reclaim(device, bytes) && sim_heap_claim(device->heap, bytes);
}

/* The block is busy already, so that making room leaves it alone. */
bool sim_graph_block_hold(struct graph_block *block)
{
    struct graph_heap *heap = block->heap;
    if (block->held == heap->trims) return true;
    struct chunks chunks = chunks_of(heap, &block->place);
    for (uint64_t i = chunks.first; i < chunks.end; i++) {
        if (heap->chunks[i] & CHUNK_HELD) continue;
        if (!claim(heap, heap->chunk_bytes)) return false;
        heap->chunks[i] |= CHUNK_HELD;
        heap->reserved += heap->chunk_bytes;
    }
    if (heap->reserved > heap->reserved_high) heap->reserved_high = heap->reserved;
    if (heap->reserved > heap->used_high) heap->used_high = heap->reserved;
    block->held = heap->trims;
    return true;
}

static bool is_busy(const struct graph_block *block)
{
    return block->live || block->underway;
}

static void mark_busy(struct graph_heap *heap, const struct graph_block *block)
{
    struct chunks chunks = chunks_of(heap, &block->place);
    for (uint64_t i = chunks.first; i < chunks.end; i++) heap->chunks[i] |= CHUNK_BUSY;
}

bool sim_graph_heap_trim(struct graph_heap *heap)
{
    uint64_t given = 0, chunk = heap->chunk_bytes;
    if (!heap->reserved) return false;
    struct range *place = sim_ranges_from(&heap->blocks, 0);
    for (; place; place = sim_range_next(place))
        if (is_busy(block_of(place))) mark_busy(heap, block_of(place));
    for (uint64_t i = 0; i < heap->window.bytes / chunk; i++) {
        if (heap->chunks[i] == CHUNK_HELD) {
            sim_window_discard(heap->window.base + i * chunk, chunk);
            heap->chunks[i] = 0;
            given += chunk;
        }
        heap->chunks[i] &= CHUNK_HELD;
    }
    if (!given) return false;
    heap->reserved -= given;
    heap->trims++;
    sim_heap_unclaim(heap->device->heap, given);
    return true;
}

/* ---- Blocks -------------------------------------------------------------------------- */

static rill_status fail_short(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to note an allocation");
}

/* A block of its own; its extent is the heap's to give. */
static rill_status place_block(struct graph_heap *heap, uint64_t bytes, struct graph_block *block)
{
    rill_status status = heap->window.bytes ? RILL_SUCCESS : open_window(heap);
    if (status) return fail_short();
    uint64_t rounded = sim_extents_round(&heap->extents, bytes);
    struct extent *from = sim_extents_fit(&heap->extents, rounded);
    if (!from)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "%" PRIu64 " bytes do not fit: no such stretch is left of the "
                                 "addresses for graphs of device %d", bytes, heap->device->ordinal);
    block->extent = sim_extents_carve(&heap->extents, from, 0, rounded);
    if (!block->extent) return fail_short();
    block->place.base = block->extent->range.base;
    block->place.bytes = rounded;
    sim_ranges_add(&heap->blocks, &block->place);
    return RILL_SUCCESS;
}

rill_status sim_graph_block_make(struct graph_heap *heap, uint64_t bytes, uint64_t access,
                                 struct graph_block **out)
{
    const struct sim_device *device = heap->device;
    if (bytes > device->memory_bytes)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "%" PRIu64 " bytes do not fit: device %d has %" PRIu64, bytes,
                                 device->ordinal, device->memory_bytes);
    struct graph_block *block = rl_zalloc(sizeof *block);
    if (!block) return fail_short();
    block->heap = heap;
    block->face.access = access;
    block->references = 1;
    block->most = bytes;
    rl_lock(&heap->lock);
    rill_status status = place_block(heap, bytes, block);
    rl_unlock(&heap->lock);
    if (status) rl_free(block);
    else *out = block;
    return status;
}

void sim_graph_block_retain(struct graph_block *block)
{
    rl_lock(&block->heap->lock);
    block->references++;
    rl_unlock(&block->heap->lock);
}

/* The memory stays behind the addresses, for whoever gets them next. */
void sim_graph_block_settle(struct graph_block *block)
{
    struct graph_heap *heap = block->heap;
    if (block->references || is_busy(block)) return;
    sim_ranges_remove(&heap->blocks, &block->place);
    sim_extents_release(&heap->extents, block->extent, 0);
    rl_free(block);
}

void sim_graph_block_release(struct graph_block *block)
{
    struct graph_heap *heap = block->heap;
    rl_lock(&heap->lock);
    block->references--;
    sim_graph_block_settle(block);
    rl_unlock(&heap->lock);
}

struct graph_block *sim_graph_block_at(const struct graph_heap *heap, uint64_t address)
{
    return block_of(sim_ranges_at(&heap->blocks, address));
}

/* ---- In the map ----------------------------------------------------------------------- */

void sim_graph_block_show(struct graph_block *block, uint64_t bytes)
{
    struct sim_device *device = block->heap->device;
    block->allocation = (struct allocation){
        .range = { .base = block->place.base, .bytes = bytes },
        .kind = ALLOCATION_GRAPH,
        .device = device->ordinal,
        .face = &block->face,
        .extent = block->extent,
    };
    block->live = true;
    sim_map_add(device->platform->map, &block->allocation);
}

bool sim_graph_block_hide(struct graph_block *block)
{
    struct address_map *map = block->heap->device->platform->map;
    struct address_info info;
    if (!sim_map_claim(map, block->place.base, ALLOCATION_GRAPH, &info)) return false;
    sim_map_remove(map, &block->allocation);
    block->live = false;
    return true;
}
