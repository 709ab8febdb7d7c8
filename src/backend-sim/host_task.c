/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions as nodes.  The replay calls them (launch.h); the task holds
 * what to call, and gives the data back when nobody can call it any more.
 */
#include "backend-sim/task.h"

/* The last reference may go in the midst of a launch: `destroy` may do as little
 * as the function itself. */
static void host_free(struct task *task)
{
    const struct host_task *host = (const struct host_task *)task;
    if (host->destroy) {
        sim_inside++;
        host->destroy(host->data);
        sim_inside--;
    }
    sim_task_give(task);
}

/* `destroy` runs once for the task, so it is not the reader's to pass on. */
static void host_read(const struct task *task, rill_op *op)
{
    const struct host_task *host = (const struct host_task *)task;
    op->host = (rill_host_op){ host->fn, host->data, NULL };
}

static const struct task_type host_type = {
    .kind = RILL_OP_HOST, .free = host_free, .read = host_read,
};

rill_status sim_host_task_create(struct sim_platform *platform, struct sim_context *context,
                                 const rill_host_op *op, struct task **task)
{
    struct host_task *host = sim_task_memory(sim_task_room(context), sizeof *host);
    if (!host) {
        if (op->destroy) op->destroy(op->data);
        return sim_task_short();
    }
    sim_task_init(&host->task, &host_type, 0);
    host->fn = op->fn;
    host->data = op->data;
    host->destroy = op->destroy;
    host->thread = platform->host_thread;
    *task = &host->task;
    return RILL_SUCCESS;
}
