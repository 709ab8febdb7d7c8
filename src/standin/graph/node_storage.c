/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of blocks by node, chained.
 */
#include "standin/graph/node_storage.h"

#include "base/alloc.h"

struct block {
    struct block *next;
    CUgraphNode node;
    max_align_t bytes[];
};

struct si_node_storage {
    size_t count, buckets; /* `buckets` is a power of two */
    struct block *first[];
};

static size_t bucket_of(const struct si_node_storage *storage, CUgraphNode node)
{
    uint64_t mixed = (uint64_t)(uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (storage->buckets - 1);
}

/* Returns the link to the block of a node, or the last one, where it would be. */
static struct block **find_link(struct si_node_storage *storage, CUgraphNode node)
{
    struct block **link = &storage->first[bucket_of(storage, node)];
    while (*link && (*link)->node != node) link = &(*link)->next;
    return link;
}

static int grow_table(struct si_node_storage **storage)
{
    struct si_node_storage *old = *storage;
    size_t buckets = old ? 2 * old->buckets : 8;
    struct si_node_storage *made = rl_zalloc(sizeof *made + buckets * sizeof made->first[0]);
    if (!made) return 0;
    made->buckets = buckets;
    for (size_t i = 0; old && i < old->buckets; i++)
        for (struct block *block = old->first[i], *next; block; block = next) {
            struct block **first = &made->first[bucket_of(made, block->node)];
            next = block->next;
            block->next = *first;
            *first = block;
            made->count++;
        }
    rl_free(old);
    *storage = made;
    return 1;
}

void *si_node_storage_put(struct si_node_storage **storage, CUgraphNode node, size_t bytes)
{
    struct block *block = storage ? rl_zalloc(sizeof *block + bytes) : NULL;
    if (!block) return NULL;
    if ((!*storage || (*storage)->count == (*storage)->buckets) && !grow_table(storage)) {
        rl_free(block);
        return NULL;
    }
    struct block **link = find_link(*storage, node), *old = *link;
    block->node = node;
    block->next = old ? old->next : NULL;
    *link = block;
    (*storage)->count += !old;
    rl_free(old);
    return block->bytes;
}

void *si_node_storage_find(struct si_node_storage *const *place, CUgraphNode node)
{
    const struct si_node_storage *storage = place ? *place : NULL;
    const struct block *block = storage ? storage->first[bucket_of(storage, node)] : NULL;
    while (block && block->node != node) block = block->next;
    return block ? (void *)(uintptr_t)block->bytes : NULL;
}

void si_node_storage_drop(struct si_node_storage *const *place, CUgraphNode node)
{
    struct si_node_storage *storage = place ? *place : NULL;
    struct block **link = storage ? find_link(storage, node) : NULL;
    struct block *block = link ? *link : NULL;
    if (!block) return;
    *link = block->next;
    storage->count--;
    rl_free(block);
}

void si_node_storage_free(struct si_node_storage *storage)
{
    for (size_t i = 0; storage && i < storage->buckets; i++)
        for (struct block *block = storage->first[i], *next; block; block = next) {
            next = block->next;
            rl_free(block);
        }
    rl_free(storage);
}
