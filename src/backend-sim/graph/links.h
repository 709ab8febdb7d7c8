/* SPDX-License-Identifier: Apache-2.0
 *
 * The links of a node: one side of its edges, as an array.
 */
#ifndef SIM_LINKS_H
#define SIM_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend-sim/graph/slabs.h"

/* A node is known by its slot in its graph.  There are fewer where its handle, which is a pointer,
 * has 32 bits. */
#if UINTPTR_MAX > UINT32_MAX
#define NODE_SLOT_BITS 26
#else
#define NODE_SLOT_BITS 18
#endif
#define NODE_SLOTS_MAX (UINT32_C(1) << NODE_SLOT_BITS)
#define NODE_NONE UINT32_MAX

/* The other end of an edge, by slot, and what the edge carries: 0 for an ordinary edge, else
 * what sim_edge_read() unpacks. */
struct link {
    uint32_t slot : NODE_SLOT_BITS;
    uint32_t data : 32 - NODE_SLOT_BITS;
    uint32_t mirror; /* in a graph: the edge's place among the links of the other end */
};

/* One side of a node's edges, in the order in which they were added; when one is removed, the
 * last takes its place, as measured.  Most nodes have one edge on a side, which needs no memory
 * of its own. */
struct links {
    union {
        struct link near;  /* while `extra` is 0 */
        struct link *far;
    };
    uint32_t count;
    uint32_t extra;        /* there is room for one more than this */
};

/* Nodes with more than one edge on a side mostly have no more than this. */
#define LINKS_FEW 4

static inline const struct link *sim_links(const struct links *links)
{
    return links->extra ? links->far : &links->near;
}

/* Returns the links, writable.  Chooses without a branch, which no processor could predict:
 * where links lie differs from node to node. */
static inline struct link *sim_links_items(struct links *links)
{
    uintptr_t near = (uintptr_t)&links->near, far = (uintptr_t)links->far;
    uintptr_t if_near = -(uintptr_t)!links->extra;
    return (struct link *)((near & if_near) | (far & ~if_near));
}

/* Makes room for `more` links.  Returns false if memory is short.  `slabs` are those of the graph
 * whose edges the links are, or NULL for links outside graphs. */
bool sim_links_grow(struct links *links, uint32_t more, struct slabs *slabs);

static inline bool sim_links_reserve(struct links *links, uint32_t more, struct slabs *slabs)
{
    return more <= links->extra + 1 - links->count || sim_links_grow(links, more, slabs);
}

/* Adds a link for which room was reserved. */
static inline void sim_links_add(struct links *links, struct link link)
{
    sim_links_items(links)[links->count++] = link;
}

/* Returns the place of the link to `slot`, or NODE_NONE. */
uint32_t sim_links_find(const struct links *links, uint32_t slot);

void sim_links_free(struct links *links, struct slabs *slabs);

#endif
