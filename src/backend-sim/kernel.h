/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels, wherever they come from: an operation of a stream
 * (kernel.c) or the node of a graph (kernel_task.c).
 */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "backend-sim/module.h"

/* ---- Checking (kernel_check.c) ----------------------------------------------- */

/* Grid, block, shared memory and arguments.  `misfit`: the status of packed ones that have
 * another size, which differs between launches and nodes. */
rill_status sim_kernel_check(const rill_kernel_op *op, const struct sim_function *function,
                             rill_status misfit);

/* Whether that refuses the launch for its arguments, and for nothing before. */
bool sim_kernel_lacks_arguments(const rill_kernel_op *op, const struct sim_function *function);

/* Whether the value of a launch attribute is possible, with this grid and block.
 * Events and updates from the device are their callers' to judge. */
rill_status sim_kernel_check_attribute(const rill_kernel_op *op, const rill_attribute *attribute,
                                       const struct sim_function *function);

static inline bool sim_attribute_records_event(const rill_attribute *attribute)
{
    return attribute->id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT ||
           attribute->id == RILL_ATTRIBUTE_COMPLETION_EVENT;
}

/* ---- Running (kernel_run.c) ---------------------------------------------------- */

static inline size_t sim_lines(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Copies what the launch was given, packed as the layout says. */
void sim_kernel_copy_arguments(unsigned char *to, const rill_kernel_op *op,
                               const struct sim_function *function);

/* How a launch failed. */
struct kernel_fault {
    atomic_int status; /* 0: it did not.  The first one wins */
    char message[RILL_ERROR_MESSAGE_MAX / 2];
};

/* Runs a launch, block by block or over the whole grid, in the calling thread.
 * The caller has filled `launch` but for its device and index.  What a kernel
 * says with rill_sim_fault() is in `fault`. */
void sim_kernel_run(const struct sim_function *function, rill_launch *launch,
                    struct kernel_fault *fault);

#endif
