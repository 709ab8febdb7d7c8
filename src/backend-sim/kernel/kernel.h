/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels, wherever they come from: an operation of a stream
 * (kernel.c) or the node of a graph (kernel_task.c).
 */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "backend-sim/kernel/module.h"

/* ---- Checking (kernel_check.c) ----------------------------------------------- */

/* That it can run at all; grid, block, shared memory and arguments.  `misfit`: the status of
 * packed ones that have another size, which differs between launches and nodes. */
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

/* What the attributes of a launch say of its grid. */
struct launch_dims {
    uint8_t cluster[3]; /* blocks in each dimension; 0: none was said */
    bool cooperative;
};

struct launch_dims sim_launch_dims(const rill_attribute *attributes, size_t count);

/* ---- Running (kernel_run.c) ---------------------------------------------------- */

static inline size_t sim_lines(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Copies what the launch was given, packed as the layout says. */
void sim_kernel_copy_arguments(unsigned char *to, const rill_kernel_op *op,
                               const struct sim_function *function);

/* How a launch failed, and whose it is. */
struct kernel_fault {
    uint64_t context;  /* id of the kernel's */
    atomic_int status; /* 0: it did not.  The first one wins */
    char message[SIM_FAULT_MAX];
};

/* The launch fails, unless it did already.  What is no sticky status is LAUNCH_FAILED. */
void sim_kernel_fail(struct kernel_fault *fault, rill_status status, const char *message);

/* Sets the value of a conditional in the launch that the kernel is a part of.  Returns false
 * if it is a part of none, or that has no conditionals of the kernel's context. */
bool sim_kernel_set_conditional(const struct kernel_fault *kernel, rill_conditional handle,
                                uint32_t value);

/* What a kernel is told that does not know its conditionals. */
#define SIM_WRONG_CONDITIONAL \
    "it set the value of a conditional that is none of the graph it runs in"

/* A launch that is about to run. */
struct kernel_launch {
    struct sim_function *function;
    struct sim_platform *platform;
    rill_dim3 grid, block;
    const unsigned char *arguments; /* packed                                         */
    const void *const *params;      /* the same one by one; of a C function           */
    unsigned char *shared;          /* of a block that runs first; of a C function    */
    uint32_t shared_bytes;          /* static and dynamic                             */
    struct launch_dims dims;
};

/* Runs a launch in the calling thread, and in others where its blocks may run at once
 * and it is long.  What a kernel says with rill_sim_fault() is in `fault`. */
void sim_kernel_run(const struct kernel_launch *launch, struct kernel_fault *fault);

/* The same for a kernel of PTX (kernel_ptx.c). */
void sim_kernel_run_ptx(const struct kernel_launch *launch, struct kernel_fault *fault);

/* Sees to it that a launch, which was checked, finds memory when it begins. */
rill_status sim_kernel_reserve_for(const rill_kernel_op *op, const struct sim_function *function,
                                   struct sim_platform *platform);

#endif
