/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures into a graph that is there already.
 */
#include "captures.h"

CASE(capture, to_graph_empty)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    R("begin", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    say_status(t, "s", s);
    say(t, " info=%s", captured_graph(s) == g ? "same" : "differ");
    say_dependencies(t, "deps", s);
    OK(capture_mark(p, 'A', s));
    OK(capture_mark(p, 'B', s));
    CUgraph h = capture_end(t, s);
    say(t, " out=%s", h == g ? "same" : "differ");
    say_topology(t, g);
    R("run", run_captured(g, s));
    R("destroy", cuGraphDestroy(g));
}

/* Under capture the graph can't be instantiated; afterwards it can. */
CASE(capture, to_graph_instantiate)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL, c = NULL;
    CUgraphNode x = NULL;
    CUgraphExec ex = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&x, g, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, RELAXED));
    R("inst0", cuGraphInstantiate(&ex, g, 0));
    say_status(t, "s", s);
    R("mark", capture_mark(p, 'A', s));
    R("inst1", cuGraphInstantiate(&ex, g, 0));
    R("clone", cuGraphClone(&c, g));
    R("add", cuGraphAddEmptyNode(&x, g, NULL, 0));
    say_status(t, "s", s);
    capture_end(t, s);
    say_topology(t, g);
    R("inst2", cuGraphInstantiate(&ex, g, 0));
}

/* A side stream's loose end counts, the graph's own loose ends do not. */
CASE(capture, to_graph_unjoined)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    CUgraph g = NULL;
    CUgraphNode x = NULL, y = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&x, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&y, g, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(s, g, &x, NULL, 1, GLOBAL));
    OK(fork_stream(s, s2, e));
    say_dependencies(t, "s2", s2);
    OK(capture_mark(p, 'A', s2));
    OK(capture_mark(p, 'B', s));
    OK(fork_stream(s2, s, e));
    OK(capture_mark(p, 'C', s));
    capture_end(t, s);
    say_topology(t, g);
    OK(cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'D', s2));
    capture_end(t, s);
    say_status(t, "s2", s2);
    say_topology(t, g);
}
