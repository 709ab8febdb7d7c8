/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules for nodes that the device itself begins: those in the bodies of conditionals, and
 * all nodes of a graph that is launched from the device.  They must be of kinds that a device
 * can begin, of one context, and copy no pageable memory, which takes the host.  Other nodes
 * can be added; as measured, making an exec of the graph is refused.
 */
#ifndef SIM_DEVICE_CHECK_H
#define SIM_DEVICE_CHECK_H

#include <rill/exec.h>

#include "backend-sim/graph/graph.h"

/* Checks that all handles are used, and that bodies, or with RILL_EXEC_DEVICE_LAUNCH all of the
 * graph, hold only nodes that the device can begin.  Otherwise `options` says what is wrong and
 * where. */
rill_status sim_device_check(const struct sim_graph *graph, rill_exec_options *options);

#endif
