/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: when bodies run.
 */
#include "conditionals.h"

/* A kernel before the node sets the value: against a default and without one. */
CASE(cond, if_set)
{
    static const int v[] = { 0, 1, 9, 0x7fffffff };
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    for (int def = 0; def < 3; def++) { /* 0, 1: default; 2: none */
        for (size_t i = 0; i < COUNT(v); i++) {
            Simple o;
            CUgraphExec x;
            char l[32];
            OK(build_simple(t, &o, p, def & 1, def < 2 ? ASSIGN : 0, v[i], 2, 3));
            INST(x, o.g);
            snprintf(l, sizeof l, "d%d_v%x", def, (unsigned)v[i]);
            RUN(l, x, s, p);
        }
    }
}

/* IF with an else body: exactly one of the two runs, and dependents run after it. */
CASE(cond, if_else)
{
    static const int v[] = { -1, 0, 1, 2 };
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    for (unsigned def = 0; def < 3; def++) {
        for (size_t i = 0; i < COUNT(v); i++) {
            CUgraph g, body[2];
            CUgraphNode set = NULL, n, k;
            CUgraphConditionalHandle h;
            CUgraphExec x;
            char l[32];
            G0(g);
            CREATE_HANDLE(h, g, def, ASSIGN);
            if (v[i] >= 0) OK(add_setcond(t, &set, g, NULL, 0, h, (unsigned)v[i]));
            OK(add_conditional(t, &n, g, &set, v[i] >= 0, h, IF, 2, body));
            OK(add_digit(t, &k, body[0], NULL, 0, p, 1));
            OK(add_digit(t, &k, body[1], NULL, 0, p, 2));
            OK(add_digit(t, &k, g, &n, 1, p, 3));
            INST(x, g);
            snprintf(l, sizeof l, "d%u_v%d", def, v[i]);
            RUN(l, x, s, p);
        }
    }
}

/* WHILE that counts down from n: iterations, what is left, the node after it.
 * With default 0 it does not start. */
CASE(cond, while_count)
{
    static const unsigned n0[] = { 1, 2, 7, 1000 };
    CUdeviceptr p = dalloc(t, 12), src = p + 4, dst = p + 8;
    void *copy[] = { &dst, &src };
    CUstream s;
    S0(s);
    for (unsigned def = 0; def < 3; def++) {
        CUgraph g, body;
        CUgraphNode n, a, b;
        CUgraphConditionalHandle h;
        CUgraphExec x;
        char l[32];
        G0(g);
        CREATE_HANDLE(h, g, def, ASSIGN);
        OK(add_conditional(t, &n, g, NULL, 0, h, WHILE, 1, &body));
        OK(add_ma(t, &a, body, NULL, 0, p + 4, 1, 1));
        OK(add_setcond_countdown(t, &b, body, &a, 1, h, p));
        OK(add_kernel(&a, g, &n, 1, kernel(t, "copy1"), copy));
        INST(x, g);
        for (size_t i = 0; i < COUNT(n0); i++) {
            put_word(t, p + 4, 0);
            put_word(t, p + 8, 0);
            snprintf(l, sizeof l, "d%u_n%u", def, n0[i]);
            RUN_FROM(l, x, s, p, n0[i]);
            say(t, ":%u:%u", dread(t, p + 4), dread(t, p + 8));
        }
    }
}

/* The value counts at the end of an iteration: set to 0 first and kept going
 * by a later kernel; kept going and then set to 0 by a later kernel. */
CASE(cond, while_last_set)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    for (int stop_last = 0; stop_last < 2; stop_last++) {
        CUgraph g, body;
        CUgraphNode n, a, b, c;
        CUgraphConditionalHandle h;
        CUgraphExec x;
        G0(g);
        CREATE_HANDLE(h, g, 1, ASSIGN);
        OK(add_conditional(t, &n, g, NULL, 0, h, WHILE, 1, &body));
        OK(add_ma(t, &a, body, NULL, 0, p + 4, 1, 1));
        if (stop_last) {
            OK(add_setcond_countdown(t, &b, body, &a, 1, h, p));
            OK(add_setcond(t, &c, body, &b, 1, h, 0));
        } else {
            OK(add_setcond(t, &b, body, &a, 1, h, 0));
            OK(add_setcond_countdown(t, &c, body, &b, 1, h, p));
        }
        INST(x, g);
        put_word(t, p + 4, 0);
        RUN_FROM(stop_last ? "stop_last" : "stop_first", x, s, p, 4);
        say(t, ":%u", dread(t, p + 4));
    }
}

