/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/task.h"

#include "base/words/op_kind.h"

const char *sim_task_name(const struct task *task)
{
    return task->kind->name ? task->kind->name(task) : rl_op_name(task->kind->op);
}

void sim_task_read(const struct task *task, rill_op *op)
{
    *op = (rill_op){ .kind = task->kind->op };
    task->kind->read(task, op);
}
