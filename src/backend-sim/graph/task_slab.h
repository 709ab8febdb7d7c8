/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for tasks.
 *
 * The tasks of a graph are made one after the other and read in that order when the graph is
 * frozen, updated or freed; so they lie next to each other, many in one allocation.  A slab is
 * filled once and freed with the last task in it.
 */
#ifndef SIM_TASK_SLAB_H
#define SIM_TASK_SLAB_H

#include <stddef.h>

struct task;
struct task_room;

/* Allocates a task and sets its `slab`.  The task lies in a slab of `room`, or by itself if `room`
 * is NULL.  Returns NULL if memory is short. */
void *sim_task_alloc(struct task_room *room, size_t bytes);

/* Frees the memory of a task, wherever the task lies. */
void sim_task_free(struct task *task);

/* Ends the room when its context goes; tasks may outlive it. */
void sim_task_room_end(struct task_room *room);

#endif
