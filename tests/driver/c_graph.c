/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: creation, topology, inspection, editing, clones, child graphs,
 * DOT output, user objects, size.
 */
#include "graphs.h"

#define ADD_ROOT(n, g) OK(cuGraphAddEmptyNode(&(n), g, NULL, 0))
#define ADD_AFTER(n, g, a) OK(cuGraphAddEmptyNode(&(n), g, &(a), 1))
#define ADD_EDGE(g, a, b) cuGraphAddDependencies(g, &(a), &(b), NULL, 1)

/* A list of handles as letters: A.. for known[0].., - null, ! untouched. */
static void say_list(T *t, const char *label, CUgraphNode *v, size_t n, CUgraphNode *known,
                     size_t nk)
{
    say(t, " %s=", label);
    for (size_t i = 0; i < n; i++) {
        char c = v[i] == NULL ? '-' : v[i] == SENT_N ? '!' : '?';
        for (size_t k = 0; k < nk; k++)
            if (v[i] == known[k] && v[i]) c = (char)('A' + k);
        say(t, "%c", c);
    }
}

static void mark_untouched(CUgraphNode *v, size_t n)
{
    for (size_t i = 0; i < n; i++) v[i] = SENT_N;
}

/* The node of a graph that has one. */
static CUgraphNode only_node(CUgraph g)
{
    CUgraphNode n = NULL;
    size_t k = 1;
    cuGraphGetNodes(g, &n, &k);
    return n;
}

/* Nodes, edges and roots as n/e/r. */
static void say_counts(T *t, const char *label, CUgraph g)
{
    size_t n = 999, e = 999, r = 999;
    cuGraphGetNodes(g, NULL, &n);
    cuGraphGetEdges(g, NULL, NULL, NULL, &e);
    cuGraphGetRootNodes(g, NULL, &r);
    say(t, " %s=%zu/%zu/%zu", label, n, e, r);
}

static CUresult launch_once(CUgraphExec x)
{
    CUstream s;
    CUresult r = cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    if (r) return r;
    r = cuGraphLaunch(x, s);
    CUresult q = cuStreamSynchronize(s);
    cuStreamDestroy(s);
    return r ? r : q;
}

/* Instantiate, launch once and wait. */
static CUresult run_once(CUgraph g)
{
    CUgraphExec x = NULL;
    CUresult r = cuGraphInstantiate(&x, g, 0);
    if (r) return r;
    r = launch_once(x);
    CUresult d = cuGraphExecDestroy(x);
    return r ? r : d;
}

/* Set the word to 0, run g and report what it left. */
static void say_run(T *t, const char *label, CUgraph g, CUdeviceptr p)
{
    CUresult z = cuMemsetD32(p, 0, 1);
    if (!z) z = cuCtxSynchronize();
    CUresult r = z ? z : run_once(g);
    say(t, " %s=%s:%u", label, ename(r), dread(t, p));
}

/* ---------------------------------------------------------------- creation */

/* Graph calls before cuInit, then after cuInit with no context current. */
CASE_RAW(graph, no_context)
{
    CUgraph g = SENT_G, c = NULL;
    CUgraphNode n = NULL;
    CUgraphExec x = NULL;
    size_t k = 9;
    risky();
    R("uninit", cuGraphCreate(&g, 0));
    say(t, " out=%s", gstate(g));
    OK(cuInit(0));
    g = NULL;
    R("create", cuGraphCreate(&g, 0));
    if (!g) return;
    R("empty", cuGraphAddEmptyNode(&n, g, NULL, 0));
    R("nodes", cuGraphGetNodes(g, NULL, &k));
    say(t, " n=%zu", k);
    R("clone", cuGraphClone(&c, g));
    R("inst", cuGraphInstantiate(&x, g, 0));
    if (x) R("exec_destroy", cuGraphExecDestroy(x));
    if (c) R("destroy_clone", cuGraphDestroy(c));
    R("destroy", cuGraphDestroy(g));
}

/* A graph without nodes: all counts 0, and it instantiates and runs. */
CASE(graph, empty_graph)
{
    CUgraph g;
    CUgraphNode v[2], w[2];
    size_t k = 2;
    G0(g);
    say_counts(t, "c", g);
    mark_untouched(v, 2);
    R("nodes", cuGraphGetNodes(g, v, &k));
    say(t, " n=%zu", k);
    say_list(t, "v", v, 2, NULL, 0);
    mark_untouched(v, 2);
    k = 2;
    R("roots", cuGraphGetRootNodes(g, v, &k));
    say(t, " n=%zu", k);
    say_list(t, "v", v, 2, NULL, 0);
    mark_untouched(v, 2);
    mark_untouched(w, 2);
    k = 2;
    R("edges", cuGraphGetEdges(g, v, w, NULL, &k));
    say(t, " n=%zu", k);
    say_list(t, "from", v, 2, NULL, 0);
    say_list(t, "to", w, 2, NULL, 0);
    R("run", run_once(g));
    R("destroy", cuGraphDestroy(g));
}

/* NULL graph handle in every call that takes a graph. */
CASE(graph, null_graph)
{
    CUgraph g, c = SENT_G;
    CUgraphNode a, b, n = SENT_N;
    CUgraphExec x = NULL;
    size_t k = 7;
    risky();
    G0(g);
    ADD_ROOT(a, g);
    ADD_ROOT(b, g);
    R("add", cuGraphAddEmptyNode(&n, NULL, NULL, 0));
    say(t, " out=%s", nstate(n));
    R("nodes", cuGraphGetNodes(NULL, NULL, &k));
    say(t, " k=%zu", k);
    R("roots", cuGraphGetRootNodes(NULL, NULL, &k));
    R("edges", cuGraphGetEdges(NULL, NULL, NULL, NULL, &k));
    R("adddep", cuGraphAddDependencies(NULL, &a, &b, NULL, 1));
    R("adddep0", cuGraphAddDependencies(NULL, NULL, NULL, NULL, 0));
    R("remdep", cuGraphRemoveDependencies(NULL, &a, &b, NULL, 1));
    R("remdep0", cuGraphRemoveDependencies(NULL, NULL, NULL, NULL, 0));
    R("clone", cuGraphClone(&c, NULL));
    say(t, " out=%s", gstate(c));
    R("find", cuGraphNodeFindInClone(&n, a, NULL));
    say(t, " out=%s", nstate(n));
    R("inst", cuGraphInstantiate(&x, NULL, 0));
    R("destroy", cuGraphDestroy(NULL));
    R("exec_destroy", cuGraphExecDestroy(NULL));
    R("launch", cuGraphLaunch(NULL, NULL));
    R("upload", cuGraphUpload(NULL, NULL));
    say_counts(t, "c", g);
}

