/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory nodes: alloc and free nodes, what they forbid their graph, and what execs
 * and launches of such a graph must heed.
 *
 * An allocation has its address as soon as its node is made.  It is memory from the run of the
 * alloc node until it is freed: by a node of the same graph or of another one, by a free in a
 * stream, or by the next launch of an exec with RILL_EXEC_AUTO_FREE.  The order of submission
 * decides whether the program may launch and free; the order in which things happen decides
 * what running work finds.  graph_heap.h keeps both.
 *
 * The header of all files about memory nodes, here and in exec/.
 */
#ifndef SIM_MEMORY_TASK_H
#define SIM_MEMORY_TASK_H

#include "backend-sim/graph/graph.h"
#include "backend-sim/memory/graph_heap.h"

/* What alloc and free nodes have in common. */
struct memory_task {
    struct task task;
    struct graph_block *block;  /* retained                                   */
    uint32_t graph;             /* the serial of the node's graph             */
    atomic_bool claimed;        /* by an exec                                 */
    atomic_bool ever_claimed;   /* by any exec so far                         */
};

struct free_task;

struct alloc_task {
    struct memory_task memory;
    uint64_t bytes;             /* as requested                               */
    uint64_t access;            /* bit n: device n may reach the memory       */

    /* ---- the heap's lock ---- */
    struct block_owner owner;   /* what the block knows of this task          */
    struct free_task *frees;    /* of this allocation, in any graph           */
    bool freed_elsewhere;       /* another graph has or had a free of it      */
};

static inline struct alloc_task *sim_alloc_of_owner(struct block_owner *owner)
{
    return (struct alloc_task *)(void *)((char *)owner - offsetof(struct alloc_task, owner));
}

struct free_task {
    struct memory_task memory;
    struct alloc_task *target;  /* retained; NULL if the alloc node was gone
                                   already, after a launch of it had left the
                                   block allocated                            */
    bool own;                   /* of the same graph as the target            */
    struct free_task *next;     /* in target->frees, or in block->late if the
                                   target is NULL; the heap's lock            */
};

/* ---- Making nodes -------------------------------------------------------------- */

/* Checks whether the graph may have such nodes at all. */
rill_status sim_memory_node_check(const struct sim_graph *graph, const rill_op *op);

/* Checks that no node of the graph frees the memory at `address`, which a copy or fill that is
 * added to the graph names as `argument`.  Nodes that were added before the free may name such
 * memory, and so may other graphs. */
rill_status sim_graph_memory_check_named(const struct sim_graph *graph, const char *argument,
                                         uint64_t address);

/* ---- Execs ----------------------------------------------------------------------- */

/* The memory nodes of an exec.  Like the rest of the exec, they belong to one call at a time;
 * running launches read only what is fixed. */
struct exec_memory;

/* Claims the memory nodes of a graph and its children for an exec; they belong to one exec at a
 * time.  Returns NULL with RILL_SUCCESS if there are none. */
rill_status sim_exec_memory_take(struct sim_graph *graph, uint32_t flags,
                                 struct exec_memory **memory);

/* Notes that the exec was made: from now on its graph cannot get nodes that free its memory, even
 * after the exec is destroyed.  Does nothing if `memory` is NULL, like the next two functions. */
void sim_exec_memory_keep(struct exec_memory *memory);

/* Gives up the claim when the exec is destroyed: another exec may claim the nodes. */
void sim_exec_memory_end(struct exec_memory *memory);

/* Frees `memory` once the last launch of the exec is over, too. */
void sim_exec_memory_free(struct exec_memory *memory);

/* Called before a launch is submitted to a stream, preferably under its submit lock.  Checks
 * whether what was submitted so far permits the launch, and gets memory for all that it
 * allocates.  After RILL_SUCCESS the launch counts as submitted until it is concluded or
 * cancelled. */
rill_status sim_exec_memory_launch(struct exec_memory *memory, const struct strand *strand);
void sim_exec_memory_conclude(struct exec_memory *memory, const struct strand *strand);

/* Takes back a launch that was not submitted after all. */
void sim_exec_memory_cancel(struct exec_memory *memory, const struct strand *strand);

/* Gets memory for all that launches will allocate.  Does nothing if `memory` is NULL. */
rill_status sim_exec_memory_upload(struct exec_memory *memory, const struct strand *strand);

/* Called when a launch begins to run: frees what an earlier launch left, if the exec has
 * RILL_EXEC_AUTO_FREE.  Does nothing if `memory` is NULL. */
void sim_exec_memory_begin(const struct exec_memory *memory);

#endif
