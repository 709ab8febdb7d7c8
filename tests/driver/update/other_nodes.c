/* SPDX-License-Identifier: Apache-2.0
 *
 * Changed executables: child graphs, operations on values, nodes of every kind.
 */
#include "changes.h"

CASE(update, child_params)
{
    static int a, b;
    CUgraph g, c, c2, in;
    CUgraphNode n;
    CUgraphExec x, y;
    CUstream s;
    CUdeviceptr p = dalloc(t, 16);
    size_t k = 0;
    S0(s);
    c = make_child(t, p, 1, &a, 1);
    c2 = make_child(t, p + 8, 5, &b, 1);
    if (!c || !c2) return;
    G0(g);
    OK(cuGraphAddChildGraphNode(&n, g, NULL, 0, c));
    INST(x, g);
    say_go(t, x, s, p, 4);
    say(t, " a=%d b=%d", a, b);
    R("set", cuGraphExecChildGraphNodeSetParams(x, n, c2));
    R("destroy", cuGraphDestroy(c2));
    say_go(t, x, s, p, 4);
    say(t, " a=%d b=%d", a, b);
    OK(cuGraphChildGraphNodeGetGraph(n, &in));
    OK(cuGraphGetNodes(in, NULL, &k));
    INST(y, g);
    say_go(t, y, s, p, 4);
    say(t, " nodes=%zu a=%d b=%d", k, a, b);
    R("set_source", cuGraphExecChildGraphNodeSetParams(x, n, c));
    say_go(t, x, s, p, 4);
    R("set_embedded", cuGraphExecChildGraphNodeSetParams(x, n, in));
    say_go(t, x, s, p, 4);
}

/* Inner nodes of a child: the source's nodes and those of the embedded copy. */
CASE(update, child_inner)
{
    CUgraph g, c, in;
    CUgraphNode n, k, e;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    unsigned on = 9;
    size_t one = 1;
    S0(s);
    G0(c);
    OK(add_ma(t, &k, c, NULL, 0, p, 1, 1));
    G0(g);
    OK(cuGraphAddChildGraphNode(&n, g, NULL, 0, c));
    OK(cuGraphChildGraphNodeGetGraph(n, &in));
    OK(cuGraphGetNodes(in, &e, &one));
    INST(x, g);
    R("source", exec_ma(t, x, k, p, 1, 10));
    say_go(t, x, s, p, 1);
    R("embedded", exec_ma(t, x, e, p, 1, 100));
    say_go(t, x, s, p, 1);
    R("get", cuGraphNodeGetEnabled(x, e, &on));
    say(t, " on=%u", on);
    R("off", cuGraphNodeSetEnabled(x, e, 0));
    say_go(t, x, s, p, 1);
    R("on", cuGraphNodeSetEnabled(x, e, 1));
    say_go(t, x, s, p, 1);
    R("source_off", cuGraphNodeSetEnabled(x, k, 0));
    say_go(t, x, s, p, 1);
}

/* Batch memory operations: values, addresses and wait kinds may change; count
 * and kind of operation may not. */
