/* SPDX-License-Identifier: Apache-2.0
 *
 * The fingerprint of a graph: a number that tells its shape.
 *
 * What is in which slot, and each edge with its places on both of its sides, is mixed with
 * a secret into 64 bits, and all of that is added up: the order in which nodes and edges
 * came does not matter.  Two graphs with one fingerprint look the same slot by slot.  Two
 * that differ share one by chance once in 2^64 pairs, and nobody who does not know the
 * secret can build such a pair.  So an update need not look at the edges of a large graph
 * to know that it may go ahead.
 */
#ifndef SIM_FINGERPRINT_H
#define SIM_FINGERPRINT_H

#include "backend-sim/machine/machine.h"
#include "base/wide.h"

struct sim_graph;

/* Draws the secret of a platform. */
void sim_fingerprint_draw_secret(struct fingerprint_secret *secret);

static inline uint64_t sim_fingerprint_mix(const struct fingerprint_secret *secret, uint64_t a,
                                           uint64_t b)
{
    uint64_t once = rl_multiply_folded(a ^ secret->words[0], b ^ secret->words[1]);
    return rl_multiply_folded(once ^ secret->words[1], secret->words[0]);
}

/* Returns what a node adds. */
static inline uint64_t sim_fingerprint_of_node(const struct fingerprint_secret *secret,
                                               uint32_t slot, uint8_t kind)
{
    return sim_fingerprint_mix(secret, UINT64_C(1) << 63 | slot, kind);
}

/* Returns what an edge adds: `from_place` is its place among the successors of the node `from`,
 * `to_place` its place among the predecessors of the node `to`. */
static inline uint64_t sim_fingerprint_of_edge(const struct fingerprint_secret *secret,
                                               uint32_t from, uint32_t to, uint32_t data,
                                               uint32_t from_place, uint32_t to_place)
{
    /* The few values of `data` are spread, so that no place comes near another's. */
    uint64_t places = (uint64_t)to_place << 32 | from_place;
    return sim_fingerprint_mix(secret, (uint64_t)to << 32 | from,
                               places + data * UINT64_C(0x9e3779b97f4a7c15));
}

/* Returns the fingerprint of a graph.  Once an edge was taken out of the graph, the call walks
 * all of it. */
uint64_t sim_graph_fingerprint(const struct sim_graph *graph);

#endif
