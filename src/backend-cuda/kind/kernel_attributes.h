/* SPDX-License-Identifier: Apache-2.0
 *
 * The attributes of kernel nodes.
 */
#ifndef CUDA_KIND_KERNEL_ATTRIBUTES_H
#define CUDA_KIND_KERNEL_ATTRIBUTES_H

#include "backend-cuda/object/graph.h"

/* Gets or sets one attribute, whose `id` is set. */
CUresult cuda_get_node_attribute(CUgraphNode raw, CUlaunchAttribute *attribute);
CUresult cuda_set_node_attribute(CUgraphNode raw, const CUlaunchAttribute *attribute);

/* Sets the attributes that the operation gives to a kernel node.  *done counts those that
 * were set; if one is refused, cuda_restore_attributes() takes these back.  `before` has room
 * for all of them, or is NULL. */
rill_status cuda_set_node_attributes(CUgraphNode raw, const rill_kernel_op *op,
                                     CUlaunchAttribute *before, size_t *done);
void cuda_restore_attributes(CUgraphNode raw, const CUlaunchAttribute *before, size_t done);

/* Returns whether the node has each of the operation's attributes already. */
bool cuda_has_attributes(CUgraphNode raw, const rill_kernel_op *op);

/* Reads the attributes of a node into the operation, by way of the node's note. */
rill_status cuda_read_node_attributes(struct cuda_graph *graph, CUgraphNode raw,
                                      rill_kernel_op *op);

#endif
