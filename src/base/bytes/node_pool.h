/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of trees of bytes (byte_set.h): pieces of one size, which come from larger ones and
 * go back all at once.
 */
#ifndef RL_NODE_POOL_H
#define RL_NODE_POOL_H

#include <stddef.h>
#include <stdint.h>

/* What is below a node, or which bytes of a page are in the set. */
union rl_node {
    uintptr_t slots[64];
    uint64_t words[64];
    union rl_node *next; /* of the pool's free ones */
};

struct rl_node_pool {
    union rl_node *free;
    struct rl_node_slab *slabs;
    size_t bytes, most;
};

void rl_node_pool_init(struct rl_node_pool *pool, size_t most);
void rl_node_pool_fini(struct rl_node_pool *pool);

/* Takes all nodes back, and keeps memory for a few. */
void rl_node_pool_reset(struct rl_node_pool *pool);

/* Returns a zeroed node, or NULL if memory is short or the pool has its most. */
union rl_node *rl_node_take(struct rl_node_pool *pool);
void rl_node_give(struct rl_node_pool *pool, union rl_node *node);

#endif
