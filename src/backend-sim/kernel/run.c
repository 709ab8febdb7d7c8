/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a kernel, and how a kernel reports that it failed.
 */
#include <stdio.h>
#include <string.h>

#include <rill/sim.h>

#include "backend-sim/kernel/code.h"
#include "backend-sim/kernel/grid.h"
#include "backend-sim/kernel/kernel.h"
#include "backend-sim/scheduler/demand.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "base/alloc.h"
#include "base/charge.h"
#include "base/shuffle.h"
#include "base/unseen.h"

void sim_kernel_copy_bound(unsigned char *to, const struct sim_function *function)
{
    struct ptx_kernel_facts facts;
    if (function->stored_bytes == function->buffer_bytes) return;
    ptx_kernel_facts(function->ptx, &facts);
    for (uint32_t i = 0; i < facts.reference_count; i++) {
        const uint64_t handle = atomic_load(&function->code->bound[i]);
        memcpy(to + facts.references_at + 8 * i, &handle, sizeof handle);
    }
}

void sim_kernel_copy_arguments(unsigned char *to, const rill_kernel_op *op,
                               const struct sim_function *function)
{
    sim_kernel_copy_bound(to, function);
    if (op->buffer) {
        size_t all = function->buffer_bytes;
        size_t given = op->buffer_bytes < all ? op->buffer_bytes : all;
        memcpy(to, op->buffer, given);
        memset(to + given, 0, all - given);
        return;
    }
    for (uint32_t i = 0; i < function->param_count; i++)
        memcpy(to + function->offsets[i], op->params[i], function->params[i].bytes);
}

void rill_sim_fault(const rill_launch *launch, rill_status status, const char *message)
{
    if (launch && launch->device)
        sim_kernel_fail(launch->device, status, message ? message : "a kernel failed");
}

void sim_kernel_fail(struct kernel_fault *fault, rill_status status, const char *message)
{
    if (!rill_error_is_sticky(status)) status = RILL_ERROR_LAUNCH_FAILED;
    int none = 0;
    if (!atomic_compare_exchange_strong(&fault->status, &none, (int)status)) return;
    snprintf(fault->message, sizeof fault->message, "%s", message);
}

bool sim_kernel_set_conditional(const struct kernel_fault *kernel, rill_conditional handle,
                                uint32_t value)
{
    const struct run_context *here = sim_run_here;
    return here && here->type->set_conditional(here, kernel->context, handle, value);
}

void rill_sim_set_conditional(const rill_launch *launch, rill_conditional handle, uint32_t value)
{
    const struct kernel_fault *kernel = launch ? launch->device : NULL;
    if (!kernel || sim_kernel_set_conditional(kernel, handle, value)) return;
    rill_sim_fault(launch, RILL_ERROR_ILLEGAL_ADDRESS, SIM_WRONG_CONDITIONAL);
}

static const rill_launch_calls calls = {
    .size = sizeof calls,
    .fault = rill_sim_fault,
    .set_conditional = rill_sim_set_conditional,
    .charge = rill_sim_charge,
};

/* ---- The order of blocks -------------------------------------------------------------- */

static uint64_t count_blocks(rill_dim3 grid)
{
    return (uint64_t)grid.x * grid.y * grid.z;
}

struct kernel_manner sim_kernel_manner(const struct kernel_launch *launch)
{
    struct steering *steering = launch->platform->engine->steering;
    if (!steering) return (struct kernel_manner){ RL_SHUFFLE_NONE, false };
    return steering->begin_kernel(steering, count_blocks(launch->grid));
}

static rill_dim3 block_index(rill_dim3 grid, uint64_t number)
{
    uint64_t row = number / grid.x;
    return (rill_dim3){ (uint32_t)(number % grid.x), (uint32_t)(row % grid.y),
                        (uint32_t)(row / grid.y) };
}

/* ---- One after the other -------------------------------------------------------------- */

static void run_shuffled(const struct kernel_launch *kernel, rill_launch *launch,
                         const struct kernel_fault *fault)
{
    uint64_t blocks = count_blocks(launch->grid);
    struct rl_shuffle shuffle = rl_shuffle_of(sim_kernel_manner(kernel).order, blocks);
    for (uint64_t i = 0; i < blocks; i++) {
        if (atomic_load_explicit(&fault->status, memory_order_relaxed)) return;
        launch->index = block_index(launch->grid, rl_shuffle_at(&shuffle, i));
        kernel->function->over_block(launch);
    }
}

