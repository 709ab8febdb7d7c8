/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on nodes, and the table of everything that graphs do.
 */
#include <stdio.h>

#include "backend-sim/capture.h"
#include "backend-sim/conditional.h"
#include "backend-sim/kernel_task.h"
#include "backend-sim/memory_nodes.h"
#include "backend-sim/user_object.h"
#include "base/alloc.h"

rill_status sim_graph_refuse(enum graph_fate fate)
{
    if (fate == GRAPH_LEFT)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                                 "the node that this graph was in was removed or holds another "
                                 "one by now; ask for that with rill_node_child_graph()");
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "a capture into this graph failed, which took the graph with it; "
                             "destroy it and build another one");
}

/* ---- Inside host functions ---------------------------------------------------------
 *
 * Measured, kind by kind: nodes that need the context cannot be added there, set or
 * asked what they do. */

enum use { ADD = 1, SET = 2, GET = 4 };

static unsigned uses_inside(rill_op_kind kind)
{
    switch ((int)kind) {
    case RILL_OP_KERNEL: return GET;
    case RILL_OP_GRAPH: return SET;
    case RILL_OP_CONDITIONAL: return ADD | SET;
    case RILL_OP_VALUES:
    case RILL_OP_HOST:
    case RILL_OP_EMPTY:
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD: return ADD | SET | GET;
    default: return 0;
    }
}

static rill_status permits(const struct sim_graph *graph, rill_op_kind kind, enum use use)
{
    return uses_inside(kind) & use ? RILL_SUCCESS : sim_outside(graph->platform);
}

/* ---- Handles --------------------------------------------------------------------- */

static uint32_t refuse_node(const char *argument, const char *why)
{
    rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s %s", argument, why);
    return NODE_NONE;
}

uint32_t sim_node_find(const struct sim_graph *graph, rill_node node, const char *argument)
{
    if (sim_graph_check(graph)) return NODE_NONE;
    uint32_t slot = sim_node_look(graph, node);
    if (slot != NODE_NONE) return slot;
    if (sim_node_serial(node) == graph->serial)
        return refuse_node(argument, "was a node of this graph, but was removed");
    return refuse_node(argument, node ? "is no node of this graph; nodes of clones are found "
                                        "with rill_graph_find_in_clone()"
                                      : "holds a node that is NULL");
}

void sim_node_describe(const struct sim_graph *graph, uint32_t slot, char text[RILL_LABEL_MAX])
{
    const struct node *node = sim_node(graph, slot);
    const char *kind = rl_op_name(node->kind);
    if (node->label)
        snprintf(text, RILL_LABEL_MAX, "%s node '%.*s'", kind, RILL_LABEL_MAX - 24, node->label);
    else
        snprintf(text, RILL_LABEL_MAX, "%s node %u", kind, (unsigned)slot);
}

static rill_status set_label(rill_graph *handle, rill_node node, const char *label)
{
    struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    char *text = label ? rl_strdup(label) : NULL;
    if (label && !text) return RILL_ERROR_OUT_OF_MEMORY;
    rl_free(sim_node(graph, slot)->label);
    sim_node(graph, slot)->label = text;
    graph->labelled = true;
    sim_memory_node_named(sim_node_task(graph, slot), text);
    return RILL_SUCCESS;
}

/* ---- Adding ----------------------------------------------------------------------- */

#define FEW 16

static rill_status refuse_twice(const struct sim_graph *graph, uint32_t slot)
{
    char text[RILL_LABEL_MAX];
    sim_node_describe(graph, slot, text);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dependencies",
                             "dependencies names %s twice", text);
}

/* A look instead of a search, and no check of an edge that is an ordinary one: this is
 * most of what adding a node takes. */
static inline rill_status read_dependency(struct sim_graph *graph, rill_node node,
                                          const rill_edge *edge, rill_op_kind kind,
                                          struct link *link)
{
    uint32_t slot = sim_node_look(graph, node);
    if (slot == NODE_NONE) slot = sim_node_find(graph, node, "dependencies");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    rill_status status = edge ? sim_edge_check(graph, slot, kind, edge) : RILL_SUCCESS;
    if (status) return status;
    struct node *before = sim_node(graph, slot);
    if (before->mark == graph->stamp) return refuse_twice(graph, slot);
    before->mark = graph->stamp;
    *link = (struct link){ .slot = slot, .data = sim_edge_pack(edge) };
    return RILL_SUCCESS;
}

