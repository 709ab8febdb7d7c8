/* SPDX-License-Identifier: Apache-2.0
 *
 * The window of a device's graph memory: blocks of addresses, and the pages that
 * back them.
 */
#include "backend-sim/memory/graph_heap.h"

#include <inttypes.h>

#include "backend-sim/memory/heap.h"
#include "backend-sim/memory/pool.h"
#include "base/alloc.h"

/* How many times larger than the memory the window is, if the system allows it. */
#define WINDOW_FACTOR 64

/* ---- Life --------------------------------------------------------------------------- */

rill_status sim_graph_heap_open(struct sim_device *device)
{
    struct graph_heap *heap = rl_zalloc_lines(sizeof *heap);
    if (!heap) return RILL_ERROR_OUT_OF_MEMORY;
    heap->device = device;
    heap->season = 1;
    device->graphs = heap;
    return RILL_SUCCESS;
}

static struct graph_block *block_of(struct range *place)
{
    return place ? (struct graph_block *)((char *)place - offsetof(struct graph_block, place))
                 : NULL;
}

/* Frees the blocks whose frees a failed device did not get to. */
static void drop_blocks(struct graph_heap *heap)
{
    struct range *place;
    while ((place = rl_ranges_from(&heap->blocks, 0))) {
        rl_ranges_remove(&heap->blocks, place);
        sim_chunk_set_release(block_of(place)->chunk_set);
        rl_free(block_of(place));
    }
}

/* Requires that no task is left and nothing is in the map. */
void sim_graph_heap_close(struct sim_device *device)
{
    struct graph_heap *heap = device->graphs;
    if (!heap) return;
    if (heap->window.range.bytes) {
        drop_blocks(heap);
        sim_map_remove_window(device->platform->map, &heap->window);
        sim_extents_close(&heap->extents);
        sim_window_close(&heap->window);
        sim_reserve_close(&heap->reserve);
        rl_free(heap->segments);
    }
    rl_free(heap);
    device->graphs = NULL;
}

static bool reserve_window(struct graph_heap *heap)
{
    uint64_t memory = heap->device->memory_bytes, chunk = sim_chunk_bytes(memory);
    for (uint64_t factor = WINDOW_FACTOR; factor; factor /= 2)
        if (memory <= UINT64_MAX / factor &&
            sim_window_open(&heap->window, memory * factor / chunk * chunk))
            return true;
    return false;
}

/* Makes what goes with a window of addresses.  Returns false if the host's memory is short. */
static bool furnish_window(struct graph_heap *heap)
{
    uint64_t base = heap->window.range.base, bytes = heap->window.range.bytes;
    if (!sim_reserve_open(&heap->reserve, heap->device)) return false;
    heap->segments = rl_zalloc((size_t)(bytes / heap->reserve.chunk_bytes));
    if (heap->segments &&
        !sim_extents_open(&heap->extents, EXTENTS_LOWEST, base, bytes, SIM_ALIGNMENT))
        return true;
    rl_free(heap->segments);
    heap->segments = NULL;
    sim_reserve_close(&heap->reserve);
    return false;
}

