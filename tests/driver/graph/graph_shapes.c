/* SPDX-License-Identifier: Apache-2.0 */
#include "graph_shapes.h"

void say_list(T *t, const char *label, CUgraphNode *v, size_t n, CUgraphNode *known, size_t nk)
{
    say(t, " %s=", label);
    for (size_t i = 0; i < n; i++) {
        char c = v[i] == NULL ? '-' : v[i] == SENT_N ? '!' : '?';
        for (size_t k = 0; k < nk; k++)
            if (v[i] == known[k] && v[i]) c = (char)('A' + k);
        say(t, "%c", c);
    }
}

void mark_untouched(CUgraphNode *v, size_t n)
{
    for (size_t i = 0; i < n; i++) v[i] = SENT_N;
}

CUgraphNode only_node(CUgraph g)
{
    CUgraphNode n = NULL;
    size_t k = 1;
    cuGraphGetNodes(g, &n, &k);
    return n;
}

void say_counts(T *t, const char *label, CUgraph g)
{
    size_t n = 999, e = 999, r = 999;
    cuGraphGetNodes(g, NULL, &n);
    cuGraphGetEdges(g, NULL, NULL, NULL, &e);
    cuGraphGetRootNodes(g, NULL, &r);
    say(t, " %s=%zu/%zu/%zu", label, n, e, r);
}

CUresult launch_once(CUgraphExec x)
{
    CUstream s;
    CUresult r = cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    if (r) return r;
    r = cuGraphLaunch(x, s);
    CUresult q = cuStreamSynchronize(s);
    cuStreamDestroy(s);
    return r ? r : q;
}

CUresult run_once(CUgraph g)
{
    CUgraphExec x = NULL;
    CUresult r = cuGraphInstantiate(&x, g, 0);
    if (r) return r;
    r = launch_once(x);
    CUresult d = cuGraphExecDestroy(x);
    return r ? r : d;
}

void say_run(T *t, const char *label, CUgraph g, CUdeviceptr p)
{
    CUresult z = cuMemsetD32(p, 0, 1);
    if (!z) z = cuCtxSynchronize();
    CUresult r = z ? z : run_once(g);
    say(t, " %s=%s:%u", label, ename(r), dread(t, p));
}