/* Which body of a SWITCH runs for which default; none from the size on. */
CASE(cond, switch_default)
{
    static const unsigned d[] = { 0, 1, 2, 3, 4, 0x80000000u, 0xffffffffu };
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    for (unsigned size = 1; size <= 3; size += 2) {
        for (size_t i = 0; i < COUNT(d); i++) {
            CUgraph g, body[3];
            CUgraphNode n, k;
            CUgraphConditionalHandle h;
            CUgraphExec x;
            char l[32];
            G0(g);
            CREATE_HANDLE(h, g, d[i], ASSIGN);
            OK(add_conditional(t, &n, g, NULL, 0, h, SWITCH, size, body));
            for (unsigned j = 0; j < size; j++) OK(add_digit(t, &k, body[j], NULL, 0, p, j + 1));
            OK(add_digit(t, &k, g, &n, 1, p, 9));
            INST(x, g);
            snprintf(l, sizeof l, "s%u_d%x", size, d[i]);
            RUN(l, x, s, p);
        }
    }
}

/* The same of a value that a kernel takes from memory, changed between launches. */
CASE(cond, switch_set)
{
    static const unsigned v[] = { 0, 1, 2, 3, 4, 5, 2, 0, 0xffffffffu, 1 };
    CUgraph g, body[5];
    CUgraphNode pre, n, k;
    CUgraphConditionalHandle h;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    G0(g);
    CREATE_HANDLE(h, g, 0, 0);
    OK(add_setcond_from(t, &pre, g, NULL, 0, h, p + 4));
    OK(add_conditional(t, &n, g, &pre, 1, h, SWITCH, 5, body));
    for (unsigned j = 0; j < 5; j++) OK(add_digit(t, &k, body[j], NULL, 0, p, j + 1));
    OK(add_digit(t, &k, g, &n, 1, p, 9));
    INST(x, g);
    for (size_t i = 0; i < COUNT(v); i++) {
        char l[16];
        snprintf(l, sizeof l, "v%x", v[i]);
        put_word(t, p + 4, v[i]);
        RUN(l, x, s, p);
    }
}

/* What stands before the node runs before the body, what depends on it after,
 * for every iteration; two nodes in a row. */
CASE(cond, order)
{
    CUgraph g, b1, b2[2], b3;
    CUgraphNode k, n1, n2, n3;
    CUgraphConditionalHandle h1, h2, h3;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    G0(g);
    CREATE_HANDLE(h1, g, 1, ASSIGN);
    CREATE_HANDLE(h2, g, 0, ASSIGN);
    CREATE_HANDLE(h3, g, 2, ASSIGN);
    OK(add_digit(t, &k, g, NULL, 0, p, 1));
    OK(add_conditional(t, &n1, g, &k, 1, h1, WHILE, 1, &b1));
    OK(add_digit(t, &k, b1, NULL, 0, p, 2));
    OK(add_setcond_countdown(t, &k, b1, &k, 1, h1, p + 4));
    OK(add_digit(t, &k, g, &n1, 1, p, 3));
    OK(add_conditional(t, &n2, g, &k, 1, h2, IF, 2, b2));
    OK(add_digit(t, &k, b2[0], NULL, 0, p, 4));
    OK(add_digit(t, &k, b2[1], NULL, 0, p, 5));
    OK(add_conditional(t, &n3, g, &n2, 1, h3, IF, 1, &b3));
    OK(add_digit(t, &k, b3, NULL, 0, p, 6));
    OK(add_digit(t, &k, g, &n3, 1, p, 7));
    INST(x, g);
    for (unsigned i = 1; i <= 3; i++) {
        put_word(t, p + 4, i);
        RUN("run", x, s, p);
    }
}
