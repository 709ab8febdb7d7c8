/* SPDX-License-Identifier: Apache-2.0
 *
 * What the calls for nodes of any kind ask of a kind: one row for each.  A kind has a file
 * of its own, with its row and with the driver's calls for this kind alone.  To add one,
 * write such a file and add a line to the table in node_kind.c.
 */
#ifndef SI_NODE_KIND_H
#define SI_NODE_KIND_H

#include "standin/graph/node.h"

struct si_node_kind {
    /* The size of its parameters in CUgraphNodeParams: the bytes that follow must be zero. */
    size_t bytes;

    /* True if parameters of a node that exists cannot be set. */
    int fixed;

    /* read: Turns parameters into an operation, which may point into `params` and `buffers`. */
    CUresult (*read)(const CUgraphNodeParams *params, struct si_op_buffers *buffers, rill_op *op);

    /* answer: Writes back what the driver writes when the node was added; or NULL. */
    void (*answer)(const rill_op *op, CUgraphNodeParams *params);

    /* keep: Stores what rill has no use for, once the node was added or set; or NULL. */
    CUresult (*keep)(CUgraphNode node, const CUgraphNodeParams *params);

    /* add: Adds a node by itself, instead of `read`, `answer` and `keep`; or NULL. */
    CUresult (*add)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                    const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params);
};

extern const struct si_node_kind si_kernel_kind, si_copy_kind, si_fill_kind, si_host_kind,
    si_child_kind, si_empty_kind, si_event_kind, si_alloc_kind, si_free_kind, si_values_kind,
    si_conditional_kind;

/* Returns the row of a number; that of no kind has a row, too, which refuses it. */
const struct si_node_kind *si_node_kind(int type);

#endif
