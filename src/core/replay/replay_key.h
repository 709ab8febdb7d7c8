/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a graph, as one number: the kinds of its nodes and the edges
 * among them, in the order in which they were made, child graphs included.  An
 * exec can be brought up to date only with a graph of its own key.
 */
#ifndef RL_REPLAY_KEY_H
#define RL_REPLAY_KEY_H

#include <rill/backend.h>

struct rl_replay_key {
    uint64_t number;
    size_t nodes;   /* 0: the graph is empty                      */
    int has_memory; /* it allocates or frees: every capture of it is another */
};

/* Room for reading graphs; kept from one to the next. */
struct rl_sketch {
    void *room;
    size_t bytes;
};

rill_status rl_replay_key_of(rill_graph *graph, struct rl_sketch *sketch, struct rl_replay_key *key);
void rl_sketch_drop(struct rl_sketch *sketch);

#endif
