/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases of captures share: states, streams and events, labelled work, shapes.
 */
#ifndef ORACLE_CAPTURE_CAPTURES_H
#define ORACLE_CAPTURE_CAPTURES_H

#include "../oracle.h"

#define GLOBAL CU_STREAM_CAPTURE_MODE_GLOBAL
#define THREAD_LOCAL CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
#define RELAXED CU_STREAM_CAPTURE_MODE_RELAXED

const char *capture_state(CUstreamCaptureStatus st);
void say_status(T *t, const char *label, CUstream s);
CUstream create_stream(T *t, unsigned flags);
CUevent create_event(T *t);

/* One node that can be told apart from others: a memset whose value is c. */
CUresult capture_mark(CUdeviceptr p, char c, CUstream s);
void node_label(CUgraphNode n, char *b, size_t z);

/* What the next node of s would depend on, as sorted labels. */
void say_dependencies(T *t, const char *label, CUstream s);

/* Nodes and edges by label, sorted: marks by their letter, others by type. */
void say_topology(T *t, CUgraph g);

/* from goes on in to */
CUresult fork_stream(CUstream from, CUstream to, CUevent e);

/* Can s still do ordinary work? */
void say_usable(T *t, const char *label, CUstream s, CUdeviceptr p);
CUresult run_captured(CUgraph g, CUstream s);
CUgraph captured_graph(CUstream s);

/* The node that the next one hangs from, where there is just one. */
CUgraphNode last_captured(CUstream s);
size_t count_captured(CUstream s);
void say_edges(T *t, CUgraph g);

/* The usual way to break the capture of s. */
void break_capture(T *t, CUstream s);

#define NONBLOCKING CU_STREAM_NON_BLOCKING

#endif
