/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional graph nodes: handles, bodies, when a body runs, what is refused.
 */
#include "graphs.h"

#define SENT_H ((CUgraphConditionalHandle)0x5a5a5a5a)

enum {
    IF = CU_GRAPH_COND_TYPE_IF,
    WHILE = CU_GRAPH_COND_TYPE_WHILE,
    SWITCH = CU_GRAPH_COND_TYPE_SWITCH
};
#define ASSIGN CU_GRAPH_COND_ASSIGN_DEFAULT

#define CREATE_HANDLE(h, g, def, flags)                                                            \
    OK(cuGraphConditionalHandleCreate(&(h), g, t->ctx, def, flags))

static void drop_exec(CUgraphExec x)
{
    if (x) cuGraphExecDestroy(x);
}

/* Append a decimal digit to *p: the word then tells what ran in which order. */
static CUresult add_digit(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                          CUdeviceptr p, unsigned d)
{
    return add_ma(t, n, g, deps, nd, p, 10, d);
}
static CUresult exec_digit(T *t, CUgraphExec x, CUgraphNode n, CUdeviceptr p, unsigned d)
{
    return exec_ma(t, x, n, p, 10, d);
}
static CUresult node_digit(T *t, CUgraphNode n, CUdeviceptr p, unsigned d)
{
    return node_ma(t, n, p, 10, d);
}
static CUresult add_put(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                        CUdeviceptr p, unsigned v)
{
    void *args[] = { &p, &v };
    return add_kernel(n, g, deps, nd, kernel(t, "put"), args);
}
/* The condition: a constant; the word at p; p counted down, and whether it is above zero. */
static CUresult add_setcond(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                            CUgraphConditionalHandle h, unsigned v)
{
    void *args[] = { &h, &v };
    return add_kernel(n, g, deps, nd, cond_kernel(t, "setcond"), args);
}
static CUresult add_setcond_from(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps,
                                 size_t nd, CUgraphConditionalHandle h, CUdeviceptr p)
{
    void *args[] = { &h, &p };
    return add_kernel(n, g, deps, nd, cond_kernel(t, "cond_from"), args);
}
static CUresult add_setcond_countdown(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps,
                                      size_t nd, CUgraphConditionalHandle h, CUdeviceptr p)
{
    void *args[] = { &h, &p };
    return add_kernel(n, g, deps, nd, cond_kernel(t, "countdown"), args);
}
static CUresult add_memset(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                           CUdeviceptr p, unsigned v, size_t w, size_t h, size_t pitch)
{
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = p, .pitch = pitch, .value = v, .elementSize = 4, .width = w, .height = h
    };
    return cuGraphAddMemsetNode(n, g, deps, nd, &m, t->ctx);
}
/* Copy parameters; a host pointer where one is given. */
static CUDA_MEMCPY3D linear_copy_params(void *hdst, CUdeviceptr ddst, const void *hsrc,
                                        CUdeviceptr dsrc, size_t bytes)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = hsrc ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.srcHost = hsrc;
    c.srcDevice = hsrc ? 0 : dsrc;
    c.dstMemoryType = hdst ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.dstHost = hdst;
    c.dstDevice = hdst ? 0 : ddst;
    c.WidthInBytes = bytes;
    c.Height = c.Depth = 1;
    return c;
}
static CUresult add_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                         void *hdst, CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc,
                         size_t bytes)
{
    CUDA_MEMCPY3D c = linear_copy_params(hdst, ddst, hsrc, dsrc, bytes);
    return cuGraphAddMemcpyNode(n, g, deps, nd, &c, t->ctx);
}

static CUgraphNodeParams conditional_params(T *t, CUgraphConditionalHandle h, int type,
                                            unsigned size)
{
    CUgraphNodeParams p;
    memset(&p, 0, sizeof p);
    p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    p.conditional.handle = h;
    p.conditional.type = (CUgraphConditionalNodeType)type;
    p.conditional.size = size;
    p.conditional.ctx = t->ctx;
    return p;
}
/* A conditional node; its bodies go to body[0..size-1]. */
static CUresult add_conditional(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                                CUgraphConditionalHandle h, int type, unsigned size, CUgraph *body)
{
    CUgraphNodeParams p = conditional_params(t, h, type, size);
    CUresult r = cuGraphAddNode(n, g, deps, NULL, nd, &p);
    for (unsigned i = 0; i < size; i++) body[i] = r ? NULL : p.conditional.phGraph_out[i];
    return r;
}

