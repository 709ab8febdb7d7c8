/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory.  CUDA 13 has places where CUDA 12 has numbers of devices, under the same names.
 */
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

ENTRY(cudaMallocManaged, (void **address, size_t bytes, unsigned flags), (address, bytes, flags))
{
    if (!address) return RILL_ERROR_INVALID_VALUE;
    *address = NULL;
    if (!bytes) return cudaSuccess; /* with whatever flags */
    if (flags != RILL_ATTACH_GLOBAL && flags != RILL_ATTACH_HOST) return RILL_ERROR_INVALID_VALUE;
    return (cudaError_t)rt_driver.cuMemAllocManaged((CUdeviceptr *)address, bytes, flags);
}

/* ---- Prefetching ------------------------------------------------------------------------ */

ENTRY(cudaMemPrefetchAsync_v1,
      (const void *address, size_t bytes, int device, cudaStream_t stream),
      (address, bytes, device, stream))
{
    return (cudaError_t)rt_driver.cuMemPrefetchAsync(rt_address(address), bytes, device, stream);
}

PER_THREAD_FORM(cudaMemPrefetchAsync_v1, _ptsz,
                (const void *address, size_t bytes, int device, cudaStream_t stream),
                (address, bytes, device, stream))

ENTRY(cudaMemPrefetchAsync_v2,
      (const void *address, size_t bytes, CUmemLocation place, unsigned flags,
       cudaStream_t stream),
      (address, bytes, place, flags, stream))
{
    CUdevice found;
    if (flags || place.type == CU_MEM_LOCATION_TYPE_NONE) return RILL_ERROR_INVALID_VALUE;
    if (place.type == CU_MEM_LOCATION_TYPE_DEVICE && bytes) {
        cudaError_t status = rt_capture_refuses(stream);
        if (!status) status = (cudaError_t)rt_driver.cuDeviceGet(&found, place.id);
        if (status) return status;
    }
    return (cudaError_t)rt_driver.cuMemPrefetchAsync_v2(rt_address(address), bytes, place, flags,
                                                        stream);
}

PER_THREAD_FORM(cudaMemPrefetchAsync_v2, _ptsz,
                (const void *address, size_t bytes, CUmemLocation place, unsigned flags,
                 cudaStream_t stream),
                (address, bytes, place, flags, stream))

ENTRY(cudaMemPrefetchBatchAsync,
      (void **addresses, size_t *bytes, size_t count, CUmemLocation *places, size_t *first,
       size_t place_count, unsigned long long flags, cudaStream_t stream),
      (addresses, bytes, count, places, first, place_count, flags, stream))
{
    return (cudaError_t)rt_driver.cuMemPrefetchBatchAsync(
        (CUdeviceptr *)addresses, bytes, count, places, first, place_count, flags, stream);
}

PER_THREAD_FORM(cudaMemPrefetchBatchAsync, _ptsz,
                (void **addresses, size_t *bytes, size_t count, CUmemLocation *places,
                 size_t *first, size_t place_count, unsigned long long flags,
                 cudaStream_t stream),
                (addresses, bytes, count, places, first, place_count, flags, stream))

ENTRY(cudaMemDiscardAndPrefetchBatchAsync,
      (void **addresses, size_t *bytes, size_t count, CUmemLocation *places, size_t *first,
       size_t place_count, unsigned long long flags, cudaStream_t stream),
      (addresses, bytes, count, places, first, place_count, flags, stream))
{
    return (cudaError_t)rt_driver.cuMemDiscardAndPrefetchBatchAsync(
        (CUdeviceptr *)addresses, bytes, count, places, first, place_count, flags, stream);
}

PER_THREAD_FORM(cudaMemDiscardAndPrefetchBatchAsync, _ptsz,
                (void **addresses, size_t *bytes, size_t count, CUmemLocation *places,
                 size_t *first, size_t place_count, unsigned long long flags,
                 cudaStream_t stream),
                (addresses, bytes, count, places, first, place_count, flags, stream))

ENTRY(cudaMemDiscardBatchAsync,
      (void **addresses, size_t *bytes, size_t count, unsigned long long flags,
       cudaStream_t stream),
      (addresses, bytes, count, flags, stream))
{
    return (cudaError_t)rt_driver.cuMemDiscardBatchAsync((CUdeviceptr *)addresses, bytes, count,
                                                         flags, stream);
}

PER_THREAD_FORM(cudaMemDiscardBatchAsync, _ptsz,
                (void **addresses, size_t *bytes, size_t count, unsigned long long flags,
                 cudaStream_t stream),
                (addresses, bytes, count, flags, stream))

/* ---- Advice ----------------------------------------------------------------------------- */

ENTRY(cudaMemAdvise_v1, (const void *address, size_t bytes, int advice, int device),
      (address, bytes, advice, device))
{
    return (cudaError_t)rt_driver.cuMemAdvise(rt_address(address), bytes, advice, device);
}

ENTRY(cudaMemAdvise_v2, (const void *address, size_t bytes, int advice, CUmemLocation place),
      (address, bytes, advice, place))
{
    if (place.type == CU_MEM_LOCATION_TYPE_NONE || advice < CU_MEM_ADVISE_SET_READ_MOSTLY ||
        advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return RILL_ERROR_INVALID_VALUE;
    cudaError_t forbidden = rt_capture_forbids();
    if (forbidden) return forbidden;
    return (cudaError_t)rt_driver.cuMemAdvise_v2(rt_address(address), bytes, advice, place);
}

ENTRY(cudaMemRangeGetAttribute,
      (void *out, size_t size, int question, const void *address, size_t bytes),
      (out, size, question, address, bytes))
{
    return (cudaError_t)rt_driver.cuMemRangeGetAttribute(out, size, question, rt_address(address),
                                                         bytes);
}

ENTRY(cudaMemRangeGetAttributes,
      (void **out, size_t *sizes, int *questions, size_t count, const void *address,
       size_t bytes),
      (out, sizes, questions, count, address, bytes))
{
    return (cudaError_t)rt_driver.cuMemRangeGetAttributes(out, sizes, questions, count,
                                                          rt_address(address), bytes);
}
