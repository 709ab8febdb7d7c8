/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing executable graphs: node parameters, enabling, whole-graph update.
 */
#include "graphs.h"

/* Copy parameters; a host pointer where one is given. */
static CUDA_MEMCPY3D copy_params(void *hdst, CUdeviceptr ddst, const void *hsrc, CUdeviceptr dsrc,
                                 size_t w, size_t h, size_t pitch)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = hsrc ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.srcHost = hsrc;
    c.srcDevice = hsrc ? 0 : dsrc;
    c.dstMemoryType = hdst ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.dstHost = hdst;
    c.dstDevice = hdst ? 0 : ddst;
    c.srcPitch = c.dstPitch = pitch ? pitch : w;
    c.WidthInBytes = w;
    c.Height = h;
    c.Depth = 1;
    return c;
}
static CUDA_MEMCPY3D device_copy_params(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    return copy_params(NULL, dst, NULL, src, bytes, 1, 0);
}
static CUresult add_device_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                                CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    CUDA_MEMCPY3D c = device_copy_params(dst, src, bytes);
    return cuGraphAddMemcpyNode(n, g, deps, nd, &c, t->ctx);
}

/* Launch once, wait, and report n words from p. */
static void say_go(T *t, CUgraphExec x, CUstream s, CUdeviceptr p, unsigned n)
{
    CUresult r = go(x, s);
    say(t, " go=%s:", ename(r));
    for (unsigned i = 0; i < n; i++) say(t, "%s%u", i ? "," : "", dread(t, p + 4 * i));
}

static void zero_memory(T *t, CUdeviceptr p, size_t bytes)
{
    CUresult r = cuMemsetD8(p, 0, bytes);
    if (!r) r = cuCtxSynchronize();
    if (r) say(t, " zero=%s", ename(r));
}

/* Host functions that count their calls. */
static void CUDA_CB count_one(void *p)
{
    __atomic_add_fetch((int *)p, 1, __ATOMIC_SEQ_CST);
}
static void CUDA_CB count_hundred(void *p)
{
    __atomic_add_fetch((int *)p, 100, __ATOMIC_SEQ_CST);
}

/* ----------------------------------------------------- parameters by node type */

/* New arguments: seen by later launches of this executable only, the node's own
 * parameters and a second executable stay. */
CASE(update, kernel_args)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x, y;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    CUDA_KERNEL_NODE_PARAMS k;
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    INST(y, g);
    say_go(t, x, s, p, 2);
    R("add", exec_ma(t, x, n, p, 1, 10));
    say_go(t, x, s, p, 2);
    say_go(t, y, s, p, 2);
    OK(cuGraphKernelNodeGetParams(n, &k));
    say(t, " node_arg=%u", *(unsigned *)k.kernelParams[2]);
    R("pointer", exec_ma(t, x, n, p + 4, 1, 3));
    say_go(t, x, s, p, 2);
    INST(y, g);
    say_go(t, y, s, p, 2);
    R("node", node_ma(t, n, p, 1, 1000));
    say_go(t, x, s, p, 2);
    R("back", exec_ma(t, x, n, p, 1, 1));
    say_go(t, x, s, p, 2);
}

/* New launch dimensions and shared memory, good and bad; what is left after a
 * call that failed. */
CASE(update, kernel_dims)
{
    static const struct {
        const char *label;
        unsigned gx, gy, gz, bx, by, bz, sh;
    } v[] = {
        { "grid", 3, 2, 1, 1, 1, 1, 0 },
        { "block", 1, 1, 1, 8, 2, 2, 0 },
        { "both", 5, 1, 2, 32, 1, 1, 0 },
        { "shared", 1, 1, 1, 1, 1, 1, 1024 },
        { "grid0", 0, 1, 1, 1, 1, 1, 0 },
        { "block0", 1, 1, 1, 1, 0, 1, 0 },
        { "block_big", 1, 1, 1, 2048, 1, 1, 0 },
        { "grid_big", 1, 70000, 1, 1, 1, 1, 0 },
        { "shared_big", 1, 1, 1, 1, 1, 1, 1 << 20 },
        { "again", 2, 2, 2, 2, 2, 2, 0 },
    };
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 28);
    void *args[] = { &p };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "dims"), 1, 1, args);
    S0(s);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    INST(x, g);
    say_go(t, x, s, p, 7);
    for (size_t i = 0; i < COUNT(v); i++) {
        k.gridDimX = v[i].gx;
        k.gridDimY = v[i].gy;
        k.gridDimZ = v[i].gz;
        k.blockDimX = v[i].bx;
        k.blockDimY = v[i].by;
        k.blockDimZ = v[i].bz;
        k.sharedMemBytes = v[i].sh;
        R(v[i].label, cuGraphExecKernelNodeSetParams(x, n, &k));
        zero_memory(t, p, 28);
        say_go(t, x, s, p, 7);
    }
}

/* Another function: more parameters, fewer, none, from another module; packed
 * arguments. */
