/* SPDX-License-Identifier: Apache-2.0
 *
 * Removing nodes, and asking what a node does.
 */
#include <string.h>

#include "backend-cuda/graph/calls.h"
#include "backend-cuda/kind/host.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/words/op_kind.h"

/* ---- Removing -------------------------------------------------------------------- */

static rill_status explain_removal(CUresult result)
{
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph that allocates or frees memory cannot lose nodes; build "
                                 "another one");
    if (result == CUDA_ERROR_ILLEGAL_STATE)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "graph",
                                 "a stream captures into this graph; remove nodes when the "
                                 "capture has ended");
    return cuda_fail(result, "cuGraphDestroyNode", "node");
}

rill_status cuda_graph_remove_node(rill_graph *handle, rill_node node)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUgraphNode raw = cuda_raw_node(node);
    rill_status status = cuda_check_node(graph, node, "node");
    if (!status) status = cuda_check_inside(graph, raw);
    if (status) return status;
    struct cuda_box *box = cuda_box_of_node(raw);
    CUresult result = cuda_api.GraphDestroyNode(raw);
    if (result) return explain_removal(result);
    cuda_forget_inner(graph, raw);
    cuda_nodes_take(&graph->nodes, raw);
    cuda_release_box(graph, box);
    return RILL_SUCCESS;
}

/* ---- What a node does ------------------------------------------------------------ */

rill_status cuda_node_kind(rill_graph *handle, rill_node node, rill_op_kind *kind)
{
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    rill_status status = cuda_check_node(cuda_graph_of(handle), node, "node");
    if (!status)
        status = cuda_end(cuda_api.GraphNodeGetType(cuda_raw_node(node), &type),
                          "cuGraphNodeGetType");
    if (!status) *kind = (rill_op_kind)type;
    return status;
}

static rill_status read_node(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    rill_op read;
    memset(&read, 0, sizeof read);
    read.kind = cuda_kind_of(raw);
    if (read.kind == CUDA_KIND_UNKNOWN)
        return cuda_end(CUDA_ERROR_NOT_PERMITTED, "cuGraphNodeGetType");
    rill_status status = cuda_find_kind(read.kind)->read(graph, raw, &read);
    if (!status) *op = read;
    return status;
}

rill_status cuda_node_get_op(rill_graph *handle, rill_node node, rill_op *op)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    rill_status status = cuda_check_node(graph, node, "node");
    return status ? status : read_node(graph, cuda_raw_node(node), op);
}

rill_status cuda_node_child(rill_graph *handle, rill_node node, rill_graph **child)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUgraphNode raw = cuda_raw_node(node);
    CUgraph inside;
    rill_status status = cuda_check_node(graph, node, "node");
    if (status) return status;
    CUresult result = cuda_api.GraphChildGraphNodeGetGraph(raw, &inside);
    if (result)
        return rill_backend_fail((rill_status)result, "node",
                                 "node is a %s node, which has no child graph",
                                 rl_op_name(cuda_kind_of(raw)));
    return cuda_inner_graph(graph, raw, inside, child);
}
