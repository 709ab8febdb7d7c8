/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph nodes: adding each type, its parameters in and out, bad values.
 */
#include "graphs.h"

/* Instantiate, launch once and wait. */
static CUresult launch_graph_once(CUgraph g)
{
    CUgraphExec x = NULL;
    CUstream s;
    CUresult r = cuGraphInstantiate(&x, g, 0), q;
    if (r) return r;
    r = cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    if (r) return r;
    r = cuGraphLaunch(x, s);
    q = cuStreamSynchronize(s);
    cuStreamDestroy(s);
    cuGraphExecDestroy(x);
    return r ? r : q;
}

/* Result of an add, then of instantiating what was added; drops the graph. */
static void say_tried(T *t, const char *label, CUgraph g, CUresult r)
{
    CUgraphExec x = NULL;
    say(t, " %s=%s", label, ename(r));
    if (!r) {
        r = cuGraphInstantiate(&x, g, 0);
        say(t, "/%s", ename(r));
        if (!r) cuGraphExecDestroy(x);
    }
    cuGraphDestroy(g);
}

static void try_memset(T *t, const char *label, CUDA_MEMSET_NODE_PARAMS p)
{
    CUgraph g;
    CUgraphNode n;
    OK(cuGraphCreate(&g, 0));
    say_tried(t, label, g, cuGraphAddMemsetNode(&n, g, NULL, 0, &p, t->ctx));
}

/* A one-dimensional copy; type 1 takes host pointers, 2 and 4 device ones. */
static CUDA_MEMCPY3D plain_copy_params(int dtype, void *dst, int stype, const void *src,
                                       size_t bytes)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = (CUmemorytype)stype;
    c.dstMemoryType = (CUmemorytype)dtype;
    if (stype == CU_MEMORYTYPE_HOST)
        c.srcHost = src;
    else
        c.srcDevice = (CUdeviceptr)(uintptr_t)src;
    if (dtype == CU_MEMORYTYPE_HOST)
        c.dstHost = dst;
    else
        c.dstDevice = (CUdeviceptr)(uintptr_t)dst;
    c.WidthInBytes = bytes;
    c.Height = c.Depth = 1;
    return c;
}

static void try_memcpy(T *t, const char *label, CUDA_MEMCPY3D c)
{
    CUgraph g;
    CUgraphNode n;
    OK(cuGraphCreate(&g, 0));
    say_tried(t, label, g, cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
}

#define AS_POINTER(p) ((void *)(uintptr_t)(p))
#define HOST CU_MEMORYTYPE_HOST
#define DEV CU_MEMORYTYPE_DEVICE

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

/* ------------------------------------------------------------------ kernels */

/* What goes in comes out: dimensions, function, argument values, the rest. */
CASE(node, kernel_roundtrip)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 64);
    unsigned v = 77;
    void *args[] = { &d, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "put"), 2, 32, args), o;
    k.gridDimY = 3;
    k.gridDimZ = 4;
    k.blockDimY = 2;
    k.blockDimZ = 1;
    k.sharedMemBytes = 128;
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&o, 0x33, sizeof o);
    R("get", cuGraphKernelNodeGetParams(n, &o));
    say(t, " func=%d grid=%u,%u,%u block=%u,%u,%u shared=%u", o.func == k.func, o.gridDimX,
        o.gridDimY, o.gridDimZ, o.blockDimX, o.blockDimY, o.blockDimZ, o.sharedMemBytes);
    say(t, " own_array=%d extra_null=%d kern_null=%d ctx=%s",
        o.kernelParams && o.kernelParams != args, o.extra == NULL, o.kern == NULL,
        o.ctx == NULL     ? "null"
        : o.ctx == t->ctx ? "current"
                          : "other");
    if (o.kernelParams)
        say(t, " own_values=%d ptr=%d val=%u", o.kernelParams[0] != (void *)&d,
            *(CUdeviceptr *)o.kernelParams[0] == d, *(unsigned *)o.kernelParams[1]);
}

/* Argument values are taken at the add call and at the set call. */
CASE(node, kernel_args_copied)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 64), z = d + 32;
    unsigned v = 1;
    void *args[] = { &d, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "put"), 1, 1, args);
    CUdeviceptr keep = d;
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    v = 2;
    d = z;
    R("run", launch_graph_once(g));
    say(t, " v=%u,%u", dread(t, keep), dread(t, z));
    R("set", cuGraphKernelNodeSetParams(n, &k));
    v = 3;
    d = keep;
    R("run2", launch_graph_once(g));
    say(t, " v=%u,%u", dread(t, keep), dread(t, z));
}

