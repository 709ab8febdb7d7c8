/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: destroyed nodes.
 */
#include "graph_shapes.h"

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