CASE(update, kernel_function)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    unsigned v = 50, m = 2, a = 1;
    void *one[] = { &p }, *two[] = { &p, &v }, *three[] = { &p, &m, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "inc"), 1, 1, one);
    CUfunction put = kernel(t, "put"), ma = kernel(t, "mul_add"), nop = kernel(t, "nop"),
               other = cond_kernel(t, "inc");
    S0(s);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    INST(x, g);
    say_go(t, x, s, p, 1);
    k = kparams(put, 1, 1, two);
    R("put", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    k = kparams(ma, 1, 1, three);
    R("mul_add", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    k = kparams(nop, 1, 1, NULL);
    R("nop", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    k = kparams(other, 1, 1, one);
    R("other_module", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    struct {
        CUdeviceptr p;
        unsigned v;
    } pack = { p, 7 };
    size_t size = 12;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &pack, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                      CU_LAUNCH_PARAM_END };
    k = kparams(put, 1, 1, NULL);
    k.extra = extra;
    R("packed", cuGraphExecKernelNodeSetParams(x, n, &k));
    pack.v = 8;
    say_go(t, x, s, p, 1);
}

/* Nodes the executable was not made from, wrong type, NULLs; what still runs. */
CASE(update, kernel_errors)
{
    CUgraph g, o, c;
    CUgraphNode n, m, on, cn, late, late_o;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 12);
    unsigned one = 1, a = 100;
    void *args[] = { &p, &one, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "mul_add"), 1, 1, args);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    OK(add_set(t, &m, g, &n, 1, p + 4, 9, 1));
    G0(o);
    OK(add_ma(t, &on, o, NULL, 0, p, 1, 1));
    OK(add_set(t, &late_o, o, &on, 1, p + 4, 9, 1));
    OK(cuGraphClone(&c, g));
    OK(cuGraphNodeFindInClone(&cn, n, c));
    INST(x, g);
    OK(add_ma(t, &late, g, &m, 1, p + 8, 1, 1));
    R("null_exec", cuGraphExecKernelNodeSetParams(NULL, n, &k));
    R("null_node", cuGraphExecKernelNodeSetParams(x, NULL, &k));
    R("null_params", cuGraphExecKernelNodeSetParams(x, n, NULL));
    R("memset_node", exec_ma(t, x, m, p, 1, 100));
    R("other_graph", exec_ma(t, x, on, p, 1, 100));
    R("clone", exec_ma(t, x, cn, p, 1, 100));
    R("late", exec_ma(t, x, late, p, 1, 100));
    say_go(t, x, s, p, 3);
    R("good", exec_ma(t, x, n, p, 1, 100));
    say_go(t, x, s, p, 3);
}

/* Launch a memset executable over a zeroed 512-byte buffer: bytes set, first
 * and last of them. */
static void set_run(T *t, CUgraphExec x, CUstream s, CUdeviceptr p)
{
    static unsigned char b[512];
    unsigned n = 0, first = 999, last = 999;
    zero_memory(t, p, 512);
    CUresult r = go(x, s);
    if (cuMemcpyDtoH(b, p, 512)) say(t, " read");
    for (unsigned i = 0; i < 512; i++)
        if (b[i]) {
            n++;
            if (first == 999) first = i;
            last = i;
        }
    say(t, ":%s:%u@%u-%u", ename(r), n, first, last);
}

typedef struct {
    const char *label;
    size_t off;
    unsigned v, el;
    size_t w, h, pitch;
} SetChange;

/* Each change on an executable of its own: by node, or by a whole-graph update. */
static void set_changes(T *t, int whole, size_t w, size_t h, size_t pitch, const SetChange *c,
                        size_t n)
{
    CUdeviceptr p = dalloc(t, 512);
    CUstream s;
    S0(s);
    for (size_t i = 0; i < n; i++) {
        CUgraph g, g2;
        CUgraphNode m, m2;
        CUgraphExec x;
        CUDA_MEMSET_NODE_PARAMS a = mset(p, 0x01010101, 4, w, h, pitch),
                                b = mset(p + c[i].off, c[i].v, c[i].el, c[i].w, c[i].h, c[i].pitch);
        G0(g);
        OK(cuGraphAddMemsetNode(&m, g, NULL, 0, &a, t->ctx));
        INST(x, g);
        if (whole) {
            G0(g2);
            OK(cuGraphAddMemsetNode(&m2, g2, NULL, 0, &b, t->ctx));
            update_say(t, c[i].label, x, g2, &m2, 1);
        } else
            say(t, " %s=%s", c[i].label, ename(cuGraphExecMemsetNodeSetParams(x, m, &b, t->ctx)));
        set_run(t, x, s, p);
    }
}

/* A 1D memset of 8 words: which changes an executable takes. */
static void memset_1d(T *t, int whole)
{
    static const SetChange c[] = {
        { "same", 0, 0x01010101, 4, 8, 1, 0 },
        { "value", 0, 0x02000000, 4, 8, 1, 0 },
        { "dst", 128, 0x01010101, 4, 8, 1, 0 },
        { "narrow", 0, 0x01010101, 4, 3, 1, 0 },
        { "one", 0, 0x01010101, 4, 1, 1, 0 },
        { "wide", 0, 0x01010101, 4, 16, 1, 0 },
        { "wider", 0, 0x01010101, 4, 128, 1, 0 },
        { "el2", 0, 0x0101, 2, 16, 1, 0 },
        { "el1", 0, 1, 1, 32, 1, 0 },
        { "el1_short", 0, 1, 1, 8, 1, 0 },
        { "el1_odd", 1, 1, 1, 7, 1, 0 },
        { "pitch", 0, 0x01010101, 4, 8, 1, 64 },
        { "rows", 0, 0x01010101, 4, 8, 2, 64 },
        { "rows_dense", 0, 0x01010101, 4, 8, 2, 32 },
    };
    set_changes(t, whole, 8, 1, 0, c, COUNT(c));
}
CASE(update, memset_1d)
{
    memset_1d(t, 0);
}
CASE(update, whole_memset_1d)
{
    memset_1d(t, 1);
}

/* A 2D memset of 4 rows of 4 words at pitch 32. */
static void memset_2d(T *t, int whole)
{
    static const SetChange c[] = {
        { "same", 0, 0x01010101, 4, 4, 4, 32 },    { "value", 0, 0x02000000, 4, 4, 4, 32 },
        { "dst", 128, 0x01010101, 4, 4, 4, 32 },   { "narrow", 0, 0x01010101, 4, 2, 4, 32 },
        { "wide", 0, 0x01010101, 4, 8, 4, 32 },    { "fewer", 0, 0x01010101, 4, 4, 2, 32 },
        { "more", 0, 0x01010101, 4, 4, 8, 32 },    { "pitch", 0, 0x01010101, 4, 4, 4, 64 },
        { "el2", 0, 0x0101, 2, 8, 4, 32 },         { "row", 0, 0x01010101, 4, 4, 1, 32 },
        { "row_all", 0, 0x01010101, 4, 16, 1, 0 },
    };
    set_changes(t, whole, 4, 4, 32, c, COUNT(c));
}
CASE(update, memset_2d)
{
    memset_2d(t, 0);
}

