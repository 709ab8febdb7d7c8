/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream capture, operation by operation: which node each call becomes, with
 * which parameters, what it reads when, and what a replay leaves in memory.
 */
#include "oracle.h"

#define GLOBAL CU_STREAM_CAPTURE_MODE_GLOBAL
#define RELAXED CU_STREAM_CAPTURE_MODE_RELAXED
#define NONBLOCKING CU_STREAM_NON_BLOCKING

/* in c_capture.c */
void say_status(T *t, const char *label, CUstream s);
CUstream create_stream(T *t, unsigned flags);
CUevent create_event(T *t);
CUresult capture_mark(CUdeviceptr p, char c, CUstream s);
void node_label(CUgraphNode n, char *b, size_t z);
void say_dependencies(T *t, const char *label, CUstream s);
void say_topology(T *t, CUgraph g);
CUresult fork_stream(CUstream from, CUstream to, CUevent e);
CUresult run_captured(CUgraph g, CUstream s);

static CUgraph captured_graph(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    CUgraph g = NULL;
    if (cuStreamGetCaptureInfo(s, &st, NULL, &g, NULL, NULL, NULL)) return NULL;
    return st == CU_STREAM_CAPTURE_STATUS_ACTIVE ? g : NULL;
}

static size_t count_captured(CUstream s)
{
    size_t n = 0;
    CUgraph g = captured_graph(s);
    if (g) cuGraphGetNodes(g, NULL, &n);
    return n;
}

static CUgraphNode last_captured(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    const CUgraphNode *d = NULL;
    const CUgraphEdgeData *ed = NULL;
    size_t n = 0;
    if (cuStreamGetCaptureInfo(s, &st, NULL, NULL, &d, &ed, &n)) return NULL;
    return st == CU_STREAM_CAPTURE_STATUS_ACTIVE && n == 1 ? d[0] : NULL;
}

static void say_copy(T *t, const char *label, CUgraphNode n)
{
    CUDA_MEMCPY3D m;
    memset(&m, 0, sizeof m);
    if (!n) {
        say(t, " %s=nonode", label);
        return;
    }
    CUresult r = cuGraphMemcpyNodeGetParams(n, &m);
    say(t, " %s=%s{%d>%d w=%zu h=%zu d=%zu sp=%zu dp=%zu}", label, ename(r), (int)m.srcMemoryType,
        (int)m.dstMemoryType, m.WidthInBytes, m.Height, m.Depth, m.srcPitch, m.dstPitch);
}

static void say_set(T *t, const char *label, CUgraphNode n)
{
    CUDA_MEMSET_NODE_PARAMS m;
    memset(&m, 0, sizeof m);
    if (!n) {
        say(t, " %s=nonode", label);
        return;
    }
    CUresult r = cuGraphMemsetNodeGetParams(n, &m);
    say(t, " %s=%s{v=%x size=%u w=%zu h=%zu pitch=%zu}", label, ename(r), m.value, m.elementSize,
        m.width, m.height, m.height > 1 ? m.pitch : 0);
}

/* ---- kernels ---- */

