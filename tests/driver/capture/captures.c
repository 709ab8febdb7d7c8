/* SPDX-License-Identifier: Apache-2.0 */
#include "captures.h"

const char *capture_state(CUstreamCaptureStatus st)
{
    switch ((int)st) {
    case 0: return "none";
    case 1: return "active";
    case 2: return "invalid";
    }
    return "untouched";
}

void say_status(T *t, const char *label, CUstream s)
{
    CUstreamCaptureStatus st = 99;
    CUresult r = cuStreamIsCapturing(s, &st);
    say(t, " %s=%s", label, r ? ename(r) : capture_state(st));
}

CUstream create_stream(T *t, unsigned flags)
{
    CUstream s = NULL;
    CUresult r = cuStreamCreate(&s, flags);
    if (r) say(t, " SETUP:stream=%s", ename(r));
    return s;
}

CUevent create_event(T *t)
{
    CUevent e = NULL;
    CUresult r = cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
    if (r) say(t, " SETUP:event=%s", ename(r));
    return e;
}

CUresult capture_mark(CUdeviceptr p, char c, CUstream s)
{
    return cuMemsetD32Async(p, (unsigned char)c, 1, s);
}

void node_label(CUgraphNode n, char *b, size_t z)
{
    CUgraphNodeType ty = 99;
    CUDA_MEMSET_NODE_PARAMS mp;
    memset(&mp, 0, sizeof mp);
    cuGraphNodeGetType(n, &ty);
    if (ty == CU_GRAPH_NODE_TYPE_MEMSET && cuGraphMemsetNodeGetParams(n, &mp) == CUDA_SUCCESS &&
        mp.value >= 'A' && mp.value <= 'Z')
        snprintf(b, z, "%c", (int)mp.value);
    else
        snprintf(b, z, "%s", ntype(ty));
}

static int by_label(const void *a, const void *b)
{
    return strcmp(a, b);
}

void say_dependencies(T *t, const char *label, CUstream s)
{
    CUstreamCaptureStatus st = 99;
    const CUgraphNode *d = NULL;
    size_t n = 0;
    char b[32][32];
    CUresult r = cuStreamGetCaptureInfo(s, &st, NULL, NULL, &d, NULL, &n);
    if (r || st != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        say(t, " %s=%s", label, r ? ename(r) : capture_state(st));
        return;
    }
    if (n > 32) n = 32;
    for (size_t i = 0; i < n; i++) node_label(d[i], b[i], sizeof b[i]);
    qsort(b, n, sizeof b[0], by_label);
    say(t, " %s=[", label);
    for (size_t i = 0; i < n; i++) say(t, "%s%s", i ? "," : "", b[i]);
    say(t, "]");
}

void say_topology(T *t, CUgraph g)
{
    size_t n = 0, m = 0;
    if (!g) {
        say(t, " topo=null");
        return;
    }
    CUresult r = cuGraphGetNodes(g, NULL, &n);
    CUresult q = cuGraphGetEdges(g, NULL, NULL, NULL, &m);
    if (r || q) {
        say(t, " topo=%s/%s", ename(r), ename(q));
        return;
    }
    CUgraphNode *v = calloc(n + 1, sizeof *v);
    CUgraphNode *a = calloc(m + 1, sizeof *a), *b = calloc(m + 1, sizeof *b);
    CUgraphEdgeData *ed = calloc(m + 1, sizeof *ed);
    char(*nl)[80] = calloc(n + 1, sizeof *nl), (*el)[80] = calloc(m + 1, sizeof *el);
    if (n) cuGraphGetNodes(g, v, &n);
    if (m) cuGraphGetEdges(g, a, b, ed, &m);
    for (size_t i = 0; i < n; i++) node_label(v[i], nl[i], sizeof nl[i]);
    for (size_t i = 0; i < m; i++) {
        char x[32], y[32];
        node_label(a[i], x, sizeof x);
        node_label(b[i], y, sizeof y);
        snprintf(el[i], sizeof el[i], "%s>%s", x, y);
    }
    qsort(nl, n, sizeof *nl, by_label);
    qsort(el, m, sizeof *el, by_label);
    say(t, " topo{n=%zu", n);
    for (size_t i = 0; i < n && i < 24; i++) say(t, " %s", nl[i]);
    say(t, " e=%zu", m);
    for (size_t i = 0; i < m && i < 40; i++) say(t, " %s", el[i]);
    say(t, "}");
    free(v);
    free(a);
    free(b);
    free(ed);
    free(nl);
    free(el);
}

CUresult fork_stream(CUstream from, CUstream to, CUevent e)
{
    CUresult r = cuEventRecord(e, from);
    return r ? r : cuStreamWaitEvent(to, e, 0);
}

void say_usable(T *t, const char *label, CUstream s, CUdeviceptr p)
{
    CUresult a = cuMemsetD32Async(p, 77, 1, s), b = cuStreamSynchronize(s);
    say(t, " %s=%s/%s", label, ename(a), ename(b));
    if (!a && !b) say(t, "/%u", dread(t, p));
}

CUresult run_captured(CUgraph g, CUstream s)
{
    CUgraphExec x = NULL;
    CUresult r = cuGraphInstantiate(&x, g, 0);
    if (!r) r = cuGraphLaunch(x, s);
    if (!r) r = cuStreamSynchronize(s);
    if (x) cuGraphExecDestroy(x);
    return r;
}

CUgraph captured_graph(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    CUgraph g = NULL;
    if (cuStreamGetCaptureInfo(s, &st, NULL, &g, NULL, NULL, NULL)) return NULL;
    return st == CU_STREAM_CAPTURE_STATUS_ACTIVE ? g : NULL;
}

CUgraphNode last_captured(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    const CUgraphNode *d = NULL;
    const CUgraphEdgeData *ed = NULL;
    size_t n = 0;
    if (cuStreamGetCaptureInfo(s, &st, NULL, NULL, &d, &ed, &n)) return NULL;
    return st == CU_STREAM_CAPTURE_STATUS_ACTIVE && n == 1 ? d[0] : NULL;
}

size_t count_captured(CUstream s)
{
    size_t n = 0;
    CUgraph g = captured_graph(s);
    if (g) cuGraphGetNodes(g, NULL, &n);
    return n;
}

void say_edges(T *t, CUgraph g)
{
    CUgraphNode a[16], b[16];
    CUgraphEdgeData ed[16];
    size_t n = 16;
    memset(ed, 0, sizeof ed);
    CUresult r = cuGraphGetEdges(g, a, b, ed, &n);
    say(t, " edges=%s{", ename(r));
    for (size_t i = 0; !r && i < n && i < 16; i++) {
        char x[32], y[32];
        node_label(a[i], x, sizeof x);
        node_label(b[i], y, sizeof y);
        say(t, " %s>%s:%d/%d/%d", x, y, ed[i].from_port, ed[i].to_port, ed[i].type);
    }
    say(t, "}");
}

void break_capture(T *t, CUstream s)
{
    CUresult r = cuStreamSynchronize(s);
    CUstreamCaptureStatus st = 99;
    cuStreamIsCapturing(s, &st);
    say(t, " break=%s,%s", ename(r), capture_state(st));
}
