/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes/node_pool.h"

#include <string.h>

#include "base/alloc.h"

#define SLAB_NODES 31

struct rl_node_slab {
    struct rl_node_slab *next;
    size_t used; /* nodes that were ever given out */
    _Alignas(64) union rl_node nodes[SLAB_NODES];
};

void rl_node_pool_init(struct rl_node_pool *pool, size_t most)
{
    *pool = (struct rl_node_pool){ .most = most };
}

static void free_slabs(struct rl_node_slab *slab)
{
    while (slab) {
        struct rl_node_slab *next = slab->next;
        rl_free(slab);
        slab = next;
    }
}

void rl_node_pool_fini(struct rl_node_pool *pool)
{
    free_slabs(pool->slabs);
}

void rl_node_pool_reset(struct rl_node_pool *pool)
{
    struct rl_node_slab *slab = pool->slabs;
    pool->free = NULL;
    if (!slab) return;
    free_slabs(slab->next);
    slab->next = NULL;
    slab->used = 0;
    pool->bytes = sizeof *slab;
}

static struct rl_node_slab *add_slab(struct rl_node_pool *pool)
{
    struct rl_node_slab *slab = NULL;
    if (pool->bytes + sizeof *slab > pool->most) return NULL;
    slab = rl_alloc_aligned(sizeof *slab, 64);
    if (!slab) return NULL;
    slab->next = pool->slabs;
    slab->used = 0;
    pool->slabs = slab;
    pool->bytes += sizeof *slab;
    return slab;
}

union rl_node *rl_node_take(struct rl_node_pool *pool)
{
    union rl_node *node = pool->free;
    if (node) {
        pool->free = node->next;
    } else {
        struct rl_node_slab *slab = pool->slabs;
        if (!slab || slab->used == SLAB_NODES) slab = add_slab(pool);
        if (!slab) return NULL;
        node = &slab->nodes[slab->used++];
    }
    memset(node, 0, sizeof *node);
    return node;
}

void rl_node_give(struct rl_node_pool *pool, union rl_node *node)
{
    node->next = pool->free;
    pool->free = node;
}
