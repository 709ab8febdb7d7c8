/* SPDX-License-Identifier: Apache-2.0
 *
 * Which nodes a graph has.
 */
#ifndef CUDA_OBJECT_GRAPH_NODES_H
#define CUDA_OBJECT_GRAPH_NODES_H

#include "backend-cuda/object/graph.h"

/* Refuses a node that is not in the table unless the driver knows it: INVALID_VALUE in the
 * name of `argument`. */
rill_status cuda_miss_node(struct cuda_graph *graph, rill_node node, const char *argument);

/* Checks that the graph has the node. */
static inline rill_status cuda_check_node(struct cuda_graph *graph, rill_node node,
                                          const char *argument)
{
    bool known = !graph->lost && cuda_nodes_find(&graph->nodes, cuda_raw_node(node));
    return __builtin_expect(known, 1) ? RILL_SUCCESS : cuda_miss_node(graph, node, argument);
}

/* Returns the note of a node that was checked, or NULL if there is no memory, or no note and
 * `make` is false. */
struct cuda_note *cuda_node_note(struct cuda_graph *graph, CUgraphNode raw, bool make);

#endif
