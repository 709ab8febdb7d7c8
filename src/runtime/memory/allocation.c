/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of devices and of the host.  Nothing is allocated for 0 bytes, which the driver
 * refuses and the runtime does not.
 */
#include "runtime/thread/entry.h"

/* What fails leaves no address either.  Returns true if there is nothing to allocate. */
static int give_none(void **address, size_t bytes)
{
    *address = NULL;
    return !bytes;
}

ENTRY(cudaMalloc, (void **address, size_t bytes), (address, bytes))
{
    if (!address) return RILL_ERROR_INVALID_VALUE;
    if (give_none(address, bytes)) return cudaSuccess;
    return (cudaError_t)rt_driver.cuMemAlloc_v2((CUdeviceptr *)address, bytes);
}

/* The largest elements for which the driver makes rows: what any access may want. */
enum { ELEMENT_BYTES = 16 };

ENTRY(cudaMallocPitch,
      (void **address, size_t *pitch, size_t width, size_t height),
      (address, pitch, width, height))
{
    if (!address || !pitch) return RILL_ERROR_INVALID_VALUE;
    if (give_none(address, width && height)) {
        *pitch = 0;
        return cudaSuccess;
    }
    return (cudaError_t)rt_driver.cuMemAllocPitch_v2((CUdeviceptr *)address, pitch, width, height,
                                                     ELEMENT_BYTES);
}

ENTRY(cudaMalloc3D, (struct cudaPitchedPtr *box, struct cudaExtent extent), (box, extent))
{
    if (!box) return RILL_ERROR_INVALID_VALUE;
    *box = (struct cudaPitchedPtr){ NULL, 0, extent.width, extent.height };
    size_t rows;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return RILL_ERROR_OUT_OF_MEMORY;
    if (!extent.width || !rows) return cudaSuccess;
    return (cudaError_t)rt_driver.cuMemAllocPitch_v2((CUdeviceptr *)&box->ptr, &box->pitch,
                                                     extent.width, rows, ELEMENT_BYTES);
}

/* NULL is passed on, too, since a kernel's failure is told even then. */
ENTRY(cudaFree, (void *address), (address))
{
    return (cudaError_t)rt_driver.cuMemFree_v2((CUdeviceptr)(uintptr_t)address);
}

FORWARD(cudaMemGetInfo, cuMemGetInfo_v2, (size_t *available, size_t *total), (available, total))

/* ---- The host's -------------------------------------------------------------------------- */

ENTRY(cudaHostAlloc, (void **address, size_t bytes, unsigned flags), (address, bytes, flags))
{
    if (!address) return RILL_ERROR_INVALID_VALUE;
    if (give_none(address, bytes)) return cudaSuccess;
    return (cudaError_t)rt_driver.cuMemHostAlloc(address, bytes, flags);
}

ENTRY(cudaMallocHost, (void **address, size_t bytes), (address, bytes))
{
    if (!address) return RILL_ERROR_INVALID_VALUE;
    if (give_none(address, bytes)) return cudaSuccess;
    return (cudaError_t)rt_driver.cuMemHostAlloc(address, bytes, 0);
}

ENTRY(cudaFreeHost, (void *address), (address))
{
    return address ? (cudaError_t)rt_driver.cuMemFreeHost(address) : rt_capture_forbids();
}

ENTRY(cudaHostRegister, (void *address, size_t bytes, unsigned flags), (address, bytes, flags))
{
    cudaError_t forbidden = rt_capture_forbids();
    if (forbidden) return forbidden;
    return (cudaError_t)rt_driver.cuMemHostRegister_v2(address, bytes, flags);
}

FORWARD(cudaHostUnregister, cuMemHostUnregister, (void *address), (address))

ENTRY(cudaHostGetDevicePointer,
      (void **device, void *host, unsigned flags), (device, host, flags))
{
    return (cudaError_t)rt_driver.cuMemHostGetDevicePointer_v2((CUdeviceptr *)device, host, flags);
}

/* The host has managed memory as it has memory that is mapped. */
ENTRY(cudaHostGetFlags, (unsigned *flags, void *address), (flags, address))
{
    int managed = 0, question = CU_POINTER_ATTRIBUTE_IS_MANAGED;
    void *out = &managed;
    CUresult status = rt_driver.cuMemHostGetFlags(flags, address);
    if (status != RILL_ERROR_INVALID_VALUE || !flags ||
        rt_driver.cuPointerGetAttributes(1, &question, &out, (CUdeviceptr)(uintptr_t)address) ||
        !managed)
        return (cudaError_t)status;
    *flags = RILL_HOST_MAPPED;
    return cudaSuccess;
}
