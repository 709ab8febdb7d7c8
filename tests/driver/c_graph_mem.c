/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory allocation and free nodes in graphs.
 */
#include "graphs.h"

static CUDA_MEM_ALLOC_NODE_PARAMS alloc_params(T *t, size_t bytes)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.poolProps.location.id = t->dev;
    p.bytesize = bytes;
    return p;
}

/* Nodes after at most one dependency. */
static CUresult add_alloc_node(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep,
                               size_t bytes, CUdeviceptr *out)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = alloc_params(t, bytes);
    CUresult r = cuGraphAddMemAllocNode(n, g, dep, dep != NULL, &p);
    *out = p.dptr;
    return r;
}

static CUresult add_free_node(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p)
{
    return cuGraphAddMemFreeNode(n, g, dep, dep != NULL, p);
}

static CUresult add_set_word(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p,
                             unsigned v)
{
    return add_set(t, n, g, dep, dep != NULL, p, v, 1);
}

static CUresult add_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr dst,
                         CUdeviceptr src)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = src;
    c.dstDevice = dst;
    c.WidthInBytes = 4;
    c.Height = c.Depth = 1;
    return cuGraphAddMemcpyNode(n, g, dep, dep != NULL, &c, t->ctx);
}

static CUresult add_inc(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p)
{
    void *args[] = { &p };
    return add_kernel(n, g, dep, dep != NULL, kernel(t, "inc"), args);
}

/* alloc -> set v -> inc -> copy to d [-> free] */
static CUresult build(T *t, CUgraph g, CUdeviceptr d, unsigned v, int with_free, CUdeviceptr *p,
                      CUgraphNode *alloc, CUgraphNode *last)
{
    CUgraphNode a, m, k, c, f;
    CUresult r = add_alloc_node(t, &a, g, NULL, 4096, p);
    if (!r) r = add_set_word(t, &m, g, &a, *p, v);
    if (!r) r = add_inc(t, &k, g, &m, *p);
    if (!r) r = add_copy(t, &c, g, &k, d, *p);
    if (!r && with_free) r = add_free_node(&f, g, &c, *p);
    if (!r && alloc) *alloc = a;
    if (!r && last) *last = with_free ? f : c;
    return r;
}

/* A graph that only allocates and sets the word, and its executable. */
#define BUILD_UNFREED(g, x, a, p, v)                                                               \
    do {                                                                                           \
        CUgraphNode m_;                                                                            \
        G0(g);                                                                                     \
        OK(add_alloc_node(t, &(a), g, NULL, 4096, &(p)));                                          \
        OK(add_set_word(t, &m_, g, &(a), p, v));                                                   \
        OK(cuGraphInstantiate(&(x), g, 0));                                                        \
    } while (0)

/* ------------------------------------------------------------ construction */

/* The address comes at the add; getters of both nodes give it back. */
CASE(gmem, add_and_get)
{
    CUgraph g;
    CUgraphNode a = NULL, f = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS p = alloc_params(t, 1000), o;
    CUdeviceptr q = 0;
    G0(g);
    R("alloc", cuGraphAddMemAllocNode(&a, g, NULL, 0, &p));
    say(t, " dptr=%d aligned256=%d bytes=%zu", p.dptr != 0, p.dptr % 256 == 0, p.bytesize);
    memset(&o, 0x33, sizeof o);
    R("get", cuGraphMemAllocNodeGetParams(a, &o));
    say(t, " dptr=%d bytes=%zu type=%d handle=%d loc=%d,%d descs=%zu,%s", o.dptr == p.dptr,
        o.bytesize, (int)o.poolProps.allocType, (int)o.poolProps.handleTypes,
        (int)o.poolProps.location.type, o.poolProps.location.id == t->dev, o.accessDescCount,
        o.accessDescs ? "set" : "null");
    R("free", cuGraphAddMemFreeNode(&f, g, &a, 1, p.dptr));
    R("fget", cuGraphMemFreeNodeGetParams(f, &q));
    say(t, " same=%d", q == p.dptr);
    q = 7;
    R("fget_alloc", cuGraphMemFreeNodeGetParams(a, &q));
    R("aget_free", cuGraphMemAllocNodeGetParams(f, &o));
    R("fget_null", cuGraphMemFreeNodeGetParams(f, NULL));
    R("aget_null", cuGraphMemAllocNodeGetParams(a, NULL));
    say_shape(t, g);
    R("destroy", cuGraphDestroy(g));
}

