/* SPDX-License-Identifier: Apache-2.0
 *
 * Making tasks: one way in for all kinds.
 */
#include "backend-sim/task.h"

#include "backend-sim/graph.h"

/* ---- Empty nodes -------------------------------------------------------------- */

static void empty_free(struct task *task)
{
    (void)task;
}

static void empty_read(const struct task *task, rill_op *op)
{
    (void)task, (void)op;
}

static const struct task_type empty_type = {
    .kind = RILL_OP_EMPTY, .free = empty_free, .read = empty_read,
};

/* All empty nodes share it: it does nothing and is never freed. */
static struct task empty_task = { .type = &empty_type, .references = 1 };

static rill_status empty_create(struct task **task)
{
    sim_task_retain(&empty_task);
    *task = &empty_task;
    return RILL_SUCCESS;
}

/* ---- Any node ----------------------------------------------------------------- */

rill_status sim_task_create(struct sim_platform *platform, struct sim_context *context,
                            const rill_op *op, struct task **task)
{
    switch ((int)op->kind) {
    case RILL_OP_KERNEL: return sim_kernel_task_create(&op->kernel, NULL, task);
    case RILL_OP_MEMCPY: return sim_copy_task_create(platform, context, &op->memcpy, task);
    case RILL_OP_MEMSET: return sim_fill_task_create(platform, context, &op->memset, task);
    case RILL_OP_HOST: return sim_host_task_create(platform, context, &op->host, task);
    case RILL_OP_EMPTY: return empty_create(task);
    case RILL_OP_EVENT_WAIT:
    case RILL_OP_EVENT_RECORD:
        return sim_event_task_create(context, op->kind, &op->event, task);
    case RILL_OP_VALUES: return sim_values_task_create(platform, context, &op->values, task);
    default:
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "the simulator has no nodes of kind %d", (int)op->kind);
    }
}

static rill_status check_change(const struct task *before, const rill_op *op)
{
    if (op->kind != before->type->kind)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is a %s node and stays one",
                                 (int)op->kind, rl_op_name(before->type->kind));
    if (op->kind == RILL_OP_ALLOC || op->kind == RILL_OP_FREE || op->kind == RILL_OP_CONDITIONAL)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "conditionals and memory stay as they are added; build another "
                                 "graph for others");
    return RILL_SUCCESS;
}

rill_status sim_task_change(struct sim_platform *platform, struct sim_context *context,
                            const struct task *before, const rill_op *op, struct task **task)
{
    rill_status status = check_change(before, op);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    if (op->kind == RILL_OP_KERNEL) return sim_kernel_task_create(&op->kernel, before, task);
    return sim_task_create(platform, context, op, task);
}

const char *sim_task_name(const struct task *task)
{
    return task->type->name ? task->type->name(task) : rl_op_name(task->type->kind);
}

void sim_task_read(const struct task *task, rill_op *op)
{
    *op = (rill_op){ .kind = task->type->kind };
    task->type->read(task, op);
}
