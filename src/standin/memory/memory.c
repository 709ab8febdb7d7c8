/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory.  The first forms of these calls had addresses of 32 bits, in which none
 * fits: they stay refused.
 */
#include "standin/context/current.h"
#include "standin/memory/advice.h"

/* Calls that fail answer addresses and sizes of 0, as the driver's do. */

static CUresult allocate(CUdeviceptr *address, size_t bytes)
{
    struct si_context *current;
    CUresult status = si_current(&current);
    if (status) return status;
    rill_context *context = atomic_load_explicit(&current->slot.object, memory_order_acquire);
    status = rill_mem_alloc(context, bytes, address);
    if (!status && __atomic_load_n(&current->flags, __ATOMIC_RELAXED) & SI_CONTEXT_WAITS)
        rill_pointer_set_sync_memops(context, *address, 1);
    return status;
}

ENTRY(cuMemAlloc_v2, (CUdeviceptr *address, size_t bytes), (address, bytes))
{
    CUresult status = allocate(address, bytes);
    if (status && address) *address = 0;
    return status;
}

ENTRY(cuMemAllocPitch_v2,
      (CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element_bytes),
      (address, pitch, width, height, element_bytes))
{
    rill_context *context;
    CUresult status = si_here(&context);
    if (!status)
        status = rill_mem_alloc_pitch(context, width, height, element_bytes, address, pitch);
    if (status && address) *address = 0;
    if (status && pitch) *pitch = 0;
    return status;
}

/* An address says where it belongs: any context will do, and 0 needs none. */
ENTRY(cuMemFree_v2, (CUdeviceptr address), (address))
{
    rill_context *context;
    CUresult status = si_anywhere_to_free(&context);
    if (status) return status;
    if (!context) return address ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
    si_advice_forget(address);
    return rill_mem_free(context, address);
}

/* Of memory of the host that is mapped (vmem.c) a driver does not say where it begins. */
static bool is_mapped_host(rill_context *context, CUdeviceptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    return !rill_pointer_get_info(context, address, &info) && info.reserved_bytes &&
           info.kind == RILL_MEMORY_HOST;
}

ENTRY(cuMemGetAddressRange_v2,
      (CUdeviceptr *base, size_t *bytes, CUdeviceptr address), (base, bytes, address))
{
    rill_context *context;
    CUresult status = si_here(&context);
    if (!status) status = rill_mem_range(context, address, base, bytes);
    if (base && (status || is_mapped_host(context, address))) *base = 0;
    if (status && bytes) *bytes = 0;
    return status;
}

ENTRY(cuMemGetInfo_v2, (size_t *free_bytes, size_t *total_bytes), (free_bytes, total_bytes))
{
    rill_context *context;
    CUresult status = si_here(&context);
    if (!status) return rill_mem_info(context, free_bytes, total_bytes);
    if (free_bytes) *free_bytes = 0;
    if (total_bytes) *total_bytes = 0;
    return status;
}

static unsigned cut_to_32_bits(size_t bytes)
{
    return bytes > UINT32_MAX ? UINT32_MAX : (unsigned)bytes;
}

ENTRY(cuMemGetInfo, (unsigned *free_bytes, unsigned *total_bytes), (free_bytes, total_bytes))
{
    size_t some = 0, all = 0;
    CUresult status = cuMemGetInfo_v2(&some, &all);
    if (status) return status;
    if (free_bytes) *free_bytes = cut_to_32_bits(some);
    if (total_bytes) *total_bytes = cut_to_32_bits(all);
    return RILL_SUCCESS;
}