/* Launch and wait; a loop that never ends is given up after five seconds, and
 * the case must then return at once. */
static int say_launch(T *t, const char *label, CUgraphExec x, CUstream s)
{
    CUresult r = cuGraphLaunch(x, s), q;
    for (int i = 0; (q = cuStreamQuery(s)) == CUDA_ERROR_NOT_READY; i++) {
        if (i == 5200) {
            say(t, " %s=STUCK", label);
            return 1;
        }
        if (i >= 200) msleep(1);
    }
    say(t, " %s=%s", label, ename(r ? r : q));
    return 0;
}
#define GO(label, x, s)                                                                            \
    do {                                                                                           \
        if (say_launch(t, label, x, s)) return;                                                    \
    } while (0)
/* The same from a word p of a given value; what p then holds. */
static int say_run_from(T *t, const char *label, CUgraphExec x, CUstream s, CUdeviceptr p,
                        unsigned v)
{
    CUresult r = cuMemsetD32(p, v, 1);
    if (!r) r = cuCtxSynchronize();
    if (r) {
        say(t, " %s=before:%s", label, ename(r));
        return 1;
    }
    if (say_launch(t, label, x, s)) return 1;
    say(t, ":%u", dread(t, p));
    return 0;
}
#define RUN_FROM(label, x, s, p, v)                                                                \
    do {                                                                                           \
        if (say_run_from(t, label, x, s, p, v)) return;                                            \
    } while (0)
#define RUN(label, x, s, p) RUN_FROM(label, x, s, p, 0)

static void put_word(T *t, CUdeviceptr p, unsigned v)
{
    CUresult r = cuMemsetD32(p, v, 1);
    if (!r) r = cuCtxSynchronize();
    if (r) say(t, " put=%s", ename(r));
}

/* [set h to v ->] IF h { digit d } -> digit e; no set kernel where v < 0. */
typedef struct {
    CUgraph g, body;
    CUgraphNode set, cond, k, after;
    CUgraphConditionalHandle h;
} Simple;
static CUresult build_simple(T *t, Simple *o, CUdeviceptr p, unsigned def, unsigned flags, int v,
                             unsigned d, unsigned e)
{
    memset(o, 0, sizeof *o);
    CUresult r = cuGraphCreate(&o->g, 0);
    if (!r) r = cuGraphConditionalHandleCreate(&o->h, o->g, t->ctx, def, flags);
    if (!r && v >= 0) r = add_setcond(t, &o->set, o->g, NULL, 0, o->h, (unsigned)v);
    if (!r) r = add_conditional(t, &o->cond, o->g, &o->set, v >= 0, o->h, IF, 1, &o->body);
    if (!r) r = add_digit(t, &o->k, o->body, NULL, 0, p, d);
    if (!r) r = add_digit(t, &o->after, o->g, &o->cond, 1, p, e);
    return r;
}

/* ------------------------------------------------------------------ handles */

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

/* ------------------------------------------------------- adding the node */

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

/* --------------------------------------------------------- when bodies run */

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

/* ------------------------------------------------------------------ nesting */

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

/* ------------------------------------------- values from launch to launch */

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

/* ----------------------------------------------------- what a body may hold */

/* A graph of one IF that is taken, its body empty. */
typedef struct {
    CUgraph g, body;
    CUgraphNode cond;
    CUgraphConditionalHandle h;
} Taken;
static CUresult taken(T *t, Taken *o)
{
    memset(o, 0, sizeof *o);
    CUresult r = cuGraphCreate(&o->g, 0);
    if (!r) r = cuGraphConditionalHandleCreate(&o->h, o->g, t->ctx, 1, ASSIGN);
    if (!r) r = add_conditional(t, &o->cond, o->g, NULL, 0, o->h, IF, 1, &o->body);
    return r;
}
/* What adding a node n to the body gave, then instantiation (error node A: the
 * conditional, B: n) and a launch as far as they come. */