/* Sizes: zero, one, more than there is. */
CASE(gmem, sizes)
{
    static const size_t ask[] = { 0, 1, (size_t)1 << 50 };
    CUgraph g;
    risky();
    for (int i = 0; i < 3; i++) {
        CUgraphNode a = SENT_N;
        CUDA_MEM_ALLOC_NODE_PARAMS p = alloc_params(t, ask[i]);
        CUgraphExec x = NULL;
        char l[16];
        G0(g);
        snprintf(l, sizeof l, "s%d", i);
        CUresult r = cuGraphAddMemAllocNode(&a, g, NULL, 0, &p);
        R(l, r);
        say(t, " node=%s dptr=%d n=%zu", nstate(a), p.dptr != 0, nnodes(g));
        if (!r) R("inst", cuGraphInstantiate(&x, g, 0));
        if (x) cuGraphExecDestroy(x);
        OK(cuGraphDestroy(g));
    }
}

/* Free nodes of addresses no alloc node gave. */
CASE(gmem, free_not_ours)
{
    CUgraph g;
    CUgraphNode a, f = SENT_N;
    CUdeviceptr p, d = dalloc(t, 4096), q = 0;
    CUstream s;
    static int plain;
    risky();
    G0(g);
    S0(s);
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    OK(cuMemAllocAsync(&q, 4096, s));
    OK(cuStreamSynchronize(s));
    R("zero", add_free_node(&f, g, &a, 0));
    R("memalloc", add_free_node(&f, g, &a, d));
    R("async", add_free_node(&f, g, &a, q));
    R("host", add_free_node(&f, g, &a, (CUdeviceptr)(uintptr_t)&plain));
    R("inside", add_free_node(&f, g, &a, p + 256));
    R("end", add_free_node(&f, g, &a, p + 4096));
    say(t, " out=%s n=%zu", nstate(f), nnodes(g));
    R("null_graph", add_free_node(&f, NULL, NULL, p));
    R("null_out", cuGraphAddMemFreeNode(NULL, g, &a, 1, p));
    R("good", add_free_node(&f, g, &a, p));
    R("async_free", cuMemFreeAsync(q, s));
    R("sync", cuStreamSynchronize(s));
}

/* One allocation freed twice in a graph. */
CASE(gmem, free_twice)
{
    CUgraph g;
    CUgraphNode a, f = NULL, f2 = SENT_N;
    CUdeviceptr p;
    G0(g);
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    R("first", add_free_node(&f, g, &a, p));
    R("second", add_free_node(&f2, g, &f, p));
    R("beside", add_free_node(&f2, g, &a, p));
    say(t, " out=%s n=%zu", nstate(f2), nnodes(g));
}

/* ------------------------------------------------------------- restrictions */

/* Nodes and edges of a graph with a memory node cannot be taken out. */
CASE(gmem, no_deletion)
{
    CUgraph g, h;
    CUgraphNode a, f, e1, e2, m;
    CUdeviceptr p, d = dalloc(t, 64);
    G0(g);
    OK(cuGraphAddEmptyNode(&e1, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&e2, g, &e1, 1));
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    OK(add_free_node(&f, g, &a, p));
    R("alloc", cuGraphDestroyNode(a));
    R("free", cuGraphDestroyNode(f));
    R("empty", cuGraphDestroyNode(e2));
    R("edge", cuGraphRemoveDependencies(g, &a, &f, NULL, 1));
    R("other_edge", cuGraphRemoveDependencies(g, &e1, &e2, NULL, 1));
    R("add_edge", cuGraphAddDependencies(g, &e2, &a, NULL, 1));
    R("add_node", add_set_word(t, &m, g, &f, d, 1));
    say_shape(t, g);
    R("remove0", cuGraphRemoveDependencies(g, NULL, NULL, NULL, 0));
    G0(h);
    OK(cuGraphAddEmptyNode(&e1, h, NULL, 0));
    R("plain", cuGraphDestroyNode(e1));
}

