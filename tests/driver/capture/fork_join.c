/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: fork and join topology.
 */
#include "captures.h"

CASE(capture, linear)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    for (char c = 'A'; c <= 'D'; c++) OK(capture_mark(p, c, s));
    say_dependencies(t, "deps", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    say_shape(t, g);
}

/* The fork comes before any node: two roots, one joining node. */
CASE(capture, fork_at_start)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("fork", fork_stream(s, s2, e));
    say_dependencies(t, "s2", s2);
    OK(capture_mark(p, 'A', s));
    OK(capture_mark(p, 'B', s2));
    R("join", fork_stream(s2, s, f));
    say_dependencies(t, "s", s);
    say_dependencies(t, "s2", s2);
    OK(capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
}

CASE(capture, fork_three)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, CU_STREAM_DEFAULT);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t), h = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(s2, e, 0));
    OK(cuStreamWaitEvent(s3, e, 0));
    OK(capture_mark(p, 'B', s));
    OK(capture_mark(p, 'C', s2));
    OK(capture_mark(p, 'D', s3));
    say_status(t, "legacy", NULL);
    OK(fork_stream(s2, s, f));
    OK(fork_stream(s3, s, h));
    say_dependencies(t, "s", s);
    OK(capture_mark(p, 'E', s));
    say_topology(t, capture_end(t, s));
}

/* A side stream that did nothing is joined: behind, level with and ahead of
 * where the origin stands. */
CASE(capture, join_without_work)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "empty", s);
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "level", s);
    OK(capture_mark(p, 'B', s));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "behind", s);
    OK(capture_mark(p, 'C', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'D', s2));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "ahead", s);
    OK(capture_mark(p, 'E', s));
    say_topology(t, capture_end(t, s));
}

/* Joined twice: the same event, and a second event on the same node. */
CASE(capture, join_twice)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t), h = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    OK(cuEventRecord(h, s2));
    R("first", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d1", s);
    R("again", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d2", s);
    R("other", cuStreamWaitEvent(s, h, 0));
    say_dependencies(t, "d3", s);
    OK(capture_mark(p, 'C', s));
    R("late", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d4", s);
    OK(capture_mark(p, 'D', s));
    say_topology(t, capture_end(t, s));
}

/* A side stream waits on the fork event again after work of its own. */
CASE(capture, wait_twice_on_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(s2, e, 0));
    OK(cuStreamWaitEvent(s2, e, 0));
    say_dependencies(t, "d1", s2);
    OK(capture_mark(p, 'B', s2));
    OK(cuStreamWaitEvent(s2, e, 0));
    say_dependencies(t, "d2", s2);
    OK(capture_mark(p, 'C', s2));
    OK(fork_stream(s2, s, f));
    OK(capture_mark(p, 'D', s));
    say_topology(t, capture_end(t, s));
}

/* A stream waits on its own events, newest and older. */
CASE(capture, wait_own_event)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("record_empty", cuEventRecord(e, s));
    R("wait_empty", cuStreamWaitEvent(s, e, 0));
    say_dependencies(t, "d0", s);
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(f, s));
    R("newest", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d1", s);
    OK(capture_mark(p, 'B', s));
    R("older", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d2", s);
    R("oldest", cuStreamWaitEvent(s, e, 0));
    say_dependencies(t, "d3", s);
    OK(capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
}

/* s to s2 to s3, and s3 alone joins s. */
CASE(capture, join_through_third)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s3, e));
    OK(fork_stream(s3, s, e));
    say_dependencies(t, "d1", s);
    OK(capture_mark(p, 'C', s3));
    OK(fork_stream(s3, s, e));
    say_dependencies(t, "d2", s);
    say_topology(t, capture_end(t, s));
    say_status(t, "s2", s2);
    say_status(t, "s3", s3);
}

/* The origin follows a side stream and does nothing more itself. */
CASE(capture, end_right_after_join)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'A', s2));
    OK(capture_mark(p, 'B', s));
    OK(fork_stream(s2, s, e));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
}

/* A side stream with unfinished work of its own from before: that work is
 * not captured and goes on. */
CASE(capture, fork_into_busy)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    gate_close(t);
    OK(gate(t, s2));
    OK(cuMemsetD32Async(p, 5, 1, s2));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p + 4, 'A', s));
    R("fork", fork_stream(s, s2, e));
    R("mark", capture_mark(p + 8, 'B', s2));
    R("join", fork_stream(s2, s, e));
    say_topology(t, capture_end(t, s));
    R("query", cuStreamQuery(s2));
    gate_open(t);
    R("sync", cuStreamSynchronize(s2));
    say(t, " v=%u", dread(t, p));
    say(t, " w=%u", dread(t, p + 8));
}

/* Streams and events that are no longer needed go during the capture. */
CASE(capture, destroy_joined_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    R("edestroy", cuEventDestroy(e));
    say_status(t, "s", s);
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s, f));
    R("sdestroy", cuStreamDestroy(s2));
    say_status(t, "s", s);
    R("mark", capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
    say_usable(t, "use", s, p);
}

/* As above, but the event that would join it was recorded first. */
CASE(capture, destroy_side_then_join)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    R("sdestroy", cuStreamDestroy(s2));
    R("join", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "s", s);
    R("mark", capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
}
