/* SPDX-License-Identifier: Apache-2.0
 *
 * Event nodes and nodes of operations on values.
 */
#include "node_params.h"

/* ------------------------------------------------------------------- events */

/* Event nodes: in, out, set, NULL, and getters of the other kind. */
CASE(node, event_params)
{
    CUgraph g;
    CUgraphNode r, w;
    CUevent a, b, o = NULL;
    risky();
    G0(g);
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, CU_EVENT_DISABLE_TIMING));
    OK(cuGraphAddEventRecordNode(&r, g, NULL, 0, a));
    OK(cuGraphAddEventWaitNode(&w, g, NULL, 0, a));
    R("rget", cuGraphEventRecordNodeGetEvent(r, &o));
    say(t, " a=%d", o == a);
    R("wget", cuGraphEventWaitNodeGetEvent(w, &o));
    say(t, " a=%d", o == a);
    R("rset", cuGraphEventRecordNodeSetEvent(r, b));
    R("wset", cuGraphEventWaitNodeSetEvent(w, b));
    R("rset_null", cuGraphEventRecordNodeSetEvent(r, NULL));
    R("wset_null", cuGraphEventWaitNodeSetEvent(w, NULL));
    OK(cuGraphEventRecordNodeGetEvent(r, &o));
    say(t, " b=%d", o == b);
    OK(cuGraphEventWaitNodeGetEvent(w, &o));
    say(t, " b=%d", o == b);
    o = (CUevent)(uintptr_t)0x77;
    R("cross_rget", cuGraphEventRecordNodeGetEvent(w, &o));
    R("cross_wget", cuGraphEventWaitNodeGetEvent(r, &o));
    say(t, " kept=%d", o == (CUevent)(uintptr_t)0x77);
    R("cross_rset", cuGraphEventRecordNodeSetEvent(w, a));
    R("cross_wset", cuGraphEventWaitNodeSetEvent(r, a));
}

/* ------------------------------------------------------------ batch mem ops */

static CUstreamBatchMemOpParams wr(CUdeviceptr p, unsigned v)
{
    CUstreamBatchMemOpParams o;
    memset(&o, 0, sizeof o);
    o.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    o.writeValue.address = p;
    o.writeValue.value = v;
    return o;
}

/* Counts, flags, contexts and operations out of range. */
CASE(node, batch_bad)
{
    CUdeviceptr d = dalloc(t, 4096);
    static CUstreamBatchMemOpParams op[300];
    CUDA_BATCH_MEM_OP_NODE_PARAMS k, p;
    risky();
    for (int i = 0; i < 300; i++) op[i] = wr(d + 4u * (unsigned)i, 1);
    memset(&k, 0, sizeof k);
    k.ctx = t->ctx;
    k.count = 1;
    k.paramArray = op;
#define B(label, set)                                                                              \
    do {                                                                                           \
        CUgraph g;                                                                                 \
        CUgraphNode n;                                                                             \
        p = k;                                                                                     \
        set;                                                                                       \
        G0(g);                                                                                     \
        say_tried(t, label, g, cuGraphAddBatchMemOpNode(&n, g, NULL, 0, &p));                      \
        op[0] = wr(d, 1);                                                                          \
    } while (0)
    B("ok", (void)0);
    B("count0", p.count = 0);
    B("array_null", p.paramArray = NULL);
    B("flags1", p.flags = 1);
    B("ctx_null", p.ctx = NULL);
    B("count256", p.count = 256);
    B("count257", p.count = 257);
    B("op0", op[0].operation = (CUstreamBatchMemOpType)0);
    B("op99", op[0].operation = (CUstreamBatchMemOpType)99);
    B("misaligned", op[0].writeValue.address = d + 2);
    B("addr0", op[0].writeValue.address = 0);
    B("wflags", op[0].writeValue.flags = 0x10);
    B("barrier", (memset(&op[0], 0, sizeof op[0]), op[0].operation = CU_STREAM_MEM_OP_BARRIER));
#undef B
}