CASE(capop, kernel_node)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    CUfunction fill = kernel(t, "fill");
    unsigned n = 6, v = 40;
    void *args[] = { &p, &n, &v };
    CUDA_KERNEL_NODE_PARAMS k;
    CUfunction f2 = NULL;
    OK(cuModuleGetFunction(&f2, t->mod, "fill"));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", cuLaunchKernel(fill, 1, 2, 3, 4, 1, 1, 128, s, args, NULL));
    memset(&k, 0, sizeof k);
    CUgraphNode node = last_captured(s);
    if (!node) {
        say(t, " nonode");
        return;
    }
    R("get", cuGraphKernelNodeGetParams(node, &k));
    say(t, " func=%s kern=%s ctx=%s",
        k.func == fill ? "same"
        : k.func       ? "differ"
                       : "null",
        k.kern ? "set" : "null",
        k.ctx == t->ctx ? "same"
        : k.ctx         ? "differ"
                        : "null");
    say(t, " again=%s", f2 == fill ? "same" : "differ");
    say(t, " dims=%u,%u,%u,%u,%u,%u,%u", k.gridDimX, k.gridDimY, k.gridDimZ, k.blockDimX,
        k.blockDimY, k.blockDimZ, k.sharedMemBytes);
    say(t, " params=%s extra=%s", k.kernelParams ? "set" : "null", k.extra ? "set" : "null");
    if (k.kernelParams)
        say(t, " own=%d p=%s n=%u v=%u", k.kernelParams[0] != (void *)&p,
            *(CUdeviceptr *)k.kernelParams[0] == p ? "same" : "differ",
            *(unsigned *)k.kernelParams[1], *(unsigned *)k.kernelParams[2]);
    CUgraph g = capture_end(t, s);
    R("run", run_captured(g, s));
    say(t, " first=%u last=%u past=%u", dread(t, p), dread(t, p + 20), dread(t, p + 24));
}

/* Arguments are taken when the launch is captured. */
CASE(capop, kernel_params_copied)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), q = p;
    CUfunction put = kernel(t, "put");
    unsigned v = 3;
    void *args[] = { &q, &v };
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", launch1(put, s, args));
    v = 9;
    q = p + 8;
    args[0] = NULL;
    CUgraph g = capture_end(t, s);
    R("run", run_captured(g, s));
    say(t, " v=%u w=%u", dread(t, p), dread(t, p + 8));
}

static void say_edges(T *t, CUgraph g)
{
    CUgraphNode a[16], b[16];
    CUgraphEdgeData ed[16];
    size_t n = 16;
    memset(ed, 0, sizeof ed);
    CUresult r = cuGraphGetEdges(g, a, b, ed, &n);
    say(t, " edges=%s{", ename(r));
    for (size_t i = 0; !r && i < n && i < 16; i++) {
        char x[32], y[32];
        node_label(a[i], x, sizeof x);
        node_label(b[i], y, sizeof y);
        say(t, " %s>%s:%d/%d/%d", x, y, ed[i].from_port, ed[i].to_port, ed[i].type);
    }
    say(t, "}");
}

static CUresult launch_attr(CUfunction f, CUstream s, CUlaunchAttribute *at)
{
    CUlaunchConfig c;
    memset(&c, 0, sizeof c);
    c.gridDimX = c.gridDimY = c.gridDimZ = c.blockDimX = c.blockDimY = c.blockDimZ = 1;
    c.hStream = s;
    c.attrs = at;
    c.numAttrs = 1;
    return cuLaunchKernelEx(&c, f, NULL, NULL);
}

/* Programmatic serialization: edge data, only between kernels. */
CASE(capop, kernel_programmatic)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUfunction nop = kernel(t, "nop");
    CUlaunchAttribute at;
    CUgraphNode a[8], b[8];
    size_t n = 8;
    memset(&at, 0, sizeof at);
    at.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    at.value.programmaticStreamSerializationAllowed = 1;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("after_memset", launch_attr(nop, s, &at));
    say_dependencies(t, "deps", s);
    R("after_kernel", launch_attr(nop, s, &at));
    R("plain", launch1(nop, s, NULL));
    CUgraph g = capture_end(t, s);
    if (!g) return;
    say_edges(t, g);
    R("lossy", cuGraphGetEdges(g, a, b, NULL, &n));
    R("run", run_captured(g, s));
}

/* ---- copies ---- */

/* Host memory is read at each launch, not at the capture; pinned and
 * pageable. */
