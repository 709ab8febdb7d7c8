/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is allocated and freed in stream order.
 */
#include <inttypes.h>

#include "backend-cuda/capture.h"
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

static rill_status explain_free(const struct cuda_stream *stream, CUresult result,
                                rill_devptr address)
{
    static const char call[] = "cuMemFreeAsync";
    struct cuda_address found;
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, NULL);
    cuda_look(stream->context, address, &found);
    if (found.known && !found.host && found.base != address)
        return cuda_blame(result, call, "address",
                          "0x%" PRIx64 " is inside the allocation at 0x%" PRIx64 ", and not its "
                          "begin", address, found.base);
    return cuda_blame(result, call, "address", "0x%" PRIx64 " cannot be freed here: it is %s",
                      address, cuda_address_words(&found));
}

rill_status cuda_submit_free(struct cuda_stream *stream, rill_op *op)
{
    CUresult result = cuda_api.MemFreeAsync(op->free.address, stream->raw);
    if (!result) return RILL_SUCCESS;
    return cuda_submitted(stream, explain_free(stream, result, op->free.address));
}
