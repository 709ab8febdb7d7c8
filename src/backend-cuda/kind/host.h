/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions with a `destroy` in graphs.  The box of such a function belongs to a
 * user object of the driver's, to which the graph, its clones and its execs refer; the
 * last of these references gives the box back.  The same holds for a function that is
 * captured.
 */
#ifndef CUDA_KIND_HOST_H
#define CUDA_KIND_HOST_H

#include "backend-cuda/context/host_box.h"

struct cuda_graph;

/* Makes a box for a node: *fn and *data are what the driver gets.  *box is NULL if the
 * function has no `destroy` and needs no box.  Takes `op` over also when the call fails:
 * its `destroy` has run then. */
rill_status cuda_box_for_graph(struct cuda_context *context, const rill_host_op *op, CUhostFn *fn,
                               void **data, struct cuda_box **box);

/* Lets the graph refer to the box, which may be NULL.  If the node cannot be made
 * instead, cuda_box_drop() gives the box back. */
rill_status cuda_box_keep(struct cuda_box *box, CUgraph graph);
void cuda_box_drop(struct cuda_box *box);

/* Returns the box that the driver knows as fn(data), or NULL if that is none. */
struct cuda_box *cuda_find_box(CUhostFn fn, void *data);

/* Returns the box that a host node refers to, or NULL. */
struct cuda_box *cuda_box_of_node(CUgraphNode raw);

/* Lets the graph no longer refer to the box, which may be NULL. */
void cuda_release_box(const struct cuda_graph *graph, struct cuda_box *box);

#endif
