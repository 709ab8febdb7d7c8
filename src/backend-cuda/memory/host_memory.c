/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory that the devices know: pinned, and registered by the program.
 */
#include "backend-cuda/memory/host_memory.h"

#include <inttypes.h>

#include "backend-cuda/context/context.h"

/* ---- Pinned ------------------------------------------------------------------------- */

/* These have the driver's numbers. */
#define ALLOC_FLAGS (RILL_HOST_PORTABLE | RILL_HOST_MAPPED | RILL_HOST_WRITE_COMBINED)

_Static_assert(RILL_HOST_PORTABLE == CU_MEMHOSTALLOC_PORTABLE, "the driver's number");
_Static_assert(RILL_HOST_MAPPED == CU_MEMHOSTALLOC_DEVICEMAP, "the driver's number");
_Static_assert(RILL_HOST_WRITE_COMBINED == CU_MEMHOSTALLOC_WRITECOMBINED, "the driver's number");

static rill_status refuse_flags(uint32_t flags, uint32_t known)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                             "0x%" PRIx32 " holds bits other than 0x%" PRIx32, flags, known);
}

static rill_status explain_alloc(CUresult result, size_t bytes, uint32_t flags)
{
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return cuda_blame(result, "cuMemHostAlloc", "bytes", "the host has no %zu bytes to pin",
                          bytes);
    if (result == CUDA_ERROR_INVALID_VALUE && (flags & ~(uint32_t)ALLOC_FLAGS))
        return cuda_blame(result, "cuMemHostAlloc", "flags", "0x%" PRIx32 " holds bits other than "
                          "0x%x", flags, (unsigned)ALLOC_FLAGS);
    return cuda_fail(result, "cuMemHostAlloc", NULL);
}

rill_status cuda_host_alloc(rill_context *handle, size_t bytes, uint32_t flags, void **pointer)
{
    struct cuda_visit visit;
    void *made = NULL;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    CUresult result = cuda_api.MemHostAlloc(&made, bytes, flags);
    if (result) status = explain_alloc(result, bytes, flags);
    else *pointer = made;
    cuda_leave(&visit);
    return status;
}

rill_status cuda_host_free(rill_context *handle, void *pointer)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.MemFreeHost(pointer), "cuMemFreeHost", "pointer");
    cuda_leave(&visit);
    return status;
}

/* ---- Registered --------------------------------------------------------------------- */

/* For these the driver has other numbers. */
#define REGISTER_FLAGS \
    (RILL_HOST_PORTABLE | RILL_HOST_MAPPED | RILL_HOST_IO_MEMORY | RILL_HOST_READ_ONLY)

static unsigned raw_register_flags(uint32_t flags)
{
    unsigned raw = 0;
    if (flags & RILL_HOST_PORTABLE) raw |= CU_MEMHOSTREGISTER_PORTABLE;
    if (flags & RILL_HOST_MAPPED) raw |= CU_MEMHOSTREGISTER_DEVICEMAP;
    if (flags & RILL_HOST_IO_MEMORY) raw |= CU_MEMHOSTREGISTER_IOMEMORY;
    if (flags & RILL_HOST_READ_ONLY) raw |= CU_MEMHOSTREGISTER_READ_ONLY;
    return raw;
}

static rill_status explain_register(CUresult result, void *pointer, size_t bytes)
{
    static const char call[] = "cuMemHostRegister";
    if (!pointer || !bytes)
        return cuda_blame(result, call, pointer ? "bytes" : "pointer",
                          "%zu bytes at %p are no memory", bytes, pointer);
    switch ((int)result) {
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
        return cuda_blame(result, call, "pointer",
                          "%zu bytes at %p touch memory that is registered", bytes, pointer);
    case CUDA_ERROR_OUT_OF_MEMORY:
        return cuda_blame(result, call, "bytes", "the system does not pin %zu bytes; see its "
                          "limit of locked memory", bytes);
    case CUDA_ERROR_INVALID_VALUE:
        return cuda_blame(result, call, "pointer",
                          "not all of the %zu bytes at %p are memory that can be written and that "
                          "the driver has not pinned itself", bytes, pointer);
    }
    return cuda_fail(result, call, NULL);
}

rill_status cuda_host_register(rill_context *handle, void *pointer, size_t bytes, uint32_t flags)
{
    struct cuda_visit visit;
    if (flags & ~(uint32_t)REGISTER_FLAGS) return refuse_flags(flags, REGISTER_FLAGS);
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    CUresult result = cuda_api.MemHostRegister(pointer, bytes, raw_register_flags(flags));
    if (result) status = explain_register(result, pointer, bytes);
    cuda_leave(&visit);
    return status;
}

rill_status cuda_host_unregister(rill_context *handle, void *pointer)
{
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.MemHostUnregister(pointer), "cuMemHostUnregister", "pointer");
    cuda_leave(&visit);
    return status;
}

/* ---- Questions ---------------------------------------------------------------------- */

rill_status cuda_host_device_pointer(rill_context *handle, void *pointer, rill_devptr *address)
{
    struct cuda_visit visit;
    CUdeviceptr found = 0;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.MemHostGetDevicePointer(&found, pointer, 0),
                           "cuMemHostGetDevicePointer", "pointer");
    cuda_leave(&visit);
    if (!status) *address = found;
    return status;
}

rill_status cuda_host_flags(rill_context *handle, void *pointer, uint32_t *flags)
{
    struct cuda_visit visit;
    unsigned found = 0;
    rill_status status = cuda_enter(cuda_context_of(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.MemHostGetFlags(&found, pointer), "cuMemHostGetFlags",
                           "pointer");
    cuda_leave(&visit);
    if (!status) *flags = found;
    return status;
}
