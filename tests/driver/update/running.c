/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables updated while they run and between launches.
 */
#include "changes.h"

/* An update while the executable is held inside a launch: the call returns, that
 * launch keeps its arguments, the next has the new ones. */
CASE(update, whole_while_running)
{
    static Hold hd;
    CUgraph g, o;
    CUgraphNode v[2], w[2];
    CUgraphExec x;
    CUstream s, b;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    S0(b);
    G0(g);
    OK(add_host(&v[0], g, NULL, 0, hold, &hd));
    OK(add_ma(t, &v[1], g, &v[0], 1, p, 10, 1));
    G0(o);
    OK(add_host(&w[0], o, NULL, 0, hold, &hd));
    OK(add_ma(t, &w[1], o, &w[0], 1, p, 10, 2));
    INST(x, g);
    R("launch", cuGraphLaunch(x, s));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    update_say(t, "update", x, o, w, 2);
    say(t, " blocked=%d", LOAD(hd.expired));
    R("launch_b", cuGraphLaunch(x, b));
    say(t, " second=%d", until(&hd.runs, 2, 60));
    R("destroy", cuGraphDestroy(o));
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(b));
    say(t, " v=%u runs=%d", dread(t, p), hd.runs);
}

/* Update, launch, update, launch behind a gate and again without one: the digits
 * tell which graph each launch had.  The sources are destroyed at once. */
CASE(update, whole_launch_sequence)
{
    CUgraphExec x = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    Opener o;
    kernel(t, "mul_add");
    S0(s);
    for (int gated = 1; gated >= 0; gated--) {
        CUresult r = CUDA_SUCCESS;
        zero_memory(t, p, 4);
        opener_start(t, &o);
        gate_close(t);
        if (gated) r = gate(t, s);
        for (unsigned i = 1; i <= 8 && !r; i++) {
            CUgraph g;
            CUgraphNode n;
            CUgraphExecUpdateResultInfo info;
            r = cuGraphCreate(&g, 0);
            if (!r) r = add_ma(t, &n, g, NULL, 0, p, 10, gated ? i : 9 - i);
            if (!r) r = x ? cuGraphExecUpdate(x, g, &info) : cuGraphInstantiate(&x, g, 0);
            if (!r) r = cuGraphDestroy(g);
            if (!r) r = cuGraphLaunch(x, s);
        }
        say(t, " r=%s blocked=%d", ename(r), opener_stop(&o));
        gate_open(t);
        R("sync", cuStreamSynchronize(s));
        say(t, " v=%u", dread(t, p));
        if (!x) return;
    }
}

/* The graph it was made from destroyed: updates from others still work, also
 * after those are destroyed in turn. */
CASE(update, whole_sources_destroyed)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 10, 1));
    INST(x, g);
    R("destroy", cuGraphDestroy(g));
    say_go(t, x, s, p, 1);
    for (unsigned i = 2; i < 5; i++) {
        G0(g);
        OK(add_ma(t, &n, g, NULL, 0, p, 10, i));
        update_say(t, "update", x, g, &n, 1);
        R("destroy", cuGraphDestroy(g));
        say_go(t, x, s, p, 1);
    }
    G0(g);
    OK(cuGraphAddEmptyNode(&n, g, NULL, 0));
    update_say(t, "bad", x, g, &n, 1);
    R("destroy", cuGraphDestroy(g));
    say_go(t, x, s, p, 1);
}

/* Node handles after an update from another graph: those of the graph it was
 * made from, and those of the other. */
CASE(update, whole_then_node)
{
    CUgraph g, o;
    CUgraphNode n, m;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 9;
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 10, 1));
    G0(o);
    OK(add_ma(t, &m, o, NULL, 0, p, 10, 2));
    INST(x, g);
    update_say(t, "update", x, o, &m, 1);
    say_go(t, x, s, p, 1);
    R("own", exec_ma(t, x, n, p, 10, 3));
    say_go(t, x, s, p, 1);
    R("other", exec_ma(t, x, m, p, 10, 4));
    say_go(t, x, s, p, 1);
    R("own_get", cuGraphNodeGetEnabled(x, n, &v));
    R("other_get", cuGraphNodeGetEnabled(x, m, &v));
    update_say(t, "again", x, o, &m, 1);
    say_go(t, x, s, p, 1);
    update_say(t, "first", x, g, &n, 1); /* what was set by node is gone */
    say_go(t, x, s, p, 1);
}

