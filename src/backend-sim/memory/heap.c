/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/heap.h"

#include "backend-sim/machine/machine.h"
#include "base/alloc.h"
#include "base/asan.h"

/* How many times larger than the memory the window is, if the system allows it. */
#define WINDOW_FACTOR 4

/* Freed memory of at least this size goes back to the system at once; what is smaller waits
 * until the free extent around it holds as much. */
#define DISCARD_BYTES (UINT64_C(1) << 20)

/* ---- Life --------------------------------------------------------------------------- */

/* Reserves the largest window that the system allows. */
static rill_status reserve_window(struct heap *heap)
{
    for (uint64_t factor = WINDOW_FACTOR; factor; factor /= 2) {
        if (heap->memory_bytes > UINT64_MAX / factor) continue;
        uint64_t bytes = heap->memory_bytes * factor & ~(uint64_t)(SIM_ALIGNMENT - 1);
        if (sim_window_open(&heap->window, bytes)) return RILL_SUCCESS;
    }
    return RILL_ERROR_OUT_OF_MEMORY;
}

rill_status sim_heap_open(struct address_map *map, uint64_t memory_bytes, struct heap **out)
{
    struct heap *heap = rl_zalloc_lines(sizeof *heap);
    if (!heap) return RILL_ERROR_OUT_OF_MEMORY;
    heap->map = map;
    heap->memory_bytes = memory_bytes;
    heap->gap = rl_has_asan() ? SIM_ALIGNMENT : 0;
    rill_status status = reserve_window(heap);
    if (!status) {
        status = sim_extents_open(&heap->extents, EXTENTS_LOWEST, heap->window.range.base,
                                  heap->window.range.bytes, SIM_ALIGNMENT);
        if (status) sim_window_close(&heap->window);
    }
    if (status) {
        rl_free(heap);
        return status;
    }
    sim_map_add_window(map, &heap->window);
    *out = heap;
    return RILL_SUCCESS;
}

void sim_heap_close(struct heap *heap)
{
    if (!heap) return;
    sim_map_remove_window(heap->map, &heap->window);
    sim_extents_close(&heap->extents);
    sim_window_close(&heap->window);
    rl_free(heap);
}

/* ---- Memory ------------------------------------------------------------------------- */

bool sim_heap_claim(struct heap *heap, uint64_t bytes)
{
    uint64_t taken = atomic_load_explicit(&heap->taken, memory_order_relaxed);
    do {
        if (bytes > heap->memory_bytes - taken) return false;
    } while (!atomic_compare_exchange_weak_explicit(&heap->taken, &taken, taken + bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

void sim_heap_unclaim(struct heap *heap, uint64_t bytes)
{
    atomic_fetch_sub_explicit(&heap->taken, bytes, memory_order_relaxed);
}

/* ---- Extents ------------------------------------------------------------------------ */

/* What may still be backed by memory of the system goes back to it once there is much. */
static void give_back(struct heap *heap, struct extent *extent, uint64_t stale)
{
    struct extent *free = sim_extents_release(&heap->extents, extent, stale);
    if (free->stale < DISCARD_BYTES) return;
    sim_window_discard(free->range.base, free->range.bytes);
    free->stale = 0;
}

void sim_heap_quarantine(struct heap *heap, uint64_t bytes)
{
    heap->keep = bytes;
}

static void end_oldest(struct heap *heap)
{
    struct extent *oldest = heap->oldest;
    heap->oldest = oldest->later;
    heap->kept -= oldest->range.bytes;
    give_back(heap, oldest, oldest->stale);
}

static void keep_freed(struct heap *heap, struct extent *extent, uint64_t stale)
{
    extent->stale = stale;
    extent->later = NULL;
    if (heap->oldest) heap->newest->later = extent;
    else heap->oldest = extent;
    heap->newest = extent;
    heap->kept += extent->range.bytes;
    while (heap->kept > heap->keep) end_oldest(heap);
}

/* Finds a free extent, if need be by ending what is in quarantine. */
static struct extent *find_free(struct heap *heap, uint64_t bytes)
{
    struct extent *from;
    while (!(from = sim_extents_fit(&heap->extents, bytes)) && heap->oldest) end_oldest(heap);
    return from;
}

rill_status sim_heap_alloc(struct heap *heap, uint64_t bytes, struct extent **out)
{
    uint64_t rounded = sim_extents_round(&heap->extents, bytes);
    if (!rounded || !sim_heap_claim(heap, rounded)) return RILL_ERROR_OUT_OF_MEMORY;
    uint64_t taken = rounded + heap->gap;
    rl_lock(&heap->lock);
    struct extent *from = find_free(heap, taken);
    if (from && !sim_window_use(&heap->window, from->range.base + taken)) from = NULL;
    struct extent *extent = from ? sim_extents_carve(&heap->extents, from, 0, taken) : NULL;
    rl_unlock(&heap->lock);
    if (!extent) {
        sim_heap_unclaim(heap, rounded);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    sim_window_prefer_huge(extent->range.base, rounded);
    *out = extent;
    return RILL_SUCCESS;
}

void sim_heap_free(struct heap *heap, struct extent *extent)
{
    uint64_t bytes = extent->range.bytes, stale = bytes;
    if (bytes >= DISCARD_BYTES) { /* before the lock, since it takes long */
        sim_window_discard(extent->range.base, bytes);
        stale = 0;
    }
    rl_lock(&heap->lock);
    if (heap->keep) keep_freed(heap, extent, stale);
    else give_back(heap, extent, stale);
    rl_unlock(&heap->lock);
    sim_heap_unclaim(heap, bytes - heap->gap);
}
