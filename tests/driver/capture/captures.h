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
#define NONBLOCKING CU_STREAM_NON_BLOCKING

/* Returns "none", "active", "invalid", or "untouched" for anything else. */
const char *capture_state(CUstreamCaptureStatus st);
void say_status(T *t, const char *label, CUstream s);
CUstream create_stream(T *t, unsigned flags);
CUevent create_event(T *t);

/* Adds a node that can be told apart from others: a memset whose value is c. */
CUresult capture_mark(CUdeviceptr p, char c, CUstream s);

/* Writes the letter of a mark, or the type of another node. */
void node_label(CUgraphNode n, char *b, size_t z);

/* Says what the next node of s would depend on, as sorted labels. */
void say_dependencies(T *t, const char *label, CUstream s);

/* Says nodes and edges by label, sorted. */
void say_topology(T *t, CUgraph g);

/* Makes `to` go on where `from` is. */
CUresult fork_stream(CUstream from, CUstream to, CUevent e);

/* Says whether s still does ordinary work. */
void say_usable(T *t, const char *label, CUstream s, CUdeviceptr p);

/* Instantiates, launches once and waits. */
CUresult run_captured(CUgraph g, CUstream s);

/* Returns the graph that s captures into, or NULL. */
CUgraph captured_graph(CUstream s);

/* Returns the node that the next one hangs from, or NULL unless there is just one. */
CUgraphNode last_captured(CUstream s);

size_t count_captured(CUstream s); /* nodes so far */

/* Says edges by label, with their data. */
void say_edges(T *t, CUgraph g);

/* Breaks the capture of s in the usual way. */
void break_capture(T *t, CUstream s);

#endif
