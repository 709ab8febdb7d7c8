/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of any kind, by one struct of parameters.
 */
#include "standin/conditional.h"
#include "standin/node.h"

/* What the driver writes back. */
static CUresult tell(CUgraphNode node, CUgraphNodeParams *params, const rill_op *op)
{
    if (params->type == RILL_OP_KERNEL) si_note_kernel(node, &params->kernel);
    if (params->type != RILL_OP_ALLOC) return RILL_SUCCESS;
    params->alloc.address = op->alloc.address;
    return si_note_access(node, &params->alloc);
}

ENTRY(cuGraphAddNode_v2,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
       const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params),
      (node, graph, dependencies, edges, count, params))
{
    rill_op op;
    struct si_room room;
    if (!si_check_params(params) && params->type == RILL_OP_CONDITIONAL)
        return si_conditional_add(graph, dependencies, edges, count, &params->conditional, node);
    CUresult read = si_read_params(params, &room, &op);
    CUresult status = si_add(node, graph, dependencies, count, edges, read, &op);
    return status ? status : tell(*node, params, &op);
}

SAME_AS(cuGraphAddNode, cuGraphAddNode_v2,
        (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
         CUgraphNodeParams *params),
        (node, graph, dependencies, NULL, count, params))

CUresult si_check_settable(CUgraphNode node, int kind)
{
    rill_graph *graph;
    rill_op_kind known;
    CUresult status = si_node_graph(node, &graph);
    /* Where nobody may ask, what follows says so. */
    if (status || rill_node_kind(graph, node, &known)) return status;
    if ((int)known != kind) return RILL_ERROR_INVALID_VALUE;
    return known == RILL_OP_ALLOC || known == RILL_OP_FREE ? RILL_ERROR_NOT_SUPPORTED
                                                           : RILL_SUCCESS;
}

ENTRY(cuGraphNodeSetParams, (CUgraphNode node, const CUgraphNodeParams *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    struct si_room room;
    CUresult status = si_node_graph(node, &graph);
    if (!status) status = si_check_params(params);
    if (!status) status = si_check_settable(node, params->type);
    if (!status) status = si_read_params(params, &room, &op);
    if (!status) status = rill_node_set_op(graph, node, &op);
    if (!status && params->type == RILL_OP_KERNEL) si_note_kernel(node, &params->kernel);
    return status;
}
