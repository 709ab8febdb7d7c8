/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels, by an operation of a stream or by a node of a graph.
 *
 * This is the header of the files that check and run launches.
 */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "backend-sim/kernel/module.h"
#include "backend-sim/scheduler/steering.h"

/* ---- Checking ------------------------------------------------------------------ */

/* Checks that the kernel can run at all, its grid, block, shared memory and arguments.
 * Returns `wrong_size` for packed arguments of a wrong size, since launches and nodes differ
 * in that. */
rill_status sim_kernel_check(const rill_kernel_op *op, const struct sim_function *function,
                             rill_status wrong_size);

/* Check a launch into a stream, in the order of an H200: its block and that its arguments are given
 * in one way; then, after the values of its attributes, its grid, its clusters, whether all of it
 * fits the device if it has to, its shared memory and its arguments. */
rill_status sim_kernel_check_block(const rill_kernel_op *op, const struct sim_function *function);
rill_status sim_kernel_check_launch(const rill_kernel_op *op, const struct sim_function *function);

/* Checks that the module of the kernel has no references to textures, as one in a graph must. */
rill_status sim_kernel_check_unbound(const struct sim_function *function);

/* Tells whether that check refuses the launch because of its arguments, and of nothing that
 * it checks before them. */
bool sim_kernel_lacks_arguments(const rill_kernel_op *op, const struct sim_function *function);

/* Checks that the value of a launch attribute is one of its values.  Callers judge events and
 * updates from the device themselves. */
rill_status sim_kernel_check_value(const rill_attribute *attribute,
                                   const struct sim_function *function);

/* The same, and that it is possible with this grid and block. */
rill_status sim_kernel_check_attribute(const rill_kernel_op *op, const rill_attribute *attribute,
                                       const struct sim_function *function);

static inline bool sim_attribute_records_event(const rill_attribute *attribute)
{
    return attribute->id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT ||
           attribute->id == RILL_ATTRIBUTE_COMPLETION_EVENT;
}

/* What the attributes of a launch say about its grid. */
struct launch_dims {
    uint8_t cluster[3]; /* blocks in each dimension, or 0 if none is given */
    bool cooperative;
};

struct launch_dims sim_launch_dims(const rill_attribute *attributes, size_t count);

/* Says what a launch demands (scheduler/demand.h). */
struct demand;
void sim_kernel_demand(const struct sim_function *function, rill_dim3 grid, rill_dim3 block,
                       struct demand *demand);

/* ---- Running ------------------------------------------------------------------- */

/* Copies the arguments of a launch, packed as the layout says. */
void sim_kernel_copy_arguments(unsigned char *to, const rill_kernel_op *op,
                               const struct sim_function *function);

/* Copies the handles that are bound to references of the module, after these: a launch has the
 * textures that are bound when it is submitted, whatever is bound when it runs. */
void sim_kernel_copy_bound(unsigned char *to, const struct sim_function *function);

/* How a launch failed, and whose launch it is. */
struct kernel_fault {
    uint64_t context;  /* the id of the kernel's context */
    atomic_int status; /* of the first failure, or 0     */
    char message[SIM_FAULT_MAX];
};

/* Fails the launch, unless it has failed already.  A status that is not sticky becomes
 * RILL_ERROR_LAUNCH_FAILED. */
void sim_kernel_fail(struct kernel_fault *fault, rill_status status, const char *message);

/* Sets the value of a conditional in the launch that the kernel is a part of.  Returns false
 * if it is a part of none, or that has no conditionals of the kernel's context. */
bool sim_kernel_set_conditional(const struct kernel_fault *kernel, rill_conditional handle,
                                uint32_t value);

/* The message for a kernel that sets a conditional which is not its graph's. */
#define SIM_WRONG_CONDITIONAL \
    "it set the value of a conditional that is none of the graph it runs in"

struct told;
struct ptx_findings;

/* A launch that is about to run. */
struct kernel_launch {
    struct sim_function *function;
    struct sim_platform *platform;
    rill_dim3 grid, block;
    const unsigned char *arguments; /* packed                                         */
    const void *const *params;      /* the arguments one by one; for C functions      */
    unsigned char *shared;          /* memory of the first block; for C functions     */
    uint32_t shared_bytes;          /* static and dynamic                             */
    struct launch_dims dims;
    struct rl_footprint *footprint; /* receives what a kernel of PTX touches, or NULL */
    struct rl_footprint **freed;    /* ditto, what it frees of the heap of kernels; *freed is made
                                       when that is anything                          */
    struct ptx_findings *findings;  /* receives what is wrong within it, or NULL      */
    const struct told *told;        /* what the watcher is told of it, or NULL        */
};

/* Runs a launch in the calling thread, and also in others if it is long and its blocks may
 * run at once.  `fault` receives what a kernel reports with rill_sim_fault(). */
void sim_kernel_run(const struct kernel_launch *launch, struct kernel_fault *fault);

/* Returns how the schedule wants the launch to run, if it is given. */
struct kernel_manner sim_kernel_manner(const struct kernel_launch *launch);

/* Does the same, and tells the watcher. */
void sim_kernel_run_watched(const struct kernel_launch *launch, struct kernel_fault *fault,
                            const struct told *told);

/* Does what sim_kernel_run() does for a kernel of PTX. */
void sim_kernel_run_ptx(const struct kernel_launch *launch, struct kernel_fault *fault);

/* Reserves the memory that a launch of a kernel of PTX, which was checked, needs when it
 * begins.  Refuses it if the cluster that the kernel must have does not divide the grid. */
rill_status sim_kernel_reserve_for(const rill_kernel_op *op, const struct sim_function *function,
                                   struct sim_platform *platform);

#endif
