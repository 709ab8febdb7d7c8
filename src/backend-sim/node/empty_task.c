/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that do nothing.
 */
#include "backend-sim/graph/task.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"

static void empty_free(struct task *task)
{
    (void)task;
}

static void empty_read(const struct task *task, rill_op *op)
{
    (void)task, (void)op;
}

/* All empty nodes share it: it does nothing and is never freed. */
static struct task empty_task = { .kind = &sim_kind_empty, .references = 1 };

static rill_status empty_create(const struct node_site *site, const rill_op *op,
                                const struct task *before, struct task **task)
{
    (void)site, (void)op, (void)before;
    sim_task_retain(&empty_task);
    *task = &empty_task;
    return RILL_SUCCESS;
}

static void empty_draw(struct dot *dot, uint32_t slot, const struct task *task,
                       const rill_op *op)
{
    (void)task, (void)op;
    sim_dot_box_plain(dot, slot, "EMPTY");
    sim_dot_box_end(dot);
}

const struct node_kind sim_kind_empty = {
    .op = RILL_OP_EMPTY, .traits = KIND_IS_PLAIN | KIND_IN_BODIES | KIND_IS_CARRIED_OUT,
    .inside = INSIDE_ALL,
    .free = empty_free, .read = empty_read, .create = empty_create,
    .draw = empty_draw,
};
