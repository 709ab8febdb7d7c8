/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: dependencies and the data of edges.
 */
#include "graph_shapes.h"

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
