/* SPDX-License-Identifier: Apache-2.0
 *
 * Adding and removing edges, as the driver does: it checks the nodes of all edges, and what
 * they carry, before it changes anything; but whether an edge is there already, or is missing,
 * it checks only when it comes to that edge, and by then it has added or removed the edges
 * named before.
 */
#include "backend-sim/graph/nested.h"

/* ---- What an edge may carry -------------------------------------------------------- */

static rill_op_kind op_of_node(const struct sim_graph *graph, uint32_t slot)
{
    return sim_node_task(graph, slot)->kind->op;
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
    if (edge->from_port == 1 && !edge->type)
        return refuse_edge("edges from port 1 (programmatic) have type 1");
    if (!edge->from_port) return refuse_edge("edges of type 1 begin at port 1 or 2");
    if (op_of_node(graph, from) != RILL_OP_KERNEL)
        return refuse_edge("ports other than 0 are those of kernel nodes");
    if (edge->type && to != RILL_OP_KERNEL)
        return refuse_edge("edges of type 1 go from a kernel node to a kernel node");
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

/* Returns the place of the edge among the successors of the node that it begins at, or NODE_NONE.
 * Searches from the end that has fewer edges. */
static uint32_t find_edge(const struct sim_graph *graph, struct ends ends)
{
    const struct links *successors = &sim_node(graph, ends.from)->successors;
    const struct links *predecessors = &sim_node(graph, ends.to)->predecessors;
    if (successors->count < predecessors->count) return sim_links_find(successors, ends.to);
    uint32_t place = sim_links_find(predecessors, ends.from);
    return place == NODE_NONE ? NODE_NONE : sim_links(predecessors)[place].mirror;
}

static bool has_edge(const struct sim_graph *graph, struct ends ends)
{
    return find_edge(graph, ends) != NODE_NONE;
}

static rill_status refuse_pair(const struct sim_graph *graph, struct ends ends, const char *why)
{
    char from[RILL_LABEL_MAX], to[RILL_LABEL_MAX];
    sim_node_describe(graph, ends.from, from);
    sim_node_describe(graph, ends.to, to);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "from", "%s: %s -> %s", why, from, to);
}

/* ---- Adding -------------------------------------------------------------------------- */

static rill_status check_new(const struct sim_graph *graph, struct ends ends,
                             const rill_edge *edge)
{
    rill_status status = sim_edge_check(graph, ends.from, op_of_node(graph, ends.to), edge);
    if (status) return status;
    if (ends.from == ends.to) return refuse_pair(graph, ends, "a node cannot wait for itself");
    return RILL_SUCCESS;
}

static struct ends known_ends(rill_node from, rill_node to)
{
    return (struct ends){ sim_node_slot(from), sim_node_slot(to) };
}

/* Takes back the edges that were added before memory was short. */
static void undo_added(struct sim_graph *graph, const rill_node *from, const rill_node *to,
                       size_t count)
{
    while (count--) {
        struct ends ends = known_ends(from[count], to[count]);
        sim_graph_undo_add_edge(graph, ends.from, ends.to);
    }
}

static rill_status add_checked_edges(struct sim_graph *graph, const rill_node *from,
                                     const rill_node *to, const rill_edge *edges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ends ends = known_ends(from[i], to[i]);
        if (has_edge(graph, ends))
            return refuse_pair(graph, ends, "there is such an edge already");
        if (sim_graph_add_edge(graph, ends.from, ends.to, sim_edge_pack(edges ? &edges[i] : NULL)))
            continue;
        undo_added(graph, from, to, i);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    return RILL_SUCCESS;
}

rill_status sim_graph_add_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                const rill_edge *edges, size_t count)
{
    struct sim_graph *graph = sim_graph_of(handle);
    for (size_t i = 0; i < count; i++) {
        struct ends ends;
        rill_status status = find_ends(graph, from[i], to[i], &ends);
        if (!status) status = check_new(graph, ends, edges ? &edges[i] : NULL);
        if (status) return status;
    }
    return add_checked_edges(graph, from, to, edges, count);
}

/* ---- Removing ------------------------------------------------------------------------
 *
 * Like the driver, these ignore what edges carry. */

static rill_status remove_checked_edges(struct sim_graph *graph, const rill_node *from,
                                        const rill_node *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ends ends = known_ends(from[i], to[i]);
        uint32_t place = find_edge(graph, ends);
        if (place == NODE_NONE) return refuse_pair(graph, ends, "there is no such edge");
        sim_graph_remove_edge(graph, ends.from, place);
    }
    return RILL_SUCCESS;
}

rill_status sim_graph_remove_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                   const rill_edge *edges, size_t count)
{
    struct sim_graph *graph = sim_graph_of(handle);
    rill_status status = sim_memory_nodes_forbid(graph, "lose edges; build another one");
    (void)edges;
    for (size_t i = 0; !status && i < count; i++) {
        struct ends ends;
        status = find_ends(graph, from[i], to[i], &ends);
        if (!status && ends.from == ends.to)
            status = refuse_pair(graph, ends, "there is no such edge");
    }
    return status ? status : remove_checked_edges(graph, from, to, count);
}
