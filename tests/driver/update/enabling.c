/* SPDX-License-Identifier: Apache-2.0
 *
 * Changed executables: nodes enabled and disabled.
 */
#include "changes.h"

/* NULLs, foreign nodes, values other than 0 and 1. */
CASE(update, enabled_args)
{
    CUgraph g, o, c;
    CUgraphNode n, on, cn, late;
    CUgraphExec x, y;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 9;
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    G0(o);
    OK(add_ma(t, &on, o, NULL, 0, p, 1, 1));
    OK(cuGraphClone(&c, g));
    OK(cuGraphNodeFindInClone(&cn, n, c));
    INST(x, g);
    INST(y, g);
    OK(add_ma(t, &late, g, &n, 1, p, 1, 1));
    R("null_exec", cuGraphNodeSetEnabled(NULL, n, 0));
    R("null_node", cuGraphNodeSetEnabled(x, NULL, 0));
    R("get_null_exec", cuGraphNodeGetEnabled(NULL, n, &v));
    R("get_null_node", cuGraphNodeGetEnabled(x, NULL, &v));
    R("get_null_out", cuGraphNodeGetEnabled(x, n, NULL));
    R("other_graph", cuGraphNodeSetEnabled(x, on, 0));
    R("clone", cuGraphNodeSetEnabled(x, cn, 0));
    R("late", cuGraphNodeSetEnabled(x, late, 0));
    R("get_other", cuGraphNodeGetEnabled(x, on, &v));
    say(t, " v=%u", v);
    say_go(t, x, s, p, 1);
    R("two", cuGraphNodeSetEnabled(x, n, 2));
    R("get", cuGraphNodeGetEnabled(x, n, &v));
    say(t, " v=%u", v);
    R("zero", cuGraphNodeSetEnabled(x, n, 0));
    R("zero", cuGraphNodeSetEnabled(x, n, 0));
    R("get", cuGraphNodeGetEnabled(x, n, &v));
    say(t, " v=%u", v);
    R("get_y", cuGraphNodeGetEnabled(y, n, &v));
    say(t, " v=%u", v);
    say_go(t, x, s, p, 1);
    say_go(t, y, s, p, 1);
    R("all", cuGraphNodeSetEnabled(x, n, ~0u));
    R("get", cuGraphNodeGetEnabled(x, n, &v));
    say(t, " v=%u", v);
    say_go(t, x, s, p, 1);
    R("off", cuGraphNodeSetEnabled(x, n, 0));
    R("destroy", cuGraphExecDestroy(x));
    INST(x, g); /* a new executable starts enabled */
    R("get_new", cuGraphNodeGetEnabled(x, n, &v));
    say(t, " v=%u", v);
}

/* Kernel, memset and memcpy switched off in turn and together. */
CASE(update, enabled_effect)
{
    CUgraph g;
    CUgraphNode n[4];
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 16);
    S0(s);
    G0(g);
    OK(add_ma(t, &n[0], g, NULL, 0, p, 1, 1));
    OK(add_set(t, &n[1], g, &n[0], 1, p + 4, 5, 1));
    OK(add_device_copy(t, &n[2], g, &n[1], 1, p + 8, p + 4, 4));
    OK(add_ma(t, &n[3], g, &n[2], 1, p + 12, 1, 1));
    INST(x, g);
    for (int mask = 0; mask < 8; mask++) {
        for (int i = 0; i < 3; i++) OK(cuGraphNodeSetEnabled(x, n[i], !(mask >> i & 1)));
        zero_memory(t, p, 16);
        say(t, " off%d", mask);
        say_go(t, x, s, p, 4);
    }
    OK(cuGraphNodeSetEnabled(x, n[3], 0));
    zero_memory(t, p, 16);
    say(t, " off_all");
    say_go(t, x, s, p, 4);
}
