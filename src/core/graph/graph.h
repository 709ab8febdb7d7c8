/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and nodes, for the rest of the core.
 */
#ifndef RL_GRAPH_H
#define RL_GRAPH_H

#include <rill/backend.h>

/* Destroys a graph of the caller's, without rl_finish(), which makes the error record. */
rill_status rl_graph_end(rill_graph *graph);

/* Does what rill_graph_add_node_with_edges() does, in the name of another call. */
rill_status rl_add_node(const char *operation, rill_graph *graph, const rill_node *dependencies,
                        const rill_edge *edges, size_t count, rill_op *op, rill_node *node);

#endif