static int tried(T *t, const char *label, CUresult added, Taken *o, CUgraphNode n, CUstream s)
{
    int stuck = 0;
    say(t, " %s=%s", label, ename(added));
    if (added) return 0;
    CUgraphExec x = inst_say(t, "inst", o->g, 0, NULL, (CUgraphNode[]){ o->cond, n }, 2);
    if (x) stuck = say_launch(t, "run", x, s);
    if (!stuck) drop_exec(x);
    return stuck;
}
/* `n` is taken before `added` is made: so did the compiler with which the answers were
 * measured, which begins with the last argument. */
#define TRIED(label, added, o, n, s)                                                               \
    do {                                                                                           \
        CUgraphNode known_ = n;                                                                    \
        CUresult added_ = added;                                                                   \
        if (tried(t, label, added_, &(o), known_, s)) return;                                      \
    } while (0)

static int host_runs;
static void CUDA_CB count_host(void *p)
{
    __atomic_add_fetch(&host_runs, 1, __ATOMIC_SEQ_CST);
}

/* Kernel, empty, memset (one and two dimensions) and device copies. */
CASE(cond, body_device_nodes)
{
    Taken o;
    CUgraphNode n = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 64);
    S0(s);
    OK(taken(t, &o));
    TRIED("kernel", add_ma(t, &n, o.body, NULL, 0, p, 1, 5), o, n, s);
    say(t, ":%u", dread(t, p));
    OK(taken(t, &o));
    TRIED("empty", cuGraphAddEmptyNode(&n, o.body, NULL, 0), o, n, s);
    OK(taken(t, &o));
    TRIED("memset", add_memset(t, &n, o.body, NULL, 0, p + 4, 6, 2, 1, 0), o, n, s);
    say(t, ":%u,%u", dread(t, p + 4), dread(t, p + 8));
    OK(taken(t, &o));
    TRIED("memset2d", add_memset(t, &n, o.body, NULL, 0, p + 16, 7, 1, 2, 16), o, n, s);
    say(t, ":%u,%u,%u", dread(t, p + 16), dread(t, p + 20), dread(t, p + 32));
    OK(taken(t, &o));
    TRIED("copy", add_copy(t, &n, o.body, NULL, 0, NULL, p + 48, NULL, p, 8), o, n, s);
    say(t, ":%u,%u", dread(t, p + 48), dread(t, p + 52));
}

/* Host node: at once, as the only node, behind a kernel; in an else body and
 * in a body that is not taken; at top level it is welcome. */
CASE(cond, body_host_node)
{
    Taken o;
    CUgraph body[2];
    CUgraphNode n = NULL, k;
    CUgraphConditionalHandle h;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    OK(taken(t, &o));
    TRIED("alone", add_host(&n, o.body, NULL, 0, count_host, NULL), o, n, s);
    OK(taken(t, &o));
    OK(add_digit(t, &k, o.body, NULL, 0, p, 1));
    TRIED("behind", add_host(&n, o.body, &k, 1, count_host, NULL), o, n, s);
    memset(&o, 0, sizeof o);
    G0(o.g);
    CREATE_HANDLE(h, o.g, 1, ASSIGN);
    OK(add_conditional(t, &o.cond, o.g, NULL, 0, h, IF, 2, body));
    TRIED("else", add_host(&n, body[1], NULL, 0, count_host, NULL), o, n, s);
    OK(taken(t, &o));
    OK(add_digit(t, &k, o.body, NULL, 0, p, 2));
    TRIED("parent", add_host(&n, o.g, &o.cond, 1, count_host, NULL), o, n, s);
    say(t, " runs=%d v=%u", __atomic_load_n(&host_runs, __ATOMIC_SEQ_CST), dread(t, p));
}

/* Memory operation nodes. */
CASE(cond, body_memop)
{
    Taken o;
    CUgraphNode n = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    CUstreamBatchMemOpParams op;
    S0(s);
    memset(&op, 0, sizeof op);
    op.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    op.writeValue.address = p;
    op.writeValue.value = 9;
    CUDA_BATCH_MEM_OP_NODE_PARAMS b = { .ctx = t->ctx, .count = 1, .paramArray = &op, .flags = 0 };
    OK(taken(t, &o));
    TRIED("write", cuGraphAddBatchMemOpNode(&n, o.body, NULL, 0, &b), o, n, s);
    say(t, ":%u", dread(t, p));
    put_word(t, p, 9);
    op.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    op.waitValue.address = p;
    op.waitValue.value = 9;
    op.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    OK(taken(t, &o));
    TRIED("wait", cuGraphAddBatchMemOpNode(&n, o.body, NULL, 0, &b), o, n, s);
    op.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    op.writeValue.address = p + 4;
    op.writeValue.value = 9;
    op.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;
    OK(taken(t, &o));
    TRIED("parent", cuGraphAddBatchMemOpNode(&n, o.g, &o.cond, 1, &b), o, n, s);
    say(t, ":%u", dread(t, p + 4));
}