static rill_status make_task(struct sim_graph *graph, const struct link *before, size_t count,
                             rill_op *op, struct task **task)
{
    if (op->kind == RILL_OP_CONDITIONAL)
        return sim_conditional_task_create(graph, &op->conditional, task);
    if (op->kind == RILL_OP_GRAPH) return sim_child_create(graph, &op->graph, task);
    if (op->kind == RILL_OP_ALLOC) return sim_task_alloc(graph, before, count, &op->alloc, task);
    if (op->kind == RILL_OP_FREE) return sim_task_free(graph, &op->free, task);
    rill_status status = sim_graph_memory_check_named(graph, op);
    return status ? status : sim_task_create(graph->platform, graph->home, op, task);
}

/* Nodes that the driver refuses when they are there, it takes out again: what nothing else
 * depends on is an end once more, the latest. */
static void end_again(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    if (!node->behind.count) sim_node_turned(graph, node);
}

/* So it does with a free node whose address is wrong ... */
static void lose_free(struct sim_graph *graph, const struct link *before, size_t count)
{
    for (size_t i = 0; i < count; i++) end_again(graph, before[i].slot);
}

/* ... and with any node that has a dependency twice, if that is all that is wrong: it had
 * come as far as that. */
static void lose_refused(struct sim_graph *graph, const rill_node *dependencies,
                         const rill_edge *edges, size_t count, rill_op_kind kind)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = sim_node_look(graph, dependencies[i]);
        if (slot == NODE_NONE || (edges && sim_edge_check(graph, slot, kind, &edges[i]))) return;
    }
    if (kind == RILL_OP_ALLOC || kind == RILL_OP_FREE) graph->tried_memory = true;
    sim_graph_stamp(graph);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = sim_node_look(graph, dependencies[i]);
        if (sim_node(graph, slot)->mark == graph->stamp) return;
        sim_node(graph, slot)->mark = graph->stamp;
        end_again(graph, slot);
    }
}

static rill_status add_behind(struct sim_graph *graph, const struct link *before, size_t count,
                              rill_op *op, rill_node *node)
{
    struct task *task;
    rill_status status = make_task(graph, before, count, op, &task);
    if (status && op->kind == RILL_OP_FREE) lose_free(graph, before, count);
    if (status) return status;
    uint32_t slot = sim_graph_put(graph, before, count, task);
    if (slot == NODE_NONE) return RILL_ERROR_OUT_OF_MEMORY;
    if (op->kind == RILL_OP_CONDITIONAL) sim_conditional_settle(task, &op->conditional);
    if (op->kind == RILL_OP_GRAPH) sim_child_settle(graph, task);
    if (op->kind == RILL_OP_ALLOC) op->alloc.address = sim_memory_node_placed(task, slot);
    *node = sim_node_handle(graph, slot);
    return RILL_SUCCESS;
}

/* What the driver looks at before it looks at the dependencies. */
static rill_status check_before_edges(const struct sim_graph *graph, const rill_op *op)
{
    switch ((int)op->kind) {
    case RILL_OP_GRAPH: return sim_child_check(graph, &op->graph);
    case RILL_OP_ALLOC:
    case RILL_OP_FREE: return sim_memory_node_fits(graph);
    default: return RILL_SUCCESS;
    }
}

static rill_status add_node(rill_graph *handle, const rill_node *dependencies,
                            const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    struct sim_graph *graph = sim_graph_of(handle);
    struct link few[FEW], *before = few;
    rill_status status = sim_graph_check(graph);
    if (!status) status = permits(graph, op->kind, ADD);
    if (count > FEW) before = count < NODE_SLOTS_MAX ? rl_alloc(count * sizeof *before) : NULL;
    if (!before && !status) status = RILL_ERROR_OUT_OF_MEMORY;
    if (!status) status = check_before_edges(graph, op);
    if (count && !status) sim_graph_stamp(graph);
    const bool read = !status; /* what is wrong from here on is wrong with these */
    for (size_t i = 0; !status && i < count; i++)
        status = read_dependency(graph, dependencies[i], edges ? &edges[i] : NULL, op->kind,
                                 &before[i]);
    if (!status) {
        status = add_behind(graph, before, count, op, node);
    } else {
        if (read && count > 1) lose_refused(graph, dependencies, edges, count, op->kind);
        rl_op_give_back(op);
    }
    if (before != few) rl_free(before);
    return status;
}

