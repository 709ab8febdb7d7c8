/* SPDX-License-Identifier: Apache-2.0 */
#include "core/submit.h"

rill_status rl_check_attribute(const rill_attribute *attribute, const char *argument,
                               const void *peer)
{
    if (attribute->id != RILL_ATTRIBUTE_PROGRAMMATIC_EVENT &&
        attribute->id != RILL_ATTRIBUTE_COMPLETION_EVENT)
        return RILL_SUCCESS;
    return rl_check_with(attribute->event.event, RILL_OBJECT_EVENT, argument, peer);
}

static rill_status check_attributes(const rill_kernel_op *op, const void *peer)
{
    static const char argument[] = "op->kernel.attributes";
    rill_status status = rl_required_array(op->attributes, op->attribute_count, argument,
                                           "op->kernel.attribute_count");
    for (size_t i = 0; !status && i < op->attribute_count; i++)
        status = rl_check_attribute(&op->attributes[i], argument, peer);
    return status;
}

static rill_status check_kernel(const rill_kernel_op *op, const void *peer)
{
    rill_status status = rl_check_with(op->kernel, RILL_OBJECT_KERNEL, "op->kernel.kernel", peer);
    if (!status && op->attribute_count) status = check_attributes(op, peer);
    return status;
}

/* The contexts of its places; either may be NULL. */
static rill_status check_copy(const rill_copy *copy, const char *dst, const char *src,
                              const void *peer)
{
    rill_status status = RILL_SUCCESS;
    if (copy->dst.context)
        status = rl_check_with(copy->dst.context, RILL_OBJECT_CONTEXT, dst, peer);
    if (!status && copy->src.context)
        status = rl_check_with(copy->src.context, RILL_OBJECT_CONTEXT, src, peer);
    return status;
}

rill_status rl_check_copy(const rill_copy *copy, const void *peer)
{
    rill_status status = rl_required(copy, "copy");
    return status ? status : check_copy(copy, "copy->dst.context", "copy->src.context", peer);
}

static rill_status check_alloc(const rill_alloc_op *op, const void *peer)
{
    return op->pool ? rl_check_with(op->pool, RILL_OBJECT_POOL, "op->alloc.pool", peer)
                    : RILL_SUCCESS;
}

static rill_status refuse_semaphore(const char *name)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                             "%s is not supported: rill has no external semaphores", name);
}

rill_status rl_check_op(const rill_op *op, const void *peer)
{
    if (!op) return rl_explain_null("op");
    switch ((int)op->kind) {
    case RILL_OP_KERNEL: return check_kernel(&op->kernel, peer);
    case RILL_OP_MEMCPY:
        return check_copy(&op->memcpy, "op->memcpy.dst.context", "op->memcpy.src.context", peer);
    case RILL_OP_MEMSET: return RILL_SUCCESS;
    case RILL_OP_HOST: return rl_required((const void *)(uintptr_t)op->host.fn, "op->host.fn");
    case RILL_OP_GRAPH:
        return rl_check_with(op->graph.graph, RILL_OBJECT_GRAPH, "op->graph.graph", peer);
    case RILL_OP_EMPTY: return RILL_SUCCESS;
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD:
        return rl_check_with(op->event.event, RILL_OBJECT_EVENT, "op->event.event", peer);
    case RILL_OP_SEMAPHORE_SIGNAL: return refuse_semaphore("RILL_OP_SEMAPHORE_SIGNAL");
    case RILL_OP_SEMAPHORE_WAIT: return refuse_semaphore("RILL_OP_SEMAPHORE_WAIT");
    case RILL_OP_ALLOC: return check_alloc(&op->alloc, peer);
    case RILL_OP_FREE: return RILL_SUCCESS;
    case RILL_OP_VALUES:
        return rl_required_array(op->values.items, op->values.count, "op->values.items",
                                 "op->values.count");
    case RILL_OP_CONDITIONAL:
        return rl_required_array(op->conditional.bodies, op->conditional.body_count,
                                 "op->conditional.bodies", "op->conditional.body_count");
    }
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                             "op->kind is %d, which is none of RILL_OP_*", (int)op->kind);
}

rill_status rl_refusal(rill_stream *stream, rill_op_kind op, rill_status status)
{
    const struct rill_capture_ops *captures = rl_backend(stream)->capture;
    return captures && captures->refusal ? captures->refusal(stream, op, status) : status;
}

/* A missing host function is seen before anything else. */
static rill_status check_op_in(rill_stream *stream, const rill_op *op)
{
    rill_status status = rl_check_op(op, stream);
    if (!status || !op || op->kind == RILL_OP_HOST || op->kind == RILL_OP_GRAPH) return status;
    return rl_refusal(stream, op->kind, status);
}

void rl_give_back(const rill_op *op)
{
    if (op && op->kind == RILL_OP_HOST && op->host.destroy) op->host.destroy(op->host.data);
}

rill_status rill_stream_submit(rill_stream *stream, rill_op *op)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = check_op_in(stream, op);
    if (!status) return rl_finish(__func__, stream, rl_submit(stream, op));
    status = rl_finish(__func__, stream, status);
    rl_give_back(op);
    return status;
}
