/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a cluster so that idle threads can take the part that is not begun.  A node that used
 * to be fast may block this time, even on another node of its own cluster.
 */
#ifndef SIM_CLUSTER_SPLIT_H
#define SIM_CLUSTER_SPLIT_H

#include "backend-sim/program/gang/gang.h"

/* Runs a cluster as the member on the seat.  Returns true if all of it is done.  Otherwise
 * others have slices of it, and the last of them completes it. */
bool sim_cluster_run(struct gang *gang, struct seat *seat, uint32_t unit);

/* Does the same for the slice that the seat was given; *unit is its cluster. */
bool sim_cluster_run_given(struct gang *gang, struct seat *seat, uint32_t *unit);

/* Clusters as shared work: an idle thread takes the rest of a cluster whose current node has
 * run too long.  Their gangs are listed in sim_gangs. */
extern const struct work_source sim_cluster_splits;

#endif
