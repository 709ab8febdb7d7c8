/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing one node of an exec.
 */
#include <string.h>

#include "backend-sim/event.h"
#include "backend-sim/exec_update.h"
#include "backend-sim/fit.h"
#include "backend-sim/graph_heap.h"
#include "backend-sim/kernel_task.h"
#include "backend-sim/node_kinds.h"

/* ---- Which node ----------------------------------------------------------------------- */

static rill_status find(const struct sim_exec *exec, rill_node node, struct program **program,
                        uint32_t *place)
{
    rill_status status = sim_enter(exec->context->platform, CALL_ORDER);
    if (status) return status;
    if (sim_inside) /* the driver's answer, other than for other calls */
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                 "nodes of an exec are not to be had inside a host function");
    *place = sim_exec_find(exec, node, program);
    if (*place != NODE_NONE) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                             "the exec was made from a graph that did not have this node");
}

/* ---- Child graphs ------------------------------------------------------------------------ */

/* What the graph keeps alive, the exec keeps from now on, too. */
static rill_status keep_users(struct overhaul *overhaul, const struct sim_exec *exec,
                              const struct sim_graph *graph)
{
    rill_status status = sim_users_share(graph, &overhaul->users);
    if (status || !overhaul->users) return status;
    overhaul->reuses = true;
    return sim_users_unite(&overhaul->users, exec->users) ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

static rill_status plan_child(struct overhaul *overhaul, struct sim_exec *exec,
                              struct program *program, const struct task *before,
                              struct sim_graph *graph)
{
    const struct sim_graph *inside = sim_graph_of(((const struct child_task *)before)->graph);
    const struct part *part = sim_program_part(program, inside->serial);
    rill_update_result result = { RILL_UPDATE_SUCCESS, NULL, NULL };
    rill_status status = sim_overhaul_plan(overhaul, exec, program, part, graph, true,
                                           &result);
    if (!status && overhaul->rebindings)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph",
                                 "it has conditional nodes; update the exec as a whole");
    return status ? status : keep_users(overhaul, exec, graph);
}

static rill_status set_child(struct sim_exec *exec, struct program *program, uint32_t place,
                             const rill_graph_op *op)
{
    const struct task *before = sim_program_promised(program, place);
    if (op->flags & ~RILL_CHILD_MOVE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.flags",
                                 "op->graph.flags is 0x%x; it may be 0 or RILL_CHILD_MOVE",
                                 (unsigned)op->flags);
    if (sim_graph_check(sim_graph_of(op->graph))) return RILL_ERROR_INVALID_VALUE;
    struct overhaul *overhaul = sim_overhaul_new();
    if (!overhaul) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = plan_child(overhaul, exec, program, before, sim_graph_of(op->graph));
    if (!status) return sim_exec_overhaul(exec, overhaul);
    sim_overhaul_free(overhaul);
    return status;
}

/* ---- What a node does --------------------------------------------------------------------- */

static rill_status check_kind(const struct task *before, const rill_op *op)
{
    rill_op_kind kind = before->kind->op;
    if (op->kind != kind)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is a %s node and stays one",
                                 (int)op->kind, rl_op_name(kind));
    if (kind == RILL_OP_ALLOC || kind == RILL_OP_FREE || kind == RILL_OP_CONDITIONAL)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "what a %s node does cannot be changed",
                                 rl_op_name(kind));
    return RILL_SUCCESS;
}

/* As measured: the event of a node stays one of its context, whichever the exec's is. */
static rill_status check_event(const struct task *before, const rill_op *op)
{
    const struct event_task *event = (const struct event_task *)before;
    if (op->kind != RILL_OP_EVENT_RECORD && op->kind != RILL_OP_EVENT_WAIT) return RILL_SUCCESS;
    if (before->kind->op != op->kind) return RILL_SUCCESS; /* refused as that */
    if (sim_event_of(op->event.event)->context->id == event->context) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->event.event",
                             "the event is of another context than that of the node");
}

