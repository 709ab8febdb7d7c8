/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that are a graph.
 */
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"

/* Takes any number that is no way to own a graph for a copy, as measured. */
static CUresult read_child(CUgraph child, int ownership, rill_op *op)
{
    *op = (rill_op){ .kind = RILL_OP_GRAPH };
    if (ownership == (int)RILL_CHILD_MOVE) op->graph.flags = RILL_CHILD_MOVE;
    return si_graph(child, &op->graph.graph);
}

static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    (void)buffers;
    return read_child(params->graph.graph, params->graph.ownership, op);
}

/* A graph that was moved into another one goes with it. */
static CUresult keep_owner(CUgraphNode node, const CUgraphNodeParams *params)
{
    rill_graph *graph;
    struct si_part *child = (struct si_part *)params->graph.graph;
    CUresult status = si_node_graph(node, &graph);
    if (!status && params->graph.ownership == (int)RILL_CHILD_MOVE)
        atomic_store_explicit(&child->owner, si_handle_of(graph), memory_order_relaxed);
    return status;
}

const struct si_node_kind si_child_kind = { .bytes = sizeof(CUDA_CHILD_GRAPH_NODE_PARAMS),
                                            .read = read_params,
                                            .keep = keep_owner };

/* ---- Calls for this kind alone ------------------------------------------------------------ */

ENTRY(cuGraphAddChildGraphNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       CUgraph child),
      (node, graph, dependencies, count, child))
{
    rill_op op;
    CUresult read = read_child(child, 0, &op);
    return si_node_add(node, graph, dependencies, count, NULL, read, &op);
}

ENTRY(cuGraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph *out), (node, out))
{
    rill_graph *graph, *child;
    CUresult status = si_node_graph(node, &graph);
    if (!status && !out) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_node_child_graph(graph, node, &child);
    return status ? status : si_graph_handle_in(child, si_handle_of(graph), out);
}

ENTRY(cuGraphExecChildGraphNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, CUgraph child), (exec, node, child))
{
    rill_op op;
    CUresult read = read_child(child, 0, &op);
    return si_exec_set_node(exec, node, read, &op);
}
