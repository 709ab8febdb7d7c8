/* SPDX-License-Identifier: Apache-2.0
 *
 * What the calls on nodes share.
 */
#ifndef SI_NODE_H
#define SI_NODE_H

#include "standin/node_storage.h"
#include "standin/params.h"

/* Adds a node that does `op`, unless reading its parameters gave another status; the
 * graph and the place for the node are looked at first. */
CUresult si_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                const rill_edge *edges, CUresult read, rill_op *op);

/* The note of a node that allocates. */
struct si_access {
    size_t count;
    CUmemAccessDesc items[];
};

/* Whether a node is of the kind that parameters are for, and of one of which any can be
 * set: the driver looks at this before it looks at them. */
CUresult si_check_settable(CUgraphNode node, int kind);

/* Notes whether the node was given a kernel of a library, which it tells then. */
void si_note_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult si_note_access(CUgraphNode node, const CUDA_MEM_ALLOC_NODE_PARAMS *params);

#endif
