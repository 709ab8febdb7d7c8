/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/graph/node.h"

/* ---- For the kinds ------------------------------------------------------------------------ */

CUresult si_node_add(CUgraphNode *node, CUgraph handle, const CUgraphNode *dependencies,
                     size_t count, const rill_edge *edges, CUresult read, rill_op *op)
{
    rill_graph *graph;
    rill_node made = NULL;
    CUresult status = si_graph(handle, &graph);
    if (!status && !node) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = read;
    if (!status) status = rill_graph_add_node_with_edges(graph, dependencies, edges, count, op,
                                                         &made);
    if (!status) *node = made;
    return status;
}

CUresult si_node_get(CUgraphNode node, rill_op_kind kind, rill_graph **graph, rill_op *op)
{
    CUresult status = si_node_graph(node, graph);
    if (!status) status = rill_node_get_op(*graph, node, op);
    return !status && op->kind != kind ? RILL_ERROR_INVALID_VALUE : status;
}

CUresult si_node_set(CUgraphNode node, CUresult read, const rill_op *op)
{
    rill_graph *graph;
    CUresult status = si_node_graph(node, &graph);
    if (!status) status = read;
    return status ? status : rill_node_set_op(graph, node, op);
}

CUresult si_node_check_settable(CUgraphNode node, int kind, int fixed)
{
    rill_graph *graph;
    rill_op_kind known;
    CUresult status = si_node_graph(node, &graph);
    /* Where the kind must not be asked for, the call that sets the node says so. */
    if (status || rill_node_kind(graph, node, &known)) return status;
    if ((int)known != kind) return RILL_ERROR_INVALID_VALUE;
    return fixed ? RILL_ERROR_NOT_SUPPORTED : RILL_SUCCESS;
}

CUresult si_node_check_context(CUcontext handle, CUresult read)
{
    struct si_context *current;
    rill_context *context;
    if (read) return read;
    return handle ? si_context(handle, &context) : si_current(&current);
}

/* ---- Nodes of any kind -------------------------------------------------------------------- */

ENTRY(cuGraphDestroyNode, (CUgraphNode node), (node))
{
    rill_graph *graph;
    CUresult status = si_node_graph(node, &graph);
    if (!status) status = rill_graph_remove_node(graph, node);
    if (!status) si_node_storage_drop(si_node_storage_of(graph), node);
    return status;
}

ENTRY(cuGraphNodeGetType, (CUgraphNode node, int *type), (node, type))
{
    rill_graph *graph;
    rill_op_kind kind;
    CUresult status = si_node_graph(node, &graph);
    if (!status && !type) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_node_kind(graph, node, &kind);
    if (!status) *type = kind;
    return status;
}
