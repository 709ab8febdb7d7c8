/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of value operations as nodes.  Their memory is looked up when they are made, so that
 * launches can be refused, and again when they run.  The program carries out a batch that may
 * wait, value by value.
 */
#ifndef SIM_VALUES_TASK_H
#define SIM_VALUES_TASK_H

#include "backend-sim/graph/task.h"

/* A batch of value operations.  The task has TASK_WAITS if one of the items waits. */
struct values_task {
    struct task task;
    struct sim_platform *platform;
    const rill_value *seen; /* the items with the simulator's addresses (memory/views.h) */
    uint32_t count;
    rill_value items[];
};

/* Carries out one of the items, which is no wait.  Returns false if its memory is gone, after
 * failing the device. */
bool sim_values_write(const struct values_task *values, uint32_t item);

/* Fails the device because the memory of one of the items is gone. */
void sim_values_raise(const struct values_task *values, const rill_value *value);

#endif
