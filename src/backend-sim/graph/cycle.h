/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the node of a cycle that a refusal names, as measured (H200, driver 580).
 *
 * Nodes are walked in the order of their creation, each along its edges in their order, and
 * the first node that is met on its own path is the one; a graph is searched before the
 * graphs inside it.
 *
 * A graph of only empty nodes and child graphs is searched differently: node by node, in the
 * order of their creation, and each child in its place.  The first node that closes a cycle
 * with earlier nodes is named.  If that node is a child graph, hardware does not see the cycle
 * and makes an exec; here it is refused like any other.
 */
#ifndef SIM_CYCLE_H
#define SIM_CYCLE_H

#include "backend-sim/graph/graph.h"

/* Searches this graph and the graphs inside it.  Sets `node` to NULL if there is no cycle. */
rill_status sim_cycle_find(const struct sim_graph *graph, rill_node *node);

#endif
