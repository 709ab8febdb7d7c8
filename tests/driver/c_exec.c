/* SPDX-License-Identifier: Apache-2.0
 *
 * Executable graphs: instantiation, launch, order of work, lifetimes.
 */
#include "graphs.h"

/* A 1D copy; host pointers where the host argument is given. */
static CUresult add_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                         void *hdst, CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc,
                         size_t bytes)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = hsrc ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.srcHost = hsrc;
    c.srcDevice = hsrc ? 0 : dsrc;
    c.dstMemoryType = hdst ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.dstHost = hdst;
    c.dstDevice = hdst ? 0 : ddst;
    c.srcPitch = c.dstPitch = bytes;
    c.WidthInBytes = bytes;
    c.Height = c.Depth = 1;
    return cuGraphAddMemcpyNode(n, g, deps, nd, &c, t->ctx);
}

/* Wait until the word at p is at least v, or write v there. */
static CUresult add_memop(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                          int wait, CUdeviceptr p, unsigned v)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    if (wait) {
        o.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
        o.waitValue.address = p;
        o.waitValue.value = v;
        o.waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
    } else {
        o.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
        o.writeValue.address = p;
        o.writeValue.value = v;
        o.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;
    }
    CUDA_BATCH_MEM_OP_NODE_PARAMS b = { .ctx = t->ctx, .count = 1, .paramArray = &o, .flags = 0 };
    return cuGraphAddBatchMemOpNode(n, g, deps, nd, &b);
}

/* Poll until the word reaches v, at most ms milliseconds. */
static int await_word(volatile uint32_t *p, uint32_t v, int ms)
{
    for (int i = 0; i <= ms; i++) {
        if (__atomic_load_n(p, __ATOMIC_SEQ_CST) >= v) return 1;
        msleep(1);
    }
    return 0;
}
/* Poll until the stream is idle, at most ms milliseconds. */
static int await_idle(CUstream s, int ms)
{
    for (int i = 0; i <= ms; i++) {
        if (cuStreamQuery(s) == CUDA_SUCCESS) return 1;
        msleep(1);
    }
    return 0;
}

static CUresult add_hold(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, Hold *h)
{
    return add_host(n, g, deps, nd, hold, h);
}

/* Host nodes that leave their number in a log. */
#define NOTES_MAX 4096
static int note_count, notes[NOTES_MAX];
static void CUDA_CB note(void *p)
{
    int i = __atomic_fetch_add(&note_count, 1, __ATOMIC_SEQ_CST);
    if (i < NOTES_MAX) STORE(notes[i], (int)(intptr_t)p);
}
static CUresult add_note(CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd, int id)
{
    return add_host(n, g, deps, nd, note, (void *)(intptr_t)id);
}
/* Edges from[i] -> to[i] that the n log entries from base on do not respect,
 * and ids 0..n-1 that do not occur exactly once there. */
static int broken(int base, int n, const int *from, const int *to, int ne)
{
    int bad = 0, at[256];
    for (int i = 0; i < n; i++) at[i] = -1;
    for (int i = 0; i < n; i++) {
        int v = base + i < LOAD(note_count) ? LOAD(notes[base + i]) : -1;
        if (v < 0 || v >= n || at[v] >= 0)
            bad++;
        else
            at[v] = i;
    }
    for (int i = 0; i < ne; i++)
        if (at[from[i]] >= at[to[i]]) bad++;
    return bad;
}

/* ----------------------------------------------------------- instantiation */

