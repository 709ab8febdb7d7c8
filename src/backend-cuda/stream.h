/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams, and the operations that are submitted to them: one file for each kind,
 * one function for each of these.
 */
#ifndef CUDA_STREAM_H
#define CUDA_STREAM_H

#include "backend-cuda/stream_object.h"

rill_status cuda_make_default_streams(struct cuda_context *context);
void cuda_forget_default_streams(struct cuda_context *context);

/* Makes a stream out of the driver's, which stays in the end when it is `borrowed`. */
void cuda_take_stream(rill_stream *stream, struct cuda_context *context, CUstream raw,
                      bool borrowed);

/* ---- Operations ---------------------------------------------------------------------- */

/* Each of these is jumped to and ends by itself, with cuda_submitted() (capture.h): a call
 * of the driver's goes so deep that no processor foresees the returns behind it, and each
 * that is saved is some nanoseconds of every submission. */
rill_status cuda_submit_kernel(struct cuda_stream *stream, rill_op *op); /* kernel.c */
rill_status cuda_submit_copy(struct cuda_stream *stream, rill_op *op);   /* copy.c   */
rill_status cuda_submit_fill(struct cuda_stream *stream, rill_op *op);   /* fill.c   */
rill_status cuda_submit_row(struct cuda_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                            rill_memory_kind src_kind, rill_devptr src, size_t bytes);
rill_status cuda_submit_fill_row(struct cuda_stream *stream, rill_devptr dst, uint32_t value,
                                 uint32_t element_bytes, size_t count);
rill_status cuda_submit_host(struct cuda_stream *stream, rill_op *op);   /* host.c   */
rill_status cuda_submit_empty(struct cuda_stream *stream, rill_op *op);  /* capture.c */
rill_status cuda_submit_wait(struct cuda_stream *stream, rill_op *op);   /* event.c  */
rill_status cuda_submit_record(struct cuda_stream *stream, rill_op *op); /* event.c  */
rill_status cuda_submit_alloc(struct cuda_stream *stream, rill_op *op);  /* allocation.c */
rill_status cuda_submit_free(struct cuda_stream *stream, rill_op *op);   /* allocation.c */
rill_status cuda_submit_values(struct cuda_stream *stream, rill_op *op); /* values.c */

/* The attribute slots: attribute.c. */
rill_status cuda_stream_get_attribute(rill_stream *stream, rill_attribute *attribute);
rill_status cuda_stream_set_attribute(rill_stream *stream, const rill_attribute *attribute);
rill_status cuda_stream_copy_attributes(rill_stream *dst, rill_stream *src);

/* The callback slot: host.c. */
rill_status cuda_stream_add_callback(rill_stream *stream, rill_stream_callback callback,
                                     void *data, uint32_t flags);

#endif
