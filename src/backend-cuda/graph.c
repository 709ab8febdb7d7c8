/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole graphs, the graphs inside them, and the table of everything that graphs do.
 */
#include "backend-cuda/graph.h"

#include "backend-cuda/capture_list.h"
#include "backend-cuda/tables.h"

/* ---- All that there are ------------------------------------------------------------------ */

static void list(struct cuda_graph *graph)
{
    struct cuda_platform *platform = graph->platform;
    rl_lock(&platform->graphs_lock);
    graph->next = platform->graphs;
    graph->link = &platform->graphs;
    if (graph->next) graph->next->link = &graph->next;
    platform->graphs = graph;
    rl_unlock(&platform->graphs_lock);
}

static void unlist(struct cuda_graph *graph)
{
    struct cuda_platform *platform = graph->platform;
    rl_lock(&platform->graphs_lock);
    if (graph->link) {
        *graph->link = graph->next;
        if (graph->next) graph->next->link = graph->link;
        graph->link = NULL;
    }
    rl_unlock(&platform->graphs_lock);
}

rill_graph *cuda_find_graph(struct cuda_platform *platform, CUgraph raw)
{
    if (!raw) return NULL;
    rl_lock(&platform->graphs_lock);
    struct cuda_graph *graph = platform->graphs;
    while (graph && graph->raw != raw) graph = graph->next;
    rill_graph *handle = graph ? graph->handle : NULL;
    rl_unlock(&platform->graphs_lock);
    return handle;
}

/* ---- Objects ------------------------------------------------------------------------------- */

static void begin(rill_graph *handle, CUgraph raw)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    const struct rill_object *head = rill_object_of(handle);
    graph->handle = handle;
    graph->platform = cuda_platform_of(head->platform);
    graph->home = head->context ? cuda_context_of(head->context) : NULL;
    graph->raw = raw;
    if (raw) list(graph);
}

/* The object has nothing any more; the driver's graph goes by itself. */
static void empty(struct cuda_graph *graph)
{
    unlist(graph);
    cuda_capture_forget_graph(graph->handle);
    while (graph->inner) {
        struct cuda_graph *inner = graph->inner;
        graph->inner = inner->beside;
        cuda_disown_graph(inner->handle);
    }
    cuda_nodes_free(&graph->nodes, true);
}

rill_status cuda_own_graph(struct cuda_context *context, CUgraph raw, rill_graph **graph)
{
    void *made;
    rill_status status = rill_backend_own(RILL_OBJECT_GRAPH, context->handle, context->handle,
                                          &made);
    if (status) return status;
    begin(made, raw);
    *graph = made;
    return RILL_SUCCESS;
}

void cuda_take_graph(rill_graph *handle, CUgraph raw, bool borrowed)
{
    begin(handle, raw);
    cuda_graph_of(handle)->borrowed = borrowed;
}

void cuda_disown_graph(rill_graph *handle)
{
    empty(cuda_graph_of(handle));
    rill_backend_disown(handle);
}

/* The objects of what was inside stay for whoever has them. */
static void lose(struct cuda_graph *graph)
{
    unlist(graph);
    graph->raw = NULL;
    graph->lost = true;
    for (struct cuda_graph *inner = graph->inner; inner; inner = inner->beside) lose(inner);
}

/* As measured, a graph inside another stays. */
void cuda_lose_graph(rill_graph *handle)
{
    if (!cuda_graph_of(handle)->outer) lose(cuda_graph_of(handle));
}

bool cuda_graph_is_captured(const struct cuda_graph *graph)
{
    bool found = cuda_capture_goes_into(graph->handle);
    for (const struct cuda_graph *inner = graph->inner; !found && inner; inner = inner->beside)
        found = cuda_graph_is_captured(inner);
    return found;
}

/* ---- Graphs inside graphs -------------------------------------------------------------------- */

