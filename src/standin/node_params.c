/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of nodes that are there, kind by kind.  Where the driver has them in a
 * form that needs memory, the node's note is that memory: it is made anew by each call
 * that asks.
 */
#include "standin/node.h"

#include <string.h>

/* The operation of a node of that kind, and its graph; a node of another kind is a bad
 * value. */
static CUresult op_of(CUgraphNode node, rill_op_kind kind, rill_graph **graph, rill_op *op)
{
    CUresult status = si_node_graph(node, graph);
    if (!status) status = rill_node_get_op(*graph, node, op);
    return !status && op->kind != kind ? RILL_ERROR_INVALID_VALUE : status;
}

/* The node does something else from now on, unless reading its parameters gave another
 * status. */
static CUresult set(CUgraphNode node, CUresult read, const rill_op *op)
{
    rill_graph *graph;
    CUresult status = si_node_graph(node, &graph);
    if (!status) status = read;
    return status ? status : rill_node_set_op(graph, node, op);
}

/* ---- Kernels --------------------------------------------------------------------- */

/* That it was given a kernel of a library; and all arguments in one buffer, as the driver
 * has them. */
struct kernel_note {
    CUkernel kernel;
    void *extra[5];
    size_t bytes;
};

static CUkernel noted_kernel(rill_graph *graph, CUgraphNode node)
{
    const struct kernel_note *note = si_node_storage_find(si_node_storage_of(graph), node);
    return note ? note->kernel : NULL;
}

/* Without memory for the note the node tells the function instead. */
void si_note_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    rill_graph *graph;
    CUkernel kernel = params->function ? NULL : params->kernel;
    if (si_node_graph(node, &graph) || noted_kernel(graph, node) == kernel) return;
    struct kernel_note *note = si_node_storage_put(si_node_storage_of(graph), node, sizeof *note);
    if (note) note->kernel = kernel;
}