/* NULL node handle in every untyped call that takes a node. */
CASE(graph, null_node)
{
    CUgraph g, c, e = SENT_G;
    CUgraphNode a, n = SENT_N;
    CUgraphNodeType ty = (CUgraphNodeType)77;
    size_t k = 7;
    risky();
    G0(g);
    ADD_ROOT(a, g);
    OK(cuGraphClone(&c, g));
    R("type", cuGraphNodeGetType(NULL, &ty));
    say(t, " ty=%d", (int)ty);
    R("deps", cuGraphNodeGetDependencies(NULL, NULL, NULL, &k));
    R("dependents", cuGraphNodeGetDependentNodes(NULL, NULL, NULL, &k));
    say(t, " k=%zu", k);
    R("find", cuGraphNodeFindInClone(&n, NULL, c));
    say(t, " out=%s", nstate(n));
    R("child", cuGraphChildGraphNodeGetGraph(NULL, &e));
    say(t, " out=%s", gstate(e));
    R("destroy", cuGraphDestroyNode(NULL));
    say_counts(t, "c", g);
}

/* NULL out-parameters, and whether a failed add has added anything. */
CASE(graph, null_out)
{
    CUgraph g, c;
    CUgraphNode a, b, v[2];
    risky();
    G0(g);
    ADD_ROOT(a, g);
    ADD_AFTER(b, g, a);
    OK(cuGraphClone(&c, g));
    R("nodes", cuGraphGetNodes(g, v, NULL));
    R("nodes2", cuGraphGetNodes(g, NULL, NULL));
    R("roots", cuGraphGetRootNodes(g, v, NULL));
    R("edges", cuGraphGetEdges(g, NULL, NULL, NULL, NULL));
    R("type", cuGraphNodeGetType(a, NULL));
    R("deps", cuGraphNodeGetDependencies(b, NULL, NULL, NULL));
    R("dependents", cuGraphNodeGetDependentNodes(a, v, NULL, NULL));
    R("clone", cuGraphClone(NULL, g));
    R("find", cuGraphNodeFindInClone(NULL, a, c));
    R("inst", cuGraphInstantiate(NULL, g, 0));
    R("add", cuGraphAddEmptyNode(NULL, g, NULL, 0));
    say_counts(t, "c", g);
}

/* Dependencies given to an add call: NULL with a count, a count of 0. */
CASE(graph, add_deps_null)
{
    CUgraph g;
    CUgraphNode a, n = SENT_N;
    size_t k = 9;
    risky();
    G0(g);
    ADD_ROOT(a, g);
    R("null1", cuGraphAddEmptyNode(&n, g, NULL, 1));
    say(t, " out=%s", nstate(n));
    say_counts(t, "c", g);
    R("array0", cuGraphAddEmptyNode(&n, g, &a, 0));
    say_counts(t, "c", g);
    R("deps", cuGraphNodeGetDependencies(n, NULL, NULL, &k));
    say(t, " k=%zu", k);
}

/* Dependencies from another graph, alone and next to a good one. */
CASE(graph, add_deps_foreign)
{
    CUgraph g, h;
    CUgraphNode a, f, d[2], n = SENT_N;
    size_t k = 9;
    risky();
    G0(g);
    G0(h);
    ADD_ROOT(a, g);
    ADD_ROOT(f, h);
    R("foreign", cuGraphAddEmptyNode(&n, g, &f, 1));
    say(t, " out=%s", nstate(n));
    d[0] = a;
    d[1] = f;
    R("mixed", cuGraphAddEmptyNode(&n, g, d, 2));
    say(t, " out=%s", nstate(n));
    say_counts(t, "g", g);
    say_counts(t, "h", h);
    OK(cuGraphNodeGetDependentNodes(a, NULL, NULL, &k));
    say(t, " dependents=%zu", k);
}

/* The same dependency twice in one add call. */
CASE(graph, add_deps_duplicate)
{
    CUgraph g;
    CUgraphNode a, b, d[3], n = SENT_N;
    G0(g);
    ADD_ROOT(a, g);
    ADD_ROOT(b, g);
    d[0] = a;
    d[1] = a;
    R("aa", cuGraphAddEmptyNode(&n, g, d, 2));
    say(t, " out=%s", nstate(n));
    say_counts(t, "c", g);
    n = SENT_N;
    d[1] = b;
    d[2] = a;
    R("aba", cuGraphAddEmptyNode(&n, g, d, 3));
    say(t, " out=%s", nstate(n));
    say_counts(t, "c", g);
}

/* -------------------------------------------------------------- inspection */

/* The same of cuGraphGetRootNodes: two roots among four nodes. */
CASE(graph, get_roots_arrays)
{
    static const size_t ask[] = { 0, 1, 2, 4 };
    CUgraph g;
    CUgraphNode n[4], v[4];
    G0(g);
    ADD_ROOT(n[0], g);
    ADD_AFTER(n[1], g, n[0]);
    ADD_ROOT(n[2], g);
    ADD_AFTER(n[3], g, n[2]);
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++) {
        size_t c = ask[i];
        char l[16];
        mark_untouched(v, 4);
        snprintf(l, sizeof l, "ask%zu", ask[i]);
        R(l, cuGraphGetRootNodes(g, v, &c));
        say(t, " n=%zu", c);
        say_list(t, "v", v, 4, n, 4);
    }
}

/* The same of cuGraphGetEdges: three edges. */
CASE(graph, get_edges_arrays)
{
    static const size_t ask[] = { 0, 1, 3, 5 };
    CUgraph g;
    CUgraphNode n[4], v[5], w[5];
    G0(g);
    ADD_ROOT(n[0], g);
    for (int i = 1; i < 4; i++) ADD_AFTER(n[i], g, n[i - 1]);
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++) {
        size_t c = ask[i];
        char l[16];
        mark_untouched(v, 5);
        mark_untouched(w, 5);
        snprintf(l, sizeof l, "ask%zu", ask[i]);
        R(l, cuGraphGetEdges(g, v, w, NULL, &c));
        say(t, " n=%zu", c);
        say_list(t, "from", v, 5, n, 4);
        say_list(t, "to", w, 5, n, 4);
    }
}

/* Edge data of ordinary edges comes back zeroed; what the tail gets. */
CASE(graph, get_edges_data)
{
    CUgraph g;
    CUgraphNode a, b, v[2], w[2];
    CUgraphEdgeData d[2];
    CUgraphEdgeData z;
    size_t c = 2;
    G0(g);
    ADD_ROOT(a, g);
    ADD_AFTER(b, g, a);
    memset(&z, 0, sizeof z);
    memset(d, 0x33, sizeof d);
    R("edges", cuGraphGetEdges(g, v, w, d, &c));
    say(t, " n=%zu zero=%d tail_zero=%d tail_kept=%d", c, !memcmp(d, &z, sizeof z),
        !memcmp(d + 1, &z, sizeof z), d[1].type == 0x33);
    c = 2;
    memset(d, 0x33, sizeof d);
    R("deps", cuGraphNodeGetDependencies(b, v, d, &c));
    say(t, " n=%zu zero=%d tail_zero=%d tail_kept=%d", c, !memcmp(d, &z, sizeof z),
        !memcmp(d + 1, &z, sizeof z), d[1].type == 0x33);
    c = 2;
    memset(d, 0x33, sizeof d);
    R("dependents", cuGraphNodeGetDependentNodes(a, v, d, &c));
    say(t, " n=%zu zero=%d tail_zero=%d tail_kept=%d", c, !memcmp(d, &z, sizeof z),
        !memcmp(d + 1, &z, sizeof z), d[1].type == 0x33);
}

