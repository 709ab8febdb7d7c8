/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/device_check.h"

#include "backend-sim/graph/conditional.h"
#include "backend-sim/node/conditional_task.h"

struct check {
    bool body;        /* checks bodies; else a graph that is launched from the device */
    uint64_t context; /* the id of the context of all nodes; 0 before the first with one */
    uint32_t met;     /* nodes that do something */
    rill_exec_result result;
    rill_node failing;
};

static rill_status fail_at(struct check *check, const struct sim_graph *graph, uint32_t slot,
                           rill_exec_result result, const char *why)
{
    char node[RILL_LABEL_MAX];
    sim_node_describe(graph, slot, node);
    check->result = result;
    check->failing = sim_node_handle(graph, slot);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph", "%s in %s %s", node,
                             check->body ? "the body of a conditional"
                                         : "a graph that is launched from the device", why);
}

/* ---- One node ------------------------------------------------------------------------ */

static bool may_begin(const struct check *check, const struct node_kind *kind)
{
    return kind->traits & (check->body ? KIND_ON_DEVICE | KIND_IN_BODIES : KIND_ON_DEVICE);
}

static rill_status check_node(struct check *check, const struct sim_graph *graph, uint32_t slot)
{
    const struct task *task = sim_node_task(graph, slot);
    const struct node_kind *kind = task->kind;
    if (!may_begin(check, kind))
        return fail_at(check, graph, slot, RILL_EXEC_NODE_NOT_SUPPORTED,
                       check->body ? "cannot be there, where kernels, copies, fills, empty nodes, "
                                  "child graphs and conditionals may be"
                                : "cannot be there, where kernels, copies, fills and child graphs "
                                  "may be");
    if (kind->op != RILL_OP_GRAPH) check->met++;
    const uint64_t context = kind->context ? kind->context(task) : 0;
    if (context && !check->context) check->context = context;
    if (context && context != check->context)
        return fail_at(check, graph, slot, RILL_EXEC_MULTIPLE_CONTEXTS,
                       "is of another context, where all must be of one: the context of a fill is "
                       "that of its memory");
    if (task->marks & TASK_IS_PAGEABLE)
        return fail_at(check, graph, slot,
                       check->context ? RILL_EXEC_MULTIPLE_CONTEXTS : RILL_EXEC_NODE_NOT_SUPPORTED,
                       "copies pageable memory, which is of no context; allocate it with "
                       "rill_host_alloc(), or give it to rill_host_register()");
    return RILL_SUCCESS;
}

/* ---- All of them ---------------------------------------------------------------------- */

static rill_status check_begun(struct check *check, const struct sim_graph *graph);

/* Checks the last body first: the driver names the node at fault in that order. */
static rill_status check_bodies(struct check *check, const struct conditional_task *conditional)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = conditional->body_count; !status && i--;)
        status = check_begun(check, sim_graph_of(conditional->bodies[i]));
    return status;
}

static rill_status check_begun(struct check *check, const struct sim_graph *graph)
{
    rill_status status = RILL_SUCCESS;
    for (uint32_t slot = graph->first; !status && slot != NODE_NONE;
         slot = sim_node(graph, slot)->next) {
        const struct task *task = sim_node_task(graph, slot);
        status = check_node(check, graph, slot);
        if (status) return status;
        if (task->kind->op == RILL_OP_GRAPH)
            status = check_begun(check, sim_task_child(task));
        else if (task->kind->op == RILL_OP_CONDITIONAL)
            status = check_bodies(check, (const struct conditional_task *)task);
    }
    return status;
}

static rill_status find_bodies(struct check *check, const struct sim_graph *graph)
{
    rill_status status = RILL_SUCCESS;
    if (!graph->conditional_nodes) return status;
    for (uint32_t slot = graph->first; !status && slot != NODE_NONE;
         slot = sim_node(graph, slot)->next) {
        const struct task *task = sim_node_task(graph, slot);
        if (task->kind->op == RILL_OP_GRAPH)
            status = find_bodies(check, sim_task_child(task));
        else if (task->kind->op == RILL_OP_CONDITIONAL) {
            const struct conditional_task *conditional = (const struct conditional_task *)task;
            check->context = conditional->entry->context;
            status = check_bodies(check, conditional);
        }
    }
    return status;
}

static rill_status check_launched(struct check *check, const struct sim_graph *graph)
{
    rill_status status = check_begun(check, graph);
    if (status || check->met) return status;
    check->result = RILL_EXEC_ERROR;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                             "an empty graph cannot be launched from the device");
}

static rill_status check_used(struct check *check, const struct sim_graph *graph)
{
    for (const struct conditional_handle *handle = graph->handles; handle; handle = handle->next) {
        if (handle->used) continue;
        check->result = RILL_EXEC_CONDITIONAL_UNUSED;
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                                 "the graph has a conditional handle (%u) that none of its nodes "
                                 "has", (unsigned)sim_conditional_number(handle->id));
    }
    return RILL_SUCCESS;
}

rill_status sim_device_check(const struct sim_graph *graph, rill_exec_options *options)
{
    struct check check = { .failing = NULL };
    rill_status status = RILL_SUCCESS;
    if (options->flags & RILL_EXEC_DEVICE_LAUNCH) status = check_launched(&check, graph);
    if (!status) status = check_used(&check, graph);
    check.body = true;
    if (!status) status = find_bodies(&check, graph);
    if (!status) return RILL_SUCCESS;
    options->result = check.result;
    options->failing_node = check.failing;
    return status;
}
