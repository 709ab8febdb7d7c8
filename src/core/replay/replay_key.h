/* SPDX-License-Identifier: Apache-2.0
 *
 * The key under which a replay keeps its execs: one number for the kinds of a graph's nodes
 * and the edges between them, in the order of their creation, including child graphs.  An
 * exec can be updated only from a graph with the same key.
 */
#ifndef RL_REPLAY_KEY_H
#define RL_REPLAY_KEY_H

#include <rill/backend.h>

struct rl_replay_key {
    uint64_t number;
    size_t nodes;   /* 0 for an empty graph                                           */
    int has_memory; /* the graph allocates or frees, so that no capture equals another */
};

/* Memory for reading graphs, kept from one graph to the next.  Zeroed at first. */
struct rl_sketch {
    void *room;
    size_t bytes;
};

/* Computes the key of a graph.  Fails when memory is short. */
rill_status rl_replay_key_of(rill_graph *graph, struct rl_sketch *sketch,
                             struct rl_replay_key *key);

/* Frees the memory of a sketch. */
void rl_sketch_drop(struct rl_sketch *sketch);

#endif