/* Which flags cuGraphInstantiate takes, what is read back, and a launch. */
CASE(exec, inst_flags)
{
    static const unsigned long long fl[] = {
        0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 16, 32, 0x80000000ull, 1ull << 32, ~0ull
    };
    CUgraph g;
    CUgraphNode n;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    unsigned launched = 0;
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    for (size_t i = 0; i < sizeof fl / sizeof *fl; i++) {
        CUgraphExec x = SENT_X;
        cuuint64_t f = 99;
        CUresult r = cuGraphInstantiate(&x, g, fl[i]);
        say(t, " f%llx=%s:%s", fl[i], ename(r), xstate(x));
        if (r) continue;
        CUresult q = cuGraphExecGetFlags(x, &f), l = go(x, s);
        say(t, ":%s:%llx:%s", ename(q), (unsigned long long)f, ename(l));
        launched += l == CUDA_SUCCESS;
        OK(cuGraphExecDestroy(x));
    }
    say(t, " all=%d", dread(t, p) == launched);
}

/* Cycles: result, result_out, and whether the error node is on the cycle. */
CASE(exec, params_cycle)
{
    for (int tail = 0; tail < 4; tail++) {
        /* 0: a cycle of two alone; 1: and a separate node; 2: a root leading
         * into the cycle; 3: a root leading in and a node behind it */
        CUgraph g;
        CUgraphNode n[4];
        char l[16];
        G0(g);
        for (int i = 0; i < 4; i++) {
            n[i] = NULL;
            if (i < 2 || (i == 2 && tail >= 1) || (i == 3 && tail == 3))
                OK(cuGraphAddEmptyNode(&n[i], g, NULL, 0));
        }
        OK(cuGraphAddDependencies(g, &n[0], &n[1], NULL, 1));
        if (tail >= 2) OK(cuGraphAddDependencies(g, &n[2], &n[0], NULL, 1));
        if (tail == 3) OK(cuGraphAddDependencies(g, &n[1], &n[3], NULL, 1));
        snprintf(l, sizeof l, "edge%d", tail);
        R(l, cuGraphAddDependencies(g, &n[1], &n[0], NULL, 1));
        CUgraphExec x = SENT_X;
        CUDA_GRAPH_INSTANTIATE_PARAMS p = { .hErrNode_out = SENT_N,
                                            .result_out = (CUgraphInstantiateResult)77 };
        CUresult r = cuGraphInstantiateWithParams(&x, g, &p);
        char w = which(p.hErrNode_out, n, 4);
        say(t, " inst=%s:%s:%s", ename(r), iname(p.result_out),
            w == 'A' || w == 'B'   ? "on"
            : w == 'C' || w == 'D' ? "off"
            : w == '-'             ? "null"
                                   : "?");
        say(t, " out=%s", xstate(x));
        R("plain", cuGraphInstantiate(&x, g, 0));
        if (tail == 3) { /* taking the edge out mends the graph */
            R("remove", cuGraphRemoveDependencies(g, &n[1], &n[0], NULL, 1));
            inst_say(t, "mended", g, 0, NULL, n, 4);
        }
    }
}

/* A graph without nodes, and one of empty nodes only: instantiated, launched,
 * and in stream order like any other work. */
CASE(exec, empty_graph)
{
    for (int nodes = 0; nodes < 2; nodes++) {
        CUgraph g;
        CUgraphNode a, b;
        CUgraphExec x = NULL;
        CUstream s;
        CUevent e;
        S0(s);
        OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
        G0(g);
        if (nodes) {
            OK(cuGraphAddEmptyNode(&a, g, NULL, 0));
            OK(cuGraphAddEmptyNode(&b, g, &a, 1));
        }
        x = inst_say(t, nodes ? "empty_nodes" : "no_nodes", g, 0, NULL, NULL, 0);
        if (!x) continue;
        R("go", go(x, s));
        R("upload", cuGraphUpload(x, s));
        R("null_stream", go(x, NULL));
        gate_close(t);
        OK(gate(t, s));
        CUresult r = cuGraphLaunch(x, s), q = cuEventRecord(e, s);
        say(t, " launch=%s record=%s", ename(r), ename(q));
        msleep(20);
        R("query", cuEventQuery(e));
        gate_open(t);
        R("sync", cuEventSynchronize(e));
        R("destroy", cuGraphExecDestroy(x));
    }
}

