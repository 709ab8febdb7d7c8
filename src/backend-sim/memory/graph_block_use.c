/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of graphs as seen from outside: frees, which memory nodes may name, which
 * exists when they run, and how much the device keeps for graphs.
 */
#include <inttypes.h>
#include <stdio.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/graph_heap.h"
#include "base/asan.h"

/* ---- Frees -------------------------------------------------------------------------- */

/* Takes an allocation out of the map.  Returns its block with heap->lock taken. */
static struct graph_block *leave_map(struct allocation *allocation)
{
    struct graph_block *block = (struct graph_block *)allocation; /* its first member */
    rl_lock(&block->heap->lock);
    sim_map_remove(block->heap->device->platform->map, allocation);
    block->live = false;
    return block;
}

void sim_graph_block_end(struct graph_block *block, uint64_t life)
{
    if (block->ended < life) block->ended = life;
    if (block->ended >= block->begun) rl_asan_forbid(block->place.base, block->place.bytes);
}

/* Ends the lives of a block up to this one, for which no memory is needed any more.  Requires
 * heap->lock. */
static void end_life(struct graph_block *block, uint64_t life)
{
    sim_graph_block_end(block, life);
    sim_graph_block_leave(block);
    sim_graph_block_settle(block);
}

struct graph_free sim_graph_free_at(struct allocation *allocation)
{
    struct graph_block *block = leave_map(allocation);
    struct graph_heap *heap = block->heap;
    struct graph_free free = { block, block->promised };
    block->underway++;
    rl_unlock(&heap->lock);
    return free;
}

void sim_graph_free_run(struct graph_free free)
{
    struct graph_heap *heap = free.block->heap;
    rl_lock(&heap->lock);
    free.block->underway--;
    end_life(free.block, free.life);
    rl_unlock(&heap->lock);
}

void sim_graph_free_now(struct allocation *allocation)
{
    struct graph_block *block = leave_map(allocation);
    struct graph_heap *heap = block->heap;
    end_life(block, block->promised);
    rl_unlock(&heap->lock);
}

void sim_graph_free_left(struct allocation *allocation)
{
    struct graph_block *block = (struct graph_block *)allocation;
    struct graph_heap *heap = block->heap;
    rl_lock(&heap->lock);
    block->live = false;
    end_life(block, block->promised);
    rl_unlock(&heap->lock);
}

/* ---- Uses --------------------------------------------------------------------------- */

bool sim_graph_memory_lookup(const struct sim_platform *platform, uint64_t address,
                             struct address_info *info)
{
    struct graph_heap *heap = sim_graph_heap_at(platform, address);
    if (!heap) return false;
    rl_lock(&heap->lock);
    const struct graph_block *block = sim_graph_block_at(heap, address);
    bool known = block && address - block->place.base < block->most;
    if (known)
        *info = (struct address_info){
            .known = true,
            .in_window = true,
            .kind = ALLOCATION_GRAPH,
            .device = heap->device->ordinal,
            .base = block->place.base,
            .bytes = block->most,
            .access = block->face.access,
        };
    rl_unlock(&heap->lock);
    return known;
}

bool sim_graph_memory_frees_itself(const struct sim_platform *platform, uint32_t serial,
                                   uint64_t address)
{
    struct graph_heap *heap = sim_graph_heap_at(platform, address);
    if (!heap) return false;
    rl_lock(&heap->lock);
    const struct graph_block *block = sim_graph_block_at(heap, address);
    const struct block_owner *owner = block ? block->owner : NULL;
    bool frees = owner && (!serial || owner->graph == serial) && owner->own_frees;
    rl_unlock(&heap->lock);
    return frees;
}

bool sim_graph_memory_is_given_back(const struct sim_platform *platform, uint64_t address)
{
    return sim_graph_memory_frees_itself(platform, 0, address);
}

/* Tells whether a block's memory exists and holds these bytes.  Requires heap->lock. */
static bool block_holds(const struct graph_block *block, uint64_t address, uint64_t bytes)
{
    if (!block || block->begun <= block->ended) return false;
    uint64_t offset = address - block->place.base;
    return offset < block->bytes && bytes <= block->bytes - offset;
}

bool sim_graph_memory_there(struct graph_heap *heap, uint64_t address, uint64_t bytes)
{
    rl_lock(&heap->lock);
    bool there = block_holds(sim_graph_block_at(heap, address), address, bytes);
    rl_unlock(&heap->lock);
    return there;
}

