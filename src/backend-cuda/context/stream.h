/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream, as everything that submits to one knows it.
 */
#ifndef CUDA_CONTEXT_STREAM_H
#define CUDA_CONTEXT_STREAM_H

#include "backend-cuda/context/context.h"

struct cuda_stream {
    struct cuda_part part;
    CUstream raw; /* NULL once the context ended */
    struct cuda_context *context;
    uint64_t id;     /* unless it is a default stream */
    bool is_default; /* legacy or per-thread: the driver means the current context's */
    bool borrowed;   /* the driver's stream stays, see <rill/cuda.h> */
};

static inline struct cuda_stream *cuda_stream_of(const rill_stream *stream)
{
    return rill_private(stream);
}

static inline rill_stream *cuda_stream_handle(const struct cuda_stream *stream)
{
    return (rill_stream *)((uintptr_t)stream - RILL_OBJECT_HEAD);
}

/* Makes the stream's context current if the stream needs that. */
static inline rill_status cuda_enter_stream(const struct cuda_stream *stream,
                                            struct cuda_visit *visit)
{
    visit->pushed = false;
    return __builtin_expect(stream->is_default, 0) ? cuda_enter(stream->context, visit)
                                                   : RILL_SUCCESS;
}

#endif
