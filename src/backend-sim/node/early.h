/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch brings along: pageable memory of the host that its copy nodes read early,
 * when the launch is submitted.
 */
#ifndef SIM_EARLY_H
#define SIM_EARLY_H

#include "backend-sim/memory/memory.h"

struct task;

/* Nodes that share a task read the same at the same time. */
struct early_read {
    const struct task *task;
    struct sim_copy copy;
};

struct early_reads {
    uint32_t count;
    struct early_read items[]; /* by address of the task */
};

void sim_early_free(struct early_reads *reads);

/* Sorts what was read, so that it is found. */
void sim_early_sort(struct early_reads *reads);

/* Returns what was read for a task, or NULL.  `reads` may be NULL. */
const struct sim_copy *sim_early_find(const struct early_reads *reads, const struct task *task);

#endif
