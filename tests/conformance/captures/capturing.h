/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of captures say: work that can be told apart, what a stream is at,
 * what came out.
 *
 * A graph is written as its nodes and its edges, each sorted: "A B M | A>B B>M".
 * Fills with a letter as value are that letter; other nodes are the letter of their
 * kind in small: k kernel, c copy, h host, e empty, r event record, w event wait,
 * a alloc, f free, v values, g child graph.
 */
#ifndef CONFORMANCE_CAPTURING_H
#define CONFORMANCE_CAPTURING_H

#include "conformance/work.h"

/* Begins a capture into a new graph, or into `graph`. */
rill_status begin(rill_stream *stream, rill_capture_mode mode);
rill_status begin_into(rill_stream *stream, rill_graph *graph, const rill_node *dependencies,
                       size_t count, rill_capture_mode mode);

/* One node: a fill with the letter as value. */
rill_status letter(struct fixture *f, rill_stream *stream, char letter);

/* `to` waits for what is in `from` now, through an event of its own. */
void follow(struct fixture *f, rill_stream *from, rill_stream *to);

/* What the capture of the stream is. */
#define active(stream) capturing_state(stream, RILL_CAPTURE_ACTIVE, __FILE__, __LINE__)
#define broken(stream) capturing_state(stream, RILL_CAPTURE_INVALIDATED, __FILE__, __LINE__)
#define idle(stream) capturing_state(stream, RILL_CAPTURE_NONE, __FILE__, __LINE__)
void capturing_state(rill_stream *stream, rill_capture_state state, const char *file, int line);

/* What the next node of the stream depends on, sorted: "A,B". */
#define behind(stream, letters) capturing_behind(stream, letters, __FILE__, __LINE__)
void capturing_behind(rill_stream *stream, const char *letters, const char *file, int line);

/* The one node that the next one depends on; the graph; each of a capture that is
 * active. */
rill_node last_node(rill_stream *stream);
rill_graph *live_graph(rill_stream *stream);

/* What a graph holds. */
#define holds(graph, shape) capturing_holds(graph, shape, __FILE__, __LINE__)
void capturing_holds(rill_graph *graph, const char *shape, const char *file, int line);

/* Ends the capture, which is a success; the graph is the test's to destroy. */
rill_graph *ended(rill_stream *stream);

/* The same, and compares. */
#define gives(stream, shape) capturing_gives(stream, shape, __FILE__, __LINE__)
void capturing_gives(rill_stream *stream, const char *shape, const char *file, int line);

/* Ends the capture, which fails; the stream is free then. */
#define fails(status, stream) capturing_fails(status, stream, __FILE__, __LINE__)
void capturing_fails(rill_status status, rill_stream *stream, const char *file, int line);

/* The stream takes ordinary work. */
void works_again(struct fixture *f, rill_stream *stream);

#endif