/* Two executables of one graph live side by side; one outlives the other. */
CASE(exec, inst_twice)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x, y;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 2, 1));
    R("first", cuGraphInstantiate(&x, g, 0));
    R("second", cuGraphInstantiate(&y, g, 0));
    say(t, " same=%d", x == y);
    R("go_x", go(x, s));
    R("go_y", go(y, s));
    say(t, " v=%u", dread(t, p));
    R("destroy_x", cuGraphExecDestroy(x));
    R("go_y", go(y, s));
    say(t, " v=%u", dread(t, p));
}

/* ----------------------------------------------------------------- streams */

/* Every kind of stream takes a launch. */
CASE(exec, launch_streams)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream b, nb;
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    S0(nb);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    R("null", go(x, NULL));
    R("legacy", go(x, CU_STREAM_LEGACY));
    R("per_thread", go(x, CU_STREAM_PER_THREAD));
    R("blocking", go(x, b));
    R("non_blocking", go(x, nb));
    say(t, " v=%u", dread(t, p));
    R("up_null", cuGraphUpload(x, NULL));
    R("up_legacy", cuGraphUpload(x, CU_STREAM_LEGACY));
    R("up_per_thread", cuGraphUpload(x, CU_STREAM_PER_THREAD));
    R("up_blocking", cuGraphUpload(x, b));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    R("null", go(x, NULL));
    say(t, " v=%u", dread(t, p));
}

/* A launch in the legacy stream comes after earlier work of blocking streams,
 * and not after that of non-blocking ones. */
