/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of captured operations: dependencies, replays, lists.
 */
#include "captures.h"

static volatile int log_v[16];
static volatile int log_n;
static void CUDA_CB log_it(void *v)
{
    int i = __atomic_fetch_add(&log_n, 1, __ATOMIC_SEQ_CST);
    if (i < 16) log_v[i] = (int)(intptr_t)v;
}

/* ---- all of them in one capture: the dependency follows each ---- */

#define STEP(label, call)                                                                          \
    do {                                                                                           \
        size_t n0_ = count_captured(s);                                                            \
        R(label, call);                                                                            \
        say_dependencies(t, "+", s);                                                               \
        say(t, "+%zu", count_captured(s) - n0_);                                                   \
    } while (0)

CASE(capop, deps_track)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64), d = 0;
    CUfunction nop = kernel(t, "nop");
    CUevent e = create_event(t), f = create_event(t);
    CUgraph g = NULL;
    CUgraphExec x = NULL;
    unsigned *pin = NULL;
    OK(cuMemAllocHost((void **)&pin, 64));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    log_n = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    STEP("record_first", cuEventRecord(e, s));
    STEP("kernel", launch1(nop, s, NULL));
    STEP("record", cuEventRecord(e, s));
    STEP("wait_own", cuStreamWaitEvent(s, e, 0));
    STEP("fork", cuStreamWaitEvent(s2, e, 0));
    STEP("set", cuMemsetD32Async(p, 1, 1, s));
    STEP("h2d", cuMemcpyHtoDAsync(p, pin, 4, s));
    STEP("d2h", cuMemcpyDtoHAsync(pin, p, 4, s));
    STEP("d2d", cuMemcpyDtoDAsync(p + 16, p, 4, s));
    STEP("host", cuLaunchHostFunc(s, log_it, NULL));
    STEP("write", cuStreamWriteValue32(s, p, 1, 0));
    STEP("ext_record", cuEventRecordWithFlags(f, s, CU_EVENT_RECORD_EXTERNAL));
    STEP("ext_wait", cuStreamWaitEvent(s, f, CU_EVENT_WAIT_EXTERNAL));
    STEP("alloc", cuMemAllocAsync(&d, 64, s));
    STEP("free", cuMemFreeAsync(d, s));
    STEP("graph", cuGraphLaunch(x, s));
    STEP("join_idle", fork_stream(s2, s, e));
    CUgraph h = capture_end(t, s);
    say_shape(t, h);
}

/* The joining node sees both branches, the branches see the fork. */
CASE(capop, replay_fork)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), q = p + 4, r = p + 8;
    CUfunction ma = kernel(t, "mul_add"), copy = kernel(t, "copy1");
    CUevent e = create_event(t);
    CUgraphExec x = NULL;
    unsigned m = 2, a = 1;
    void *ap[] = { &p, &m, &a }, *aq[] = { &q, &m, &a }, *ar[] = { &r, &m, &a };
    void *pq[] = { &q, &p }, *qr[] = { &r, &q };
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(launch1(ma, s, ap)); /* p = 2p + 1 */
    OK(fork_stream(s, s2, e));
    OK(launch1(copy, s2, pq)); /* q = p */
    a = 5;
    OK(launch1(ma, s2, aq)); /* q = 2q + 5 */
    OK(fork_stream(s2, s, e));
    OK(launch1(copy, s, qr)); /* r = q */
    m = 1;
    a = 100;
    OK(launch1(ma, s, ar)); /* r = r + 100 */
    CUgraph g = capture_end(t, s);
    say_shape(t, g);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuMemsetD32Async(p, 1, 1, s));
    for (int i = 0; i < 3; i++) R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " %u,%u,%u", dread(t, p), dread(t, q), dread(t, r));
}

/* Launched into every kind of stream, and in order with the work around it. */
CASE(capop, replay_streams)
{
    CUstream s = create_stream(t, NONBLOCKING), b = create_stream(t, CU_STREAM_DEFAULT);
    CUdeviceptr p = dalloc(t, 16);
    CUfunction inc = kernel(t, "inc");
    CUgraphExec x = NULL;
    void *args[] = { &p };
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(launch1(inc, s, args));
    OK(launch1(inc, s, args));
    CUgraph g = capture_end(t, s);
    OK(cuGraphInstantiate(&x, g, 0));
    R("null", cuGraphLaunch(x, NULL));
    R("blocking", cuGraphLaunch(x, b));
    R("per_thread", cuGraphLaunch(x, CU_STREAM_PER_THREAD));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    gate_close(t);
    OK(gate(t, s));
    OK(cuMemsetD32Async(p, 10, 1, s));
    R("one", cuGraphLaunch(x, s));
    OK(cuMemcpyDtoDAsync(p + 4, p, 4, s));
    R("two", cuGraphLaunch(x, s));
    R("query", cuStreamQuery(s));
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " %u,%u", dread(t, p), dread(t, p + 4));
}

/* ---- order of the lists ---- */

static void say_nodes(T *t, const char *label, const CUgraphNode *v, size_t n)
{
    say(t, " %s=", label);
    for (size_t i = 0; i < n; i++) {
        char b[32];
        node_label(v[i], b, sizeof b);
        say(t, "%s%s", i ? "," : "", b);
    }
}

CASE(capop, order_linear)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraphNode v[32];
    size_t n = 32;
    OK(cuStreamBeginCapture(s, GLOBAL));
    for (const char *c = "QWERTYUIOPASDFGH"; *c; c++) OK(capture_mark(p, *c, s));
    CUgraph g = capture_end(t, s);
    R("get", cuGraphGetNodes(g, v, &n));
    say_nodes(t, "nodes", v, n);
    say_edges(t, g);
}

/* Submitted across three streams: nodes, roots, edges, a node's two lists
 * and the dependencies of a stream, as the driver orders them. */
CASE(capop, order_fork)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t), h = create_event(t);
    CUgraphNode v[32];
    CUstreamCaptureStatus st = 99;
    const CUgraphNode *d = NULL;
    size_t n = 32;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s, s3, e));
    OK(capture_mark(p, 'Z', s3));
    OK(capture_mark(p, 'Y', s));
    OK(capture_mark(p, 'X', s2));
    OK(capture_mark(p, 'W', s));
    CUgraphNode w = last_captured(s);
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s, s3, e));
    OK(capture_mark(p, 'V', s3));
    OK(capture_mark(p, 'U', s2));
    OK(capture_mark(p, 'T', s));
    OK(fork_stream(s3, s, f));
    OK(fork_stream(s2, s, h));
    R("info", cuStreamGetCaptureInfo(s, &st, NULL, NULL, &d, NULL, &n));
    if (d) say_nodes(t, "deps", d, n);
    OK(capture_mark(p, 'S', s));
    CUgraphNode z = last_captured(s);
    CUgraph g = capture_end(t, s);
    n = 32;
    R("get", cuGraphGetNodes(g, v, &n));
    say_nodes(t, "nodes", v, n);
    n = 32;
    R("roots", cuGraphGetRootNodes(g, v, &n));
    say_nodes(t, "roots", v, n);
    say_edges(t, g);
    n = 32;
    R("dependencies", cuGraphNodeGetDependencies(z, v, NULL, &n));
    say_nodes(t, "of_S", v, n);
    n = 32;
    R("dependents", cuGraphNodeGetDependentNodes(w, v, NULL, &n));
    say_nodes(t, "of_W", v, n);
}
