/* SPDX-License-Identifier: Apache-2.0
 *
 * Broken captures.
 */
#include "captures.h"

/* What each later call says on a stream whose capture is broken. */
CASE(capture, invalid_calls)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), d = 0;
    CUevent e = create_event(t), f = create_event(t);
    CUfunction nop = kernel(t, "nop");
    CUgraph g = NULL;
    CUgraphNode n = NULL;
    CUgraphExec x = NULL;
    static unsigned host[4];
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&n, g, NULL, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    break_capture(t, s);
    R("kernel", launch1(nop, s, NULL));
    R("memset", capture_mark(p, 'B', s));
    R("dtod", cuMemcpyDtoDAsync(p, p + 8, 4, s));
    R("htod", cuMemcpyHtoDAsync(p, host, 4, s));
    R("alloc", cuMemAllocAsync(&d, 256, s));
    R("write", cuStreamWriteValue32(s, p, 1, 0));
    R("record", cuEventRecord(f, s));
    R("record_ext", cuEventRecordWithFlags(f, s, CU_EVENT_RECORD_EXTERNAL));
    R("wait_in", cuStreamWaitEvent(s, e, 0));
    R("wait_new", cuStreamWaitEvent(s, f, 0));
    R("wait_ext", cuStreamWaitEvent(s, f, CU_EVENT_WAIT_EXTERNAL));
    R("launch", cuGraphLaunch(x, s));
    R("query", cuStreamQuery(s));
    R("sync", cuStreamSynchronize(s));
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    R("begin_to", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    R("update",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_status(t, "status", s);
    capture_end(t, s);
    say_status(t, "after", s);
    capture_end(t, s);
}

/* After the end the stream works, and captures, as before. */
CASE(capture, invalid_then_usable)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    break_capture(t, s);
    capture_end(t, s);
    R("query", cuStreamQuery(s));
    say_usable(t, "use", s, p);
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    say_dependencies(t, "deps", s);
    R("mark", capture_mark(p, 'C', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " v=%u", dread(t, p));
}

/* Breaking a side stream breaks the whole capture; the end is the origin's. */
CASE(capture, invalid_fork)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    R("break", cuStreamSynchronize(s2));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    R("mark", capture_mark(p, 'C', s));
    R("join", cuStreamWaitEvent(s, f, 0));
    R("fork3", cuStreamWaitEvent(s3, e, 0));
    say_status(t, "s3", s3);
    capture_end(t, s2);
    say_status(t, "s", s);
    capture_end(t, s);
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    say_status(t, "s3", s3);
    say_usable(t, "use", s, p);
    say_usable(t, "use2", s2, p);
    say_usable(t, "use3", s3, p);
}

/* An event of a broken capture, before and after that capture's end. */
CASE(capture, invalid_event)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    break_capture(t, s);
    R("query", cuEventQuery(e));
    R("sync", cuEventSynchronize(e));
    R("wait", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    capture_end(t, s);
    R("query", cuEventQuery(e));
    R("sync", cuEventSynchronize(e));
    R("wait", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    R("record", cuEventRecord(e, o));
    R("sync", cuEventSynchronize(e));
    R("query", cuEventQuery(e));
    say_usable(t, "use", o, p);
}

/* A captured call refused for its arguments leaves the capture whole. */
CASE(capture, bad_argument_harmless)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUfunction nop = kernel(t, "nop");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("grid0", cuLaunchKernel(nop, 0, 1, 1, 1, 1, 1, 0, s, NULL, NULL));
    say_status(t, "st", s);
    R("block", cuLaunchKernel(nop, 1, 1, 1, 4096, 1, 1, 0, s, NULL, NULL));
    say_status(t, "st", s);
    R("func0", cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL));
    R("memset0", cuMemsetD32Async(0, 1, 1, s));
    R("misaligned", cuMemsetD32Async(p + 1, 1, 1, s));
    R("dtod0", cuMemcpyDtoDAsync(p, 0, 4, s));
    R("host0", cuLaunchHostFunc(s, NULL, NULL));
    R("event0", cuEventRecord(NULL, s));
    R("wait0", cuStreamWaitEvent(s, NULL, 0));
    R("graph0", cuGraphLaunch(NULL, s));
    say_status(t, "st", s);
    R("mark", capture_mark(p, 'B', s));
    say_topology(t, capture_end(t, s));
}
