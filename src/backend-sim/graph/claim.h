/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs that have one exec at a time, as on hardware.  One with memory nodes belongs to
 * that which was made of it or updated from it first; for the driver it is enough that a
 * memory node was tried.  One with conditional handles makes no exec while there is any
 * copy that was made of it, even before it had them: an exec, a clone, or the copy that a
 * child graph node holds.
 */
#ifndef SIM_CLAIM_H
#define SIM_CLAIM_H

#include "backend-sim/graph/graph.h"

struct graph_claim;
struct held_claim;

/* What claims graphs: an exec. */
struct claimant {
    struct held_claim *held; /* of the graphs that it is of; its caller's */
};

/* Whether an exec may be made of the graph, for all that its conditionals say; whether
 * this exec may have its memory nodes. */
rill_status sim_claim_conditionals_permit(const struct sim_graph *graph);
rill_status sim_claim_memory_permits(const struct sim_graph *graph, const struct claimant *exec);

/* What may fail of taking a graph, before anything changes ... */
rill_status sim_claim_prepare(struct sim_graph *graph, struct claimant *exec);

/* ... and the rest: an exec was made of the graph, or updated from one with memory. */
void sim_claim_take(struct sim_graph *graph, struct claimant *exec);

/* `copy` is a copy of the graph until it is cleared; false when memory is short. */
bool sim_claim_copy(struct sim_graph *copy, struct sim_graph *graph);
void sim_claim_copy_ends(struct sim_graph *copy);

/* The exec's handle goes; the graph goes, and NULL is nothing. */
void sim_claims_end(struct claimant *exec);
void sim_claim_release(struct graph_claim *claim);

#endif
