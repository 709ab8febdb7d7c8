/* SPDX-License-Identifier: Apache-2.0
 *
 * Which node of a cycle is named, as hardware does (H200, driver 580): nodes are walked
 * in the order of their creation, each along its edges in the order of those, and the
 * first that is met on its own path is the one.
 *
 * Hardware does otherwise where a graph has nothing but empty nodes and child graphs:
 * there it names another node of the cycle, and of some of these graphs it makes an exec.
 */
#ifndef SIM_CYCLE_H
#define SIM_CYCLE_H

#include "backend-sim/graph.h"

/* Of this graph, not of those inside it; NULL as `node` if it has no cycle. */
rill_status sim_cycle_find(const struct sim_graph *graph, rill_node *node);

#endif
