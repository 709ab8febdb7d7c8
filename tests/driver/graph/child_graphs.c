/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: child graphs.
 */
#include "graph_shapes.h"

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