CASE(capop, copy_from_host)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    unsigned *pin = NULL, *page = malloc(64);
    CUgraphExec x = NULL;
    OK(cuMemAllocHost((void **)&pin, 64));
    pin[0] = page[0] = 1;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("pinned", cuMemcpyHtoDAsync(p, pin, 4, s));
    say_copy(t, "node", last_captured(s));
    R("pageable", cuMemcpyHtoDAsync(p + 4, page, 4, s));
    say_copy(t, "node", last_captured(s));
    say_status(t, "s", s);
    pin[0] = page[0] = 2;
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    R("inst", cuGraphInstantiate(&x, g, 0));
    if (!x) return;
    pin[0] = page[0] = 3;
    for (unsigned i = 4; i < 6; i++) {
        R("launch", cuGraphLaunch(x, s));
        R("sync", cuStreamSynchronize(s));
        say(t, " %u,%u", dread(t, p), dread(t, p + 4));
        pin[0] = page[0] = i;
    }
}

CASE(capop, copy_to_host)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    unsigned *pin = NULL, *page = calloc(16, 4);
    OK(cuMemAllocHost((void **)&pin, 64));
    pin[0] = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("pinned", cuMemcpyDtoHAsync(pin, p, 4, s));
    say_copy(t, "node", last_captured(s));
    R("pageable", cuMemcpyDtoHAsync(page, p, 4, s));
    say_copy(t, "node", last_captured(s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    say(t, " before=%u,%u", pin[0], page[0]);
    R("run", run_captured(g, s));
    say(t, " after=%u,%u", pin[0], page[0]);
}

/* The other ways to copy within the device. */
CASE(capop, copy_device_forms)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    unsigned *pin = NULL;
    OK(cuMemAllocHost((void **)&pin, 64));
    pin[0] = 33;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("set", cuMemsetD32Async(p, 7, 4, s));
    R("dtod", cuMemcpyDtoDAsync(p + 16, p, 16, s));
    say_copy(t, "node", last_captured(s));
    R("unified", cuMemcpyAsync(p + 32, p + 16, 16, s));
    say_copy(t, "node", last_captured(s));
    R("peer", cuMemcpyPeerAsync(p + 48, t->ctx, p + 32, t->ctx, 16, s));
    say_copy(t, "node", last_captured(s));
    R("unified_host", cuMemcpyAsync(p, (CUdeviceptr)(uintptr_t)pin, 4, s));
    say_copy(t, "node", last_captured(s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u,%u", dread(t, p), dread(t, p + 16), dread(t, p + 32), dread(t, p + 48 + 12));
}

/* Nothing to do: is there a node? */
CASE(capop, zero_size)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64), d = 1;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("set8", cuMemsetD8Async(p, 0, 0, s));
    say(t, " n=%zu", count_captured(s));
    R("set32", cuMemsetD32Async(p, 0, 0, s));
    R("set2d", cuMemsetD2D32Async(p, 16, 0, 0, 3, s));
    R("set2d_h", cuMemsetD2D32Async(p, 16, 0, 3, 0, s));
    say(t, " n=%zu", count_captured(s));
    R("dtod", cuMemcpyDtoDAsync(p, p + 16, 0, s));
    R("unified", cuMemcpyAsync(p, p + 16, 0, s));
    say(t, " n=%zu", count_captured(s));
    say_status(t, "s", s);
    R("alloc", cuMemAllocAsync(&d, 0, s));
    say(t, " n=%zu", count_captured(s));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
}

/* The batched copy: can it be captured, and as what? */
CASE(capop, copy_batch)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    CUdeviceptr dst[2] = { p + 16, p + 32 }, src[2] = { p, p };
    size_t z[2] = { 4, 8 }, idx = 0;
    CUmemcpyAttributes at;
    memset(&at, 0, sizeof at);
    at.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    OK(cuMemsetD32Async(p, 6, 2, s));
    R("plain", cuMemcpyBatchAsync(dst, src, z, 2, &at, &idx, 1, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " %u,%u", dread(t, p + 16), dread(t, p + 36));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("mark", capture_mark(p, 'A', s));
    R("batch", cuMemcpyBatchAsync(dst, src, z, 2, &at, &idx, 1, s));
    say_status(t, "s", s);
    say_dependencies(t, "deps", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " %u,%u", dread(t, p + 16), dread(t, p + 36));
}

/* ---- host functions ---- */

