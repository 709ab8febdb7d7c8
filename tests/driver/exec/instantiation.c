/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables: instantiation.
 */
#include "../graphs.h"

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
