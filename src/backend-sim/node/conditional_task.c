/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/conditional_task.h"

#include "backend-sim/graph/conditional.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/scheduler/demand.h"
#include "base/alloc.h"

static void drop_bodies(struct conditional_task *conditional)
{
    for (uint32_t i = 0; i < conditional->body_count; i++) {
        sim_graph_clear(sim_graph_of(conditional->bodies[i]));
        rill_backend_disown(conditional->bodies[i]);
    }
}

static void conditional_free(struct task *task)
{
    struct conditional_task *conditional = (struct conditional_task *)task;
    drop_bodies(conditional);
    rl_free(conditional);
}

static void conditional_demand(const struct task *task, struct demand *demand)
{
    (void)task;
    demand->kind = DEMAND_CONDITIONAL;
}

static void conditional_read(const struct task *task, rill_op *op)
{
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    op->conditional = (rill_conditional_op){
        .handle = conditional->handle,
        .kind = conditional->kind,
        .body_count = conditional->body_count,
        .bodies = (rill_graph **)(uintptr_t)conditional->bodies, /* not to be written */
    };
}

static uint32_t conditional_graphs(const struct task *task, rill_graph *const **graphs)
{
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    *graphs = conditional->bodies;
    return conditional->body_count;
}

/* Marks the handle as used or unused: a handle serves at most one node. */
static void conditional_in_use(struct task *task, bool used)
{
    ((struct conditional_task *)task)->entry->used = used;
}

/* ---- Making ------------------------------------------------------------------------------ */

static rill_status refuse_argument(const char *argument, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s", why);
}

enum { BODIES_MAX = 1 << 16 }; /* more than a program can mean */

static rill_status check_bodies(const rill_conditional_op *op)
{
    switch ((int)op->kind) {
    case RILL_CONDITIONAL_IF:
        if (op->body_count == 1 || op->body_count == 2) return RILL_SUCCESS;
        return refuse_argument("body_count", "an IF has one body, or two: the second is the else");
    case RILL_CONDITIONAL_WHILE:
        if (op->body_count == 1) return RILL_SUCCESS;
        return refuse_argument("body_count", "a WHILE has one body");
    case RILL_CONDITIONAL_SWITCH:
        if (op->body_count && op->body_count <= BODIES_MAX) return RILL_SUCCESS;
        return refuse_argument("body_count", op->body_count ? "a SWITCH has at most 65536 bodies"
                                                   : "a SWITCH has at least one body");
    default:
        return refuse_argument("kind", "this is no kind of conditional node");
    }
}

static rill_status check_handle(struct sim_graph *graph, const rill_conditional_op *op,
                                const struct conditional_handle *handle)
{
    rill_status status = check_bodies(op);
    if (status) return status;
    if (!handle)
        return refuse_argument("handle",
                               "the handle is none of this graph or one around it; make it with "
                               "rill_conditional_create()");
    if (handle->used)
        return refuse_argument("handle", "another node has the handle; make one for each");
    uint32_t depth = 1;
    for (; graph; graph = graph->parent) depth++;
    if (depth <= GRAPH_NESTING_MAX) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "graphs would nest more than %u deep", GRAPH_NESTING_MAX);
}

static rill_status add_body(struct sim_graph *graph, struct conditional_task *conditional)
{
    void *body;
    rill_status status = rill_backend_own(RILL_OBJECT_GRAPH, graph->handle,
                                          rill_object_of(graph->handle)->context, &body);
    if (status) return status;
    status = sim_graph_init(body, GRAPH_BODY, graph);
    if (status) {
        rill_backend_disown(body);
        return status;
    }
    conditional->bodies[conditional->body_count++] = body;
    return RILL_SUCCESS;
}

/* Makes the bodies, which are empty. */
static rill_status conditional_create(const struct node_site *site, const rill_op *any,
                                      const struct task *before, struct task **task)
{
    (void)before;
    const rill_conditional_op *op = &any->conditional;
    struct sim_graph *graph = site->graph;
    struct conditional_handle *handle = sim_conditional_find(graph, op->handle);
    rill_status status = check_handle(graph, op, handle);
    if (status) return status;
    struct conditional_task *conditional =
        rl_zalloc(sizeof *conditional + op->body_count * sizeof *conditional->bodies);
    if (!conditional) return sim_out_of_memory_for_node();
    sim_task_init(&conditional->task, &sim_kind_conditional, 0);
    conditional->handle = op->handle;
    conditional->entry = handle;
    conditional->kind = op->kind;
    conditional->body_count = 0;
    while (!status && conditional->body_count < op->body_count)
        status = add_body(graph, conditional);
    if (status) {
        conditional_free(&conditional->task);
        return status;
    }
    *task = &conditional->task;
    return RILL_SUCCESS;
}

static void conditional_placed(struct sim_graph *graph, uint32_t slot, struct task *task,
                               rill_op *op)
{
    (void)graph, (void)slot;
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    for (uint32_t i = 0; i < conditional->body_count; i++)
        op->conditional.bodies[i] = conditional->bodies[i];
}

/* ---- Drawing --------------------------------------------------------------------- */

static void put_body(struct dot *dot, const struct conditional_task *task, uint32_t index)
{
    unsigned serial = sim_graph_of(task->bodies[index])->serial;
    if (task->kind == RILL_CONDITIONAL_SWITCH)
        sim_dot_print(dot, "| {%u|  graph_%u}\n", (unsigned)index, serial);
    else if (index)
        sim_dot_print(dot, "| {False| graph_%u}\n", serial);
    else
        sim_dot_print(dot, task->kind == RILL_CONDITIONAL_WHILE ? "| {True|graph_%u}\n"
                                                                 : "| {True | graph_%u}\n",
                      serial);
}

static void conditional_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                                    const rill_op *op)
{
    (void)op;
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    static const char *const kinds[] = { "IF", "WHILE", "SWITCH" };
    sim_dot_record_begin(dot, "bold", "\nCONDITIONAL");
    sim_dot_put(dot, "| {ID | ");
    sim_dot_id(dot, slot);
    sim_dot_put(dot, "}\n");
    sim_dot_record_label(dot, slot);
    if (sim_dot_has_handles(dot)) {
        sim_dot_put(dot, "| {node handle| ");
        sim_dot_handle(dot, sim_node_handle(dot->graph, slot));
        sim_dot_put(dot, "}\n");
    }
    if (dot->flags & RILL_DOT_VERBOSE)
        sim_dot_print(dot, "| {Conditional Handle|%u}\n",
                      (unsigned)sim_conditional_number(conditional->handle));
    sim_dot_print(dot, "| {Conditional Type| %s}\n", kinds[conditional->kind % 3u]);
    for (uint32_t i = 0; i < conditional->body_count; i++) put_body(dot, conditional, i);
    sim_dot_put(dot, "}\n\"];\n\n");
}

const struct node_kind sim_kind_conditional = {
    .op = RILL_OP_CONDITIONAL,
    .traits = KIND_HOLDS_GRAPHS | KIND_FIXED | KIND_IN_BODIES | KIND_IS_CARRIED_OUT,
    .inside = INSIDE_ADD | INSIDE_SET,
    .demand = conditional_demand, .free = conditional_free, .read = conditional_read,
    .create = conditional_create, .placed = conditional_placed, .in_use = conditional_in_use,
    .graphs = conditional_graphs,
    .draw_record = conditional_draw_record,
};