/* NULL kernelParams where the kernel takes none. */
CASE(node, kernel_no_params)
{
    CUgraph g;
    CUgraphNode n = NULL;
    void *none[1] = { NULL };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL), o;
    risky();
    G0(g);
    R("null", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&o, 0x33, sizeof o);
    OK(cuGraphKernelNodeGetParams(n, &o));
    say(t, " params_null=%d extra_null=%d", o.kernelParams == NULL, o.extra == NULL);
    k.kernelParams = none;
    R("array", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    R("run", launch_graph_once(g));
}

/* NULL kernelParams where the kernel takes one. */
CASE(node, kernel_params_missing)
{
    CUgraph g;
    CUgraphNode n = SENT_N;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "inc"), 1, 1, NULL);
    risky();
    G0(g);
    R("add", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    say(t, " out=%s n=%zu", nstate(n), nnodes(g));
}

/* Arguments in one buffer through extra; what the getter then returns. */
CASE(node, kernel_extra)
{
    CUgraph g;
    CUgraphNode n = NULL;
    CUdeviceptr d = dalloc(t, 64);
    unsigned v = 55, w = 66;
    char buf[16];
    size_t sz = 12;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, buf, CU_LAUNCH_PARAM_BUFFER_SIZE, &sz,
                      CU_LAUNCH_PARAM_END };
    void *args[] = { &d, &w };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "put"), 1, 1, NULL), o;
    risky();
    memset(buf, 0, sizeof buf);
    memcpy(buf, &d, 8);
    memcpy(buf + 8, &v, 4);
    k.extra = extra;
    G0(g);
    R("add", cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    if (!n) return;
    memset(buf, 0, sizeof buf);
    memset(&o, 0x33, sizeof o);
    R("get", cuGraphKernelNodeGetParams(n, &o));
    say(t, " params=%s extra=%s", o.kernelParams ? "set" : "null",
        o.extra == NULL    ? "null"
        : o.extra == extra ? "mine"
                           : "set");
    R("run", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
    k.extra = NULL;
    k.kernelParams = args;
    R("set", cuGraphKernelNodeSetParams(n, &k));
    memset(&o, 0x33, sizeof o);
    R("get2", cuGraphKernelNodeGetParams(n, &o));
    say(t, " params=%s extra=%s", o.kernelParams ? "set" : "null",
        o.extra == NULL ? "null" : "set");
    R("run2", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
}

/* Setting parameters: a new function and shape; a bad set changes nothing. */
CASE(node, kernel_set)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 64);
    unsigned m = 2, a = 5;
    void *one[] = { &d }, *three[] = { &d, &m, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "inc"), 1, 1, one), o, bad;
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    R("run", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
    k = kparams(kernel(t, "mul_add"), 1, 1, three);
    R("func", cuGraphKernelNodeSetParams(n, &k));
    R("run2", launch_graph_once(g));
    say(t, " v=%u", dread(t, d));
    bad = k;
    bad.gridDimX = 0;
    R("bad_grid", cuGraphKernelNodeSetParams(n, &bad));
    bad = k;
    bad.blockDimX = 2000;
    R("bad_block", cuGraphKernelNodeSetParams(n, &bad));
    OK(cuGraphKernelNodeGetParams(n, &o));
    say(t, " grid=%u block=%u", o.gridDimX, o.blockDimX);
    k = kparams(kernel(t, "dims"), 3, 4, one);
    k.gridDimY = 2;
    R("dims", cuGraphKernelNodeSetParams(n, &k));
    OK(cuMemsetD8(d, 0, 64));
    OK(cuCtxSynchronize());
    R("run3", launch_graph_once(g));
    for (int i = 0; i < 7; i++) say(t, " %u", dread(t, d + 4u * (unsigned)i));
}

/* ---------------------------------------------------------- kernel attributes */

