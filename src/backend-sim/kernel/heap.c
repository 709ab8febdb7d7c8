/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/kernel/heap.h"

#include <string.h>

#include "backend-sim/kernel/code.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/pool.h"
#include "base/alloc.h"

/* Counts a piece of so many bytes.  Returns false if the heap of kernels has no room for it. */
static bool weigh_in(struct sim_device *device, uint64_t bytes)
{
    uint64_t most = device->platform->kernel_heap_bytes;
    if (bytes > most) return false;
    uint64_t before = atomic_fetch_add_explicit(&device->kernel_heap, sim_kernel_heap_weight(bytes),
                                                memory_order_relaxed);
    if (before + sim_kernel_heap_weight(bytes) <= most) return true;
    sim_kernel_heap_leave(device, bytes);
    return false;
}

uint64_t sim_kernel_heap_alloc(struct sim_code *code, uint64_t bytes)
{
    struct sim_device *device = code->device;
    if (!bytes || !weigh_in(device, bytes)) return 0;
    struct allocation *allocation = rl_zalloc(sizeof *allocation);
    if (!allocation || sim_device_alloc(device, bytes, &allocation->extent)) {
        rl_free(allocation);
        sim_kernel_heap_leave(device, bytes);
        return 0;
    }
    uint64_t address = allocation->extent->range.base;
    allocation->range.base = address;
    allocation->range.bytes = bytes;
    allocation->kind = ALLOCATION_HEAP;
    allocation->device = device->ordinal;
    rl_lock(&code->lock);
    allocation->context = code->context;
    rl_unlock(&code->lock);
    sim_map_add(device->platform->map, allocation);
    return address;
}

uint64_t sim_kernel_heap_take(struct sim_platform *platform, uint64_t address, void *to,
                              size_t bytes)
{
    struct address_info info;
    struct allocation *allocation =
        sim_map_claim(platform->map, address, ALLOCATION_HEAP, &info);
    if (!allocation) return 0;
    const uint64_t freed = allocation->range.bytes;
    if (bytes > freed) bytes = freed;
    if (bytes) memcpy(to, (const void *)(uintptr_t)address, bytes);
    sim_map_remove(platform->map, allocation);
    sim_kernel_piece_free(platform, allocation);
    return freed;
}

uint64_t sim_kernel_heap_free(struct sim_platform *platform, uint64_t address)
{
    return sim_kernel_heap_take(platform, address, NULL, 0);
}