CASE(update, memop_params)
{
    CUgraph g;
    CUgraphNode n, k;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr d;
    volatile uint32_t *h;
    PIN(h, d);
    CUstreamBatchMemOpParams o[3] = { wait_op(d, 5, CU_STREAM_WAIT_VALUE_GEQ), write_op(d + 4, 1),
                                      write_op(d + 8, 2) };
    CUDA_BATCH_MEM_OP_NODE_PARAMS b = { .ctx = t->ctx, .count = 2, .paramArray = o, .flags = 0 };
    S0(s);
    G0(g);
    OK(cuGraphAddBatchMemOpNode(&n, g, NULL, 0, &b));
    OK(add_ma(t, &k, g, &n, 1, d + 12, 1, 1));
    INST(x, g);
    h[0] = 5;
    R("go", go(x, s));
    say(t, " w=%u,%u,%u", h[1], h[2], h[3]);
    const CUstreamBatchMemOpParams geq = o[0], eq = wait_op(d, 5, CU_STREAM_WAIT_VALUE_EQ),
                                   last = write_op(d + 8, 8);
    const struct {
        const char *label;
        CUstreamBatchMemOpParams op[2];
        unsigned count, flags;
        int goes; /* a launch shows what came of it */
    } change[] = {
        { "value", { geq, write_op(d + 4, 7) }, 2, 0, 1 },
        { "address", { geq, last }, 2, 0, 1 },
        { "wait_kind", { eq, last }, 2, 0, 1 },
        { "op_kind", { write_op(d, 5), last }, 2, 0, 0 },
        { "count_up", { geq, last }, 3, 0, 0 },
        { "count_down", { geq, last }, 1, 0, 0 },
        { "count0", { geq, last }, 0, 0, 0 },
        { "flags1", { geq, last }, 2, 1, 0 },
    };
    for (size_t i = 0; i < COUNT(change); i++) {
        memcpy(o, change[i].op, sizeof change[i].op);
        b.count = change[i].count;
        b.flags = change[i].flags;
        R(change[i].label, cuGraphExecBatchMemOpNodeSetParams(x, n, &b));
        o[1].writeValue.value = 99; /* the call has read it */
        if (!change[i].goes) continue;
        R("go", go(x, s));
        say(t, " w=%u,%u,%u", h[1], h[2], h[3]);
    }
    o[1] = last;
    b.count = 2;
    b.flags = 0;
    R("kernel_node", cuGraphExecBatchMemOpNodeSetParams(x, k, &b));
    R("null_exec", cuGraphExecBatchMemOpNodeSetParams(NULL, n, &b));
    R("null_node", cuGraphExecBatchMemOpNodeSetParams(x, NULL, &b));
    R("null_params", cuGraphExecBatchMemOpNodeSetParams(x, n, NULL));
    R("go", go(x, s));
    say(t, " w=%u,%u,%u", h[1], h[2], h[3]);
    b.ctx = NULL;
    R("null_ctx", cuGraphExecBatchMemOpNodeSetParams(x, n, &b));
}