/* Change the only node of x, a copy: by node, or by a whole-graph update. */
static CUresult copy_change(T *t, int whole, CUgraphExec x, CUgraphNode n, const CUDA_MEMCPY3D *c,
                            CUgraphExecUpdateResult *why)
{
    CUgraph g = NULL;
    CUgraphNode m;
    CUgraphExecUpdateResultInfo i = { .result = (CUgraphExecUpdateResult)77 };
    *why = (CUgraphExecUpdateResult)77;
    if (!whole) return cuGraphExecMemcpyNodeSetParams(x, n, c, t->ctx);
    CUresult r = cuGraphCreate(&g, 0);
    if (!r) r = cuGraphAddMemcpyNode(&m, g, NULL, 0, c, t->ctx);
    if (r) return r;
    r = cuGraphExecUpdate(x, g, &i);
    *why = i.result;
    return r;
}
static void copy_say(T *t, int whole, const char *label, CUgraphExec x, CUgraphNode n,
                     const CUDA_MEMCPY3D *c)
{
    CUgraphExecUpdateResult why;
    CUresult r = copy_change(t, whole, x, n, c, &why);
    say(t, " %s=%s", label, ename(r));
    if (whole) say(t, ":%s", uname_(why));
}

/* New addresses and sizes of a device-to-device copy of 16 bytes. */
static void memcpy_1d(T *t, int whole)
{
    static const struct {
        const char *label;
        unsigned dst, src, n;
    } v[] = {
        { "same", 0, 0, 16 },   { "dst", 64, 0, 16 }, { "src", 0, 128, 16 },
        { "both", 32, 64, 16 }, { "small", 0, 0, 4 }, { "odd", 1, 3, 5 },
        { "large", 0, 0, 256 }, { "zero", 0, 0, 0 },  { "self", 0, 512, 16 },
    };
    CUdeviceptr src = dalloc(t, 512), dst = dalloc(t, 512);
    CUstream s;
    static unsigned char init[512], b[512];
    for (unsigned i = 0; i < 512; i++) init[i] = (unsigned char)(i % 251 + 1);
    OK(cuMemcpyHtoD(src, init, 512));
    S0(s);
    for (size_t i = 0; i < COUNT(v); i++) {
        CUgraph g;
        CUgraphNode n;
        CUgraphExec x;
        unsigned k = 0, first = 999;
        G0(g);
        OK(add_device_copy(t, &n, g, NULL, 0, dst, src, 16));
        INST(x, g);
        CUDA_MEMCPY3D c =
            device_copy_params(dst + v[i].dst, v[i].src == 512 ? dst : src + v[i].src, v[i].n);
        copy_say(t, whole, v[i].label, x, n, &c);
        zero_memory(t, dst, 512);
        CUresult r = go(x, s);
        OK(cuMemcpyDtoH(b, dst, 512));
        for (unsigned j = 0; j < 512; j++)
            if (b[j]) {
                if (!k++) first = j;
            }
        say(t, ":%s:%u@%u=%u", ename(r), k, first, first < 512 ? b[first] : 0u);
    }
}

CASE(update, whole_memcpy_1d)
{
    memcpy_1d(t, 1);
}

/* Bad copy parameters and nodes; unified addresses; what still runs. */
CASE(update, memcpy_errors)
{
    CUgraph g, o;
    CUgraphNode n, k, on;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 32);
    CUDA_MEMCPY3D c = device_copy_params(p + 4, p, 4);
    S0(s);
    OK(cuMemsetD32(p, 5, 1));
    OK(cuCtxSynchronize()); /* the other stream would not wait */
    G0(g);
    OK(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, t->ctx));
    OK(add_ma(t, &k, g, &n, 1, p + 8, 1, 1));
    G0(o);
    OK(cuGraphAddMemcpyNode(&on, o, NULL, 0, &c, t->ctx));
    INST(x, g);
    c = device_copy_params(p + 12, p, 4);
    R("null_exec", cuGraphExecMemcpyNodeSetParams(NULL, n, &c, t->ctx));
    R("null_node", cuGraphExecMemcpyNodeSetParams(x, NULL, &c, t->ctx));
    R("null_params", cuGraphExecMemcpyNodeSetParams(x, n, NULL, t->ctx));
    R("kernel_node", cuGraphExecMemcpyNodeSetParams(x, k, &c, t->ctx));
    R("other_graph", cuGraphExecMemcpyNodeSetParams(x, on, &c, t->ctx));
    const struct {
        const char *label;
        CUdeviceptr dst, src;
        int type;
        size_t depth;
    } bad[] = {
        { "src0", p + 12, 0, CU_MEMORYTYPE_DEVICE, 1 },
        { "dst0", 0, p, CU_MEMORYTYPE_DEVICE, 1 },
        { "type9", p + 12, p, 9, 1 },
        { "depth0", p + 12, p, CU_MEMORYTYPE_DEVICE, 0 },
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        c = device_copy_params(bad[i].dst, bad[i].src, 4);
        c.srcMemoryType = (CUmemorytype)bad[i].type;
        c.Depth = bad[i].depth;
        R(bad[i].label, cuGraphExecMemcpyNodeSetParams(x, n, &c, t->ctx));
    }
    say_go(t, x, s, p, 4);
    c = device_copy_params(p + 12, p, 4);
    R("null_ctx", cuGraphExecMemcpyNodeSetParams(x, n, &c, NULL));
    say_go(t, x, s, p, 4);
    c = device_copy_params(p + 16, p, 4);
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    R("unified", cuGraphExecMemcpyNodeSetParams(x, n, &c, t->ctx));
    say_go(t, x, s, p, 5);
    c = device_copy_params(p + 20, p, 4);
    c.srcXInBytes = 4;
    c.dstXInBytes = 8;
    c.srcPitch = c.dstPitch = 32;
    R("offsets", cuGraphExecMemcpyNodeSetParams(x, n, &c, t->ctx));
    say_go(t, x, s, p, 8);
}

/* A child graph of a kernel and a host node, nested once more: new contents of
 * the same shape reach the inner nodes; the child given may go away after. */
