/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of every kind: arguments that are refused, parameters asked by the wrong call.
 */
#include "node_params.h"

static int hits;
static void CUDA_CB bump(void *p)
{
    __atomic_add_fetch(p ? (int *)p : &hits, 1, __ATOMIC_SEQ_CST);
}

/* ------------------------------------------------------------- every type */

/* NULL graph and NULL out-parameter in the typed add calls. */
CASE(node, add_null_args)
{
    CUgraph g;
    CUgraphNode n = SENT_N;
    CUevent e;
    CUdeviceptr d = dalloc(t, 64);
    void *args[] = { &d };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "inc"), 1, 1, args);
    CUDA_MEMCPY3D c = plain_copy_params(DEV, AS_POINTER(d), DEV, AS_POINTER(d + 32), 16);
    CUDA_MEMSET_NODE_PARAMS m = mset(d, 0, 1, 4, 1, 0);
    CUDA_HOST_NODE_PARAMS h = { .fn = bump, .userData = NULL };
    risky();
    G0(g);
    OK(cuEventCreate(&e, 0));
    R("kernel_g", cuGraphAddKernelNode(&n, NULL, NULL, 0, &k));
    R("kernel_o", cuGraphAddKernelNode(NULL, g, NULL, 0, &k));
    R("memcpy_g", cuGraphAddMemcpyNode(&n, NULL, NULL, 0, &c, t->ctx));
    R("memcpy_o", cuGraphAddMemcpyNode(NULL, g, NULL, 0, &c, t->ctx));
    R("memset_g", cuGraphAddMemsetNode(&n, NULL, NULL, 0, &m, t->ctx));
    R("memset_o", cuGraphAddMemsetNode(NULL, g, NULL, 0, &m, t->ctx));
    R("host_g", cuGraphAddHostNode(&n, NULL, NULL, 0, &h));
    R("host_o", cuGraphAddHostNode(NULL, g, NULL, 0, &h));
    R("record_g", cuGraphAddEventRecordNode(&n, NULL, NULL, 0, e));
    R("record_o", cuGraphAddEventRecordNode(NULL, g, NULL, 0, e));
    R("wait_g", cuGraphAddEventWaitNode(&n, NULL, NULL, 0, e));
    R("wait_o", cuGraphAddEventWaitNode(NULL, g, NULL, 0, e));
    say(t, " out=%s n=%zu", nstate(n), nnodes(g));
}

/* NULL params, event or pointer in the typed add calls. */
CASE(node, add_null_params)
{
    CUgraph g;
    CUgraphNode n = SENT_N;
    risky();
    G0(g);
    R("kernel", cuGraphAddKernelNode(&n, g, NULL, 0, NULL));
    R("memcpy", cuGraphAddMemcpyNode(&n, g, NULL, 0, NULL, t->ctx));
    R("memset", cuGraphAddMemsetNode(&n, g, NULL, 0, NULL, t->ctx));
    R("host", cuGraphAddHostNode(&n, g, NULL, 0, NULL));
    R("record", cuGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    R("wait", cuGraphAddEventWaitNode(&n, g, NULL, 0, NULL));
    R("alloc", cuGraphAddMemAllocNode(&n, g, NULL, 0, NULL));
    R("free", cuGraphAddMemFreeNode(&n, g, NULL, 0, 0));
    R("batch", cuGraphAddBatchMemOpNode(&n, g, NULL, 0, NULL));
    say(t, " out=%s n=%zu", nstate(n), nnodes(g));
}

/* Typed getters asked of an empty node: result, and the output left alone? */
CASE(node, get_wrong_type)
{
    CUgraph g;
    CUgraphNode n;
    CUDA_KERNEL_NODE_PARAMS k;
    CUDA_MEMCPY3D c;
    CUDA_MEMSET_NODE_PARAMS m;
    CUDA_HOST_NODE_PARAMS h;
    CUDA_BATCH_MEM_OP_NODE_PARAMS b;
    CUDA_MEM_ALLOC_NODE_PARAMS a;
    CUevent e = (CUevent)(uintptr_t)0x77;
    CUdeviceptr d = 0x77;
    CUkernelNodeAttrValue v;
    risky();
    memset(&k, 0x33, sizeof k);
    memset(&m, 0x33, sizeof m);
    memset(&h, 0x33, sizeof h);
    G0(g);
    OK(cuGraphAddEmptyNode(&n, g, NULL, 0));
    R("kernel", cuGraphKernelNodeGetParams(n, &k));
    say(t, " kept=%d", k.gridDimX == 0x33333333u);
    R("memcpy", cuGraphMemcpyNodeGetParams(n, &c));
    R("memset", cuGraphMemsetNodeGetParams(n, &m));
    say(t, " kept=%d", m.value == 0x33333333u);
    R("host", cuGraphHostNodeGetParams(n, &h));
    R("record", cuGraphEventRecordNodeGetEvent(n, &e));
    R("wait", cuGraphEventWaitNodeGetEvent(n, &e));
    say(t, " kept=%d", e == (CUevent)(uintptr_t)0x77);
    R("batch", cuGraphBatchMemOpNodeGetParams(n, &b));
    R("alloc", cuGraphMemAllocNodeGetParams(n, &a));
    R("free", cuGraphMemFreeNodeGetParams(n, &d));
    say(t, " kept=%d", d == 0x77);
    R("attr", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
}

/* ----------------------------------------------------------- cuGraphAddNode */

/* A type whose params are all zero. */
CASE(node, addnode_zero_params)
{
    static const int ty[] = { 1, 2, 3, 4, 6, 7, 10, 11, 12, 13 };
    CUgraph g;
    CUgraphNode n = SENT_N;
    CUgraphNodeParams np;
    risky();
    G0(g);
    for (size_t i = 0; i < sizeof ty / sizeof *ty; i++) {
        memset(&np, 0, sizeof np);
        np.type = (CUgraphNodeType)ty[i];
        R(ntype(np.type), cuGraphAddNode(&n, g, NULL, NULL, 0, &np));
    }
    say(t, " out=%s n=%zu", nstate(n), nnodes(g));
}
