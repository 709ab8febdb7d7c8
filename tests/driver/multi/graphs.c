/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs over both devices.
 */
#include "two_devices.h"

static CUDA_KERNEL_NODE_PARAMS kparams(CUfunction f, void **args)
{
    CUDA_KERNEL_NODE_PARAMS k;
    memset(&k, 0, sizeof k);
    k.func = f;
    k.gridDimX = k.gridDimY = k.gridDimZ = k.blockDimX = k.blockDimY = k.blockDimZ = 1;
    k.kernelParams = args;
    return k;
}
/* Nodes after at most one dependency. */
static CUresult add_put(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUfunction f,
                        CUcontext c, CUdeviceptr p, unsigned v)
{
    void *a[] = { &p, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(f, a);
    k.ctx = c;
    return cuGraphAddKernelNode(n, g, dep, dep != NULL, &k);
}
static CUresult add_mad(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUfunction f,
                        CUdeviceptr p, unsigned m, unsigned v)
{
    void *a[] = { &p, &m, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(f, a);
    return cuGraphAddKernelNode(n, g, dep, dep != NULL, &k);
}
static CUDA_MEMSET_NODE_PARAMS mparams(CUdeviceptr p, unsigned v)
{
    CUDA_MEMSET_NODE_PARAMS m;
    memset(&m, 0, sizeof m);
    m.dst = p;
    m.value = v;
    m.elementSize = 4;
    m.width = m.height = 1;
    return m;
}
static CUresult add_set(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p,
                        unsigned v, CUcontext c)
{
    CUDA_MEMSET_NODE_PARAMS m = mparams(p, v);
    return cuGraphAddMemsetNode(n, g, dep, dep != NULL, &m, c);
}
static CUDA_MEMCPY3D cparams(CUdeviceptr d, CUdeviceptr s)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = s;
    c.dstDevice = d;
    c.WidthInBytes = 4;
    c.Height = c.Depth = 1;
    return c;
}
static CUresult add_copy(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr d,
                         CUdeviceptr s, CUcontext ctx)
{
    CUDA_MEMCPY3D c = cparams(d, s);
    return cuGraphAddMemcpyNode(n, g, dep, dep != NULL, &c, ctx);
}

/* Kernel nodes whose function, named context and current context disagree. */
CASE(multi, graph_kernel_ctx)
{
    static const struct {
        int cur, f, ctx;
    } q[] = { { 0, 1, -1 }, { 0, 1, 1 },  { 0, 1, 0 }, { 0, 0, 1 },
              { 1, 0, -1 }, { 1, 1, -1 }, { 1, 1, 0 } };
    CUstream s[2];
    CUfunction f[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        f[i] = warm_on(x[i], "put");
        p[i] = memory_on(x[i], 64);
    }
    for (unsigned i = 0; i < sizeof q / sizeof *q; i++) {
        CUgraph g;
        CUgraphNode n = NULL;
        CUDA_KERNEL_NODE_PARAMS k;
        MAKE_CURRENT(x[q[i].cur]);
        say(t, " cur%d_f%d_ctx%d", q[i].cur, q[i].f, q[i].ctx);
        OK(cuGraphCreate(&g, 0));
        CUresult r = add_put(&n, g, NULL, f[q[i].f], q[i].ctx < 0 ? NULL : x[q[i].ctx]->ctx,
                             p[q[i].f], 10 + i);
        say(t, " add=%s", ename(r));
        if (r) continue;
        memset(&k, 0, sizeof k);
        R("get", cuGraphKernelNodeGetParams(n, &k));
        say(t, ":f%d,%s", k.func == f[0] ? 0 : k.func == f[1] ? 1 : 9, context_name(t, u, k.ctx));
        for (int j = 0; j < 2; j++) {
            OK(set_word(x[q[i].f], p[q[i].f], 0));
            run_graph(t, j ? "s1" : "s0", g, s[j]);
            say(t, " v=%u", word_at(t, x[q[i].f], p[q[i].f]));
        }
    }
}

/* Copy nodes between the devices under either context, or none. */
CASE(multi, graph_memcpy_ctx)
{
    CUstream s[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
        OK(set_word(x[i], p[i], 100 + i));
    }
    for (int to = 0; to < 2; to++)
        for (int k = 0; k < 3; k++) {
            CUgraph g;
            CUgraphNode n;
            OK(cuGraphCreate(&g, 0));
            say(t, " to%d_ctx%d", to, k < 2 ? k : -1);
            CUresult r = add_copy(&n, g, NULL, p[to] + 4, p[!to], k < 2 ? x[k]->ctx : NULL);
            say(t, " add=%s", ename(r));
            for (int j = 0; j < 2 && !r; j++) {
                OK(set_word(x[to], p[to] + 4, 0));
                run_graph(t, j ? "s1" : "s0", g, s[j]);
                say(t, " v=%u", word_at(t, x[to], p[to] + 4));
            }
        }
}

/* Fill nodes under the context that owns the memory, and under none. */
CASE(multi, graph_memset_ctx)
{
    CUstream s[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
    }
    for (int at = 0; at < 2; at++)
        for (int k = 0; k < 3; k++) {
            CUgraph g;
            CUgraphNode n;
            MAKE_CURRENT(x[k < 1 ? !at : at]); /* first with the other device current */
            OK(cuGraphCreate(&g, 0));
            say(t, " at%d_%s", at, k < 2 ? k ? "own_current" : "other_current" : "no_ctx");
            CUresult r = add_set(&n, g, NULL, p[at], 30 + k, k < 2 ? x[at]->ctx : NULL);
            say(t, " add=%s", ename(r));
            for (int j = 0; j < 2 && !r; j++) {
                OK(set_word(x[at], p[at], 0));
                run_graph(t, j ? "s1" : "s0", g, s[j]);
                say(t, " v=%u", word_at(t, x[at], p[at]));
            }
        }
}

/* A fill node under the context of the device that the memory is not on. */
CASE(multi, graph_memset_mismatch)
{
    CUstream s0;
    CUgraph g;
    CUgraphNode n;
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    CUresult r = add_set(&n, g, NULL, p1, 5, t->ctx);
    say(t, " p1_ctx0=%s", ename(r));
    if (!r) run_graph(t, "run", g, s0);
    say(t, " v=%u", word_at(t, u, p1));
    OK(cuGraphCreate(&g, 0));
    r = add_set(&n, g, NULL, p0, 6, u->ctx);
    say(t, " p0_ctx1=%s", ename(r));
    if (!r) run_graph(t, "run", g, s0);
    say(t, " v=%u", word_at(t, t, p0));
    R("ctx0", settle_device(t));
    R("ctx1", settle_device(u));
}

static void CUDA_CB host_count(void *p)
{
    __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST);
}
/* A chain through both devices and the host, in the streams of either. */
CASE(multi, graph_both_devices)
{
    static int hosted;
    CUstream s[2];
    CUfunction f[2];
    CUgraph g;
    CUgraphNode n[7];
    CUgraphExec x;
    CUDA_HOST_NODE_PARAMS hp = { host_count, &hosted };
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    f[0] = warm_on(t, "mul_add");
    f[1] = warm_on(u, "mul_add");
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    R("set0", add_set(&n[0], g, NULL, p0, 2, t->ctx));
    R("k0", add_mad(&n[1], g, &n[0], f[0], p0, 3, 1));
    R("copy01", add_copy(&n[2], g, &n[1], p1, p0, t->ctx));
    R("k1", add_mad(&n[3], g, &n[2], f[1], p1, 5, 2));
    R("host", cuGraphAddHostNode(&n[4], g, &n[3], 1, &hp));
    R("copy10", add_copy(&n[5], g, &n[4], p0, p1, u->ctx));
    R("k0", add_mad(&n[6], g, &n[5], f[0], p0, 7, 3));
    R("instantiate", cuGraphInstantiate(&x, g, 0));
    say_shape(t, g);
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(k ? u : t);
        const NamedStream at[] = { FOUR_STREAMS(s[0], s[1]) };
        say(t, " current=%d", k);
        for (int j = 0; j < 4; j++) {
            OK(set_word(t, p0, 0));
            OK(set_word(u, p1, 0));
            say(t, " %s=%s", at[j].n, ename(cuGraphLaunch(x, at[j].s)));
            R("sync", cuStreamSynchronize(at[j].s));
            say(t, " v=%u,%u host=%d", word_at(t, t, p0), word_at(t, u, p1),
                __atomic_load_n(&hosted, __ATOMIC_SEQ_CST));
        }
    }
}