static void run_blocks(const struct sim_function *function, rill_launch *launch,
                       const struct kernel_fault *fault)
{
    rill_dim3 grid = launch->grid;
    for (uint32_t z = 0; z < grid.z; z++)
        for (uint32_t y = 0; y < grid.y; y++)
            for (uint32_t x = 0; x < grid.x; x++) {
                if (atomic_load_explicit(&fault->status, memory_order_relaxed)) return;
                launch->index = (rill_dim3){ x, y, z };
                function->over_block(launch);
            }
}

/* ---- At once ---------------------------------------------------------------------------- */

/* A grid of a C function, whose blocks are taken by their number. */
struct c_grid {
    struct grid grid; /* must stay first */
    const struct sim_function *function;
    const rill_launch *launch;
    struct kernel_fault *fault;
    const struct told *told;    /* or NULL */
    atomic_uint_least64_t next; /* the first block that no thread has begun */
};

static bool more_blocks(const struct grid *grid)
{
    const struct c_grid *blocks = (const struct c_grid *)grid;
    return atomic_load_explicit(&blocks->next, memory_order_relaxed) < grid->blocks;
}

static void take_blocks(struct c_grid *blocks, rill_launch *launch)
{
    for (;;) {
        if (atomic_load_explicit(&blocks->fault->status, memory_order_relaxed)) return;
        uint64_t block = atomic_fetch_add_explicit(&blocks->next, 1, memory_order_relaxed);
        if (block >= blocks->grid.blocks) return;
        launch->index = block_index(launch->grid, block);
        blocks->function->over_block(launch);
    }
}

/* Runs blocks until none is left.  A helper needs shared memory of its own to help. */
static void run_at_once(struct grid *grid, bool helper)
{
    struct c_grid *blocks = (struct c_grid *)grid;
    rill_launch launch = *blocks->launch;
    unsigned char *own = NULL;
    if (helper && launch.shared_bytes) {
        launch.shared = own = rl_zalloc_lines(launch.shared_bytes);
        if (!own) return;
    }
    const struct told *told = helper ? blocks->told : NULL;
    if (told) sim_watch_joins(told);
    take_blocks(blocks, &launch);
    if (told) sim_watch_leaves(told);
    rl_free(own);
}

static void share_blocks(const struct kernel_launch *kernel, const rill_launch *launch,
                         struct kernel_fault *fault)
{
    struct c_grid blocks = {
        .grid = { .blocks = count_blocks(launch->grid),
                  .block_ns = &kernel->function->block_ns,
                  .run = run_at_once, .more = more_blocks },
        .function = kernel->function, .launch = launch, .fault = fault,
        .told = kernel->told,
    };
    sim_grid_run(kernel->platform->engine, &blocks.grid);
}

/* ---- Any ---------------------------------------------------------------------------------- */

static void run_c(const struct kernel_launch *kernel, struct kernel_fault *fault)
{
    const struct sim_function *function = kernel->function;
    rill_launch launch = {
        .grid = kernel->grid, .block = kernel->block,
        .shared = kernel->shared_bytes ? kernel->shared : NULL,
        .shared_bytes = kernel->shared_bytes,
        .params = kernel->params, .param_count = function->param_count,
        .device = fault, .calls = &calls,
    };
    if (function->over_grid) function->over_grid(&launch);
    else if (kernel->platform->engine->steering) run_shuffled(kernel, &launch, fault);
    else if (function->blocks_at_once) share_blocks(kernel, &launch, fault);
    else run_blocks(function, &launch, fault);
}

void sim_kernel_run(const struct kernel_launch *launch, struct kernel_fault *fault)
{
    atomic_init(&fault->status, 0);
    fault->context = launch->function->code->context_id;
    sim_host_depth++;
    RL_BEFORE_UNSEEN();
    if (launch->function->ptx) sim_kernel_run_ptx(launch, fault);
    else run_c(launch, fault);
    sim_host_depth--;
}

/* ---- Time that is virtual ----------------------------------------------------------------- */

void sim_kernel_demand(const struct sim_function *function, rill_dim3 grid, rill_dim3 block,
                       struct demand *demand)
{
    demand->kind = DEMAND_KERNEL;
    demand->name = function->name;
    demand->amount = (uint64_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
}

void rill_sim_charge(const rill_launch *launch, uint64_t instructions)
{
    if (launch && launch->device) rl_charge_add(instructions);
}
