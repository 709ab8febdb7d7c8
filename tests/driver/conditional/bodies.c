/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: what a body may hold.
 */
#include "conditionals.h"

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