/* Defaults of a fresh node. */
CASE(node, attr_defaults)
{
    CUgraph g;
    CUgraphNode n;
    CUkernelNodeAttrValue v;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&v, 0x33, sizeof v);
    R("priority", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    say(t, " %d", v.priority);
    memset(&v, 0x33, sizeof v);
    R("cooperative", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    say(t, " %d", v.cooperative);
    memset(&v, 0x33, sizeof v);
    R("window", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    say(t, " base=%d bytes=%zu ratio=%g hit=%d miss=%d", v.accessPolicyWindow.base_ptr != NULL,
        v.accessPolicyWindow.num_bytes, (double)v.accessPolicyWindow.hitRatio,
        (int)v.accessPolicyWindow.hitProp, (int)v.accessPolicyWindow.missProp);
    memset(&v, 0x33, sizeof v);
    R("cluster", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &v));
    say(t, " %u,%u,%u", v.clusterDim.x, v.clusterDim.y, v.clusterDim.z);
    memset(&v, 0x33, sizeof v);
    R("domain", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    say(t, " %d", (int)v.memSyncDomain);
}

/* Access policy window: good values read back, bad ones refused? */
CASE(node, attr_access_policy)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 1 << 20);
    CUkernelNodeAttrValue v, w;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&w, 0, sizeof w);
    w.accessPolicyWindow.base_ptr = AS_POINTER(d);
    w.accessPolicyWindow.num_bytes = 1 << 20;
    w.accessPolicyWindow.hitRatio = 0.5f;
    w.accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
    w.accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_STREAMING;
    R("set", cuGraphKernelNodeSetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &w));
    memset(&v, 0x33, sizeof v);
    R("get", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    say(t, " base=%d bytes=%zu ratio=%g hit=%d miss=%d",
        v.accessPolicyWindow.base_ptr == AS_POINTER(d), v.accessPolicyWindow.num_bytes,
        (double)v.accessPolicyWindow.hitRatio, (int)v.accessPolicyWindow.hitProp,
        (int)v.accessPolicyWindow.missProp);
#define W(label, set)                                                                              \
    v = w;                                                                                         \
    set;                                                                                           \
    R(label, cuGraphKernelNodeSetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v))
    W("ratio1.5", v.accessPolicyWindow.hitRatio = 1.5f);
    W("ratio-1", v.accessPolicyWindow.hitRatio = -1.0f);
    W("miss_persist", v.accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_PERSISTING);
    W("prop9", v.accessPolicyWindow.hitProp = (CUaccessProperty)9);
    W("huge", v.accessPolicyWindow.num_bytes = (size_t)1 << 40);
    W("zero", memset(&v, 0, sizeof v));
#undef W
    R("run", launch_graph_once(g));
}

static void say_attrs(T *t, const char *label, CUgraphNode n, int greatest)
{
    CUkernelNodeAttrValue v;
    memset(&v, 0x33, sizeof v);
    CUresult r = cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v);
    say(t, " %s=%s", label,
        r                        ? ename(r)
        : v.priority == greatest ? "greatest"
        : v.priority == 0        ? "0"
                                 : "other");
    memset(&v, 0x33, sizeof v);
    r = cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v);
    if (r)
        say(t, "/%s", ename(r));
    else
        say(t, "/%d", v.cooperative);
}

/* Copying attributes; they outlive a parameter change and go with a clone. */
CASE(node, attr_copy)
{
    CUgraph g, h, c;
    CUgraphNode a, b, f, e, ca;
    CUkernelNodeAttrValue v;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL);
    int least = 0, greatest = 0;
    risky();
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    G0(g);
    G0(h);
    OK(cuGraphAddKernelNode(&a, g, NULL, 0, &k));
    OK(cuGraphAddKernelNode(&b, g, NULL, 0, &k));
    OK(cuGraphAddKernelNode(&f, h, NULL, 0, &k));
    OK(cuGraphAddEmptyNode(&e, g, NULL, 0));
    memset(&v, 0, sizeof v);
    v.priority = greatest;
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    memset(&v, 0, sizeof v);
    v.cooperative = 1;
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    R("copy", cuGraphKernelNodeCopyAttributes(b, a));
    say_attrs(t, "b", b, greatest);
    R("other_graph", cuGraphKernelNodeCopyAttributes(f, a));
    say_attrs(t, "f", f, greatest);
    R("self", cuGraphKernelNodeCopyAttributes(a, a));
    R("to_empty", cuGraphKernelNodeCopyAttributes(e, a));
    R("from_empty", cuGraphKernelNodeCopyAttributes(a, e));
    R("null_dst", cuGraphKernelNodeCopyAttributes(NULL, a));
    R("null_src", cuGraphKernelNodeCopyAttributes(a, NULL));
    k.blockDimX = 2;
    R("set", cuGraphKernelNodeSetParams(a, &k));
    say_attrs(t, "a", a, greatest);
    OK(cuGraphClone(&c, g));
    OK(cuGraphNodeFindInClone(&ca, a, c));
    say_attrs(t, "clone", ca, greatest);
}

