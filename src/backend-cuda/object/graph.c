/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of graphs, and of the graphs inside them.
 */
#include "backend-cuda/object/graph.h"

#include "backend-cuda/context/capture_list.h"

/* ---- All that there are ------------------------------------------------------------------ */

static void list_graph(struct cuda_graph *graph)
{
    struct cuda_platform *platform = graph->platform;
    rl_lock(&platform->graphs_lock);
    graph->next = platform->graphs;
    graph->link = &platform->graphs;
    if (graph->next) graph->next->link = &graph->next;
    platform->graphs = graph;
    rl_unlock(&platform->graphs_lock);
}

void cuda_unlist_graph(struct cuda_graph *graph)
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

void cuda_begin_graph(rill_graph *handle, CUgraph raw)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    const struct rill_object *head = rill_object_of(handle);
    graph->handle = handle;
    graph->platform = cuda_platform_of(head->platform);
    graph->home = head->context ? cuda_context_of(head->context) : NULL;
    graph->raw = raw;
    if (raw) list_graph(graph);
}

void cuda_empty_graph(struct cuda_graph *graph)
{
    cuda_unlist_graph(graph);
    cuda_capture_forget_graph(graph->handle);
    while (graph->inner) {
        struct cuda_graph *inner = graph->inner;
        graph->inner = inner->sibling;
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
    cuda_begin_graph(made, raw);
    *graph = made;
    return RILL_SUCCESS;
}

void cuda_take_graph(rill_graph *handle, CUgraph raw, bool borrowed)
{
    cuda_begin_graph(handle, raw);
    cuda_graph_of(handle)->borrowed = borrowed;
}

void cuda_disown_graph(rill_graph *handle)
{
    cuda_empty_graph(cuda_graph_of(handle));
    rill_backend_disown(handle);
}

/* The objects of the graphs inside stay, since the program may have them. */
static void lose_graph(struct cuda_graph *graph)
{
    cuda_unlist_graph(graph);
    graph->raw = NULL;
    graph->lost = true;
    for (struct cuda_graph *inner = graph->inner; inner; inner = inner->sibling) lose_graph(inner);
}

/* A graph inside another stays, as measured. */
void cuda_lose_graph(rill_graph *handle)
{
    if (!cuda_graph_of(handle)->outer) lose_graph(cuda_graph_of(handle));
}

bool cuda_graph_is_captured(const struct cuda_graph *graph)
{
    bool found = cuda_capture_goes_into(graph->handle);
    for (const struct cuda_graph *inner = graph->inner; !found && inner; inner = inner->sibling)
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
    cuda_begin_graph(made, NULL);
    *inner = cuda_graph_of(made);
    return RILL_SUCCESS;
}

void cuda_settle_inner(struct cuda_graph *outer, struct cuda_graph *inner, CUgraphNode holder,
                       CUgraph raw)
{
    inner->holder = holder;
    inner->outer = outer;
    inner->sibling = outer->inner;
    outer->inner = inner;
    inner->raw = raw;
    if (!inner->link) list_graph(inner);
}

void cuda_forget_inner(struct cuda_graph *outer, CUgraphNode holder)
{
    for (struct cuda_graph **link = &outer->inner; *link;) {
        struct cuda_graph *inner = *link;
        if (inner->holder != holder) {
            link = &inner->sibling;
            continue;
        }
        *link = inner->sibling;
        cuda_disown_graph(inner->handle);
    }
}

rill_status cuda_inner_graph(struct cuda_graph *outer, CUgraphNode holder, CUgraph raw,
                             rill_graph **graph)
{
    struct cuda_graph *inner = outer->inner;
    while (inner && inner->raw != raw) inner = inner->sibling;
    if (!inner) {
        rill_status status = cuda_make_inner(outer, &inner);
        if (status) return status;
        cuda_settle_inner(outer, inner, holder, raw);
    }
    *graph = inner->handle;
    return RILL_SUCCESS;
}

rill_status cuda_check_inside(const struct cuda_graph *graph, CUgraphNode raw)
{
    for (const struct cuda_graph *inner = graph->inner; inner; inner = inner->sibling)
        if (inner->holder == raw && cuda_graph_is_captured(inner))
            return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "node",
                                     "a stream captures into a graph inside the node; end that "
                                     "first");
    return RILL_SUCCESS;
}

/* ---- Where a graph was made ---------------------------------------------------------------- */

struct cuda_context *cuda_graph_home(const struct cuda_graph *graph)
{
    struct cuda_context *home = graph->home;
    return home && !atomic_load_explicit(&home->over, memory_order_acquire) ? home : NULL;
}

rill_status cuda_refuse_homeless(const struct cuda_graph *graph, const char *argument)
{
    if (!graph->home)
        return rill_backend_fail(RILL_ERROR_INVALID_CONTEXT, argument,
                                 "the graph was made without a context, and this work says none; "
                                 "make the graph in one");
    return rill_backend_fail(RILL_ERROR_CONTEXT_IS_DESTROYED, argument,
                             "the context that the graph was made in was destroyed, and this work "
                             "says no other; add it to a graph of another context");
}
