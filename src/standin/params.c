/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's parameters of nodes as rill's operations.
 */
#include "standin/params.h"

#include "standin/copy_box.h"
#include "standin/launch.h"

CUresult si_under(CUcontext handle, CUresult read)
{
    struct si_context *current;
    rill_context *context;
    if (read) return read;
    return handle ? si_context(handle, &context) : si_current(&current);
}

CUresult si_copy_under(CUcontext handle, CUresult read, rill_op *op)
{
    CUresult status = si_under(handle, read);
    if (status || !handle) return status;
    rill_context *context = si_object(SI_CONTEXT, handle);
    if (!op->memcpy.dst.context) op->memcpy.dst.context = context;
    if (!op->memcpy.src.context) op->memcpy.src.context = context;
    return RILL_SUCCESS;
}

/* ---- Kernels --------------------------------------------------------------------- */

/* A function by itself, or a kernel of a library in the context that the parameters name:
 * so nodes of several contexts can have one kernel.  A kernel is no function here. */
static CUresult function_of(const CUDA_KERNEL_NODE_PARAMS *params, struct si_function **function)
{
    CUfunction handle = params->function;
    if (!handle && !params->kernel) return RILL_ERROR_INVALID_HANDLE;
    if (!handle) return si_kernel_in(params->kernel, params->context, function);
    if (!si_object(SI_FUNCTION, handle)) return si_wrong(SI_FUNCTION, handle);
    *function = (struct si_function *)(void *)handle;
    return RILL_SUCCESS;
}

CUresult si_kernel_op(const CUDA_KERNEL_NODE_PARAMS *params, struct si_room *room, rill_op *op)
{
    struct si_function *function;
    if (!params || (params->params && params->extra)) return RILL_ERROR_INVALID_VALUE;
    CUresult status = function_of(params, &function);
    if (status) return status;
    *op = (rill_op){ .kind = RILL_OP_KERNEL };
    op->kernel.grid = params->grid;
    op->kernel.block = params->block;
    op->kernel.shared_bytes = params->shared_bytes;
    status = si_launch_arguments(params->params, params->extra, &op->kernel);
    return status ? status : si_launch_prepare(function, room->attributes, &op->kernel);
}

/* ---- Copies and fills ------------------------------------------------------------ */

CUresult si_copy_op(const CUDA_MEMCPY3D *params, rill_op *op)
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = RILL_OP_MEMCPY };
    return si_read_copy(params, 0, &op->memcpy);
}

CUresult si_fill_op(const CUDA_MEMSET_NODE_PARAMS *params, rill_op *op)
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = RILL_OP_MEMSET };
    op->memset = (rill_fill){ .dst = params->dst,
                              .pitch = params->pitch,
                              .value = params->value,
                              .element_bytes = params->element_bytes,
                              .width = params->width,
                              .height = params->height };
    return RILL_SUCCESS;
}

/* ---- Host functions, child graphs, events ---------------------------------------- */

CUresult si_host_op(const CUDA_HOST_NODE_PARAMS *params, rill_op *op)
{
    if (!params || !params->fn) return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = RILL_OP_HOST };
    op->host = (rill_host_op){ .fn = params->fn, .data = params->data };
    return RILL_SUCCESS;
}

/* What is no way to own a graph is a copy, too, as measured. */
CUresult si_child_op(CUgraph child, int ownership, rill_op *op)
{
    *op = (rill_op){ .kind = RILL_OP_GRAPH };
    if (ownership == (int)RILL_CHILD_MOVE) op->graph.flags = RILL_CHILD_MOVE;
    return si_graph(child, &op->graph.graph);
}

CUresult si_event_op(rill_op_kind kind, CUevent event, rill_op *op)
{
    if (!event) return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = kind };
    return si_event(event, &op->event.event);
}

/* ---- Memory ---------------------------------------------------------------------- */

static CUresult check_access(const CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    if (params->access_count && !params->access) return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < params->access_count; i++) {
        const CUmemAccessDesc *access = &params->access[i];
        if (access->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return RILL_ERROR_INVALID_VALUE;
        if (!si_device(access->location.id)) return RILL_ERROR_INVALID_DEVICE;
        if (access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ) return RILL_ERROR_NOT_SUPPORTED;
        if (access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return RILL_ERROR_INVALID_VALUE;
    }
    return RILL_SUCCESS;
}

/* A graph has memory of a device, pinned, for itself. */
CUresult si_alloc_op(const CUDA_MEM_ALLOC_NODE_PARAMS *params, rill_op *op)
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    const CUmemPoolProps *pool = &params->pool;
    if (pool->allocation_type != CU_MEM_ALLOCATION_TYPE_PINNED) return RILL_ERROR_INVALID_VALUE;
    if (pool->handle_types) return RILL_ERROR_NOT_SUPPORTED;
    if (pool->location.type != CU_MEM_LOCATION_TYPE_DEVICE || !si_device(pool->location.id))
        return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = RILL_OP_ALLOC };
    op->alloc = (rill_alloc_op){ .bytes = params->bytes, .device = pool->location.id };
    return check_access(params);
}

