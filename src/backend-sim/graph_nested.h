/* SPDX-License-Identifier: Apache-2.0
 *
 * What nodes hold of which graphs must know: graphs inside them, and nodes that forbid
 * something to all graphs around them.
 */
#ifndef SIM_GRAPH_NESTED_H
#define SIM_GRAPH_NESTED_H

#include "backend-sim/graph.h"

/* Whether a node may hold something of which graphs around it must know: most do not. */
static inline bool sim_nested_any(const struct task *task)
{
    const rill_op_kind kind = task->type->kind;
    return kind == RILL_OP_ALLOC || kind == RILL_OP_FREE || kind == RILL_OP_GRAPH ||
           kind == RILL_OP_CONDITIONAL;
}

/* Such a node comes, or goes: its graphs are nobody's to use then, although an exec may
 * keep them. */
void sim_nested_come(struct sim_graph *graph, struct task *task);
void sim_nested_go(struct sim_graph *graph, struct task *task);

/* Of a graph that goes: the same for the graphs inside. */
void sim_nested_leave(struct sim_graph *graph);

#endif