static CUgraph make_child(T *t, CUdeviceptr p, unsigned a, int *count, int nested)
{
    CUgraph c = NULL, cc = NULL;
    CUgraphNode n, m;
    CUresult r = cuGraphCreate(&c, 0);
    if (!r) r = add_ma(t, &n, c, NULL, 0, p, 1, a);
    if (!r) r = add_host(&m, c, &n, 1, count_one, count);
    if (!r && nested) {
        cc = make_child(t, p + 4, a * 10, count, 0);
        if (!cc) return NULL;
        r = cuGraphAddChildGraphNode(&n, c, &m, 1, cc);
    }
    if (r) say(t, " SETUP:child=%s", ename(r));
    return r ? NULL : c;
}
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

/* ------------------------------------------------- only later launches change */

/* Every kind of change made between launches that queue behind a gate: each
 * launch runs with what held when it was made. */
CASE(update, queued_launches)
{
    static int a, b;
    CUgraph g, c, c2;
    CUgraphNode k, m, cp, ho, ch;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 64);
    Opener o;
    CUresult r[6];
    S0(s);
    c = make_child(t, p + 24, 1, &a, 0);
    c2 = make_child(t, p + 24, 100, &b, 0);
    if (!c || !c2) return;
    OK(cuMemsetD32(p + 16, 5, 1));
    OK(cuMemsetD32(p + 20, 6, 1));
    G0(g);
    OK(add_ma(t, &k, g, NULL, 0, p, 10, 1));
    OK(add_set(t, &m, g, &k, 1, p + 4, 2, 1));
    OK(add_device_copy(t, &cp, g, &m, 1, p + 8, p + 16, 4));
    OK(add_host(&ho, g, &cp, 1, count_one, &a));
    OK(cuGraphAddChildGraphNode(&ch, g, &ho, 1, c));
    INST(x, g);
    OK(cuGraphUpload(x, s));
    OK(cuStreamSynchronize(s));
    CUDA_HOST_NODE_PARAMS h = { .fn = count_hundred, .userData = &b };
    CUDA_MEMSET_NODE_PARAMS ms = mset(p + 12, 3, 4, 1, 1, 0);
    CUDA_MEMCPY3D cc = device_copy_params(p + 8, p + 20, 4);
    gate_close(t);
    OK(gate(t, s));
    opener_start(t, &o);
    r[0] = cuGraphLaunch(x, s);
    r[1] = exec_ma(t, x, k, p, 10, 2);
    r[2] = cuGraphExecMemsetNodeSetParams(x, m, &ms, t->ctx);
    r[3] = cuGraphExecMemcpyNodeSetParams(x, cp, &cc, t->ctx);
    r[4] = cuGraphExecHostNodeSetParams(x, ho, &h);
    r[5] = cuGraphExecChildGraphNodeSetParams(x, ch, c2);
    int blocked = opener_stop(&o);
    static const char *const name[] = { "launch", "kernel", "memset", "memcpy", "host", "child" };
    for (int i = 0; i < 6; i++) say(t, " %s=%s", name[i], ename(r[i]));
    say(t, " blocked=%d", blocked);
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    for (unsigned i = 0; i < 7; i++) say(t, "%s%u", i ? "," : " v=", dread(t, p + 4 * i));
    say(t, " a=%d b=%d", a, b);
    say_go(t, x, s, p, 7);
    say(t, " a=%d b=%d", a, b);
}

/* Parameters set while the executable is inside a launch, before the node is
 * reached: that launch keeps the old ones. */
CASE(update, set_while_running)
{
    static Hold hd;
    CUgraph g;
    CUgraphNode n, k;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_host(&n, g, NULL, 0, hold, &hd));
    OK(add_ma(t, &k, g, &n, 1, p, 10, 1));
    INST(x, g);
    R("launch", cuGraphLaunch(x, s));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    R("set", exec_ma(t, x, k, p, 10, 2));
    R("disable", cuGraphNodeSetEnabled(x, k, 0));
    R("enable", cuGraphNodeSetEnabled(x, k, 1));
    say(t, " blocked=%d", LOAD(hd.expired));
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    say_go(t, x, s, p, 1);
}

/* ---------------------------------------------------------- enable and disable */

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

/* ------------------------------------------------------------ whole-graph update */

/* NULL arguments and graphs that are the same. */
CASE(update, identical)
{
    CUgraph g, o, c;
    CUgraphNode n, m, on, om;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    CUgraphExecUpdateResultInfo i = { .result = (CUgraphExecUpdateResult)77,
                                      .errorNode = SENT_N,
                                      .errorFromNode = SENT_N };
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &m, g, &n, 1, p + 4, 1, 1));
    G0(o);
    OK(add_ma(t, &on, o, NULL, 0, p, 1, 1));
    OK(add_ma(t, &om, o, &on, 1, p + 4, 1, 1));
    OK(cuGraphClone(&c, g));
    INST(x, g);
    update_say(t, "self", x, g, &n, 1);
    update_say(t, "other", x, o, &on, 1);
    update_say(t, "clone", x, c, NULL, 0);
    R("null_exec", cuGraphExecUpdate(NULL, g, &i));
    say(t, " %s:%c%c", uname_(i.result), which(i.errorNode, NULL, 0),
        which(i.errorFromNode, NULL, 0));
    i = (CUgraphExecUpdateResultInfo){ .result = (CUgraphExecUpdateResult)77,
                                       .errorNode = SENT_N,
                                       .errorFromNode = SENT_N };
    R("null_graph", cuGraphExecUpdate(x, NULL, &i));
    say(t, " %s:%c%c", uname_(i.result), which(i.errorNode, NULL, 0),
        which(i.errorFromNode, NULL, 0));
    say_go(t, x, s, p, 2);
}
CASE(update, null_info)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    OK(node_ma(t, n, p, 1, 5));
    R("update", cuGraphExecUpdate(x, g, NULL));
    say_go(t, x, s, p, 1);
}

/* Kernel nodes: arguments, dimensions, function; one executable updated again
 * and again. */
