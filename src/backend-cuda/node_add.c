/* SPDX-License-Identifier: Apache-2.0
 *
 * Adding nodes.
 */
#include "backend-cuda/graph.h"

#include "backend-cuda/host.h"

struct addition {
    struct cuda_graph *graph;
    const rill_node *dependencies;
    const rill_edge *edges;
    size_t count;
    rill_op *op;
    struct cuda_context *context; /* of the operation, or NULL */
    CUgraphNode node; /* out */
    struct cuda_node_params params;
    struct cuda_bodies bodies; /* of a conditional */
};

static rill_status check_dependencies(const struct addition *a)
{
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < a->count; i++)
        status = cuda_check_node(a->graph, a->dependencies[i], "dependencies");
    if (cuda_api.GraphAddNode) return status;
    for (size_t i = 0; !status && a->edges && i < a->count; i++)
        if (cuda_has_data(&a->edges[i])) status = cuda_need(GraphAddNode, 12030);
    return status;
}

/* Whether the child is the graph, or one around it. */
static bool is_around(const struct addition *a)
{
    const struct cuda_graph *graph = a->graph;
    while (graph && graph->handle != a->op->graph.graph) graph = graph->outer;
    return graph != NULL;
}

/* The driver would let a graph swallow itself, and then nobody could destroy it. */
static rill_status check_move(const struct addition *a)
{
    if (a->op->kind != RILL_OP_GRAPH || !(a->op->graph.flags & RILL_CHILD_MOVE) || !is_around(a))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.graph",
                             "op->graph.graph would move into itself; leave out "
                             "RILL_CHILD_MOVE to add a copy");
}

static rill_status check_flags(const struct addition *a)
{
    if (a->op->kind != RILL_OP_GRAPH || !(a->op->graph.flags & ~RILL_CHILD_MOVE))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.flags",
                             "op->graph.flags is 0x%x; it may be 0 or RILL_CHILD_MOVE",
                             (unsigned)a->op->graph.flags);
}

static bool named_twice(const struct addition *a)
{
    for (size_t i = 1; i < a->count; i++)
        for (size_t k = 0; k < i; k++)
            if (a->dependencies[i] == a->dependencies[k]) return true;
    return false;
}

static rill_status explain(const struct addition *a, CUresult result)
{
    if (result == CUDA_ERROR_INVALID_VALUE && a->count < 10000 && named_twice(a))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dependencies",
                                 "dependencies names a node twice");
    for (size_t i = 0; result == CUDA_ERROR_INVALID_VALUE && a->edges && i < a->count; i++)
        if (cuda_has_data(&a->edges[i]) && a->op->kind != RILL_OP_KERNEL)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "edges",
                                     "edge %zu carries data that does not go with its two nodes",
                                     i);
    return cuda_explain_op(a->graph->platform, a->context, result, "cuGraphAddNode", a->op);
}

static rill_status add_raw(struct addition *a)
{
    const CUgraphNode *dependencies = cuda_const_raw_nodes(a->dependencies);
    CUgraph graph = a->graph->raw;
    CUresult result = cuda_api.GraphAddNode
                          ? cuda_api.GraphAddNode(&a->node, graph, dependencies, a->edges,
                                                  a->count, &a->params)
                          : cuda_typed_add(&a->node, graph, dependencies, a->count, &a->params);
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS : explain(a, result);
}

static rill_status add_kernel(struct addition *a)
{
    size_t set;
    rill_status status = add_raw(a);
    if (status || !a->op->kernel.attribute_count) return status;
    status = cuda_set_node_attributes(a->node, &a->op->kernel, NULL, &set);
    if (status) cuda_api.GraphDestroyNode(a->node);
    return status;
}

static rill_status add_host(struct addition *a, struct cuda_box *box)
{
    rill_status status = cuda_box_keep(box, a->graph->raw);
    if (status) return status;
    status = add_raw(a);
    if (status) cuda_let_go(a->graph, box);
    return status;
}

/* The driver crashes when a graph is added to itself, but not when a clone is. */
static rill_status add_itself(struct addition *a)
{
    CUgraph copy;
    CUresult result = cuda_api.GraphClone(&copy, a->params.child.graph);
    if (result) return explain(a, result);
    a->params.child.graph = copy;
    rill_status status = add_raw(a);
    cuda_api.GraphDestroy(copy);
    return status;
}

static rill_status add_child(struct addition *a)
{
    const rill_graph_op *op = &a->op->graph;
    struct cuda_graph *child = cuda_graph_of(op->graph);
    if (is_around(a)) return add_itself(a);
    rill_status status = add_raw(a);
    if (status) return status;
    if (op->flags & RILL_CHILD_MOVE) {
        child->moved = true;
        cuda_settle_inner(a->graph, child, a->node, child->raw);
    }
    return status;
}

static rill_status add_conditional(struct addition *a)
{
    rill_status status = cuda_bodies_make(a->graph, &a->op->conditional, &a->bodies);
    if (status) return status;
    status = add_raw(a);
    if (status)
        cuda_bodies_drop(&a->bodies);
    else
        cuda_bodies_settle(a->graph, a->node, a->params.conditional.bodies, &a->op->conditional,
                           &a->bodies);
    return status;
}

static rill_status add_kind(struct addition *a, struct cuda_box *box)
{
    rill_status status;
    switch ((int)a->op->kind) {
    case RILL_OP_KERNEL: return add_kernel(a);
    case RILL_OP_HOST: return add_host(a, box);
    case RILL_OP_GRAPH: return add_child(a);
    case RILL_OP_CONDITIONAL: return add_conditional(a);
    case RILL_OP_ALLOC:
        status = add_raw(a);
        if (!status) a->op->alloc.address = a->params.alloc.address;
        return status;
    }
    return add_raw(a);
}

static rill_status add_written(struct addition *a)
{
    struct cuda_room room;
    struct cuda_visit visit;
    rill_status status = cuda_find_work(a->graph, a->op, &a->context);
    if (!status)
        status = cuda_write_params(a->graph->platform, a->context, a->op, &a->params, &room);
    if (status) return status;
    status = cuda_enter_for_op(a->context, a->op, &visit);
    if (status) {
        cuda_box_drop(room.box);
        return status;
    }
    status = add_kind(a, room.box);
    cuda_leave(&visit);
    return status;
}

rill_status cuda_graph_add_node(rill_graph *handle, const rill_node *dependencies,
                                const rill_edge *edges, size_t count, rill_op *op,
                                rill_node *node)
{
    struct addition a = { .graph = cuda_graph_of(handle), .dependencies = dependencies,
                          .edges = edges, .count = count, .op = op };
    rill_status status = check_dependencies(&a);
    if (!status) status = check_flags(&a);
    if (!status) status = check_move(&a);
    if (status) {
        if (op->kind == RILL_OP_HOST) cuda_refuse_host(op);
        return status;
    }
    status = add_written(&a);
    if (status) return status;
    cuda_nodes_put(&a.graph->nodes, a.node); /* one that finds no room is found later */
    *node = cuda_node(a.node);
    return RILL_SUCCESS;
}
