/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of graphs: construction and restrictions.
 */
#include "allocations.h"

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
