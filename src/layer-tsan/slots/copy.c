/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills: what the host sees of them, and what they promise when the call returns.
 */
#include "base/tsan.h"
#include "base/words/copy_sides.h"
#include "layer-tsan/slots/teller.h"

static rill_pointer_info info_of(rill_context *context, rill_devptr address)
{
    return rl_memory_at(ts_beneath(context), context, address);
}

/* Both sides of a copy. */
struct sides {
    rill_pointer_info to, from;
    bool to_host, from_host;
};

static struct sides sides_of(rill_context *context, const rill_copy *copy)
{
    struct sides sides = { .to = info_of(context, copy->dst.address),
                           .from = info_of(context, copy->src.address) };
    sides.to_host = rl_side_is_host(&copy->dst, &sides.to);
    sides.from_host = rl_side_is_host(&copy->src, &sides.from);
    return sides;
}

static enum ts_waits waits_of(const struct sides *sides, bool synchronous)
{
    if (!synchronous)
        return sides->to_host && (!sides->to.known || sides->from_host) ? TS_WAITS_DONE
                                                                        : TS_WAITS_NOT;
    if (sides->to_host || rl_memory_ends_call(&sides->to) || rl_memory_ends_call(&sides->from))
        return TS_WAITS_DONE;
    return sides->from_host ? TS_WAITS_BEFORE : TS_WAITS_NOT;
}

static void add_access(struct ts_copy *result, struct ts_access access)
{
    result->accesses[result->count++] = access;
}

static struct ts_copy look_at_copy(rill_context *context, const rill_copy *copy, bool synchronous)
{
    struct ts_copy result = { .count = 0 };
    if (rl_copy_is_empty(copy)) return result;
    const struct sides sides = sides_of(context, copy);
    result.waits = waits_of(&sides, synchronous);
    /* Pageable memory is read before the call returns, whatever the stream does. */
    result.reads = sides.from_host && !sides.from.known && result.waits != TS_WAITS_DONE;
    const struct ts_access read = ts_access_of_place(&copy->src, copy, false);
    if (result.reads) result.read = read;
    else if (sides.from_host || sides.from.managed) add_access(&result, read);
    if (sides.to_host || sides.to.managed)
        add_access(&result, ts_access_of_place(&copy->dst, copy, true));
    return result;
}

static struct ts_copy look_at_fill(rill_context *context, const rill_fill *fill, bool synchronous)
{
    struct ts_copy result = { .count = 0 };
    if (!fill->width || !fill->height) return result;
    const rill_pointer_info to = info_of(context, fill->dst);
    if (synchronous && rl_memory_ends_call(&to)) result.waits = TS_WAITS_DONE;
    if (to.known && (to.kind == RILL_MEMORY_HOST || to.managed))
        add_access(&result, ts_access_of_fill(fill));
    return result;
}

struct ts_copy ts_copy_of(rill_context *context, const rill_op *op, bool synchronous)
{
    if (op->kind == RILL_OP_MEMCPY) return look_at_copy(context, &op->memcpy, synchronous);
    return look_at_fill(context, &op->memset, synchronous);
}

/* Pageable memory is read by the launch, wherever the rest goes. */
void ts_copy_node(rill_context *context, const rill_op *op, struct ts_place *place)
{
    const struct ts_copy copy = ts_copy_of(context, op, false);
    const bool moves = op->kind == RILL_OP_MEMCPY && !rl_copy_is_empty(&op->memcpy);
    place->reads = moves && !info_of(context, op->memcpy.src.address).known &&
                   op->memcpy.src.kind != RILL_MEMORY_DEVICE;
    if (place->reads) place->read = ts_access_of_place(&op->memcpy.src, &op->memcpy, false);
    for (unsigned i = 0; i < copy.count; i++)
        if (!place->reads || copy.accesses[i].writes)
            place->accesses[place->access_count++] = copy.accesses[i];
}

static void tell_read(void *data)
{
    ts_access_tell(data);
}

void ts_read_here(const struct ts_access *read)
{
    struct ts_access access = *read;
    ts_run_shown(tell_read, &access);
}

void ts_copy_add(struct ts_teller *teller, struct ts_stream *stream, const struct ts_copy *copy,
                 const void *site)
{
    if (!stream) return;
    if (copy->count) {
        struct ts_point *point = ts_stream_add(&teller->order, stream, site);
        if (!point) return;
        point->access_count = copy->count;
        for (unsigned i = 0; i < copy->count; i++) point->accesses[i] = copy->accesses[i];
        point->state = TS_PENDING;
        ts_point_release(point);
    } else {
        ts_stream_enter(&teller->order, stream);
    }
    if (copy->waits != TS_WAITS_NOT) ts_front_acquire(&teller->order, &stream->front);
}
