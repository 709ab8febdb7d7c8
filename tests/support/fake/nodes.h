/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of the fake backend's graphs, which its execs copy.
 */
#ifndef FAKE_NODES_H
#define FAKE_NODES_H

#include "support/fake/parts.h"

struct fake_host; /* nodes.c */

/* A node; its address is its handle. */
struct fake_node {
    struct fake_node *next;
    rill_op op;
    struct fake_host *host; /* what runs, for a host function */
    rill_graph *child;      /* owned by the graph */
    uint64_t bit, before;   /* the node's own, and those of the nodes that it depends on */
    int enabled;
};

/* Oldest first.  The private bytes of a graph. */
struct fake_nodes {
    struct fake_node *first;
    size_t count, made; /* `made` counts those that were removed, too */
};

static inline struct fake_nodes *fake_nodes_of(const rill_graph *graph)
{
    return rill_private(graph);
}

/* Appends a node, which takes over what the operation owns; if there is no memory, that is
 * given back. */
rill_status fake_append_node(struct fake_nodes *nodes, rill_op *op, uint64_t before,
                             struct fake_node **added);

/* Puts another operation into a node, in the same way. */
rill_status fake_change_node(struct fake_node *node, const rill_op *op);

rill_status fake_drop_node(struct fake_nodes *nodes, const struct fake_node *node);
void fake_clear_nodes(struct fake_nodes *nodes);

/* Makes `to` a copy of `from`, without child graphs.  Changes nothing if there is no memory. */
rill_status fake_copy_nodes(struct fake_nodes *to, const struct fake_nodes *from);

/* Calls a host function. */
void fake_call_host(const struct fake_host *host);

/* Makes a graph that the owner keeps, and destroys it with all its nodes. */
rill_status fake_graph_own(void *owner, rill_context *context, rill_graph **graph);
void fake_graph_disown(rill_graph *graph);

#endif
