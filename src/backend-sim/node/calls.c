/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/calls.h"

#include <stdio.h>

#include "backend-sim/graph/conditional.h"
#include "backend-sim/graph/nested.h"
#include "backend-sim/graph/user_object.h"
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kernel_task.h"
#include "backend-sim/node/kinds.h"
#include "base/alloc.h"

/* Refuses a use of nodes of a kind that the driver refuses inside host functions. */
static rill_status check_use(const struct sim_graph *graph, const struct node_kind *kind,
                             enum inside_use use)
{
    return kind->inside & use ? RILL_SUCCESS : sim_check_outside(graph->platform);
}

/* ---- Labels ----------------------------------------------------------------------- */

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
    struct task *task = sim_node_task(graph, slot);
    if (task->kind->labelled) task->kind->labelled(task, text);
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

/* Does without a call where it can, and without the check of an ordinary edge: this is most of
 * what adding a node costs. */
static inline rill_status read_dependency(struct sim_graph *graph, rill_node node,
                                          const rill_edge *edge, rill_op_kind kind,
                                          struct link *link)
{
    uint32_t slot = sim_node_lookup(graph, node);
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

/* The driver refuses some nodes after it has added them.  Leaves a dependency of such a node as the
 * driver does: if it has no other successor it is a leaf once more, the latest. */
static void make_leaf_again(struct sim_graph *graph, uint32_t slot)
{
    struct node *node = sim_node(graph, slot);
    if (!node->successors.count) sim_node_set_leaf_order(graph, node);
}

/* Leaves the graph as the driver does when a node names a dependency twice: if that is all that is
 * wrong, the driver has added the node before it refuses it. */
static void undo_refused(struct sim_graph *graph, const rill_node *dependencies,
                         const rill_edge *edges, size_t count, const struct node_kind *kind)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = sim_node_lookup(graph, dependencies[i]);
        if (slot == NODE_NONE || (edges && sim_edge_check(graph, slot, kind->op, &edges[i])))
            return;
    }
    if (kind->traits & KIND_IS_MEMORY) graph->tried_memory = true;
    sim_graph_stamp(graph);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = sim_node_lookup(graph, dependencies[i]);
        if (sim_node(graph, slot)->mark == graph->stamp) return;
        sim_node(graph, slot)->mark = graph->stamp;
        make_leaf_again(graph, slot);
    }
}

static struct node_site site_in(struct sim_graph *graph, const struct link *dependencies,
                                size_t count)
{
    return (struct node_site){ graph->platform, graph->home, graph, dependencies, count };
}

static rill_status create_task(const struct node_site *site, const struct node_kind *kind,
                               const rill_op *op, struct task **task)
{
    rill_status status = kind->check_named ? kind->check_named(site->graph, op) : RILL_SUCCESS;
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    status = sim_task_create(site, op, NULL, task);
    if (!status || !(kind->traits & KIND_CHECKED_LATE)) return status;
    for (size_t i = 0; i < site->dependency_count; i++)
        make_leaf_again(site->graph, site->dependencies[i].slot);
    return status;
}

static rill_status add_checked_node(const struct node_site *site, const struct node_kind *kind,
                                    rill_op *op, rill_node *node)
{
    struct sim_graph *graph = site->graph;
    struct task *task;
    rill_status status = create_task(site, kind, op, &task);
    if (status) return status;
    uint32_t slot = sim_graph_insert_node(graph, site->dependencies, site->dependency_count, task);
    if (slot == NODE_NONE) return RILL_ERROR_OUT_OF_MEMORY;
    if (kind->placed) kind->placed(graph, slot, task, op);
    *node = sim_node_handle(graph, slot);
    return RILL_SUCCESS;
}

/* Checks what the driver looks at before it looks at the dependencies. */
static rill_status check_before_dependencies(const struct sim_graph *graph,
                                             const struct node_kind *kind, const rill_op *op)
{
    if (!kind) return sim_kind_refuse(op->kind);
    rill_status status = check_use(graph, kind, INSIDE_ADD);
    return status || !kind->check ? status : kind->check(graph, op);
}

