/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that copy memory.
 */
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"
#include "standin/memory/copy_box.h"
#include "standin/texture/array.h"

static CUresult read_copy(const CUDA_MEMCPY3D *params, rill_op *op)
{
    if (!params) return RILL_ERROR_INVALID_VALUE;
    *op = (rill_op){ .kind = RILL_OP_MEMCPY };
    return si_read_copy(params, 0, &op->memcpy);
}

/* Reads a copy that reaches what `handle`, or the current context, does. */
static CUresult read_copy_in(CUcontext handle, const CUDA_MEMCPY3D *params, rill_op *op)
{
    CUresult status = si_node_check_context(handle, read_copy(params, op));
    if (status || !handle) return status;
    rill_context *context = si_object(SI_CONTEXT, handle);
    if (!op->memcpy.dst.context) op->memcpy.dst.context = context;
    if (!op->memcpy.src.context) op->memcpy.src.context = context;
    return RILL_SUCCESS;
}

static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    (void)buffers;
    if (params->memcpy.flags || params->memcpy.reserved) return RILL_ERROR_INVALID_VALUE;
    return read_copy_in(params->memcpy.context, &params->memcpy.copy, op);
}

const struct si_node_kind si_copy_kind = { .bytes = sizeof(CUDA_MEMCPY_NODE_PARAMS),
                                           .read = read_params };

/* ---- Calls for this kind alone ------------------------------------------------------------ */

ENTRY(cuGraphAddMemcpyNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_MEMCPY3D *params, CUcontext context),
      (node, graph, dependencies, count, params, context))
{
    rill_op op;
    CUresult read = read_copy_in(context, params, &op);
    return si_node_add(node, graph, dependencies, count, NULL, read, &op);
}

static si_slices write_place(const rill_place *place)
{
    int host = place->kind == RILL_MEMORY_HOST;
    CUarray array = place->kind == RILL_MEMORY_DEVICE ? si_array_at(place->address) : NULL;
    if (array) return (si_slices){ .x = place->x, .y = place->y, .z = place->z,
                                   .kind = CU_MEMORYTYPE_ARRAY, .array = array };
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
    CUresult status = si_node_get(node, RILL_OP_MEMCPY, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    const rill_copy *copy = &op.memcpy;
    *params = (CUDA_MEMCPY3D){ .src = write_place(&copy->src),
                               .dst = write_place(&copy->dst),
                               .width = copy->width,
                               .height = copy->height,
                               .depth = copy->depth };
    return RILL_SUCCESS;
}

ENTRY(cuGraphMemcpyNodeSetParams, (CUgraphNode node, const CUDA_MEMCPY3D *params), (node, params))
{
    rill_op op;
    CUresult read = read_copy(params, &op);
    return si_node_set(node, read, &op);
}

ENTRY(cuGraphExecMemcpyNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params, CUcontext context),
      (exec, node, params, context))
{
    rill_op op;
    CUresult read = read_copy_in(context, params, &op);
    return si_exec_set_node(exec, node, read, &op);
}
