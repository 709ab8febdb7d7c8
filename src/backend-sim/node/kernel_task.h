/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as nodes (kernel_task.c), and their attributes (kernel_attributes.c).
 */
#ifndef SIM_KERNEL_TASK_H
#define SIM_KERNEL_TASK_H

#include "backend-sim/graph/task.h"
#include "backend-sim/kernel/kernel.h"

/* Allocated in one piece with what its pointers point at. */
struct kernel_task {
    struct task task;
    struct sim_platform *platform;
    struct sim_function *function; /* its code is retained                   */
    uint64_t context;              /* id of the kernel's context             */
    rill_dim3 grid, block;
    uint32_t dynamic_shared;       /* bytes, as given                        */
    uint32_t attribute_count;
    bool packed;                   /* the arguments came in one buffer       */
    atomic_bool shared_in_use;
    struct launch_dims dims;       /* what the attributes say                */
    rill_attribute *attributes;    /* each that was set, once                */
    const void **params;           /* one for each argument                  */
    unsigned char *arguments;      /* packed as the layout says              */
    unsigned char *shared;         /* memory of the blocks, or NULL          */
};

static inline const struct kernel_task *sim_kernel_task_of(const struct task *task)
{
    return (const struct kernel_task *)task;
}

/* Makes a task for an operation that was checked; the caller keeps the function's code alive.
 * Returns NULL if memory is short. */
struct kernel_task *sim_kernel_task_make(const rill_kernel_op *op, struct sim_platform *platform,
                                         uint64_t context, struct sim_function *function);

/* ---- Attributes ------------------------------------------------------------------ */

/* Enough for one of each kind. */
#define NODE_ATTRIBUTES_MAX 17

struct attribute_list {
    rill_attribute items[NODE_ATTRIBUTES_MAX];
    size_t count;
};

/* Returns an attribute of the node: as it was set, or its initial value. */
rill_attribute sim_kernel_task_attribute(const struct kernel_task *kernel, rill_attribute_id id);

/* Merges the attributes in `op` into those of `before`, which may be NULL, and checks all of them
 * against the grid and block of `op`. */
rill_status sim_attributes_merge(const struct kernel_task *before, const rill_kernel_op *op,
                                 const struct sim_platform *platform,
                                 const struct sim_function *function,
                                 struct attribute_list *list);

rill_status sim_node_get_attribute(rill_graph *graph, rill_node node, rill_attribute *attribute);
rill_status sim_node_set_attribute(rill_graph *graph, rill_node node,
                                   const rill_attribute *attribute);
rill_status sim_node_copy_attributes(rill_graph *graph, rill_node dst, rill_node src);

#endif
