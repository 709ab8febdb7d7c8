/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a graph, as a number.
 *
 * What is in which slot, and each edge with its places on both of its sides, is mixed with
 * a secret into 64 bits, and all of that is added up: in whatever order they came, a
 * graph that was built has the number of its shape.  Two graphs with one number look
 * the same slot by slot.  That two others have one, too, happens once in 2^64 pairs of
 * them, and who does not know the secret cannot bring it about.  So an update need not
 * look at the edges of a large graph to know that it may go ahead.
 */
#ifndef SIM_FINGERPRINT_H
#define SIM_FINGERPRINT_H

#include "backend-sim/machine/machine.h"

struct sim_graph;

void sim_shape_draw_secret(struct shape_secret *secret);

static inline uint64_t sim_shape_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t sim_shape_mix(const struct shape_secret *secret, uint64_t a, uint64_t b)
{
    uint64_t once = sim_shape_fold(a ^ secret->words[0], b ^ secret->words[1]);
    return sim_shape_fold(once ^ secret->words[1], secret->words[0]);
}

/* What a node adds. */
static inline uint64_t sim_shape_of_node(const struct shape_secret *secret, uint32_t slot,
                                         uint8_t kind)
{
    return sim_shape_mix(secret, UINT64_C(1) << 63 | slot, kind);
}

/* What an edge adds: `behind` and `before` are its places among those of the node that it
 * begins at and of the one that it leads to. */
static inline uint64_t sim_shape_of_edge(const struct shape_secret *secret, uint32_t from,
                                         uint32_t to, uint32_t data, uint32_t from_place,
                                         uint32_t to_place)
{
    /* The few values of `data` are spread, so that no place comes near another's. */
    uint64_t places = (uint64_t)to_place << 32 | from_place;
    return sim_shape_mix(secret, (uint64_t)to << 32 | from,
                         places + data * UINT64_C(0x9e3779b97f4a7c15));
}

/* The number of a graph's shape.  Once something was taken out of the graph, that is
 * counted from the beginning. */
uint64_t sim_graph_shape(const struct sim_graph *graph);

#endif