/* Order in which nodes, roots and edges are listed after a plain build. */
CASE(graph, order_build)
{
    CUgraph g;
    CUgraphNode n[6], v[6], w[8];
    size_t c;
    G0(g);
    for (int i = 0; i < 4; i++) ADD_ROOT(n[i], g);
    CUgraphNode d[] = { n[3], n[0] };
    OK(cuGraphAddEmptyNode(&n[4], g, d, 2));
    ADD_AFTER(n[5], g, n[2]);
    OK(ADD_EDGE(g, n[5], n[0]));
    OK(ADD_EDGE(g, n[1], n[0]));
    c = 6;
    OK(cuGraphGetNodes(g, v, &c));
    say_list(t, "nodes", v, c, n, 6);
    c = 6;
    OK(cuGraphGetRootNodes(g, v, &c));
    say_list(t, "roots", v, c, n, 6);
    c = 6;
    OK(cuGraphGetEdges(g, v, w, NULL, &c));
    say_list(t, "from", v, c, n, 6);
    say_list(t, "to", w, c, n, 6);
    c = 6;
    OK(cuGraphNodeGetDependencies(n[4], v, NULL, &c));
    say_list(t, "in4", v, c, n, 6);
    c = 6;
    OK(cuGraphNodeGetDependencies(n[0], v, NULL, &c));
    say_list(t, "in0", v, c, n, 6);
}

/* ------------------------------------------------------------ dependencies */

/* An edge that exists, given again; the same new edge twice in one call. */
CASE(graph, deps_duplicate)
{
    CUgraph g;
    CUgraphNode a, b, c;
    G0(g);
    ADD_ROOT(a, g);
    ADD_AFTER(b, g, a);
    ADD_ROOT(c, g);
    R("again", ADD_EDGE(g, a, b));
    say_counts(t, "c", g);
    CUgraphNode from[] = { a, a }, to[] = { c, c };
    R("twice", cuGraphAddDependencies(g, from, to, NULL, 2));
    say_counts(t, "c", g);
    R("then", ADD_EDGE(g, a, c));
    say_counts(t, "c", g);
    R("run", run_once(g));
}

/* An edge from a node to itself. */
CASE(graph, deps_self)
{
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x = NULL;
    size_t i = 9, o = 9;
    risky();
    G0(g);
    ADD_ROOT(a, g);
    R("self", ADD_EDGE(g, a, a));
    say_counts(t, "c", g);
    cuGraphNodeGetDependencies(a, NULL, NULL, &i);
    cuGraphNodeGetDependentNodes(a, NULL, NULL, &o);
    say(t, " in=%zu out=%zu", i, o);
    R("inst", cuGraphInstantiate(&x, g, 0));
}

/* Removing edges: existing, again, reversed, never there, twice in a call. */
CASE(graph, deps_remove)
{
    CUgraph g;
    CUgraphNode a, b, c;
    G0(g);
    ADD_ROOT(a, g);
    ADD_AFTER(b, g, a);
    ADD_AFTER(c, g, b);
    R("reversed", cuGraphRemoveDependencies(g, &b, &a, NULL, 1));
    R("never", cuGraphRemoveDependencies(g, &a, &c, NULL, 1));
    R("self", cuGraphRemoveDependencies(g, &a, &a, NULL, 1));
    say_counts(t, "c", g);
    R("remove", cuGraphRemoveDependencies(g, &a, &b, NULL, 1));
    say_counts(t, "c", g);
    R("again", cuGraphRemoveDependencies(g, &a, &b, NULL, 1));
    CUgraphNode from[] = { b, b }, to[] = { c, c };
    R("twice", cuGraphRemoveDependencies(g, from, to, NULL, 2));
    say_counts(t, "c", g);
    say_shape(t, g);
}

/* A removal list with a bad edge after or before a good one. */
CASE(graph, deps_remove_atomic)
{
    CUgraph g;
    CUgraphNode a, b, c;
    G0(g);
    ADD_ROOT(a, g);
    ADD_AFTER(b, g, a);
    ADD_AFTER(c, g, b);
    CUgraphNode from[] = { a, a, b }, to[] = { b, c, c };
    R("good_bad", cuGraphRemoveDependencies(g, from, to, NULL, 2));
    say_counts(t, "c", g);
    R("bad_good", cuGraphRemoveDependencies(g, from + 1, to + 1, NULL, 2));
    say_counts(t, "c", g);
}

/* Moving an edge changes what runs when: order of two kernels reversed. */
CASE(graph, deps_order_edited)
{
    CUgraph g;
    CUgraphNode a, b;
    CUdeviceptr p = dalloc(t, 4);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 3));
    OK(add_ma(t, &b, g, &a, 1, p, 2, 1));
    say_run(t, "a_b", g, p);
    R("remove", cuGraphRemoveDependencies(g, &a, &b, NULL, 1));
    R("add", ADD_EDGE(g, b, a));
    say_run(t, "b_a", g, p);
}

/* --------------------------------------------------------------- edge data */

static CUgraphEdgeData ed(int from_port, int to_port, int type)
{
    CUgraphEdgeData d;
    memset(&d, 0, sizeof d);
    d.from_port = (unsigned char)from_port;
    d.to_port = (unsigned char)to_port;
    d.type = (unsigned char)type;
    return d;
}

/* A programmatic edge between kernels: queries with and without edge data. */
CASE(graph, edge_data_lossy)
{
    CUgraph g;
    CUgraphNode a, b, v[2], w[2];
    CUgraphEdgeData d = ed(CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, 0,
                           CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC),
                    o[2];
    CUdeviceptr p = dalloc(t, 4);
    size_t c = 9;
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &b, g, NULL, 0, p, 1, 1));
    R("add", cuGraphAddDependencies(g, &a, &b, &d, 1));
    R("count", cuGraphGetEdges(g, NULL, NULL, NULL, &c));
    say(t, " n=%zu", c);
    c = 2;
    mark_untouched(v, 2);
    R("lossy", cuGraphGetEdges(g, v, w, NULL, &c));
    say(t, " n=%zu out=%s", c, nstate(v[0]));
    c = 2;
    memset(o, 0x33, sizeof o);
    R("full", cuGraphGetEdges(g, v, w, o, &c));
    say(t, " n=%zu %d,%d,%d", c, o[0].from_port, o[0].to_port, o[0].type);
    c = 9;
    R("in_count", cuGraphNodeGetDependencies(b, NULL, NULL, &c));
    say(t, " n=%zu", c);
    c = 2;
    R("in_lossy", cuGraphNodeGetDependencies(b, v, NULL, &c));
    c = 2;
    R("in_full", cuGraphNodeGetDependencies(b, v, o, &c));
    say(t, " n=%zu %d,%d,%d", c, o[0].from_port, o[0].to_port, o[0].type);
    c = 2;
    R("out_lossy", cuGraphNodeGetDependentNodes(a, v, NULL, &c));
    c = 2;
    R("out_full", cuGraphNodeGetDependentNodes(a, v, o, &c));
    say(t, " n=%zu", c);
    R("run", run_once(g));
}

