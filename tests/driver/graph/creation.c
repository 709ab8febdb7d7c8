/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: creation, and what it refuses.
 */
#include "graph_shapes.h"

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
