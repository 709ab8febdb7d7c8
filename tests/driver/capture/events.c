/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: events of a capture, and events outside.
 */
#include "captures.h"

/* ---- not joined, not matched, not to be merged ---- */

/* The event of an ended capture, asked and waited on from outside and from
 * a new capture; a plain record makes it ordinary again. */
CASE(capture, event_after_end)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = NULL, b = NULL;
    float ms = -1;
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&b, 0));
    OK(cuEventRecord(b, o));
    OK(cuStreamSynchronize(o));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    CUgraph g = capture_end(t, s);
    R("query", cuEventQuery(e));
    R("sync", cuEventSynchronize(e));
    R("elapsed", cuEventElapsedTime(&ms, b, e));
    R("wait", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    R("wait_own", cuStreamWaitEvent(s, e, 0));
    R("run", run_captured(g, s));
    R("query_run", cuEventQuery(e));
    R("gdestroy", cuGraphDestroy(g));
    R("query_gone", cuEventQuery(e));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("wait_new", cuStreamWaitEvent(s, e, 0));
    say_status(t, "s", s);
    capture_end(t, s);
    R("record", cuEventRecord(e, o));
    R("sync2", cuEventSynchronize(e));
    R("query2", cuEventQuery(e));
    R("elapsed2", cuEventElapsedTime(&ms, b, e));
    say_usable(t, "use", o, p);
}

/* An outside event's meaning is replaced by a record inside the capture. */
CASE(capture, record_inside_pending)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING),
             q = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    gate_close(t);
    OK(gate(t, o));
    OK(cuEventRecord(e, o));
    OK(cuStreamWaitEvent(q, e, 0));
    OK(cuMemsetD32Async(p + 4, 9, 1, q));
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    R("record", cuEventRecord(e, s));
    R("query", cuEventQuery(e));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
    R("q", cuStreamQuery(q));
    gate_open(t);
    R("sync_q", cuStreamSynchronize(q));
    say(t, " v=%u", dread(t, p + 4));
}

/* ---- external events ---- */

/* An external record is a node; the event keeps its outside meaning during
 * the capture and gets a new one with every launch. */
CASE(capture, external_record)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = NULL, b = NULL, got = NULL;
    CUgraphExec x = NULL;
    float ms = -1;
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&b, 0));
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(cuEventRecordWithFlags(b, s, CU_EVENT_RECORD_EXTERNAL));
    OK(capture_mark(p, 'A', s));
    R("record", cuEventRecordWithFlags(e, s, CU_EVENT_RECORD_EXTERNAL));
    say_dependencies(t, "deps", s);
    CUgraphNode n = last_captured(s);
    R("query", cuEventQuery(e));
    say_status(t, "s", s);
    R("wait_out", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    OK(capture_mark(p, 'B', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (n) {
        R("get", cuGraphEventRecordNodeGetEvent(n, &got));
        say(t, " event=%s", got == e ? "same" : "differ");
    }
    R("query", cuEventQuery(e));
    R("elapsed", cuEventElapsedTime(&ms, b, e));
    gate_close(t);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(gate(t, s));
    R("launch", cuGraphLaunch(x, s));
    R("pending", cuEventQuery(e));
    gate_open(t);
    R("sync", cuEventSynchronize(e));
    R("elapsed", cuEventElapsedTime(&ms, b, e));
    say(t, " nonneg=%d", ms >= 0.0f);
    R("ssync", cuStreamSynchronize(s));
}
