/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes and edges of a graph, as lists.  Their orders are the driver's: nodes as they were
 * created, roots from the latest, edges by the node they begin at.
 */
#include <string.h>

#include "backend-sim/graph/graph.h"

/* Where a list goes.  Entries beyond the room are only counted. */
struct listing {
    rill_node *nodes, *others; /* others: the far ends of edges, or NULL */
    rill_edge *edges;          /* may be NULL                            */
    size_t room, count;
};

/* Begins a list.  With a NULL array `total` is the answer, and *done is set. */
static rill_status begin_listing(const struct sim_graph *graph, struct listing *listing,
                                 size_t *count, size_t total, bool *done)
{
    rill_status status = sim_check_outside(graph->platform);
    if (status) return status;
    *done = !listing->nodes;
    if (*done) {
        *count = total;
        return RILL_SUCCESS;
    }
    listing->room = *count;
    if (*count) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count",
                             "there is an array, but *count says that it has no room; pass its "
                             "size, or NULL for the array to learn how many there are");
}

/* Refuses to list edges that carry data without an array for the data.  Only edges for which there
 * is room count. */
static rill_status refuse_lossy(void)
{
    return rill_backend_fail(RILL_ERROR_LOSSY_QUERY, "edges",
                             "some of these edges carry data, which would be lost; pass an array "
                             "for it");
}

static bool add_entry(struct listing *listing, rill_node node, rill_node other, uint32_t data)
{
    size_t at = listing->count;
    if (at == listing->room) return false;
    listing->nodes[at] = node;
    if (listing->others) listing->others[at] = other;
    if (listing->edges) listing->edges[at] = sim_edge_read(data);
    listing->count++;
    return true;
}

static void end_listing(struct listing *listing, size_t *count)
{
    size_t at = listing->count, spare = listing->room - at;
    memset(listing->nodes + at, 0, spare * sizeof *listing->nodes);
    if (listing->others) memset(listing->others + at, 0, spare * sizeof *listing->others);
    *count = at;
}

/* ---- Nodes ----------------------------------------------------------------------- */

rill_status sim_graph_nodes(rill_graph *handle, rill_node *nodes, size_t *count)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    struct listing listing = { .nodes = nodes };
    bool done = false;
    rill_status status = sim_graph_check(graph);
    if (!status) status = begin_listing(graph, &listing, count, graph->count, &done);
    if (status || done) return status;
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
        if (!add_entry(&listing, sim_node_handle(graph, slot), NULL, 0)) break;
    end_listing(&listing, count);
    return RILL_SUCCESS;
}

static size_t count_roots(const struct sim_graph *graph)
{
    size_t roots = 0;
    for (uint32_t slot = graph->first_root; slot != NODE_NONE;
         slot = sim_node(graph, slot)->next_root)
        roots++;
    return roots;
}

rill_status sim_graph_roots(rill_graph *handle, rill_node *nodes, size_t *count)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    struct listing listing = { .nodes = nodes };
    bool done = false;
    rill_status status = sim_graph_check(graph);
    if (!status)
        status = begin_listing(graph, &listing, count, nodes ? 0 : count_roots(graph), &done);
    if (status || done) return status;
    for (uint32_t slot = graph->first_root; slot != NODE_NONE;
         slot = sim_node(graph, slot)->next_root)
        if (!add_entry(&listing, sim_node_handle(graph, slot), NULL, 0)) break;
    end_listing(&listing, count);
    return RILL_SUCCESS;
}

/* ---- Edges ----------------------------------------------------------------------- */

static bool add_edges_of(struct listing *listing, const struct sim_graph *graph, uint32_t from)
{
    const struct links *successors = &sim_node(graph, from)->successors;
    const struct link *links = sim_links(successors);
    for (uint32_t i = 0; i < successors->count; i++)
        if (!add_entry(listing, sim_node_handle(graph, from), sim_node_handle(graph, links[i].slot),
                       links[i].data))
            return false;
    return true;
}

static bool any_data(const struct links *links, size_t room)
{
    for (uint32_t i = 0; i < links->count && i < room; i++)
        if (sim_links(links)[i].data) return true;
    return false;
}

/* Returns whether any of the first `room` edges carries data. */
static bool data_within(const struct sim_graph *graph, size_t room)
{
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        const struct links *successors = &sim_node(graph, slot)->successors;
        if (any_data(successors, room)) return true;
        if (successors->count >= room) return false;
        room -= successors->count;
    }
    return false;
}

rill_status sim_graph_edges(rill_graph *handle, rill_node *from, rill_node *to, rill_edge *edges,
                            size_t *count)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    struct listing listing = { .nodes = from, .others = to, .edges = edges };
    bool done = false;
    rill_status status = sim_graph_check(graph);
    if (!status) status = begin_listing(graph, &listing, count, graph->edge_count, &done);
    if (status || done) return status;
    if (!edges && graph->data_count && data_within(graph, listing.room)) return refuse_lossy();
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next)
        if (!add_edges_of(&listing, graph, slot)) break;
    if (edges)
        memset(edges + listing.count, 0, (listing.room - listing.count) * sizeof *edges);
    end_listing(&listing, count);
    return RILL_SUCCESS;
}

/* The driver leaves the spare entries of `edges` alone here. */
static rill_status list_side(const struct sim_graph *graph, const struct links *links,
                             rill_node *nodes, rill_edge *edges, size_t *count)
{
    struct listing listing = { .nodes = nodes, .edges = edges };
    const struct link *items = sim_links(links);
    bool done = false;
    rill_status status = begin_listing(graph, &listing, count, links->count, &done);
    if (status || done) return status;
    if (!edges && graph->data_count && any_data(links, listing.room)) return refuse_lossy();
    for (uint32_t i = 0; i < links->count; i++)
        if (!add_entry(&listing, sim_node_handle(graph, items[i].slot), NULL, items[i].data))
            break;
    end_listing(&listing, count);
    return RILL_SUCCESS;
}

rill_status sim_node_dependencies(rill_graph *handle, rill_node node, rill_node *nodes,
                                  rill_edge *edges, size_t *count)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    return list_side(graph, &sim_node(graph, slot)->predecessors, nodes, edges, count);
}

rill_status sim_node_dependents(rill_graph *handle, rill_node node, rill_node *nodes,
                                rill_edge *edges, size_t *count)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    return list_side(graph, &sim_node(graph, slot)->successors, nodes, edges, count);
}
