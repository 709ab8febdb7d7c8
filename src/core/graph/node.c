/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes and edges.  A node is a value of the backend's; the core knows only that no
 * node is NULL.
 */
#include "core/graph/graph.h"
#include "core/op/submit.h"

static const struct rill_graph_ops *graph_ops(const rill_graph *graph)
{
    return rl_backend(graph)->graph;
}

static rill_status check_node(const rill_graph *graph, rill_node node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status && !node)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                   "node is NULL; pass a node of the graph");
    return status;
}

/* ---- Nodes -------------------------------------------------------------- */

static int moves_child(const rill_op *op)
{
    return op->kind == RILL_OP_GRAPH && (op->graph.flags & RILL_CHILD_MOVE);
}

/* Checks that a graph that moves into another is the caller's to give. */
static rill_status check_move(const rill_op *op)
{
    if (!moves_child(op) || !rill_object_of(op->graph.graph)->owner) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph",
                             "op->graph.graph is part of another graph already; add a clone of it");
}

static rill_status add_node(rill_graph *graph, const rill_node *dependencies,
                            const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    rill_graph *child = moves_child(op) ? op->graph.graph : NULL;
    rill_status status = graph_ops(graph)->add_node(graph, dependencies, edges, count, op, node);
    if (!status && child) rl_lend(child, graph);
    return status;
}

rill_status rl_add_node(const char *operation, rill_graph *graph, const rill_node *dependencies,
                        const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status)
        status = rl_required_array(dependencies, count, "dependencies", "dependency_count");
    if (!status) status = rl_required(node, "node");
    if (!status) status = rl_check_op(op, graph);
    if (!status) status = check_move(op);
    if (!status)
        return rl_finish(operation, graph, add_node(graph, dependencies, edges, count, op, node));
    status = rl_finish(operation, graph, status);
    rl_op_give_back(op);
    return status;
}

rill_status rill_graph_add_node(rill_graph *graph, const rill_node *dependencies,
                                size_t dependency_count, rill_op *op, rill_node *node)
{
    return rl_add_node(__func__, graph, dependencies, NULL, dependency_count, op, node);
}

rill_status rill_graph_add_node_with_edges(rill_graph *graph, const rill_node *dependencies,
                                           const rill_edge *edges, size_t dependency_count,
                                           rill_op *op, rill_node *node)
{
    return rl_add_node(__func__, graph, dependencies, edges, dependency_count, op, node);
}

rill_status rill_graph_remove_node(rill_graph *graph, rill_node node)
{
    rill_status status = check_node(graph, node);
    if (!status) status = graph_ops(graph)->remove_node(graph, node);
    return rl_finish(__func__, graph, status);
}

/* ---- Edges -------------------------------------------------------------- */

static rill_status check_ends(const rill_graph *graph, const rill_node *from, const rill_node *to,
                              size_t count)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required_array(from, count, "from", "count");
    if (!status) status = rl_required_array(to, count, "to", "count");
    return status;
}

rill_status rill_graph_add_edges(rill_graph *graph, const rill_node *from, const rill_node *to,
                                 const rill_edge *edges, size_t count)
{
    rill_status status = check_ends(graph, from, to, count);
    if (!status) status = graph_ops(graph)->add_edges(graph, from, to, edges, count);
    return rl_finish(__func__, graph, status);
}

rill_status rill_graph_remove_edges(rill_graph *graph, const rill_node *from, const rill_node *to,
                                    const rill_edge *edges, size_t count)
{
    rill_status status = check_ends(graph, from, to, count);
    if (!status) status = graph_ops(graph)->remove_edges(graph, from, to, edges, count);
    return rl_finish(__func__, graph, status);
}

/* ---- Lists -------------------------------------------------------------- */

rill_status rill_graph_nodes(rill_graph *graph, rill_node *nodes, size_t *count)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(count, "count");
    if (!status) status = graph_ops(graph)->nodes(graph, nodes, count);
    return rl_finish(__func__, graph, status);
}