CASE(exec, legacy_after_streams)
{
    for (int kind = 0; kind < 2; kind++) {
        CUgraph g;
        CUgraphNode n;
        CUgraphExec x;
        CUstream a;
        CUdeviceptr d;
        volatile uint32_t *h;
        PIN(h, d);
        OK(cuStreamCreate(&a, kind ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
        G0(g);
        OK(add_ma(t, &n, g, NULL, 0, d, 1, 1));
        INST(x, g);
        gate_close(t);
        OK(gate(t, a));
        CUresult r = cuGraphLaunch(x, NULL);
        say(t, " %s=%s", kind ? "non_blocking" : "blocking", ename(r));
        say(t, " ran=%d", await_word(h, 1, kind ? 1000 : 60));
        gate_open(t);
        R("sync", cuCtxSynchronize());
        say(t, " v=%u", h[0]);
    }
}

typedef struct {
    T *t;
    CUgraph g;
    CUgraphExec x;
    CUgraphNode n;
    CUstream s;
    CUdeviceptr p;
} Bare;
static void *bare(void *p)
{
    Bare *b = p;
    T *t = b->t;
    CUcontext c = (CUcontext)(uintptr_t)0x5a5a;
    CUgraphExec y = SENT_X;
    CUgraphExecUpdateResultInfo info;
    unsigned on = 9;
    R("current", cuCtxGetCurrent(&c));
    say(t, " null=%d", c == NULL);
    R("inst", cuGraphInstantiate(&y, b->g, 0));
    R("launch", cuGraphLaunch(b->x, b->s));
    R("sync", cuStreamSynchronize(b->s));
    R("upload", cuGraphUpload(b->x, b->s));
    R("launch_null", cuGraphLaunch(b->x, NULL));
    R("launch_per_thread", cuGraphLaunch(b->x, CU_STREAM_PER_THREAD));
    R("update", cuGraphExecUpdate(b->x, b->g, &info));
    R("enabled", cuGraphNodeGetEnabled(b->x, b->n, &on));
    R("disable", cuGraphNodeSetEnabled(b->x, b->n, 1));
    if (y && y != SENT_X) R("destroy", cuGraphExecDestroy(y));
    return NULL;
}

/* Calls on executables from a thread that has no context current. */
CASE(exec, no_current_context)
{
    Bare b = { .t = t };
    pthread_t th;
    b.p = dalloc(t, 4);
    S0(b.s);
    G0(b.g);
    OK(add_ma(t, &b.n, b.g, NULL, 0, b.p, 1, 1));
    INST(b.x, b.g);
    pthread_create(&th, NULL, bare, &b);
    pthread_join(th, NULL);
    R("ctx_sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, b.p));
}

/* ---------------------------------------------------- order between launches */

/* The same without host nodes: a root that counts, then a wait on memory. */
CASE(exec, two_streams_device)
{
    CUgraph g;
    CUgraphNode n, w, k;
    CUgraphExec x;
    CUstream a, b;
    CUdeviceptr d;
    volatile uint32_t *h;
    PIN(h, d);
    S0(a);
    S0(b);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, d, 1, 1));
    OK(add_memop(t, &w, g, &n, 1, 1, d + 4, 1));
    OK(add_ma(t, &k, g, &w, 1, d + 8, 1, 1));
    INST(x, g);
    R("l1", cuGraphLaunch(x, a));
    R("l2", cuGraphLaunch(x, b));
    say(t, " began=%d", await_word(h, 1, 1000));
    say(t, " second_began=%d", await_word(h, 2, 60));
    R("qa", cuStreamQuery(a));
    R("qb", cuStreamQuery(b));
    STORE(h[1], 1);
    R("sync_a", cuStreamSynchronize(a));
    R("sync_b", cuStreamSynchronize(b));
    say(t, " roots=%u ends=%u", h[0], h[2]);
}

typedef struct {
    int *mine, *other, met;
} Meet;
static void CUDA_CB meet(void *p)
{
    Meet *m = p;
    STORE(*m->mine, 1);
    STORE(m->met, until(m->other, 1, 400));
}

/* Host nodes of two executables in two streams that wait for each other: 2 if
 * they run at the same time, 1 if one after the other. */
CASE(exec, overlap_hosts)
{
    static int fa, fb;
    static Meet ma = { &fa, &fb, 0 }, mb = { &fb, &fa, 0 };
    CUgraph g, h;
    CUgraphNode n;
    CUgraphExec x, y;
    CUstream a, b;
    S0(a);
    S0(b);
    G0(g);
    G0(h);
    OK(add_host(&n, g, NULL, 0, meet, &ma));
    OK(add_host(&n, h, NULL, 0, meet, &mb));
    INST(x, g);
    INST(y, h);
    R("x", cuGraphLaunch(x, a));
    R("y", cuGraphLaunch(y, b));
    R("sync_a", cuStreamSynchronize(a));
    R("sync_b", cuStreamSynchronize(b));
    say(t, " met=%d", LOAD(ma.met) + LOAD(mb.met));
}

/* Two branches of one graph: does one that is blocked hold back the other?
 * Blocked by a host node with a kernel beside it, then by a wait on memory that
 * the other branch itself satisfies. */
CASE(exec, branches_overlap)
{
    static Hold hd;
    CUgraph g, w;
    CUgraphNode a, b, c, r;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr d;
    volatile uint32_t *h;
    PIN(h, d);
    S0(s);
    G0(g);
    OK(cuGraphAddEmptyNode(&r, g, NULL, 0));
    OK(add_hold(&a, g, &r, 1, &hd));
    OK(add_ma(t, &b, g, &r, 1, d, 1, 1));
    CUgraphNode ab[] = { a, b };
    OK(add_ma(t, &c, g, ab, 2, d, 10, 0));
    INST(x, g);
    R("host", cuGraphLaunch(x, s));
    say(t, " held=%d kernel_ran=%d", until(&hd.runs, 1, 1000), await_word(h, 1, 1000));
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", h[0]);
    h[0] = 0;
    G0(w);
    OK(add_memop(t, &a, w, NULL, 0, 1, d + 4, 1));
    OK(add_memop(t, &b, w, NULL, 0, 0, d + 4, 1));
    CUgraphNode cd[] = { a, b };
    OK(add_ma(t, &c, w, cd, 2, d, 1, 1));
    INST(x, w);
    R("wait", cuGraphLaunch(x, s));
    say(t, " alone=%d", await_word(h, 1, 1000));
    STORE(h[1], 1);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", h[0]);
}

/* Host nodes on two branches of one graph that wait for each other. */
CASE(exec, branches_hosts)
{
    static int fa, fb;
    static Meet ma = { &fa, &fb, 0 }, mb = { &fb, &fa, 0 };
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    S0(s);
    G0(g);
    OK(add_host(&n, g, NULL, 0, meet, &ma));
    OK(add_host(&n, g, NULL, 0, meet, &mb));
    INST(x, g);
    R("go", go(x, s));
    say(t, " met=%d", LOAD(ma.met) + LOAD(mb.met));
}

/* All roots wait for earlier stream work; later stream work waits for all
 * leaves, also for one that a host node holds. */
CASE(exec, before_and_after)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n, m;
    CUgraphExec x;
    CUstream s;
    CUevent e;
    CUdeviceptr d, q;
    volatile uint32_t *h;
    CUfunction put = kernel(t, "put");
    PIN(h, d);
    S0(s);
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, d, 1, 1));
    OK(add_hold(&n, g, NULL, 0, &hd));
    OK(add_note(&n, g, NULL, 0, 5));
    OK(add_ma(t, &n, g, NULL, 0, d + 4, 1, 1));
    OK(add_ma(t, &m, g, &n, 1, d + 8, 1, 1));
    INST(x, g);
    q = d + 12;
    unsigned v = 1;
    void *args[] = { &q, &v };
    gate_close(t);
    OK(gate(t, s));
    R("launch", cuGraphLaunch(x, s));
    R("after", launch1(put, s, args));
    R("record", cuEventRecord(e, s));
    msleep(40);
    say(t, " early=%u,%u,%u,%d,%d", h[0], h[1], h[2], LOAD(hd.runs), LOAD(note_count));
    gate_open(t);
    say(t, " leaves=%d,%d,%d,%d", await_word(h, 1, 1000), await_word(h + 1, 1, 1000),
        await_word(h + 2, 1, 1000), until(&hd.runs, 1, 1000));
    say(t, " after=%d", await_word(h + 3, 1, 60));
    R("query", cuEventQuery(e));
    R("squery", cuStreamQuery(s));
    STORE(hd.open, 1);
    R("esync", cuEventSynchronize(e));
    say(t, " after=%u expired=%d", h[3], hd.expired);
}