CASE(update, whole_kernel)
{
    enum { SAME, ARG, GRID, BLOCK, SHARED, FUNCTION, NO_ARGS, OTHER_MODULE, FIRST_FUNCTION, BACK };
    static const char *const label[] = {
        [SAME] = "same",
        [ARG] = "arg",
        [GRID] = "grid",
        [BLOCK] = "block",
        [SHARED] = "shared",
        [FUNCTION] = "function",
        [NO_ARGS] = "no_args",
        [OTHER_MODULE] = "other_module",
        [FIRST_FUNCTION] = "first_function",
        [BACK] = "back",
    };
    CUfunction dims = kernel(t, "dims"), inc = kernel(t, "inc"), nop = kernel(t, "nop"),
               put = kernel(t, "put"), other = cond_kernel(t, "inc");
    CUgraphExec x = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 32), q = p + 4;
    S0(s);
    for (int i = -1; i < (int)COUNT(label); i++) {
        unsigned m = 10, a = i == ARG ? 2 : 1;
        void *aa[] = { &p, &m, &a }, *ap[] = { &p, &a }, *aq[] = { &q };
        CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "mul_add"), 1, 1, aa),
                                l = kparams(dims, 1, 1, aq);
        if (i == GRID) l.gridDimX = 3;
        if (i == BLOCK) l.blockDimY = 8;
        if (i == SHARED) l.sharedMemBytes = 2048;
        if (i == FUNCTION) l.func = inc;
        if (i == NO_ARGS) l = kparams(nop, 1, 1, NULL);
        if (i == OTHER_MODULE) l.func = other;
        if (i == FIRST_FUNCTION) k = kparams(put, 1, 1, ap);
        CUgraph g;
        CUgraphNode v[2];
        G0(g);
        OK(cuGraphAddKernelNode(&v[0], g, NULL, 0, &k));
        OK(cuGraphAddKernelNode(&v[1], g, &v[0], 1, &l));
        if (i < 0) {
            INST(x, g);
            continue;
        }
        update_say(t, label[i], x, g, v, 2);
        R("destroy", cuGraphDestroy(g));
        zero_memory(t, p, 32);
        say_go(t, x, s, p, 8);
    }
}

/* Host, event and batch-memory-operation nodes. */
CASE(update, whole_other_types)
{
    enum { SAME, HOST_FN, HOST_DATA, RECORD, WAIT, OP_VALUE, OP_ADDRESS, OP_KIND, OP_COUNT, BACK };
    static const char *const label[] = {
        [SAME] = "same",
        [HOST_FN] = "host_fn",
        [HOST_DATA] = "host_data",
        [RECORD] = "record",
        [WAIT] = "wait",
        [OP_VALUE] = "op_value",
        [OP_ADDRESS] = "op_address",
        [OP_KIND] = "op_kind",
        [OP_COUNT] = "op_count",
        [BACK] = "back",
    };
    static int a, b;
    CUgraphExec x = NULL;
    CUstream s;
    CUevent e[4];
    CUdeviceptr p = dalloc(t, 12);
    S0(s);
    for (int i = 0; i < 4; i++) OK(cuEventCreate(&e[i], CU_EVENT_DEFAULT));
    for (int i = -1; i < (int)COUNT(label); i++) {
        CUdeviceptr at = i == OP_ADDRESS ? p + 4 : p;
        CUstreamBatchMemOpParams o[2] = { write_op(at, i == OP_VALUE ? 7 : 3), write_op(p + 8, 1) };
        if (i == OP_KIND) o[0] = wait_op(p, 0, CU_STREAM_WAIT_VALUE_GEQ);
        CUDA_BATCH_MEM_OP_NODE_PARAMS bm = {
            .ctx = t->ctx, .count = i == OP_COUNT ? 2 : 1, .paramArray = o, .flags = 0
        };
        CUgraph g;
        CUgraphNode v[5];
        float ms;
        G0(g);
        OK(add_host(&v[0], g, NULL, 0, i == HOST_FN ? count_hundred : count_one,
                    i == HOST_DATA ? &b : &a));
        OK(cuGraphAddEventRecordNode(&v[1], g, &v[0], 1, e[i == RECORD ? 2 : 0]));
        OK(cuGraphAddEventWaitNode(&v[2], g, &v[1], 1, e[i == WAIT ? 3 : 1]));
        OK(cuGraphAddBatchMemOpNode(&v[3], g, &v[2], 1, &bm));
        OK(cuGraphAddEmptyNode(&v[4], g, &v[3], 1));
        if (i < 0) {
            INST(x, g);
            continue;
        }
        update_say(t, label[i], x, g, v, 5);
        zero_memory(t, p, 12);
        say_go(t, x, s, p, 3);
        say(t, " a=%d b=%d recorded=%d", a, b, cuEventElapsedTime(&ms, e[2], e[2]) == CUDA_SUCCESS);
    }
}

/* More, fewer and no nodes; an executable without nodes. */
CASE(update, whole_counts)
{
    static const char *const label[] = { "none", "one", "two", "three", "four" };
    CUgraphExec x[5];
    CUgraph g[5];
    CUgraphNode v[5][4];
    CUstream s;
    CUdeviceptr p = dalloc(t, 16);
    S0(s);
    for (int i = 0; i < 5; i++) {
        G0(g[i]);
        for (unsigned j = 0; j < (unsigned)i; j++)
            OK(add_ma(t, &v[i][j], g[i], j ? &v[i][j - 1] : NULL, j ? 1 : 0, p + 4 * j, 1, 1));
    }
    INST(x[3], g[3]);
    INST(x[0], g[0]);
    for (int i = 0; i < 5; i++) update_say(t, label[i], x[3], g[i], v[i], i);
    say_go(t, x[3], s, p, 4);
    update_say(t, "none_from_none", x[0], g[0], NULL, 0);
    update_say(t, "none_from_one", x[0], g[1], v[1], 1);
    say_go(t, x[0], s, p, 4);
}

/* Chains of kernels of one type inserted the other way round: which arguments
 * go where (the order of operations shows in the value); independent kernels
 * with their arguments exchanged; a root inserted after its followers. */