/* ------------------------------------------------------------------- memset */

/* What goes in comes out, pitch of a single row included. */
CASE(node, memset_roundtrip)
{
    static const size_t in[][4] = {
        { 1, 5, 1, 0 }, { 2, 5, 1, 3 }, { 4, 5, 1, 777 }, { 4, 5, 2, 64 }, { 1, 5, 3, 16 }
    };
    CUdeviceptr d = dalloc(t, 1024);
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
        CUgraph g;
        CUgraphNode n;
        CUDA_MEMSET_NODE_PARAMS m = mset(d, 0x12, (unsigned)in[i][0], in[i][1], in[i][2], in[i][3]),
                                o;
        G0(g);
        CUresult r = cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx);
        say(t, " add=%s", ename(r));
        if (r) continue;
        memset(&o, 0x33, sizeof o);
        OK(cuGraphMemsetNodeGetParams(n, &o));
        say(t, " dst=%d pitch=%zu value=%x es=%u w=%zu h=%zu", o.dst == d, o.pitch, o.value,
            o.elementSize, o.width, o.height);
    }
}

/* Element sizes, extents, pitches and alignments. */
CASE(node, memset_bad)
{
    CUdeviceptr d = dalloc(t, 1024);
    static const unsigned es[] = { 0, 1, 2, 3, 4, 8, 16 };
    risky();
    for (size_t i = 0; i < sizeof es / sizeof *es; i++) {
        char l[16];
        snprintf(l, sizeof l, "es%u", es[i]);
        try_memset(t, l, mset(d, 0, es[i], 4, 1, 0));
    }
    try_memset(t, "w0", mset(d, 0, 4, 0, 1, 0));
    try_memset(t, "h0", mset(d, 0, 4, 4, 0, 0));
    try_memset(t, "w0h0", mset(d, 0, 4, 0, 0, 0));
    try_memset(t, "h2pitch0", mset(d, 0, 4, 4, 2, 0));
    try_memset(t, "h2pitch15", mset(d, 0, 4, 4, 2, 15));
    try_memset(t, "h2pitch16", mset(d, 0, 4, 4, 2, 16));
    try_memset(t, "h2pitch18", mset(d, 0, 4, 4, 2, 18));
    try_memset(t, "es2off1", mset(d + 1, 0, 2, 4, 1, 0));
    try_memset(t, "es4off1", mset(d + 1, 0, 4, 4, 1, 0));
    try_memset(t, "es4off2", mset(d + 2, 0, 4, 4, 1, 0));
    try_memset(t, "es1off1", mset(d + 1, 0, 1, 4, 1, 0));
}

/* A value wider than the element: refused, or cut when it runs. */
CASE(node, memset_value_width)
{
    static const unsigned es[] = { 1, 2 };
    CUdeviceptr d = dalloc(t, 64);
    for (int i = 0; i < 2; i++) {
        CUgraph g;
        CUgraphNode n;
        CUDA_MEMSET_NODE_PARAMS m = mset(d, 0x12345678, es[i], 4 / es[i], 1, 0), o;
        G0(g);
        CUresult r = cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx);
        say(t, " es%u=%s", es[i], ename(r));
        if (r) continue;
        OK(cuGraphMemsetNodeGetParams(n, &o));
        say(t, " value=%x", o.value);
        R("run", launch_graph_once(g));
        say(t, " v=%x", dread(t, d));
    }
}