/* Two executables in one stream: every node of the first before the second. */
CASE(exec, two_execs_one_stream)
{
    CUgraph g[2];
    CUgraphExec x[2];
    CUgraphNode n;
    CUstream s;
    int order = 1;
    S0(s);
    for (int k = 0; k < 2; k++) {
        G0(g[k]);
        for (int i = 0; i < 4; i++) OK(add_note(&n, g[k], NULL, 0, k));
        INST(x[k], g[k]);
    }
    for (int i = 0; i < 6; i++) OK(cuGraphLaunch(x[i & 1], s));
    R("sync", cuStreamSynchronize(s));
    for (int i = 0; i < 24; i++)
        if (notes[i] != ((i / 4) & 1)) order = 0;
    say(t, " n=%d order=%d", note_count, order);
}

/* -------------------------------------------------------------- event nodes */

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

/* --------------------------------------------------------------- host nodes */

/* A diamond, a fan out and in over eight, and a bipartite pair of layers:
 * broken edges over four launches, and how many nodes ran. */
CASE(exec, host_shapes)
{
    static const char *const name[] = { "diamond", "fan", "layers" };
    for (int sh = 0; sh < 3; sh++) {
        int from[64], to[64], ne = 0, nn = 0, bad = 0;
        CUgraph g;
        CUgraphNode n[16];
        CUgraphExec x;
        CUstream s;
        if (sh < 2) {
            int wide = sh ? 8 : 2;
            nn = wide + 2;
            for (int i = 1; i <= wide; i++) {
                from[ne] = 0;
                to[ne++] = i;
                from[ne] = i;
                to[ne++] = wide + 1;
            }
        } else {
            nn = 10;
            for (int i = 0; i < 5; i++)
                for (int j = 5; j < 10; j++) {
                    from[ne] = i;
                    to[ne++] = j;
                }
        }
        STORE(note_count, 0);
        S0(s);
        G0(g);
        for (int i = 0; i < nn; i++) OK(add_note(&n[i], g, NULL, 0, i));
        for (int i = 0; i < ne; i++) OK(cuGraphAddDependencies(g, &n[from[i]], &n[to[i]], NULL, 1));
        INST(x, g);
        for (int i = 0; i < 4; i++) OK(cuGraphLaunch(x, s));
        R(name[sh], cuStreamSynchronize(s));
        for (int i = 0; i < 4; i++) bad += broken(i * nn, nn, from, to, ne);
        say(t, " runs=%d/%d broken=%d", note_count, 4 * nn, bad);
    }
}

