/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: status and information.
 */
#include "captures.h"

static void say_info(T *t, const char *label, CUstream s)
{
    CUstreamCaptureStatus st = 99;
    cuuint64_t id = 0x5a5a5a5a5a;
    CUgraph g = (CUgraph)0x1;
    const CUgraphNode *d = (const CUgraphNode *)0x1;
    const CUgraphEdgeData *ed = (const CUgraphEdgeData *)0x1;
    size_t n = 7777;
    CUresult r = cuStreamGetCaptureInfo(s, &st, &id, &g, &d, &ed, &n);
    say(t, " %s=%s:%s{id=%s graph=%s deps=%s edges=%s n=", label, ename(r), capture_state(st),
        id == 0x5a5a5a5a5a ? "untouched"
        : id               ? "set"
                           : "zero",
        g == (CUgraph)0x1 ? "untouched"
        : g               ? "set"
                          : "null",
        d == (const CUgraphNode *)0x1 ? "untouched"
        : d                           ? "set"
                                      : "null",
        ed == (const CUgraphEdgeData *)0x1 ? "untouched"
        : ed                               ? "set"
                                           : "null");
    if (n == 7777)
        say(t, "untouched}");
    else
        say(t, "%zu}", n);
}

CASE(capture, info_states)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    say_info(t, "none", s);
    say_info(t, "legacy", NULL);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    say_info(t, "active", s);
    break_capture(t, s);
    say_info(t, "invalid", s);
    say_status(t, "status", s);
    capture_end(t, s);
    say_info(t, "after", s);
}

/* The one output that is required left out. */
CASE(capture, info_null)
{
    CUstream s = create_stream(t, NONBLOCKING);
    cuuint64_t id = 0;
    R("idle_info", cuStreamGetCaptureInfo(s, NULL, &id, NULL, NULL, NULL, NULL));
    R("idle_is", cuStreamIsCapturing(s, NULL));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("info", cuStreamGetCaptureInfo(s, NULL, &id, NULL, NULL, NULL, NULL));
    R("is", cuStreamIsCapturing(s, NULL));
    say_status(t, "status", s);
    capture_end(t, s);
}

/* The graph of a capture in progress can be looked at. */
CASE(capture, info_graph_live)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    CUgraph g = captured_graph(s);
    say_topology(t, g);
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    say_topology(t, g);
    OK(capture_mark(p, 'B', s));
    CUgraphNode b = last_captured(s), nodes[4], dep = NULL;
    size_t n = 4, m = 1;
    say_topology(t, g);
    R("nodes", cuGraphGetNodes(g, nodes, &n));
    say(t, " n=%zu", n);
    if (n == 2) say(t, " a=%s b=%s", nodes[0] == a ? "first" : "?", nodes[1] == b ? "second" : "?");
    R("deps", cuGraphNodeGetDependencies(b, &dep, NULL, &m));
    say(t, " m=%zu dep=%s", m, dep == a ? "a" : "?");
    capture_end(t, s);
}

/* With a blocking stream capturing, the legacy stream can't be asked; the
 * question does no harm.  A non-blocking capture is none of its business. */
CASE(capture, legacy_status)
{
    CUstream b = create_stream(t, CU_STREAM_DEFAULT), b2 = create_stream(t, CU_STREAM_DEFAULT),
             s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    say_status(t, "nb_null", NULL);
    say_info(t, "nb_info", NULL);
    capture_end(t, s);
    OK(cuStreamBeginCapture(b, GLOBAL));
    say_status(t, "null", NULL);
    say_status(t, "legacy", CU_STREAM_LEGACY);
    say_info(t, "info", NULL);
    say_status(t, "per_thread", CU_STREAM_PER_THREAD);
    say_status(t, "other_blocking", b2);
    R("begin_null", cuStreamBeginCapture(NULL, GLOBAL));
    R("end_null", cuStreamEndCapture(NULL, &(CUgraph){ NULL }));
    say_status(t, "b", b);
    R("mark", capture_mark(p, 'A', b));
    R("mark_b2", capture_mark(p, 'B', b2));
    say_status(t, "b", b);
    say_topology(t, capture_end(t, b));
    say_status(t, "null_after", NULL);
}