/* A graph that lives on device 0 launched in device 1's stream: it waits for
 * what is before it there, and what comes after waits for it. */
CASE(multi, graph_launch_elsewhere)
{
    CUstream s1;
    CUfunction f0, f1;
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUdeviceptr d;
    volatile uint32_t *h;
    TWO_DEVICES;
    f0 = warm_on(t, "mul_add");
    f1 = warm_on(u, "mul_add");
    OK(pinned_on(t, &h, &d, 64));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    OK(add_mad(&n, g, NULL, f0, d, 3, 1));
    R("instantiate", cuGraphInstantiate(&x, g, 0));
    R("upload", cuGraphUpload(x, s1));
    R("sync", cuStreamSynchronize(s1));
    for (int k = 0; k < 2; k++) {
        *h = 2;
        say(t, " current=%d", k);
        shut_gate_of(u);
        OK(gate_stream_of(u, s1));
        MAKE_CURRENT(u);
        OK(mad(f1, s1, d, 10, 5));
        MAKE_CURRENT(k ? u : t);
        R("launch", cuGraphLaunch(x, s1));
        MAKE_CURRENT(u);
        OK(mad(f1, s1, d, 10, 7));
        say(t, " held=%s v=%u", held(s1), *h);
        open_gate_of(u);
        R("sync", cuStreamSynchronize(s1));
        say(t, " v=%u", *h);
    }
}

