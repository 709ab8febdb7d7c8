/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: clones.
 */
#include "graph_shapes.h"

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
