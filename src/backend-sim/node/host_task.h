/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions as nodes.  The program calls them; the task holds the function, and destroys
 * its data when no thread can call it any more.
 */
#ifndef SIM_HOST_TASK_H
#define SIM_HOST_TASK_H

#include "backend-sim/graph/task.h"

struct host_thread;

struct host_task {
    struct task task;
    rill_host_fn fn;
    void *data;
    rill_destroy_fn destroy;    /* may be NULL; run when the task is freed */
    struct host_thread *thread; /* calls `fn`; NULL if any thread may      */
};

#endif
