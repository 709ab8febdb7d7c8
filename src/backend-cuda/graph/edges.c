/* SPDX-License-Identifier: Apache-2.0
 *
 * Adding and removing edges.
 */
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"

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

/* Drivers before 12.3 have only edges without data. */
static rill_status check_without_data(const rill_edge *edges, size_t count)
{
    for (size_t i = 0; edges && i < count; i++)
        if (cuda_has_data(&edges[i])) return cuda_need(GraphAddDependencies, 12030);
    return RILL_SUCCESS;
}

/* ---- Why not -------------------------------------------------------------------------------- */

/* Returns what is wrong with the data of an edge, or NULL. */
static const char *find_misfit(const rill_edge *edge, CUgraphNode from, CUgraphNode to)
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

static rill_status explain_adding(CUresult result, const rill_node *from, const rill_node *to,
                                  const rill_edge *edges, size_t count)
{
    for (size_t i = 0; result == CUDA_ERROR_INVALID_VALUE && i < count; i++) {
        const char *why = edges && cuda_has_data(&edges[i])
                              ? find_misfit(&edges[i], cuda_raw_node(from[i]), cuda_raw_node(to[i]))
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

static rill_status explain_removing(CUresult result)
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

/* ---- The calls ------------------------------------------------------------------------------- */

rill_status cuda_graph_add_edges(rill_graph *handle, const rill_node *from, const rill_node *to,
                                 const rill_edge *edges, size_t count)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    const CUgraphNode *raw_from = cuda_const_raw_nodes(from), *raw_to = cuda_const_raw_nodes(to);
    rill_status status = check_ends(graph, from, to, count);
    if (!status && !cuda_api.GraphAddDependencies) status = check_without_data(edges, count);
    if (status) return status;
    CUresult result =
        cuda_api.GraphAddDependencies
            ? cuda_api.GraphAddDependencies(graph->raw, raw_from, raw_to, edges, count)
            : cuda_api.GraphAddDependencies_10000(graph->raw, raw_from, raw_to, count);
    return result ? explain_adding(result, from, to, edges, count) : RILL_SUCCESS;
}

/* The driver ignores what the edges carry. */
rill_status cuda_graph_remove_edges(rill_graph *handle, const rill_node *from,
                                    const rill_node *to, const rill_edge *edges, size_t count)
{
    struct cuda_graph *graph = cuda_graph_of(handle);
    const CUgraphNode *raw_from = cuda_const_raw_nodes(from), *raw_to = cuda_const_raw_nodes(to);
    rill_status status = check_ends(graph, from, to, count);
    if (status) return status;
    CUresult result =
        cuda_api.GraphRemoveDependencies
            ? cuda_api.GraphRemoveDependencies(graph->raw, raw_from, raw_to, edges, count)
            : cuda_api.GraphRemoveDependencies_10000(graph->raw, raw_from, raw_to, count);
    return result ? explain_removing(result) : RILL_SUCCESS;
}
