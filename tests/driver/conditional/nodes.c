/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: adding one to a graph.
 */
#include "conditionals.h"

/* NULL and wrong arguments of the call, and what they leave behind. */
CASE(cond, add_args)
{
    CUgraph g;
    CUgraphNode n = SENT_N, k, two[2];
    CUgraphConditionalHandle h;
    CUdeviceptr p = dalloc(t, 4);
    CUgraph fake = SENT_G;
    G0(g);
    CREATE_HANDLE(h, g, 1, ASSIGN);
    OK(add_digit(t, &k, g, NULL, 0, p, 1));
    CUgraphNodeParams c = conditional_params(t, h, IF, 1);
    R("graph", cuGraphAddNode(&n, NULL, NULL, NULL, 0, &c));
    R("params", cuGraphAddNode(&n, g, NULL, NULL, 0, NULL));
    R("nulldeps", cuGraphAddNode(&n, g, NULL, NULL, 1, &c));
    two[0] = two[1] = k;
    R("dupdeps", cuGraphAddNode(&n, g, two, NULL, 2, &c));
    say(t, " n=%s", nstate(n));
    n = SENT_N;
    CUgraphNodeParams z = conditional_params(t, 0, IF, 1);
    R("handle0", cuGraphAddNode(&n, g, NULL, NULL, 0, &z));
    say(t, " n=%s out=%s", nstate(n), z.conditional.phGraph_out ? "set" : "null");
    n = SENT_N;
    R("out", cuGraphAddNode(NULL, g, NULL, NULL, 0, &c));
    say_shape(t, g);
    c = conditional_params(t, h, IF, 1);
    c.conditional.phGraph_out = &fake; /* an out-parameter: is it read? */
    R("preset", cuGraphAddNode(&n, g, &k, NULL, 1, &c));
    say(t, " n=%s written=%d replaced=%d", nstate(n), fake != SENT_G,
        c.conditional.phGraph_out != &fake);
    say_shape(t, g);
}

/* Bytes that must be zero but are not. */
CASE(cond, add_reserved)
{
    for (int i = 0; i < 5; i++) {
        static const char *const label[] = { "reserved0", "reserved2", "next", "last", "zero" };
        CUgraph g;
        CUgraphNode n = SENT_N;
        CUgraphConditionalHandle h;
        G0(g);
        CREATE_HANDLE(h, g, 1, ASSIGN);
        CUgraphNodeParams c = conditional_params(t, h, IF, 1);
        if (i == 0) c.reserved0[1] = 1;
        if (i == 1) c.reserved2 = 1;
        if (i == 2) c.reserved1[sizeof c.conditional / sizeof c.reserved1[0]] = 1;
        if (i == 3) c.reserved1[COUNT(c.reserved1) - 1] = 1;
        CUresult r = cuGraphAddNode(&n, g, NULL, NULL, 0, &c);
        say(t, " %s=%s:%s:%s", label[i], ename(r), nstate(n),
            c.conditional.phGraph_out ? "set" : "null");
    }
}

/* Sizes and types: which are taken, what the out-parameters become, and
 * whether a refusal spends the handle. */
CASE(cond, sizes)
{
    static const struct {
        int type;
        unsigned size;
    } v[] = { { IF, 0 },     { IF, 1 },      { IF, 2 },    { IF, 3 },     { WHILE, 0 },
              { WHILE, 1 },  { WHILE, 2 },   { WHILE, 3 }, { SWITCH, 0 }, { SWITCH, 1 },
              { SWITCH, 2 }, { SWITCH, 64 }, { 3, 1 },     { -1, 1 } };
    for (size_t i = 0; i < COUNT(v); i++) {
        CUgraph g, again;
        CUgraphNode n = SENT_N, m;
        CUgraphConditionalHandle h;
        G0(g);
        CREATE_HANDLE(h, g, 1, ASSIGN);
        CUgraphNodeParams c = conditional_params(t, h, v[i].type, v[i].size);
        CUresult r = cuGraphAddNode(&n, g, NULL, NULL, 0, &c);
        say(t, " t%d_%u=%s", v[i].type, v[i].size, ename(r));
        if (!r) {
            int bad = 0;
            for (unsigned a = 0; a < v[i].size; a++) {
                size_t cnt = 99;
                CUgraph b = c.conditional.phGraph_out[a];
                bad += !b || b == g || cuGraphGetNodes(b, NULL, &cnt) != CUDA_SUCCESS || cnt != 0;
                for (unsigned o = 0; o < a; o++) bad += c.conditional.phGraph_out[o] == b;
            }
            say(t, ":bad%d:size%u", bad, c.conditional.size);
        } else {
            say(t, ":%s:%s", nstate(n), c.conditional.phGraph_out ? "set" : "null");
            say(t, ":again_%s", ename(add_conditional(t, &m, g, NULL, 0, h, IF, 1, &again)));
        }
    }
}

/* Types and edges of parent and body; the body's nodes are not the parent's. */
CASE(cond, shape)
{
    CUgraph g, body[2];
    CUgraphNode pre, post, n, a, b, c, list[8];
    CUgraphNodeType ty = (CUgraphNodeType)99;
    CUgraphConditionalHandle h;
    CUdeviceptr p = dalloc(t, 4);
    size_t cnt = 8;
    G0(g);
    CREATE_HANDLE(h, g, 1, ASSIGN);
    OK(add_digit(t, &pre, g, NULL, 0, p, 1));
    OK(add_conditional(t, &n, g, &pre, 1, h, IF, 2, body));
    OK(cuGraphAddEmptyNode(&post, g, &n, 1));
    say_shape(t, body[0]);
    OK(add_digit(t, &a, body[0], NULL, 0, p, 2));
    OK(add_memset(t, &b, body[0], &a, 1, p, 7, 1, 1, 0));
    OK(add_digit(t, &c, body[0], &a, 1, p, 3));
    say_shape(t, g);
    say_shape(t, body[0]);
    say_shape(t, body[1]);
    R("type", cuGraphNodeGetType(n, &ty));
    say(t, " type=%s", ntype(ty));
    R("nodes", cuGraphGetNodes(g, list, &cnt));
    int in = 0;
    for (size_t i = 0; i < cnt && i < 8; i++) in += list[i] == a || list[i] == b || list[i] == c;
    say(t, " count=%zu body_nodes=%d", cnt, in);
    cnt = 8;
    R("body_nodes", cuGraphGetNodes(body[0], list, &cnt));
    say(t, " count=%zu first=%d", cnt, cnt > 0 && list[0] == a);
}