CASE(update, whole_pairing)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    CUgraph g, h;
    CUgraphNode a, b, v[3];
    CUgraphExec x;
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 10, 1));
    OK(add_ma(t, &b, g, &a, 1, p, 10, 2));
    INST(x, g);
    G0(h); /* inserted back to front, the same chain: 3 then 4 */
    OK(add_ma(t, &v[1], h, NULL, 0, p, 10, 4));
    OK(add_ma(t, &v[0], h, NULL, 0, p, 10, 3));
    OK(cuGraphAddDependencies(h, &v[0], &v[1], NULL, 1));
    update_say(t, "chain", x, h, v, 2);
    say_go(t, x, s, p, 1);
    zero_memory(t, p, 8);
    G0(g); /* two roots with different words */
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &b, g, NULL, 0, p + 4, 1, 2));
    INST(x, g);
    G0(h);
    OK(add_ma(t, &v[0], h, NULL, 0, p + 4, 1, 30));
    OK(add_ma(t, &v[1], h, NULL, 0, p, 1, 40));
    update_say(t, "roots", x, h, v, 2);
    say_go(t, x, s, p, 2);
    OK(cuGraphNodeSetEnabled(x, a, 0)); /* the first node now is h's first */
    say_go(t, x, s, p, 2);
    zero_memory(t, p, 8);
    G0(g); /* a chain of two and a lone node, the lone one first or last */
    OK(add_ma(t, &a, g, NULL, 0, p, 10, 1));
    OK(add_ma(t, &b, g, &a, 1, p, 10, 2));
    OK(add_ma(t, &b, g, NULL, 0, p + 4, 10, 3));
    INST(x, g);
    G0(h);
    OK(add_ma(t, &v[0], h, NULL, 0, p + 4, 10, 6));
    OK(add_ma(t, &v[1], h, NULL, 0, p, 10, 4));
    OK(add_ma(t, &v[2], h, &v[1], 1, p, 10, 5));
    update_say(t, "lone", x, h, v, 3);
    say_go(t, x, s, p, 2);
}

/* Kernel node attributes that differ: cooperative, priority with and without
 * per-node priorities, cluster size, memory domain. */
