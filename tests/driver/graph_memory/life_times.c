/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of graphs: how long it lives.
 */
#include "allocations.h"

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
