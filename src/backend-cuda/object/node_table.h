/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of nodes, in a table by handle, each with what is noted of it.
 *
 * The driver follows a node's handle without a look, so a handle that is stale, foreign or
 * garbage would end the process.  A graph therefore knows its nodes, with a note where the
 * driver does not keep something of a node; an exec knows the nodes of the graph that it
 * was made from, with their kinds.
 */
#ifndef CUDA_OBJECT_NODE_TABLE_H
#define CUDA_OBJECT_NODE_TABLE_H

#include <stdbool.h>

#include "backend-cuda/context/fail.h"

/* What the driver does not keep of a node, or not as rill tells it. */
struct cuda_note {
    char *label;
    rill_value *values;         /* as rill_node_get_op() told them last             */
    rill_attribute *attributes; /* the same                                         */
    rill_conditional_op conditional; /* of a conditional node: `bodies` is not NULL */
};

struct cuda_slot {
    CUgraphNode raw; /* NULL if the row is free */
    union {
        struct cuda_note *note; /* of a graph's node; mostly NULL      */
        uintptr_t kind;         /* of an exec's node: its rill_op_kind, and the number of
                                   its operations above CUDA_SLOT_KIND_BITS */
    };
};

#define CUDA_SLOT_KIND_BITS 8

/* Returns the kind of an exec's node. */
static inline rill_op_kind cuda_slot_kind(const struct cuda_slot *slot)
{
    return (rill_op_kind)(slot->kind & ((1u << CUDA_SLOT_KIND_BITS) - 1));
}

struct cuda_nodes {
    struct cuda_slot *slots;
    size_t room, count; /* room: 0 or a power of two */
    size_t notes;       /* how many of the nodes have a note */
};

/* Returns the slot of a node, or NULL if it is not in the table. */
struct cuda_slot *cuda_nodes_find(const struct cuda_nodes *nodes, CUgraphNode raw);

/* Returns the slot of a node, which may be new, or NULL if there is no memory. */
struct cuda_slot *cuda_nodes_put(struct cuda_nodes *nodes, CUgraphNode raw);

/* Makes room for one node more, so that the next cuda_nodes_put() succeeds. */
bool cuda_nodes_reserve(struct cuda_nodes *nodes);

/* The same for `count` nodes altogether. */
bool cuda_nodes_reserve_all(struct cuda_nodes *nodes, size_t count);

/* Takes a node out of the table, and frees its note. */
void cuda_nodes_take(struct cuda_nodes *nodes, CUgraphNode raw);

/* Frees the table, with the notes of a graph's nodes; `notes` is false for an exec's. */
void cuda_nodes_free(struct cuda_nodes *nodes, bool notes);

/* Lists the nodes of the driver's graph, in an array that is the caller's to rl_free(). */
rill_status cuda_list_nodes(CUgraph raw, CUgraphNode **list, size_t *count);

#endif
