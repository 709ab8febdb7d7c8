/* SPDX-License-Identifier: Apache-2.0
 *
 * Captured launches of graphs.
 */
#include "captures.h"

static void say_set(T *t, const char *label, CUgraphNode n)
{
    CUDA_MEMSET_NODE_PARAMS m;
    memset(&m, 0, sizeof m);
    if (!n) {
        say(t, " %s=nonode", label);
        return;
    }
    CUresult r = cuGraphMemsetNodeGetParams(n, &m);
    say(t, " %s=%s{v=%x size=%u w=%zu h=%zu pitch=%zu}", label, ename(r), m.value, m.elementSize,
        m.width, m.height, m.height > 1 ? m.pitch : 0);
}

/* Graph and executable were changed since: which of them is captured? */
CASE(capop, graph_launch_updated)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL, c = NULL;
    CUgraphNode n = NULL, cn = NULL, off = NULL;
    CUgraphExec x = NULL;
    CUDA_MEMSET_NODE_PARAMS m;
    size_t k = 1;
    memset(&m, 0, sizeof m);
    m.dst = p;
    m.value = 5;
    m.elementSize = 4;
    m.width = 1;
    m.height = 1;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemsetNode(&n, g, NULL, 0, &m, t->ctx));
    OK(cuGraphInstantiate(&x, g, 0));
    m.value = 6;
    OK(cuGraphExecMemsetNodeSetParams(x, n, &m, t->ctx));
    m.value = 7;
    OK(cuGraphMemsetNodeSetParams(n, &m));
    m.dst = p + 4;
    OK(cuGraphAddMemsetNode(&off, g, NULL, 0, &m, t->ctx));
    OK(cuStreamBeginCapture(s, RELAXED));
    R("launch", cuGraphLaunch(x, s));
    CUgraphNode child = last_captured(s);
    CUgraph h = capture_end(t, s);
    if (child) {
        R("child", cuGraphChildGraphNodeGetGraph(child, &c));
        R("nodes", cuGraphGetNodes(c, NULL, &k));
        say(t, " n=%zu", k);
        k = 1;
        cuGraphGetNodes(c, &cn, &k);
        if (cn) say_set(t, "node", cn);
    }
    m.dst = p;
    m.value = 8;
    R("later", cuGraphExecMemsetNodeSetParams(x, n, &m, t->ctx));
    if (h) R("run", run_captured(h, s));
    say(t, " v=%u w=%u", dread(t, p), dread(t, p + 4));
}

CASE(capop, graph_launch_empty)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUgraph g = NULL;
    CUgraphExec x = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", cuGraphLaunch(x, s));
    say_dependencies(t, "deps", s);
    R("upload", cuGraphUpload(x, s));
    say_status(t, "s", s);
    say_dependencies(t, "deps", s);
    CUgraph h = capture_end(t, s);
    say_topology(t, h);
    if (h) R("run", run_captured(h, s));
}

/* Graphs with allocation nodes are not nested. */
CASE(capop, graph_launch_alloc)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = 0;
    CUgraphExec x = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(cuMemAllocAsync(&d, 64, s));
    OK(cuMemFreeAsync(d, s));
    CUgraph g = capture_end(t, s);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("launch", cuGraphLaunch(x, s));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
}
