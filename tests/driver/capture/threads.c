/* SPDX-License-Identifier: Apache-2.0
 *
 * Capture modes of threads: the thread's own mode, ends and begins on other threads.
 */
#include "modes.h"

typedef struct Far {
    T *t;
    CUstream s, s2;
    CUevent e, f;
    CUdeviceptr p;
    CUstreamCaptureMode m;
    CUgraph g;
    CUresult r, r2, r3;
} Far;

static void far_end(void *v)
{
    Far *a = v;
    a->g = (CUgraph)0x1;
    a->r = cuStreamEndCapture(a->s, &a->g);
}

static void far_begin(void *v)
{
    Far *a = v;
    a->r = cuStreamBeginCapture(a->s, a->m);
    a->r2 = capture_mark(a->p, 'A', a->s);
}

/* Begun here, ended there. */
CASE(capmode, wrong_thread)
{
    static const CUstreamCaptureMode mode[] = { GLOBAL, THREAD_LOCAL, RELAXED };
    CUdeviceptr p = dalloc(t, 16);
    for (int i = 0; i < 3; i++) {
        Far a = { t, create_stream(t, NONBLOCKING), NULL, NULL, NULL, p, mode[i], NULL, 0, 0, 0 };
        say(t, " [%s", mode_name(mode[i]));
        OK(cuStreamBeginCapture(a.s, mode[i]));
        OK(capture_mark(p, 'A', a.s));
        on_thread(t, far_end, &a);
        say(t, " far_end=%s:%s", ename(a.r),
            a.g == (CUgraph)0x1 ? "untouched"
            : a.g               ? "set"
                                : "null");
        say_status(t, "s", a.s);
        if (!a.r) say_topology(t, a.g);
        R("mark", capture_mark(p, 'B', a.s));
        say_topology(t, capture_end(t, a.s));
        say_status(t, "s", a.s);
        say(t, "]");
    }
}

/* Begun by a thread that is gone: who can end it, and whom does it bind? */
CASE(capmode, begun_by_gone_thread)
{
    static const CUstreamCaptureMode mode[] = { RELAXED, THREAD_LOCAL, GLOBAL };
    CUdeviceptr p = dalloc(t, 16), d = 0;
    for (int i = 0; i < 3; i++) {
        Far a = { t, create_stream(t, NONBLOCKING), NULL, NULL, NULL, p, mode[i], NULL, 0, 0, 0 };
        say(t, " [%s", mode_name(mode[i]));
        on_thread(t, far_begin, &a);
        say(t, " begin=%s mark=%s", ename(a.r), ename(a.r2));
        say_status(t, "s", a.s);
        R("mark", capture_mark(p, 'B', a.s));
        say_topology(t, capture_end(t, a.s));
        say_status(t, "s", a.s);
        R("alloc", cuMemAlloc(&d, 64));
        say_status(t, "s", a.s);
        capture_end(t, a.s);
        say(t, "]");
    }
}

static void far_side(void *v)
{
    Far *a = v;
    a->r = cuStreamWaitEvent(a->s2, a->e, 0);
    a->r2 = capture_mark(a->p, 'B', a->s2);
    a->r3 = cuEventRecord(a->f, a->s2);
}

/* The side stream of a fork is worked by another thread, which itself
 * captures nothing. */
CASE(capmode, fork_to_thread)
{
    static const CUstreamCaptureMode mode[] = { GLOBAL, THREAD_LOCAL, RELAXED };
    CUdeviceptr p = dalloc(t, 16);
    for (int i = 0; i < 3; i++) {
        Far a = { t,
                  create_stream(t, NONBLOCKING),
                  create_stream(t, NONBLOCKING),
                  create_event(t),
                  create_event(t),
                  p,
                  mode[i],
                  NULL,
                  0,
                  0,
                  0 };
        say(t, " [%s", mode_name(mode[i]));
        OK(cuStreamBeginCapture(a.s, mode[i]));
        OK(capture_mark(p, 'A', a.s));
        OK(cuEventRecord(a.e, a.s));
        on_thread(t, far_side, &a);
        say(t, " wait=%s mark=%s record=%s", ename(a.r), ename(a.r2), ename(a.r3));
        R("join", cuStreamWaitEvent(a.s, a.f, 0));
        R("mark", capture_mark(p, 'C', a.s));
        say_dependencies(t, "s", a.s);
        say_topology(t, capture_end(t, a.s));
        say(t, "]");
    }
}
