/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: ownership and copies.
 */
#include "conditionals.h"

/* The graph destroyed before the launch, and the executable while it runs. */
static void CUDA_CB until_open(void *p)
{
    for (int i = 0; i < 3000 && !__atomic_load_n((int *)p, __ATOMIC_SEQ_CST); i++) msleep(1);
}
CASE(cond, parent_destroy)
{
    CUgraph g, body;
    CUgraphNode k, n;
    CUgraphConditionalHandle h;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    int open = 0;
    S0(s);
    G0(g);
    CREATE_HANDLE(h, g, 1, ASSIGN);
    OK(add_host(&k, g, NULL, 0, until_open, &open));
    OK(add_conditional(t, &n, g, &k, 1, h, WHILE, 1, &body));
    OK(add_ma(t, &k, body, NULL, 0, p, 1, 1));
    OK(add_setcond_countdown(t, &k, body, &k, 1, h, p + 4));
    INST(x, g);
    R("destroy", cuGraphDestroy(g));
    __atomic_store_n(&open, 1, __ATOMIC_SEQ_CST);
    put_word(t, p + 4, 3);
    RUN("run", x, s, p);
    __atomic_store_n(&open, 0, __ATOMIC_SEQ_CST);
    put_word(t, p + 4, 5);
    put_word(t, p, 0);
    OK(cuGraphLaunch(x, s));
    R("query", cuStreamQuery(s));
    R("destroy_exec", cuGraphExecDestroy(x));
    R("query", cuStreamQuery(s));
    __atomic_store_n(&open, 1, __ATOMIC_SEQ_CST);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
}

/* A body changed after instantiation: the executable keeps what it was made of. */
CASE(cond, body_changed_after)
{
    Simple o;
    CUgraphNode k;
    CUgraphExec x, y;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    OK(build_simple(t, &o, p, 1, ASSIGN, -1, 2, 3));
    INST(x, o.g);
    RUN("run", x, s, p);
    OK(add_digit(t, &k, o.body, &o.k, 1, p, 5));
    R("set", node_digit(t, o.k, p, 6));
    RUN("old", x, s, p);
    R("destroy", cuGraphExecDestroy(x));
    y = inst_say(t, "inst", o.g, 0, NULL, &o.cond, 1);
    if (y) RUN("new", y, s, p);
}

/* Two executables of one graph at a time, launched in turn and at once; a
 * third after the first two are gone. */
CASE(cond, two_execs)
{
    CUgraph g, b[2];
    CUgraphNode pre, n, k;
    CUgraphConditionalHandle h;
    CUgraphExec x, y, z;
    CUstream s, s2;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    S0(s2);
    G0(g);
    CREATE_HANDLE(h, g, 1, ASSIGN);
    OK(add_setcond_from(t, &pre, g, NULL, 0, h, p + 4));
    OK(add_conditional(t, &n, g, &pre, 1, h, IF, 2, b));
    OK(add_digit(t, &k, b[0], NULL, 0, p, 1));
    OK(add_digit(t, &k, b[1], NULL, 0, p, 2));
    INST(x, g);
    RUN("x_alone", x, s, p);
    y = inst_say(t, "second", g, 0, NULL, &n, 1);
    for (unsigned v = 0; v < 2; v++) {
        put_word(t, p + 4, v);
        RUN("x", x, s, p);
        if (y) RUN("y", y, s2, p);
    }
    if (y) {
        put_word(t, p, 0);
        put_word(t, p + 4, 1);
        for (int i = 0; i < 4; i++) {
            OK(cuGraphLaunch(i & 1 ? y : x, s));
            if (i & 1) continue;
            OK(cuMemsetD32Async(p + 4, (unsigned)(i / 2), 1, s));
        }
        GO("chain", x, s);
        say(t, ":%u", dread(t, p));
    }
    R("drop", cuGraphExecDestroy(x));
    if (y) {
        RUN("y", y, s2, p);
        R("drop", cuGraphExecDestroy(y));
    }
    z = inst_say(t, "third", g, 0, NULL, &n, 1);
    if (z) RUN("z", z, s, p);
}