rill_status cuda_make_inner(struct cuda_graph *outer, struct cuda_graph **inner)
{
    void *made;
    rill_status status = rill_backend_own(RILL_OBJECT_GRAPH, outer->handle,
                                          rill_object_of(outer->handle)->context, &made);
    if (status) return status;
    begin(made, NULL);
    *inner = cuda_graph_of(made);
    return RILL_SUCCESS;
}

void cuda_settle_inner(struct cuda_graph *outer, struct cuda_graph *inner, CUgraphNode holder,
                       CUgraph raw)
{
    inner->holder = holder;
    inner->outer = outer;
    inner->beside = outer->inner;
    outer->inner = inner;
    inner->raw = raw;
    if (!inner->link) list(inner);
}

void cuda_forget_inner(struct cuda_graph *outer, CUgraphNode holder)
{
    for (struct cuda_graph **link = &outer->inner; *link;) {
        struct cuda_graph *inner = *link;
        if (inner->holder != holder) {
            link = &inner->beside;
            continue;
        }
        *link = inner->beside;
        cuda_disown_graph(inner->handle);
    }
}

rill_status cuda_inner_graph(struct cuda_graph *outer, CUgraphNode holder, CUgraph raw,
                             rill_graph **graph)
{
    struct cuda_graph *inner = outer->inner;
    while (inner && inner->raw != raw) inner = inner->beside;
    if (!inner) {
        rill_status status = cuda_make_inner(outer, &inner);
        if (status) return status;
        cuda_settle_inner(outer, inner, holder, raw);
    }
    *graph = inner->handle;
    return RILL_SUCCESS;
}

/* ---- Life ---------------------------------------------------------------------------------- */

static rill_status create(rill_graph *handle, const rill_graph_options *options)
{
    CUgraph raw;
    (void)options;
    rill_status status = cuda_end(cuda_api.GraphCreate(&raw, 0), "cuGraphCreate");
    if (!status) begin(handle, raw);
    return status;
}

static rill_status refuse_end(CUresult result)
{
    if (result == CUDA_ERROR_ILLEGAL_STATE)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "graph",
                                 "a stream captures into this graph; end that first");
    return cuda_end_with(result, "cuGraphDestroy", "graph");
}

/* Whether a graph may go only the driver knows, and it tells by letting it go. */
static rill_status may_destroy(rill_graph *handle)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    if (graph->outer) return RILL_SUCCESS; /* the core refuses what is not the caller's */
    if (rill_object_of(handle)->owner) return refuse_end(CUDA_ERROR_ILLEGAL_STATE);
    if (graph->borrowed || !graph->raw) return RILL_SUCCESS;
    for (const struct cuda_graph *inner = graph->inner; inner; inner = inner->beside)
        if (cuda_graph_is_captured(inner)) return refuse_end(CUDA_ERROR_ILLEGAL_STATE);
    CUresult result = cuda_api.GraphDestroy(graph->raw);
    if (result) return refuse_end(result);
    unlist(graph);
    graph->raw = NULL;
    return RILL_SUCCESS;
}

static rill_status destroy(rill_graph *handle)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUresult result = graph->raw && !graph->borrowed ? cuda_api.GraphDestroy(graph->raw)
                                                     : CUDA_SUCCESS;
    empty(graph);
    graph->raw = NULL;
    return cuda_end_with(result, "cuGraphDestroy", "graph");
}

/* ---- Clones --------------------------------------------------------------------------------- */

static rill_status clone(rill_graph *handle, rill_graph *to)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    CUgraph raw;
    rill_status status = cuda_end_with(cuda_api.GraphClone(&raw, graph->raw), "cuGraphClone",
                                       "graph");
    if (status) return status;
    begin(to, raw);
    status = cuda_copy_labels(graph, cuda_graph_of(to));
    if (status) destroy(to);
    return status;
}

static rill_status find_in_clone(rill_graph *handle, rill_node original, rill_node *node)
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
    .create = create,
    .may_destroy = may_destroy,
    .destroy = destroy,
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
    .clone = clone,
    .find_in_clone = find_in_clone,
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
