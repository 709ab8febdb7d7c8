/* SPDX-License-Identifier: Apache-2.0
 *
 * Running launches of kernels of PTX.
 */
#include <stdio.h>

#include "backend-sim/kernel/code.h"
#include "backend-sim/kernel/grid.h"
#include "backend-sim/kernel/ptx_host.h"
#include "backend-sim/kernel/reserve.h"
#include "base/alloc.h"
#include "device/model.h"

_Static_assert(RILL_PTX_CHECK_RACES == PTX_CHECK_RACES &&
                   RILL_PTX_CHECK_GLOBAL == PTX_CHECK_GLOBAL &&
                   RILL_PTX_CHECK_INIT == PTX_CHECK_INIT &&
                   RILL_PTX_CHECK_BARRIERS == PTX_CHECK_BARRIERS, "checks are passed on");

struct ptx_run {
    struct grid grid; /* must stay first */
    struct ptx_grid *ptx;
    struct ptx_fault fault;
};

static void run_blocks(struct grid *grid, bool helper)
{
    (void)helper;
    ptx_grid_run(((struct ptx_run *)grid)->ptx);
}

static bool has_more_blocks(const struct grid *grid)
{
    return ptx_grid_has_more(((const struct ptx_run *)grid)->ptx);
}

/* Ends the blocks as if the kernel had failed, since its threads watch for that.  The thread
 * that failed the device has said why. */
static void stop_blocks(struct grid *grid)
{
    int none = 0;
    atomic_compare_exchange_strong(&((struct ptx_run *)grid)->fault.status, &none,
                                   RILL_ERROR_LAUNCH_FAILED);
}

/* Chooses the cluster of a launch: that of its attributes, or of the kernel; 0 without one. */
static void choose_cluster(const struct sim_function *function, const struct launch_dims *dims,
                           uint32_t cluster[3])
{
    const bool any = dims->cluster[0] || function->cluster[0];
    for (int i = 0; i < 3; i++) {
        uint32_t blocks = dims->cluster[0] ? dims->cluster[i] : function->cluster[i];
        cluster[i] = any && !blocks ? 1 : blocks;
    }
}

static struct ptx_launch describe_launch(const struct kernel_launch *launch)
{
    static atomic_uint_least64_t last_grid;
    const struct sim_function *function = launch->function;
    const struct launch_dims *dims = &launch->dims;
    const struct kernel_manner manner = sim_kernel_manner(launch);
    struct ptx_launch ptx = {
        .grid = { launch->grid.x, launch->grid.y, launch->grid.z },
        .block = { launch->block.x, launch->block.y, launch->block.z },
        .dynamic_shared = launch->shared_bytes - function->static_shared,
        .params = launch->arguments,
        .grid_id = atomic_fetch_add_explicit(&last_grid, 1, memory_order_relaxed) + 1,
        .processors = function->code->device->model->multiprocessors,
        .threads = (uint32_t)launch->platform->engine->workers_max,
        .cooperative = dims->cooperative,
        .checks = launch->findings ? PTX_CHECK_ALL : launch->platform->checks,
        .findings = launch->findings,
        .steps = launch->platform->ptx_limits.steps,
        .footprint = launch->footprint,
        .block_order = manner.order, .pauses = manner.pauses,
    };
    choose_cluster(function, dims, ptx.cluster);
    return ptx;
}

/* Reports what went wrong, in the words of the thread that noticed it first. */
static void report_outcome(const struct ptx_run *run, const struct kernel_host *host,
                           struct kernel_fault *fault)
{
    int status = atomic_load(&run->fault.status);
    if (status) sim_kernel_fail(fault, (rill_status)status, run->fault.message);
    if (atomic_load_explicit(&host->printed, memory_order_relaxed)) fflush(stdout);
}

/* Runs a grid, and adds what it launches to what is pending. */
static void run_grid(const struct kernel_launch *launch, struct kernel_fault *fault,
                     struct child_list *pending)
{
    struct ptx_run run = {
        .grid = { .blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z,
                  .block_ns = &launch->function->block_ns,
                  .run = run_blocks, .more = has_more_blocks, .stop = stop_blocks },
    };
    struct kernel_host host;
    struct ptx_launch ptx = describe_launch(launch);
    sim_kernel_host_init(&host, launch, fault, &run.fault);
    ptx.host = &host.host;
    ptx.fault = &run.fault;
    host.grid_bytes = ptx_grid_bytes(launch->function->ptx, &ptx);
    void *own = rl_alloc_aligned(host.grid_bytes, 64), *memory = own;
    if (!own) memory = sim_kernel_reserve_acquire(&launch->platform->kernel_reserve);
    host.reserved = !own;
    run.ptx = ptx_grid_place(launch->function->ptx, &ptx, memory);
    sim_grid_run(launch->platform->engine, &run.grid);
    ptx_grid_close(run.ptx);
    if (host.reserved) sim_kernel_reserve_release(&launch->platform->kernel_reserve);
    rl_free(own);
    report_outcome(&run, &host, fault);
    sim_children_end(&host, pending);
}

/* Runs what a kernel of a launch has launched. */
static void run_child(const struct kernel_launch *launch, const struct child *child,
                      struct kernel_fault *fault, struct child_list *pending)
{
    if (!child->function) {
        sim_child_move(launch, &child->rows, fault);
        return;
    }
    const struct kernel_launch one = {
        .function = child->function, .platform = launch->platform,
        .grid = child->grid, .block = child->block, .arguments = child->arguments,
        .shared_bytes = child->shared + child->function->static_shared,
        .footprint = launch->footprint, .freed = launch->freed, .findings = launch->findings,
    };
    run_grid(&one, fault, pending);
}

void sim_kernel_run_ptx(const struct kernel_launch *launch, struct kernel_fault *fault)
{
    struct child_list pending = { NULL, NULL };
    struct child *child;
    run_grid(launch, fault, &pending);
    while ((child = sim_child_take(&pending))) {
        if (!atomic_load(&fault->status)) run_child(launch, child, fault, &pending);
        rl_free(child);
    }
}

rill_status sim_kernel_reserve_for(const rill_kernel_op *op, const struct sim_function *function,
                                   struct sim_platform *platform)
{
    const struct launch_dims dims = sim_launch_dims(op->attributes, op->attribute_count);
    struct ptx_launch ptx = {
        .grid = { op->grid.x, op->grid.y, op->grid.z },
        .block = { op->block.x, op->block.y, op->block.z },
        .dynamic_shared = (uint32_t)op->shared_bytes,
        .cooperative = dims.cooperative,
    };
    choose_cluster(function, &dims, ptx.cluster);
    for (int i = 0; i < 3; i++)
        if (function->cluster[i] && function->cluster[i] != ptx.cluster[i])
            return rill_backend_fail(RILL_ERROR_INVALID_CLUSTER_SIZE, "attributes",
                                     "launch of '%s': its clusters have %u x %u x %u blocks",
                                     function->name, function->cluster[0], function->cluster[1],
                                     function->cluster[2]);
    if (ptx.cluster[0]) {
        const rill_attribute cluster = {
            .id = RILL_ATTRIBUTE_CLUSTER,
            .cluster = { ptx.cluster[0], ptx.cluster[1], ptx.cluster[2] },
        };
        rill_status status = sim_kernel_check_attribute(op, &cluster, function);
        if (status) return status;
    }
    return sim_kernel_reserve(&platform->kernel_reserve,
                              ptx_grid_bytes(function->ptx, &ptx) +
                                  ptx_spare_bytes(function->ptx, &ptx));
}
