/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of bytes.
 */
#include "runtime/memory/copy.h"

#include "runtime/thread/entry.h"

static CUresult copy_waiting(void *dst, const void *src, size_t bytes, int kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice: return rt_driver.cuMemcpyHtoD_v2(rt_address(dst), src, bytes);
    case cudaMemcpyDeviceToHost: return rt_driver.cuMemcpyDtoH_v2(dst, rt_address(src), bytes);
    case cudaMemcpyDeviceToDevice:
        return rt_driver.cuMemcpyDtoD_v2(rt_address(dst), rt_address(src), bytes);
    default: return rt_driver.cuMemcpy(rt_address(dst), rt_address(src), bytes);
    }
}

static CUresult copy_per_thread(void *dst, const void *src, size_t bytes, int kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return rt_driver.cuMemcpyHtoD_v2_ptds(rt_address(dst), src, bytes);
    case cudaMemcpyDeviceToHost:
        return rt_driver.cuMemcpyDtoH_v2_ptds(dst, rt_address(src), bytes);
    case cudaMemcpyDeviceToDevice:
        return rt_driver.cuMemcpyDtoD_v2_ptds(rt_address(dst), rt_address(src), bytes);
    default: return rt_driver.cuMemcpy_ptds(rt_address(dst), rt_address(src), bytes);
    }
}

static CUresult copy_async(void *dst, const void *src, size_t bytes, int kind, CUstream stream)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return rt_driver.cuMemcpyHtoDAsync_v2(rt_address(dst), src, bytes, stream);
    case cudaMemcpyDeviceToHost:
        return rt_driver.cuMemcpyDtoHAsync_v2(dst, rt_address(src), bytes, stream);
    case cudaMemcpyDeviceToDevice:
        return rt_driver.cuMemcpyDtoDAsync_v2(rt_address(dst), rt_address(src), bytes, stream);
    default: return rt_driver.cuMemcpyAsync(rt_address(dst), rt_address(src), bytes, stream);
    }
}

cudaError_t rt_copy_bytes(void *dst, const void *src, size_t bytes, int kind,
                          struct rt_order order)
{
    if (!bytes) return cudaSuccess; /* of whatever kind */
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    switch (order.how) {
    case RT_WAIT: return (cudaError_t)copy_waiting(dst, src, bytes, kind);
    case RT_WAIT_PER_THREAD: return (cudaError_t)copy_per_thread(dst, src, bytes, kind);
    default: return (cudaError_t)copy_async(dst, src, bytes, kind, order.stream);
    }
}

ENTRY(cudaMemcpy, (void *dst, const void *src, size_t bytes, int kind), (dst, src, bytes, kind))
{
    return rt_copy_bytes(dst, src, bytes, kind, (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemcpy_ptds,
      (void *dst, const void *src, size_t bytes, int kind), (dst, src, bytes, kind))
{
    return rt_copy_bytes(dst, src, bytes, kind, (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemcpyAsync,
      (void *dst, const void *src, size_t bytes, int kind, cudaStream_t stream),
      (dst, src, bytes, kind, stream))
{
    return rt_copy_bytes(dst, src, bytes, kind, (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemcpyAsync, _ptsz,
                (void *dst, const void *src, size_t bytes, int kind, cudaStream_t stream),
                (dst, src, bytes, kind, stream))

/* ---- Between devices --------------------------------------------------------------------- */

static cudaError_t find_peers(int dst_device, int src_device, CUcontext *dst, CUcontext *src)
{
    cudaError_t status = rt_primary(dst_device, dst);
    return status ? status : rt_primary(src_device, src);
}

ENTRY(cudaMemcpyPeer,
      (void *dst, int dst_device, const void *src, int src_device, size_t bytes),
      (dst, dst_device, src, src_device, bytes))
{
    CUcontext to, from;
    if (!bytes) return cudaSuccess;
    cudaError_t status = find_peers(dst_device, src_device, &to, &from);
    if (status) return status;
    return (cudaError_t)rt_driver.cuMemcpyPeer(rt_address(dst), to, rt_address(src), from, bytes);
}

ENTRY(cudaMemcpyPeerAsync,
      (void *dst, int dst_device, const void *src, int src_device, size_t bytes,
       cudaStream_t stream),
      (dst, dst_device, src, src_device, bytes, stream))
{
    CUcontext to, from;
    if (!bytes) return cudaSuccess;
    cudaError_t status = find_peers(dst_device, src_device, &to, &from);
    if (status) return status;
    return (cudaError_t)rt_driver.cuMemcpyPeerAsync(rt_address(dst), to, rt_address(src), from,
                                                    bytes, stream);
}

/* ---- Batches ----------------------------------------------------------------------------- */

/* As the headers of 12 have it, with the number of the copy that failed. */
ENTRY(cudaMemcpyBatchAsync_v1,
      (void **dsts, void **srcs, size_t *bytes, size_t count, CUmemcpyAttributes *attributes,
       size_t *firsts, size_t attribute_count, size_t *failing, cudaStream_t stream),
      (dsts, srcs, bytes, count, attributes, firsts, attribute_count, failing, stream))
{
    return (cudaError_t)rt_driver.cuMemcpyBatchAsync((CUdeviceptr *)dsts, (CUdeviceptr *)srcs,
                                                     bytes, count, attributes, firsts,
                                                     attribute_count, failing, stream);
}

PER_THREAD_FORM(cudaMemcpyBatchAsync_v1, _ptsz,
                (void **dsts, void **srcs, size_t *bytes, size_t count,
                 CUmemcpyAttributes *attributes, size_t *firsts, size_t attribute_count,
                 size_t *failing, cudaStream_t stream),
                (dsts, srcs, bytes, count, attributes, firsts, attribute_count, failing, stream))

ENTRY(cudaMemcpyBatchAsync_v2,
      (void **dsts, void **srcs, size_t *bytes, size_t count, CUmemcpyAttributes *attributes,
       size_t *firsts, size_t attribute_count, cudaStream_t stream),
      (dsts, srcs, bytes, count, attributes, firsts, attribute_count, stream))
{
    return (cudaError_t)rt_driver.cuMemcpyBatchAsync_v2((CUdeviceptr *)dsts, (CUdeviceptr *)srcs,
                                                        bytes, count, attributes, firsts,
                                                        attribute_count, stream);
}

PER_THREAD_FORM(cudaMemcpyBatchAsync_v2, _ptsz,
                (void **dsts, void **srcs, size_t *bytes, size_t count,
                 CUmemcpyAttributes *attributes, size_t *firsts, size_t attribute_count,
                 cudaStream_t stream),
                (dsts, srcs, bytes, count, attributes, firsts, attribute_count, stream))