/* A second edge of other data between the same two kernels. */
CASE(graph, edge_data_parallel)
{
    CUgraph g;
    CUgraphNode a, b;
    CUgraphEdgeData d = ed(1, 0, 1), l = ed(2, 0, 1);
    CUdeviceptr p = dalloc(t, 4);
    size_t i = 9;
    CUgraphExec x = NULL;
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &b, g, &a, 1, p, 1, 1));
    R("programmatic", cuGraphAddDependencies(g, &a, &b, &d, 1));
    R("launch_order", cuGraphAddDependencies(g, &a, &b, &l, 1));
    R("again", cuGraphAddDependencies(g, &a, &b, &d, 1));
    R("in", cuGraphNodeGetDependencies(b, NULL, NULL, &i));
    say(t, " n=%zu", i);
    R("inst", cuGraphInstantiate(&x, g, 0));
}

/* ------------------------------------------------------------ destroy node */

/* The middle of a chain goes: both its edges go and the rest is two roots. */
CASE(graph, destroy_node_middle)
{
    CUgraph g;
    CUgraphNode n[3], v[3];
    size_t c = 3, i = 9, o = 9;
    G0(g);
    ADD_ROOT(n[0], g);
    ADD_AFTER(n[1], g, n[0]);
    ADD_AFTER(n[2], g, n[1]);
    R("destroy", cuGraphDestroyNode(n[1]));
    n[1] = NULL;
    say_counts(t, "c", g);
    cuGraphNodeGetDependentNodes(n[0], NULL, NULL, &o);
    cuGraphNodeGetDependencies(n[2], NULL, NULL, &i);
    say(t, " out=%zu in=%zu", o, i);
    OK(cuGraphGetRootNodes(g, v, &c));
    say_list(t, "roots", v, c, n, 3);
    R("run", run_once(g));
}

/* Destroying a node after instantiation leaves the executable as it was. */
CASE(graph, destroy_node_exec_keeps)
{
    CUgraph g;
    CUgraphNode a, b;
    CUgraphExec x;
    CUdeviceptr p = dalloc(t, 4);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &b, g, &a, 1, p, 1, 10));
    OK(cuGraphInstantiate(&x, g, 0));
    R("destroy", cuGraphDestroyNode(b));
    R("go", launch_once(x));
    say(t, " v=%u", dread(t, p));
    say_run(t, "new", g, p);
}

/* Adding nodes and setting parameters after instantiation: exec unchanged. */
CASE(graph, exec_is_snapshot)
{
    CUgraph g;
    CUgraphNode a, b;
    CUgraphExec x;
    CUdeviceptr p = dalloc(t, 4);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 1));
    OK(cuGraphInstantiate(&x, g, 0));
    R("set", node_ma(t, a, p, 1, 5));
    R("add", add_ma(t, &b, g, &a, 1, p, 1, 100));
    R("go", launch_once(x));
    say(t, " v=%u", dread(t, p));
    say_run(t, "new", g, p);
}

/* ------------------------------------------------------------------ clones */

/* Edits of the original after the clone do not reach it, nor the reverse. */
CASE(graph, clone_independent)
{
    CUgraph g, c;
    CUgraphNode a, b, d, ca;
    CUdeviceptr p = dalloc(t, 4);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &b, g, &a, 1, p, 2, 0));
    OK(cuGraphClone(&c, g));
    OK(cuGraphNodeFindInClone(&ca, a, c));
    R("set", node_ma(t, a, p, 1, 50));
    R("add", add_ma(t, &d, g, &b, 1, p, 1, 1000));
    say_run(t, "clone", c, p);
    say_run(t, "orig", g, p);
    R("cset", node_ma(t, ca, p, 1, 3));
    say_run(t, "clone2", c, p);
    say_run(t, "orig2", g, p);
    R("cdestroy", cuGraphDestroyNode(ca));
    say_counts(t, "clone", c);
    say_counts(t, "orig", g);
    R("destroy", cuGraphDestroy(g));
    say_run(t, "clone3", c, p);
}

/* cuGraphNodeFindInClone where there is nothing to find. */
CASE(graph, find_in_clone_misses)
{
    CUgraph g, c, u, c2;
    CUgraphNode a, b, late, f, ca, o;
    risky();
    G0(g);
    G0(u);
    ADD_ROOT(a, g);
    ADD_AFTER(b, g, a);
    ADD_ROOT(f, u);
    OK(cuGraphClone(&c, g));
    OK(cuGraphClone(&c2, g));
    ADD_ROOT(late, g);
#define FIND(label, node, graph)                                                                   \
    o = SENT_N;                                                                                    \
    R(label, cuGraphNodeFindInClone(&o, node, graph));                                             \
    say(t, " out=%s", nstate(o))
    FIND("late", late, c);
    FIND("unrelated_graph", a, u);
    FIND("foreign_node", f, c);
    FIND("self", a, g);
    OK(cuGraphNodeFindInClone(&ca, a, c));
    FIND("own_node", ca, c);
    FIND("sibling_clone", ca, c2);
    R("destroy", cuGraphDestroyNode(ca));
    FIND("destroyed", a, c);
    FIND("other", b, c);
    FIND("in_sibling", a, c2);
#undef FIND
}

/* A clone of a clone, searched with nodes of either ancestor. */
CASE(graph, clone_of_clone)
{
    CUgraph g, c1, c2 = NULL;
    CUgraphNode a, b1, o, x;
    CUdeviceptr p = dalloc(t, 4);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 4));
    OK(cuGraphClone(&c1, g));
    OK(cuGraphNodeFindInClone(&b1, a, c1));
    R("clone", cuGraphClone(&c2, c1));
    o = SENT_N;
    R("by_parent", cuGraphNodeFindInClone(&o, b1, c2));
    say(t, " out=%s", nstate(o));
    x = SENT_N;
    R("by_grandparent", cuGraphNodeFindInClone(&x, a, c2));
    say(t, " out=%s same=%d", nstate(x), x == o);
    R("destroy_mid", cuGraphDestroy(c1));
    say_run(t, "run", c2, p);
}

