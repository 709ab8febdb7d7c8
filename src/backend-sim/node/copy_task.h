/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies as nodes.  Host memory is read and written when the node runs, except pageable memory
 * that is copied to memory of a device: that is read when the launch is submitted.
 */
#ifndef SIM_COPY_TASK_H
#define SIM_COPY_TASK_H

#include "backend-sim/graph/task.h"

/* Reads the source of a copy now, for `copy` to write it later. */
rill_status sim_copy_task_read(const struct task *task, struct sim_copy *copy);

#endif
