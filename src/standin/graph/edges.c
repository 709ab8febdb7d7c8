/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges, and the lists of nodes and edges.  Arrays follow rill's rules, which are the
 * driver's.
 */
#include "standin/graph/graph.h"

/* ---- Lists -------------------------------------------------------------------------------- */

ENTRY(cuGraphGetNodes, (CUgraph handle, CUgraphNode *nodes, size_t *count), (handle, nodes, count))
{
    rill_graph *graph;
    CUresult status = si_graph(handle, &graph);
    return status ? status : rill_graph_nodes(graph, nodes, count);
}

ENTRY(cuGraphGetRootNodes,
      (CUgraph handle, CUgraphNode *nodes, size_t *count), (handle, nodes, count))
{
    rill_graph *graph;
    CUresult status = si_graph(handle, &graph);
    return status ? status : rill_graph_roots(graph, nodes, count);
}

/* Answers NULL for the ends of edges whose data would be lost. */
ENTRY(cuGraphGetEdges_v2,
      (CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges, size_t *count),
      (handle, from, to, edges, count))
{
    rill_graph *graph;
    CUresult status = si_graph(handle, &graph);
    if (!status) status = rill_graph_edges(graph, from, to, edges, count);
    for (size_t i = 0; status == RILL_ERROR_LOSSY_QUERY && from && i < *count; i++)
        from[i] = to[i] = NULL;
    return status;
}

ENTRY(cuGraphNodeGetDependencies_v2,
      (CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *count),
      (node, nodes, edges, count))
{
    rill_graph *graph;
    CUresult status = si_node_graph(node, &graph);
    return status ? status : rill_node_dependencies(graph, node, nodes, edges, count);
}

ENTRY(cuGraphNodeGetDependentNodes_v2,
      (CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *count),
      (node, nodes, edges, count))
{
    rill_graph *graph;
    CUresult status = si_node_graph(node, &graph);
    return status ? status : rill_node_dependents(graph, node, nodes, edges, count);
}

/* The first forms have no edge data; if there is some, they fail and say so. */
SAME_AS(cuGraphGetEdges, cuGraphGetEdges_v2,
        (CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count),
        (graph, from, to, NULL, count))
SAME_AS(cuGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2,
        (CUgraphNode node, CUgraphNode *nodes, size_t *count), (node, nodes, NULL, count))
SAME_AS(cuGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2,
        (CUgraphNode node, CUgraphNode *nodes, size_t *count), (node, nodes, NULL, count))

/* ---- Edges -------------------------------------------------------------------------------- */

ENTRY(cuGraphAddDependencies_v2,
      (CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
       const CUgraphEdgeData *edges, size_t count),
      (handle, from, to, edges, count))
{
    rill_graph *graph;
    CUresult status = si_graph(handle, &graph);
    return status ? status : rill_graph_add_edges(graph, from, to, edges, count);
}

ENTRY(cuGraphRemoveDependencies_v2,
      (CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
       const CUgraphEdgeData *edges, size_t count),
      (handle, from, to, edges, count))
{
    rill_graph *graph;
    CUresult status = si_graph(handle, &graph);
    return status ? status : rill_graph_remove_edges(graph, from, to, edges, count);
}

SAME_AS(cuGraphAddDependencies, cuGraphAddDependencies_v2,
        (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
        (graph, from, to, NULL, count))
SAME_AS(cuGraphRemoveDependencies, cuGraphRemoveDependencies_v2,
        (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
        (graph, from, to, NULL, count))
