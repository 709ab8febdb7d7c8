/* SPDX-License-Identifier: Apache-2.0
 *
 * Adding and removing edges.
 */
#include "backend-cuda/graph.h"

#include <string.h>

#include "base/alloc.h"

static rill_status check_ends(struct cuda_graph *graph, const rill_node *from,
                              const rill_node *to, size_t count)
{
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < count; i++) {
        status = cuda_check_node(graph, from[i], "from");
        if (!status) status = cuda_check_node(graph, to[i], "to");
    }
    return status;
}

/* ---- Drivers before 12.3 ------------------------------------------------------------------ */

/* They have edges without data alone. */
static rill_status check_plain(const rill_edge *edges, size_t count)
{
    static const rill_edge plain;
    for (size_t i = 0; edges && i < count; i++)
        if (memcmp(&edges[i], &plain, sizeof plain))
            return cuda_need(GraphAddDependencies, 12030);
    return RILL_SUCCESS;
}

/* ---- Why not -------------------------------------------------------------------------------- */

static bool any_data(const rill_edge *edge)
{
    static const rill_edge plain;
    return edge && memcmp(edge, &plain, sizeof plain);
}

/* What is wrong with the data of an edge, or NULL. */
static const char *misfit(const rill_edge *edge, CUgraphNode from, CUgraphNode to)
{
    for (size_t i = 0; i < sizeof edge->reserved; i++)
        if (edge->reserved[i]) return "the reserved bytes of an edge must be 0";
    if (edge->from_port > 2)
        return "from_port must be 0 (end), 1 (programmatic) or 2 (launch order)";
    if (edge->to_port) return "to_port must be 0";
    if (edge->type > 1) return "type must be 0 (default) or 1 (programmatic)";
    if (edge->from_port == 1 && !edge->type)
        return "edges from port 1 (programmatic) have type 1";
    if (edge->type && !edge->from_port) return "edges of type 1 begin at port 1 or 2";
    if (cuda_kind_of(from) != RILL_OP_KERNEL) return "ports other than 0 are those of kernel nodes";
    if (edge->type && cuda_kind_of(to) != RILL_OP_KERNEL)
        return "edges of type 1 go from a kernel node to a kernel node";
    return NULL;
}

static rill_status explain_add(CUresult result, const rill_node *from, const rill_node *to,
                               const rill_edge *edges, size_t count)
{
    for (size_t i = 0; result == CUDA_ERROR_INVALID_VALUE && i < count; i++) {
        const char *why = any_data(edges ? &edges[i] : NULL)
                              ? misfit(&edges[i], cuda_raw_node(from[i]), cuda_raw_node(to[i]))
                              : NULL;
        if (why) return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "edges", "%s", why);
        if (from[i] == to[i])
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "from",
                                     "a node cannot wait for itself (edge %zu)", i);
    }
    if (result == CUDA_ERROR_INVALID_VALUE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "from",
                                 "there is such an edge already, or one is named twice");
    return cuda_fail(result, "cuGraphAddDependencies", NULL);
}

static rill_status explain_remove(CUresult result)
{
    if (result == CUDA_ERROR_INVALID_VALUE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "from",
                                 "there is no such edge, or one is named twice");
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "a graph that allocates or frees memory cannot lose edges; build "
                                 "another one");
    return cuda_fail(result, "cuGraphRemoveDependencies", NULL);
}

/* ---- All or none ---------------------------------------------------------------------------- */

static CUresult add(CUgraph graph, const rill_node *from, const rill_node *to,
                    const rill_edge *edge)
{
    const CUgraphNode *raw_from = cuda_const_raw_nodes(from), *raw_to = cuda_const_raw_nodes(to);
    return cuda_api.GraphAddDependencies
               ? cuda_api.GraphAddDependencies(graph, raw_from, raw_to, edge, 1)
               : cuda_api.GraphAddDependencies_10000(graph, raw_from, raw_to, 1);
}

static CUresult take(CUgraph graph, const rill_node *from, const rill_node *to,
                     const rill_edge *edges, size_t count)
{
    const CUgraphNode *raw_from = cuda_const_raw_nodes(from), *raw_to = cuda_const_raw_nodes(to);
    return cuda_api.GraphRemoveDependencies
               ? cuda_api.GraphRemoveDependencies(graph, raw_from, raw_to, edges, count)
               : cuda_api.GraphRemoveDependencies_10000(graph, raw_from, raw_to, count);
}

/* Of a call that it refuses the driver leaves part done, and does not say which part.
 * So it is given one edge at a time; the last that came goes first, and leaves no
 * trace in the order of the others. */
static CUresult add_each(CUgraph graph, const rill_node *from, const rill_node *to,
                         const rill_edge *edges, size_t count)
{
    CUresult result = CUDA_SUCCESS;
    size_t done = 0;
    while (!result && done < count) {
        result = add(graph, &from[done], &to[done], edges ? &edges[done] : NULL);
        if (!result) done++;
    }
    while (result && done--)
        take(graph, &from[done], &to[done], edges ? &edges[done] : NULL, 1);
    return result;
}

/* How often the node is among those behind it, 0 or 1. */
static rill_status find_edge(rill_graph *handle, rill_node from, rill_node to, bool *found)
{
    size_t count = 0;
    rill_edge *data = NULL;
    *found = false;
    rill_status status = cuda_node_dependents(handle, from, NULL, NULL, &count);
    rill_node *nodes = !status && count ? rl_alloc(count * sizeof *nodes) : NULL;
    if (nodes) data = rl_alloc(count * sizeof *data);
    if (!status && count && !data) status = RILL_ERROR_OUT_OF_MEMORY;
    if (!status && count) status = cuda_node_dependents(handle, from, nodes, data, &count);
    for (size_t i = 0; !status && nodes && i < count; i++)
        if (nodes[i] == to) *found = true;
    rl_free(nodes);
    rl_free(data);
    return status;
}

/* Edges that were removed would come back in another order: first all must be there. */
static rill_status check_there(rill_graph *handle, const rill_node *from, const rill_node *to,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool found;
        rill_status status = find_edge(handle, from[i], to[i], &found);
        if (status) return status;
        for (size_t k = 0; found && k < i; k++)
            if (from[k] == from[i] && to[k] == to[i]) found = false;
        if (!found)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "from",
                                     "there is no such edge, or one is named twice (edge %zu)", i);
    }
    return RILL_SUCCESS;
}

/* ---- The calls ------------------------------------------------------------------------------- */

rill_status cuda_graph_add_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                 const rill_edge *edges, size_t count)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    rill_status status = check_ends(graph, from, to, count);
    if (!status && !cuda_api.GraphAddDependencies) status = check_plain(edges, count);
    if (status) return status;
    CUresult result = add_each(graph->raw, from, to, edges, count);
    return result ? explain_add(result, from, to, edges, count) : RILL_SUCCESS;
}

/* The driver does not look at what the edges carry. */
rill_status cuda_graph_remove_edges(rill_graph *handle, const rill_node *from,
                                    const rill_node *to, const rill_edge *edges, size_t count)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    rill_status status = check_ends(graph, from, to, count);
    if (!status && count > 1) status = check_there(handle, from, to, count);
    if (status) return status;
    CUresult result = take(graph->raw, from, to, edges, count);
    return result ? explain_remove(result) : RILL_SUCCESS;
}