static CUDA_MEM_ALLOC_NODE_PARAMS aparams(int dev)
{
    CUDA_MEM_ALLOC_NODE_PARAMS a;
    memset(&a, 0, sizeof a);
    a.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    a.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    a.poolProps.location.type = DEVICE;
    a.poolProps.location.id = dev;
    a.bytesize = 4096;
    return a;
}
static int graph_mem(int dev)
{
    cuuint64_t v = 99;
    if (cuDeviceGetGraphMemAttribute(dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &v)) return -1;
    return v > 0;
}
/* A graph allocates on device 1 while device 0 is current. */
CASE(multi, graph_alloc_other)
{
    CUstream s[2];
    CUgraph g;
    CUgraphNode n[5];
    CUgraphExec x = NULL;
    TWO_DEVICES;
    CUdeviceptr p1 = memory_on(u, 64);
    CUfunction f1 = warm_on(u, "put");
    CUDA_MEM_ALLOC_NODE_PARAMS a = aparams(1), b;
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    say(t, " high=%d,%d", graph_mem(0), graph_mem(1));
    R("alloc", cuGraphAddMemAllocNode(&n[0], g, NULL, 0, &a));
    say(t, ":set=%d", a.dptr != 0);
    if (!a.dptr) return;
    say(t, " ordinal=%d", device_ordinal(a.dptr));
    memset(&b, 0, sizeof b);
    R("get", cuGraphMemAllocNodeGetParams(n[0], &b));
    say(t, ":id%d same=%d", b.poolProps.location.id, b.dptr == a.dptr);
    R("put", add_put(&n[1], g, &n[0], f1, NULL, a.dptr, 9));
    R("copy", add_copy(&n[2], g, &n[1], p1, a.dptr, u->ctx));
    R("free", cuGraphAddMemFreeNode(&n[3], g, &n[2], 1, a.dptr));
    R("instantiate", cuGraphInstantiate(&x, g, 0));
    if (!x) return;
    for (int j = 0; j < 2; j++) {
        OK(set_word(u, p1, 0));
        R(j ? "launch_s1" : "launch_s0", cuGraphLaunch(x, s[j]));
        R("sync", cuStreamSynchronize(s[j]));
        say(t, " v=%u", word_at(t, u, p1));
    }
    say(t, " high=%d,%d", graph_mem(0), graph_mem(1));
    R("trim0", cuDeviceGraphMemTrim(0));
    R("trim1", cuDeviceGraphMemTrim(1));
}
