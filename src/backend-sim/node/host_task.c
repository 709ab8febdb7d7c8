/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/host_task.h"

#include "backend-sim/graph/task_slab.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/scheduler/demand.h"

/* The last reference may be given back while a launch runs: `destroy` may call no more than a host
 * function may. */
static void host_free(struct task *task)
{
    const struct host_task *host = (const struct host_task *)task;
    if (host->destroy) {
        sim_host_depth++;
        host->destroy(host->data);
        sim_host_depth--;
    }
    sim_task_free(task);
}

/* `destroy` runs once for the task, so it is not the reader's to pass on. */
static void host_read(const struct task *task, rill_op *op)
{
    const struct host_task *host = (const struct host_task *)task;
    op->host = (rill_host_op){ host->fn, host->data, NULL };
}

static void host_demand(const struct task *task, struct demand *demand)
{
    (void)task;
    demand->kind = DEMAND_HOST;
}

static rill_status host_create(const struct node_site *site, const rill_op *op,
                               const struct task *before, struct task **task)
{
    (void)before;
    struct host_task *host = sim_task_alloc(sim_task_room(site->context), sizeof *host);
    if (!host) return sim_out_of_memory_for_node();
    struct host_thread *thread = site->platform->host_thread;
    sim_task_init(&host->task, &sim_kind_host, thread ? TASK_WAITS : 0);
    host->fn = op->host.fn;
    host->data = op->host.data;
    host->destroy = op->host.destroy;
    host->thread = thread;
    *task = &host->task;
    return RILL_SUCCESS;
}

static void host_draw(struct dot *dot, uint32_t slot, const struct task *task,
                      const rill_op *op)
{
    (void)task;
    sim_dot_box_plain(dot, slot, "HOST");
    if (sim_dot_wants(dot, RILL_DOT_HOST_PARAMS)) {
        sim_dot_box_handle(dot, "fn", (const void *)(uintptr_t)op->host.fn);
        sim_dot_box_handle(dot, "userData", op->host.data);
    }
    sim_dot_box_end(dot);
}

const struct node_kind sim_kind_host = {
    .op = RILL_OP_HOST, .traits = KIND_IS_PLAIN | KIND_IS_CARRIED_OUT, .inside = INSIDE_ALL,
    .demand = host_demand, .free = host_free, .read = host_read, .create = host_create,
    .draw = host_draw,
};
