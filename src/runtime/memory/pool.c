/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools, and memory in the order of a stream.
 */
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

ENTRY(cudaMallocAsync,
      (void **address, size_t bytes, cudaStream_t stream), (address, bytes, stream))
{
    if (!address) return RILL_ERROR_INVALID_VALUE;
    *address = NULL;
    if (!bytes) return cudaSuccess;
    return (cudaError_t)rt_driver.cuMemAllocAsync((CUdeviceptr *)address, bytes, stream);
}

PER_THREAD_FORM(cudaMallocAsync, _ptsz, (void **address, size_t bytes, cudaStream_t stream),
                (address, bytes, stream))

ENTRY(cudaMallocFromPoolAsync,
      (void **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
      (address, bytes, pool, stream))
{
    if (!address) return RILL_ERROR_INVALID_VALUE;
    *address = NULL;
    if (!bytes) return cudaSuccess;
    return (cudaError_t)rt_driver.cuMemAllocFromPoolAsync((CUdeviceptr *)address, bytes, pool,
                                                          stream);
}

PER_THREAD_FORM(cudaMallocFromPoolAsync, _ptsz,
                (void **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
                (address, bytes, pool, stream))

ENTRY(cudaFreeAsync, (void *address, cudaStream_t stream), (address, stream))
{
    if (!address) return rt_capture_refuses(stream);
    return (cudaError_t)rt_driver.cuMemFreeAsync(rt_address(address), stream);
}

PER_THREAD_FORM(cudaFreeAsync, _ptsz, (void *address, cudaStream_t stream), (address, stream))

ENTRY(cudaMemPoolCreate,
      (cudaMemPool_t *pool, const CUmemPoolProps *properties), (pool, properties))
{
    cudaError_t forbidden = rt_capture_forbids();
    return forbidden ? forbidden : (cudaError_t)rt_driver.cuMemPoolCreate(pool, properties);
}

FORWARD(cudaMemPoolDestroy, cuMemPoolDestroy, (cudaMemPool_t pool), (pool))
FORWARD(cudaMemPoolTrimTo, cuMemPoolTrimTo, (cudaMemPool_t pool, size_t bytes), (pool, bytes))
FORWARD(cudaMemPoolGetAttribute, cuMemPoolGetAttribute,
        (cudaMemPool_t pool, int attribute, void *value), (pool, attribute, value))
FORWARD(cudaMemPoolSetAttribute, cuMemPoolSetAttribute,
        (cudaMemPool_t pool, int attribute, void *value), (pool, attribute, value))
FORWARD(cudaMemPoolSetAccess, cuMemPoolSetAccess,
        (cudaMemPool_t pool, const CUmemAccessDesc *access, size_t count), (pool, access, count))
FORWARD(cudaMemPoolGetAccess, cuMemPoolGetAccess,
        (int *access, cudaMemPool_t pool, CUmemLocation *location), (access, pool, location))

/* ---- Of several processes ---------------------------------------------------------------- */

FORWARD(cudaMemPoolExportToShareableHandle, cuMemPoolExportToShareableHandle,
        (void *out, cudaMemPool_t pool, int way, unsigned flags), (out, pool, way, flags))
FORWARD(cudaMemPoolImportFromShareableHandle, cuMemPoolImportFromShareableHandle,
        (cudaMemPool_t *pool, void *handle, int way, unsigned flags), (pool, handle, way, flags))

ENTRY(cudaMemPoolExportPointer, (CUmemPoolPtrExportData *out, void *address), (out, address))
{
    return (cudaError_t)rt_driver.cuMemPoolExportPointer(out, rt_address(address));
}

ENTRY(cudaMemPoolImportPointer,
      (void **address, cudaMemPool_t pool, CUmemPoolPtrExportData *data), (address, pool, data))
{
    return (cudaError_t)rt_driver.cuMemPoolImportPointer((CUdeviceptr *)address, pool, data);
}

/* ---- Of a device, of a place ------------------------------------------------------------- */

FORWARD(cudaDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool,
        (cudaMemPool_t *pool, int device), (pool, device))
FORWARD(cudaDeviceGetMemPool, cuDeviceGetMemPool,
        (cudaMemPool_t *pool, int device), (pool, device))
FORWARD(cudaDeviceSetMemPool, cuDeviceSetMemPool,
        (int device, cudaMemPool_t pool), (device, pool))
FORWARD(cudaMemGetDefaultMemPool, cuMemGetDefaultMemPool,
        (cudaMemPool_t *pool, CUmemLocation *location, int type), (pool, location, type))
FORWARD(cudaMemGetMemPool, cuMemGetMemPool,
        (cudaMemPool_t *pool, CUmemLocation *location, int type), (pool, location, type))
FORWARD(cudaMemSetMemPool, cuMemSetMemPool,
        (CUmemLocation *location, int type, cudaMemPool_t pool), (location, type, pool))

/* ---- Of graphs --------------------------------------------------------------------------- */

FORWARD(cudaDeviceGraphMemTrim, cuDeviceGraphMemTrim, (int device), (device))
FORWARD(cudaDeviceGetGraphMemAttribute, cuDeviceGetGraphMemAttribute,
        (int device, int attribute, void *value), (device, attribute, value))
FORWARD(cudaDeviceSetGraphMemAttribute, cuDeviceSetGraphMemAttribute,
        (int device, int attribute, void *value), (device, attribute, value))
