/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs that have one exec at a time, as measured.  A graph with memory nodes belongs to the
 * first exec that was made or updated from it; for the driver it is enough that adding a memory
 * node was tried.  A graph with conditional handles makes no exec while there is a copy of it,
 * even one that is older than the handles: an exec, a clone, or the copy in a child graph
 * node.
 */
#ifndef SIM_CLAIM_H
#define SIM_CLAIM_H

#include "backend-sim/graph/graph.h"

struct graph_claim;
struct held_claim;

/* What claims graphs: a part of an exec. */
struct claimant {
    struct held_claim *held; /* of the graphs it was made or updated from; the exec's caller's */
};

/* Check whether the conditionals of the graph allow to make an exec of it, and whether this
 * exec may have its memory nodes. */
rill_status sim_claim_conditionals_permit(const struct sim_graph *graph);
rill_status sim_claim_memory_permits(const struct sim_graph *graph, const struct claimant *exec);

/* Does what can fail of claiming a graph, before anything changes. */
rill_status sim_claim_prepare(struct sim_graph *graph, struct claimant *exec);

/* Claims the graph after sim_claim_prepare(), once the exec was made or updated from it. */
void sim_claim_take(struct sim_graph *graph, struct claimant *exec);

/* Notes that `copy` is a copy of the graph, until the copy is cleared or
 * sim_claim_copy_ends().  Returns false if memory is short. */
bool sim_claim_copy(struct sim_graph *copy, struct sim_graph *graph);
void sim_claim_copy_ends(struct sim_graph *copy);

/* Gives up all claims of an exec when its handle is destroyed. */
void sim_claims_end(struct claimant *exec);

/* Gives back the reference of a graph or copy; does nothing if `claim` is NULL. */
void sim_claim_release(struct graph_claim *claim);

#endif
