/* SPDX-License-Identifier: Apache-2.0
 *
 * Bookkeeping for nodes that affect the graphs enclosing them: those that hold graphs, and
 * those that forbid something to all graphs around them.
 */
#ifndef SIM_NESTED_H
#define SIM_NESTED_H

#include "backend-sim/graph/graph.h"

/* Returns whether enclosing graphs must count a node.  Most kinds need not be counted. */
static inline bool sim_nested_any(const struct task *task)
{
    return task->kind->traits & (KIND_IS_MEMORY | KIND_HOLDS_GRAPHS);
}

/* Count such a node in when it comes, and out when it goes.  The graphs of a node that goes can
 * no longer be used, although an exec may keep them. */
void sim_nested_come(struct sim_graph *graph, struct task *task);
void sim_nested_go(struct sim_graph *graph, struct task *task);

/* Does the same for the graphs inside a graph that goes. */
void sim_nested_leave(struct sim_graph *graph);

/* Refuses what a graph with memory nodes, its own or those of graphs inside, does not allow:
 * `what` is "lose edges", say.  Returns RILL_SUCCESS if it has none. */
rill_status sim_memory_nodes_forbid(const struct sim_graph *graph, const char *what);

#endif
