/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: a handle, and bodies, which are graphs that the node owns.
 */
#ifndef SIM_CONDITIONAL_TASK_H
#define SIM_CONDITIONAL_TASK_H

#include "backend-sim/graph/task.h"

struct conditional_handle;

struct conditional_task {
    struct task task;
    rill_conditional handle;
    struct conditional_handle *entry; /* the graph's, of that handle; not for execs */
    rill_conditional_kind kind;
    uint32_t body_count;
    rill_graph *bodies[]; /* owned by the node */
};

#endif