/* A host node sees what the kernel before it wrote to pinned memory, and the
 * kernel after it sees what the host node wrote. */
typedef struct {
    volatile uint32_t *h;
    uint32_t saw[4];
    int k;
} Peek;
static void CUDA_CB peek(void *p)
{
    Peek *k = p;
    uint32_t v = *k->h;
    if (k->k < 4) k->saw[k->k] = v;
    k->k++;
    *k->h = v + 100;
}
CASE(exec, host_between_kernels)
{
    static Peek pk;
    CUgraph g;
    CUgraphNode a, b, c;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr d;
    PIN(pk.h, d);
    S0(s);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, d, 1, 1));
    OK(add_host(&b, g, &a, 1, peek, &pk));
    OK(add_ma(t, &c, g, &b, 1, d, 2, 0));
    INST(x, g);
    OK(cuGraphLaunch(x, s));
    OK(cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " saw=%u,%u v=%u", pk.saw[0], pk.saw[1], *pk.h);
}

/* A DtoH copy to pageable memory is done before the host node behind it; the
 * host node's store is what an HtoD copy behind it takes. */
static void CUDA_CB double_word(void *p)
{
    uint32_t *w = p;
    w[1] = w[0] * 2;
}
CASE(exec, host_between_copies)
{
    static uint32_t w[2];
    CUgraph g;
    CUgraphNode a, b, c, d;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 3));
    OK(add_copy(t, &b, g, &a, 1, &w[0], 0, NULL, p, 4));
    OK(add_host(&c, g, &b, 1, double_word, w));
    OK(add_copy(t, &d, g, &c, 1, NULL, p + 4, &w[1], 0, 4));
    INST(x, g);
    R("go", go(x, s));
    say(t, " w=%u,%u v=%u", w[0], w[1], dread(t, p + 4));
    R("go", go(x, s));
    say(t, " w=%u,%u v=%u", w[0], w[1], dread(t, p + 4));
}

/* --------------------------------------------------------------- lifetimes */

/* ------------------------------------------------------- upload and relaunch */

/* Uploads do not run the graph; launches after them do, in whatever stream. */
CASE(exec, upload)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream a, b;
    CUdeviceptr p = dalloc(t, 4);
    S0(a);
    S0(b);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    R("up", cuGraphUpload(x, a));
    R("sync", cuStreamSynchronize(a));
    say(t, " v=%u", dread(t, p));
    R("launch_b", go(x, b));
    say(t, " v=%u", dread(t, p));
    R("up_again", cuGraphUpload(x, b));
    R("up_other", cuGraphUpload(x, a));
    R("launch_a", go(x, a));
    R("sync_b", cuStreamSynchronize(b));
    say(t, " v=%u", dread(t, p));
    R("destroy_uploaded", cuGraphUpload(x, a));
    R("destroy", cuGraphExecDestroy(x));
    R("sync", cuStreamSynchronize(a));
    say(t, " v=%u", dread(t, p));
}

