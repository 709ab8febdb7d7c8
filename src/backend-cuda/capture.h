/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures.  The driver does the work; the backend remembers those that were begun
 * through rill, for the graph that each is making, and for the call that broke it:
 * the first one through rill that failed and left the capture invalid.
 */
#ifndef CUDA_CAPTURE_H
#define CUDA_CAPTURE_H

#include "backend-cuda/stream.h"

struct cuda_capture {
    struct cuda_capture *next; /* of all; captures_lock, as all that follows */
    struct cuda_stream *first; /* that it was begun in                       */
    uint64_t thread; /* of whose per-thread stream that is; 0: an ordinary one */
    uint64_t id;
    rill_graph *graph; /* the caller's that it was begun into, or ours; NULL: not asked for yet */
    bool graph_is_ours;
    uint64_t call; /* that broke it, until it has a name; or 0 */
    rill_error_cause cause; /* .status is RILL_SUCCESS while nothing broke it */
};

/* The graph that the stream is capturing into, or NULL. */
CUgraph cuda_capture_graph(const struct cuda_stream *stream);

/* A call was refused with this status: notes whether that broke captures.  After the
 * note of the failure, in the same call. */
void cuda_capture_suffered(rill_status status);

/* A call was refused since the stream's capture is broken: says what broke it. */
void cuda_capture_recall(const struct cuda_stream *stream);

/* The end of an operation that was submitted to the stream. */
static inline rill_status cuda_submitted(const struct cuda_stream *stream, rill_status status)
{
    if (__builtin_expect(status == RILL_ERROR_STREAM_CAPTURE_INVALIDATED, 0))
        cuda_capture_recall(stream);
    return status;
}

/* The stream goes, for all threads. */
void cuda_capture_forget_stream(struct cuda_stream *stream);

/* The stream of the only capture that was begun through rill, as "stream 'prefill'";
 * "" when there is none or another one. */
void cuda_capture_tell(char text[RILL_LABEL_MAX]);

/* A graph goes that may be one that a stream captures into. */
void cuda_capture_forget_graph(const rill_graph *graph);

#endif
