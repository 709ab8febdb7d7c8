/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations as the driver's parameters of a node.  The way back is params_read.c.
 */
#include <string.h>

#include "backend-cuda/copy.h"
#include "backend-cuda/event.h"
#include "backend-cuda/graph.h"
#include "backend-cuda/host.h"
#include "backend-cuda/kernel.h"
#include "backend-cuda/pool.h"

/* ---- Each kind -------------------------------------------------------------------------- */

rill_status cuda_write_kernel(const rill_kernel_op *op, struct cuda_kernel_params *raw,
                              struct cuda_packed *packed)
{
    rill_status status = cuda_check_kernel(op);
    if (status) return status;
    *raw = (struct cuda_kernel_params){
        .function = cuda_kernel_of(op->kernel)->raw,
        .grid = { op->grid.x, op->grid.y, op->grid.z },
        .block = { op->block.x, op->block.y, op->block.z },
        .shared_bytes = (unsigned)op->shared_bytes,
        .context = cuda_home(op->kernel)->raw,
    };
    memcpy(&raw->params, &op->params, sizeof raw->params); /* the driver only reads */
    if (!op->buffer) return RILL_SUCCESS;
    cuda_pack_arguments(op, packed);
    raw->extra = packed->extra;
    return RILL_SUCCESS;
}

static rill_status write_host(struct cuda_context *context, const rill_host_op *op,
                              struct cuda_node_params *params, struct cuda_room *room)
{
    return cuda_box_for_graph(context, op, &params->host.fn, &params->host.data, &room->box);
}

/* A node that is set gets a copy, whatever the flags say. */
static rill_status write_child(const rill_graph_op *op, struct cuda_node_params *params)
{
    if ((op->flags & RILL_CHILD_MOVE) && cuda_api.version < 12090)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.flags",
                                 "the driver, one for CUDA %d.%d, moves no graphs; CUDA 12.9 does. "
                                 "Without RILL_CHILD_MOVE a copy is added",
                                 cuda_api.version / 1000, cuda_api.version % 1000 / 10);
    params->child.graph = cuda_graph_of(op->graph)->raw;
    params->child.ownership = op->flags & RILL_CHILD_MOVE ? CUDA_CHILD_MOVE : CUDA_CHILD_CLONE;
    return RILL_SUCCESS;
}

/* Every event of a graph is an external one, said or not. */
static rill_status write_event(const rill_event_op *op, struct cuda_node_params *params)
{
    if (op->flags & ~RILL_EVENT_EXTERNAL)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags", "0x%x holds unknown bits",
                                 (unsigned)op->flags);
    params->event.event = cuda_event_of(op->event)->raw;
    if (params->event.event) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->event.event",
                             "the event went with its context");
}

/* A graph takes its memory from the device.  What a pool says is where, and who else
 * may reach it. */
static size_t copy_access(struct cuda_platform *platform, const struct cuda_pool *pool,
                          struct cuda_room *room)
{
    size_t count = 0, most = sizeof room->access / sizeof *room->access;
    for (int device = 0; device < platform->device_count && count < most; device++) {
        CUmemLocation place = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device };
        CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
        if (device == pool->device || cuda_api.MemPoolGetAccess(&flags, pool->raw, &place) ||
            flags == CU_MEM_ACCESS_FLAGS_PROT_NONE)
            continue;
        room->access[count++] = (CUmemAccessDesc){ .location = place, .flags = flags };
    }
    return count;
}

static rill_status write_alloc(struct cuda_platform *platform, const rill_alloc_op *op,
                               struct cuda_node_params *params, struct cuda_room *room)
{
    struct cuda_alloc_params *raw = &params->alloc;
    const struct cuda_pool *pool = op->pool ? cuda_pool_of(op->pool) : NULL;
    raw->pool.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    raw->pool.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    raw->pool.location.id = pool ? pool->device : op->device;
    raw->bytes = op->bytes;
    raw->access_count = pool ? copy_access(platform, pool, room) : 0;
    raw->access = raw->access_count ? room->access : NULL;
    return RILL_SUCCESS;
}

static rill_status write_values(struct cuda_context *context, const rill_values_op *op,
                                struct cuda_node_params *params, struct cuda_room *room)
{
    rill_status status = cuda_check_values(op);
    if (status) return status;
    cuda_write_values(op->items, op->count, room->values);
    params->values.context = context->raw;
    params->values.count = (unsigned)op->count;
    params->values.items = room->values;
    params->values.flags = op->flags;
    return RILL_SUCCESS;
}

static void write_conditional(struct cuda_context *context, const rill_conditional_op *op,
                              struct cuda_node_params *params)
{
    params->conditional.handle = op->handle;
    params->conditional.kind = (int)op->kind;
    params->conditional.count = op->body_count;
    params->conditional.context = context->raw;
}

static void write_copy(struct cuda_context *context, const rill_copy *op,
                       struct cuda_node_params *params)
{
    cuda_write_copy(op, &params->memcpy.copy);
    params->memcpy.context = context->raw;
}

static void write_fill(struct cuda_context *context, const rill_fill *op,
                       struct cuda_node_params *params)
{
    params->memset = (struct cuda_memset_params){
        .dst = op->dst,
        .pitch = op->pitch,
        /* What is beyond the element would be written by nodes, as measured. */
        .value = op->element_bytes < 4 ? op->value & ((1u << 8 * op->element_bytes) - 1)
                                       : op->value,
        .element_bytes = op->element_bytes,
        .width = op->width,
        .height = op->height,
        .context = context->raw,
    };
}

/* ---- All of them -------------------------------------------------------------------------- */

rill_status cuda_write_params(struct cuda_platform *platform, struct cuda_context *context,
                              const rill_op *op, struct cuda_node_params *params,
                              struct cuda_room *room)
{
    memset(params, 0, sizeof *params);
    params->type = (CUgraphNodeType)op->kind;
    room->box = NULL;
    switch ((int)op->kind) {
    case RILL_OP_KERNEL: return cuda_write_kernel(&op->kernel, &params->kernel, &room->packed);
    case RILL_OP_MEMCPY: write_copy(context, &op->memcpy, params); return RILL_SUCCESS;
    case RILL_OP_MEMSET: write_fill(context, &op->memset, params); return RILL_SUCCESS;
    case RILL_OP_HOST: return write_host(context, &op->host, params, room);
    case RILL_OP_GRAPH: return write_child(&op->graph, params);
    case RILL_OP_EMPTY: return RILL_SUCCESS;
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD: return write_event(&op->event, params);
    case RILL_OP_ALLOC: return write_alloc(platform, &op->alloc, params, room);
    case RILL_OP_FREE: params->free.address = op->free.address; return RILL_SUCCESS;
    case RILL_OP_VALUES: return write_values(context, &op->values, params, room);
    case RILL_OP_CONDITIONAL:
        write_conditional(context, &op->conditional, params);
        return cuda_need(GraphConditionalHandleCreate, 12030);
    }
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                             "there are no nodes of kind %d", (int)op->kind);
}
