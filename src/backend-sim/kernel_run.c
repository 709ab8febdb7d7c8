/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a kernel, and how it says that it failed.
 */
#include <stdio.h>
#include <string.h>

#include <rill/sim.h>

#include "backend-sim/kernel.h"

void sim_kernel_copy_arguments(unsigned char *to, const rill_kernel_op *op,
                               const struct sim_function *function)
{
    if (op->buffer) {
        memcpy(to, op->buffer, function->buffer_bytes);
        return;
    }
    for (uint32_t i = 0; i < function->param_count; i++)
        memcpy(to + function->offsets[i], op->params[i], function->params[i].bytes);
}

void rill_sim_fault(const rill_launch *launch, rill_status status, const char *message)
{
    struct kernel_fault *fault = launch ? launch->device : NULL;
    if (!fault) return;
    if (!rill_error_is_sticky(status)) status = RILL_ERROR_LAUNCH_FAILED;
    int none = 0;
    if (!atomic_compare_exchange_strong(&fault->status, &none, (int)status)) return;
    snprintf(fault->message, sizeof fault->message, "%s", message ? message : "a kernel failed");
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

static const rill_launch_calls calls = {
    .size = sizeof calls,
    .fault = rill_sim_fault,
    .set_conditional = rill_sim_set_conditional,
};

void sim_kernel_run(const struct sim_function *function, rill_launch *launch,
                    struct kernel_fault *fault)
{
    atomic_init(&fault->status, 0);
    launch->device = fault;
    launch->calls = &calls;
    sim_inside++;
    if (function->over_grid) function->over_grid(launch);
    else run_blocks(function, launch, fault);
    sim_inside--;
}