/* A clone of a graph with a child: finding outer and inner nodes. */
CASE(graph, clone_with_child)
{
    CUgraph ch, g, c, eg = NULL, ec = NULL;
    CUgraphNode a, x, xc = NULL, ae, o;
    CUdeviceptr p = dalloc(t, 4);
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 2));
    G0(g);
    OK(cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    OK(cuGraphClone(&c, g));
    R("find_child_node", cuGraphNodeFindInClone(&xc, x, c));
    OK(cuGraphChildGraphNodeGetGraph(x, &eg));
    R("get", cuGraphChildGraphNodeGetGraph(xc, &ec));
    say(t, " embedded_differ=%d", eg != ec);
    ae = only_node(eg);
    o = SENT_N;
    R("orig_in_embedded", cuGraphNodeFindInClone(&o, a, eg));
    say(t, " out=%s right=%d", nstate(o), o == ae);
    o = SENT_N;
    R("embedded_in_cloned_embedded", cuGraphNodeFindInClone(&o, ae, ec));
    say(t, " out=%s right=%d", nstate(o), ec && o == only_node(ec));
    o = SENT_N;
    R("orig_in_cloned_embedded", cuGraphNodeFindInClone(&o, a, ec));
    say(t, " out=%s", nstate(o));
    o = SENT_N;
    R("embedded_in_clone", cuGraphNodeFindInClone(&o, ae, c));
    say(t, " out=%s", nstate(o));
    o = SENT_N;
    R("orig_in_parent", cuGraphNodeFindInClone(&o, a, g));
    say(t, " out=%s", nstate(o));
    OK(node_ma(t, ae, p, 1, 30));
    say_run(t, "g", g, p);
    say_run(t, "c", c, p);
    say_run(t, "ch", ch, p);
}

/* ------------------------------------------------------------ child graphs */

/* Editing or destroying the original after embedding: the node has a copy. */
CASE(graph, child_is_copy)
{
    CUgraph ch, g, e = NULL;
    CUgraphNode a, b, x = NULL;
    CUdeviceptr p = dalloc(t, 4);
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 1));
    G0(g);
    R("add", cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    R("get", cuGraphChildGraphNodeGetGraph(x, &e));
    say(t, " differ=%d", e != ch);
    OK(node_ma(t, a, p, 1, 20));
    OK(add_ma(t, &b, ch, &a, 1, p, 1, 300));
    say_counts(t, "embedded", e);
    say_run(t, "parent", g, p);
    say_run(t, "child", ch, p);
    R("destroy", cuGraphDestroy(ch));
    say_run(t, "parent2", g, p);
    say_counts(t, "embedded2", e);
}

/* Editing the embedded graph: nodes added, set, destroyed through the handle. */
CASE(graph, child_edit_embedded)
{
    CUgraph ch, g, e, e2;
    CUgraphNode a, x, ae, n = NULL;
    CUgraphExec old;
    CUdeviceptr p = dalloc(t, 4);
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 1));
    G0(g);
    OK(cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    OK(cuGraphChildGraphNodeGetGraph(x, &e));
    OK(cuGraphChildGraphNodeGetGraph(x, &e2));
    say(t, " stable=%d", e == e2);
    OK(cuGraphInstantiate(&old, g, 0));
    ae = only_node(e);
    R("set", node_ma(t, ae, p, 1, 5));
    say_run(t, "set", g, p);
    R("add", add_ma(t, &n, e, &ae, 1, p, 2, 0));
    say_counts(t, "e", e);
    say_counts(t, "ch", ch);
    say_run(t, "added", g, p);
    R("destroy", cuGraphDestroyNode(ae));
    say_counts(t, "e", e);
    R("add2", add_ma(t, &a, e, &n, 1, p, 1, 9));
    say_run(t, "destroyed", g, p);
    OK(cuMemsetD32(p, 0, 1));
    OK(cuCtxSynchronize());
    R("old", launch_once(old));
    say(t, " v=%u", dread(t, p));
}

/* One graph embedded twice in a parent: two separate copies. */
CASE(graph, child_twice)
{
    CUgraph ch, g, e1, e2;
    CUgraphNode a, x = NULL, y = NULL, a1, a2;
    CUdeviceptr p = dalloc(t, 4);
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 2, 1));
    G0(g);
    R("first", cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    R("second", cuGraphAddChildGraphNode(&y, g, &x, 1, ch));
    OK(cuGraphChildGraphNodeGetGraph(x, &e1));
    OK(cuGraphChildGraphNodeGetGraph(y, &e2));
    a1 = only_node(e1);
    a2 = only_node(e2);
    say(t, " graphs_differ=%d nodes_differ=%d", e1 != e2, a1 != a2);
    say_run(t, "run", g, p);
    OK(node_ma(t, a2, p, 10, 0));
    say_run(t, "run2", g, p);
}

/* The embedded graph's handle used like any graph: instantiated, cloned,
 * embedded elsewhere. */
CASE(graph, child_embedded_as_graph)
{
    CUgraph ch, g, e, c = NULL, h;
    CUgraphNode a, x, y = NULL;
    CUdeviceptr p = dalloc(t, 4);
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 6));
    G0(g);
    OK(cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    OK(cuGraphChildGraphNodeGetGraph(x, &e));
    say_run(t, "inst", e, p);
    R("clone", cuGraphClone(&c, e));
    if (c) say_run(t, "clone_run", c, p);
    G0(h);
    R("embed", cuGraphAddChildGraphNode(&y, h, NULL, 0, e));
    if (y) say_run(t, "embed_run", h, p);
}

/* Ten levels of embedding, each with one kernel of its own. */
CASE(graph, child_deep)
{
    CUgraph g[11], e;
    CUgraphNode n, x, v[2];
    CUdeviceptr p = dalloc(t, 4);
    G0(g[0]);
    OK(add_ma(t, &n, g[0], NULL, 0, p, 1, 1));
    for (int i = 1; i <= 10; i++) {
        G0(g[i]);
        OK(cuGraphAddChildGraphNode(&x, g[i], NULL, 0, g[i - 1]));
        OK(add_ma(t, &n, g[i], &x, 1, p, 1, 1));
    }
    say_run(t, "run", g[10], p);
    e = g[10];
    int depth = 0;
    for (;;) {
        size_t k = 2, j;
        CUgraphNodeType ty;
        OK(cuGraphGetNodes(e, v, &k));
        for (j = 0; j < k && j < 2; j++) {
            OK(cuGraphNodeGetType(v[j], &ty));
            if (ty == CU_GRAPH_NODE_TYPE_GRAPH) break;
        }
        if (j == k || j == 2) break;
        OK(cuGraphChildGraphNodeGetGraph(v[j], &e));
        depth++;
    }
    say(t, " depth=%d", depth);
    OK(cuGraphGetNodes(e, v, &(size_t){ 2 }));
    OK(node_ma(t, v[0], p, 1, 100));
    say_run(t, "edited", g[10], p);
    say_run(t, "level9", g[9], p);
}

