/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables: the order between launches and between branches.
 */
#include "executables.h"

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
