/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for tasks.
 *
 * Those of a graph are made one after the other, and whoever freezes, updates or frees
 * looks at them in that order; so they lie side by side, many in one allocation.  A
 * slab is filled once and freed with the last task in it.
 */
#ifndef SIM_TASK_SLAB_H
#define SIM_TASK_SLAB_H

#include <stddef.h>

struct task;
struct task_room;

/* Memory for a task, of which `slab` is set; NULL when memory is short.  `room` NULL: by
 * itself. */
void *sim_task_alloc(struct task_room *room, size_t bytes);

/* Of either. */
void sim_task_free(struct task *task);

/* The context goes; its tasks may stay. */
void sim_task_room_end(struct task_room *room);

#endif
