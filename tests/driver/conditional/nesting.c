/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes in bodies of others.
 */
#include "conditionals.h"

/* WHILE in WHILE. reset 1: a kernel of the outer body sets the inner handle
 * anew before the inner loop; 0: nothing does, so that only a default applied
 * to every outer iteration could start it a second time. */
CASE(cond, while_in_while)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 12); /* count, outer, inner counters */
    S0(s);
    for (unsigned reset = 0; reset < 2; reset++) {
        CUgraph g, out, in;
        CUgraphNode n, m, k;
        CUgraphConditionalHandle ho, hi;
        G0(g);
        CREATE_HANDLE(ho, g, 1, ASSIGN);
        CREATE_HANDLE(hi, g, 1, ASSIGN);
        OK(add_conditional(t, &n, g, NULL, 0, ho, WHILE, 1, &out));
        OK(add_put(t, &k, out, NULL, 0, p + 8, 4));
        if (reset) OK(add_setcond(t, &k, out, &k, 1, hi, 1));
        OK(add_conditional(t, &m, out, &k, 1, hi, WHILE, 1, &in));
        OK(add_ma(t, &k, in, NULL, 0, p, 1, 1));
        OK(add_setcond_countdown(t, &k, in, &k, 1, hi, p + 8));
        OK(add_setcond_countdown(t, &k, out, &m, 1, ho, p + 4));
        CUgraphExec x =
            inst_say(t, reset ? "reset" : "default", g, 0, NULL, (CUgraphNode[]){ n, m }, 2);
        if (!x) continue;
        for (unsigned i = 1; i <= 3; i++) {
            put_word(t, p + 4, i);
            RUN("run", x, s, p);
        }
    }
}

/* An inner WHILE whose value the outer loop computes: 3 + 2 + 1 iterations. */
CASE(cond, while_in_while_from)
{
    CUgraph g, out, in;
    CUgraphNode n, m, k;
    CUgraphConditionalHandle ho, hi;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 12), dst = p + 8, src = p + 4;
    void *copy[] = { &dst, &src };
    S0(s);
    G0(g);
    CREATE_HANDLE(ho, g, 1, ASSIGN);
    CREATE_HANDLE(hi, g, 0, 0);
    OK(add_conditional(t, &n, g, NULL, 0, ho, WHILE, 1, &out));
    OK(add_kernel(&k, out, NULL, 0, kernel(t, "copy1"), copy));
    OK(add_setcond_from(t, &k, out, &k, 1, hi, p + 8));
    OK(add_conditional(t, &m, out, &k, 1, hi, WHILE, 1, &in));
    OK(add_ma(t, &k, in, NULL, 0, p, 1, 1));
    OK(add_setcond_countdown(t, &k, in, &k, 1, hi, p + 8));
    OK(add_setcond_countdown(t, &k, out, &m, 1, ho, p + 4));
    INST(x, g);
    for (unsigned i = 1; i <= 3; i++) {
        put_word(t, p + 4, i);
        RUN("run", x, s, p);
    }
}

/* An inner IF that nobody sets, in a loop: its default, value kept or applied
 * anew; its own body turns it off, or on. */
CASE(cond, if_in_while_default)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    for (unsigned def = 0; def < 2; def++) {
        CUgraph g, out, in[2];
        CUgraphNode n, m, k;
        CUgraphConditionalHandle ho, hi;
        CUgraphExec x;
        G0(g);
        CREATE_HANDLE(ho, g, 1, ASSIGN);
        CREATE_HANDLE(hi, g, def, ASSIGN);
        OK(add_conditional(t, &n, g, NULL, 0, ho, WHILE, 1, &out));
        OK(add_conditional(t, &m, out, NULL, 0, hi, IF, 2, in));
        for (unsigned i = 0; i < 2; i++) { /* body 0 sets 0, body 1 sets 1 */
            OK(add_digit(t, &k, in[i], NULL, 0, p, i + 1));
            OK(add_setcond(t, &k, in[i], &k, 1, hi, i));
        }
        OK(add_setcond_countdown(t, &k, out, &m, 1, ho, p + 4));
        INST(x, g);
        for (unsigned i = 0; i < 2; i++) {
            put_word(t, p + 4, 4);
            RUN(def ? "d1" : "d0", x, s, p);
        }
    }
}

/* IF within IF, down to a depth; where the innermost condition is false. */
CASE(cond, deep)
{
    static const int depth[] = { 2, 4, 8, 16, 32 };
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    for (size_t d = 0; d < COUNT(depth); d++) {
        CUgraph g, at;
        CUgraphConditionalHandle h;
        char l[32];
        int built = 0;
        G0(g);
        at = g;
        CUresult r = CUDA_SUCCESS;
        for (; built < depth[d] && !r; built += !r) {
            CUgraph in = NULL;
            CUgraphNode n, k;
            r = cuGraphConditionalHandleCreate(&h, g, t->ctx, built < depth[d] - 1, ASSIGN);
            if (!r) r = add_ma(t, &k, at, NULL, 0, p, 1, 1);
            if (!r) r = add_conditional(t, &n, at, &k, 1, h, IF, 1, &in);
            at = in;
        }
        CUgraphNode last;
        if (!r) r = add_ma(t, &last, at, NULL, 0, p, 0, 77); /* does not run */
        say(t, " depth%d=%s:%d", depth[d], ename(r), built);
        if (r) continue;
        snprintf(l, sizeof l, "inst%d", depth[d]);
        CUgraphExec x = inst_say(t, l, g, 0, NULL, NULL, 0);
        if (x) RUN("run", x, s, p);
    }
}
