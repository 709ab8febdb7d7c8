/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures.  The driver does the work; the backend remembers which call broke one,
 * as far as calls that went through rill can tell, so that those which are refused
 * later can say so.
 */
#ifndef CUDA_CAPTURE_H
#define CUDA_CAPTURE_H

#include "backend-cuda/stream.h"

/* The graph that the stream is capturing into, or NULL. */
CUgraph cuda_capture_graph(const struct cuda_stream *stream);

/* A call failed with this status: if that broke a capture, this is what broke it.
 * After the note of the failure, in the same call. */
void cuda_capture_suffered(rill_status status);

/* The stream goes. */
void cuda_capture_forget_stream(struct cuda_stream *stream);

#endif
