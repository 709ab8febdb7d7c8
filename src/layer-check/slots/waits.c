/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/waits.h"

#include "base/words/copy_sides.h"
#include "layer-check/slots/pinned.h"

rill_pointer_info ck_pointer_info(rill_context *context, rill_devptr address)
{
    return rl_memory_at(ck_beneath(context), context, address);
}

static enum ck_waits waits_of_copy(rill_context *context, const rill_copy *copy)
{
    if (rl_copy_is_empty(copy)) return CK_WAITS_NOT;
    rill_pointer_info to = ck_pointer_info(context, copy->dst.address);
    if (rl_side_is_host(&copy->dst, &to) || rl_memory_ends_call(&to)) return CK_WAITS_DONE;
    rill_pointer_info from = ck_pointer_info(context, copy->src.address);
    if (rl_memory_ends_call(&from)) return CK_WAITS_DONE;
    /* Pageable memory of the host is read before the call returns. */
    return rl_side_is_host(&copy->src, &from) ? CK_WAITS_BEFORE : CK_WAITS_NOT;
}

enum ck_waits ck_waits_of_call(rill_context *context, const rill_op *op)
{
    if (op->kind == RILL_OP_MEMCPY) return waits_of_copy(context, &op->memcpy);
    if (!op->memset.width || !op->memset.height) return CK_WAITS_NOT;
    rill_pointer_info to = ck_pointer_info(context, op->memset.dst);
    return rl_memory_ends_call(&to) ? CK_WAITS_DONE : CK_WAITS_NOT;
}

enum ck_waits ck_waits_in_stream(rill_stream *stream, const rill_op *op)
{
    rill_context *context = rill_object_of(stream)->context;
    if (op->kind != RILL_OP_MEMCPY || rl_copy_is_empty(&op->memcpy)) return CK_WAITS_NOT;
    rill_pointer_info to = ck_pointer_info(context, op->memcpy.dst.address);
    if (!rl_side_is_host(&op->memcpy.dst, &to)) return CK_WAITS_NOT;
    if (!to.known) return CK_WAITS_DONE;
    rill_pointer_info from = ck_pointer_info(context, op->memcpy.src.address);
    return rl_side_is_host(&op->memcpy.src, &from) ? CK_WAITS_DONE : CK_WAITS_NOT;
}

void ck_waits_learn(struct ck_checker *checker, const struct ck_work *work, enum ck_waits waits)
{
    if (waits == CK_WAITS_NOT) return;
    ck_values_give_up(&checker->values, &checker->order, work->before);
    if (waits == CK_WAITS_DONE) ck_host_learns_work(&checker->order, work);
    else ck_host_learns_before(&checker->order, work);
    ck_pinned_release(checker);
}
