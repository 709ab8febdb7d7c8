/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphviz text on its way to the caller.
 */
#ifndef CUDA_GRAPH_DOT_H
#define CUDA_GRAPH_DOT_H

#include "backend-cuda/object/graph.h"

#define CUDA_DOT_PIECE 4096

struct cuda_dot {
    rill_write_fn write;
    void *data;
    bool refused; /* by write() */
};

/* Hands text on, in pieces. */
void cuda_dot_put(struct cuda_dot *dot, const char *text, size_t bytes);

/* Writes the labels of the graph and of all that is in it, as statements.  `names` is the
 * driver's text with handles, or NULL if no node has a label. */
void cuda_dot_labels(struct cuda_dot *dot, const struct cuda_graph *graph, const char *names);

#endif
