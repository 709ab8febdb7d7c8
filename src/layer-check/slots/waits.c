/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/waits.h"

#include "layer-check/slots/pinned.h"

rill_pointer_info ck_pointer_info(rill_context *context, rill_devptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    const struct rill_memory_ops *memory = ck_beneath(context)->memory;
    if (!memory->pointer_info || memory->pointer_info(context, address, &info)) info.known = 0;
    return info;
}

static bool is_host(const rill_place *place, const rill_pointer_info *info)
{
    return info->known ? info->kind == RILL_MEMORY_HOST : place->kind != RILL_MEMORY_DEVICE;
}

/* Tells whether a synchronous call returns only when it is done with this memory. */
static bool demands_end(const rill_pointer_info *info)
{
    return info->known &&
           (info->kind == RILL_MEMORY_HOST || info->managed || info->sync_memops);
}

static bool is_empty(const rill_copy *copy)
{
    return !copy->width || !copy->height || !copy->depth;
}

static enum ck_waits waits_of_copy(rill_context *context, const rill_copy *copy)
{
    if (is_empty(copy)) return CK_WAITS_NOT;
    rill_pointer_info to = ck_pointer_info(context, copy->dst.address);
    if (is_host(&copy->dst, &to) || demands_end(&to)) return CK_WAITS_DONE;
    rill_pointer_info from = ck_pointer_info(context, copy->src.address);
    if (demands_end(&from)) return CK_WAITS_DONE;
    return is_host(&copy->src, &from) ? CK_WAITS_BEFORE : CK_WAITS_NOT; /* pageable, or not */
}

enum ck_waits ck_waits_of_call(rill_context *context, const rill_op *op)
{
    if (op->kind == RILL_OP_MEMCPY) return waits_of_copy(context, &op->memcpy);
    if (!op->memset.width || !op->memset.height) return CK_WAITS_NOT;
    rill_pointer_info to = ck_pointer_info(context, op->memset.dst);
    return demands_end(&to) ? CK_WAITS_DONE : CK_WAITS_NOT;
}

enum ck_waits ck_waits_in_stream(rill_stream *stream, const rill_op *op)
{
    rill_context *context = rill_object_of(stream)->context;
    if (op->kind != RILL_OP_MEMCPY || is_empty(&op->memcpy)) return CK_WAITS_NOT;
    rill_pointer_info to = ck_pointer_info(context, op->memcpy.dst.address);
    if (!is_host(&op->memcpy.dst, &to)) return CK_WAITS_NOT;
    if (!to.known) return CK_WAITS_DONE;
    rill_pointer_info from = ck_pointer_info(context, op->memcpy.src.address);
    return is_host(&op->memcpy.src, &from) ? CK_WAITS_DONE : CK_WAITS_NOT;
}

void ck_waits_learn(struct ck_checker *checker, const struct ck_work *work, enum ck_waits waits)
{
    if (waits == CK_WAITS_NOT) return;
    ck_values_give_up(&checker->values, &checker->order, work->before);
    if (waits == CK_WAITS_DONE) ck_host_learns_work(&checker->order, work);
    else ck_host_learns_before(&checker->order, work);
    ck_pinned_release(checker);
}
