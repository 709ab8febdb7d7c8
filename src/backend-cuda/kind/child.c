/* SPDX-License-Identifier: Apache-2.0
 *
 * Child graphs.
 */
#include "backend-cuda/kind/kind.h"

/* ---- To the driver's parameters and back ------------------------------------------------- */

/* A node that is set gets a copy of the graph, whatever the flags say. */
static rill_status write_child(const struct cuda_site *site, const rill_op *op,
                               struct cuda_node_params *params, struct cuda_room *room)
{
    bool moves = op->graph.flags & RILL_CHILD_MOVE;
    (void)room;
    if (moves && cuda_api.version < 12090)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.flags",
                                 "the driver, one for CUDA %d.%d, moves no graphs; CUDA 12.9 does. "
                                 "Without RILL_CHILD_MOVE a copy is added",
                                 cuda_api.version / 1000, cuda_api.version % 1000 / 10);
    params->child.graph = cuda_graph_of(op->graph.graph)->raw;
    params->child.ownership = moves && !site->replaces ? CUDA_CHILD_MOVE : CUDA_CHILD_CLONE;
    return RILL_SUCCESS;
}

static rill_status read_child(struct cuda_graph *graph, CUgraphNode raw, rill_op *out)
{
    rill_graph_op *op = &out->graph;
    CUgraph child;
    rill_status status = cuda_end(cuda_api.GraphChildGraphNodeGetGraph(raw, &child),
                                  "cuGraphChildGraphNodeGetGraph");
    if (!status) status = cuda_inner_graph(graph, raw, child, &op->graph);
    if (status) return status;
    /* A graph that moved in is still the object that it was. */
    op->flags = cuda_graph_of(op->graph)->moved ? RILL_CHILD_MOVE : 0;
    return RILL_SUCCESS;
}

static rill_status explain_child(const struct cuda_refusal *r)
{
    if (r->result == CUDA_ERROR_NOT_SUPPORTED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph",
                                 "a graph that allocates or frees memory or has conditional nodes "
                                 "cannot be copied, and one that is part of another cannot be "
                                 "added; add a clone of it, or RILL_CHILD_MOVE it");
    return cuda_fail(r->result, r->call, "op->graph.graph");
}

/* ---- Adding ------------------------------------------------------------------------------ */

/* Returns whether the child is the graph, or one around it. */
static bool is_around(const struct cuda_addition *a)
{
    const struct cuda_graph *graph = a->graph;
    while (graph && graph->handle != a->op->graph.graph) graph = graph->outer;
    return graph != NULL;
}

static rill_status check_child_flags(const struct cuda_addition *a)
{
    if (!(a->op->graph.flags & ~RILL_CHILD_MOVE)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.flags",
                             "op->graph.flags is 0x%x; it may be 0 or RILL_CHILD_MOVE",
                             (unsigned)a->op->graph.flags);
}

/* Refuses to move a graph into itself: the driver would do it, and the graph could never be
 * destroyed. */
static rill_status check_move(const struct cuda_addition *a)
{
    if (!(a->op->graph.flags & RILL_CHILD_MOVE) || !is_around(a)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.graph",
                             "op->graph.graph would move into itself; leave out "
                             "RILL_CHILD_MOVE to add a copy");
}

static rill_status check_child(const struct cuda_addition *a)
{
    rill_status status = check_child_flags(a);
    return status ? status : check_move(a);
}

/* Adds a clone: the driver crashes when a graph is added to itself. */
static rill_status add_itself(struct cuda_addition *a)
{
    CUgraph copy;
    CUresult result = cuda_api.GraphClone(&copy, a->params.child.graph);
    if (result) return cuda_explain_addition(a, result);
    a->params.child.graph = copy;
    rill_status status = cuda_add_raw(a);
    cuda_api.GraphDestroy(copy);
    return status;
}

static rill_status add_child(struct cuda_addition *a)
{
    const rill_graph_op *op = &a->op->graph;
    struct cuda_graph *child = cuda_graph_of(op->graph);
    if (is_around(a)) return add_itself(a);
    rill_status status = cuda_add_raw(a);
    if (status) return status;
    if (op->flags & RILL_CHILD_MOVE) {
        child->moved = true;
        cuda_settle_inner(a->graph, child, a->node, child->raw);
    }
    return status;
}

static CUresult typed_add_child(struct cuda_addition *a)
{
    return cuda_api.GraphAddChildGraphNode(&a->node, a->graph->raw, cuda_raw_dependencies(a),
                                           a->count, a->params.child.graph);
}

/* ---- Setting ----------------------------------------------------------------------------- */

/* Forgets the graph that was inside the node. */
static rill_status set_child(struct cuda_change *c)
{
    rill_status status = cuda_check_inside(c->graph, c->node);
    if (!status) status = cuda_set_raw(c);
    if (!status) cuda_forget_inner(c->graph, c->node);
    return status;
}

static CUresult typed_exec_set_child(CUgraphExec exec, CUgraphNode node,
                                     const struct cuda_node_params *params)
{
    return cuda_api.GraphExecChildGraphNodeSetParams(exec, node, params->child.graph);
}

static CUresult launch_null(const struct cuda_stream *stream)
{
    return cuda_api.GraphLaunch(NULL, stream->raw);
}

const struct cuda_kind cuda_kind_child = {
    .op = RILL_OP_GRAPH,
    .write = write_child,
    .read = read_child,
    .check = check_child,
    .add = add_child,
    .set = set_child,
    .typed_add = typed_add_child,
    .typed_exec_set = typed_exec_set_child,
    .explain = explain_child,
    .submit = cuda_refuse_in_stream,
    .submit_null = launch_null,
};
