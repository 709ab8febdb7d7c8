/* SPDX-License-Identifier: Apache-2.0
 *
 * All kinds of nodes, and how a node of any kind is made.
 */
#ifndef SIM_KINDS_H
#define SIM_KINDS_H

#include "backend-sim/graph/node_kind.h"
#include "base/words/op_kind.h"

/* By rill_op_kind; NULL for kinds that the simulator does not have. */
extern const struct node_kind *const sim_kinds[RL_OP_KINDS];

/* One in the file of each kind's tasks. */
extern const struct node_kind sim_kind_kernel, sim_kind_copy, sim_kind_fill, sim_kind_host,
    sim_kind_child, sim_kind_empty, sim_kind_event_wait, sim_kind_event_record, sim_kind_alloc,
    sim_kind_free, sim_kind_values, sim_kind_conditional;

/* Returns the row of a kind, or NULL if the simulator does not have it. */
static inline const struct node_kind *sim_kind_find(rill_op_kind kind)
{
    return (unsigned)kind < RL_OP_KINDS ? sim_kinds[kind] : NULL;
}

/* Returns the kinds that have any of the traits, one bit each: 1 << rill_op_kind. */
uint32_t sim_kinds_with(unsigned traits);

/* Refuses a kind that sim_kind_find() does not find. */
rill_status sim_kind_refuse(rill_op_kind kind);

/* Checks `op` as rill_graph_add_node() does and makes a task with one reference, or
 * refuses and gives back what `op` owns.  `before` is the present task of a node that gets
 * another one of the same kind, or NULL for a new node. */
rill_status sim_task_create(const struct node_site *site, const rill_op *op,
                            const struct task *before, struct task **task);

/* Does the same for a node whose task is `before`; refuses an operation of another kind, and kinds
 * whose nodes never change. */
rill_status sim_task_change(const struct node_site *site, const rill_op *op,
                            const struct task *before, struct task **task);

#endif
