/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes.
 */
#ifndef SI_CONDITIONAL_H
#define SI_CONDITIONAL_H

#include "standin/graph_handle.h"

/* Adds a conditional node.  params->bodies receives the driver's own array of the
 * graphs in it, which is there as long as they are. */
CUresult si_conditional_add(CUgraph graph, const CUgraphNode *dependencies,
                            const CUgraphEdgeData *edges, size_t count,
                            CUDA_CONDITIONAL_NODE_PARAMS *params, CUgraphNode *node);

#endif
