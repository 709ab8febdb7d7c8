/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: how they begin and end.
 */
#include "captures.h"

/* The legacy stream under either name, in every mode; it stays usable. */
CASE(capture, begin_legacy)
{
    CUgraph g = NULL;
    CUdeviceptr p = dalloc(t, 16);
    OK(cuGraphCreate(&g, 0));
    R("null_global", cuStreamBeginCapture(NULL, GLOBAL));
    R("null_local", cuStreamBeginCapture(NULL, THREAD_LOCAL));
    R("null_relaxed", cuStreamBeginCapture(NULL, RELAXED));
    R("legacy_global", cuStreamBeginCapture(CU_STREAM_LEGACY, GLOBAL));
    R("legacy_relaxed", cuStreamBeginCapture(CU_STREAM_LEGACY, RELAXED));
    R("null_badmode", cuStreamBeginCapture(NULL, (CUstreamCaptureMode)7));
    R("to_graph", cuStreamBeginCaptureToGraph(NULL, g, NULL, NULL, 0, GLOBAL));
    say_status(t, "status", NULL);
    say_status(t, "status_legacy", CU_STREAM_LEGACY);
    say_usable(t, "use", NULL, p);
}

CASE(capture, begin_kinds)
{
    CUdeviceptr p = dalloc(t, 16);
    CUstream v[3];
    int lo = 0, hi = 0;
    OK(cuCtxGetStreamPriorityRange(&lo, &hi));
    v[0] = create_stream(t, CU_STREAM_DEFAULT);
    v[1] = create_stream(t, NONBLOCKING);
    OK(cuStreamCreateWithPriority(&v[2], NONBLOCKING, hi));
    for (int i = 0; i < 3; i++) {
        R("begin", cuStreamBeginCapture(v[i], GLOBAL));
        say_status(t, "status", v[i]);
        R("mark", capture_mark(p, 'A', v[i]));
        say_topology(t, capture_end(t, v[i]));
        say_status(t, "after", v[i]);
    }
}

CASE(capture, begin_bad_mode)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    R("three", cuStreamBeginCapture(s, (CUstreamCaptureMode)3));
    R("minus", cuStreamBeginCapture(s, (CUstreamCaptureMode)-1));
    R("to_graph", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, (CUstreamCaptureMode)3));
    say_status(t, "status", s);
    R("good", cuStreamBeginCapture(s, GLOBAL));
    R("while_active", cuStreamBeginCapture(s, (CUstreamCaptureMode)3));
    say_status(t, "active", s);
    say_topology(t, capture_end(t, s));
}

/* A second begin on a capturing stream: its result and whether it harms. */
CASE(capture, begin_twice)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("same", cuStreamBeginCapture(s, GLOBAL));
    say_status(t, "status", s);
    R("other_mode", cuStreamBeginCapture(s, RELAXED));
    R("to_graph", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    say_status(t, "status2", s);
    R("mark", capture_mark(p, 'B', s));
    say_topology(t, capture_end(t, s));
    R("again", cuStreamBeginCapture(s, RELAXED));
    say_topology(t, capture_end(t, s));
}

/* A stream that takes part in a capture by a fork cannot begin its own. */
CASE(capture, begin_on_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    R("begin", cuStreamBeginCapture(s2, GLOBAL));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    R("mark", capture_mark(p, 'B', s2));
    R("join", fork_stream(s2, s, f));
    say_topology(t, capture_end(t, s));
    say_status(t, "s2_after", s2);
    R("begin_after", cuStreamBeginCapture(s2, GLOBAL));
    say_topology(t, capture_end(t, s2));
}

/* Unfinished work in the stream before the capture goes on undisturbed. */
CASE(capture, begin_busy)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    gate_close(t);
    OK(gate(t, s));
    OK(cuMemsetD32Async(p, 5, 1, s));
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    say_dependencies(t, "deps", s);
    R("mark", capture_mark(p + 4, 'A', s));
    say_topology(t, capture_end(t, s));
    R("query", cuStreamQuery(s));
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    say(t, " w=%u", dread(t, p + 4));
}

/* A blocking stream begins while the legacy stream has unfinished work. */
CASE(capture, begin_behind_legacy)
{
    CUstream s = create_stream(t, CU_STREAM_DEFAULT);
    CUdeviceptr p = dalloc(t, 16);
    gate_close(t);
    OK(gate(t, NULL));
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    R("mark", capture_mark(p, 'A', s));
    say_topology(t, capture_end(t, s));
    R("query", cuStreamQuery(NULL));
    gate_open(t);
    R("sync", cuStreamSynchronize(NULL));
    say(t, " v=%u", dread(t, p));
}

CASE(capture, end_without_begin)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    capture_end(t, s);
    capture_end(t, NULL);
    capture_end(t, CU_STREAM_PER_THREAD);
    OK(cuStreamBeginCapture(s, GLOBAL));
    say_topology(t, capture_end(t, s));
    capture_end(t, s);
    say_usable(t, "use", s, p);
}

CASE(capture, empty)
{
    CUstream s = create_stream(t, NONBLOCKING);
    OK(cuStreamBeginCapture(s, GLOBAL));
    say_dependencies(t, "deps", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    say_status(t, "after", s);
    if (g) R("run", run_captured(g, s));
    R("destroy", cuGraphDestroy(g));
}
