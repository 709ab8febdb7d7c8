/* SPDX-License-Identifier: Apache-2.0
 *
 * Memset nodes.
 */
#include "node_params.h"

static void try_memset(T *t, const char *label, CUDA_MEMSET_NODE_PARAMS p)
{
    CUgraph g;
    CUgraphNode n;
    OK(cuGraphCreate(&g, 0));
    say_tried(t, label, g, cuGraphAddMemsetNode(&n, g, NULL, 0, &p, t->ctx));
}

/* What goes in comes out, pitch of a single row included. */
CASE(node, memset_roundtrip)
{
    static const size_t in[][4] = {
        { 1, 5, 1, 0 }, { 2, 5, 1, 3 }, { 4, 5, 1, 777 }, { 4, 5, 2, 64 }, { 1, 5, 3, 16 }
    };
    CUdeviceptr d = dalloc(t, 1024);
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
        CUgraph g;
        CUgraphNode n;
        CUDA_MEMSET_NODE_PARAMS m = mset(d, 0x12, (unsigned)in[i][0], in[i][1], in[i][2], in[i][3]),
                                o;
        G0(g);
        CUresult r = cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx);
        say(t, " add=%s", ename(r));
        if (r) continue;
        memset(&o, 0x33, sizeof o);
        OK(cuGraphMemsetNodeGetParams(n, &o));
        say(t, " dst=%d pitch=%zu value=%x es=%u w=%zu h=%zu", o.dst == d, o.pitch, o.value,
            o.elementSize, o.width, o.height);
    }
}

/* Element sizes, extents, pitches and alignments. */
CASE(node, memset_bad)
{
    CUdeviceptr d = dalloc(t, 1024);
    static const unsigned es[] = { 0, 1, 2, 3, 4, 8, 16 };
    risky();
    for (size_t i = 0; i < sizeof es / sizeof *es; i++) {
        char l[16];
        snprintf(l, sizeof l, "es%u", es[i]);
        try_memset(t, l, mset(d, 0, es[i], 4, 1, 0));
    }
    try_memset(t, "w0", mset(d, 0, 4, 0, 1, 0));
    try_memset(t, "h0", mset(d, 0, 4, 4, 0, 0));
    try_memset(t, "w0h0", mset(d, 0, 4, 0, 0, 0));
    try_memset(t, "h2pitch0", mset(d, 0, 4, 4, 2, 0));
    try_memset(t, "h2pitch15", mset(d, 0, 4, 4, 2, 15));
    try_memset(t, "h2pitch16", mset(d, 0, 4, 4, 2, 16));
    try_memset(t, "h2pitch18", mset(d, 0, 4, 4, 2, 18));
    try_memset(t, "es2off1", mset(d + 1, 0, 2, 4, 1, 0));
    try_memset(t, "es4off1", mset(d + 1, 0, 4, 4, 1, 0));
    try_memset(t, "es4off2", mset(d + 2, 0, 4, 4, 1, 0));
    try_memset(t, "es1off1", mset(d + 1, 0, 1, 4, 1, 0));
}

/* A value wider than the element: refused, or cut when it runs. */
CASE(node, memset_value_width)
{
    static const unsigned es[] = { 1, 2 };
    CUdeviceptr d = dalloc(t, 64);
    for (int i = 0; i < 2; i++) {
        CUgraph g;
        CUgraphNode n;
        CUDA_MEMSET_NODE_PARAMS m = mset(d, 0x12345678, es[i], 4 / es[i], 1, 0), o;
        G0(g);
        CUresult r = cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx);
        say(t, " es%u=%s", es[i], ename(r));
        if (r) continue;
        OK(cuGraphMemsetNodeGetParams(n, &o));
        say(t, " value=%x", o.value);
        R("run", launch_graph_once(g));
        say(t, " v=%x", dread(t, d));
    }
}

/* Setting: changes of every field; a bad set leaves the old values. */
CASE(node, memset_set)
{
    CUdeviceptr d = dalloc(t, 256);
    CUgraph g;
    CUgraphNode n;
    CUDA_MEMSET_NODE_PARAMS m = mset(d, 7, 4, 4, 1, 0), o, b;
    G0(g);
    OK(cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx));
    b = m;
    b.elementSize = 3;
    R("es3", cuGraphMemsetNodeSetParams(n, &b));
    b = m;
    b.width = 0;
    R("w0", cuGraphMemsetNodeSetParams(n, &b));
    b = m;
    b.dst = 0;
    R("null", cuGraphMemsetNodeSetParams(n, &b));
    OK(cuGraphMemsetNodeGetParams(n, &o));
    say(t, " dst=%d es=%u w=%zu value=%u", o.dst == d, o.elementSize, o.width, o.value);
    m = mset(d + 8, 0x1234, 2, 3, 2, 32);
    R("good", cuGraphMemsetNodeSetParams(n, &m));
    OK(cuGraphMemsetNodeGetParams(n, &o));
    say(t, " dst=%d es=%u w=%zu h=%zu pitch=%zu value=%x", o.dst == d + 8, o.elementSize, o.width,
        o.height, o.pitch, o.value);
    R("run", launch_graph_once(g));
    say(t, " v=%x,%x,%x", dread(t, d + 8), dread(t, d + 12), dread(t, d + 40));
}
