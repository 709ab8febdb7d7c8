/* SPDX-License-Identifier: Apache-2.0
 *
 * What a graph stores for its nodes besides what rill knows of them: the form in which the
 * driver tells their parameters, where that needs memory, and what rill has no use for.  A
 * node has one block at most, which goes when the node is destroyed, or with the graph.
 */
#ifndef SI_NODE_STORAGE_H
#define SI_NODE_STORAGE_H

#include "standin/abi/abi.h"

struct si_node_storage;

/* Gives a node a block of so many bytes, zeroed, in place of the one that it had.  Returns
 * NULL if there is no memory, and the node keeps the one that it had.  *storage is NULL at
 * first; `storage` may be NULL, which stands for no memory. */
void *si_node_storage_put(struct si_node_storage **storage, CUgraphNode node, size_t bytes);

/* Returns NULL if the node has no block. */
void *si_node_storage_find(struct si_node_storage *const *storage, CUgraphNode node);
void si_node_storage_drop(struct si_node_storage *const *storage, CUgraphNode node);
void si_node_storage_free(struct si_node_storage *storage);

#endif