/* The graph itself edited and used as the source: parameters, then topology. */
CASE(update, whole_self_edited)
{
    CUgraph g;
    CUgraphNode n[3];
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 12);
    S0(s);
    G0(g);
    OK(add_ma(t, &n[0], g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &n[1], g, &n[0], 1, p + 4, 1, 1));
    INST(x, g);
    R("edit", node_ma(t, n[1], p + 4, 1, 10));
    say_go(t, x, s, p, 3);
    update_say(t, "params", x, g, n, 2);
    say_go(t, x, s, p, 3);
    R("unlink", cuGraphRemoveDependencies(g, &n[0], &n[1], NULL, 1));
    update_say(t, "unlinked", x, g, n, 2);
    R("by_node", exec_ma(t, x, n[1], p + 4, 1, 100)); /* edges do not matter here */
    say_go(t, x, s, p, 3);
    R("link", cuGraphAddDependencies(g, &n[0], &n[1], NULL, 1));
    OK(add_ma(t, &n[2], g, NULL, 0, p + 8, 1, 1));
    update_say(t, "more", x, g, n, 3);
    R("remove", cuGraphDestroyNode(n[2]));
    update_say(t, "as_before", x, g, n, 2);
    say_go(t, x, s, p, 3);
}

/* Two sources by turns, many times; and a clone of a source. */
CASE(update, whole_by_turns)
{
    CUgraph g[2], c;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    CUresult r = CUDA_SUCCESS;
    S0(s);
    for (int k = 0; k < 2; k++) {
        G0(g[k]);
        OK(add_ma(t, &n, g[k], NULL, 0, p, 1, k ? 1000 : 1));
    }
    INST(x, g[0]);
    for (int i = 0; i < 100 && !r; i++) {
        CUgraphExecUpdateResultInfo info;
        r = cuGraphExecUpdate(x, g[i & 1], &info);
        if (!r) r = cuGraphLaunch(x, s);
    }
    say(t, " r=%s", ename(r));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    OK(cuGraphClone(&c, g[1]));
    update_say(t, "clone", x, c, NULL, 0);
    say_go(t, x, s, p, 1);
}

/* Executables made with other flags, and uploaded; after the update the flags
 * are the same. */
CASE(update, whole_flags)
{
    static const unsigned long long fl[] = { 0, 1, 4, 8, 12 };
    static int count;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    for (size_t i = 0; i < COUNT(fl); i++) {
        CUgraph g, o, h;
        CUgraphNode n, m;
        CUgraphExec x;
        cuuint64_t f = 99;
        char l[16];
        G0(g);
        OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
        G0(o);
        OK(add_ma(t, &m, o, NULL, 0, p, 1, 10));
        OK(cuGraphInstantiate(&x, g, fl[i]));
        R("upload", cuGraphUpload(x, s));
        snprintf(l, sizeof l, "f%llx", fl[i]);
        update_say(t, l, x, o, &m, 1);
        OK(cuGraphExecGetFlags(x, &f));
        say(t, " f=%llx", (unsigned long long)f);
        R("upload", cuGraphUpload(x, s));
        say_go(t, x, s, p, 1);
        G0(h);
        OK(add_host(&m, h, NULL, 0, count_one, &count));
        update_say(t, "host", x, h, &m, 1);
    }
}

/* A long chain, all arguments new; a fan with a join. */
CASE(update, whole_large)
{
    enum { N = 400 };
    static CUgraphNode n[N];
    for (int fan = 0; fan < 2; fan++) {
        CUgraph g[2];
        CUgraphNode j;
        CUgraphExec x;
        CUstream s;
        CUdeviceptr p = dalloc(t, 4 * N + 4);
        static uint32_t v[N + 1];
        unsigned sum = 0;
        S0(s);
        for (int k = 0; k < 2; k++) {
            G0(g[k]);
            for (unsigned i = 0; i < N; i++)
                OK(add_ma(t, &n[i], g[k], i && !fan ? &n[i - 1] : NULL, i && !fan ? 1 : 0,
                          p + 4 * i, 1, k ? i : 1));
            OK(add_ma(t, &j, g[k], fan ? n : &n[N - 1], fan ? N : 1, p + 4 * N, 1, k ? 10 : 1));
        }
        INST(x, g[0]);
        OK(go(x, s));
        update_say(t, fan ? "fan" : "chain", x, g[1], n, 0);
        OK(go(x, s));
        OK(cuMemcpyDtoH(v, p, sizeof v));
        for (int i = 0; i < N; i++) sum += v[i];
        say(t, " sum=%u join=%u", sum, v[N]);
    }
}

/* A kernel of another context; by node and by update. */
CASE(update, other_context)
{
    CUgraph g, o;
    CUgraphNode n, m = NULL;
    CUgraphExec x;
    CUcontext c2;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    CUmodule first = t->mod;
    OK(cuCtxCreate(&c2, NULL, 0, t->dev));
    t->mod = NULL;
    CUfunction f = kernel(t, "mul_add"); /* loaded into c2 */
    OK(cuCtxSetCurrent(t->ctx));
    t->mod = first;
    unsigned mm = 1, a = 10;
    void *args[] = { &p, &mm, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(f, 1, 1, args);
    R("node", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    G0(o);
    R("add", cuGraphAddKernelNode(&m, o, NULL, 0, &k));
    update_say(t, "update", x, o, &m, 1);
    say_go(t, x, s, p, 1);
}