/* Child graphs in the body: of kernels, empty, with a host node, nested. */
CASE(cond, body_child)
{
    Taken o;
    CUgraph c, c2;
    CUgraphNode n = NULL, k;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(c);
    OK(taken(t, &o));
    TRIED("empty", cuGraphAddChildGraphNode(&n, o.body, NULL, 0, c), o, n, s);
    OK(add_digit(t, &k, c, NULL, 0, p, 1));
    OK(add_digit(t, &k, c, &k, 1, p, 2));
    OK(taken(t, &o));
    TRIED("kernels", cuGraphAddChildGraphNode(&n, o.body, NULL, 0, c), o, n, s);
    say(t, ":%u", dread(t, p));
    G0(c2);
    OK(cuGraphAddChildGraphNode(&k, c2, NULL, 0, c));
    OK(taken(t, &o));
    put_word(t, p, 0);
    TRIED("nested", cuGraphAddChildGraphNode(&n, o.body, NULL, 0, c2), o, n, s);
    say(t, ":%u", dread(t, p));
    OK(add_host(&k, c, NULL, 0, count_host, NULL));
    OK(taken(t, &o));
    TRIED("host", cuGraphAddChildGraphNode(&n, o.body, NULL, 0, c), o, n, s);
    G0(c2);
    OK(cuGraphAddChildGraphNode(&k, c2, NULL, 0, c));
    OK(taken(t, &o));
    TRIED("nested_host", cuGraphAddChildGraphNode(&n, o.body, NULL, 0, c2), o, n, s);
    say(t, " runs=%d", __atomic_load_n(&host_runs, __ATOMIC_SEQ_CST));
}

/* ------------------------------------------------------ capture and bodies */

/* ------------------------------------------------- ownership and copies */

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

/* ------------------------------------------------- changing an executable */

/* Kernel, memset and copy nodes of a body changed in the executable. */
CASE(cond, exec_body_params)
{
    Simple o;
    CUgraphNode ms, cp;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 32);
    S0(s);
    OK(build_simple(t, &o, p, 1, ASSIGN, -1, 2, 3));
    OK(add_memset(t, &ms, o.body, &o.k, 1, p + 4, 5, 1, 1, 0));
    OK(add_copy(t, &cp, o.body, &ms, 1, NULL, p + 8, NULL, p + 4, 4));
    INST(x, o.g);
    RUN("run", x, s, p);
    say(t, ":%u,%u", dread(t, p + 4), dread(t, p + 8));
    R("kernel", exec_digit(t, x, o.k, p, 7));
    RUN("run", x, s, p);
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = p + 4, .value = 6, .elementSize = 4, .width = 1, .height = 1
    };
    R("memset", cuGraphExecMemsetNodeSetParams(x, ms, &m, t->ctx));
    CUDA_MEMCPY3D c = linear_copy_params(NULL, p + 12, NULL, p + 4, 4);
    R("copy", cuGraphExecMemcpyNodeSetParams(x, cp, &c, t->ctx));
    RUN("run", x, s, p);
    say(t, ":%u,%u,%u", dread(t, p + 4), dread(t, p + 8), dread(t, p + 12));
    R("after", exec_digit(t, x, o.after, p, 8));
    RUN("run", x, s, p);
    CUgraphNodeParams g;
    unsigned ten = 10, nine = 9;
    void *args[] = { &p, &ten, &nine };
    memset(&g, 0, sizeof g);
    g.type = CU_GRAPH_NODE_TYPE_KERNEL;
    g.kernel.func = kernel(t, "mul_add");
    g.kernel.gridDimX = g.kernel.gridDimY = g.kernel.gridDimZ = 1;
    g.kernel.blockDimX = g.kernel.blockDimY = g.kernel.blockDimZ = 1;
    g.kernel.kernelParams = args;
    R("generic", cuGraphExecNodeSetParams(x, o.k, &g));
    RUN("run", x, s, p);
}