static CUresult note_packed(rill_graph *graph, CUgraphNode node, const rill_kernel_op *op,
                            void ***extra)
{
    CUkernel kernel = noted_kernel(graph, node);
    struct kernel_note *note = si_node_storage_put(si_node_storage_of(graph), node, sizeof *note);
    if (!note) return RILL_ERROR_OUT_OF_MEMORY;
    note->kernel = kernel;
    note->bytes = op->buffer_bytes;
    note->extra[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
    note->extra[1] = (void *)(uintptr_t)op->buffer;
    note->extra[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
    note->extra[3] = &note->bytes;
    note->extra[4] = CU_LAUNCH_PARAM_END;
    *extra = note->extra;
    return RILL_SUCCESS;
}

ENTRY(cuGraphKernelNodeGetParams_v2,
      (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    void **extra = NULL;
    CUresult status = op_of(node, RILL_OP_KERNEL, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (!status && op.kernel.buffer) status = note_packed(graph, node, &op.kernel, &extra);
    if (status) return status;
    struct si_slot *slot = si_handle_of(op.kernel.kernel);
    CUkernel kernel = noted_kernel(graph, node);
    *params = (CUDA_KERNEL_NODE_PARAMS){
        .function = kernel ? NULL : (CUfunction)(void *)slot,
        .kernel = kernel,
        .grid = op.kernel.grid,
        .block = op.kernel.block,
        .shared_bytes = (unsigned)op.kernel.shared_bytes,
        .extra = extra,
        .context = slot ? si_context_handle(slot->context) : NULL,
    };
    if (!extra) memcpy(&params->params, &op.kernel.params, sizeof params->params);
    return RILL_SUCCESS;
}

ENTRY(cuGraphKernelNodeGetParams,
      (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params), (node, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    CUresult status = cuGraphKernelNodeGetParams_v2(node, params ? &now : NULL);
    if (status) return status;
    *params = (CUDA_KERNEL_NODE_PARAMS_v1){ now.function, now.grid, now.block, now.shared_bytes,
                                            now.params, now.extra };
    return RILL_SUCCESS;
}

ENTRY(cuGraphKernelNodeSetParams_v2,
      (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    struct si_room room;
    CUresult read = si_check_settable(node, RILL_OP_KERNEL);
    if (!read) read = si_kernel_op(params, &room, &op);
    CUresult status = set(node, read, &op);
    if (!status) si_note_kernel(node, params);
    return status;
}

ENTRY(cuGraphKernelNodeSetParams,
      (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params), (node, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    if (params) now = si_kernel_params(params);
    return cuGraphKernelNodeSetParams_v2(node, params ? &now : NULL);
}

/* ---- Copies ---------------------------------------------------------------------- */

static si_slices slices_of(const rill_place *place)
{
    int host = place->kind == RILL_MEMORY_HOST;
    return (si_slices){
        .x = place->x,
        .y = place->y,
        .z = place->z,
        .kind = (int)place->kind,
        .host = host ? (void *)(uintptr_t)place->address : NULL,
        .device = host ? 0 : place->address,
        .pitch = place->pitch,
        .rows = place->rows,
    };
}

ENTRY(cuGraphMemcpyNodeGetParams, (CUgraphNode node, CUDA_MEMCPY3D *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = op_of(node, RILL_OP_MEMCPY, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    const rill_copy *copy = &op.memcpy;
    *params = (CUDA_MEMCPY3D){ .src = slices_of(&copy->src),
                               .dst = slices_of(&copy->dst),
                               .width = copy->width,
                               .height = copy->height,
                               .depth = copy->depth };
    return RILL_SUCCESS;
}

ENTRY(cuGraphMemcpyNodeSetParams, (CUgraphNode node, const CUDA_MEMCPY3D *params), (node, params))
{
    rill_op op;
    CUresult read = si_copy_op(params, &op);
    return set(node, read, &op);
}

/* ---- Fills ----------------------------------------------------------------------- */

ENTRY(cuGraphMemsetNodeGetParams,
      (CUgraphNode node, CUDA_MEMSET_NODE_PARAMS_v1 *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = op_of(node, RILL_OP_MEMSET, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    const rill_fill *fill = &op.memset;
    *params = (CUDA_MEMSET_NODE_PARAMS_v1){ fill->dst, fill->pitch, fill->value,
                                            fill->element_bytes, fill->width, fill->height };
    return RILL_SUCCESS;
}

ENTRY(cuGraphMemsetNodeSetParams,
      (CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS_v1 *params), (node, params))
{
    rill_op op;
    CUDA_MEMSET_NODE_PARAMS now;
    if (params) now = si_fill_params(params, NULL);
    CUresult read = si_fill_op(params ? &now : NULL, &op);
    return set(node, read, &op);
}

/* ---- Host functions -------------------------------------------------------------- */

ENTRY(cuGraphHostNodeGetParams, (CUgraphNode node, CUDA_HOST_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = op_of(node, RILL_OP_HOST, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (!status) *params = (CUDA_HOST_NODE_PARAMS){ op.host.fn, op.host.data };
    return status;
}

ENTRY(cuGraphHostNodeSetParams,
      (CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    CUresult read = si_host_op(params, &op);
    return set(node, read, &op);
}

/* ---- Events ---------------------------------------------------------------------- */

static CUresult get_event(CUgraphNode node, rill_op_kind kind, CUevent *event)
{
    rill_op op;
    rill_graph *graph;
    CUresult status = op_of(node, kind, &graph, &op);
    if (!status && !event) status = RILL_ERROR_INVALID_VALUE;
    if (!status) *event = si_handle_of(op.event.event);
    return status;
}

static CUresult set_event(CUgraphNode node, rill_op_kind kind, CUevent event)
{
    rill_op op;
    CUresult read = si_event_op(kind, event, &op);
    return set(node, read, &op);
}

ENTRY(cuGraphEventRecordNodeGetEvent, (CUgraphNode node, CUevent *event), (node, event))
{
    return get_event(node, RILL_OP_EVENT_RECORD, event);
}

ENTRY(cuGraphEventWaitNodeGetEvent, (CUgraphNode node, CUevent *event), (node, event))
{
    return get_event(node, RILL_OP_EVENT_WAIT, event);
}

ENTRY(cuGraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent event), (node, event))
{
    return set_event(node, RILL_OP_EVENT_RECORD, event);
}

ENTRY(cuGraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent event), (node, event))
{
    return set_event(node, RILL_OP_EVENT_WAIT, event);
}

/* ---- Memory ---------------------------------------------------------------------- */

ENTRY(cuGraphMemAllocNodeGetParams,
      (CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params), (node, params))
{
    static const CUmemAccessDesc nobody;
    rill_op op;
    rill_graph *graph;
    CUresult status = op_of(node, RILL_OP_ALLOC, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    const struct si_access *access = si_node_storage_find(si_node_storage_of(graph), node);
    *params = (CUDA_MEM_ALLOC_NODE_PARAMS){
        .pool = { .allocation_type = CU_MEM_ALLOCATION_TYPE_PINNED,
                  .location = { CU_MEM_LOCATION_TYPE_DEVICE, op.alloc.device } },
        .access = access ? access->items : &nobody,
        .access_count = access ? access->count : 0,
        .bytes = op.alloc.bytes,
        .address = op.alloc.address,
    };
    return RILL_SUCCESS;
}

ENTRY(cuGraphMemFreeNodeGetParams, (CUgraphNode node, CUdeviceptr *address), (node, address))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = op_of(node, RILL_OP_FREE, &graph, &op);
    if (!status && !address) status = RILL_ERROR_INVALID_VALUE;
    if (!status) *address = op.free.address;
    return status;
}

/* ---- Values ---------------------------------------------------------------------- */

ENTRY(cuGraphBatchMemOpNodeGetParams,
      (CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = op_of(node, RILL_OP_VALUES, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    size_t count = op.values.count;
    CUstreamBatchMemOpParams *items = si_node_storage_put(si_node_storage_of(graph), node, count * sizeof *items);
    if (!items) return RILL_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) si_value_write(&op.values.items[i], &items[i]);
    const struct si_slot *slot = si_handle_of(graph);
    *params = (CUDA_BATCH_MEM_OP_NODE_PARAMS){
        .context = slot && slot->context ? si_context_handle(slot->context) : NULL,
        .count = (unsigned)count,
        .items = items,
        .flags = op.values.flags,
    };
    return RILL_SUCCESS;
}

ENTRY(cuGraphBatchMemOpNodeSetParams,
      (CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    struct si_room room;
    CUresult read = si_values_op(params, &room, &op);
    return set(node, read, &op);
}