static rill_status open_window(struct graph_heap *heap)
{
    if (!reserve_window(heap)) return RILL_ERROR_OUT_OF_MEMORY;
    if (!furnish_window(heap)) {
        sim_window_close(&heap->window);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    sim_map_add_window(heap->device->platform->map, &heap->window);
    atomic_store_explicit(&heap->opened, true, memory_order_release);
    return RILL_SUCCESS;
}

struct graph_heap *sim_graph_heap_at(const struct sim_platform *platform, uint64_t address)
{
    for (int i = 0; i < platform->device_count; i++) {
        struct graph_heap *heap = platform->devices[i].graphs;
        if (atomic_load_explicit(&heap->opened, memory_order_acquire) &&
            rl_range_holds(&heap->window.range, address))
            return heap;
    }
    return NULL;
}

/* ---- Pages -------------------------------------------------------------------------- */

struct segments {
    uint64_t first, end;
};

static struct segments segments_of(const struct graph_heap *heap, const struct range *range)
{
    uint64_t offset = range->base - heap->window.range.base, bytes = heap->reserve.chunk_bytes;
    return (struct segments){ offset / bytes, (offset + range->bytes + bytes - 1) / bytes };
}

static bool is_busy(const struct graph_block *block)
{
    return block->live || block->underway;
}

static void mark_busy(struct graph_heap *heap, const struct graph_block *block)
{
    struct segments at = segments_of(heap, &block->place);
    for (uint64_t i = at.first; i < at.end; i++) heap->segments[i] |= SEGMENT_BUSY;
}

/* Returns the pages of idle blocks to the system.  Requires heap->lock. */
static void discard_pages(struct graph_heap *heap)
{
    uint64_t bytes = heap->reserve.chunk_bytes;
    if (!heap->touched) return;
    struct range *place = rl_ranges_from(&heap->blocks, 0);
    for (; place; place = rl_range_next(place))
        if (is_busy(block_of(place))) mark_busy(heap, block_of(place));
    for (uint64_t i = 0; i < heap->window.range.bytes / bytes; i++) {
        if (heap->segments[i] == SEGMENT_TOUCHED) {
            sim_window_discard(heap->window.range.base + i * bytes, bytes);
            heap->segments[i] = 0;
            heap->touched -= bytes;
        }
        heap->segments[i] &= SEGMENT_TOUCHED;
    }
    heap->season++;
}

/* Requires that the block is busy already, so that discard_pages() leaves it alone. */
void sim_graph_block_touch(struct graph_block *block)
{
    struct graph_heap *heap = block->heap;
    if (block->touched == heap->season) return;
    struct segments at = segments_of(heap, &block->place);
    for (uint64_t i = at.first; i < at.end; i++) {
        if (heap->segments[i] & SEGMENT_TOUCHED) continue;
        heap->segments[i] |= SEGMENT_TOUCHED;
        heap->touched += heap->reserve.chunk_bytes;
    }
    block->touched = heap->season;
    if (heap->touched > heap->reserve.held + sim_heap_left(heap->device->heap)) discard_pages(heap);
}

void sim_graph_heap_trim(struct graph_heap *heap)
{
    sim_reserve_trim(&heap->reserve);
    discard_pages(heap);
}

/* ---- Needs -------------------------------------------------------------------------- */

/* Takes a block off the chunks before `end`.  Requires heap->lock. */
static void step_off(struct graph_block *block, uint32_t end)
{
    struct graph_reserve *reserve = &block->heap->reserve;
    for (uint32_t i = block->first; i < end; i++)
        if (--block->chunk_set->blocks[i] == 0) sim_reserve_unclaim(reserve, reserve->chunk_bytes);
    sim_chunk_set_release(block->chunk_set);
    block->chunk_set = NULL;
}

bool sim_graph_block_stand(struct graph_block *block, struct chunk_set *chunk_set, uint32_t first,
                           uint32_t last)
{
    struct graph_reserve *reserve = &block->heap->reserve;
    if (block->standing++) return true;
    chunk_set->references++;
    block->chunk_set = chunk_set;
    block->first = first;
    block->last = last;
    for (uint32_t i = first; i <= last; i++) {
        if (!chunk_set->blocks[i] && !sim_reserve_claim(reserve, reserve->chunk_bytes)) {
            step_off(block, i);
            block->standing = 0;
            return false;
        }
        chunk_set->blocks[i]++;
    }
    return true;
}

void sim_graph_block_leave(struct graph_block *block)
{
    if (--block->standing == 0) step_off(block, block->last + 1);
}

/* ---- Blocks -------------------------------------------------------------------------- */

static rill_status fail_short(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to note an allocation");
}

/* Gives a block an extent of the window and adds it to the heap's.  Requires heap->lock. */
static rill_status place_block(struct graph_heap *heap, uint64_t bytes, struct graph_block *block)
{
    rill_status status = heap->window.range.bytes ? RILL_SUCCESS : open_window(heap);
    if (status) return fail_short();
    uint64_t rounded = sim_extents_round(&heap->extents, bytes);
    struct extent *from = sim_extents_fit(&heap->extents, rounded);
    if (!from)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                                 "%" PRIu64 " bytes do not fit: no such stretch is left of the "
                                 "addresses for graphs of device %d", bytes, heap->device->ordinal);
    if (sim_window_use(&heap->window, from->range.base + rounded))
        block->extent = sim_extents_carve(&heap->extents, from, 0, rounded);
    if (!block->extent) return fail_short();
    block->place.base = block->extent->range.base;
    block->place.bytes = rounded;
    rl_ranges_add(&heap->blocks, &block->place);
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

/* Leaves the pages at their addresses, for the block that gets these next. */
void sim_graph_block_settle(struct graph_block *block)
{
    struct graph_heap *heap = block->heap;
    if (block->references || is_busy(block)) return;
    rl_ranges_remove(&heap->blocks, &block->place);
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
    return block_of(rl_ranges_at(&heap->blocks, address));
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
