/* SPDX-License-Identifier: Apache-2.0
 *
 * A task: what a node does, checked and copied from a rill_op when the node was
 * added.  A task never changes.  A graph, its clones and the execs made from
 * them share it by reference; setting a node's operation puts another task in
 * its place, and launches that run the old task go on with it.
 *
 * Each kind of task has a file in node/ and a struct that begins with `struct task`.
 */
#ifndef SIM_TASK_H
#define SIM_TASK_H

#include "backend-sim/graph/node_kind.h"
#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/memory.h"

struct task {
    const struct node_kind *kind;
    atomic_uint references;
    uint16_t marks; /* enum task_marks; fixed */
    uint16_t slab;  /* distance from the beginning of its slab (task_slab.h); 0 if the task
                       has memory of its own */
};

/* Properties of one task; a program counts them over all of its tasks. */
enum task_marks {
    TASK_WAITS = 1,       /* may have to wait for something outside the graph; the program
                             carries the task out instead of running it                 */
    TASK_RECORDS = 2,     /* records an event; the program carries the task out         */
    TASK_DANGLING = 4,    /* names an address where there was no memory when the task was
                             made: launches are refused, as measured                    */
    TASK_IS_PAGEABLE = 8, /* copies pageable memory of the host ...                     */
    TASK_READS_EARLY = 16 /* ... to memory that a device reaches: it is read when a launch
                             is submitted (early.h)                                     */
};

static inline void sim_task_retain(struct task *task)
{
    atomic_fetch_add_explicit(&task->references, 1, memory_order_relaxed);
}

static inline void sim_task_release(struct task *task)
{
    if (atomic_fetch_sub_explicit(&task->references, 1, memory_order_acq_rel) == 1)
        task->kind->free(task);
}

/* Prefetches a task for a loop that retains or releases more tasks than the caches hold. */
static inline void sim_tasks_prefetch(struct task *const *tasks, uint32_t at, uint32_t count)
{
    enum { AHEAD = 8 };
    if (count - at > AHEAD) __builtin_prefetch(tasks[at + AHEAD], 1);
}

/* Returns how many graphs a task holds, and the array of them. */
static inline uint32_t sim_task_graphs(const struct task *task, rill_graph *const **graphs)
{
    return task->kind->graphs ? task->kind->graphs(task, graphs) : 0;
}

/* Returns the kernel's name, or the word of the kind. */
const char *sim_task_name(const struct task *task);

/* Fills `op` with the operation, as rill_node_get_op() promises. */
void sim_task_read(const struct task *task, rill_op *op);

/* ---- For the makers ----------------------------------------------------------- */

/* Initializes the head of a task in memory of sim_task_alloc(), or in memory that is zeroed. */
static inline void sim_task_init(struct task *task, const struct node_kind *kind, unsigned marks)
{
    task->kind = kind;
    atomic_init(&task->references, 1);
    task->marks = (uint16_t)marks;
}

static inline rill_status sim_out_of_memory_for_node(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the node");
}

#endif