CASE(update, whole_attributes)
{
    static const struct {
        const char *label;
        int flags, id, from, to;
    } w[] = {
        { "coop_on", 0, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 0, 1 },
        { "coop_off", 0, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1, 0 },
        { "coop_same", 0, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1, 1 },
        { "prio", 0, CU_LAUNCH_ATTRIBUTE_PRIORITY, 0, -1 },
        { "prio_node", 8, CU_LAUNCH_ATTRIBUTE_PRIORITY, 0, -1 },
        { "prio_node_same", 8, CU_LAUNCH_ATTRIBUTE_PRIORITY, -1, -1 },
        { "cluster_on", 0, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 0, 1 },
        { "cluster_size", 0, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 1, 2 },
        { "cluster_off", 0, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 0 },
        { "domain", 0, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, 0, 1 },
    };
    CUstream s;
    CUdeviceptr p = dalloc(t, 28);
    void *args[] = { &p };
    CUDA_KERNEL_NODE_PARAMS kp = kparams(kernel(t, "dims"), 2, 1, args);
    S0(s);
    for (size_t i = 0; i < COUNT(w); i++) {
        CUgraph g[2];
        CUgraphNode n[2];
        CUgraphExec x;
        CUresult r[2] = { CUDA_SUCCESS, CUDA_SUCCESS };
        for (int k = 0; k < 2; k++) {
            int set = k ? w[i].to : w[i].from;
            CUlaunchAttributeValue v;
            memset(&v, 0, sizeof v);
            G0(g[k]);
            kp.blockDimX = k ? 2 : 1;
            OK(cuGraphAddKernelNode(&n[k], g[k], NULL, 0, &kp));
            if (w[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
                v.cooperative = set;
            else if (w[i].id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
                v.priority = set;
            else if (w[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
                v.clusterDim.x = (unsigned)set;
                v.clusterDim.y = v.clusterDim.z = 1;
            } else
                v.memSyncDomain = (CUlaunchMemSyncDomain)set;
            if (set) r[k] = cuGraphKernelNodeSetAttribute(n[k], (CUkernelNodeAttrID)w[i].id, &v);
        }
        say(t, " %s", w[i].label);
        if (r[0] || r[1]) {
            say(t, "=attr:%s,%s", ename(r[0]), ename(r[1]));
            continue;
        }
        OK(cuGraphInstantiate(&x, g[0], (unsigned)w[i].flags));
        update_say(t, "update", x, g[1], &n[1], 1);
        zero_memory(t, p, 28);
        CUresult q = go(x, s);
        say(t, " go=%s:%u", ename(q), dread(t, p + 24));
    }
}

/* Graphs with allocation and free nodes: from the graph itself, after an edit of
 * its memset, from another graph of the same shape. */
CASE(update, whole_alloc)
{
    CUgraph g[2];
    CUgraphNode v[2][4];
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4), in[2];
    S0(s);
    for (int k = 0; k < 2; k++) {
        CUDA_MEM_ALLOC_NODE_PARAMS m;
        memset(&m, 0, sizeof m);
        m.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        m.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        m.poolProps.location.id = t->dev;
        m.bytesize = 4096;
        G0(g[k]);
        OK(cuGraphAddMemAllocNode(&v[k][0], g[k], NULL, 0, &m));
        in[k] = m.dptr;
        OK(add_set(t, &v[k][1], g[k], &v[k][0], 1, in[k], k ? 20 : 10, 1));
        OK(add_device_copy(t, &v[k][2], g[k], &v[k][1], 1, p, in[k], 4));
        OK(cuGraphAddMemFreeNode(&v[k][3], g[k], &v[k][2], 1, in[k]));
    }
    INST(x, g[0]);
    say_go(t, x, s, p, 1);
    update_say(t, "self", x, g[0], v[0], 4);
    CUDA_MEMSET_NODE_PARAMS ms = mset(in[0], 11, 4, 1, 1, 0);
    R("edit", cuGraphMemsetNodeSetParams(v[0][1], &ms));
    update_say(t, "edited", x, g[0], v[0], 4);
    say_go(t, x, s, p, 1);
    update_say(t, "other", x, g[1], v[1], 4);
    say_go(t, x, s, p, 1);
}

/* ------------------------------------------------------------- capture, replay */

/* One step of work on a stream: three kernels on two streams, a memset. */
static CUresult step(T *t, CUstream s, CUstream s2, CUevent e, CUevent f, CUdeviceptr p, unsigned i,
                     int extra)
{
    CUfunction ma = kernel(t, "mul_add"), fill = kernel(t, "fill");
    CUdeviceptr q = p + 4, d = p + 32;
    unsigned m = 10, two = 2, n = 4;
    void *a1[] = { &p, &m, &i }, *a2[] = { &q, &two, &i }, *a3[] = { &d, &n, &i };
    CUresult r = launch1(ma, s, a1);
    if (!r) r = cuEventRecord(e, s);
    if (!r) r = cuStreamWaitEvent(s2, e, 0);
    if (!r) r = launch1(ma, s2, a2);
    if (!r) r = cuMemsetD32Async(p + 8, i * 7, 1, s);
    if (!r) r = cuLaunchKernel(fill, i % 2 + 1, 1, 1, i, 1, 1, 0, s, a3, NULL);
    if (!r && extra) r = cuMemsetD32Async(p + 12, i, 1, s2);
    if (!r) r = cuEventRecord(f, s2);
    if (!r) r = cuStreamWaitEvent(s, f, 0);
    if (!r) r = cuMemcpyDtoDAsync(p + 16, p + 4, 4, s);
    return r;
}

/* Capture anew, update the executable, replay; five steps.  The same with a
 * node more at step three: the update fails, a new executable takes over. */
CASE(update, capture_replay)
{
    for (int change = 0; change < 2; change++) {
        CUgraphExec x = NULL;
        CUstream s, s2;
        CUevent e, f;
        CUdeviceptr p = dalloc(t, 64);
        kernel(t, "mul_add");
        kernel(t, "fill");
        S0(s);
        S0(s2);
        OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
        OK(cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
        for (unsigned i = 1; i <= 5; i++) {
            CUgraph g;
            OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            OK(step(t, s, s2, e, f, p, i, change && i >= 3));
            OK(cuStreamEndCapture(s, &g));
            if (!x) {
                INST(x, g);
                say(t, " inst");
            } else {
                char l[8];
                snprintf(l, sizeof l, "u%u", i);
                if (update_say(t, l, x, g, NULL, 0)) {
                    OK(cuGraphExecDestroy(x));
                    INST(x, g);
                }
            }
            OK(cuGraphDestroy(g));
            say_go(t, x, s, p, 12);
        }
    }
}

/* -------------------------------------------------- updates and running launches */

/* An update while the executable is held inside a launch: the call returns, that
 * launch keeps its arguments, the next has the new ones. */
CASE(update, whole_while_running)
{
    static Hold hd;
    CUgraph g, o;
    CUgraphNode v[2], w[2];
    CUgraphExec x;
    CUstream s, b;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    S0(b);
    G0(g);
    OK(add_host(&v[0], g, NULL, 0, hold, &hd));
    OK(add_ma(t, &v[1], g, &v[0], 1, p, 10, 1));
    G0(o);
    OK(add_host(&w[0], o, NULL, 0, hold, &hd));
    OK(add_ma(t, &w[1], o, &w[0], 1, p, 10, 2));
    INST(x, g);
    R("launch", cuGraphLaunch(x, s));
    say(t, " held=%d", until(&hd.runs, 1, 1000));
    update_say(t, "update", x, o, w, 2);
    say(t, " blocked=%d", LOAD(hd.expired));
    R("launch_b", cuGraphLaunch(x, b));
    say(t, " second=%d", until(&hd.runs, 2, 60));
    R("destroy", cuGraphDestroy(o));
    STORE(hd.open, 1);
    R("sync", cuStreamSynchronize(b));
    say(t, " v=%u runs=%d", dread(t, p), hd.runs);
}

/* Update, launch, update, launch behind a gate and again without one: the digits
 * tell which graph each launch had.  The sources are destroyed at once. */
CASE(update, whole_launch_sequence)
{
    CUgraphExec x = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    Opener o;
    kernel(t, "mul_add");
    S0(s);
    for (int gated = 1; gated >= 0; gated--) {
        CUresult r = CUDA_SUCCESS;
        zero_memory(t, p, 4);
        opener_start(t, &o);
        gate_close(t);
        if (gated) r = gate(t, s);
        for (unsigned i = 1; i <= 8 && !r; i++) {
            CUgraph g;
            CUgraphNode n;
            CUgraphExecUpdateResultInfo info;
            r = cuGraphCreate(&g, 0);
            if (!r) r = add_ma(t, &n, g, NULL, 0, p, 10, gated ? i : 9 - i);
            if (!r) r = x ? cuGraphExecUpdate(x, g, &info) : cuGraphInstantiate(&x, g, 0);
            if (!r) r = cuGraphDestroy(g);
            if (!r) r = cuGraphLaunch(x, s);
        }
        say(t, " r=%s blocked=%d", ename(r), opener_stop(&o));
        gate_open(t);
        R("sync", cuStreamSynchronize(s));
        say(t, " v=%u", dread(t, p));
        if (!x) return;
    }
}

/* The graph it was made from destroyed: updates from others still work, also
 * after those are destroyed in turn. */
CASE(update, whole_sources_destroyed)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 10, 1));
    INST(x, g);
    R("destroy", cuGraphDestroy(g));
    say_go(t, x, s, p, 1);
    for (unsigned i = 2; i < 5; i++) {
        G0(g);
        OK(add_ma(t, &n, g, NULL, 0, p, 10, i));
        update_say(t, "update", x, g, &n, 1);
        R("destroy", cuGraphDestroy(g));
        say_go(t, x, s, p, 1);
    }
    G0(g);
    OK(cuGraphAddEmptyNode(&n, g, NULL, 0));
    update_say(t, "bad", x, g, &n, 1);
    R("destroy", cuGraphDestroy(g));
    say_go(t, x, s, p, 1);
}

/* Node handles after an update from another graph: those of the graph it was
 * made from, and those of the other. */
CASE(update, whole_then_node)
{
    CUgraph g, o;
    CUgraphNode n, m;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 9;
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 10, 1));
    G0(o);
    OK(add_ma(t, &m, o, NULL, 0, p, 10, 2));
    INST(x, g);
    update_say(t, "update", x, o, &m, 1);
    say_go(t, x, s, p, 1);
    R("own", exec_ma(t, x, n, p, 10, 3));
    say_go(t, x, s, p, 1);
    R("other", exec_ma(t, x, m, p, 10, 4));
    say_go(t, x, s, p, 1);
    R("own_get", cuGraphNodeGetEnabled(x, n, &v));
    R("other_get", cuGraphNodeGetEnabled(x, m, &v));
    update_say(t, "again", x, o, &m, 1);
    say_go(t, x, s, p, 1);
    update_say(t, "first", x, g, &n, 1); /* what was set by node is gone */
    say_go(t, x, s, p, 1);
}

