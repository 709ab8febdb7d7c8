/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files on the kinds of nodes share.  A call on a node first reads the driver's
 * parameters into an operation, `read` being the status of that, and then looks at the
 * graph and the node, whose faults come before those of the parameters.
 */
#ifndef SI_NODE_H
#define SI_NODE_H

#include "standin/graph/graph.h"
#include "standin/stream/value.h"

/* What an operation points at that has another form with the driver. */
struct si_op_buffers {
    rill_value values[SI_VALUES_MAX];
    rill_attribute attributes[1]; /* that a kernel asks for by itself */
};

/* Adds a node that does `op`. */
CUresult si_node_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                     size_t count, const rill_edge *edges, CUresult read, rill_op *op);

/* Finds a node's operation and its graph.  Refuses a node of another kind. */
CUresult si_node_get(CUgraphNode node, rill_op_kind kind, rill_graph **graph, rill_op *op);

/* Lets the node do `op` from now on. */
CUresult si_node_set(CUgraphNode node, CUresult read, const rill_op *op);

/* Refuses a node of another kind, and any of a kind that is `fixed`: the driver checks this
 * before it looks at the parameters. */
CUresult si_node_check_settable(CUgraphNode node, int kind, int fixed);

/* Returns `read`, or what is wrong with the context that the driver wants to be told for a
 * node.  rill knows it without: by the kernel, or by the memory.  NULL is the current one. */
CUresult si_node_check_context(CUcontext context, CUresult read);

#endif