/* cuGraphExecNodeSetParams on every node type, with the values it leaves. */
CASE(update, generic)
{
    static int a, b;
    CUgraph g, c, c2;
    CUgraphNode k, m, cp, ho, ch, er, ew, mo, em;
    CUgraphExec x;
    CUstream s;
    CUevent e[4];
    CUdeviceptr p = dalloc(t, 64);
    CUgraphNodeParams v;
    S0(s);
    for (int i = 0; i < 4; i++) OK(cuEventCreate(&e[i], CU_EVENT_DISABLE_TIMING));
    c = make_child(t, p + 24, 1, &a, 0);
    c2 = make_child(t, p + 28, 2, &b, 0);
    if (!c || !c2) return;
    CUstreamBatchMemOpParams o = write_op(p + 16, 3);
    CUDA_BATCH_MEM_OP_NODE_PARAMS bm = { .ctx = t->ctx, .count = 1, .paramArray = &o, .flags = 0 };
    G0(g);
    OK(add_ma(t, &k, g, NULL, 0, p, 1, 1));
    OK(add_set(t, &m, g, &k, 1, p + 4, 2, 1));
    OK(add_device_copy(t, &cp, g, &m, 1, p + 8, p + 4, 4));
    OK(add_host(&ho, g, &cp, 1, count_one, &a));
    OK(cuGraphAddChildGraphNode(&ch, g, &ho, 1, c));
    OK(cuGraphAddEventRecordNode(&er, g, &ch, 1, e[0]));
    OK(cuGraphAddEventWaitNode(&ew, g, &er, 1, e[1]));
    OK(cuGraphAddBatchMemOpNode(&mo, g, &ew, 1, &bm));
    OK(cuGraphAddEmptyNode(&em, g, &mo, 1));
    INST(x, g);
    say_go(t, x, s, p, 8);
    say(t, " a=%d b=%d", a, b);
    memset(&v, 0, sizeof v);
    unsigned mm = 1, aa = 10;
    void *args[] = { &p, &mm, &aa };
    CUDA_KERNEL_NODE_PARAMS kp = kparams(kernel(t, "mul_add"), 1, 1, args);
    v.type = CU_GRAPH_NODE_TYPE_KERNEL;
    memcpy(&v.kernel, &kp, sizeof kp);
    R("kernel", cuGraphExecNodeSetParams(x, k, &v));
    R("kernel_on_memset", cuGraphExecNodeSetParams(x, m, &v));
    v.reserved0[1] = 1;
    R("reserved0", cuGraphExecNodeSetParams(x, k, &v));
    v.reserved0[1] = 0;
    v.reserved2 = 1;
    R("reserved2", cuGraphExecNodeSetParams(x, k, &v));
    memset(&v, 0, sizeof v);
    v.type = CU_GRAPH_NODE_TYPE_MEMSET;
    v.memset = (CUDA_MEMSET_NODE_PARAMS_v2){
        .dst = p + 4, .value = 20, .elementSize = 4, .width = 1, .height = 1, .ctx = t->ctx
    };
    R("memset", cuGraphExecNodeSetParams(x, m, &v));
    memset(&v, 0, sizeof v);
    v.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    v.memcpy.copyCtx = t->ctx;
    v.memcpy.copyParams = device_copy_params(p + 12, p + 4, 4);
    R("memcpy", cuGraphExecNodeSetParams(x, cp, &v));
    v.memcpy.flags = 1;
    R("memcpy_flags", cuGraphExecNodeSetParams(x, cp, &v));
    memset(&v, 0, sizeof v);
    v.type = CU_GRAPH_NODE_TYPE_HOST;
    v.host.fn = count_hundred;
    v.host.userData = &b;
    R("host", cuGraphExecNodeSetParams(x, ho, &v));
    memset(&v, 0, sizeof v);
    v.type = CU_GRAPH_NODE_TYPE_GRAPH;
    v.graph.graph = c2;
    R("child", cuGraphExecNodeSetParams(x, ch, &v));
    v.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    R("child_move", cuGraphExecNodeSetParams(x, ch, &v));
    memset(&v, 0, sizeof v);
    v.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    v.eventRecord.event = e[2];
    R("record", cuGraphExecNodeSetParams(x, er, &v));
    R("record_on_wait", cuGraphExecNodeSetParams(x, ew, &v));
    memset(&v, 0, sizeof v);
    v.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
    v.eventWait.event = e[3];
    R("wait", cuGraphExecNodeSetParams(x, ew, &v));
    memset(&v, 0, sizeof v);
    o = write_op(p + 16, 30);
    v.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    v.memOp.ctx = t->ctx;
    v.memOp.count = 1;
    v.memOp.paramArray = &o;
    R("memop", cuGraphExecNodeSetParams(x, mo, &v));
    memset(&v, 0, sizeof v);
    v.type = CU_GRAPH_NODE_TYPE_EMPTY;
    R("empty", cuGraphExecNodeSetParams(x, em, &v));
    v.type = (CUgraphNodeType)99;
    R("type99", cuGraphExecNodeSetParams(x, em, &v));
    v.type = CU_GRAPH_NODE_TYPE_HOST;
    v.host.fn = count_one;
    v.host.userData = &a;
    R("null_exec", cuGraphExecNodeSetParams(NULL, ho, &v));
    R("null_node", cuGraphExecNodeSetParams(x, NULL, &v));
    R("null_params", cuGraphExecNodeSetParams(x, ho, NULL));
    say_go(t, x, s, p, 8);
    say(t, " a=%d b=%d", a, b);
}
