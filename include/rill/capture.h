/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/capture.h>: making a graph out of what is submitted to streams.
 */
#ifndef RILL_CAPTURE_H
#define RILL_CAPTURE_H

#include <rill/graph.h>

RILL_BEGIN_DECLS

/* Which threads must keep away from calls that a capture cannot stand. */
typedef enum rill_capture_mode {
    RILL_CAPTURE_THREAD_LOCAL = 0, /* the thread that began it */
    RILL_CAPTURE_GLOBAL = 1,       /* every thread             */
    RILL_CAPTURE_RELAXED = 2       /* none                     */
} rill_capture_mode;

typedef struct rill_capture_options {
    size_t size;
    rill_capture_mode mode;
    rill_graph *graph; /* capture into this graph; NULL: into a new one */
    const rill_node *dependencies; /* of the first node, in that graph  */
    const rill_edge *edges;
    size_t dependency_count;
} rill_capture_options;

RILL_API rill_status rill_stream_begin_capture(rill_stream *stream,
                                               const rill_capture_options *options);

/* Ends the capture in every case; *graph is NULL when it failed. */
RILL_API rill_status rill_stream_end_capture(rill_stream *stream, rill_graph **graph);

typedef enum rill_capture_state {
    RILL_CAPTURE_NONE = 0,
    RILL_CAPTURE_ACTIVE = 1,
    RILL_CAPTURE_INVALIDATED = 2
} rill_capture_state;

/* Everything but `state` holds only while the capture is active. */
typedef struct rill_capture_info {
    size_t size; /* sizeof(rill_capture_info), set by the caller */
    rill_capture_state state;
    uint64_t id;
    rill_graph *graph;              /* borrowed                          */
    const rill_node *dependencies;  /* of the next node, until the next  */
    const rill_edge *edges;         /* call on the stream                */
    size_t dependency_count;
} rill_capture_info;

RILL_API rill_status rill_stream_capture_info(rill_stream *stream, rill_capture_info *info);

/* The nodes that the stream's next node will depend on: added to, or set. */
typedef enum rill_capture_update { RILL_CAPTURE_ADD = 0, RILL_CAPTURE_SET = 1 } rill_capture_update;
RILL_API rill_status rill_stream_update_capture(rill_stream *stream, const rill_node *dependencies,
                                                const rill_edge *edges, size_t count,
                                                rill_capture_update how);

/* Swaps *mode with the calling thread's own, which begins as GLOBAL. */
RILL_API rill_status rill_thread_exchange_capture_mode(rill_platform *platform,
                                                       rill_capture_mode *mode);

RILL_END_DECLS

#endif