static volatile int log_v[16];
static volatile int log_n;
static void CUDA_CB log_it(void *v)
{
    int i = __atomic_fetch_add(&log_n, 1, __ATOMIC_SEQ_CST);
    if (i < 16) log_v[i] = (int)(intptr_t)v;
}

/* Host functions, kernels and sets of one replay see each other in order. */
static volatile uint32_t *seen_word;
static volatile uint32_t seen[4];
static void CUDA_CB see(void *v)
{
    seen[(intptr_t)v] = *seen_word;
    *seen_word = *seen_word + 100;
}

CASE(capop, host_order)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUfunction inc = kernel(t, "inc");
    void *h = NULL;
    CUdeviceptr d = 0;
    OK(cuMemHostAlloc(&h, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&d, h, 0));
    seen_word = h;
    *seen_word = 1000;
    void *args[] = { &d };
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemsetD32Async(d, 5, 1, s));
    OK(cuLaunchHostFunc(s, see, (void *)0));
    OK(launch1(inc, s, args));
    OK(cuLaunchHostFunc(s, see, (void *)1));
    OK(launch1(inc, s, args));
    OK(cuLaunchHostFunc(s, see, (void *)2));
    CUgraph g = capture_end(t, s);
    say(t, " before=%u", *seen_word);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u end=%u", seen[0], seen[1], seen[2], *seen_word);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u end=%u", seen[0], seen[1], seen[2], *seen_word);
}

/* ---- allocation ---- */

CASE(capop, alloc_free)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), d = 0, fp = 0;
    CUDA_MEM_ALLOC_NODE_PARAMS a;
    CUgraphExec x = NULL;
    memset(&a, 0, sizeof a);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("alloc", cuMemAllocAsync(&d, 1000, s));
    say(t, " ptr=%s", d ? "set" : "null");
    say_dependencies(t, "deps", s);
    CUgraphNode n = last_captured(s);
    if (n) {
        R("get", cuGraphMemAllocNodeGetParams(n, &a));
        say(t, " dptr=%s size=%s%zu type=%d loc=%d/%d access=%zu", a.dptr == d ? "same" : "differ",
            a.bytesize == 1000 ? "as_asked:" : "", a.bytesize, (int)a.poolProps.allocType,
            (int)a.poolProps.location.type, a.poolProps.location.id, a.accessDescCount);
    }
    R("set", capture_mark(d, 'A', s));
    R("copy", cuMemcpyDtoDAsync(p, d, 4, s));
    R("free", cuMemFreeAsync(d, s));
    say_dependencies(t, "deps", s);
    n = last_captured(s);
    if (n) {
        R("getfree", cuGraphMemFreeNodeGetParams(n, &fp));
        say(t, " dptr=%s", fp == d ? "same" : "differ");
    }
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (!g) return;
    R("inst", cuGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 2; i++) R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    R("free_outside", cuMemFreeAsync(d, s));
}

/* Freed twice in one capture, and freed by a later capture although its own
 * graph frees it. */
CASE(capop, free_twice)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 256, s));
    R("free", cuMemFreeAsync(d, s));
    R("again", cuMemFreeAsync(d, s));
    say_status(t, "s", s);
    say_dependencies(t, "deps", s);
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 256, s));
    R("free", cuMemFreeAsync(d, s));
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("elsewhere", cuMemFreeAsync(d, s));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
}

/* Two allocations of one capture, and one freed before the other is made. */
CASE(capop, alloc_two)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr a = 0, b = 0, c = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("a", cuMemAllocAsync(&a, 512, s));
    R("b", cuMemAllocAsync(&b, 512, s));
    say(t, " ab=%s", a == b ? "same" : "differ");
    R("free", cuMemFreeAsync(a, s));
    R("c", cuMemAllocAsync(&c, 512, s));
    say(t, " bc=%s", b == c ? "same" : "differ");
    R("free", cuMemFreeAsync(b, s));
    R("free", cuMemFreeAsync(c, s));
    CUgraph g = capture_end(t, s);
    say_shape(t, g);
    if (g) R("run", run_captured(g, s));
}

