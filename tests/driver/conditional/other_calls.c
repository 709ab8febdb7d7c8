/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: edges, threads, streams.
 */
#include "conditionals.h"

/* Edges between levels, to and from the node, taken out again. */
CASE(cond, edges)
{
    Simple o;
    CUgraphNode k = SENT_N, k2, out[4];
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    size_t cnt = 4;
    S0(s);
    OK(build_simple(t, &o, p, 1, ASSIGN, -1, 2, 3));
    R("down", cuGraphAddDependencies(o.g, &o.cond, &o.k, NULL, 1));
    R("up", cuGraphAddDependencies(o.g, &o.k, &o.after, NULL, 1));
    R("down_body", cuGraphAddDependencies(o.body, &o.cond, &o.k, NULL, 1));
    CUresult r = add_digit(t, &k, o.body, &o.cond, 1, p, 4);
    say(t, " add_in_body=%s", ename(r));
    r = add_digit(t, &k, o.g, &o.k, 1, p, 4);
    say(t, " add_in_parent=%s", ename(r));
    R("cond_self", cuGraphAddDependencies(o.g, &o.cond, &o.cond, NULL, 1));
    R("again", cuGraphAddDependencies(o.g, &o.cond, &o.after, NULL, 1));
    R("dependents", cuGraphNodeGetDependentNodes(o.cond, out, NULL, &cnt));
    say(t, " n=%zu after=%d", cnt, cnt == 1 && out[0] == o.after);
    R("remove", cuGraphRemoveDependencies(o.g, &o.cond, &o.after, NULL, 1));
    OK(add_digit(t, &k2, o.g, NULL, 0, p, 1));
    R("turn", cuGraphAddDependencies(o.g, &o.after, &k2, NULL, 1));
    R("turn", cuGraphAddDependencies(o.g, &k2, &o.cond, NULL, 1));
    say_shape(t, o.g);
    x = inst_say(t, "inst", o.g, 0, NULL, &o.cond, 1);
    if (x) RUN("run", x, s, p);
}

/* Threads, each with a graph, an executable and a stream of its own. */
typedef struct {
    T *t;
    CUresult r;
    CUdeviceptr p;
    CUgraphExec x;
    CUstream s;
} Worker;
static void *worker(void *v)
{
    Worker *w = v;
    w->r = cuCtxSetCurrent(w->t->ctx);
    for (int i = 0; i < 50 && !w->r; i++) w->r = cuGraphLaunch(w->x, w->s);
    if (!w->r) w->r = cuStreamSynchronize(w->s);
    return NULL;
}
CASE(cond, threads)
{
    Worker w[4];
    pthread_t th[4];
    CUdeviceptr p = dalloc(t, 64);
    memset(w, 0, sizeof w);
    for (unsigned i = 0; i < 4; i++) { /* put i+1 -> WHILE { +1 } */
        CUgraph g, body;
        CUgraphNode k, n;
        CUgraphConditionalHandle h;
        w[i].t = t;
        w[i].p = p + 8 * i;
        S0(w[i].s);
        G0(g);
        CREATE_HANDLE(h, g, 1, ASSIGN);
        OK(add_put(t, &k, g, NULL, 0, w[i].p + 4, i + 1));
        OK(add_conditional(t, &n, g, &k, 1, h, WHILE, 1, &body));
        OK(add_ma(t, &k, body, NULL, 0, w[i].p, 1, 1));
        OK(add_setcond_countdown(t, &k, body, &k, 1, h, w[i].p + 4));
        INST(w[i].x, g);
    }
    for (int i = 0; i < 4; i++) pthread_create(&th[i], NULL, worker, &w[i]);
    for (int i = 0; i < 4; i++) pthread_join(th[i], NULL);
    for (int i = 0; i < 4; i++) say(t, " w%d=%s:%u", i, ename(w[i].r), dread(t, w[i].p));
}

/* Work behind a launch in its stream, and a legacy-stream launch. */
CASE(cond, stream_order)
{
    CUgraph g, body;
    CUgraphNode k, n;
    CUgraphConditionalHandle h;
    CUgraphExec x;
    CUstream s, blocking;
    CUdeviceptr p = dalloc(t, 12), dst = p + 8;
    void *copy[] = { &dst, &p };
    S0(s);
    OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    G0(g);
    CREATE_HANDLE(h, g, 1, ASSIGN);
    OK(add_conditional(t, &n, g, NULL, 0, h, WHILE, 1, &body));
    OK(add_ma(t, &k, body, NULL, 0, p, 1, 1));
    OK(add_setcond_countdown(t, &k, body, &k, 1, h, p + 4));
    INST(x, g);
    OK(cuMemsetD32Async(p + 4, 6, 1, s));
    R("launch", cuGraphLaunch(x, s));
    R("behind", launch1(kernel(t, "copy1"), s, copy));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p + 8));
    put_word(t, p, 0);
    OK(cuMemsetD32Async(p + 4, 9, 1, blocking));
    R("legacy", cuGraphLaunch(x, NULL));
    R("behind", launch1(kernel(t, "copy1"), blocking, copy));
    R("sync", cuStreamSynchronize(blocking));
    say(t, " v=%u", dread(t, p + 8));
}

/* A kernel of another graph sets a handle without default, after the graph that
 * owns it was instantiated: does it reach the executable's next launch? */
CASE(cond, outside_setter)
{
    Simple o;
    CUgraph g;
    CUgraphNode k;
    CUgraphExec x, y;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    OK(build_simple(t, &o, p, 0, 0, -1, 2, 3));
    INST(x, o.g);
    RUN("before", x, s, p);
    G0(g);
    OK(add_setcond(t, &k, g, NULL, 0, o.h, 1));
    y = inst_say(t, "inst", g, 0, NULL, &k, 1);
    if (y) GO("set", y, s);
    RUN("after", x, s, p);
    RUN("after", x, s, p);
}
