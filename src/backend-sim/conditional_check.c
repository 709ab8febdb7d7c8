/* SPDX-License-Identifier: Apache-2.0
 *
 * What conditionals must keep to when their graph is made an exec.  Adding nodes
 * to a body asks nothing, as on hardware.
 */
#include "backend-sim/conditional.h"
#include "backend-sim/kernel_task.h"

struct check {
    rill_exec_result result;
    rill_node failing;
};

static rill_status fail(struct check *check, const struct sim_graph *graph, uint32_t slot,
                        rill_exec_result result, const char *why)
{
    char node[RILL_LABEL_MAX];
    sim_node_describe(graph, slot, node);
    check->result = result;
    check->failing = sim_node_handle(graph, slot);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph", "%s %s", node, why);
}

static rill_status check_graph(struct check *check, struct sim_graph *graph, bool in_body);

/* Whether a node may be in a body. */
static rill_status check_held(struct check *check, const struct sim_graph *graph, uint32_t slot)
{
    const struct task *task = sim_node(graph, slot)->task;
    switch ((int)task->type->kind) {
    case RILL_OP_KERNEL:
        if (sim_kernel_task_of(task)->context == graph->context->id) return RILL_SUCCESS;
        return fail(check, graph, slot, RILL_EXEC_MULTIPLE_CONTEXTS,
                    "in the body of a conditional is of another context than the graph");
    case RILL_OP_MEMCPY:
    case RILL_OP_MEMSET:
    case RILL_OP_EMPTY:
    case RILL_OP_GRAPH:
    case RILL_OP_CONDITIONAL:
        return RILL_SUCCESS;
    default:
        return fail(check, graph, slot, RILL_EXEC_NODE_NOT_SUPPORTED,
                    "cannot be in the body of a conditional, which holds kernels, copies, fills, "
                    "empty nodes, child graphs and conditionals alone");
    }
}

static rill_status check_bodies(struct check *check, const struct conditional_task *conditional)
{
    conditional->entry->met = true;
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; !status && i < conditional->body_count; i++)
        status = check_graph(check, sim_graph_of(conditional->bodies[i]), true);
    return status;
}

/* Graphs nest no deeper than GRAPH_NESTING_MAX, so this may recurse. */
static rill_status check_graph(struct check *check, struct sim_graph *graph, bool in_body)
{
    if (!in_body && !graph->conditional_nodes) return RILL_SUCCESS;
    rill_status status = RILL_SUCCESS;
    for (uint32_t slot = graph->first; !status && slot != NODE_NONE;
         slot = sim_node(graph, slot)->next) {
        const struct task *task = sim_node(graph, slot)->task;
        if (in_body) status = check_held(check, graph, slot);
        if (status) return status;
        if (task->type->kind == RILL_OP_GRAPH)
            status = check_graph(check, sim_graph_of(((const struct child_task *)task)->graph),
                                 in_body);
        else if (task->type->kind == RILL_OP_CONDITIONAL)
            status = check_bodies(check, (const struct conditional_task *)task);
    }
    return status;
}

static rill_status check_used(struct check *check, const struct sim_graph *graph)
{
    for (const struct conditional_handle *handle = graph->handles; handle; handle = handle->next) {
        if (handle->met) continue;
        check->result = RILL_EXEC_CONDITIONAL_UNUSED;
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "graph",
                                 "the graph has a conditional handle (%llu) that none of its nodes "
                                 "has", (unsigned long long)handle->id);
    }
    return RILL_SUCCESS;
}

rill_status sim_conditional_check(struct sim_graph *graph, rill_exec_result *result,
                                  rill_node *failing)
{
    struct check check = { .failing = NULL };
    for (struct conditional_handle *handle = graph->handles; handle; handle = handle->next)
        handle->met = false;
    rill_status status = check_graph(&check, graph, false);
    if (!status) status = check_used(&check, graph);
    if (!status) return RILL_SUCCESS;
    *result = check.result;
    *failing = check.failing;
    return status;
}