rill_status rill_graph_roots(rill_graph *graph, rill_node *nodes, size_t *count)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(count, "count");
    if (!status) status = graph_ops(graph)->roots(graph, nodes, count);
    return rl_finish(__func__, graph, status);
}

rill_status rill_graph_edges(rill_graph *graph, rill_node *from, rill_node *to, rill_edge *edges,
                             size_t *count)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(count, "count");
    /* Both ends, or neither to learn the count; edge data only with the ends. */
    if (!status) status = rl_required_array(from, to || edges, "from", "count");
    if (!status) status = rl_required_array(to, from != NULL, "to", "count");
    if (!status) status = graph_ops(graph)->edges(graph, from, to, edges, count);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_dependencies(rill_graph *graph, rill_node node, rill_node *nodes,
                                   rill_edge *edges, size_t *count)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_required(count, "count");
    if (!status) status = rl_required_array(nodes, edges != NULL, "nodes", "count");
    if (!status) status = graph_ops(graph)->dependencies(graph, node, nodes, edges, count);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_dependents(rill_graph *graph, rill_node node, rill_node *nodes,
                                 rill_edge *edges, size_t *count)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_required(count, "count");
    if (!status) status = rl_required_array(nodes, edges != NULL, "nodes", "count");
    if (!status) status = graph_ops(graph)->dependents(graph, node, nodes, edges, count);
    return rl_finish(__func__, graph, status);
}

/* ---- What a node does --------------------------------------------------- */

rill_status rill_node_kind(rill_graph *graph, rill_node node, rill_op_kind *kind)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_required(kind, "kind");
    if (!status) status = graph_ops(graph)->node_kind(graph, node, kind);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_get_op(rill_graph *graph, rill_node node, rill_op *op)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_required(op, "op");
    if (!status) status = graph_ops(graph)->get_op(graph, node, op);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_set_op(rill_graph *graph, rill_node node, const rill_op *op)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_check_op(op, graph);
    if (!status) return rl_finish(__func__, graph, graph_ops(graph)->set_op(graph, node, op));
    status = rl_finish(__func__, graph, status);
    rl_op_give_back(op);
    return status;
}

rill_status rill_node_get_attribute(rill_graph *graph, rill_node node, rill_attribute *attribute)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_required(attribute, "attribute");
    if (!status) status = rl_need(graph, graph_ops(graph)->get_attribute != NULL, __func__);
    if (!status) status = graph_ops(graph)->get_attribute(graph, node, attribute);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_set_attribute(rill_graph *graph, rill_node node,
                                    const rill_attribute *attribute)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_required(attribute, "attribute");
    if (!status) status = rl_check_attribute(attribute, "attribute", graph);
    if (!status) status = rl_need(graph, graph_ops(graph)->set_attribute != NULL, __func__);
    if (!status) status = graph_ops(graph)->set_attribute(graph, node, attribute);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_copy_attributes(rill_graph *graph, rill_node dst, rill_node src)
{
    rill_status status = rl_check(graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = rl_required(dst, "dst");
    if (!status) status = rl_required(src, "src");
    if (!status) status = rl_need(graph, graph_ops(graph)->copy_attributes != NULL, __func__);
    if (!status) status = graph_ops(graph)->copy_attributes(graph, dst, src);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_set_label(rill_graph *graph, rill_node node, const char *label)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_need(graph, graph_ops(graph)->set_node_label != NULL, __func__);
    if (!status) status = graph_ops(graph)->set_node_label(graph, node, label);
    return rl_finish(__func__, graph, status);
}

rill_status rill_node_child_graph(rill_graph *graph, rill_node node, rill_graph **child)
{
    rill_status status = check_node(graph, node);
    if (!status) status = rl_required(child, "child");
    if (!status) status = graph_ops(graph)->child(graph, node, child);
    return rl_finish(__func__, graph, status);
}
