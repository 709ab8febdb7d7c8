/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on graphs and their nodes: slots of one table.
 */
#ifndef SIM_NODE_CALLS_H
#define SIM_NODE_CALLS_H

#include <rill/backend.h>

extern const struct rill_graph_ops sim_graph_ops;

#endif