/* Cloning and embedding; alone an alloc node, alone a free node. */
CASE(gmem, no_clone)
{
    CUgraph g, h, par, c = (CUgraph)(uintptr_t)0x5a5a;
    CUgraphNode a, f, x = SENT_N;
    CUdeviceptr p;
    CUgraphNodeParams np;
    G0(g);
    G0(h);
    G0(par);
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    R("clone_alloc", cuGraphClone(&c, g));
    say(t, " out=%s", c == (CUgraph)(uintptr_t)0x5a5a ? "untouched" : c ? "set" : "null");
    R("child_alloc", cuGraphAddChildGraphNode(&x, par, NULL, 0, g));
    memset(&np, 0, sizeof np);
    np.type = CU_GRAPH_NODE_TYPE_GRAPH;
    np.graph.graph = g;
    R("addnode_alloc", cuGraphAddNode(&x, par, NULL, NULL, 0, &np));
    R("free", add_free_node(&f, h, NULL, p));
    R("clone_free", cuGraphClone(&c, h));
    R("child_free", cuGraphAddChildGraphNode(&x, par, NULL, 0, h));
    say(t, " out=%s n=%zu", nstate(x), nnodes(par));
}

/* Does a graph with only a free node have that limit too? */
CASE(gmem, one_exec_free_only)
{
    CUgraph g, h;
    CUgraphNode a, f;
    CUgraphExec x = NULL, y = NULL;
    CUdeviceptr p;
    G0(g);
    G0(h);
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    OK(add_free_node(&f, h, NULL, p));
    R("first", cuGraphInstantiate(&x, h, 0));
    R("second", cuGraphInstantiate(&y, h, 0));
}

/* ---------------------------------------------------------------- life times */

