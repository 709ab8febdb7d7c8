/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: values from launch to launch.
 */
#include "conditionals.h"

/* A kernel after the node sets the value: does the next launch start with it?
 * Without default, with default 0, with default 1. */
CASE(cond, carry)
{
    static const unsigned v[] = { 1, 1, 0, 1, 0, 0 };
    static const char *const label[] = { "none", "d0", "d1" };
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    for (int i = 0; i < 3; i++) {
        CUgraph g, body;
        CUgraphNode n, k;
        CUgraphConditionalHandle h;
        CUgraphExec x;
        G0(g);
        CREATE_HANDLE(h, g, i == 2, i ? ASSIGN : 0);
        OK(add_conditional(t, &n, g, NULL, 0, h, IF, 1, &body));
        OK(add_digit(t, &k, body, NULL, 0, p, 2));
        OK(add_setcond_from(t, &k, g, &n, 1, h, p + 4));
        INST(x, g);
        for (size_t j = 0; j < COUNT(v); j++) {
            put_word(t, p + 4, v[j]);
            RUN(label[i], x, s, p);
        }
    }
}

/* Many launches in a row without waiting: IF, WHILE, SWITCH in one graph. */
CASE(cond, relaunch_many)
{
    CUgraph g, b1, b2, b3[2];
    CUgraphNode n1, n2, n3, k;
    CUgraphConditionalHandle h1, h2, h3;
    CUgraphExec x;
    CUstream s, s2;
    CUevent e;
    CUdeviceptr p = dalloc(t, 20);
    S0(s);
    S0(s2);
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    G0(g);
    CREATE_HANDLE(h1, g, 1, ASSIGN);
    CREATE_HANDLE(h2, g, 1, ASSIGN);
    CREATE_HANDLE(h3, g, 0, 0);
    OK(add_conditional(t, &n1, g, NULL, 0, h1, IF, 1, &b1));
    OK(add_ma(t, &k, b1, NULL, 0, p, 1, 1));
    OK(add_put(t, &k, g, &n1, 1, p + 16, 3));
    OK(add_conditional(t, &n2, g, &k, 1, h2, WHILE, 1, &b2));
    OK(add_ma(t, &k, b2, NULL, 0, p + 4, 1, 1));
    OK(add_setcond_countdown(t, &k, b2, &k, 1, h2, p + 16));
    OK(add_ma(t, &k, g, &n2, 1, p + 12, 0xffffffffu, 1)); /* 0 <-> 1 */
    OK(add_setcond_from(t, &k, g, &k, 1, h3, p + 12));
    OK(add_conditional(t, &n3, g, &k, 1, h3, SWITCH, 2, b3));
    OK(add_ma(t, &k, b3[1], NULL, 0, p + 8, 1, 1));
    INST(x, g);
    for (int i = 0; i < 299; i++) OK(cuGraphLaunch(x, s));
    GO("one_stream", x, s);
    say(t, ":%u,%u,%u,%u", dread(t, p), dread(t, p + 4), dread(t, p + 8), dread(t, p + 12));
    for (int i = 0; i < 99; i++)
        OK(cuGraphLaunch(x, i & 1 ? s : s2)); /* launches of one executable exclude each other */
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(s2, e, 0));
    GO("two_streams", x, s2);
    say(t, ":%u,%u,%u,%u", dread(t, p), dread(t, p + 4), dread(t, p + 8), dread(t, p + 12));
}