/* An empty child graph between two kernels keeps their order. */
CASE(graph, child_empty)
{
    CUgraph ch, g, e;
    CUgraphNode a, x = NULL, b;
    CUdeviceptr p = dalloc(t, 4);
    G0(ch);
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 3));
    R("add", cuGraphAddChildGraphNode(&x, g, &a, 1, ch));
    OK(add_ma(t, &b, g, &x, 1, p, 2, 0));
    OK(cuGraphChildGraphNodeGetGraph(x, &e));
    say_counts(t, "e", e);
    say_run(t, "run", g, p);
}

/* NULL child; the embedded graph asked of nodes that have none. */
CASE(graph, child_bad_args)
{
    CUgraph g, ch, e = SENT_G;
    CUgraphNode a, x = SENT_N;
    risky();
    G0(g);
    G0(ch);
    ADD_ROOT(a, g);
    R("null_child", cuGraphAddChildGraphNode(&x, g, NULL, 0, NULL));
    say(t, " out=%s", nstate(x));
    R("null_graph", cuGraphAddChildGraphNode(&x, NULL, NULL, 0, ch));
    R("null_out", cuGraphAddChildGraphNode(NULL, g, NULL, 0, ch));
    R("get_empty", cuGraphChildGraphNodeGetGraph(a, &e));
    say(t, " out=%s", gstate(e));
    say_counts(t, "g", g);
    OK(cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    R("get_null", cuGraphChildGraphNodeGetGraph(x, NULL));
}

/* Destroying the child node: parent's shape, and the rest still runs. */
CASE(graph, child_destroy_node)
{
    CUgraph ch, g;
    CUgraphNode a, x, b, c;
    CUdeviceptr p = dalloc(t, 4);
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 100));
    G0(g);
    OK(add_ma(t, &b, g, NULL, 0, p, 1, 1));
    OK(cuGraphAddChildGraphNode(&x, g, &b, 1, ch));
    OK(cuGraphAddEmptyNode(&c, g, &x, 1));
    say_shape(t, g);
    R("destroy", cuGraphDestroyNode(x));
    say_shape(t, g);
    say_run(t, "parent", g, p);
    say_run(t, "child", ch, p);
}

static CUgraphNodeParams child_params(CUgraph ch, int ownership)
{
    CUgraphNodeParams np;
    memset(&np, 0, sizeof np);
    np.type = CU_GRAPH_NODE_TYPE_GRAPH;
    np.graph.graph = ch;
    np.graph.ownership = (CUgraphChildGraphNodeOwnership)ownership;
    return np;
}

/* cuGraphAddNode with ownership CLONE: what the params hold afterwards. */
CASE(graph, child_addnode_clone)
{
    CUgraph ch, g, e;
    CUgraphNode a, x = NULL;
    CUgraphNodeParams np;
    CUdeviceptr p = dalloc(t, 4);
    risky();
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 1));
    G0(g);
    np = child_params(ch, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE);
    R("add", cuGraphAddNode(&x, g, NULL, NULL, 0, &np));
    if (!x) return;
    OK(cuGraphChildGraphNodeGetGraph(x, &e));
    say(t, " params_graph=%s embedded_is_orig=%d own=%d",
        np.graph.graph == ch  ? "orig"
        : np.graph.graph == e ? "embedded"
                              : "other",
        e == ch, (int)np.graph.ownership);
    say_run(t, "run", g, p);
    np = child_params(NULL, 0);
    R("null", cuGraphAddNode(&x, g, NULL, NULL, 0, &np));
    np = child_params(ch, 2);
    R("own2", cuGraphAddNode(&x, g, NULL, NULL, 0, &np));
    np = child_params(ch, -1);
    R("own-1", cuGraphAddNode(&x, g, NULL, NULL, 0, &np));
    say_counts(t, "g", g);
}

