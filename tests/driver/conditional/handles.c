/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: handles.
 */
#include "conditionals.h"

#define SENT_H ((CUgraphConditionalHandle)0x5a5a5a5a)

/* Flags, NULL out, NULL graph, NULL context with and without a current one. */
CASE(cond, handle_bad_args)
{
    static const unsigned fl[] = { 2, 3, 4, 0x80000000u, 0xffffffffu };
    CUgraph g;
    CUgraphConditionalHandle h = SENT_H;
    G0(g);
    for (size_t i = 0; i < COUNT(fl); i++) {
        char l[16];
        snprintf(l, sizeof l, "f%x", fl[i]);
        R(l, cuGraphConditionalHandleCreate(&h, g, t->ctx, 1, fl[i]));
    }
    say(t, " untouched=%d", h == SENT_H);
    h = SENT_H;
    R("out", cuGraphConditionalHandleCreate(NULL, g, t->ctx, 1, ASSIGN));
    R("graph", cuGraphConditionalHandleCreate(&h, NULL, t->ctx, 1, ASSIGN));
    say(t, " untouched=%d", h == SENT_H);
    R("ctx", cuGraphConditionalHandleCreate(&h, g, NULL, 1, ASSIGN));
    say(t, " untouched=%d", h == SENT_H);
    h = SENT_H;
    OK(cuCtxSetCurrent(NULL));
    R("no_current", cuGraphConditionalHandleCreate(&h, g, t->ctx, 1, ASSIGN));
    say(t, " untouched=%d", h == SENT_H);
    h = SENT_H;
    R("no_ctx", cuGraphConditionalHandleCreate(&h, g, NULL, 1, ASSIGN));
    say(t, " untouched=%d", h == SENT_H);
    OK(cuCtxSetCurrent(t->ctx));
}

/* Handle and node of different contexts of one device. */
CASE(cond, ctx_other)
{
    CUcontext other = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    OK(cuCtxCreate(&other, NULL, 0, t->dev));
    OK(cuCtxSetCurrent(t->ctx));
    for (int i = 1; i < 4; i++) { /* bit 0: the handle's is the other, bit 1: the node's */
        CUgraph g;
        CUgraphNode n = SENT_N, k;
        CUgraphConditionalHandle h = SENT_H;
        char l[32];
        G0(g);
        CUresult r = cuGraphConditionalHandleCreate(&h, g, i & 1 ? other : t->ctx, 1, ASSIGN);
        say(t, " handle%d=%s", i, ename(r));
        if (r) continue;
        CUgraphNodeParams c = conditional_params(t, h, IF, 1);
        if (i & 2) c.conditional.ctx = other;
        r = cuGraphAddNode(&n, g, NULL, NULL, 0, &c);
        say(t, " node%d=%s:%s", i, ename(r), nstate(n));
        if (r) continue;
        R("body", add_digit(t, &k, c.conditional.phGraph_out[0], NULL, 0, p,
                            1)); /* a kernel of the first context */
        snprintf(l, sizeof l, "inst%d", i);
        CUgraphExec x = inst_say(t, l, g, 0, NULL, &n, 1);
        if (x) RUN("run", x, s, p);
        drop_exec(x);
    }
}

/* A node of one graph with a handle of another, unrelated graph. */
CASE(cond, handle_other_graph)
{
    CUgraph a, b, body;
    CUgraphNode n = SENT_N, k;
    CUgraphConditionalHandle h;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(a);
    G0(b);
    CREATE_HANDLE(h, a, 1, ASSIGN);
    CUresult r = add_conditional(t, &n, b, NULL, 0, h, IF, 1, &body);
    say(t, " add=%s:%s", ename(r), nstate(n));
    if (!r) OK(add_digit(t, &k, body, NULL, 0, p, 1));
    say_shape(t, b);
    CUgraphExec x = inst_say(t, "inst_owner", a, 0, NULL, &n, 1);
    drop_exec(x);
    x = inst_say(t, "inst_user", b, 0, NULL, &n, 1);
    if (x) RUN("run", x, s, p);
}

/* A nested node's handle may belong to which graph: 0 the parent, 1 the body
 * it stands in, 2 the other body; 3: a parent's node with a body's handle. */
CASE(cond, handle_levels)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    for (int i = 0; i < 4; i++) {
        CUgraph g, body[2], in;
        CUgraphNode n[2] = { NULL, NULL }, k;
        CUgraphConditionalHandle h, h2 = SENT_H;
        char l[32];
        G0(g);
        CREATE_HANDLE(h, g, 1, ASSIGN);
        OK(add_conditional(t, &n[0], g, NULL, 0, h, IF, 2, body));
        OK(add_digit(t, &k, body[0], NULL, 0, p, 1));
        CUgraph owner = i == 0 ? g : i == 2 ? body[1] : body[0];
        CUresult r = cuGraphConditionalHandleCreate(&h2, owner, t->ctx, 1, ASSIGN);
        say(t, " handle%d=%s", i, ename(r));
        if (r) continue;
        r = i == 3 ? add_conditional(t, &n[1], g, &n[0], 1, h2, IF, 1, &in)
                   : add_conditional(t, &n[1], body[0], &k, 1, h2, IF, 1, &in);
        say(t, " add%d=%s", i, ename(r));
        if (!r) OK(add_digit(t, &k, in, NULL, 0, p, 2));
        snprintf(l, sizeof l, "inst%d", i);
        CUgraphExec x = inst_say(t, l, g, 0, NULL, n, 2);
        if (x) RUN("run", x, s, p);
    }
}
