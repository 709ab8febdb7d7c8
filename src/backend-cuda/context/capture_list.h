/* SPDX-License-Identifier: Apache-2.0
 *
 * The captures that were begun through rill: from begin to end they are on one list, for
 * the graph that each is making, and for the call that broke it: the first one through
 * rill that failed and left the capture invalid.
 */
#ifndef CUDA_CONTEXT_CAPTURE_LIST_H
#define CUDA_CONTEXT_CAPTURE_LIST_H

#include "backend-cuda/context/stream.h"

struct cuda_capture;

/* What the list has done by the owner of the captures, who knows graphs. */
struct cuda_capture_owner {
    /* own_graph makes an object of rill's for the driver's graph, and notes it in the
     * capture. */
    rill_status (*own_graph)(struct cuda_capture *capture, CUgraph raw);
    /* drop gives the graph of a capture that failed back, and frees the capture. */
    void (*drop)(struct cuda_capture *capture);
};

struct cuda_capture {
    const struct cuda_capture_owner *owner; /* fixed */
    struct cuda_capture *next; /* of all; captures_lock, as all that follows */
    struct cuda_stream *first; /* in which the capture was begun             */
    uint64_t thread; /* whose per-thread stream `first` is; 0: an ordinary stream */
    uint64_t id;
    rill_graph *graph; /* the caller's that the capture was begun into, or ours; NULL: not
                          asked for yet */
    bool graph_is_ours;
    uint64_t call; /* that broke the capture, until the call has a name; or 0 */
    rill_error_cause cause; /* .status is RILL_SUCCESS while nothing broke the capture */
};

/* Held by a thread that begins or ends a capture, until the list says so, too: another
 * thread may end what has just begun, and the graph of what ends is gone. */
extern struct rl_lock cuda_capture_turn;

/* Puts a capture with its `owner`, `first` and `id` on the list.  Returns the capture that
 * was begun in the same stream before and has ended unseen, which is the caller's to drop,
 * or NULL. */
struct cuda_capture *cuda_capture_list(struct cuda_capture *capture);

/* Takes the capture off the list that was begun in the stream, by this thread if each has
 * its own.  Returns it, which is the caller's to drop or free, or NULL if there is none. */
struct cuda_capture *cuda_capture_take_off(struct cuda_stream *stream);

/* Gives the graph of the capture with that number.  *graph is NULL if the capture was not
 * begun through rill, since nothing would say when it ends. */
rill_status cuda_capture_graph_of(uint64_t id, CUgraph raw, rill_graph **graph);

/* Returns whether a stream captures into this graph object. */
bool cuda_capture_goes_into(const rill_graph *graph);

/* Forgets a stream that goes, for all threads: drops the captures that began in it. */
void cuda_capture_forget_stream(struct cuda_stream *stream);

/* Forgets a graph that goes, into which a stream may be capturing. */
void cuda_capture_forget_graph(const rill_graph *graph);

/* ---- What broke a capture ---------------------------------------------------------- */

/* Notes, when a call was refused with this status, whether that broke captures.  Is called
 * after the failure was recorded, in the same call. */
void cuda_capture_suffered(rill_status status);

/* Says what broke the stream's capture, since a call was refused because of that. */
void cuda_capture_recall(const struct cuda_stream *stream);

/* Ends an operation that was submitted to the stream. */
static inline rill_status cuda_submitted(const struct cuda_stream *stream, rill_status status)
{
    if (__builtin_expect(status == RILL_ERROR_STREAM_CAPTURE_INVALIDATED, 0))
        cuda_capture_recall(stream);
    return status;
}

/* Names the stream of the only capture that was begun through rill, as "stream
 * 'prefill'".  Gives "" if there is none, or more than one. */
void cuda_capture_tell(char text[RILL_LABEL_MAX]);

#endif
