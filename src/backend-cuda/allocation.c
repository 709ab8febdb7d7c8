/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is allocated and freed in stream order.
 */
#include "backend-cuda/capture_list.h"
#include "backend-cuda/pointer.h"
#include "backend-cuda/pool.h"
#include "backend-cuda/stream.h"

static rill_status explain_alloc(CUresult result, const char *call, const rill_alloc_op *alloc)
{
    if (result != CUDA_ERROR_OUT_OF_MEMORY) return cuda_fail(result, call, NULL);
    return cuda_blame(result, call, "bytes",
                      "%zu bytes do not fit into the device, or not into the maximum of the pool",
                      alloc->bytes);
}

rill_status cuda_submit_alloc(struct cuda_stream *stream, rill_op *op)
{
    rill_alloc_op *alloc = &op->alloc;
    CUdeviceptr made = 0;
    CUresult result =
        alloc->pool ? cuda_api.MemAllocFromPoolAsync(&made, alloc->bytes,
                                                     cuda_pool_of(alloc->pool)->raw, stream->raw)
                    : cuda_api.MemAllocAsync(&made, alloc->bytes, stream->raw);
    if (result) {
        const char *call = alloc->pool ? "cuMemAllocFromPoolAsync" : "cuMemAllocAsync";
        return cuda_submitted(stream, explain_alloc(result, call, alloc));
    }
    alloc->address = made;
    return RILL_SUCCESS;
}

rill_status cuda_submit_free(struct cuda_stream *stream, rill_op *op)
{
    rill_devptr address = op->free.address;
    CUresult result = cuda_api.MemFreeAsync(address, stream->raw);
    if (!result) return RILL_SUCCESS;
    return cuda_submitted(stream, cuda_explain_free(stream->context, result, "cuMemFreeAsync",
                                                    address));
}
