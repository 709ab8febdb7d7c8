/* SPDX-License-Identifier: Apache-2.0
 *
 * Child graph nodes.  The node owns the graph inside: a copy of the graph that was
 * given, or that graph itself, moved in.
 */
#include "backend-sim/graph/nested.h"
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"
#include "base/alloc.h"

/* ---- The task ------------------------------------------------------------------------ */

struct child_task {
    struct task task;
    rill_graph *graph; /* owned by the node: a copy, or a graph that moved in */
    uint32_t flags;
};

/* Leaves a graph that was to move in, but never did, with its owner. */
static void child_free(struct task *task)
{
    struct child_task *child = (struct child_task *)task;
    struct sim_graph *graph = sim_graph_of(child->graph);
    if (graph->role == GRAPH_CHILD) {
        sim_graph_clear(graph);
        rill_backend_disown(child->graph);
    }
    rl_free(child);
}

static void child_read(const struct task *task, rill_op *op)
{
    const struct child_task *child = (const struct child_task *)task;
    op->graph.graph = child->graph;
    op->graph.flags = child->flags;
}

static rill_status make_child_task(rill_graph *graph, uint32_t flags, struct task **out)
{
    struct child_task *child = rl_zalloc(sizeof *child);
    if (!child) return sim_out_of_memory_for_node();
    sim_task_init(&child->task, &sim_kind_child, 0);
    child->graph = graph;
    child->flags = flags;
    *out = &child->task;
    return RILL_SUCCESS;
}

static uint32_t child_graphs(const struct task *task, rill_graph *const **graphs)
{
    *graphs = &((const struct child_task *)task)->graph;
    return 1;
}

/* ---- Copies ---------------------------------------------------------------------------- */

/* Makes a task with a copy of `original`, even if that is part of another graph. */
static rill_status copy_child(struct sim_graph *parent, rill_graph *original, struct task **task)
{
    void *copy;
    rill_context *context = rill_object_of(original)->context;
    rill_status status = rill_backend_own(RILL_OBJECT_GRAPH, parent->handle, context, &copy);
    if (status) return status;
    status = sim_graph_init(copy, GRAPH_CHILD, parent);
    if (!status) status = sim_graph_copy(sim_graph_of(copy), sim_graph_of(original));
    if (!status) status = make_child_task(copy, 0, task);
    if (!status) return RILL_SUCCESS;
    sim_graph_clear(sim_graph_of(copy));
    rill_backend_disown(copy);
    return status;
}

static rill_status child_copy(struct sim_graph *copy, const struct task *task, struct task **made)
{
    return copy_child(copy, ((const struct child_task *)task)->graph, made);
}

/* ---- Making ---------------------------------------------------------------------------- */

static rill_status refuse_child(rill_status status, const char *why)
{
    return rill_backend_fail(status, "op->graph.graph", "op->graph.graph %s", why);
}

static rill_status check_depth(const struct sim_graph *graph, const struct sim_graph *child)
{
    uint32_t depth = 1;
    for (; graph; graph = graph->parent) depth++;
    if (depth + child->height <= GRAPH_NESTING_MAX) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph",
                             "graphs would nest more than %u deep", GRAPH_NESTING_MAX);
}

static rill_status check_move(const struct sim_graph *graph, const struct sim_graph *child)
{
    for (; graph; graph = graph->parent)
        if (graph == child)
            return refuse_child(RILL_ERROR_INVALID_VALUE,
                                "would move into itself; leave out RILL_CHILD_MOVE to add a copy");
    if (child->conditional_nodes || child->handles)
        return refuse_child(RILL_ERROR_NOT_SUPPORTED,
                            "has conditionals, which cannot move; build them in the graph that is "
                            "to hold them");
    if (child->platform->interceptor->fills(child))
        return refuse_child(RILL_ERROR_ILLEGAL_STATE,
                            "cannot move while a stream captures into it; end the capture first");
    return RILL_SUCCESS;
}

static rill_status check_standalone(const struct sim_graph *child)
{
    if (sim_graph_check(child)) return RILL_ERROR_INVALID_VALUE;
    if (child->role == GRAPH_OWN) return RILL_SUCCESS;
    return refuse_child(RILL_ERROR_NOT_SUPPORTED,
                        "is part of another graph already; pass a clone of it");
}

static rill_status child_check(const struct sim_graph *graph, const rill_op *op)
{
    const struct sim_graph *child = sim_graph_of(op->graph.graph);
    const uint32_t flags = op->graph.flags;
    rill_status status = check_standalone(child);
    if (status) return status;
    if (flags & ~RILL_CHILD_MOVE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.flags",
                                 "op->graph.flags is 0x%x; it may be 0 or RILL_CHILD_MOVE",
                                 (unsigned)flags);
    status = flags & RILL_CHILD_MOVE ? check_move(graph, child)
                                     : sim_graph_may_copy(child, "op->graph.graph");
    return status ? status : check_depth(graph, child);
}

/* Gives a node that holds a graph a copy of another one, even if `op` asks to move it, as the
 * driver does. */
static rill_status change_child(struct sim_graph *graph, const struct task *before,
                                const rill_graph_op *op, struct task **task)
{
    const struct sim_graph *child = sim_graph_of(op->graph);
    const struct sim_graph *inside = sim_graph_of(((const struct child_task *)before)->graph);
    rill_status status = check_standalone(child);
    if (!status) status = sim_graph_may_copy(child, "op->graph.graph");
    if (!status) status = check_depth(graph, child);
    if (!status) status = sim_memory_nodes_forbid(inside, "be replaced in its node");
    if (!status) status = sim_memory_nodes_forbid(graph, "get another child in a node");
    return status ? status : copy_child(graph, op->graph, task);
}

static rill_status child_create(const struct node_site *site, const rill_op *op,
                                const struct task *before, struct task **task)
{
    if (before) return change_child(site->graph, before, &op->graph, task);
    if (op->graph.flags & RILL_CHILD_MOVE)
        return make_child_task(op->graph.graph, op->graph.flags, task);
    return copy_child(site->graph, op->graph.graph, task);
}

/* Hands a graph that moves to the node.  Until then, releasing the task leaves the graph with
 * its owner. */
static void child_placed(struct sim_graph *graph, uint32_t slot, struct task *task, rill_op *op)
{
    (void)slot, (void)op;
    struct sim_graph *child = sim_graph_of(((struct child_task *)task)->graph);
    if (child->role == GRAPH_CHILD) return;
    child->role = GRAPH_CHILD;
    child->parent = graph;
}

static void child_draw(struct dot *dot, uint32_t slot, const struct task *task,
                       const rill_op *op)
{
    (void)task;
    sim_dot_box_begin(dot, slot, "solid", "rectangle");
    sim_dot_print(dot, "graph_%u\n", (unsigned)sim_graph_of(op->graph.graph)->serial);
    sim_dot_box_common(dot, slot);
    sim_dot_box_end(dot);
}

const struct node_kind sim_kind_child = {
    .op = RILL_OP_GRAPH, .traits = KIND_HOLDS_GRAPHS | KIND_ON_DEVICE | KIND_IS_CARRIED_OUT,
    .inside = INSIDE_SET,
    .free = child_free, .read = child_read,
    .check = child_check, .create = child_create, .placed = child_placed, .copy = child_copy,
    .graphs = child_graphs,
    .draw = child_draw,
};