/* An allocation that the graph leaves behind: usable and to be freed
 * outside; a second launch needs it freed first. */
CASE(capop, alloc_left)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUgraphExec x = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 64, s));
    OK(capture_mark(d, 'A', s));
    CUgraph g = capture_end(t, s);
    R("inst", cuGraphInstantiate(&x, g, 0));
    if (!x) return;
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, d));
    R("relaunch", cuGraphLaunch(x, s));
    R("free", cuMemFreeAsync(d, s));
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, d));
    R("memfree", cuMemFree(d));
    R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    R("free", cuMemFreeAsync(d, s));
    R("sync", cuStreamSynchronize(s));
}

/* Captured frees of what the capture does not own. */
CASE(capop, free_foreign)
{
    static const char *const name[] = { "pool", "plain", "null", "inside" };
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr pool = 0, plain = dalloc(t, 64), d = 0;
    OK(cuMemAllocAsync(&pool, 64, o));
    OK(cuStreamSynchronize(o));
    for (int i = 0; i < 4; i++) {
        say(t, " [%s", name[i]);
        OK(cuStreamBeginCapture(s, GLOBAL));
        R("alloc", cuMemAllocAsync(&d, 256, s));
        R("free", cuMemFreeAsync(i == 0 ? pool : i == 1 ? plain : i == 2 ? 0 : d + 16, s));
        say_status(t, "s", s);
        say_topology(t, capture_end(t, s));
        say(t, "]");
    }
    R("pool_ok", cuMemFreeAsync(pool, o));
    R("plain_ok", cuMemFree(plain));
}

/* One graph allocates, another one frees. */
CASE(capop, free_in_other_graph)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUgraphExec x = NULL, y = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 64, s));
    CUgraph g = capture_end(t, s);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("free", cuMemFreeAsync(d, s));
    say_dependencies(t, "deps", s);
    CUgraph h = capture_end(t, s);
    say_topology(t, h);
    if (!g || !h) return;
    R("inst", cuGraphInstantiate(&x, g, 0));
    R("inst", cuGraphInstantiate(&y, h, 0));
    for (int i = 0; i < 2; i++) {
        R("alloc", cuGraphLaunch(x, s));
        R("free", cuGraphLaunch(y, s));
    }
    R("sync", cuStreamSynchronize(s));
}

CASE(capop, alloc_from_pool)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUmemoryPool pool = NULL;
    OK(cuDeviceGetDefaultMemPool(&pool, t->dev));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("alloc", cuMemAllocFromPoolAsync(&d, 256, pool, s));
    say_dependencies(t, "deps", s);
    R("free", cuMemFreeAsync(d, s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
}

/* ---- memory operations of the stream ---- */

static void say_memop(T *t, CUgraphNode n)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS b;
    memset(&b, 0, sizeof b);
    if (!n) {
        say(t, " nonode");
        return;
    }
    CUresult r = cuGraphBatchMemOpNodeGetParams(n, &b);
    say(t, " get=%s{ctx=%s flags=%u n=%u", ename(r),
        b.ctx == t->ctx ? "same"
        : b.ctx         ? "differ"
                        : "null",
        b.flags, b.count);
    for (unsigned i = 0; !r && i < b.count && i < 8; i++)
        say(t, " op%d", (int)b.paramArray[i].operation);
    if (!r && b.count) {
        int w = b.paramArray[0].operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
                b.paramArray[0].operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
        say(t, " v=%llx",
            w ? (unsigned long long)b.paramArray[0].waitValue.value64
              : (unsigned long long)b.paramArray[0].waitValue.value);
        say(t, " f=%u", b.paramArray[0].waitValue.flags);
    }
    say(t, "}");
}