static rill_status add_node(rill_graph *handle, const rill_node *dependencies,
                            const rill_edge *edges, size_t count, rill_op *op, rill_node *node)
{
    struct sim_graph *graph = sim_graph_of(handle);
    const struct node_kind *kind = sim_kind_find(op->kind);
    struct link few[FEW], *before = few;
    rill_status status = sim_graph_check(graph);
    if (!status) status = check_before_dependencies(graph, kind, op);
    if (count > FEW) before = count < NODE_SLOTS_MAX ? rl_alloc(count * sizeof *before) : NULL;
    if (!before && !status) status = RILL_ERROR_OUT_OF_MEMORY;
    if (count && !status) sim_graph_stamp(graph);
    const bool checked = !status; /* from here on only the dependencies can be wrong */
    for (size_t i = 0; !status && i < count; i++)
        status = read_dependency(graph, dependencies[i], edges ? &edges[i] : NULL, op->kind,
                                 &before[i]);
    if (!status) {
        const struct node_site site = site_in(graph, before, count);
        status = add_checked_node(&site, kind, op, node);
    } else {
        if (checked && count > 1) undo_refused(graph, dependencies, edges, count, kind);
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
    rill_status status = sim_check_outside(graph->platform);
    if (!status) status = sim_memory_nodes_forbid(graph, "lose nodes; build another one");
    if (status) return status;
    if (graph->platform->interceptor->fills(graph))
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "graph",
                                 "a stream captures into this graph; remove nodes when the "
                                 "capture has ended");
    sim_graph_remove_node(graph, slot);
    return RILL_SUCCESS;
}

/* ---- What a node does --------------------------------------------------------------- */

static rill_status get_node_kind(rill_graph *handle, rill_node node, rill_op_kind *kind)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    rill_status status = sim_check_outside(graph->platform);
    if (!status) *kind = sim_node_task(graph, slot)->kind->op;
    return status;
}

static rill_status get_op(rill_graph *handle, rill_node node, rill_op *op)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    const struct task *task = sim_node_task(graph, slot);
    rill_status status = check_use(graph, task->kind, INSIDE_GET);
    if (!status) sim_task_read(task, op);
    return status;
}

static rill_status get_child(rill_graph *handle, rill_node node, rill_graph **child)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    uint32_t slot = sim_node_find(graph, node, "node");
    if (slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    rill_status status = sim_check_outside(graph->platform);
    if (status) return status;
    const struct task *task = sim_node_task(graph, slot);
    if (task->kind->op != RILL_OP_GRAPH)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                 "node is of the kind %s, which has no child graph",
                                 rl_op_name(task->kind->op));
    *child = sim_task_child(task)->handle;
    return RILL_SUCCESS;
}

/* ---- The table ------------------------------------------------------------------------ */

static rill_status create_graph(rill_graph *handle, const rill_graph_options *options)
{
    (void)options;
    rill_status status = sim_check_outside(sim_platform_of(rill_object_of(handle)->platform));
    return status ? status : sim_graph_init(handle, GRAPH_OWN, NULL);
}

static rill_status may_destroy_graph(rill_graph *handle)
{
    const struct sim_graph *graph = sim_graph_of(handle);
    rill_status status = sim_check_outside(graph->platform);
    return status ? status : graph->platform->interceptor->permits_end(graph);
}

static rill_status destroy_graph(rill_graph *handle)
{
    struct sim_graph *graph = sim_graph_of(handle);
    graph->platform->interceptor->forget_graph(graph);
    sim_graph_clear(graph);
    return RILL_SUCCESS;
}

static rill_status set_op(rill_graph *handle, rill_node node, const rill_op *op)
{
    struct sim_graph *graph = sim_graph_of(handle);
    const struct node_kind *kind = sim_kind_find(op->kind);
    uint32_t slot = sim_node_find(graph, node, "node");
    rill_status status = slot == NODE_NONE ? RILL_ERROR_INVALID_VALUE
                         : kind            ? check_use(graph, kind, INSIDE_SET)
                                           : sim_kind_refuse(op->kind);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    const struct node_site site = site_in(graph, NULL, 0);
    struct task *task;
    status = sim_task_change(&site, op, sim_node_task(graph, slot), &task);
    if (!status) sim_node_replace(graph, slot, task);
    return status;
}

static rill_status create_conditional(rill_graph *handle, uint32_t initial, uint32_t flags,
                                      rill_conditional *id)
{
    struct sim_graph *graph = sim_graph_of(handle);
    return sim_conditional_create(graph, sim_graph_home_id(graph), initial, flags, id);
}

const struct rill_graph_ops sim_graph_ops = {
    .private_bytes = sizeof(struct sim_graph),
    .user_object_private_bytes = sizeof(struct user_object),
    .create = create_graph,
    .may_destroy = may_destroy_graph,
    .destroy = destroy_graph,
    .add_node = add_node,
    .remove_node = remove_node,
    .add_edges = sim_graph_add_edges,
    .remove_edges = sim_graph_remove_edges,
    .nodes = sim_graph_nodes,
    .roots = sim_graph_roots,
    .edges = sim_graph_edges,
    .dependencies = sim_node_dependencies,
    .dependents = sim_node_dependents,
    .node_kind = get_node_kind,
    .get_op = get_op,
    .set_op = set_op,
    .get_attribute = sim_node_get_attribute,
    .set_attribute = sim_node_set_attribute,
    .copy_attributes = sim_node_copy_attributes,
    .set_node_label = set_label,
    .child = get_child,
    .conditional = create_conditional,
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
