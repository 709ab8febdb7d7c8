/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: inspection.
 */
#include "graph_shapes.h"

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