CASE(capop, value_nodes)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("write32", cuStreamWriteValue32(s, p, 7, 0));
    say_memop(t, last_captured(s));
    R("wait32", cuStreamWaitValue32(s, p, 7, CU_STREAM_WAIT_VALUE_EQ));
    say_memop(t, last_captured(s));
    R("write64", cuStreamWriteValue64(s, p + 8, 0x100000002ull, 0));
    say_memop(t, last_captured(s));
    R("wait64", cuStreamWaitValue64(s, p + 8, 0x100000001ull, CU_STREAM_WAIT_VALUE_GEQ));
    say_memop(t, last_captured(s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    R("run", run_captured(g, s));
    say(t, " %u,%u,%u", dread(t, p), dread(t, p + 8), dread(t, p + 12));
}

/* A batch is one node; its array is taken when captured. */
CASE(capop, batch_node)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64);
    CUstreamBatchMemOpParams b[3];
    memset(b, 0, sizeof b);
    b[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    b[0].writeValue.address = p;
    b[0].writeValue.value = 3;
    b[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    b[1].waitValue.address = p;
    b[1].waitValue.value = 3;
    b[1].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
    b[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    b[2].writeValue.address = p + 4;
    b[2].writeValue.value = 4;
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("batch", cuStreamBatchMemOp(s, 3, b, 0));
    say_memop(t, last_captured(s));
    b[0].writeValue.value = 9;
    b[2].writeValue.value = 9;
    R("none", cuStreamBatchMemOp(s, 0, b, 0));
    say(t, " n=%zu", count_captured(s));
    say_status(t, "s", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " %u,%u", dread(t, p), dread(t, p + 4));
}

/* A captured wait on a word holds its graph, and nothing before it. */
CASE(capop, wait_value_holds)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), d = 0;
    void *h = NULL;
    CUgraphExec x = NULL;
    OK(cuMemHostAlloc(&h, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&d, h, 0));
    memset(h, 0, 4096);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemsetD32Async(d + 64, 5, 1, s));
    OK(cuStreamWaitValue32(s, d, 1, CU_STREAM_WAIT_VALUE_GEQ));
    OK(capture_mark(p, 'A', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    OK(cuGraphInstantiate(&x, g, 0));
    R("launch", cuGraphLaunch(x, s));
    for (int i = 0; i < 2000 && ((volatile uint32_t *)h)[16] != 5; i++) msleep(1);
    say(t, " early=%u", ((volatile uint32_t *)h)[16]);
    R("held", cuStreamQuery(s));
    __atomic_store_n((uint32_t *)h, 1, __ATOMIC_SEQ_CST);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
}

/* Graph and executable were changed since: which of them is captured? */
CASE(capop, graph_launch_updated)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL, c = NULL;
    CUgraphNode n = NULL, cn = NULL, off = NULL;
    CUgraphExec x = NULL;
    CUDA_MEMSET_NODE_PARAMS m;
    size_t k = 1;
    memset(&m, 0, sizeof m);
    m.dst = p;
    m.value = 5;
    m.elementSize = 4;
    m.width = 1;
    m.height = 1;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx));
    OK(cuGraphInstantiate(&x, g, 0));
    m.value = 6;
    OK(cuGraphExecMemsetNodeSetParams(x, n, &m, t->ctx));
    m.value = 7;
    OK(cuGraphMemsetNodeSetParams(n, &m));
    m.dst = p + 4;
    OK(cuGraphAddMemsetNode(&off, g, NULL, 0, &m, t->ctx));
    OK(cuStreamBeginCapture(s, RELAXED));
    R("launch", cuGraphLaunch(x, s));
    CUgraphNode child = last_captured(s);
    CUgraph h = capture_end(t, s);
    if (child) {
        R("child", cuGraphChildGraphNodeGetGraph(child, &c));
        R("nodes", cuGraphGetNodes(c, NULL, &k));
        say(t, " n=%zu", k);
        k = 1;
        cuGraphGetNodes(c, &cn, &k);
        if (cn) say_set(t, "node", cn);
    }
    m.dst = p;
    m.value = 8;
    R("later", cuGraphExecMemsetNodeSetParams(x, n, &m, t->ctx));
    if (h) R("run", run_captured(h, s));
    say(t, " v=%u w=%u", dread(t, p), dread(t, p + 4));
}