/* An upload of an executable that is running: does the call wait, is the upload
 * stream busy until that run ends? */
CASE(exec, upload_running)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream a, b;
    S0(a);
    S0(b);
    G0(g);
    OK(add_hold(&n, g, NULL, 0, &hd));
    INST(x, g);
    R("launch", cuGraphLaunch(x, a));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    R("up", cuGraphUpload(x, b));
    say(t, " blocked=%d b_idle=%d", LOAD(hd.expired), await_idle(b, 100));
    R("qa", cuStreamQuery(a));
    STORE(hd.open, 1);
    R("sync_b", cuStreamSynchronize(b));
    R("sync_a", cuStreamSynchronize(a));
    R("go", go(x, b));
    say(t, " runs=%d", hd.runs);
}

/* A chain of 20 launched 50 times with one synchronize at the end. */
CASE(exec, accumulate)
{
    CUgraph g;
    CUgraphNode n = NULL;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    CUresult r = CUDA_SUCCESS;
    S0(s);
    G0(g);
    for (int i = 0; i < 20; i++) {
        CUgraphNode m;
        OK(add_ma(t, &m, g, &n, i ? 1 : 0, p, 1, 1));
        n = m;
    }
    INST(x, g);
    for (int i = 0; i < 50 && !r; i++) r = cuGraphLaunch(x, s);
    say(t, " launch=%s", ename(r));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
}

/* A launch whose stream already carries a launch of the same executable behind
 * a gate, and one in another stream: the other waits for the gated one too. */
CASE(exec, queued_orders_other_stream)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x, y;
    CUstream a, b;
    CUdeviceptr d;
    volatile uint32_t *h;
    Opener o;
    PIN(h, d);
    S0(a);
    S0(b);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, d, 1, 1));
    INST(x, g);
    INST(y, g);
    OK(go(x, a));
    OK(go(y, b));
    gate_close(t);
    OK(gate(t, a));
    opener_start(t, &o);
    R("la", cuGraphLaunch(x, a));
    R("lb", cuGraphLaunch(x, b));
    int blocked = opener_stop(&o);
    say(t, " blocked=%d", blocked);
    uint32_t v = h[0]; /* before it drains, as it was measured */
    say(t, " b_idle=%d v=%u", await_idle(b, 60), v);
    gate_open(t);
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", h[0]);
    if (blocked) return;
    gate_close(t);
    OK(gate(t, a));
    R("la", cuGraphLaunch(x, a));
    R("yb", cuGraphLaunch(y, b)); /* another executable of the graph: free */
    v = h[0];
    say(t, " b_idle=%d v=%u", await_idle(b, 1000), v);
    gate_open(t);
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", h[0]);
}

/* A kernel that traps inside a graph: what the launch, the synchronize and the
 * calls after it report. */
CASE(exec, kernel_fault)
{
    CUgraph g;
    CUgraphNode n, m;
    CUgraphExec x, y = SENT_X;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_kernel(&n, g, NULL, 0, kernel(t, "crash"), NULL));
    OK(add_ma(t, &m, g, &n, 1, p, 1, 1));
    INST(x, g);
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    R("launch", cuGraphLaunch(x, s));
    R("query", cuStreamQuery(s));
    R("upload", cuGraphUpload(x, s));
    R("inst", cuGraphInstantiate(&y, g, 0));
    R("graph", cuGraphCreate(&g, 0));
    R("destroy", cuGraphExecDestroy(x));
    R("ctx", cuCtxSynchronize());
}