/* The driver's calls for one node of an exec take none. */
static rill_status check_attributes(const struct task *before, const rill_op *op)
{
    const struct kernel_task *kernel = (const struct kernel_task *)before;
    if (op->kind != RILL_OP_KERNEL) return RILL_SUCCESS;
    for (size_t i = 0; i < op->kernel.attribute_count; i++) {
        const rill_attribute *given = &op->kernel.attributes[i];
        const rill_attribute has = sim_kernel_task_attribute(kernel, given->id);
        if (given->id != RILL_ATTRIBUTE_IGNORE &&
            memcmp(given->bytes, has.bytes, sizeof has.bytes) != 0)
            return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kernel.attributes",
                                     "attributes of one node in an exec do not change, as on "
                                     "hardware; set them in the graph and update the exec from "
                                     "that");
    }
    return RILL_SUCCESS;
}

static rill_status check_fits(const struct sim_exec *exec, const struct task *before,
                              const struct task *after, rill_node node)
{
    struct misfit misfit;
    if (sim_task_fits(before, after, exec->priorities, exec->context->platform, &misfit))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, misfit.parameter, "%s node %u: %s",
                             rl_op_name(before->kind->op), (unsigned)sim_node_slot(node),
                             misfit.why);
}

/* As measured: a copy that reads memory of the graph stays with that; a fill need not, and
 * an update of the whole exec is not asked. */
static rill_status check_source(const struct sim_exec *exec, const struct task *before,
                                const rill_op *op)
{
    rill_op old;
    if (op->kind != RILL_OP_MEMCPY) return RILL_SUCCESS;
    before->kind->read(before, &old);
    const struct sim_platform *platform = exec->context->platform;
    if (!sim_graph_heap_at(platform, old.memcpy.src.address) ||
        sim_graph_heap_at(platform, op->memcpy.src.address))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->memcpy.src",
                             "the node reads memory of the graph, and stays with that");
}

static rill_status set_task(struct sim_exec *exec, struct program *program, uint32_t place,
                            rill_node node, const rill_op *op)
{
    const struct task *before = sim_program_promised(program, place);
    struct task *task;
    rill_status status = check_event(before, op);
    if (!status) status = check_attributes(before, op);
    if (!status) status = check_source(exec, before, op);
    const struct node_site site = { .platform = exec->context->platform,
                                    .context = exec->context };
    if (!status) status = sim_task_change(&site, op, before, &task);
    if (status) return status;
    status = check_fits(exec, before, task, node);
    if (!status) return sim_exec_change(exec, program, place, task, -1);
    sim_task_release(task);
    return status;
}

/* What has memory nodes, or tried to, is nobody's child: that comes before all else. */
static rill_status check_child(const rill_op *op)
{
    if (op->kind != RILL_OP_GRAPH) return RILL_SUCCESS;
    if (!sim_graph_has_memory(sim_graph_of(op->graph.graph))) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "op->graph.graph",
                             "op->graph.graph allocates or frees memory, which no child of an "
                             "exec can come to do");
}

rill_status sim_exec_set_op(rill_exec *handle, rill_node node, const rill_op *op)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    uint32_t place;
    rill_status status = check_child(op);
    if (!status) status = find(exec, node, &program, &place);
    if (!status) status = check_kind(sim_program_promised(program, place), op);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    if (op->kind == RILL_OP_GRAPH) return set_child(exec, program, place, &op->graph);
    return set_task(exec, program, place, node, op);
}

/* ---- Whether it does it ---------------------------------------------------------------------- */

static rill_status find_switch(const struct sim_exec *exec, rill_node node,
                               struct program **program, uint32_t *place)
{
    rill_status status = find(exec, node, program, place);
    if (status) return status;
    rill_op_kind kind = sim_program_promised(*program, *place)->kind->op;
    if (kind == RILL_OP_KERNEL || kind == RILL_OP_MEMCPY || kind == RILL_OP_MEMSET)
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                             "the node is a %s node; only kernels, copies and fills can be "
                             "disabled", rl_op_name(kind));
}

rill_status sim_exec_set_enabled(rill_exec *handle, rill_node node, int enabled)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    uint32_t place;
    rill_status status = find_switch(exec, node, &program, &place);
    return status ? status : sim_exec_change(exec, program, place, NULL, enabled != 0);
}

rill_status sim_exec_get_enabled(rill_exec *handle, rill_node node, int *enabled)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    uint32_t place;
    rill_status status = find_switch(exec, node, &program, &place);
    if (!status) *enabled = sim_program_promised_enabled(program, place);
    return status;
}
