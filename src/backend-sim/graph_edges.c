/* SPDX-License-Identifier: Apache-2.0
 *
 * Adding and removing edges: all of a call's, or none.
 */
#include "backend-sim/graph.h"
#include "backend-sim/memory_nodes.h"
#include "base/alloc.h"

/* ---- What an edge may carry -------------------------------------------------------- */

static rill_op_kind kind_of(const struct sim_graph *graph, uint32_t slot)
{
    return sim_node(graph, slot)->task->type->kind;
}

static rill_status refuse_edge(const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "edges", "%s", why);
}

rill_status sim_edge_check(const struct sim_graph *graph, uint32_t from, rill_op_kind to,
                           const rill_edge *edge)
{
    if (!edge) return RILL_SUCCESS;
    for (size_t i = 0; i < sizeof edge->reserved; i++)
        if (edge->reserved[i]) return refuse_edge("the reserved bytes of an edge must be 0");
    if (edge->from_port > 2)
        return refuse_edge("from_port must be 0 (end), 1 (programmatic) or 2 (launch order)");
    if (edge->to_port) return refuse_edge("to_port must be 0");
    if (edge->type > 1) return refuse_edge("type must be 0 (default) or 1 (programmatic)");
    if (!edge->from_port && !edge->type) return RILL_SUCCESS;
    if (!edge->type || !edge->from_port)
        return refuse_edge("programmatic edges have type 1 and begin at port 1 or 2; others have "
                           "type 0 and begin at port 0");
    if (kind_of(graph, from) != RILL_OP_KERNEL || to != RILL_OP_KERNEL)
        return refuse_edge("programmatic edges go from a kernel node to a kernel node");
    return RILL_SUCCESS;
}

/* ---- One edge of a call ------------------------------------------------------------- */

struct ends {
    uint32_t from, to;
};

static rill_status find_ends(const struct sim_graph *graph, rill_node from, rill_node to,
                             struct ends *ends)
{
    ends->from = sim_node_find(graph, from, "from");
    if (ends->from == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    ends->to = sim_node_find(graph, to, "to");
    if (ends->to == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    return RILL_SUCCESS;
}

/* Looks from the end that has fewer edges. */
static bool joined(const struct sim_graph *graph, struct ends ends)
{
    const struct links *behind = &sim_node(graph, ends.from)->behind;
    const struct links *before = &sim_node(graph, ends.to)->before;
    return behind->count < before->count ? sim_links_find(behind, ends.to) != NODE_NONE
                                         : sim_links_find(before, ends.from) != NODE_NONE;
}

static rill_status refuse_pair(const struct sim_graph *graph, struct ends ends, const char *why)
{
    char from[RILL_LABEL_MAX], to[RILL_LABEL_MAX];
    sim_node_describe(graph, ends.from, from);
    sim_node_describe(graph, ends.to, to);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "from", "%s: %s -> %s", why, from, to);
}

/* ---- Adding -------------------------------------------------------------------------- */

static rill_status add_edge(struct sim_graph *graph, struct ends ends, const rill_edge *edge)
{
    rill_status status = sim_edge_check(graph, ends.from, kind_of(graph, ends.to), edge);
    if (status) return status;
    if (ends.from == ends.to) return refuse_pair(graph, ends, "a node cannot wait for itself");
    if (joined(graph, ends)) return refuse_pair(graph, ends, "there is such an edge already");
    if (!sim_graph_join(graph, ends.from, ends.to, sim_edge_pack(edge)))
        return RILL_ERROR_OUT_OF_MEMORY;
    return RILL_SUCCESS;
}

/* The edges that were added last are the last of their nodes. */
static void take_back(struct sim_graph *graph, const rill_node *from, const rill_node *to,
                      size_t count)
{
    while (count--) {
        struct links *behind = &sim_node(graph, sim_node_slot(from[count]))->behind;
        struct links *before = &sim_node(graph, sim_node_slot(to[count]))->before;
        graph->data_count -= before->items[--before->count].data != 0;
        behind->count--;
        graph->edge_count--;
    }
}

rill_status sim_graph_add_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                const rill_edge *edges, size_t count)
{
    struct sim_graph *graph = sim_graph_of(handle);
    for (size_t i = 0; i < count; i++) {
        struct ends ends;
        rill_status status = find_ends(graph, from[i], to[i], &ends);
        if (!status) status = add_edge(graph, ends, edges ? &edges[i] : NULL);
        if (status) {
            take_back(graph, from, to, i);
            return status;
        }
    }
    return RILL_SUCCESS;
}

/* ---- Removing ------------------------------------------------------------------------ */

/* Where an edge was, so that it can be put back. */
struct removed {
    struct ends ends;
    uint32_t behind, before, data;
};

static void unlink_edge(struct sim_graph *graph, const struct removed *edge)
{
    sim_links_drop(&sim_node(graph, edge->ends.from)->behind, edge->behind);
    sim_links_drop(&sim_node(graph, edge->ends.to)->before, edge->before);
    graph->edge_count--;
    graph->data_count -= edge->data != 0;
}

static void put_back(struct sim_graph *graph, const struct removed *edge)
{
    const struct ends ends = edge->ends;
    sim_links_insert(&sim_node(graph, ends.from)->behind, edge->behind,
                     (struct link){ ends.to, edge->data });
    sim_links_insert(&sim_node(graph, ends.to)->before, edge->before,
                     (struct link){ ends.from, edge->data });
    graph->edge_count++;
    graph->data_count += edge->data != 0;
}

static rill_status remove_edge(struct sim_graph *graph, struct ends ends, const rill_edge *edge,
                               struct removed *removed)
{
    rill_status status = sim_edge_check(graph, ends.from, kind_of(graph, ends.to), edge);
    if (status) return status;
    const struct links *behind = &sim_node(graph, ends.from)->behind;
    const struct links *before = &sim_node(graph, ends.to)->before;
    *removed = (struct removed){ .ends = ends, .data = sim_edge_pack(edge) };
    removed->before = sim_links_find(before, ends.from);
    if (removed->before == NODE_NONE) return refuse_pair(graph, ends, "there is no such edge");
    if (before->items[removed->before].data != removed->data)
        return refuse_pair(graph, ends, "this edge carries other data; pass what it carries");
    removed->behind = sim_links_find(behind, ends.to);
    unlink_edge(graph, removed);
    return RILL_SUCCESS;
}

static rill_status remove_all(struct sim_graph *graph, const rill_node *from, const rill_node *to,
                              const rill_edge *edges, size_t count, struct removed *removed)
{
    for (size_t i = 0; i < count; i++) {
        struct ends ends;
        rill_status status = find_ends(graph, from[i], to[i], &ends);
        if (!status) status = remove_edge(graph, ends, edges ? &edges[i] : NULL, &removed[i]);
        if (status) {
            while (i--) put_back(graph, &removed[i]);
            return status;
        }
    }
    return RILL_SUCCESS;
}

rill_status sim_graph_remove_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                   const rill_edge *edges, size_t count)
{
    struct sim_graph *graph = sim_graph_of(handle);
    struct removed one, *removed = &one;
    rill_status status = sim_memory_nodes_forbid(graph, "lose edges; build another one");
    if (status) return status;
    if (count > SIZE_MAX / sizeof *removed) return RILL_ERROR_OUT_OF_MEMORY;
    if (count > 1) removed = rl_alloc(count * sizeof *removed);
    if (!removed) return RILL_ERROR_OUT_OF_MEMORY;
    status = remove_all(graph, from, to, edges, count, removed);
    if (removed != &one) rl_free(removed);
    return status;
}
