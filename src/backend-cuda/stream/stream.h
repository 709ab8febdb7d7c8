/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on streams: slots of one table, each in the file of its subject.
 */
#ifndef CUDA_STREAM_STREAM_H
#define CUDA_STREAM_STREAM_H

#include "backend-cuda/context/stream.h"

extern const struct rill_stream_ops cuda_stream_ops;

/* Makes the default streams of a context, and forgets them when it ends. */
rill_status cuda_make_default_streams(struct cuda_context *context);
void cuda_forget_default_streams(struct cuda_context *context);

/* Makes a stream out of the driver's, which stays in the end if it is `borrowed`. */
void cuda_take_stream(rill_stream *stream, struct cuda_context *context, CUstream raw,
                      bool borrowed);

rill_status cuda_stream_get_attribute(rill_stream *stream, rill_attribute *attribute);
rill_status cuda_stream_set_attribute(rill_stream *stream, const rill_attribute *attribute);
rill_status cuda_stream_copy_attributes(rill_stream *dst, rill_stream *src);
rill_status cuda_stream_add_callback(rill_stream *stream, rill_stream_callback callback,
                                     void *data, uint32_t flags);
rill_status cuda_stream_attach(rill_stream *stream, rill_devptr address, size_t bytes,
                               uint32_t flags);

#endif
