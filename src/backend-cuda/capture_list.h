/* SPDX-License-Identifier: Apache-2.0
 *
 * The captures that were begun through rill: from begin to end they are on one list.
 */
#ifndef CUDA_CAPTURE_LIST_H
#define CUDA_CAPTURE_LIST_H

#include "backend-cuda/capture.h"

/* Held by whoever begins or ends a capture, until that stands on the list too: another
 * thread may end what has just begun, and the graph of what ends is gone. */
extern struct rl_lock cuda_capture_turn;

/* Its `first` and `id` are set.  One that was begun there before has ended unseen: it is
 * the caller's to free now, or NULL. */
struct cuda_capture *cuda_capture_list(struct cuda_capture *capture);

/* The capture that was begun in the stream, in this thread's if each has its own, which
 * is the caller's to free now, or NULL. */
struct cuda_capture *cuda_capture_take_off(struct cuda_stream *stream);

/* The graph of the capture with that number: *graph is NULL when rill did not begin
 * it, since nobody would say when it ends. */
rill_status cuda_capture_graph_of(uint64_t id, CUgraph raw, rill_graph **graph);

/* A capture that was taken off failed, which takes its graph along, ours, or the
 * caller's that it was begun into: frees it.  NULL is none. */
void cuda_capture_drop(struct cuda_capture *capture);

#endif
