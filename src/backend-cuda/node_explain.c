/* SPDX-License-Identifier: Apache-2.0
 *
 * Why the driver refused what a node is to do: which part of the operation.
 */
#include "backend-cuda/copy.h"
#include "backend-cuda/graph.h"
#include "backend-cuda/kernel.h"

static rill_status explain_child(CUresult result, const char *call)
{
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph",
                                 "a graph that allocates or frees memory or has conditional nodes "
                                 "cannot be copied, and one that is part of another cannot be "
                                 "added; add a clone of it, or RILL_CHILD_MOVE it");
    return cuda_fail(result, call, "op->graph.graph");
}

static rill_status explain_alloc(const struct cuda_platform *platform, CUresult result,
                                 const char *call, const rill_alloc_op *op)
{
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return cuda_fail(result, call, "bytes");
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph inside another cannot get nodes that allocate or free "
                                 "memory");
    if (!op->pool && (op->device < 0 || op->device >= platform->device_count))
        return rill_backend_fail((rill_status)result, "op->alloc.device",
                                 "there is no device %d; the platform has %d", op->device,
                                 platform->device_count);
    if (!op->bytes)
        return rill_backend_fail((rill_status)result, "op->alloc.bytes",
                                 "there are no 0 bytes of memory");
    return cuda_fail(result, call, "op->alloc.bytes");
}

static rill_status explain_free(CUresult result, const char *call)
{
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph inside another cannot get nodes that allocate or free "
                                 "memory");
    if (result == CUDA_ERROR_INVALID_VALUE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->free.address",
                                 "it is no address that an alloc node gave, or a node of this "
                                 "graph frees it already");
    return cuda_fail(result, call, "op->free.address");
}

static rill_status explain_conditional(CUresult result, const char *call,
                                       const rill_conditional_op *op)
{
    if (op->kind < RILL_CONDITIONAL_IF || op->kind > RILL_CONDITIONAL_SWITCH)
        return cuda_fail(result, call, "kind");
    if (!op->body_count) return cuda_fail(result, call, "body_count");
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, "handle");
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                             "the handle is none of this graph or one around it, or another node "
                             "has it; make it with rill_conditional_create()");
}

rill_status cuda_explain_op(struct cuda_platform *platform, struct cuda_context *context,
                            CUresult result, const char *call, const rill_op *op)
{
    switch ((int)op->kind) {
    case RILL_OP_KERNEL: return cuda_explain_kernel(result, call, &op->kernel);
    case RILL_OP_MEMCPY: return cuda_explain_copy(context, result, call, &op->memcpy);
    case RILL_OP_MEMSET: return cuda_explain_fill(context, result, call, &op->memset);
    case RILL_OP_GRAPH: return explain_child(result, call);
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD: return cuda_fail(result, call, "op->event.event");
    case RILL_OP_ALLOC: return explain_alloc(platform, result, call, &op->alloc);
    case RILL_OP_FREE: return explain_free(result, call);
    case RILL_OP_VALUES: return cuda_explain_values(context, result, call, &op->values);
    case RILL_OP_CONDITIONAL: return explain_conditional(result, call, &op->conditional);
    }
    return cuda_fail(result, call, NULL);
}
