/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a cluster of a plan, of which others may take what is not begun: a
 * function that took no time so far may wait this time, for another one of its
 * own cluster even.
 */
#ifndef SIM_CLUSTER_SPLIT_H
#define SIM_CLUSTER_SPLIT_H

#include "backend-sim/program/gang.h"

/* Runs the cluster as the member on the seat.  True: all of it is done.  False:
 * others have a part, and whoever is the last completes it. */
bool sim_share_run(struct gang *gang, struct seat *seat, uint32_t unit);

/* The same for what the seat was given by one that took; *unit is the cluster's. */
bool sim_share_run_given(struct gang *gang, struct seat *seat, uint32_t *unit);

/* Clusters as shared work: whoever has nothing better to do takes what is behind a node that
 * does not end, and helps there.  The gangs that run them are listed as such. */
extern const struct work_source sim_shares;

#endif