/* Setting: changes of every field; a bad set leaves the old values. */
CASE(node, memset_set)
{
    CUdeviceptr d = dalloc(t, 256);
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMSET_NODE_PARAMS m = mset(d, 7, 4, 4, 1, 0), o, b;
    G0(g);
    OK(cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx));
    b = m;
    b.elementSize = 3;
    R("es3", cuGraphMemsetNodeSetParams(n, &b));
    b = m;
    b.width = 0;
    R("w0", cuGraphMemsetNodeSetParams(n, &b));
    b = m;
    b.dst = 0;
    R("null", cuGraphMemsetNodeSetParams(n, &b));
    OK(cuGraphMemsetNodeGetParams(n, &o));
    say(t, " dst=%d es=%u w=%zu value=%u", o.dst == d, o.elementSize, o.width, o.value);
    m = mset(d + 8, 0x1234, 2, 3, 2, 32);
    R("good", cuGraphMemsetNodeSetParams(n, &m));
    OK(cuGraphMemsetNodeGetParams(n, &o));
    say(t, " dst=%d es=%u w=%zu h=%zu pitch=%zu value=%x", o.dst == d + 8, o.elementSize, o.width,
        o.height, o.pitch, o.value);
    R("run", launch_graph_once(g));
    say(t, " v=%x,%x,%x", dread(t, d + 8), dread(t, d + 12), dread(t, d + 40));
}

/* ------------------------------------------------------------------- memcpy */

/* What goes in comes out; what fields left at zero come back as. */
CASE(node, memcpy_roundtrip)
{
    CUdeviceptr d = dalloc(t, 1024);
    static char hostbuf[64];
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMCPY3D c = plain_copy_params(DEV, AS_POINTER(d), HOST, hostbuf, 16), o;
    G0(g);
#define SAY(label)                                                                                 \
    memset(&o, 0x33, sizeof o);                                                                    \
    R(label, cuGraphMemcpyNodeGetParams(n, &o));                                                   \
    say(t, " src=%d:%d,%d dst=%d:%d,%d", (int)o.srcMemoryType, o.srcHost == c.srcHost,             \
        o.srcDevice == c.srcDevice, (int)o.dstMemoryType, o.dstHost == c.dstHost,                  \
        o.dstDevice == c.dstDevice);                                                               \
    say(t, " x=%zu,%zu y=%zu,%zu z=%zu,%zu lod=%zu,%zu", o.srcXInBytes, o.dstXInBytes, o.srcY,     \
        o.dstY, o.srcZ, o.dstZ, o.srcLOD, o.dstLOD);                                               \
    say(t, " pitch=%zu,%zu height=%zu,%zu ext=%zu,%zu,%zu", o.srcPitch, o.dstPitch, o.srcHeight,   \
        o.dstHeight, o.WidthInBytes, o.Height, o.Depth)
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    SAY("h2d");
    c = plain_copy_params(DEV, AS_POINTER(d), DEV, AS_POINTER(d + 512), 8);
    c.Height = 2;
    c.srcPitch = 32;
    c.dstPitch = 16;
    c.srcXInBytes = 4;
    c.dstY = 1;
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    SAY("d2d");
    c = plain_copy_params(CU_MEMORYTYPE_UNIFIED, AS_POINTER(d), CU_MEMORYTYPE_UNIFIED,
                          AS_POINTER(d + 512), 8);
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    SAY("unified");
#undef SAY
}

/* Zero extents, null pointers, memory types, reserved fields, bad pitches. */
CASE(node, memcpy_bad)
{
    CUdeviceptr d = dalloc(t, 1024);
    static char hostbuf[64];
    CUDA_MEMCPY3D k = plain_copy_params(DEV, AS_POINTER(d), DEV, AS_POINTER(d + 512), 16), p;
#define C(label, set)                                                                              \
    p = k;                                                                                         \
    set;                                                                                           \
    try_memcpy(t, label, p)
    risky();
    C("ok", (void)0);
    C("w0", p.WidthInBytes = 0);
    C("h0", p.Height = 0);
    C("d0", p.Depth = 0);
    C("srcnull", p.srcDevice = 0);
    C("dstnull", p.dstDevice = 0);
    C("hostnull", (p.srcMemoryType = HOST, p.srcHost = NULL));
    C("type0", p.srcMemoryType = (CUmemorytype)0);
    C("type9", p.dstMemoryType = (CUmemorytype)9);
    C("lod", p.srcLOD = 1);
    C("reserved", p.reserved0 = hostbuf);
    C("h2nopitch", p.Height = 2);
    C("h2pitch8", (p.Height = 2, p.srcPitch = p.dstPitch = 8));
    C("h2pitch16", (p.Height = 2, p.srcPitch = p.dstPitch = 16));
    C("d2noheight", (p.Depth = 2, p.Height = 2, p.srcPitch = p.dstPitch = 16));
    C("d2height",
      (p.Depth = 2, p.Height = 2, p.srcPitch = p.dstPitch = 16, p.srcHeight = p.dstHeight = 2));
    C("huge", p.WidthInBytes = (size_t)1 << 40);
    C("overlap", p.srcDevice = d + 8);
    C("same", p.srcDevice = d);
#undef C
}

