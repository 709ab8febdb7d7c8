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

/* Gives back the box, which may be NULL, of a node that cannot be made. */
void cuda_box_drop(struct cuda_box *box);

/* Returns the box that a host node refers to, or NULL. */
struct cuda_box *cuda_box_of_node(CUgraphNode raw);

/* Lets the graph no longer refer to the box, which may be NULL. */
void cuda_release_box(const struct cuda_graph *graph, struct cuda_box *box);

#endif
