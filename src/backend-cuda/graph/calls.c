/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole graphs, and the table of everything that graphs do.
 */
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/graph/user_object.h"
#include "backend-cuda/memory/graph_memory.h"
#include "backend-cuda/object/graph.h"

/* ---- Life ---------------------------------------------------------------------------------- */

static rill_status create_graph(rill_graph *handle, const rill_graph_options *options)
{
    CUgraph raw;
    (void)options;
    rill_status status = cuda_end(cuda_api.GraphCreate(&raw, 0), "cuGraphCreate");
    if (!status) cuda_begin_graph(handle, raw);
    return status;
}

static rill_status explain_destroy(CUresult result)
{
    if (result == CUDA_ERROR_ILLEGAL_STATE)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "graph",
                                 "a stream captures into this graph; end that first");
    return cuda_end_with(result, "cuGraphDestroy", "graph");
}

/* Only the driver knows whether a graph may be destroyed, and it tells by doing so. */
static rill_status may_destroy_graph(rill_graph *handle)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    if (graph->outer) return RILL_SUCCESS; /* the core refuses what is not the caller's */
    if (rill_object_of(handle)->owner) return explain_destroy(CUDA_ERROR_ILLEGAL_STATE);
    if (graph->borrowed || !graph->raw) return RILL_SUCCESS;
    for (const struct cuda_graph *inner = graph->inner; inner; inner = inner->sibling)
        if (cuda_graph_is_captured(inner)) return explain_destroy(CUDA_ERROR_ILLEGAL_STATE);
    CUresult result = cuda_api.GraphDestroy(graph->raw);
    if (result) return explain_destroy(result);
    cuda_unlist_graph(graph);
    graph->raw = NULL;
    return RILL_SUCCESS;
}

static rill_status destroy_graph(rill_graph *handle)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUresult result = graph->raw && !graph->borrowed ? cuda_api.GraphDestroy(graph->raw)
                                                     : CUDA_SUCCESS;
    cuda_empty_graph(graph);
    graph->raw = NULL;
    return cuda_end_with(result, "cuGraphDestroy", "graph");
}

/* ---- Clones --------------------------------------------------------------------------------- */

static rill_status clone_graph(rill_graph *handle, rill_graph *to)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUgraph raw;
    rill_status status = cuda_end_with(cuda_api.GraphClone(&raw, graph->raw), "cuGraphClone",
                                       "graph");
    if (status) return status;
    cuda_begin_graph(to, raw);
    status = cuda_copy_labels(graph, cuda_graph_of(to));
    if (status) destroy_graph(to);
    return status;
}

static rill_status find_node_in_clone(rill_graph *handle, rill_node original, rill_node *node)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUgraphNode found = NULL;
    CUresult result = cuda_api.GraphNodeFindInClone(&found, cuda_raw_node(original), graph->raw);
    if (result)
        return rill_backend_fail((rill_status)result, "original",
                                 "clone has no node for this one: it was not made of the graph "
                                 "that this node belongs to, or the node was added later, or "
                                 "removed from the clone");
    *node = cuda_node(found);
    return RILL_SUCCESS;
}

const struct rill_graph_ops cuda_graph_ops = {
    .private_bytes = sizeof(struct cuda_graph),
    .user_object_private_bytes = sizeof(struct cuda_user_object),
    .create = create_graph,
    .may_destroy = may_destroy_graph,
    .destroy = destroy_graph,
    .add_node = cuda_graph_add_node,
    .remove_node = cuda_graph_remove_node,
    .add_edges = cuda_graph_add_edges,
    .remove_edges = cuda_graph_remove_edges,
    .nodes = cuda_graph_nodes,
    .roots = cuda_graph_roots,
    .edges = cuda_graph_edges,
    .dependencies = cuda_node_dependencies,
    .dependents = cuda_node_dependents,
    .node_kind = cuda_node_kind,
    .get_op = cuda_node_get_op,
    .set_op = cuda_node_set_op,
    .get_attribute = cuda_node_get_attribute,
    .set_attribute = cuda_node_set_attribute,
    .copy_attributes = cuda_node_copy_attributes,
    .set_node_label = cuda_node_set_label,
    .child = cuda_node_child,
    .clone = clone_graph,
    .find_in_clone = find_node_in_clone,
    .write_dot = cuda_graph_write_dot,
    .conditional = cuda_conditional_create,
    .user_object_create = cuda_user_object_create,
    .user_object_retain = cuda_user_object_retain,
    .user_object_release = cuda_user_object_release,
    .retain = cuda_graph_retain,
    .release = cuda_graph_release,
    .get_memory = cuda_get_graph_memory,
    .set_memory = cuda_set_graph_memory,
    .trim_memory = cuda_trim_graph_memory,
};
