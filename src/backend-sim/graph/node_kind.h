/* SPDX-License-Identifier: Apache-2.0
 *
 * A kind of node: all that graphs, execs, captures and drawings ask of it.
 *
 * Each kind is a const row in the file of its tasks, and a line in sim_kinds (kinds.h).  Code
 * that is not about one kind alone asks the row.  tests/sim/test_kinds.c checks what a row
 * must have; doc/internals/adding-a-kind.md says how a kind is added.
 */
#ifndef SIM_NODE_KIND_H
#define SIM_NODE_KIND_H

#include <rill/graph.h>
#include <stdbool.h>
#include <stdint.h>

struct demand;
struct dot;
struct link;
struct sim_context;
struct sim_graph;
struct sim_platform;
struct task;
struct update_refusal;
struct told;

/* What code that treats several kinds alike asks for. */
enum kind_traits {
    KIND_IS_MEMORY = 1,       /* allocates or frees                                     */
    KIND_HOLDS_GRAPHS = 2,    /* has `graphs`                                           */
    KIND_FIXED = 4,           /* its nodes never change, in execs neither               */
    KIND_CAN_BE_DISABLED = 8, /* its nodes can be disabled in an exec                   */
    KIND_IS_PLAIN = 16,       /* a chain of such nodes runs in a plain loop, unless one
                                 has TASK_WAITS                                         */
    KIND_ON_DEVICE = 32,      /* may be in a graph that is launched from the device, and in
                                 the body of a conditional                              */
    KIND_IN_BODIES = 64,      /* may be in the body of a conditional                    */
    KIND_CHECKED_LATE = 128,  /* the driver has added the node when it refuses it, and
                                 takes it out again                                     */
    KIND_IS_CARRIED_OUT = 256 /* has no `run`: the program carries its nodes out, or there is
                                 nothing to do                                          */
};

/* What a host function may do with nodes of a kind, as measured: it cannot add, set or read
 * nodes that need the context. */
enum inside_use { INSIDE_ADD = 1, INSIDE_SET = 2, INSIDE_GET = 4, INSIDE_ALL = 7 };

/* Where a node is made. */
struct node_site {
    struct sim_platform *platform;
    struct sim_context *context;     /* that of the graph, exec or stream: copies and fills
                                        that name no context reach its memory.  It may be
                                        destroyed already.  NULL if none is known; then they
                                        reach all memory                                   */
    struct sim_graph *graph;         /* the graph that gets or has the node; NULL for a node
                                        of an exec, and in a capture for a kind that needs no
                                        graph                                              */
    const struct link *dependencies; /* in `graph`, already checked                        */
    size_t dependency_count;
};

struct node_kind {
    rill_op_kind op;
    unsigned traits; /* enum kind_traits */
    unsigned inside; /* enum inside_use  */

    /* ---- What every task has (task.h) ---- */

    /* Executes the task as part of the current launch.  Called once for each launch,
     * from any thread, when all predecessors are done; two execs that share the task
     * may run it at once.  Allocates nothing that could be refused.  NULL with
     * KIND_IS_CARRIED_OUT alone. */
    void (*run)(struct task *task);
    /* Does the same and tells the watcher (scheduler/watch/watcher.h).  NULL if it is not told. */
    void (*run_watched)(struct task *task, const struct told *told);
    /* Tells what the task demands where time is virtual (scheduler/demand.h).  NULL when it takes
     * no time. */
    void (*demand)(const struct task *task, struct demand *demand);
    /* Frees the task when its last reference is given back. */
    void (*free)(struct task *task);
    /* Fills the member of `op` that belongs to the kind as rill_node_get_op() promises;
     * what it points at lives as long as the task. */
    void (*read)(const struct task *task, rill_op *op);
    /* Returns the task's own name.  NULL when the kind's word will do. */
    const char *(*name)(const struct task *task);

    /* ---- Making nodes ---- */

    /* Checks an operation before the dependencies of the node are looked at.  NULL when
     * the driver checks nothing then. */
    rill_status (*check)(const struct sim_graph *graph, const rill_op *op);
    /* Checks what an operation names against what the nodes of the graph do with it,
     * once the dependencies are known to be good.  Not called by captures.  May be NULL. */
    rill_status (*check_named)(const struct sim_graph *graph, const rill_op *op);
    /* Checks `op` and makes a task with one reference.  `before` is the present task of the
     * node, of the same kind, or NULL for a new node.  What `op` owns belongs to the task on
     * success, and still to the caller on failure. */
    rill_status (*create)(const struct node_site *site, const rill_op *op,
                          const struct task *before, struct task **task);
    /* Completes a task after its node was added to the graph, and what `op` returns to the
     * caller.  May be NULL. */
    void (*placed)(struct sim_graph *graph, uint32_t slot, struct task *task, rill_op *op);
    /* Notes the label of the task's node, which may be NULL.  May be NULL. */
    void (*labelled)(struct task *task, const char *label);
    /* Makes the task for the same node of a copy of the graph.  NULL when tasks of the
     * kind are shared. */
    rill_status (*copy)(struct sim_graph *copy, const struct task *task, struct task **made);
    /* Notes that a node has the task from now on, or that none has.  May be NULL. */
    void (*in_use)(struct task *task, bool used);
    /* Returns how many graphs the task holds, and the array of them.  NULL when it never
     * holds any. */
    uint32_t (*graphs)(const struct task *task, rill_graph *const **graphs);

    /* ---- Execs ---- */

    /* Returns the id of the task's context, or 0 when that does not matter.  NULL when it never
     * does. */
    uint64_t (*context)(const struct task *task);

    /* Checks a task that becomes part of an exec.  NULL when any task may. */
    rill_status (*check_exec)(const struct task *task);
    /* Checks the operation that is to replace `before` in a single node of an exec, for rules
     * that an update of the whole exec does not have.  NULL when there are none. */
    rill_status (*check_exec_change)(const struct task *before, const rill_op *op);
    /* Returns whether `after` may take the place of `before` in an exec, or fills `refusal`.
     * The limits are those of the driver, for which more than parameters is fixed in an exec.
     * `priorities` is true if the exec heeds the priorities of kernels.  NULL when any task of
     * the kind may replace any other; not asked of kinds that are memory or hold graphs. */
    bool (*may_replace)(const struct task *before, const struct task *after, bool priorities,
                        struct update_refusal *refusal);

    /* ---- Drawing (dot.h) ---- */

    /* Write a node as a box, or as a record with all of its parameters: as a record if the caller
     * wants `record_flag`, or if the kind has no box.  One of the two may be NULL. */
    void (*draw)(struct dot *dot, uint32_t slot, const struct task *task, const rill_op *op);
    void (*draw_record)(struct dot *dot, uint32_t slot, const struct task *task,
                        const rill_op *op);
    uint32_t record_flag; /* RILL_DOT_* */
};

#endif
