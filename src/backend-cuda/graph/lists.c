/* SPDX-License-Identifier: Apache-2.0
 *
 * What a graph holds, as lists.  The driver's rules are rill's (rill/graph.h).  If the driver is
 * older than edge data, no edge has any.
 */
#include <string.h>

#include "backend-cuda/graph/calls.h"
#include "backend-cuda/object/graph_nodes.h"

/* Says why the driver refused a list: an array without room, or data without an array. */
static rill_status explain_list(CUresult result, const char *call, const void *array, size_t room)
{
    if (result == CUDA_ERROR_INVALID_VALUE && array && !room)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count",
                                 "there is an array, but *count says that it has no room; pass "
                                 "its size, or NULL for the array to learn how many there are");
    if (result == (CUresult)RILL_ERROR_LOSSY_QUERY)
        return rill_backend_fail(RILL_ERROR_LOSSY_QUERY, "edges",
                                 "some of these edges carry data, which would be lost; pass an "
                                 "array for it");
    return cuda_fail(result, call, NULL);
}

/* Sets the caller's count, which stays as it was if the call is refused. */
static rill_status end_list(CUresult result, const char *call, const void *array, size_t told,
                            size_t *count)
{
    if (__builtin_expect(result != CUDA_SUCCESS, 0))
        return explain_list(result, call, array, *count);
    *count = told;
    return RILL_SUCCESS;
}

rill_status cuda_graph_nodes(rill_graph *handle, rill_node *nodes, size_t *count)
{
    size_t told = nodes ? *count : 0;
    CUresult result = cuda_api.GraphGetNodes(cuda_graph_of(handle)->raw, cuda_raw_nodes(nodes),
                                             &told);
    return end_list(result, "cuGraphGetNodes", nodes, told, count);
}

rill_status cuda_graph_roots(rill_graph *handle, rill_node *nodes, size_t *count)
{
    size_t told = nodes ? *count : 0;
    CUresult result = cuda_api.GraphGetRootNodes(cuda_graph_of(handle)->raw,
                                                 cuda_raw_nodes(nodes), &told);
    return end_list(result, "cuGraphGetRootNodes", nodes, told, count);
}

/* ---- Edges ----------------------------------------------------------------------------- */

/* Fills in the data that a driver without edge data does not write. */
static void clear_edge_data(rill_edge *edges, size_t count)
{
    if (edges) memset(edges, 0, count * sizeof *edges);
}

rill_status cuda_graph_edges(rill_graph *handle, rill_node *from, rill_node *to, rill_edge *edges,
                             size_t *count)
{
    CUgraph raw = cuda_graph_of(handle)->raw;
    size_t told = from ? *count : 0;
    CUresult result;
    if (cuda_api.GraphGetEdges) {
        result = cuda_api.GraphGetEdges(raw, cuda_raw_nodes(from), cuda_raw_nodes(to), edges,
                                        &told);
    } else {
        result = cuda_api.GraphGetEdges_10000(raw, cuda_raw_nodes(from), cuda_raw_nodes(to),
                                              &told);
        if (!result) clear_edge_data(edges, *count); /* spare entries, too */
    }
    return end_list(result, "cuGraphGetEdges", from, told, count);
}

typedef CUresult(CUDAAPI *ask_fn)(CUgraphNode, CUgraphNode *, rill_edge *, size_t *);
typedef CUresult(CUDAAPI *ask_before_fn)(CUgraphNode, CUgraphNode *, size_t *);

/* Lists the nodes on one side of a node, by the call that tells edge data or by the earlier
 * one. */
static rill_status list_neighbours(rill_graph *handle, rill_node node, rill_node *nodes,
                                   rill_edge *edges, size_t *count, const char *call,
                                   ask_fn ask,
                                   ask_before_fn ask_before)
{
    rill_status status = cuda_check_node(cuda_graph_of(handle), node, "node");
    if (status) return status;
    CUgraphNode raw = cuda_raw_node(node);
    size_t told = nodes ? *count : 0;
    CUresult result;
    if (ask) {
        result = ask(raw, cuda_raw_nodes(nodes), edges, &told);
    } else {
        result = ask_before(raw, cuda_raw_nodes(nodes), &told);
        if (!result) clear_edge_data(edges, told);
    }
    return end_list(result, call, nodes, told, count);
}

rill_status cuda_node_dependencies(rill_graph *handle, rill_node node, rill_node *nodes,
                                   rill_edge *edges, size_t *count)
{
    return list_neighbours(handle, node, nodes, edges, count, "cuGraphNodeGetDependencies",
                           cuda_api.GraphNodeGetDependencies,
                           cuda_api.GraphNodeGetDependencies_10000);
}

rill_status cuda_node_dependents(rill_graph *handle, rill_node node, rill_node *nodes,
                                 rill_edge *edges, size_t *count)
{
    return list_neighbours(handle, node, nodes, edges, count, "cuGraphNodeGetDependentNodes",
                           cuda_api.GraphNodeGetDependentNodes,
                           cuda_api.GraphNodeGetDependentNodes_10000);
}