/* The graph itself edited and used as the source: parameters, then topology. */
CASE(update, whole_self_edited)
{
    CUgraph g;
    CUgraphNode n[3];
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 12);
    S0(s);
    G0(g);
    OK(add_ma(t, &n[0], g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &n[1], g, &n[0], 1, p + 4, 1, 1));
    INST(x, g);
    R("edit", node_ma(t, n[1], p + 4, 1, 10));
    say_go(t, x, s, p, 3);
    update_say(t, "params", x, g, n, 2);
    say_go(t, x, s, p, 3);
    R("unlink", cuGraphRemoveDependencies(g, &n[0], &n[1], NULL, 1));
    update_say(t, "unlinked", x, g, n, 2);
    R("by_node", exec_ma(t, x, n[1], p + 4, 1, 100)); /* edges do not matter here */
    say_go(t, x, s, p, 3);
    R("link", cuGraphAddDependencies(g, &n[0], &n[1], NULL, 1));
    OK(add_ma(t, &n[2], g, NULL, 0, p + 8, 1, 1));
    update_say(t, "more", x, g, n, 3);
    R("remove", cuGraphDestroyNode(n[2]));
    update_say(t, "as_before", x, g, n, 2);
    say_go(t, x, s, p, 3);
}

/* Two sources by turns, many times; and a clone of a source. */
CASE(update, whole_by_turns)
{
    CUgraph g[2], c;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    CUresult r = CUDA_SUCCESS;
    S0(s);
    for (int k = 0; k < 2; k++) {
        G0(g[k]);
        OK(add_ma(t, &n, g[k], NULL, 0, p, 1, k ? 1000 : 1));
    }
    INST(x, g[0]);
    for (int i = 0; i < 100 && !r; i++) {
        CUgraphExecUpdateResultInfo info;
        r = cuGraphExecUpdate(x, g[i & 1], &info);
        if (!r) r = cuGraphLaunch(x, s);
    }
    say(t, " r=%s", ename(r));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    OK(cuGraphClone(&c, g[1]));
    update_say(t, "clone", x, c, NULL, 0);
    say_go(t, x, s, p, 1);
}

/* Executables made with other flags, and uploaded; after the update the flags
 * are the same. */
CASE(update, whole_flags)
{
    static const unsigned long long fl[] = { 0, 1, 4, 8, 12 };
    static int count;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    for (size_t i = 0; i < COUNT(fl); i++) {
        CUgraph g, o, h;
        CUgraphNode n, m;
        CUgraphExec x;
        cuuint64_t f = 99;
        char l[16];
        G0(g);
        OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
        G0(o);
        OK(add_ma(t, &m, o, NULL, 0, p, 1, 10));
        OK(cuGraphInstantiate(&x, g, fl[i]));
        R("upload", cuGraphUpload(x, s));
        snprintf(l, sizeof l, "f%llx", fl[i]);
        update_say(t, l, x, o, &m, 1);
        OK(cuGraphExecGetFlags(x, &f));
        say(t, " f=%llx", (unsigned long long)f);
        R("upload", cuGraphUpload(x, s));
        say_go(t, x, s, p, 1);
        G0(h);
        OK(add_host(&m, h, NULL, 0, count_one, &count));
        update_say(t, "host", x, h, &m, 1);
    }
}

/* A long chain, all arguments new; a fan with a join. */
CASE(update, whole_large)
{
    enum { N = 400 };
    static CUgraphNode n[N];
    for (int fan = 0; fan < 2; fan++) {
        CUgraph g[2];
        CUgraphNode j;
        CUgraphExec x;
        CUstream s;
        CUdeviceptr p = dalloc(t, 4 * N + 4);
        static uint32_t v[N + 1];
        unsigned sum = 0;
        S0(s);
        for (int k = 0; k < 2; k++) {
            G0(g[k]);
            for (unsigned i = 0; i < N; i++)
                OK(add_ma(t, &n[i], g[k], i && !fan ? &n[i - 1] : NULL, i && !fan ? 1 : 0,
                          p + 4 * i, 1, k ? i : 1));
            OK(add_ma(t, &j, g[k], fan ? n : &n[N - 1], fan ? N : 1, p + 4 * N, 1, k ? 10 : 1));
        }
        INST(x, g[0]);
        OK(go(x, s));
        update_say(t, fan ? "fan" : "chain", x, g[1], n, 0);
        OK(go(x, s));
        OK(cuMemcpyDtoH(v, p, sizeof v));
        for (int i = 0; i < N; i++) sum += v[i];
        say(t, " sum=%u join=%u", sum, v[N]);
    }
}

/* A kernel of another context; by node and by update. */
CASE(update, other_context)
{
    CUgraph g, o;
    CUgraphNode n, m = NULL;
    CUgraphExec x;
    CUcontext c2;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    CUmodule first = t->mod;
    OK(cuCtxCreate(&c2, NULL, 0, t->dev));
    t->mod = NULL;
    CUfunction f = kernel(t, "mul_add"); /* loaded into c2 */
    OK(cuCtxSetCurrent(t->ctx));
    t->mod = first;
    unsigned mm = 1, a = 10;
    void *args[] = { &p, &mm, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(f, 1, 1, args);
    R("node", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    G0(o);
    R("add", cuGraphAddKernelNode(&m, o, NULL, 0, &k));
    update_say(t, "update", x, o, &m, 1);
    say_go(t, x, s, p, 1);
}
