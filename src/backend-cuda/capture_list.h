/* SPDX-License-Identifier: Apache-2.0
 *
 * The captures that were begun through rill: from begin to end they are on one list.
 */
#ifndef CUDA_CAPTURE_LIST_H
#define CUDA_CAPTURE_LIST_H

#include "backend-cuda/capture.h"
#include "backend-cuda/graph.h"

/* Its `first` and `id` are set. */
void cuda_capture_list(struct cuda_capture *capture);

/* The capture that was begun in the stream, which is the caller's to free now, or
 * NULL. */
struct cuda_capture *cuda_capture_take_off(struct cuda_stream *stream);

/* The graph of the capture with that number: *graph is NULL when rill did not begin
 * it, since nobody would say when it ends. */
rill_status cuda_capture_graph_of(uint64_t id, struct cuda_context *context,
                                  CUgraph raw, rill_graph **graph);

/* A capture that was taken off failed, which takes its graph along: ours, or the
 * caller's that it was begun into. */
void cuda_capture_lose_graph(struct cuda_capture *capture);

#endif