/* Allocated, written, read and freed inside: every launch alike. */
CASE(gmem, inside)
{
    CUgraph g;
    CUgraphExec x;
    CUstream s;
    CUgraphNode a;
    CUDA_MEM_ALLOC_NODE_PARAMS o;
    CUdeviceptr p, d = dalloc(t, 64);
    S0(s);
    G0(g);
    OK(build(t, g, d, 41, 1, &p, &a, NULL));
    OK(cuGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 3; i++) {
        OK(cuMemsetD32(d, 0, 1));
        OK(cuCtxSynchronize());
        R("go", go(x, s));
        say(t, " v=%u", dread(t, d));
    }
    OK(cuGraphMemAllocNodeGetParams(a, &o));
    say(t, " same=%d", o.dptr == p);
    R("queue1", cuGraphLaunch(x, s));
    R("queue2", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    R("memfree", cuMemFree(p));
    R("memfreeasync", cuMemFreeAsync(p, s));
    R("go", go(x, s));
}

/* The allocation outlives the launch: read, written, freed by cuMemFree;
 * the next launch makes it again at the same address. */
CASE(gmem, outlives_launch)
{
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p;
    S0(s);
    BUILD_UNFREED(g, x, a, p, 77);
    R("go", go(x, s));
    say(t, " v=%u", dread(t, p));
    R("write", cuMemsetD32(p + 4, 5, 1));
    say(t, " v=%u", dread(t, p + 4));
    R("free", cuMemFree(p));
    R("free_again", cuMemFree(p));
    R("go2", go(x, s));
    say(t, " v=%u", dread(t, p));
    R("free2", cuMemFree(p));
    R("exec_destroy", cuGraphExecDestroy(x));
    R("destroy", cuGraphDestroy(g));
}

/* Launched again with the allocation still live. */
CASE(gmem, relaunch_unfreed)
{
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p;
    S0(s);
    BUILD_UNFREED(g, x, a, p, 3);
    R("first", cuGraphLaunch(x, s));
    R("second", cuGraphLaunch(x, s));
    R("sync", cuStreamSynchronize(s));
    R("third", go(x, s));
    say(t, " v=%u", dread(t, p));
    R("freeasync", cuMemFreeAsync(p, s));
    R("fourth", cuGraphLaunch(x, s));
    R("freeasync2", cuMemFreeAsync(p, s));
    R("sync2", cuStreamSynchronize(s));
    R("free", cuMemFree(p));
}

/* cuMemFree before any launch. */
CASE(gmem, free_before_launch)
{
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p;
    S0(s);
    BUILD_UNFREED(g, x, a, p, 3);
    R("free", cuMemFree(p));
    R("freeasync", cuMemFreeAsync(p, s));
    R("sync", cuStreamSynchronize(s));
    R("go", go(x, s));
    R("free2", cuMemFree(p));
}

/* A second executable of the graph while the first one's allocation lives. */
CASE(gmem, live_then_new_exec)
{
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x, y = NULL;
    CUstream s;
    CUdeviceptr p;
    S0(s);
    BUILD_UNFREED(g, x, a, p, 6);
    R("go", go(x, s));
    R("exec_destroy", cuGraphExecDestroy(x));
    R("inst", cuGraphInstantiate(&y, g, 0));
    if (!y) return;
    R("go_live", go(y, s));
    R("free", cuMemFree(p));
    R("go_freed", go(y, s));
    say(t, " v=%u", dread(t, p));
}

/* AUTO_FREE_ON_LAUNCH: relaunched unfreed, freed by hand, freed at the end. */
CASE(gmem, auto_free)
{
    CUgraph g;
    CUgraphNode a, m, k, c;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p, d = dalloc(t, 64);
    cuuint64_t flags = 99;
    risky();
    S0(s);
    G0(g);
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    OK(add_set_word(t, &m, g, &a, p, 4));
    OK(add_inc(t, &k, g, &m, p));
    OK(add_copy(t, &c, g, &k, d, p));
    OK(cuGraphInstantiate(&x, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    R("flags", cuGraphExecGetFlags(x, &flags));
    say(t, " %llu", (unsigned long long)flags);
    for (int i = 0; i < 3; i++) R("go", go(x, s));
    say(t, " v=%u,%u", dread(t, p), dread(t, d));
    R("free", cuMemFree(p));
    R("go", go(x, s));
    R("exec_destroy", cuGraphExecDestroy(x));
    say(t, " v=%u", dread(t, p));
    R("free2", cuMemFree(p));
    R("free3", cuMemFree(p));
}

/* AUTO_FREE with an executable made anew while the allocation lives. */
CASE(gmem, auto_free_new_exec)
{
    CUgraph g;
    CUgraphNode a, m;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p;
    S0(s);
    G0(g);
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    OK(add_set_word(t, &m, g, &a, p, 4));
    OK(cuGraphInstantiate(&x, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    R("go", go(x, s));
    R("exec_destroy", cuGraphExecDestroy(x));
    OK(cuGraphInstantiate(&x, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    R("go2", go(x, s));
    R("free", cuMemFree(p));
    R("free2", cuMemFree(p));
}

/* Two allocations alive together do not overlap and keep their values. */
CASE(gmem, two_alive)
{
    CUgraph g;
    CUgraphNode a, b, m, n, c, e, f1, f2;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p, q, d = dalloc(t, 64);
    S0(s);
    G0(g);
    OK(add_alloc_node(t, &a, g, NULL, 4096, &p));
    OK(add_alloc_node(t, &b, g, &a, 4096, &q));
    say(t, " disjoint=%d", p + 4096 <= q || q + 4096 <= p);
    OK(add_set_word(t, &m, g, &b, p, 1));
    OK(add_set_word(t, &n, g, &m, q, 2));
    OK(add_copy(t, &c, g, &n, d, p));
    OK(add_copy(t, &e, g, &c, d + 4, q));
    OK(add_free_node(&f1, g, &e, p));
    OK(add_free_node(&f2, g, &f1, q));
    OK(cuGraphInstantiate(&x, g, 0));
    R("go", go(x, s));
    say(t, " v=%u,%u", dread(t, d), dread(t, d + 4));
}

/* What the pointer queries say of a graph's allocation through its life. */
CASE(gmem, pointer_queries)
{
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p, base;
    size_t size;
    unsigned mt;
    static const char *stage[] = { "built", "live", "freed" };
    risky();
    S0(s);
    BUILD_UNFREED(g, x, a, p, 1);
    for (int i = 0; i < 3; i++) {
        if (i == 1) R("go", go(x, s));
        if (i == 2) R("free", cuMemFree(p));
        mt = 99;
        base = 0;
        size = 0;
        say(t, " %s:", stage[i]);
        R("type", cuPointerGetAttribute(&mt, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
        say(t, " %u", mt);
        R("range", cuMemGetAddressRange(&base, &size, p));
        say(t, " base=%d enough=%d", base == p, size >= 4096);
    }
}

/* ------------------------------------------------------------- the device's */

static void attrs(T *t, const char *label, size_t size)
{
    cuuint64_t v[4] = { 0, 0, 0, 0 };
    for (int i = 0; i < 4; i++) {
        CUresult r = cuDeviceGetGraphMemAttribute(t->dev, (CUgraphMem_attribute)i, &v[i]);
        if (r) say(t, " attr%d=%s", i, ename(r));
    }
    say(t, " %s:", label);
    static const char *n[] = { "used", "usedhigh", "res", "reshigh" };
    for (int i = 0; i < 4; i++)
        say(t, " %s%s", n[i], v[i] == 0 ? "=0" : v[i] >= size ? ">=size" : "<size");
    say(t, " used<=res=%d", v[0] <= v[2]);
}

/* Used and reserved memory through a graph's life, then trimmed. */
CASE(gmem, attr_life)
{
    CUgraph g;
    CUgraphExec x;
    CUstream s;
    CUgraphNode a, m;
    CUdeviceptr p;
    const size_t size = (size_t)8 << 20;
    S0(s);
    G0(g);
    attrs(t, "start", size);
    OK(add_alloc_node(t, &a, g, NULL, size, &p));
    OK(add_set_word(t, &m, g, &a, p, 1));
    attrs(t, "built", size);
    OK(cuGraphInstantiate(&x, g, 0));
    attrs(t, "inst", size);
    OK(go(x, s));
    attrs(t, "live", size);
    R("trim_live", cuDeviceGraphMemTrim(t->dev));
    attrs(t, "trim_live", size);
    say(t, " v=%u", dread(t, p));
    OK(cuMemFree(p));
    attrs(t, "freed", size);
    R("trim_freed", cuDeviceGraphMemTrim(t->dev));
    attrs(t, "trim_freed", size);
    R("relaunch", go(x, s));
    attrs(t, "relaunch", size);
    OK(cuMemFree(p));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    attrs(t, "destroyed", size);
    R("trim", cuDeviceGraphMemTrim(t->dev));
    attrs(t, "trimmed", size);
}

/* Attribute arguments: what can be set, to what; devices, NULLs. */
CASE(gmem, attr_args)
{
    CUgraph g;
    CUgraphExec x;
    CUgraphNode a;
    CUstream s;
    CUdeviceptr p;
    cuuint64_t zero = 0, one = 1, v = 7;
    risky();
    S0(s);
    BUILD_UNFREED(g, x, a, p, 1);
    OK(go(x, s));
    OK(cuMemFree(p));
    R("set_used", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero));
    R("set_res",
      cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &zero));
    R("high_one", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
    R("reshigh_one",
      cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &one));
    attrs(t, "before", 4096);
    R("high_zero", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
    R("reshigh_zero",
      cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
    attrs(t, "after", 4096);
    R("dev99", cuDeviceGetGraphMemAttribute(99, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &v));
    R("attr9", cuDeviceGetGraphMemAttribute(t->dev, (CUgraphMem_attribute)9, &v));
    R("set_attr9", cuDeviceSetGraphMemAttribute(t->dev, (CUgraphMem_attribute)9, &zero));
    R("trim99", cuDeviceGraphMemTrim(99));
    R("trim-1", cuDeviceGraphMemTrim(-1));
    say(t, " v=%llu", (unsigned long long)v);
    R("null", cuDeviceGetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, NULL));
    R("set_null", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, NULL));
}
