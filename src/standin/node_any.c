/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of any kind, by one struct of parameters.
 */
#include "standin/conditional.h"
#include "standin/node.h"

/* What the driver writes back. */
static CUresult tell(CUgraphNode node, CUgraphNodeParams *params, const rill_op *op)
{
    if (params->type != RILL_OP_ALLOC) return RILL_SUCCESS;
    params->alloc.address = op->alloc.address;
    return si_note_access(node, &params->alloc);
}

ENTRY(cuGraphAddNode_v2, CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
      const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params)
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

/* Of such a node nothing is set, whatever it would be. */
static bool is_of_memory(rill_graph *graph, CUgraphNode node, int type)
{
    rill_op_kind kind;
    return (type == RILL_OP_ALLOC || type == RILL_OP_FREE) &&
           !rill_node_kind(graph, node, &kind) && (int)kind == type;
}

ENTRY(cuGraphNodeSetParams, CUgraphNode node, const CUgraphNodeParams *params)
{
    rill_op op;
    rill_graph *graph;
    struct si_room room;
    CUresult status = si_node_graph(node, &graph);
    if (!status) status = si_check_params(params);
    if (!status && is_of_memory(graph, node, params->type)) status = RILL_ERROR_NOT_SUPPORTED;
    if (!status) status = si_read_params(params, &room, &op);
    return status ? status : rill_node_set_op(graph, node, &op);
}
