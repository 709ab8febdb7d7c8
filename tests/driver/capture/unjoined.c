/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: streams that are not joined, not matched, not to be merged.
 */
#include "captures.h"

CASE(capture, unjoined)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    capture_end(t, s);
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    capture_end(t, s);
    say_usable(t, "use", s, p);
    say_usable(t, "use2", s2, p);
    R("begin", cuStreamBeginCapture(s2, GLOBAL));
    say_topology(t, capture_end(t, s2));
}

/* Which loose ends count: none of the side stream's own, one that the
 * origin knows already, an event recorded but not waited for. */
CASE(capture, unjoined_variants)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    say(t, " [no_work");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    say_topology(t, capture_end(t, s));
    say_status(t, "s2", s2);
    say(t, "] [recorded_not_waited");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    say_topology(t, capture_end(t, s));
    say(t, "] [more_after_join");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s, f));
    OK(capture_mark(p, 'C', s2));
    say_topology(t, capture_end(t, s));
    say(t, "] [side_waits_after_join");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s, f));
    OK(capture_mark(p, 'C', s));
    OK(fork_stream(s, s2, e));
    say_topology(t, capture_end(t, s));
    say(t, "] [into_third");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s3, f));
    say_topology(t, capture_end(t, s));
    say_status(t, "s3", s3);
    say(t, "] [one_of_two");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s, s3, e));
    OK(capture_mark(p, 'B', s2));
    OK(capture_mark(p, 'C', s3));
    OK(fork_stream(s2, s, f));
    say_topology(t, capture_end(t, s));
    say(t, "]");
    say_usable(t, "use3", s3, p);
}

/* The end is asked of the side stream. */
CASE(capture, unmatched)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    capture_end(t, s2);
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    R("join", fork_stream(s2, s, f));
    R("mark", capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    capture_end(t, s2);
    say_usable(t, "use2", s2, p);
}

/* A side stream of one capture waits on an event of another. */
CASE(capture, merge_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(cuStreamBeginCapture(o, RELAXED));
    OK(capture_mark(p, 'A', s));
    OK(capture_mark(p, 'B', o));
    OK(fork_stream(s, s2, e));
    OK(cuEventRecord(f, o));
    R("wait", cuStreamWaitEvent(s2, f, 0));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    say_status(t, "o", o);
    say_topology(t, capture_end(t, s));
    say_topology(t, capture_end(t, o));
    say_status(t, "s2", s2);
}

/* A capturing stream waits on an event from outside: never recorded,
 * complete, pending, of its own stream before the begin, and plain record
 * during the capture on a stream outside it. */
CASE(capture, isolation_in)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent v[5];
    static const char *const name[] = { "unrecorded", "complete", "pending", "own_before",
                                        "during" };
    for (int i = 0; i < 5; i++) v[i] = create_event(t);
    gate_close(t);
    OK(cuEventRecord(v[1], o));
    OK(cuEventRecord(v[3], s));
    OK(cuEventSynchronize(v[1]));
    OK(cuEventSynchronize(v[3]));
    OK(gate(t, o));
    OK(cuEventRecord(v[2], o));
    for (int i = 0; i < 5; i++) {
        OK(cuStreamBeginCapture(s, RELAXED));
        OK(capture_mark(p, 'A', s));
        if (i == 4) R("record", cuEventRecord(v[4], o));
        R(name[i], cuStreamWaitEvent(s, v[i], 0));
        say_dependencies(t, "deps", s);
        say_topology(t, capture_end(t, s));
    }
    gate_open(t);
    R("sync", cuStreamSynchronize(o));
}
