/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/capture.h>: making a graph out of what is submitted to streams.
 */
#ifndef RILL_CAPTURE_H
#define RILL_CAPTURE_H

#include <rill/graph.h>

RILL_BEGIN_DECLS

/* The threads for which a capture forbids unsafe calls. */
typedef enum rill_capture_mode {
    RILL_CAPTURE_THREAD_LOCAL = 0, /* the thread that began the capture */
    RILL_CAPTURE_GLOBAL = 1,       /* every thread                      */
    RILL_CAPTURE_RELAXED = 2       /* none                              */
} rill_capture_mode;

typedef struct rill_capture_options {
    size_t size;
    rill_capture_mode mode;
    rill_graph *graph; /* capture into this graph; NULL: into a new one */
    const rill_node *dependencies; /* of the first node, in that graph  */
    const rill_edge *edges;
    size_t dependency_count;
} rill_capture_options;

/* Begins a capture: from now on what is submitted to the stream does not run, but
 * becomes nodes of a graph.  NULL options stand for a thread-local capture into a new
 * graph.  The legacy stream cannot capture. */
RILL_API rill_status rill_stream_begin_capture(rill_stream *stream,
                                               const rill_capture_options *options);

/* Ends a capture in the stream in which it was begun.  If `graph` is NULL, what was
 * captured is destroyed, unless it is in a graph of the user's, which stays.
 *
 * If the call fails, *graph is NULL and the capture is over all the same.  What it
 * captured is lost, and so is a graph that it was begun into: that graph can then only
 * be destroyed.  In two cases, however, there is nothing to end: the stream does not
 * capture (RILL_ERROR_ILLEGAL_STATE), or it only joined a capture that was begun in
 * another stream, and the call breaks that capture
 * (RILL_ERROR_STREAM_CAPTURE_UNMATCHED). */
RILL_API rill_status rill_stream_end_capture(rill_stream *stream, rill_graph **graph);

typedef enum rill_capture_state {
    RILL_CAPTURE_NONE = 0,
    RILL_CAPTURE_ACTIVE = 1,
    RILL_CAPTURE_INVALIDATED = 2
} rill_capture_state;

/* Everything but `state` is valid only while the capture is active. */
typedef struct rill_capture_info {
    size_t size; /* sizeof(rill_capture_info), set by the caller */
    rill_capture_state state;
    uint64_t id;
    rill_graph *graph;              /* borrowed                          */
    const rill_node *dependencies;  /* of the next node, until the next  */
    const rill_edge *edges;         /* call on the stream                */
    size_t dependency_count;
} rill_capture_info;

/* Tells whether the stream captures, and into what.  The stream may have joined a
 * capture that was begun in another stream. */
RILL_API rill_status rill_stream_capture_info(rill_stream *stream, rill_capture_info *info);

/* Adds to the nodes that the stream's next node will depend on, or replaces these
 * nodes. */
typedef enum rill_capture_update {
    RILL_CAPTURE_ADD = 0,
    RILL_CAPTURE_SET = 1
} rill_capture_update;
RILL_API rill_status rill_stream_update_capture(rill_stream *stream, const rill_node *dependencies,
                                                const rill_edge *edges, size_t count,
                                                rill_capture_update how);

/* Swaps *mode with the calling thread's own mode, which is RILL_CAPTURE_GLOBAL at
 * first. */
RILL_API rill_status rill_thread_exchange_capture_mode(rill_platform *platform,
                                                       rill_capture_mode *mode);

/* ---- Captures that always end ------------------------------------------- */

/* Puts work into `stream`, and joins the streams that it forks off. */
typedef rill_status (*rill_capture_fn)(rill_stream *stream, void *data);

/* Captures what fn(stream, data) puts into the stream, as a graph that belongs to the
 * caller.  The capture is over when the call returns, whatever the function did: also
 * if the function failed, broke the capture, ended it, or ended it and began another
 * one.  In these cases *graph is NULL and what was captured is given back.  A graph in
 * options->graph keeps its new nodes instead, or is lost if the capture failed: see
 * rill_stream_end_capture().
 *
 * If the function returns a failure, so does the call.  The error record then has the
 * function's sentence and what became of the capture, and its cause is the call inside
 * the function that failed.  The function must return: neither a C++ exception nor
 * longjmp() may leave it. */
RILL_API rill_status rill_capture(rill_stream *stream, const rill_capture_options *options,
                                  rill_capture_fn fn, void *data, rill_graph **graph);

/* ---- Permission to do what captures forbid ------------------------------ */

/* While a capture is going on, a thread may not allocate memory, unload modules, or
 * make and destroy execs: that would break the capture.  While it holds a guard, the
 * calling thread may do these things, and no capture takes notice:
 *
 *     rill_capture_guard guard = rill_capture_relax(platform);
 *     rill_mem_alloc(context, bytes, &address);
 *     rill_capture_restore(&guard);
 *
 * Guards nest.  Each restores the mode that the thread had when the guard was made, so
 * guards are restored in the opposite order.  In C++ a guard is the member of a class
 * whose destructor restores it; in GNU C, rill_capture_restore() can be the cleanup of
 * a variable. */
typedef struct rill_capture_guard {
    rill_platform *platform; /* NULL: nothing is to be restored, see the error record */
    rill_capture_mode mode;  /* the one that the thread had */
    uint64_t thread;
} rill_capture_guard;

/* Lets the calling thread do what captures forbid, until rill_capture_restore(). */
RILL_API rill_capture_guard rill_capture_relax(rill_platform *platform);

/* Restores the mode of the calling thread, which must be the thread that made the
 * guard.  The second call for a guard, or one for a guard that relaxed nothing, does
 * nothing and succeeds. */
RILL_API rill_status rill_capture_restore(rill_capture_guard *guard);

RILL_END_DECLS

#endif
