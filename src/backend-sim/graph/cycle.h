/* SPDX-License-Identifier: Apache-2.0
 *
 * Which node of a cycle is named, as hardware does (H200, driver 580).
 *
 * Nodes are walked in the order of their creation, each along its edges in the order of
 * those, and the first that is met on its own path is the one; a graph is looked at before
 * those inside it.
 *
 * A graph of nothing but empty nodes and child graphs is looked at otherwise: node by node,
 * in the order of their creation, and into each child where it stands.  Named is the first
 * that closes a cycle with nodes before it.  Where that is a child graph, hardware does not
 * see the cycle, and makes an exec; here it is refused like any other.
 */
#ifndef SIM_CYCLE_H
#define SIM_CYCLE_H

#include "backend-sim/graph/graph.h"

/* Of this graph and of those inside it; NULL as `node` if there is no cycle. */
rill_status sim_cycle_find(const struct sim_graph *graph, rill_node *node);

#endif
