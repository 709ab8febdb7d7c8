/* SPDX-License-Identifier: Apache-2.0 */
#include "core/op/op_check.h"

/* ---- Kernels ------------------------------------------------------------ */

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

rill_status rl_check_kernel_op(const rill_op *op, const void *peer)
{
    rill_status status =
        rl_check_with(op->kernel.kernel, RILL_OBJECT_KERNEL, "op->kernel.kernel", peer);
    if (!status && op->kernel.attribute_count) status = check_attributes(&op->kernel, peer);
    return status;
}

/* ---- Copies ------------------------------------------------------------- */

/* Checks the contexts of a copy's places; either may be NULL. */
static rill_status check_places(const rill_copy *copy, const char *dst, const char *src,
                                const void *peer)
{
    rill_status status = RILL_SUCCESS;
    if (copy->dst.context)
        status = rl_check_with(copy->dst.context, RILL_OBJECT_CONTEXT, dst, peer);
    if (!status && copy->src.context)
        status = rl_check_with(copy->src.context, RILL_OBJECT_CONTEXT, src, peer);
    return status;
}

rill_status rl_check_copy_op(const rill_op *op, const void *peer)
{
    return check_places(&op->memcpy, "op->memcpy.dst.context", "op->memcpy.src.context", peer);
}

rill_status rl_check_copy(const rill_copy *copy, const void *peer)
{
    rill_status status = rl_required(copy, "copy");
    return status ? status : check_places(copy, "copy->dst.context", "copy->src.context", peer);
}

/* ---- The other kinds ---------------------------------------------------- */

rill_status rl_check_host_op(const rill_op *op, const void *peer)
{
    (void)peer;
    return rl_required((const void *)(uintptr_t)op->host.fn, "op->host.fn");
}

rill_status rl_check_graph_op(const rill_op *op, const void *peer)
{
    return rl_check_with(op->graph.graph, RILL_OBJECT_GRAPH, "op->graph.graph", peer);
}

rill_status rl_check_event_op(const rill_op *op, const void *peer)
{
    return rl_check_with(op->event.event, RILL_OBJECT_EVENT, "op->event.event", peer);
}

rill_status rl_check_alloc_op(const rill_op *op, const void *peer)
{
    if (!op->alloc.pool) return RILL_SUCCESS;
    return rl_check_with(op->alloc.pool, RILL_OBJECT_POOL, "op->alloc.pool", peer);
}

rill_status rl_check_values_op(const rill_op *op, const void *peer)
{
    (void)peer;
    return rl_required_array(op->values.items, op->values.count, "op->values.items",
                             "op->values.count");
}

rill_status rl_check_conditional_op(const rill_op *op, const void *peer)
{
    (void)peer;
    return rl_required_array(op->conditional.bodies, op->conditional.body_count,
                             "op->conditional.bodies", "op->conditional.body_count");
}

static rill_status refuse_semaphore(const char *name)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                             "%s is not supported: rill has no external semaphores", name);
}

rill_status rl_refuse_semaphore_signal(const rill_op *op, const void *peer)
{
    (void)op, (void)peer;
    return refuse_semaphore("RILL_OP_SEMAPHORE_SIGNAL");
}

rill_status rl_refuse_semaphore_wait(const rill_op *op, const void *peer)
{
    (void)op, (void)peer;
    return refuse_semaphore("RILL_OP_SEMAPHORE_WAIT");
}

/* ---- Any ---------------------------------------------------------------- */

rill_status rl_check_op(const rill_op *op, const void *peer)
{
    if (!op) return rl_explain_null("op");
    if ((unsigned)op->kind >= RL_OP_KINDS)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, which is none of RILL_OP_*", (int)op->kind);
    rl_op_check *check = rl_op_checks[op->kind];
    return check ? check(op, peer) : RILL_SUCCESS;
}
