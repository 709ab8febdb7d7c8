/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that fill memory.
 */
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"

static CUresult read_fill(const CUDA_MEMSET_NODE_PARAMS *params, rill_op *op)
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

/* Returns `read`, or what is wrong with the context.  A fill needs none where none is named
 * and none is current, as measured. */
static CUresult check_fill_context(CUcontext context, CUresult read)
{
    return context || si_now.context ? si_node_check_context(context, read) : read;
}

static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    (void)buffers;
    return check_fill_context(params->memset.context, read_fill(&params->memset, op));
}

const struct si_node_kind si_fill_kind = { .bytes = sizeof(CUDA_MEMSET_NODE_PARAMS),
                                           .read = read_params };

/* ---- Calls for this kind alone, which have the first form of the parameters --------------- */

static CUresult read_v1(const CUDA_MEMSET_NODE_PARAMS_v1 *given, rill_op *op)
{
    if (!given) return RILL_ERROR_INVALID_VALUE;
    const CUDA_MEMSET_NODE_PARAMS params = { given->dst, given->pitch, given->value,
                                             given->element_bytes, given->width, given->height,
                                             NULL };
    return read_fill(&params, op);
}

ENTRY(cuGraphAddMemsetNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_MEMSET_NODE_PARAMS_v1 *params, CUcontext context),
      (node, graph, dependencies, count, params, context))
{
    rill_op op;
    CUresult read = check_fill_context(context, read_v1(params, &op));
    return si_node_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphMemsetNodeGetParams,
      (CUgraphNode node, CUDA_MEMSET_NODE_PARAMS_v1 *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUresult status = si_node_get(node, RILL_OP_MEMSET, &graph, &op);
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
    CUresult read = read_v1(params, &op);
    return si_node_set(node, read, &op);
}

ENTRY(cuGraphExecMemsetNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS_v1 *params,
       CUcontext context),
      (exec, node, params, context))
{
    rill_op op;
    CUresult read = check_fill_context(context, read_v1(params, &op));
    return si_exec_set_node(exec, node, read, &op);
}