/* The kernel that sets the condition changed in the executable. */
CASE(cond, exec_setter_params)
{
    Simple o;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 0;
    S0(s);
    OK(build_simple(t, &o, p, 0, ASSIGN, 1, 2, 3));
    INST(x, o.g);
    RUN("run", x, s, p);
    void *args[] = { &o.h, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(cond_kernel(t, "setcond"), 1, 1, args);
    R("off", cuGraphExecKernelNodeSetParams(x, o.set, &k));
    RUN("run", x, s, p);
    v = 5;
    R("on", cuGraphExecKernelNodeSetParams(x, o.set, &k));
    RUN("run", x, s, p);
    k = kparams(kernel(t, "nop"), 1, 1, NULL);
    R("nop", cuGraphExecKernelNodeSetParams(x, o.set, &k)); /* now nobody sets it */
    RUN("run", x, s, p);
}

/* Parameters of the node itself, set in the graph and in the executable: the
 * same, another type, another size; and the calls of other node types. */
CASE(cond, node_params)
{
    Simple o;
    CUgraph c = SENT_G;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    CUDA_KERNEL_NODE_PARAMS k;
    CUDA_MEMSET_NODE_PARAMS m;
    CUDA_HOST_NODE_PARAMS hp;
    CUgraphNodeParams same, type, size, wrong;
    S0(s);
    OK(build_simple(t, &o, p, 1, ASSIGN, -1, 2, 3));
    INST(x, o.g);
    same = conditional_params(t, o.h, IF, 1);
    type = conditional_params(t, o.h, SWITCH, 1);
    size = conditional_params(t, o.h, IF, 2);
    wrong = conditional_params(t, o.h, IF, 1);
    wrong.type = CU_GRAPH_NODE_TYPE_EMPTY;
    R("same", cuGraphNodeSetParams(o.cond, &same));
    R("type", cuGraphNodeSetParams(o.cond, &type));
    R("size", cuGraphNodeSetParams(o.cond, &size));
    R("wrong", cuGraphNodeSetParams(o.cond, &wrong));
    R("null", cuGraphNodeSetParams(o.cond, NULL));
    R("kernel_node", cuGraphNodeSetParams(o.k, &same));
    same = conditional_params(t, o.h, IF, 1);
    type = conditional_params(t, o.h, SWITCH, 1);
    R("exec_same", cuGraphExecNodeSetParams(x, o.cond, &same));
    R("exec_type", cuGraphExecNodeSetParams(x, o.cond, &type));
    R("exec_kernel_node", cuGraphExecNodeSetParams(x, o.k, &same));
    R("as_child", cuGraphChildGraphNodeGetGraph(o.cond, &c));
    say(t, " out=%s", gstate(c));
    R("as_kernel", cuGraphKernelNodeGetParams(o.cond, &k));
    R("as_memset", cuGraphMemsetNodeGetParams(o.cond, &m));
    R("as_host", cuGraphHostNodeGetParams(o.cond, &hp));
    R("exec_child", cuGraphExecChildGraphNodeSetParams(x, o.cond, o.body));
    RUN("run", x, s, p);
}

/* Whole-graph update from the graph itself after its body's nodes were given
 * other parameters, and from an equal graph with handles of its own. */
CASE(cond, update_equal)
{
    Simple o, q;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    OK(build_simple(t, &o, p, 1, ASSIGN, -1, 2, 3));
    OK(build_simple(t, &q, p, 1, ASSIGN, -1, 4, 5));
    CUgraphNode known[] = { q.cond, q.k, q.after };
    INST(x, o.g);
    RUN("run", x, s, p);
    update_say(t, "self", x, o.g, (CUgraphNode[]){ o.cond, o.k, o.after }, 3);
    RUN("run", x, s, p);
    R("body", node_digit(t, o.k, p, 6));
    R("after", node_digit(t, o.after, p, 7));
    update_say(t, "self_changed", x, o.g, (CUgraphNode[]){ o.cond, o.k, o.after }, 3);
    RUN("run", x, s, p);
    update_say(t, "equal", x, q.g, known, 3);
    RUN("run", x, s, p);
    R("old_node", exec_digit(t, x, o.k, p, 8));
    RUN("run", x, s, p);
    R("new_node", exec_digit(t, x, q.k, p, 9));
    RUN("run", x, s, p);
    R("destroy", cuGraphDestroy(q.g));
    RUN("run", x, s, p);
}

/* Updates from graphs whose conditional differs: the body's nodes, edges,
 * types, functions and arguments, the node's kind and size, a kernel in its
 * place, an unused handle beside it. The executable stays usable. */
CASE(cond, update_differs)
{
    enum { NONE, MORE, FEWER, EMPTY_BODY, TYPE, EDGES, ARGS, ELSE, KERNEL, UNUSED, FUNCTION };
    static const struct {
        const char *label;
        int type, change;
    } w[] = {
        { "more", IF, MORE },
        { "fewer", IF, FEWER },
        { "empty_body", IF, EMPTY_BODY },
        { "type", IF, TYPE },
        { "edges", IF, EDGES },
        { "args", IF, ARGS },
        { "switch", SWITCH, NONE },
        { "else", IF, ELSE },
        { "kernel", IF, KERNEL }, /* in the place of the conditional */
        { "unused", IF, UNUSED }, /* a second handle that no node uses */
        { "function", IF, FUNCTION },
        { "while", WHILE, NONE },
    };
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    for (size_t i = 0; i < COUNT(w); i++) {
        /* the executable: IF { digit 1 -> digit 2, an empty node apart } -> digit 4 */
        CUgraph g[2];
        CUgraphNode cond[2] = { NULL, NULL }, a[2], b[2] = { NULL, NULL }, c[2], d[2], e;
        CUgraphExec x;
        for (int v = 0; v < 2; v++) { /* 1: the changed one */
            CUgraph body[2] = { NULL, NULL };
            CUgraphConditionalHandle h;
            int type = v ? w[i].type : IF, change = v ? w[i].change : NONE;
            G0(g[v]);
            a[v] = b[v] = c[v] = NULL;
            if (change == KERNEL) {
                OK(add_put(t, &cond[v], g[v], NULL, 0, p + 4, 1));
            } else {
                CREATE_HANDLE(h, g[v], 1, ASSIGN);
                OK(add_conditional(t, &cond[v], g[v], NULL, 0, h, type, change == ELSE ? 2 : 1,
                                   body));
            }
            OK(add_digit(t, &d[v], g[v], &cond[v], 1, p, 4));
            if (change == UNUSED) CREATE_HANDLE(h, g[v], 1, ASSIGN);
            if (change == EMPTY_BODY || change == KERNEL) continue;
            OK(add_digit(t, &a[v], body[0], NULL, 0, p, 1));
            if (change == TYPE)
                OK(add_memset(t, &b[v], body[0], &a[v], 1, p + 4, 7, 1, 1, 0));
            else if (change == FUNCTION)
                OK(add_put(t, &b[v], body[0], &a[v], 1, p, 8));
            else
                OK(add_digit(t, &b[v], body[0], &a[v], 1, p, change == ARGS ? 6 : 2));
            if (change != FEWER) OK(cuGraphAddEmptyNode(&c[v], body[0], &a[v], change == EDGES));
            if (change == MORE) OK(cuGraphAddEmptyNode(&e, body[0], &c[v], 1));
        }
        INST(x, g[0]);
        update_say(t, w[i].label, x, g[1], (CUgraphNode[]){ cond[1], a[1], b[1], c[1], d[1] }, 5);
        RUN("run", x, s, p);
        drop_exec(x);
    }
}

/* Instantiation flags, upload ahead of the launch, and what is read back. */
CASE(cond, inst_flags)
{
    static const cuuint64_t fl[] = { 0, 1, 2, 4, 8, 15 };
    Simple o;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    OK(build_simple(t, &o, p, 1, ASSIGN, -1, 2, 3));
    for (size_t i = 0; i < COUNT(fl); i++) {
        cuuint64_t f = 99;
        char l[16];
        snprintf(l, sizeof l, "f%u", (unsigned)fl[i]);
        x = inst_say(t, l, o.g, fl[i], s, &o.cond, 1);
        if (!x) continue;
        CUresult r = cuGraphExecGetFlags(x, &f);
        say(t, ":%s:%u", ename(r), (unsigned)f);
        R("upload", cuGraphUpload(x, s));
        RUN("run", x, s, p);
        drop_exec(x);
    }
}

/* ------------------------------------------------------------ other calls */

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
