/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of a platform as a whole: opening and closing it, freeing what a context
 * leaves, and which addresses work may use.
 */
#include "backend-sim/memory/memory.h"

#include <inttypes.h>

#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/guard_bytes.h"
#include "backend-sim/memory/host_memory.h"
#include "backend-sim/memory/pool.h"
#include "backend-sim/memory/views.h"
#include "base/alloc.h"

rill_status sim_memory_open(struct sim_platform *platform)
{
    rill_status status = sim_map_open(&platform->map);
    for (int i = 0; i < platform->device_count && !status; i++) {
        struct sim_device *device = &platform->devices[i];
        status = sim_heap_open(platform->map, device->memory_bytes, &device->heap);
        if (!status) status = sim_pools_open(device);
        if (!status) status = sim_graph_heap_open(device);
    }
    if (status) sim_memory_close(platform);
    return status;
}

/* ---- Pieces of the heap of kernels ----------------------------------------------------- */

uint64_t sim_kernel_heap_weight(uint64_t bytes)
{
    return (bytes + 31) & ~UINT64_C(15);
}

void sim_kernel_heap_leave(struct sim_device *device, uint64_t bytes)
{
    atomic_fetch_sub_explicit(&device->kernel_heap, sim_kernel_heap_weight(bytes),
                              memory_order_relaxed);
}

void sim_kernel_piece_free(struct sim_platform *platform, struct allocation *allocation)
{
    struct sim_device *device = &platform->devices[allocation->device];
    sim_heap_free(device->heap, allocation->extent);
    sim_kernel_heap_leave(device, allocation->range.bytes);
    rl_free(allocation);
}

void sim_memory_unshare(struct sim_platform *platform, uint64_t base)
{
    void (*forget)(struct sim_platform *, uint64_t) = atomic_load(&platform->forget_shared);
    if (forget) forget(platform, base);
}

/* ---- The end --------------------------------------------------------------------------- */

/* Frees an allocation that is out of the map and that no work uses any more. */
static void give_back(struct sim_platform *platform, struct allocation *allocation)
{
    struct sim_device *device = &platform->devices[allocation->device];
    switch (allocation->kind) {
    case ALLOCATION_POOL: /* only when the platform closes */
        sim_timeline_let_go(sim_block_of(allocation));
        sim_block_free(sim_block_of(allocation));
        return;
    case ALLOCATION_GRAPH: sim_graph_free_left(allocation); return;
    case ALLOCATION_MODULE:
    case ALLOCATION_MANAGED_VARIABLE: return; /* owned by its code */
    case ALLOCATION_MAPPED:
    case ALLOCATION_IMPORTED: return; /* owned by vmem/, and unmapped before */
    case ALLOCATION_HEAP: sim_kernel_piece_free(platform, allocation); return;
    case ALLOCATION_DEVICE:
        sim_memory_unshare(platform, allocation->range.base);
        sim_heap_free(device->heap, allocation->extent);
        break;
    case ALLOCATION_PINNED:
    case ALLOCATION_MANAGED: sim_defer_free(platform, allocation->bytes); break;
    case ALLOCATION_SPLIT:
    case ALLOCATION_MANAGED_SPLIT: sim_views_free(platform->views, allocation->extent); break;
    case ALLOCATION_REGISTERED: break;
    }
    rl_free(allocation);
}

static void give_all_back(struct sim_platform *platform, const struct sim_context *context)
{
    struct allocation *list = sim_map_remove_all(platform->map, context);
    while (list) {
        struct allocation *next = list->next;
        give_back(platform, list);
        list = next;
    }
}

void sim_memory_close(struct sim_platform *platform)
{
    if (!platform->map) return;
    give_all_back(platform, NULL);
    sim_deferred_frees_close(platform);
    for (int i = 0; i < platform->device_count; i++) {
        sim_pools_close(&platform->devices[i]);
        sim_graph_heap_close(&platform->devices[i]);
        sim_heap_close(platform->devices[i].heap);
        platform->devices[i].heap = NULL;
    }
    sim_views_close(platform->views);
    platform->views = NULL;
    sim_guards_close(platform->guards);
    platform->guards = NULL;
    sim_map_close(platform->map);
    platform->map = NULL;
}

void sim_memory_release_context(struct sim_context *context)
{
    give_all_back(context->platform, context);
}

/* Tells whether an address is in the window of a device's heap. */
static bool in_heap(const struct sim_platform *platform, rill_devptr address)
{
    for (int i = 0; i < platform->device_count; i++)
        if (rl_range_holds(&platform->devices[i].heap->window.range, address)) return true;
    return false;
}

bool sim_memory_holds(struct sim_platform *platform, rill_devptr address, size_t bytes)
{
    struct address_info info;
    struct graph_heap *graphs = sim_graph_heap_at(platform, address);
    if (graphs) return sim_graph_memory_there(graphs, address, bytes);
    sim_map_lookup(platform->map, address, &info);
    if (!info.known) return info.used && !in_heap(platform, address);
    return bytes <= info.bytes - (address - info.base);
}

/* Tells whether the context reaches memory that no list of devices belongs to. */
static bool reaches_device_of(struct sim_context *context, const struct address_info *info)
{
    if (sim_address_is_host(info) || sim_address_is_managed(info)) return true;
    if (info->kind == ALLOCATION_IMPORTED) return true; /* access comes with opening it */
    return info->device == context->device->ordinal || sim_context_reaches(context, info->device);
}

bool sim_address_reached(struct sim_context *context, const struct address_info *info)
{
    if (sim_address_is_listed(info)) return info->access >> context->device->ordinal & 1;
    return reaches_device_of(context, info);
}

bool sim_address_is_only_read(const struct sim_context *context, const struct address_info *info)
{
    return info->reading >> context->device->ordinal & 1;
}

rill_status sim_address_check_given(const struct sim_context *context,
                                    const struct address_info *info, uint64_t address,
                                    const char *argument)
{
    if (!context || !sim_address_is_only_read(context, info)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "0x%" PRIx64 " is memory that device %d was given to read", address,
                             context->device->ordinal);
}

bool sim_address_is_direct(struct sim_context *context, const struct address_info *info)
{
    if (info->kind & ALLOCATION_INDIRECT) return info->access >> context->device->ordinal & 1;
    return reaches_device_of(context, info);
}

bool sim_memory_takes_values(struct sim_context *context, rill_devptr address, size_t bytes)
{
    struct address_info info;
    sim_map_lookup(context->platform->map, address, &info);
    if (info.kind & (ALLOCATION_GRAPH | ALLOCATION_POOL)) return false;
    if (sim_address_is_managed(&info)) return false;
    return info.known && bytes <= info.bytes - (address - info.base) &&
           sim_address_reached(context, &info);
}