CASE(capop, graph_launch_empty)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUgraph g = NULL;
    CUgraphExec x = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", cuGraphLaunch(x, s));
    say_dependencies(t, "deps", s);
    R("upload", cuGraphUpload(x, s));
    say_status(t, "s", s);
    say_dependencies(t, "deps", s);
    CUgraph h = capture_end(t, s);
    say_topology(t, h);
    if (h) R("run", run_captured(h, s));
}

/* Graphs with allocation nodes are not nested. */
CASE(capop, graph_launch_alloc)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUgraphExec x = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 64, s));
    OK(cuMemFreeAsync(d, s));
    CUgraph g = capture_end(t, s);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", cuGraphLaunch(x, s));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
}

/* ---- all of them in one capture: the dependency follows each ---- */

#define STEP(label, call)                                                                          \
    do {                                                                                           \
        size_t n0_ = count_captured(s);                                                            \
        R(label, call);                                                                            \
        say_dependencies(t, "+", s);                                                               \
        say(t, "+%zu", count_captured(s) - n0_);                                                   \
    } while (0)

CASE(capop, deps_track)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 64), d = 0;
    CUfunction nop = kernel(t, "nop");
    CUevent e = create_event(t), f = create_event(t);
    CUgraph g = NULL;
    CUgraphExec x = NULL;
    unsigned *pin = NULL;
    OK(cuMemAllocHost((void **)&pin, 64));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    log_n = 0;
    OK(cuStreamBeginCapture(s, GLOBAL));
    STEP("record_first", cuEventRecord(e, s));
    STEP("kernel", launch1(nop, s, NULL));
    STEP("record", cuEventRecord(e, s));
    STEP("wait_own", cuStreamWaitEvent(s, e, 0));
    STEP("fork", cuStreamWaitEvent(s2, e, 0));
    STEP("set", cuMemsetD32Async(p, 1, 1, s));
    STEP("h2d", cuMemcpyHtoDAsync(p, pin, 4, s));
    STEP("d2h", cuMemcpyDtoHAsync(pin, p, 4, s));
    STEP("d2d", cuMemcpyDtoDAsync(p + 16, p, 4, s));
    STEP("host", cuLaunchHostFunc(s, log_it, NULL));
    STEP("write", cuStreamWriteValue32(s, p, 1, 0));
    STEP("ext_record", cuEventRecordWithFlags(f, s, CU_EVENT_RECORD_EXTERNAL));
    STEP("ext_wait", cuStreamWaitEvent(s, f, CU_EVENT_WAIT_EXTERNAL));
    STEP("alloc", cuMemAllocAsync(&d, 64, s));
    STEP("free", cuMemFreeAsync(d, s));
    STEP("graph", cuGraphLaunch(x, s));
    STEP("join_idle", fork_stream(s2, s, e));
    CUgraph h = capture_end(t, s);
    say_shape(t, h);
}

/* The joining node sees both branches, the branches see the fork. */
CASE(capop, replay_fork)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), q = p + 4, r = p + 8;
    CUfunction ma = kernel(t, "mul_add"), copy = kernel(t, "copy1");
    CUevent e = create_event(t);
    CUgraphExec x = NULL;
    unsigned m = 2, a = 1;
    void *ap[] = { &p, &m, &a }, *aq[] = { &q, &m, &a }, *ar[] = { &r, &m, &a };
    void *pq[] = { &q, &p }, *qr[] = { &r, &q };
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(launch1(ma, s, ap)); /* p = 2p + 1 */
    OK(fork_stream(s, s2, e));
    OK(launch1(copy, s2, pq)); /* q = p */
    a = 5;
    OK(launch1(ma, s2, aq)); /* q = 2q + 5 */
    OK(fork_stream(s2, s, e));
    OK(launch1(copy, s, qr)); /* r = q */
    m = 1;
    a = 100;
    OK(launch1(ma, s, ar)); /* r = r + 100 */
    CUgraph g = capture_end(t, s);
    say_shape(t, g);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuMemsetD32Async(p, 1, 1, s));
    for (int i = 0; i < 3; i++) R("launch", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " %u,%u,%u", dread(t, p), dread(t, q), dread(t, r));
}

