/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables: event nodes.
 */
#include "executables.h"

/* A record node seen from outside: event state before, during and after a
 * launch, a wait made before and one made after the launch call. */
CASE(exec, event_record_node)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n, r;
    CUgraphExec x;
    CUstream a, b, c;
    CUevent e;
    CUdeviceptr d, q;
    volatile uint32_t *h;
    CUfunction put = kernel(t, "put");
    PIN(h, d);
    S0(a);
    S0(b);
    S0(c);
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    G0(g);
    OK(add_hold(&n, g, NULL, 0, &hd));
    OK(cuGraphAddEventRecordNode(&r, g, &n, 1, e));
    INST(x, g);
    q = d + 4;
    unsigned v = 1;
    void *ab[] = { &d, &v }, *ac[] = { &q, &v };
    R("fresh", cuEventQuery(e));
    R("wait_before", cuStreamWaitEvent(b, e, 0));
    R("launch", cuGraphLaunch(x, a));
    R("wait_after", cuStreamWaitEvent(c, e, 0));
    R("kb", launch1(put, b, ab));
    R("kc", launch1(put, c, ac));
    say(t, " b_ran=%d", await_word(h, 1, 1000));
    say(t, " c_ran=%d", await_word(h + 1, 1, 60));
    R("query", cuEventQuery(e));
    STORE(hd.open, 1);
    R("esync", cuEventSynchronize(e));
    R("sync", cuStreamSynchronize(c));
    say(t, " c_ran=%u", h[1]);
    R("query", cuEventQuery(e));
    say(t, " expired=%d", hd.expired);
}

/* The event is complete once the record node ran, not once the graph ended. */
CASE(exec, event_record_midway)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n, r;
    CUgraphExec x;
    CUstream a;
    CUevent e;
    S0(a);
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    G0(g);
    OK(cuGraphAddEventRecordNode(&r, g, NULL, 0, e));
    OK(add_hold(&n, g, &r, 1, &hd));
    INST(x, g);
    R("launch", cuGraphLaunch(x, a));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    R("query", cuEventQuery(e));
    R("squery", cuStreamQuery(a));
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(a));
    say(t, " expired=%d", hd.expired);
}

/* Two timing events recorded by nodes around a host node that sleeps. */
CASE(exec, event_record_elapsed)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n, r, q;
    CUgraphExec x;
    CUstream s;
    CUevent e, f;
    float ms = -1;
    S0(s);
    OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&f, CU_EVENT_DEFAULT));
    G0(g);
    OK(cuGraphAddEventRecordNode(&r, g, NULL, 0, e));
    OK(add_hold(&n, g, &r, 1, &hd));
    OK(cuGraphAddEventRecordNode(&q, g, &n, 1, f));
    INST(x, g);
    R("none", cuEventElapsedTime(&ms, e, f));
    R("launch", cuGraphLaunch(x, s));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    R("half", cuEventElapsedTime(&ms, e, f));
    msleep(20);
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(s));
    R("both", cuEventElapsedTime(&ms, e, f));
    say(t, " long_enough=%d", ms >= 19.0f);
    R("reverse", cuEventElapsedTime(&ms, f, e));
    say(t, " negative=%d", ms <= -19.0f);
    R("go", go(x, s)); /* the hold stays open: records anew */
    R("again", cuEventElapsedTime(&ms, e, f));
    say(t, " positive=%d", ms >= 0.0f);
}

/* One executable records, another waits: launched after it the second waits for
 * it, launched before it does not. */
CASE(exec, event_between_execs)
{
    static Hold hd;
    CUgraph g, k;
    CUgraphNode n, m;
    CUgraphExec x, y;
    CUstream a, b;
    CUevent e;
    CUdeviceptr d;
    volatile uint32_t *h;
    PIN(h, d);
    S0(a);
    S0(b);
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    G0(g);
    G0(k);
    OK(add_hold(&n, g, NULL, 0, &hd));
    OK(cuGraphAddEventRecordNode(&m, g, &n, 1, e));
    OK(cuGraphAddEventWaitNode(&n, k, NULL, 0, e));
    OK(add_ma(t, &m, k, &n, 1, d, 1, 1));
    INST(x, g);
    INST(y, k);
    R("y_first", cuGraphLaunch(y, b));
    R("x", cuGraphLaunch(x, a));
    say(t, " y_ran=%d", await_word(h, 1, 1000));
    R("y_second", cuGraphLaunch(y, b));
    say(t, " y_ran=%d", await_word(h, 2, 60));
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(b));
    say(t, " v=%u expired=%d", h[0], hd.expired);
}

/* Record and wait of one event in one graph, the wait behind the record and
 * beside it, launched twice. */
CASE(exec, event_same_graph)
{
    for (int chained = 0; chained < 2; chained++) {
        CUgraph g;
        CUgraphNode r, w, k;
        CUgraphExec x = NULL;
        CUstream s;
        CUevent e;
        CUdeviceptr d;
        volatile uint32_t *h;
        PIN(h, d);
        S0(s);
        OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
        G0(g);
        OK(cuGraphAddEventRecordNode(&r, g, NULL, 0, e));
        R(chained ? "chained" : "beside", cuGraphAddEventWaitNode(&w, g, &r, chained ? 1 : 0, e));
        OK(add_ma(t, &k, g, &w, 1, d, 1, 1));
        R("inst", cuGraphInstantiate(&x, g, 0));
        if (!x) continue;
        R("l1", cuGraphLaunch(x, s));
        R("l2", cuGraphLaunch(x, s));
        int ok = await_idle(s, 1500);
        say(t, " drained=%d v=%u", ok, h[0]);
        if (!ok) return;
    }
}
