/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes of host functions.  The driver runs a function with its data; what it does not
 * know is the `destroy` that rill promises to run exactly once.  A function that has one
 * is put into a box, and the driver gets the box as the data.
 *
 *  - In a stream a box runs once and is freed.  Until then it is on its context's list:
 *    the functions that the driver drops after a device fault are given back when a
 *    call learns of the fault, or when the context ends.
 *  - In a graph a box belongs to a user object of the driver's (host.h) and is on no
 *    list.
 */
#ifndef CUDA_CONTEXT_HOST_BOX_H
#define CUDA_CONTEXT_HOST_BOX_H

#include "backend-cuda/context/context.h"

struct cuda_box {
    rill_host_fn fn;
    rill_stream_callback callback; /* instead of fn */
    rill_stream *stream;           /* for the callback */
    void *data;
    rill_destroy_fn destroy; /* may be NULL, for a callback */
    struct cuda_context *context;
    CUuserObject object;           /* of a box in a graph */
    struct cuda_box *next, **link; /* of the context's boxes; boxes_lock.  link is NULL
                                      once a thread has taken the box to run or drop it */
};

/* Makes a box for the function.  Returns NULL if there is no memory. */
struct cuda_box *cuda_make_box(struct cuda_context *context, const rill_host_op *op);

/* Puts a box on its context's list before the driver gets it. */
void cuda_list_box(struct cuda_box *box);

/* Takes a box off the list.  The caller that gets true has to run the box or give it
 * back; another thread was quicker if the answer is false. */
bool cuda_take_box(struct cuda_box *box);

/* Gives the functions back that will never run since the context failed.  Callbacks stay:
 * the driver calls them itself, and tells them of the failure. */
void cuda_give_up_boxes(struct cuda_context *context);

/* Gives all functions back when the context ends, and frees the boxes. */
void cuda_end_boxes(struct cuda_context *context);

#endif