/* Launched into every kind of stream, and in order with the work around it. */
CASE(capop, replay_streams)
{
    CUstream s = create_stream(t, NONBLOCKING), b = create_stream(t, CU_STREAM_DEFAULT);
    CUdeviceptr p = dalloc(t, 16);
    CUfunction inc = kernel(t, "inc");
    CUgraphExec x = NULL;
    void *args[] = { &p };
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(launch1(inc, s, args));
    OK(launch1(inc, s, args));
    CUgraph g = capture_end(t, s);
    OK(cuGraphInstantiate(&x, g, 0));
    R("null", cuGraphLaunch(x, NULL));
    R("blocking", cuGraphLaunch(x, b));
    R("per_thread", cuGraphLaunch(x, CU_STREAM_PER_THREAD));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    gate_close(t);
    OK(gate(t, s));
    OK(cuMemsetD32Async(p, 10, 1, s));
    R("one", cuGraphLaunch(x, s));
    OK(cuMemcpyDtoDAsync(p + 4, p, 4, s));
    R("two", cuGraphLaunch(x, s));
    R("query", cuStreamQuery(s));
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " %u,%u", dread(t, p), dread(t, p + 4));
}

/* ---- order of the lists ---- */

static void say_nodes(T *t, const char *label, const CUgraphNode *v, size_t n)
{
    say(t, " %s=", label);
    for (size_t i = 0; i < n; i++) {
        char b[32];
        node_label(v[i], b, sizeof b);
        say(t, "%s%s", i ? "," : "", b);
    }
}

CASE(capop, order_linear)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraphNode v[32];
    size_t n = 32;
    OK(cuStreamBeginCapture(s, GLOBAL));
    for (const char *c = "QWERTYUIOPASDFGH"; *c; c++) OK(capture_mark(p, *c, s));
    CUgraph g = capture_end(t, s);
    R("get", cuGraphGetNodes(g, v, &n));
    say_nodes(t, "nodes", v, n);
    say_edges(t, g);
}

/* Submitted across three streams: nodes, roots, edges, a node's two lists
 * and the dependencies of a stream, as the driver orders them. */
CASE(capop, order_fork)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t), h = create_event(t);
    CUgraphNode v[32];
    CUstreamCaptureStatus st = 99;
    const CUgraphNode *d = NULL;
    size_t n = 32;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s, s3, e));
    OK(capture_mark(p, 'Z', s3));
    OK(capture_mark(p, 'Y', s));
    OK(capture_mark(p, 'X', s2));
    OK(capture_mark(p, 'W', s));
    CUgraphNode w = last_captured(s);
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s, s3, e));
    OK(capture_mark(p, 'V', s3));
    OK(capture_mark(p, 'U', s2));
    OK(capture_mark(p, 'T', s));
    OK(fork_stream(s3, s, f));
    OK(fork_stream(s2, s, h));
    R("info", cuStreamGetCaptureInfo(s, &st, NULL, NULL, &d, NULL, &n));
    if (d) say_nodes(t, "deps", d, n);
    OK(capture_mark(p, 'S', s));
    CUgraphNode z = last_captured(s);
    CUgraph g = capture_end(t, s);
    n = 32;
    R("get", cuGraphGetNodes(g, v, &n));
    say_nodes(t, "nodes", v, n);
    n = 32;
    R("roots", cuGraphGetRootNodes(g, v, &n));
    say_nodes(t, "roots", v, n);
    say_edges(t, g);
    n = 32;
    R("dependencies", cuGraphNodeGetDependencies(z, v, NULL, &n));
    say_nodes(t, "of_S", v, n);
    n = 32;
    R("dependents", cuGraphNodeGetDependentNodes(w, v, NULL, &n));
    say_nodes(t, "of_W", v, n);
}