/* ---- Removing ---------------------------------------------------------------------- */

static rill_status remove_node(rill_graph *handle, rill_node node)
{
    struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    rill_status status = sim_outside(graph->platform);
    if (!status) status = sim_memory_nodes_forbid(graph, "lose nodes; build another one");
    if (status) return status;
    if (sim_capture_fills(graph))
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "graph",
                                 "a stream captures into this graph; remove nodes when the "
                                 "capture has ended");
    sim_graph_take(graph, slot);
    return RILL_SUCCESS;
}

/* ---- What a node does --------------------------------------------------------------- */

static rill_status node_kind(rill_graph *handle, rill_node node, rill_op_kind *kind)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    rill_status status = sim_outside(graph->platform);
    if (!status) *kind = sim_node_task(graph, slot)->type->kind;
    return status;
}

static rill_status get_op(rill_graph *handle, rill_node node, rill_op *op)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    const struct task *task = sim_node_task(graph, slot);
    rill_status status = permits(graph, task->type->kind, GET);
    if (!status) sim_task_read(task, op);
    return status;
}

static rill_status child(rill_graph *handle, rill_node node, rill_graph **child)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    rill_status status = sim_outside(graph->platform);
    if (status) return status;
    const struct task *task = sim_node_task(graph, slot);
    if (task->type->kind != RILL_OP_GRAPH)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                 "node is a %s node, which has no child graph",
                                 rl_op_name(task->type->kind));
    *child = ((const struct child_task *)task)->graph;
    return RILL_SUCCESS;
}

/* ---- The table ------------------------------------------------------------------------ */

static rill_status create(rill_graph *handle, const rill_graph_options *options)
{
    (void)options;
    rill_status status = sim_outside(sim_platform_of(rill_object_of(handle)->platform));
    if (!status) sim_graph_init(handle, GRAPH_OWN, NULL);
    return status;
}

static rill_status may_destroy(rill_graph *handle)
{
    rill_status status = sim_outside(sim_graph_of(handle)->platform);
    return status ? status : sim_capture_permits_end(sim_graph_of(handle));
}

static rill_status destroy(rill_graph *handle)
{
    sim_capture_forget_graph(sim_graph_of(handle));
    sim_graph_clear(sim_graph_of(handle));
    return RILL_SUCCESS;
}

static rill_status set_op(rill_graph *handle, rill_node node, const rill_op *op)
{
    struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    rill_status status = slot == NODE_NONE ? RILL_ERROR_INVALID_VALUE
                                           : permits(graph, op->kind, SET);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    struct task *task, *before = sim_node_task(graph, slot);
    status = before->type->kind == RILL_OP_GRAPH && op->kind == RILL_OP_GRAPH
                 ? sim_child_change(graph, before, &op->graph, &task)
                 : sim_task_change(graph->platform, graph->home, before, op, &task);
    if (!status) sim_node_replace(graph, slot, task);
    return status;
}

const struct rill_graph_ops sim_graph_ops = {
    .private_bytes = sizeof(struct sim_graph),
    .user_object_private_bytes = sizeof(struct user_object),
    .create = create,
    .may_destroy = may_destroy,
    .destroy = destroy,
    .add_node = add_node,
    .remove_node = remove_node,
    .add_edges = sim_graph_add_edges,
    .remove_edges = sim_graph_remove_edges,
    .nodes = sim_graph_nodes,
    .roots = sim_graph_roots,
    .edges = sim_graph_edges,
    .dependencies = sim_node_dependencies,
    .dependents = sim_node_dependents,
    .node_kind = node_kind,
    .get_op = get_op,
    .set_op = set_op,
    .get_attribute = sim_node_get_attribute,
    .set_attribute = sim_node_set_attribute,
    .copy_attributes = sim_node_copy_attributes,
    .set_node_label = set_label,
    .child = child,
    .conditional = sim_conditional_create,
    .clone = sim_graph_clone,
    .find_in_clone = sim_graph_find_in_clone,
    .write_dot = sim_graph_write_dot,
    .user_object_create = sim_user_object_create,
    .user_object_retain = sim_user_object_retain,
    .user_object_release = sim_user_object_release,
    .retain = sim_graph_retain,
    .release = sim_graph_release,
    .get_memory = sim_graph_get_memory,
    .set_memory = sim_graph_set_memory,
    .trim_memory = sim_graph_trim_memory,
};
