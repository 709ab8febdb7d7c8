/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory, and the table of all memory slots.
 */
#include "backend-cuda/memory/memory.h"

#include <inttypes.h>

#include "backend-cuda/memory/copy.h"
#include "backend-cuda/memory/fill.h"
#include "backend-cuda/memory/host_memory.h"
#include "backend-cuda/memory/pointer.h"

/* ---- Allocating --------------------------------------------------------------------- */

static rill_status explain_allocation(const struct cuda_context *context, CUresult result,
                                      size_t bytes)
{
    size_t left = 0, all = 0;
    if (result == CUDA_ERROR_INVALID_VALUE && !bytes)
        return cuda_blame(result, "cuMemAlloc", "bytes",
                          "bytes is 0; an allocation has at least 1");
    if (result == CUDA_ERROR_OUT_OF_MEMORY && !cuda_api.MemGetInfo(&left, &all))
        return cuda_blame(result, "cuMemAlloc", "bytes",
                          "%zu bytes do not fit: device %d has %zu of %zu bytes left", bytes,
                          context->ordinal, left, all);
    return cuda_fail(result, "cuMemAlloc", NULL);
}

static rill_status allocate(rill_context *handle, size_t bytes, rill_devptr *address)
{
    const struct cuda_context *context = cuda_context_of(handle);
    struct cuda_visit visit;
    CUdeviceptr made = 0;
    rill_status status = cuda_enter(context, &visit);
    if (status) return status;
    CUresult result = cuda_api.MemAlloc(&made, bytes);
    if (result) status = explain_allocation(context, result, bytes);
    else *address = made;
    cuda_leave(&visit);
    return status;
}

static rill_status explain_pitched_allocation(CUresult result, size_t width, size_t height,
                                              uint32_t element_bytes)
{
    static const char call[] = "cuMemAllocPitch";
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return cuda_blame(result, call, "height", "%zu rows of %zu bytes do not fit", height,
                          width);
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, NULL);
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
        return cuda_blame(result, call, "element_bytes", "%" PRIu32 " is not 4, 8 or 16",
                          element_bytes);
    if (!width || !height)
        return cuda_blame(result, call, width ? "height" : "width",
                          "%zu rows of %zu bytes are no memory", height, width);
    return cuda_blame(result, call, "height",
                      "%zu rows of %zu bytes are more than can be addressed", height, width);
}

static rill_status allocate_pitched(rill_context *handle, size_t width, size_t height,
                                    uint32_t element_bytes, rill_devptr *address, size_t *pitch)
{
    struct cuda_visit visit;
    CUdeviceptr made = 0;
    size_t row = 0;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    CUresult result = cuda_api.MemAllocPitch(&made, &row, width, height, element_bytes);
    cuda_leave(&visit);
    if (result) return explain_pitched_allocation(result, width, height, element_bytes);
    *address = made;
    *pitch = row;
    return RILL_SUCCESS;
}

_Static_assert((int)RILL_ATTACH_GLOBAL == (int)CU_MEM_ATTACH_GLOBAL, "the driver's number");
_Static_assert((int)RILL_ATTACH_HOST == (int)CU_MEM_ATTACH_HOST, "the driver's number");
_Static_assert((int)RILL_ATTACH_SINGLE == (int)CU_MEM_ATTACH_SINGLE, "the driver's number");

static rill_status explain_managed_allocation(CUresult result, size_t bytes, uint32_t flags)
{
    static const char call[] = "cuMemAllocManaged";
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return cuda_blame(result, call, "bytes", "%zu bytes of managed memory do not fit", bytes);
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, NULL);
    if (flags != RILL_ATTACH_GLOBAL && flags != RILL_ATTACH_HOST)
        return cuda_blame(result, call, "flags", "0x%" PRIx32 " is neither RILL_ATTACH_GLOBAL nor "
                          "RILL_ATTACH_HOST", flags);
    return cuda_blame(result, call, "bytes", "there are no %zu bytes of memory", bytes);
}

static rill_status allocate_managed(rill_context *handle, size_t bytes, uint32_t flags,
                                    rill_devptr *address)
{
    struct cuda_visit visit;
    CUdeviceptr made = 0;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    CUresult result = cuda_api.MemAllocManaged(&made, bytes, flags);
    if (result) status = explain_managed_allocation(result, bytes, flags);
    else *address = made;
    cuda_leave(&visit);
    return status;
}

/* ---- Freeing ------------------------------------------------------------------------ */

static rill_status free_memory(rill_context *handle, rill_devptr address)
{
    const struct cuda_context *context = cuda_context_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(context, &visit);
    if (status) return status;
    CUresult result = cuda_api.MemFree(address);
    if (result) status = cuda_explain_free(context, result, "cuMemFree", address);
    cuda_leave(&visit);
    return status;
}

/* ---- What there is ------------------------------------------------------------------ */

static rill_status find_range(rill_context *handle, rill_devptr address, rill_devptr *base,
                              size_t *bytes)
{
    struct cuda_visit visit;
    CUdeviceptr found = 0;
    size_t size = 0;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.MemGetAddressRange(&found, &size, address),
                           "cuMemGetAddressRange", "address");
    cuda_leave(&visit);
    if (status) return status;
    *base = found;
    *bytes = size;
    return RILL_SUCCESS;
}

static rill_status ask_free_memory(rill_context *handle, size_t *free_bytes, size_t *total_bytes)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end(cuda_api.MemGetInfo(free_bytes, total_bytes), "cuMemGetInfo");
    cuda_leave(&visit);
    return status;
}

/* ---- Copies and fills at once ---------------------------------------------------------- */

static rill_status run_op(rill_context *handle, const rill_op *op)
{
    struct cuda_context *context = cuda_context_of(handle);
    struct cuda_visit visit;
    rill_status status = cuda_enter(context, &visit);
    if (status) return status;
    status = op->kind == RILL_OP_MEMCPY ? cuda_run_copy(context, &op->memcpy)
                                        : cuda_run_fill(context, &op->memset);
    cuda_leave(&visit);
    return cuda_learn(context, status);
}

const struct rill_memory_ops cuda_memory_ops = {
    .acquire = allocate,
    .acquire_pitch = allocate_pitched,
    .acquire_managed = allocate_managed,
    .release = free_memory,
    .range = find_range,
    .info = ask_free_memory,
    .host_alloc = cuda_host_alloc,
    .host_free = cuda_host_free,
    .host_register = cuda_host_register,
    .host_unregister = cuda_host_unregister,
    .host_device_pointer = cuda_host_device_pointer,
    .host_flags = cuda_host_flags,
    .pointer_info = cuda_pointer_info,
    .set_sync_memops = cuda_set_sync_memops,
    .run = run_op,
};
