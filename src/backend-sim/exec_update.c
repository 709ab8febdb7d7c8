/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates of execs: of one node, and of all from a graph of the same shape.
 */
#include "backend-sim/exec.h"

#include "backend-sim/launch.h"

/* The place of a node of the graph that the exec was made from. */
static rill_status find(struct sim_exec *exec, rill_node node, struct program **program,
                        uint32_t *place)
{
    *program = exec->program;
    *place = sim_program_place(exec->program, node);
    if (*place != NODE_NONE) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                             "the exec was made from a graph that does not have this node");
}

rill_status sim_exec_set_op(rill_exec *handle, rill_node node, const rill_op *op)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    struct task *task;
    uint32_t place;
    rill_status status = sim_enter(exec->context->platform, CALL_ORDER);
    if (!status) status = find(exec, node, &program, &place);
    if (status) {
        sim_task_refuse(op);
        return status;
    }
    status = sim_task_create(exec->context, op, &task);
    return status ? status : sim_exec_change(exec, program, place, task, -1);
}

static rill_status can_disable(const struct program *program, uint32_t place)
{
    rill_op_kind kind = sim_program_promised(program, place)->type->kind;
    if (kind == RILL_OP_KERNEL || kind == RILL_OP_MEMCPY || kind == RILL_OP_MEMSET)
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                             "only kernels, copies and fills can be disabled");
}

rill_status sim_exec_set_enabled(rill_exec *handle, rill_node node, int enabled)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    uint32_t place;
    rill_status status = sim_enter(exec->context->platform, CALL_ORDER);
    if (!status) status = find(exec, node, &program, &place);
    if (!status) status = can_disable(program, place);
    return status ? status : sim_exec_change(exec, program, place, NULL, enabled != 0);
}

rill_status sim_exec_get_enabled(rill_exec *handle, rill_node node, int *enabled)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    uint32_t place;
    rill_status status = sim_enter(exec->context->platform, CALL_ORDER);
    if (!status) status = find(exec, node, &program, &place);
    if (!status) status = can_disable(program, place);
    if (!status) *enabled = sim_program_promised_enabled(program, place);
    return status;
}

rill_status sim_exec_update(rill_exec *handle, rill_graph *graph, rill_update_result *result)
{
    (void)handle, (void)graph, (void)result;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL, "updates of whole execs");
}
