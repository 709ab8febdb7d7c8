/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory nodes: what alloc and free nodes are, what they forbid their graph, and
 * what execs and launches of such a graph must heed.
 *
 * An allocation has its address as soon as its node is made; it is memory from
 * the run of the alloc node to that of its free, be it a node of the same graph
 * or another, a free in a stream, or the next launch of an exec that frees by
 * itself.  Whether the program may launch and free is decided in the order of
 * submission; what work finds, in the order in which things happen (graph_heap.h
 * keeps both).
 */
#ifndef SIM_MEMORY_TASK_H
#define SIM_MEMORY_TASK_H

#include "backend-sim/graph/graph.h"
#include "backend-sim/memory/graph_heap.h"

/* What both have in common. */
struct memory_task {
    struct task task;
    struct graph_block *block;  /* a reference of its own                     */
    uint32_t graph;             /* the serial of the node's                   */
    atomic_bool taken;          /* by an exec                                 */
    atomic_bool was_taken;      /* by an exec, at some time                   */
};

struct free_task;

struct alloc_task {
    struct memory_task memory;
    uint64_t bytes;             /* as they were asked for                     */
    uint64_t access;            /* bit n: device n may reach them             */

    /* ---- the heap's lock ---- */
    struct block_owner owner;   /* what the block knows of it                 */
    struct free_task *frees;    /* of it, in this graph or in others          */
    bool lent;                  /* another graph has, or had, a free of it    */
};

static inline struct alloc_task *sim_alloc_of_owner(struct block_owner *owner)
{
    return (struct alloc_task *)(void *)((char *)owner - offsetof(struct alloc_task, owner));
}

struct free_task {
    struct memory_task memory;
    struct alloc_task *target;  /* retained; NULL: it was gone already, and a
                                   launch of it had left the block allocated  */
    bool own;                   /* of the same graph as the target            */
    struct free_task *next;     /* of the target's, or of the block's late
                                   ones; the heap's lock                      */
};

/* ---- Making nodes -------------------------------------------------------------- */

/* Checks whether the graph may have such nodes at all. */
rill_status sim_memory_node_check(const struct sim_graph *graph, const rill_op *op);

/* Checks that no node of the graph frees memory that a copy or fill names, as `argument`,
 * and that is added to it.  Nodes that are in the graph may name such memory, and so may
 * other graphs. */
rill_status sim_graph_memory_check_named(const struct sim_graph *graph, const char *argument,
                                         uint64_t address);

/* ---- Execs ----------------------------------------------------------------------- */

/* The memory nodes of an exec.  As all that an exec is made of, it belongs to
 * one call at a time; what runs reads what is fixed. */
struct exec_memory;

/* Takes the memory nodes of a graph and its children for an exec: they are of one
 * at a time.  NULL with RILL_SUCCESS: there are none. */
rill_status sim_exec_memory_take(struct sim_graph *graph, uint32_t flags,
                                 struct exec_memory **memory);

/* The exec is made: its graph frees none of its memory from now on, even once the exec is
 * gone.  NULL is nothing, as below. */
void sim_exec_memory_keep(struct exec_memory *memory);

/* The exec is destroyed: another may take them. */
void sim_exec_memory_end(struct exec_memory *memory);

/* Its last launch is over, too. */
void sim_exec_memory_free(struct exec_memory *memory);

/* Before a launch is submitted to a stream, best under its submit lock: whether it
 * may be, by what was submitted so far, and memory for all that it allocates.
 * With RILL_SUCCESS the launch counts as submitted until it is over ... */
rill_status sim_exec_memory_launch(struct exec_memory *memory, const struct strand *strand);
void sim_exec_memory_conclude(struct exec_memory *memory, const struct strand *strand);

/* ... unless it is taken back. */
void sim_exec_memory_cancel(struct exec_memory *memory, const struct strand *strand);

/* Gets memory for all that launches will allocate.  NULL: nothing. */
rill_status sim_exec_memory_upload(struct exec_memory *memory, const struct strand *strand);

/* A launch begins to run: ends what an earlier one left, if the exec frees by
 * itself.  NULL: nothing. */
void sim_exec_memory_begin(const struct exec_memory *memory);

#endif
