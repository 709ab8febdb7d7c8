/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills.
 */
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

static cudaError_t fill_bytes(void *address, int value, size_t bytes, struct rt_order order)
{
    CUdeviceptr at = rt_address(address);
    unsigned char byte = (unsigned char)value;
    if (!bytes) return cudaSuccess;
    switch (order.how) {
    case RT_WAIT: return (cudaError_t)rt_driver.cuMemsetD8_v2(at, byte, bytes);
    case RT_WAIT_PER_THREAD: return (cudaError_t)rt_driver.cuMemsetD8_v2_ptds(at, byte, bytes);
    default: return (cudaError_t)rt_driver.cuMemsetD8Async(at, byte, bytes, order.stream);
    }
}

static cudaError_t fill_rows(CUdeviceptr at, size_t pitch, int value, size_t width, size_t height,
                             struct rt_order order)
{
    unsigned char byte = (unsigned char)value;
    if (!width || !height) return cudaSuccess;
    if (height > 1 && pitch < width) return RILL_ERROR_INVALID_VALUE;
    switch (order.how) {
    case RT_WAIT:
        return (cudaError_t)rt_driver.cuMemsetD2D8_v2(at, pitch, byte, width, height);
    case RT_WAIT_PER_THREAD:
        return (cudaError_t)rt_driver.cuMemsetD2D8_v2_ptds(at, pitch, byte, width, height);
    default:
        return (cudaError_t)rt_driver.cuMemsetD2D8Async(at, pitch, byte, width, height,
                                                        order.stream);
    }
}

/* The driver fills rows: slices that lie close are rows of one fill, others are filled each. */
static cudaError_t fill_box(struct cudaPitchedPtr box, int value, struct cudaExtent extent,
                            struct rt_order order)
{
    CUdeviceptr at = rt_address(box.ptr);
    if (!extent.depth) return cudaSuccess;
    if (extent.depth > 1 && extent.height > box.ysize) return RILL_ERROR_INVALID_VALUE;
    if (extent.depth == 1 || extent.height == box.ysize)
        return fill_rows(at, box.pitch, value, extent.width, extent.height * extent.depth, order);
    cudaError_t status = cudaSuccess;
    for (size_t z = 0; !status && z < extent.depth; z++)
        status = fill_rows(at + z * box.ysize * box.pitch, box.pitch, value, extent.width,
                           extent.height, order);
    return status;
}

ENTRY(cudaMemset, (void *address, int value, size_t bytes), (address, value, bytes))
{
    return fill_bytes(address, value, bytes, (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemset_ptds, (void *address, int value, size_t bytes), (address, value, bytes))
{
    return fill_bytes(address, value, bytes, (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemsetAsync,
      (void *address, int value, size_t bytes, cudaStream_t stream),
      (address, value, bytes, stream))
{
    return fill_bytes(address, value, bytes, (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemsetAsync, _ptsz,
                (void *address, int value, size_t bytes, cudaStream_t stream),
                (address, value, bytes, stream))

ENTRY(cudaMemset2D,
      (void *address, size_t pitch, int value, size_t width, size_t height),
      (address, pitch, value, width, height))
{
    return fill_rows(rt_address(address), pitch, value, width, height,
                     (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemset2D_ptds,
      (void *address, size_t pitch, int value, size_t width, size_t height),
      (address, pitch, value, width, height))
{
    return fill_rows(rt_address(address), pitch, value, width, height,
                     (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemset2DAsync,
      (void *address, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
      (address, pitch, value, width, height, stream))
{
    return fill_rows(rt_address(address), pitch, value, width, height,
                     (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemset2DAsync, _ptsz,
                (void *address, size_t pitch, int value, size_t width, size_t height,
                 cudaStream_t stream),
                (address, pitch, value, width, height, stream))

ENTRY(cudaMemset3D,
      (struct cudaPitchedPtr box, int value, struct cudaExtent extent), (box, value, extent))
{
    return fill_box(box, value, extent, (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemset3D_ptds,
      (struct cudaPitchedPtr box, int value, struct cudaExtent extent), (box, value, extent))
{
    return fill_box(box, value, extent, (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemset3DAsync,
      (struct cudaPitchedPtr box, int value, struct cudaExtent extent, cudaStream_t stream),
      (box, value, extent, stream))
{
    return fill_box(box, value, extent, (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemset3DAsync, _ptsz,
                (struct cudaPitchedPtr box, int value, struct cudaExtent extent,
                 cudaStream_t stream),
                (box, value, extent, stream))