CUresult si_free_op(CUdeviceptr address, rill_op *op)
{
    *op = (rill_op){ .kind = RILL_OP_FREE };
    op->free.address = address;
    return RILL_SUCCESS;
}

/* ---- Values ---------------------------------------------------------------------- */

CUresult si_values_op(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params, struct si_room *room,
                      rill_op *op)
{
    rill_context *context;
    if (!params || !params->context) return RILL_ERROR_INVALID_VALUE;
    if (params->count > SI_VALUES_MAX || !params->items) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_context(params->context, &context);
    if (status) return status;
    for (unsigned i = 0; i < params->count; i++) room->values[i] = si_value_read(&params->items[i]);
    *op = (rill_op){ .kind = RILL_OP_VALUES };
    op->values = (rill_values_op){ room->values, params->count, params->flags };
    return RILL_SUCCESS;
}

/* ---- Any of them ----------------------------------------------------------------- */

/* The bytes of the parameters of a kind; all, where nobody knows. */
static size_t bytes_of(int type)
{
    switch (type) {
    case RILL_OP_KERNEL: return sizeof(CUDA_KERNEL_NODE_PARAMS);
    case RILL_OP_MEMCPY: return sizeof(CUDA_MEMCPY_NODE_PARAMS);
    case RILL_OP_MEMSET: return sizeof(CUDA_MEMSET_NODE_PARAMS);
    case RILL_OP_HOST: return sizeof(CUDA_HOST_NODE_PARAMS);
    case RILL_OP_GRAPH: return sizeof(CUDA_CHILD_GRAPH_NODE_PARAMS);
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD: return sizeof(CUDA_EVENT_NODE_PARAMS);
    case RILL_OP_ALLOC: return sizeof(CUDA_MEM_ALLOC_NODE_PARAMS);
    case RILL_OP_FREE: return sizeof(CUDA_MEM_FREE_NODE_PARAMS);
    case RILL_OP_VALUES: return sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS);
    case RILL_OP_CONDITIONAL: return sizeof(CUDA_CONDITIONAL_NODE_PARAMS);
    case RILL_OP_EMPTY: return 0;
    default: return sizeof((CUgraphNodeParams *)NULL)->reserved1;
    }
}

CUresult si_check_params(const CUgraphNodeParams *params)
{
    if (!params || params->reserved2) return RILL_ERROR_INVALID_VALUE;
    const int *reserved = params->reserved0;
    long long used = reserved[0] | reserved[1] | reserved[2];
    size_t words = sizeof params->reserved1 / sizeof params->reserved1[0];
    for (size_t i = bytes_of(params->type) / sizeof(long long); i < words; i++)
        used |= params->reserved1[i];
    return used ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
}

CUresult si_read_params(const CUgraphNodeParams *params, struct si_room *room, rill_op *op)
{
    CUresult status = si_check_params(params);
    if (status) return status;
    switch (params->type) {
    case RILL_OP_KERNEL: return si_kernel_op(&params->kernel, room, op);
    case RILL_OP_MEMCPY:
        if (params->memcpy.flags || params->memcpy.reserved) return RILL_ERROR_INVALID_VALUE;
        return si_copy_under(params->memcpy.context, si_copy_op(&params->memcpy.copy, op), op);
    case RILL_OP_MEMSET:
        return si_under(params->memset.context, si_fill_op(&params->memset, op));
    case RILL_OP_HOST: return si_host_op(&params->host, op);
    case RILL_OP_GRAPH: return si_child_op(params->graph.graph, params->graph.ownership, op);
    case RILL_OP_EMPTY: *op = (rill_op){ .kind = RILL_OP_EMPTY }; return RILL_SUCCESS;
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD:
        return si_event_op((rill_op_kind)params->type, params->event.event, op);
    case RILL_OP_SEMAPHORE_SIGNAL:
    case RILL_OP_SEMAPHORE_WAIT: return RILL_ERROR_NOT_SUPPORTED;
    case RILL_OP_ALLOC: return si_alloc_op(&params->alloc, op);
    case RILL_OP_FREE: return si_free_op(params->free.address, op);
    case RILL_OP_VALUES: return si_values_op(&params->values, room, op);
    case RILL_OP_CONDITIONAL: /* which cannot be set: rill says so */
        *op = (rill_op){ .kind = RILL_OP_CONDITIONAL };
        op->conditional.handle = params->conditional.handle;
        op->conditional.kind = (rill_conditional_kind)params->conditional.type;
        return RILL_SUCCESS;
    default: return RILL_ERROR_INVALID_VALUE;
    }
}
