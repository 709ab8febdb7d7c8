/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory: allocating it, freeing it at once or in stream order, and telling how
 * much there is.
 */
#include <inttypes.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/guard_bytes.h"
#include "backend-sim/memory/host_memory.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/pool.h"
#include "base/alloc.h"

#define PITCH_BYTES 512 /* rows begin at multiples of it, as measured */

/* ---- Allocating --------------------------------------------------------------------- */

static rill_status fail_full(const struct sim_device *device, size_t bytes)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes",
                             "%zu bytes do not fit: device %d has %" PRIu64 " of %" PRIu64
                             " bytes left",
                             bytes, device->ordinal, sim_heap_left(device->heap),
                             device->heap->memory_bytes);
}

static rill_status allocate_memory(struct sim_context *context, size_t bytes, rill_devptr *address)
{
    struct sim_device *device = context->device;
    struct allocation *allocation = rl_zalloc(sizeof *allocation);
    if (!allocation)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to note an allocation");
    if (sim_device_alloc(device, bytes, &allocation->extent)) {
        rl_free(allocation);
        return fail_full(device, bytes);
    }
    allocation->range.base = allocation->extent->range.base;
    allocation->range.bytes = bytes;
    allocation->kind = ALLOCATION_DEVICE;
    allocation->device = device->ordinal;
    allocation->context = context;
    *address = allocation->range.base;
    sim_guard_fill(context->platform, allocation);
    sim_map_add(context->platform->map, allocation);
    return RILL_SUCCESS;
}

rill_status sim_mem_acquire(rill_context *handle, size_t bytes, rill_devptr *address)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_MEM_ALLOC);
    if (status) return status;
    if (!bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "bytes is 0; an allocation has at least 1");
    return allocate_memory(context, bytes, address);
}

rill_status sim_mem_acquire_pitch(rill_context *handle, size_t width, size_t height,
                                  uint32_t element_bytes, rill_devptr *address, size_t *pitch)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_MEM_ALLOC_PITCH);
    if (status) return status;
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "element_bytes",
                                 "%" PRIu32 " is not 4, 8 or 16", element_bytes);
    if (!width || !height)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, width ? "height" : "width",
                                 "%zu rows of %zu bytes are no memory", height, width);
    size_t row = 0, bytes = 0;
    if (__builtin_add_overflow(width, PITCH_BYTES - 1, &row) ||
        __builtin_mul_overflow(row / PITCH_BYTES * PITCH_BYTES, height, &bytes))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "height",
                                 "%zu rows of %zu bytes are more than can be addressed", height,
                                 width);
    status = allocate_memory(context, bytes, address);
    if (!status) *pitch = row / PITCH_BYTES * PITCH_BYTES;
    return status;
}

/* ---- Freeing ------------------------------------------------------------------------ */

static rill_status fail_free(const struct address_info *info, rill_devptr address)
{
    char words[SIM_DESCRIPTION_MAX];
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                             "0x%" PRIx64 " cannot be freed here: it is %s", address,
                             sim_describe_address(info, address, words));
}

/* Removes a claimed allocation of mem_alloc from the map and frees it. */
static void release_allocation(struct sim_platform *platform, struct allocation *allocation)
{
    struct heap *heap = platform->devices[allocation->device].heap;
    sim_guard_keep(platform, allocation);
    sim_map_remove(platform->map, allocation);
    sim_memory_unshare(platform, allocation->range.base);
    sim_heap_free(heap, allocation->extent);
    rl_free(allocation);
}

/* The kinds of allocations that can be freed, at once or in a stream. */
#define FREEABLE (ALLOCATION_DEVICE | ALLOCATION_POOL | ALLOCATION_GRAPH)

/* And at once alone. */
#define MANAGED (ALLOCATION_MANAGED | ALLOCATION_MANAGED_SPLIT)

/* Waits for the context that made the memory, which need not be the caller's, and for no
 * other.  Does not wait for memory of pools and graphs: the program must be done with it. */
rill_status sim_mem_release(rill_context *handle, rill_devptr address)
{
    struct sim_platform *platform = sim_context_of(handle)->platform;
    rill_status status = sim_enter(platform, CALL_MEM_FREE);
    if (status || !address) return status;
    struct address_info info;
    struct allocation *allocation =
        sim_map_claim(platform->map, address, FREEABLE | MANAGED, &info);
    if (!allocation) return fail_free(&info, address);
    if (allocation->kind & MANAGED) return sim_shared_release(platform, allocation, &info);
    if (info.kind != ALLOCATION_DEVICE) {
        if (info.kind == ALLOCATION_POOL) sim_pool_release(platform, allocation);
        else sim_graph_free_now(allocation);
        return RILL_SUCCESS;
    }
    status = sim_context_drain(info.context);
    if (status) sim_map_unclaim(platform->map, allocation);
    else release_allocation(platform, allocation);
    return status;
}

/* ---- Freeing in stream order --------------------------------------------------------- */

rill_status sim_free_prepare(struct sim_platform *platform, rill_devptr address,
                             enum free_kind *kind)
{
    *kind = FREE_NOTHING;
    if (!address) return RILL_SUCCESS;
    struct address_info info;
    if (!sim_map_claim(platform->map, address, FREEABLE, &info)) return fail_free(&info, address);
    *kind = info.kind == ALLOCATION_DEVICE ? FREE_HEAP
            : info.kind == ALLOCATION_POOL ? FREE_POOL
                                           : FREE_GRAPH;
    return RILL_SUCCESS;
}

void sim_free_cancel(struct sim_platform *platform, rill_devptr address)
{
    struct allocation *allocation = sim_map_claimed(platform->map, address);
    if (allocation) sim_map_unclaim(platform->map, allocation);
}

void sim_free_run(struct sim_platform *platform, rill_devptr address)
{
    release_allocation(platform, sim_map_claimed(platform->map, address));
}

/* ---- What there is ------------------------------------------------------------------ */

rill_status sim_mem_info(rill_context *handle, size_t *free_bytes, size_t *total_bytes)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_MEM_INFO);
    if (status) return status;
    *free_bytes = (size_t)sim_heap_left(context->device->heap);
    *total_bytes = (size_t)context->device->heap->memory_bytes;
    return RILL_SUCCESS;
}

/* Fails for memory that the device does not reach as for addresses where there is none. */
rill_status sim_mem_range(rill_context *handle, rill_devptr address, rill_devptr *base,
                          size_t *bytes)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_MAKE);
    if (status) return status;
    struct address_info info;
    char words[SIM_DESCRIPTION_MAX];
    sim_map_lookup(context->platform->map, address, &info);
    if (!info.known)
        return rill_backend_fail(RILL_ERROR_NOT_FOUND, "address", "0x%" PRIx64 " is %s", address,
                                 sim_describe_address(&info, address, words));
    if (!sim_address_reached(context, &info))
        return rill_backend_fail(RILL_ERROR_NOT_FOUND, "address",
                                 "0x%" PRIx64 " is %s of device %d, to which device %d has no "
                                 "access",
                                 address, sim_describe_allocation(info.kind), info.device,
                                 context->device->ordinal);
    sim_map_narrow(context->platform->map, address, &info);
    *base = info.base;
    *bytes = (size_t)info.bytes;
    return RILL_SUCCESS;
}
