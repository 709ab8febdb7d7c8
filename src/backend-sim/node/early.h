/* SPDX-License-Identifier: Apache-2.0
 *
 * Early reads: pageable memory of the host that copy nodes read when their launch is
 * submitted, not when they run.
 */
#ifndef SIM_EARLY_H
#define SIM_EARLY_H

#include "backend-sim/memory/memory.h"

struct task;

/* One for each task: nodes that share a task read the same at the same time. */
struct early_read {
    const struct task *task;
    struct sim_copy copy;
};

struct early_reads {
    uint32_t count;
    struct early_read items[]; /* by address of the task */
};

void sim_early_free(struct early_reads *reads);

/* Sorts the reads for sim_early_find(). */
void sim_early_sort(struct early_reads *reads);

/* Returns what was read for a task, or NULL.  `reads` may be NULL. */
const struct sim_copy *sim_early_find(const struct early_reads *reads, const struct task *task);

#endif