/* Context NULL; a device pointer given as host memory; a host pointer given
 * as device memory. */
CASE(node, memcpy_mixed_up)
{
    CUdeviceptr d = dalloc(t, 1024);
    void *pinned = NULL;
    static char hostbuf[64];
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMCPY3D c = plain_copy_params(DEV, AS_POINTER(d), HOST, hostbuf, 16);
    risky();
    OK(cuMemHostAlloc(&pinned, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    G0(g);
    say_tried(t, "null_ctx", g, cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, NULL));
    try_memcpy(t, "dev_as_host",
               plain_copy_params(DEV, AS_POINTER(d), HOST, AS_POINTER(d + 512), 16));
    try_memcpy(t, "pinned_as_dev", plain_copy_params(DEV, AS_POINTER(d), DEV, pinned, 16));
    try_memcpy(t, "pageable_as_dev", plain_copy_params(DEV, AS_POINTER(d), DEV, hostbuf, 16));
}

/* Every direction runs, host to host and unified too. */
CASE(node, memcpy_directions)
{
    CUdeviceptr d = dalloc(t, 1024);
    unsigned *pin = NULL;
    static unsigned page[8];
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMCPY3D c;
    OK(cuMemHostAlloc((void **)&pin, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    memset(pin, 0, 4096);
#define GO(label, copy)                                                                            \
    c = copy;                                                                                      \
    G0(g);                                                                                         \
    R(label, cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));                                    \
    say(t, ":%s", ename(launch_graph_once(g)));                                                    \
    OK(cuGraphDestroy(g))
    page[0] = 11;
    pin[0] = 22;
    GO("page_dev", plain_copy_params(DEV, AS_POINTER(d), HOST, page, 4));
    say(t, " v=%u", dread(t, d));
    GO("pin_dev", plain_copy_params(DEV, AS_POINTER(d + 4), HOST, pin, 4));
    say(t, " v=%u", dread(t, d + 4));
    GO("dev_dev", plain_copy_params(DEV, AS_POINTER(d + 8), DEV, AS_POINTER(d), 8));
    say(t, " v=%u,%u", dread(t, d + 8), dread(t, d + 12));
    GO("dev_page", plain_copy_params(HOST, page + 1, DEV, AS_POINTER(d + 12), 4));
    say(t, " v=%u", page[1]);
    GO("dev_pin", plain_copy_params(HOST, pin + 1, DEV, AS_POINTER(d), 4));
    say(t, " v=%u", pin[1]);
    GO("page_page", plain_copy_params(HOST, page + 2, HOST, page, 8));
    say(t, " v=%u,%u", page[2], page[3]);
    GO("pin_pin", plain_copy_params(HOST, pin + 2, HOST, pin, 8));
    say(t, " v=%u,%u", pin[2], pin[3]);
    GO("uni_uni",
       plain_copy_params(CU_MEMORYTYPE_UNIFIED, AS_POINTER(d + 16), CU_MEMORYTYPE_UNIFIED, pin, 4));
    say(t, " v=%u", dread(t, d + 16));
#undef GO
}

/* Host memory is read when the graph runs, not when the node is added. */
CASE(node, memcpy_reads_late)
{
    CUdeviceptr d = dalloc(t, 64);
    unsigned *pin = NULL;
    static unsigned page;
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUDA_MEMCPY3D c = plain_copy_params(DEV, AS_POINTER(d), HOST, &page, 4);
    OK(cuMemHostAlloc((void **)&pin, 4096, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    G0(g);
    page = 1;
    *pin = 1;
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    c = plain_copy_params(DEV, AS_POINTER(d + 4), HOST, pin, 4);
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    page = 2;
    *pin = 2;
    OK(cuGraphInstantiate(&x, g, 0));
    for (unsigned i = 3; i < 5; i++) {
        page = i;
        *pin = i;
        R("launch", cuGraphLaunch(x, s));
        R("sync", cuStreamSynchronize(s));
        say(t, " v=%u,%u", dread(t, d), dread(t, d + 4));
    }
}

/* --------------------------------------------------------------------- host */

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