void sim_graph_block_describe(const struct graph_block *block, char words[RILL_LABEL_MAX])
{
    const struct block_owner *owner = block->owner;
    if (!owner || (owner->node == BLOCK_NODE_UNKNOWN && !*owner->label))
        snprintf(words, RILL_LABEL_MAX, "an alloc node");
    else if (*owner->label)
        snprintf(words, RILL_LABEL_MAX, "alloc node '%.*s'", RILL_LABEL_MAX - 16, owner->label);
    else
        snprintf(words, RILL_LABEL_MAX, "alloc node %" PRIu32, owner->node);
}

/* Writes why the memory is not there.  Requires heap->lock. */
static void describe_absence(const struct graph_block *block, char *why, size_t size)
{
    char node[RILL_LABEL_MAX];
    if (!block) {
        snprintf(why, size, "which no alloc node has any more: its graph is gone and the memory "
                            "was freed");
        return;
    }
    sim_graph_block_describe(block, node);
    if (block->begun > block->ended)
        snprintf(why, size, "and %s allocated only %" PRIu64 " bytes at 0x%" PRIx64, node,
                 block->bytes, block->place.base);
    else
        snprintf(why, size, "%s %s: order it behind the alloc node and before the free",
                 block->begun ? "after the free of" : "before it was allocated by", node);
}

bool sim_describe_graph_memory(const struct sim_platform *platform, const char *operation,
                               uint64_t address, uint64_t bytes, char *message, size_t size)
{
    struct graph_heap *heap = sim_graph_heap_at(platform, address);
    if (!heap) return false;
    char why[RILL_ERROR_MESSAGE_MAX / 2];
    rl_lock(&heap->lock);
    describe_absence(sim_graph_block_at(heap, address), why, sizeof why);
    rl_unlock(&heap->lock);
    snprintf(message, size, "a graph's %s uses %" PRIu64 " bytes at 0x%" PRIx64 ", %s", operation,
             bytes, address, why);
    return true;
}

/* ---- Slots -------------------------------------------------------------------------- */

static rill_status find_heap(rill_platform *handle, int device, struct graph_heap **heap)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (!status)
        status = sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (!status) *heap = platform->devices[device].graphs;
    return status;
}

static rill_status no_attribute(rill_graph_memory_attribute attribute, const char *what)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute", "%d %s", (int)attribute, what);
}

/* Counts as used all that graphs were given until it is trimmed, as measured: freeing memory
 * does not take it from them. */
rill_status sim_graph_get_memory(rill_platform *platform, int device,
                                 rill_graph_memory_attribute attribute, uint64_t *value)
{
    struct graph_heap *heap;
    rill_status status = find_heap(platform, device, &heap);
    if (status) return status;
    rl_lock(&heap->lock);
    switch (attribute) {
    case RILL_GRAPH_MEMORY_USED_CURRENT:
    case RILL_GRAPH_MEMORY_RESERVED_CURRENT: *value = heap->reserve.held; break;
    case RILL_GRAPH_MEMORY_USED_HIGH: *value = heap->reserve.used_high; break;
    case RILL_GRAPH_MEMORY_RESERVED_HIGH: *value = heap->reserve.held_high; break;
    default: status = no_attribute(attribute, "is no attribute of the memory of graphs");
    }
    rl_unlock(&heap->lock);
    return status;
}

rill_status sim_graph_set_memory(rill_platform *platform, int device,
                                 rill_graph_memory_attribute attribute, uint64_t value)
{
    struct graph_heap *heap;
    rill_status status = find_heap(platform, device, &heap);
    if (status) return status;
    bool high = attribute == RILL_GRAPH_MEMORY_USED_HIGH ||
                attribute == RILL_GRAPH_MEMORY_RESERVED_HIGH;
    if (!high) return no_attribute(attribute, "is no high watermark; only those can be set");
    if (value)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "value",
                                 "a high watermark can be set to 0 only, not to %" PRIu64, value);
    rl_lock(&heap->lock);
    if (attribute == RILL_GRAPH_MEMORY_USED_HIGH) heap->reserve.used_high = heap->reserve.held;
    else heap->reserve.held_high = heap->reserve.held;
    rl_unlock(&heap->lock);
    return RILL_SUCCESS;
}

rill_status sim_graph_trim_memory(rill_platform *platform, int device)
{
    struct graph_heap *heap;
    rill_status status = find_heap(platform, device, &heap);
    if (status) return status;
    rl_lock(&heap->lock);
    sim_graph_heap_trim(heap);
    rl_unlock(&heap->lock);
    return RILL_SUCCESS;
}
