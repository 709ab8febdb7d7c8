/* SPDX-License-Identifier: Apache-2.0
 *
 * Editing the dependencies of a capture in progress.
 */
#include "captures.h"

CASE(capture, update_add)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraphNode x = NULL, y = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    R("empty", cuGraphAddEmptyNode(&x, captured_graph(s), NULL, 0));
    say_dependencies(t, "d0", s);
    R("add", cuStreamUpdateCaptureDependencies(s, &x, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d1", s);
    R("same_again",
      cuStreamUpdateCaptureDependencies(s, &x, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d2", s);
    R("present",
      cuStreamUpdateCaptureDependencies(s, &a, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d3", s);
    R("none",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d4", s);
    OK(capture_mark(p, 'B', s));
    say_dependencies(t, "d5", s);
    R("older",
      cuStreamUpdateCaptureDependencies(s, &a, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d6", s);
    OK(capture_mark(p, 'C', s));
    R("loose", cuGraphAddEmptyNode(&y, captured_graph(s), NULL, 0));
    say_topology(t, capture_end(t, s));
}

/* Refused updates, and whether they harm the capture. */
CASE(capture, update_bad)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL;
    CUgraphNode f = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&f, g, NULL, 0));
    R("idle", cuStreamUpdateCaptureDependencies(s, &f, NULL, 1, 0));
    R("idle_none", cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
    R("legacy", cuStreamUpdateCaptureDependencies(NULL, NULL, NULL, 0, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("foreign", cuStreamUpdateCaptureDependencies(s, &f, NULL, 1, 0));
    say_dependencies(t, "d", s);
    R("foreign_set",
      cuStreamUpdateCaptureDependencies(s, &f, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d", s);
    R("flags", cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 2));
    say_dependencies(t, "d", s);
    say_topology(t, capture_end(t, s));
}

/* A count without an array. */
CASE(capture, update_null)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("add",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    R("set",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d", s);
    say_topology(t, capture_end(t, s));
}

/* Nodes taken off a stream's dependencies need not be joined any more. */
CASE(capture, update_unjoined)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    R("clear",
      cuStreamUpdateCaptureDependencies(s2, NULL, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "s2", s2);
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    CUgraphNode b = last_captured(s2);
    R("take",
      cuStreamUpdateCaptureDependencies(s, &b, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "s", s);
    OK(capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    a = last_captured(s);
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    b = last_captured(s2);
    OK(capture_mark(p, 'C', s));
    CUgraphNode c = last_captured(s);
    R("edge", cuGraphAddDependencies(captured_graph(s), &b, &c, NULL, 1));
    say_topology(t, capture_end(t, s));
    (void)a;
}

/* A node is put in by hand behind the last captured one and followed. */
CASE(capture, update_manual_node)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUDA_MEMSET_NODE_PARAMS mp;
    CUgraphNode b = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    memset(&mp, 0, sizeof mp);
    mp.dst = p;
    mp.value = 'B';
    mp.elementSize = 4;
    mp.width = 1;
    mp.height = 1;
    R("add", cuGraphAddMemsetNode(&b, captured_graph(s), &a, 1, &mp, t->ctx));
    say_dependencies(t, "d0", s);
    R("set", cuStreamUpdateCaptureDependencies(s, &b, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(cuMemcpyDtoDAsync(p + 4, p, 4, s));
    OK(capture_mark(p, 'C', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " v=%u", dread(t, p));
    say(t, " w=%u", dread(t, p + 4));
}

/* Edges added and removed by hand between captured nodes. */
CASE(capture, edit_edges_live)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    OK(capture_mark(p, 'B', s2));
    CUgraphNode b = last_captured(s2);
    OK(fork_stream(s2, s, e));
    OK(capture_mark(p, 'C', s));
    CUgraphNode c = last_captured(s);
    R("a>b", cuGraphAddDependencies(captured_graph(s), &a, &b, NULL, 1));
    R("a>b_again", cuGraphAddDependencies(captured_graph(s), &a, &b, NULL, 1));
    R("remove", cuGraphRemoveDependencies(captured_graph(s), &a, &c, NULL, 1));
    say_status(t, "s", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
}

/* The graph of a capture in progress is cloned, nested and instantiated. */
CASE(capture, graph_used_live)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph c = NULL, g = NULL;
    CUgraphNode n = NULL;
    CUgraphExec x = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    R("clone", cuGraphClone(&c, captured_graph(s)));
    if (c) say_topology(t, c);
    R("child", cuGraphAddChildGraphNode(&n, g, NULL, 0, captured_graph(s)));
    say_status(t, "s", s);
    R("inst", cuGraphInstantiate(&x, captured_graph(s), 0));
    say_status(t, "s", s);
    R("mark", capture_mark(p, 'B', s));
    say_topology(t, capture_end(t, s));
}

CASE(capture, node_destroy_live)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    OK(capture_mark(p, 'B', s));
    OK(capture_mark(p, 'C', s));
    R("destroy", cuGraphDestroyNode(a));
    say_status(t, "s", s);
    say_dependencies(t, "d", s);
    say_topology(t, capture_end(t, s));
}