/* Ownership MOVE: the handle stays the same graph, now the parent's. */
CASE(graph, child_move)
{
    CUgraph ch, g, e = NULL, h;
    CUgraphNode a, b, x = NULL, y = NULL;
    CUgraphNodeParams np;
    CUgraphExec ex = NULL;
    CUdeviceptr p = dalloc(t, 4);
    risky();
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 1));
    G0(g);
    G0(h);
    np = child_params(ch, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
    R("move", cuGraphAddNode(&x, g, NULL, NULL, 0, &np));
    if (!x) return;
    R("get", cuGraphChildGraphNodeGetGraph(x, &e));
    say(t, " same=%d params_same=%d", e == ch, np.graph.graph == ch);
    R("set", node_ma(t, a, p, 1, 5));
    R("add", add_ma(t, &b, ch, &a, 1, p, 2, 0));
    say_run(t, "run", g, p);
    R("inst_child", cuGraphInstantiate(&ex, ch, 0));
    np = child_params(ch, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
    R("move_again", cuGraphAddNode(&y, h, NULL, NULL, 0, &np));
    np = child_params(ch, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE);
    R("clone_elsewhere", cuGraphAddNode(&y, h, NULL, NULL, 0, &np));
    say_counts(t, "h", h);
    R("destroy_parent", cuGraphDestroy(g));
}

/* A moved child's own handle may not be destroyed. */
CASE(graph, child_move_destroy)
{
    CUgraph ch, g;
    CUgraphNode a, x = NULL;
    CUgraphNodeParams np;
    CUdeviceptr p = dalloc(t, 4);
    risky();
    G0(ch);
    OK(add_ma(t, &a, ch, NULL, 0, p, 1, 1));
    G0(g);
    np = child_params(ch, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
    OK(cuGraphAddNode(&x, g, NULL, NULL, 0, &np));
    CUresult r = cuGraphDestroy(ch);
    R("destroy_child", r);
    if (r) say_run(t, "run", g, p);
}

/* A graph moved into itself. */
CASE(graph, child_move_self)
{
    CUgraph g;
    CUgraphNode a, x = SENT_N;
    CUgraphNodeParams np;
    risky();
    G0(g);
    ADD_ROOT(a, g);
    np = child_params(g, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
    CUresult r = cuGraphAddNode(&x, g, NULL, NULL, 0, &np);
    R("self", r);
    if (r) {
        say(t, " out=%s", nstate(x));
        say_counts(t, "g", g);
        R("run", run_once(g));
    }
}

/* --------------------------------------------------------------------- DOT */

static int count_of(const char *hay, const char *needle)
{
    int n = 0;
    for (const char *s = hay; (s = strstr(s, needle)); s += strlen(needle)) n++;
    return n;
}

/* Whole file as a string, NULL where it cannot be opened. */
static char *text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *b = calloc(1, 1 << 20);
    size_t n = fread(b, 1, (1 << 20) - 1, f);
    b[n] = 0;
    fclose(f);
    return b;
}

static void dot_say(T *t, const char *label, CUgraph g, unsigned flags)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/oracle_dot_%d", (int)getpid());
    unlink(path);
    CUresult r = cuGraphDebugDotPrint(g, path, flags);
    char *s = text(path);
    if (!s)
        say(t, " %s=%s:nofile", label, ename(r));
    else
        say(t, " %s=%s:%s,arrows=%d,braces=%d", label, ename(r),
            strncmp(s, "digraph", 7) ? "other" : "digraph", count_of(s, "->"),
            count_of(s, "{") == count_of(s, "}"));
    free(s);
    unlink(path);
}

/* Empty graph, graph with no edges, graph with a child of two nodes. */
CASE(graph, dot_shapes)
{
    CUgraph g, h, ch;
    CUgraphNode a, b, x;
    G0(g);
    dot_say(t, "empty", g, 0);
    ADD_ROOT(a, g);
    ADD_ROOT(b, g);
    dot_say(t, "no_edges", g, 0);
    G0(ch);
    ADD_ROOT(a, ch);
    ADD_AFTER(b, ch, a);
    G0(h);
    ADD_ROOT(a, h);
    OK(cuGraphAddChildGraphNode(&x, h, &a, 1, ch));
    dot_say(t, "child", h, 0);
    dot_say(t, "child_verbose", h, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
}

/* Paths that cannot be written, an existing longer file, NULLs. */
CASE(graph, dot_paths)
{
    CUgraph g;
    CUgraphNode a;
    char path[64];
    risky();
    G0(g);
    ADD_ROOT(a, g);
    R("nodir", cuGraphDebugDotPrint(g, "/nonexistent_dir_oracle/x.dot", 0));
    R("isdir", cuGraphDebugDotPrint(g, "/tmp", 0));
    R("emptypath", cuGraphDebugDotPrint(g, "", 0));
    R("nullpath", cuGraphDebugDotPrint(g, NULL, 0));
    snprintf(path, sizeof path, "/tmp/oracle_dotn_%d", (int)getpid());
    R("nullgraph", cuGraphDebugDotPrint(NULL, path, 0));
    say(t, " file=%d", access(path, F_OK) == 0);
    FILE *f = fopen(path, "w");
    if (!f) return;
    for (int i = 0; i < 20000; i++) fputc('#', f);
    fclose(f);
    R("over", cuGraphDebugDotPrint(g, path, 0));
    char *s = text(path);
    say(t, " truncated=%d", s && !strchr(s, '#'));
    free(s);
    unlink(path);
}

/* ------------------------------------------------------------ user objects */

static int u_count;
static void *u_ptr;
static void CUDA_CB u_dtor(void *p)
{
    u_ptr = p;
    __atomic_add_fetch(&u_count, 1, __ATOMIC_SEQ_CST);
}

/* Destructor runs so far, after up to a second for `want` of them to come
 * and a little longer for one too many. */
static int u_wait(int want)
{
    for (int i = 0; i < 1000 && __atomic_load_n(&u_count, __ATOMIC_SEQ_CST) < want; i++) msleep(1);
    msleep(20);
    return __atomic_load_n(&u_count, __ATOMIC_SEQ_CST);
}

#define UO(o, count)                                                                               \
    OK(cuUserObjectCreate(&(o), &u_count, u_dtor, count, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC))

/* Arguments of cuUserObjectCreate. */
CASE(graph, userobj_create_args)
{
    CUuserObject o = NULL;
    risky();
    R("good", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 1));
    R("null_out", cuUserObjectCreate(NULL, &u_count, u_dtor, 1, 1));
    R("null_dtor", cuUserObjectCreate(&o, &u_count, NULL, 1, 1));
    R("count0", cuUserObjectCreate(&o, &u_count, u_dtor, 0, 1));
    R("count_max", cuUserObjectCreate(&o, &u_count, u_dtor, 0x7fffffffu, 1));
    R("count_over", cuUserObjectCreate(&o, &u_count, u_dtor, 0x80000000u, 1));
    R("flags0", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 0));
    R("flags2", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 2));
    R("flags3", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 3));
    R("null_ptr", cuUserObjectCreate(&o, NULL, u_dtor, 1, 1));
    say(t, " runs=%d", u_wait(0));
}

/* Arguments of the graph's retain and release. */
CASE(graph, userobj_graph_args)
{
    CUuserObject o, other;
    CUgraph g;
    risky();
    UO(o, 1);
    UO(other, 1);
    G0(g);
    R("null_graph", cuGraphRetainUserObject(NULL, o, 1, 0));
    R("null_obj", cuGraphRetainUserObject(g, NULL, 1, 0));
    R("count0", cuGraphRetainUserObject(g, o, 0, 0));
    R("over", cuGraphRetainUserObject(g, o, 0x80000000u, 0));
    R("flags2", cuGraphRetainUserObject(g, o, 1, 2));
    R("flags3", cuGraphRetainUserObject(g, o, 1, 3));
    R("good", cuGraphRetainUserObject(g, o, 1, 0));
    R("rel_null_graph", cuGraphReleaseUserObject(NULL, o, 1));
    R("rel_null_obj", cuGraphReleaseUserObject(g, NULL, 1));
    R("rel_count0", cuGraphReleaseUserObject(g, o, 0));
    R("rel_other", cuGraphReleaseUserObject(g, other, 1));
    R("rel", cuGraphReleaseUserObject(g, o, 1));
    R("rel_again", cuGraphReleaseUserObject(g, o, 1));
    say(t, " runs=%d", u_wait(0));
}

