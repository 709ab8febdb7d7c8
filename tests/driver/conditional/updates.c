/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: changing an executable.
 */
#include "conditionals.h"

static CUresult exec_digit(T *t, CUgraphExec x, CUgraphNode n, CUdeviceptr p, unsigned d)
{
    return exec_ma(t, x, n, p, 10, d);
}

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
