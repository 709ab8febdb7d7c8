/* SPDX-License-Identifier: Apache-2.0
 *
 * Making tasks: one way in for all kinds.
 */
#include "backend-sim/graph/task.h"
#include "backend-sim/node/kinds.h"

uint32_t sim_kinds_with(unsigned traits)
{
    uint32_t kinds = 0;
    for (unsigned kind = 0; kind < RL_OP_KINDS; kind++)
        if (sim_kinds[kind] && sim_kinds[kind]->traits & traits) kinds |= 1u << kind;
    return kinds;
}

rill_status sim_kind_refuse(rill_op_kind kind)
{
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                             "the simulator has no nodes of kind %d", (int)kind);
}

rill_status sim_task_create(const struct node_site *site, const rill_op *op,
                            const struct task *before, struct task **task)
{
    const struct node_kind *kind = sim_kind_find(op->kind);
    rill_status status = kind ? kind->create(site, op, before, task) : sim_kind_refuse(op->kind);
    if (status) rl_op_give_back(op);
    return status;
}

static rill_status check_change(const struct task *before, const rill_op *op)
{
    if (op->kind != before->kind->op)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is of the kind %s, which it keeps",
                                 (int)op->kind, rl_op_name(before->kind->op));
    if (before->kind->traits & KIND_FIXED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "conditionals and memory stay as they are added; build another "
                                 "graph for others");
    return RILL_SUCCESS;
}

rill_status sim_task_change(const struct node_site *site, const rill_op *op,
                            const struct task *before, struct task **task)
{
    rill_status status = check_change(before, op);
    if (!status) return sim_task_create(site, op, before, task);
    rl_op_give_back(op);
    return status;
}