/* MOVE hands the caller's reference over; without it there are two. */
CASE(graph, userobj_move)
{
    CUuserObject a, b;
    CUgraph g, h;
    UO(a, 1);
    UO(b, 1);
    G0(g);
    G0(h);
    R("move", cuGraphRetainUserObject(g, a, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("share", cuGraphRetainUserObject(h, b, 1, 0));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
    R("destroy_h", cuGraphDestroy(h));
    say(t, " runs=%d", u_wait(0));
    R("release", cuUserObjectRelease(b, 1));
    say(t, " runs=%d", u_wait(2));
}

/* Several references held by one graph, one given back, the rest at destroy. */
CASE(graph, userobj_graph_counts)
{
    CUuserObject o;
    CUgraph g, h;
    UO(o, 1);
    G0(g);
    G0(h);
    R("g3", cuGraphRetainUserObject(g, o, 3, 0));
    R("h1", cuGraphRetainUserObject(h, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("g_release1", cuGraphReleaseUserObject(g, o, 1));
    R("g_release5", cuGraphReleaseUserObject(g, o, 5));
    say(t, " runs=%d", u_wait(0));
    R("destroy_h", cuGraphDestroy(h));
    say(t, " runs=%d", u_wait(0));
    R("g_release2", cuGraphReleaseUserObject(g, o, 2));
    say(t, " runs=%d", u_wait(1));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
}

/* A clone holds references of its own. */
CASE(graph, userobj_clone)
{
    CUuserObject o;
    CUgraph g, c = NULL;
    UO(o, 1);
    G0(g);
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("clone", cuGraphClone(&c, g));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(0));
    R("destroy_c", cuGraphDestroy(c));
    say(t, " runs=%d", u_wait(1));
}

/* An executable holds references; one attached later is not its own. */
CASE(graph, userobj_exec)
{
    CUuserObject o, late;
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    UO(o, 1);
    UO(late, 1);
    G0(g);
    ADD_ROOT(a, g);
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphRetainUserObject(g, late, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
    R("go", launch_once(x));
    say(t, " runs=%d", u_wait(1));
    R("destroy_x", cuGraphExecDestroy(x));
    say(t, " runs=%d", u_wait(2));
}

/* An embedded child graph holds references for the parent. */
CASE(graph, userobj_child)
{
    CUuserObject o;
    CUgraph ch, g;
    CUgraphNode a, x;
    CUgraphExec ex;
    UO(o, 1);
    G0(ch);
    ADD_ROOT(a, ch);
    OK(cuGraphRetainUserObject(ch, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    G0(g);
    OK(cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    R("destroy_child", cuGraphDestroy(ch));
    say(t, " runs=%d", u_wait(0));
    OK(cuGraphInstantiate(&ex, g, 0));
    R("destroy_node", cuGraphDestroyNode(x));
    say(t, " runs=%d", u_wait(0));
    R("destroy_x", cuGraphExecDestroy(ex));
    say(t, " runs=%d", u_wait(1));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
}

/* A launch in flight keeps the object, graph and executable destroyed. */
CASE(graph, userobj_in_flight)
{
    static Hold held;
    CUuserObject o;
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    CUstream s;
    CUDA_HOST_NODE_PARAMS hp = { .fn = hold, .userData = &held };
    UO(o, 1);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    G0(g);
    OK(cuGraphAddHostNode(&a, g, NULL, 0, &hp));
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphDestroy(g));
    OK(cuGraphLaunch(x, s));
    R("destroy_x", cuGraphExecDestroy(x));
    int blocked = LOAD(held.expired);
    say(t, " blocked=%d runs=%d", blocked, u_wait(0));
    STORE(held.open, 1);
    R("sync", cuStreamSynchronize(s));
    say(t, " runs=%d", u_wait(1));
}

/* -------------------------------------------------------------------- size */

/* A chain of 100000 empty nodes: counts and ends. */
CASE(graph, large_chain)
{
    enum { N = 100000 };
    CUgraph g;
    CUgraphNode *n = calloc(N, sizeof *n), *v = calloc(N, sizeof *v), d = NULL;
    size_t c = N, i = 9, o = 9;
    risky();
    G0(g);
    for (int k = 0; k < N; k++) OK(cuGraphAddEmptyNode(&n[k], g, k ? &n[k - 1] : NULL, k > 0));
    say_counts(t, "c", g);
    R("nodes", cuGraphGetNodes(g, v, &c));
    say(t, " n=%zu", c);
    OK(cuGraphNodeGetDependencies(n[N - 1], NULL, NULL, &i));
    OK(cuGraphNodeGetDependentNodes(n[N - 1], NULL, NULL, &o));
    say(t, " last=%zu/%zu", i, o);
    i = 1;
    OK(cuGraphNodeGetDependencies(n[N / 2], &d, NULL, &i));
    say(t, " mid=%d", d == n[N / 2 - 1]);
    R("cut", cuGraphDestroyNode(n[N / 2]));
    say_counts(t, "c", g);
    R("destroy", cuGraphDestroy(g));
}

/* A chain of 20000 empty nodes cloned, instantiated and run. */
CASE(graph, large_chain_run)
{
    enum { N = 20000 };
    CUgraph g, c = NULL;
    CUgraphNode *n = calloc(N, sizeof *n);
    risky();
    G0(g);
    for (int k = 0; k < N; k++) OK(cuGraphAddEmptyNode(&n[k], g, k ? &n[k - 1] : NULL, k > 0));
    R("clone", cuGraphClone(&c, g));
    if (c) say_counts(t, "c", c);
    R("run", run_once(g));
    R("destroy", cuGraphDestroy(g));
}

/* One root, 5000 children, one join; then the root goes. */
CASE(graph, large_fan)
{
    enum { N = 5000 };
    CUgraph g;
    CUgraphNode root, join = NULL, *n = calloc(N, sizeof *n);
    size_t i = 9, o = 9;
    risky();
    G0(g);
    ADD_ROOT(root, g);
    for (int k = 0; k < N; k++) OK(cuGraphAddEmptyNode(&n[k], g, &root, 1));
    R("join", cuGraphAddEmptyNode(&join, g, n, N));
    say_counts(t, "c", g);
    OK(cuGraphNodeGetDependencies(join, NULL, NULL, &i));
    OK(cuGraphNodeGetDependentNodes(root, NULL, NULL, &o));
    say(t, " in=%zu out=%zu", i, o);
    R("run", run_once(g));
    R("destroy_root", cuGraphDestroyNode(root));
    say_counts(t, "c", g);
}

static void build_one(void *arg)
{
    CUgraph g = NULL;
    CUgraphNode n, last = NULL;
    CUresult r = cuGraphCreate(&g, 0);
    for (int i = 0; !r && i < 500; i++) {
        r = cuGraphAddEmptyNode(&n, g, last ? &last : NULL, last != NULL);
        last = n;
    }
    size_t e = 0;
    if (!r) r = cuGraphGetEdges(g, NULL, NULL, NULL, &e);
    if (!r) r = run_once(g);
    if (!r && e != 499) r = CUDA_ERROR_UNKNOWN;
    ((Reply *)arg)->r = r;
    ((Reply *)arg)->p = g;
}

typedef struct {
    T *t;
    Reply rep;
} Worker;
static void *worker(void *p)
{
    Worker *w = p;
    cuCtxSetCurrent(w->t->ctx);
    build_one(&w->rep);
    return NULL;
}

/* Four threads building separate graphs; the main thread reads them after. */
CASE(graph, threads_separate)
{
    Worker w[4];
    pthread_t th[4];
    for (int i = 0; i < 4; i++) {
        w[i] = (Worker){ t, { CUDA_ERROR_UNKNOWN, NULL } };
        pthread_create(&th[i], NULL, worker, &w[i]);
    }
    for (int i = 0; i < 4; i++) pthread_join(th[i], NULL);
    for (int i = 0; i < 4; i++) {
        say(t, " r=%s", ename(w[i].rep.r));
        if (w[i].rep.p) say_counts(t, "c", w[i].rep.p);
    }
}
