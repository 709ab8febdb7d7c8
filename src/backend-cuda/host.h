/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions.  The driver runs a function with its data; what it does not know
 * is the `destroy` that rill promises to run exactly once.  Only where there is one
 * the function is put into a box:
 *
 *  - In a stream the box runs once and is gone.  Until then it is on the context's
 *    list, so that the functions behind a device fault, which the driver drops, are
 *    given back when the failure is seen or the context ends.
 *  - In a graph the box belongs to a user object of the driver's, which the graph,
 *    its clones and its execs refer to; the last of them gives it back.  The same
 *    for a function that is captured.
 */
#ifndef CUDA_HOST_H
#define CUDA_HOST_H

#include "backend-cuda/cuda.h"

struct cuda_box {
    rill_host_fn fn;
    rill_stream_callback callback; /* instead of fn */
    rill_stream *stream;           /* for the callback */
    void *data;
    rill_destroy_fn destroy; /* may be NULL, for a callback */
    struct cuda_context *context;
    CUuserObject object;            /* of a box in a graph */
    struct cuda_box *next, **link;  /* of the context's boxes; boxes_lock.  link is NULL
                                       once somebody has taken it on to run or drop it */
};

/* A box for a node: *fn and *data are what the driver gets.  Without a `destroy`
 * there is no box and *box is NULL.  Takes `op` over, also when it fails: its
 * `destroy` has run then. */
rill_status cuda_box_for_graph(struct cuda_context *context, const rill_host_op *op, CUhostFn *fn,
                               void **data, struct cuda_box **box);

/* The graph refers to the box now.  When the node could not be made instead:
 * cuda_box_drop(), which gives it back. */
rill_status cuda_box_keep(struct cuda_box *box, CUgraph graph);
void cuda_box_drop(struct cuda_box *box);

/* What the driver knows as fn(data) is a box: the box, else NULL. */
struct cuda_box *cuda_find_box(CUhostFn fn, void *data);

/* Runs the `destroy` of an operation that is refused. */
void cuda_refuse_host(const rill_op *op);

/* The context failed: gives back what has not run and never will. */
void cuda_boxes_give_up(struct cuda_context *context);

/* The same when the context ends, and their memory with it. */
void cuda_boxes_end(struct cuda_context *context);

#endif
