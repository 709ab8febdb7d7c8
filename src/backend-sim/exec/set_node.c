/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing one node of an exec.
 */
#include "backend-sim/exec/update.h"
#include "backend-sim/graph/user_object.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/may_replace.h"

/* ---- Which node ----------------------------------------------------------------------- */

static rill_status find_node(const struct sim_exec *exec, rill_node node, struct program **program,
                             uint32_t *place)
{
    rill_status status = sim_enter(exec->context->platform, CALL_ORDER);
    if (status) return status;
    if (sim_host_depth) /* the driver's answer, other than for other calls */
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                 "nodes of an exec are not to be had inside a host function");
    *place = sim_exec_find(exec, node, program);
    if (*place != NODE_NONE) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                             "the exec was made from a graph that did not have this node");
}

/* ---- Child graphs ------------------------------------------------------------------------ */

/* Makes the exec keep alive what the graph does. */
static rill_status keep_users(struct update_transaction *transaction, const struct sim_exec *exec,
                              const struct sim_graph *graph)
{
    rill_status status = sim_users_share(graph, &transaction->users);
    if (status || !transaction->users) return status;
    transaction->has_users = true;
    bool fits = sim_users_unite(&transaction->users, exec->users);
    return fits ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

static rill_status compare_child(struct update_transaction *transaction, struct sim_exec *exec,
                                 struct program *program, const struct task *before,
                                 struct sim_graph *graph)
{
    const struct sim_graph *inside = sim_task_child(before);
    const struct section *section = sim_program_section(program, inside->serial);
    rill_update_result result = { RILL_UPDATE_SUCCESS, NULL, NULL };
    rill_status status = sim_transaction_compare(transaction, exec, program, section, graph, true,
                                                 &result);
    if (!status && transaction->rebinds)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph",
                                 "it has conditional nodes; update the exec as a whole");
    return status ? status : keep_users(transaction, exec, graph);
}

static rill_status set_child(struct sim_exec *exec, struct program *program, uint32_t place,
                             const rill_graph_op *op)
{
    const struct task *before = sim_program_next_task(program, place);
    if (op->flags & ~RILL_CHILD_MOVE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->graph.flags",
                                 "op->graph.flags is 0x%x; it may be 0 or RILL_CHILD_MOVE",
                                 (unsigned)op->flags);
    if (sim_graph_check(sim_graph_of(op->graph))) return RILL_ERROR_INVALID_VALUE;
    struct update_transaction *transaction = sim_transaction_create();
    if (!transaction) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = compare_child(transaction, exec, program, before, sim_graph_of(op->graph));
    if (!status) return sim_exec_commit(exec, transaction);
    sim_transaction_destroy(transaction);
    return status;
}

/* ---- What a node does --------------------------------------------------------------------- */

static rill_status check_kind(const struct task *before, const rill_op *op)
{
    const rill_op_kind kind = before->kind->op;
    if (op->kind != kind)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is of the kind %s, which it keeps",
                                 (int)op->kind, rl_op_name(kind));
    if (before->kind->traits & KIND_FIXED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "what a %s node does cannot be changed",
                                 rl_op_name(kind));
    return RILL_SUCCESS;
}

static rill_status check_may_replace(const struct sim_exec *exec, const struct task *before,
                                     const struct task *after, rill_node node)
{
    const struct node_kind *kind = before->kind;
    struct update_refusal refusal;
    if (!kind->may_replace || kind->may_replace(before, after, exec->priorities, &refusal))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, refusal.parameter, "%s node %u: %s",
                             rl_op_name(kind->op), (unsigned)sim_node_slot(node), refusal.why);
}

static rill_status set_task(struct sim_exec *exec, struct program *program, uint32_t place,
                            rill_node node, const rill_op *op)
{
    const struct task *before = sim_program_next_task(program, place);
    struct task *task;
    rill_status status = RILL_SUCCESS;
    if (before->kind->check_exec_change) status = before->kind->check_exec_change(before, op);
    const struct node_site site = { .platform = exec->context->platform,
                                    .context = exec->context };
    if (!status) status = sim_task_change(&site, op, before, &task);
    if (status) return status;
    status = check_may_replace(exec, before, task, node);
    if (!status) return sim_exec_change(exec, program, place, task, -1);
    sim_task_release(task);
    return status;
}

/* Refuses a graph that has memory nodes, or tried to, as a child: before all else. */
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
    if (!status) status = find_node(exec, node, &program, &place);
    if (!status) status = check_kind(sim_program_next_task(program, place), op);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    if (op->kind == RILL_OP_GRAPH) return set_child(exec, program, place, &op->graph);
    return set_task(exec, program, place, node, op);
}

/* ---- Enabling -------------------------------------------------------------------------------- */

static rill_status find_enabled(const struct sim_exec *exec, rill_node node,
                                struct program **program, uint32_t *place)
{
    rill_status status = find_node(exec, node, program, place);
    if (status) return status;
    const struct node_kind *kind = sim_program_next_task(*program, *place)->kind;
    if (kind->traits & KIND_CAN_BE_DISABLED) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                             "the node is of the kind %s; only kernels, copies and fills can be "
                             "disabled", rl_op_name(kind->op));
}

rill_status sim_exec_set_enabled(rill_exec *handle, rill_node node, int enabled)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    uint32_t place;
    rill_status status = find_enabled(exec, node, &program, &place);
    return status ? status : sim_exec_change(exec, program, place, NULL, enabled != 0);
}

rill_status sim_exec_get_enabled(rill_exec *handle, rill_node node, int *enabled)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct program *program;
    uint32_t place;
    rill_status status = find_enabled(exec, node, &program, &place);
    if (!status) *enabled = sim_program_next_enabled(program, place);
    return status;
}
