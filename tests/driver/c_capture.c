/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream capture: beginning and ending, status and information, what a
 * capture looks like after it was broken, fork and join topology, the
 * boundary between captured and other work, editing a capture in progress.
 */
#include "oracle.h"

#define GLOBAL CU_STREAM_CAPTURE_MODE_GLOBAL
#define THREAD_LOCAL CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
#define RELAXED CU_STREAM_CAPTURE_MODE_RELAXED

/* ---- helpers, shared with c_capture_ops.c and c_capture_modes.c ---- */

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

/* One node that can be told apart from others: a memset whose value is c. */
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

/* What the next node of s would depend on, as sorted labels. */
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

/* Nodes and edges by label, sorted: marks by their letter, others by type. */
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

/* from goes on in to */
CUresult fork_stream(CUstream from, CUstream to, CUevent e)
{
    CUresult r = cuEventRecord(e, from);
    return r ? r : cuStreamWaitEvent(to, e, 0);
}

/* Can s still do ordinary work? */
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

static void say_info(T *t, const char *label, CUstream s)
{
    CUstreamCaptureStatus st = 99;
    cuuint64_t id = 0x5a5a5a5a5a;
    CUgraph g = (CUgraph)0x1;
    const CUgraphNode *d = (const CUgraphNode *)0x1;
    const CUgraphEdgeData *ed = (const CUgraphEdgeData *)0x1;
    size_t n = 7777;
    CUresult r = cuStreamGetCaptureInfo(s, &st, &id, &g, &d, &ed, &n);
    say(t, " %s=%s:%s{id=%s graph=%s deps=%s edges=%s n=", label, ename(r), capture_state(st),
        id == 0x5a5a5a5a5a ? "untouched"
        : id               ? "set"
                           : "zero",
        g == (CUgraph)0x1 ? "untouched"
        : g               ? "set"
                          : "null",
        d == (const CUgraphNode *)0x1 ? "untouched"
        : d                           ? "set"
                                      : "null",
        ed == (const CUgraphEdgeData *)0x1 ? "untouched"
        : ed                               ? "set"
                                           : "null");
    if (n == 7777)
        say(t, "untouched}");
    else
        say(t, "%zu}", n);
}

static CUgraph captured_graph(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    CUgraph g = NULL;
    if (cuStreamGetCaptureInfo(s, &st, NULL, &g, NULL, NULL, NULL)) return NULL;
    return st == CU_STREAM_CAPTURE_STATUS_ACTIVE ? g : NULL;
}

/* The node that the next one hangs from, where there is just one. */
static CUgraphNode last_captured(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    const CUgraphNode *d = NULL;
    size_t n = 0;
    if (cuStreamGetCaptureInfo(s, &st, NULL, NULL, &d, NULL, &n)) return NULL;
    return st == CU_STREAM_CAPTURE_STATUS_ACTIVE && n == 1 ? d[0] : NULL;
}

/* The usual way to break the capture of s. */
static void break_capture(T *t, CUstream s)
{
    CUresult r = cuStreamSynchronize(s);
    CUstreamCaptureStatus st = 99;
    cuStreamIsCapturing(s, &st);
    say(t, " break=%s,%s", ename(r), capture_state(st));
}

#define NONBLOCKING CU_STREAM_NON_BLOCKING

/* ---- begin and end ---- */

/* The legacy stream under either name, in every mode; it stays usable. */
CASE(capture, begin_legacy)
{
    CUgraph g = NULL;
    CUdeviceptr p = dalloc(t, 16);
    OK(cuGraphCreate(&g, 0));
    R("null_global", cuStreamBeginCapture(NULL, GLOBAL));
    R("null_local", cuStreamBeginCapture(NULL, THREAD_LOCAL));
    R("null_relaxed", cuStreamBeginCapture(NULL, RELAXED));
    R("legacy_global", cuStreamBeginCapture(CU_STREAM_LEGACY, GLOBAL));
    R("legacy_relaxed", cuStreamBeginCapture(CU_STREAM_LEGACY, RELAXED));
    R("null_badmode", cuStreamBeginCapture(NULL, (CUstreamCaptureMode)7));
    R("to_graph", cuStreamBeginCaptureToGraph(NULL, g, NULL, NULL, 0, GLOBAL));
    say_status(t, "status", NULL);
    say_status(t, "status_legacy", CU_STREAM_LEGACY);
    say_usable(t, "use", NULL, p);
}

CASE(capture, begin_kinds)
{
    CUdeviceptr p = dalloc(t, 16);
    CUstream v[3];
    int lo = 0, hi = 0;
    OK(cuCtxGetStreamPriorityRange(&lo, &hi));
    v[0] = create_stream(t, CU_STREAM_DEFAULT);
    v[1] = create_stream(t, NONBLOCKING);
    OK(cuStreamCreateWithPriority(&v[2], NONBLOCKING, hi));
    for (int i = 0; i < 3; i++) {
        R("begin", cuStreamBeginCapture(v[i], GLOBAL));
        say_status(t, "status", v[i]);
        R("mark", capture_mark(p, 'A', v[i]));
        say_topology(t, capture_end(t, v[i]));
        say_status(t, "after", v[i]);
    }
}

CASE(capture, begin_bad_mode)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    R("three", cuStreamBeginCapture(s, (CUstreamCaptureMode)3));
    R("minus", cuStreamBeginCapture(s, (CUstreamCaptureMode)-1));
    R("to_graph", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, (CUstreamCaptureMode)3));
    say_status(t, "status", s);
    R("good", cuStreamBeginCapture(s, GLOBAL));
    R("while_active", cuStreamBeginCapture(s, (CUstreamCaptureMode)3));
    say_status(t, "active", s);
    say_topology(t, capture_end(t, s));
}

/* A second begin on a capturing stream: its result and whether it harms. */
CASE(capture, begin_twice)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("same", cuStreamBeginCapture(s, GLOBAL));
    say_status(t, "status", s);
    R("other_mode", cuStreamBeginCapture(s, RELAXED));
    R("to_graph", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    say_status(t, "status2", s);
    R("mark", capture_mark(p, 'B', s));
    say_topology(t, capture_end(t, s));
    R("again", cuStreamBeginCapture(s, RELAXED));
    say_topology(t, capture_end(t, s));
}

/* A stream that takes part in a capture by a fork cannot begin its own. */
CASE(capture, begin_on_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    R("begin", cuStreamBeginCapture(s2, GLOBAL));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    R("mark", capture_mark(p, 'B', s2));
    R("join", fork_stream(s2, s, f));
    say_topology(t, capture_end(t, s));
    say_status(t, "s2_after", s2);
    R("begin_after", cuStreamBeginCapture(s2, GLOBAL));
    say_topology(t, capture_end(t, s2));
}

/* Unfinished work in the stream before the capture goes on undisturbed. */
CASE(capture, begin_busy)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    gate_close(t);
    OK(gate(t, s));
    OK(cuMemsetD32Async(p, 5, 1, s));
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    say_dependencies(t, "deps", s);
    R("mark", capture_mark(p + 4, 'A', s));
    say_topology(t, capture_end(t, s));
    R("query", cuStreamQuery(s));
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, p));
    say(t, " w=%u", dread(t, p + 4));
}

/* A blocking stream begins while the legacy stream has unfinished work. */
CASE(capture, begin_behind_legacy)
{
    CUstream s = create_stream(t, CU_STREAM_DEFAULT);
    CUdeviceptr p = dalloc(t, 16);
    gate_close(t);
    OK(gate(t, NULL));
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    R("mark", capture_mark(p, 'A', s));
    say_topology(t, capture_end(t, s));
    R("query", cuStreamQuery(NULL));
    gate_open(t);
    R("sync", cuStreamSynchronize(NULL));
    say(t, " v=%u", dread(t, p));
}

CASE(capture, end_without_begin)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    capture_end(t, s);
    capture_end(t, NULL);
    capture_end(t, CU_STREAM_PER_THREAD);
    OK(cuStreamBeginCapture(s, GLOBAL));
    say_topology(t, capture_end(t, s));
    capture_end(t, s);
    say_usable(t, "use", s, p);
}

CASE(capture, empty)
{
    CUstream s = create_stream(t, NONBLOCKING);
    OK(cuStreamBeginCapture(s, GLOBAL));
    say_dependencies(t, "deps", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    say_status(t, "after", s);
    if (g) R("run", run_captured(g, s));
    R("destroy", cuGraphDestroy(g));
}

/* ---- status and information ---- */

CASE(capture, info_states)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    say_info(t, "none", s);
    say_info(t, "legacy", NULL);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    say_info(t, "active", s);
    break_capture(t, s);
    say_info(t, "invalid", s);
    say_status(t, "status", s);
    capture_end(t, s);
    say_info(t, "after", s);
}

/* The one output that is required left out. */
CASE(capture, info_null)
{
    CUstream s = create_stream(t, NONBLOCKING);
    cuuint64_t id = 0;
    R("idle_info", cuStreamGetCaptureInfo(s, NULL, &id, NULL, NULL, NULL, NULL));
    R("idle_is", cuStreamIsCapturing(s, NULL));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("info", cuStreamGetCaptureInfo(s, NULL, &id, NULL, NULL, NULL, NULL));
    R("is", cuStreamIsCapturing(s, NULL));
    say_status(t, "status", s);
    capture_end(t, s);
}

/* The graph of a capture in progress can be looked at. */
CASE(capture, info_graph_live)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    CUgraph g = captured_graph(s);
    say_topology(t, g);
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    say_topology(t, g);
    OK(capture_mark(p, 'B', s));
    CUgraphNode b = last_captured(s), nodes[4], dep = NULL;
    size_t n = 4, m = 1;
    say_topology(t, g);
    R("nodes", cuGraphGetNodes(g, nodes, &n));
    say(t, " n=%zu", n);
    if (n == 2) say(t, " a=%s b=%s", nodes[0] == a ? "first" : "?", nodes[1] == b ? "second" : "?");
    R("deps", cuGraphNodeGetDependencies(b, &dep, NULL, &m));
    say(t, " m=%zu dep=%s", m, dep == a ? "a" : "?");
    capture_end(t, s);
}

/* With a blocking stream capturing, the legacy stream can't be asked; the
 * question does no harm.  A non-blocking capture is none of its business. */
CASE(capture, legacy_status)
{
    CUstream b = create_stream(t, CU_STREAM_DEFAULT), b2 = create_stream(t, CU_STREAM_DEFAULT),
             s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    say_status(t, "nb_null", NULL);
    say_info(t, "nb_info", NULL);
    capture_end(t, s);
    OK(cuStreamBeginCapture(b, GLOBAL));
    say_status(t, "null", NULL);
    say_status(t, "legacy", CU_STREAM_LEGACY);
    say_info(t, "info", NULL);
    say_status(t, "per_thread", CU_STREAM_PER_THREAD);
    say_status(t, "other_blocking", b2);
    R("begin_null", cuStreamBeginCapture(NULL, GLOBAL));
    R("end_null", cuStreamEndCapture(NULL, &(CUgraph){ NULL }));
    say_status(t, "b", b);
    R("mark", capture_mark(p, 'A', b));
    R("mark_b2", capture_mark(p, 'B', b2));
    say_status(t, "b", b);
    say_topology(t, capture_end(t, b));
    say_status(t, "null_after", NULL);
}

/* ---- broken captures ---- */

/* What each later call says on a stream whose capture is broken. */
CASE(capture, invalid_calls)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), d = 0;
    CUevent e = create_event(t), f = create_event(t);
    CUfunction nop = kernel(t, "nop");
    CUgraph g = NULL;
    CUgraphNode n = NULL;
    CUgraphExec x = NULL;
    static unsigned host[4];
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&n, g, NULL, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    break_capture(t, s);
    R("kernel", launch1(nop, s, NULL));
    R("memset", capture_mark(p, 'B', s));
    R("dtod", cuMemcpyDtoDAsync(p, p + 8, 4, s));
    R("htod", cuMemcpyHtoDAsync(p, host, 4, s));
    R("alloc", cuMemAllocAsync(&d, 256, s));
    R("write", cuStreamWriteValue32(s, p, 1, 0));
    R("record", cuEventRecord(f, s));
    R("record_ext", cuEventRecordWithFlags(f, s, CU_EVENT_RECORD_EXTERNAL));
    R("wait_in", cuStreamWaitEvent(s, e, 0));
    R("wait_new", cuStreamWaitEvent(s, f, 0));
    R("wait_ext", cuStreamWaitEvent(s, f, CU_EVENT_WAIT_EXTERNAL));
    R("launch", cuGraphLaunch(x, s));
    R("query", cuStreamQuery(s));
    R("sync", cuStreamSynchronize(s));
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    R("begin_to", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    R("update",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_status(t, "status", s);
    capture_end(t, s);
    say_status(t, "after", s);
    capture_end(t, s);
}

/* After the end the stream works, and captures, as before. */
CASE(capture, invalid_then_usable)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    break_capture(t, s);
    capture_end(t, s);
    R("query", cuStreamQuery(s));
    say_usable(t, "use", s, p);
    R("begin", cuStreamBeginCapture(s, GLOBAL));
    say_dependencies(t, "deps", s);
    R("mark", capture_mark(p, 'C', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " v=%u", dread(t, p));
}

/* Breaking a side stream breaks the whole capture; the end is the origin's. */
CASE(capture, invalid_fork)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    R("break", cuStreamSynchronize(s2));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    R("mark", capture_mark(p, 'C', s));
    R("join", cuStreamWaitEvent(s, f, 0));
    R("fork3", cuStreamWaitEvent(s3, e, 0));
    say_status(t, "s3", s3);
    capture_end(t, s2);
    say_status(t, "s", s);
    capture_end(t, s);
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    say_status(t, "s3", s3);
    say_usable(t, "use", s, p);
    say_usable(t, "use2", s2, p);
    say_usable(t, "use3", s3, p);
}

/* An event of a broken capture, before and after that capture's end. */
CASE(capture, invalid_event)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    break_capture(t, s);
    R("query", cuEventQuery(e));
    R("sync", cuEventSynchronize(e));
    R("wait", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    capture_end(t, s);
    R("query", cuEventQuery(e));
    R("sync", cuEventSynchronize(e));
    R("wait", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    R("record", cuEventRecord(e, o));
    R("sync", cuEventSynchronize(e));
    R("query", cuEventQuery(e));
    say_usable(t, "use", o, p);
}

/* A captured call refused for its arguments leaves the capture whole. */
CASE(capture, bad_argument_harmless)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUfunction nop = kernel(t, "nop");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("grid0", cuLaunchKernel(nop, 0, 1, 1, 1, 1, 1, 0, s, NULL, NULL));
    say_status(t, "st", s);
    R("block", cuLaunchKernel(nop, 1, 1, 1, 4096, 1, 1, 0, s, NULL, NULL));
    say_status(t, "st", s);
    R("func0", cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL));
    R("memset0", cuMemsetD32Async(0, 1, 1, s));
    R("misaligned", cuMemsetD32Async(p + 1, 1, 1, s));
    R("dtod0", cuMemcpyDtoDAsync(p, 0, 4, s));
    R("host0", cuLaunchHostFunc(s, NULL, NULL));
    R("event0", cuEventRecord(NULL, s));
    R("wait0", cuStreamWaitEvent(s, NULL, 0));
    R("graph0", cuGraphLaunch(NULL, s));
    say_status(t, "st", s);
    R("mark", capture_mark(p, 'B', s));
    say_topology(t, capture_end(t, s));
}

/* ---- fork and join topology ---- */

CASE(capture, linear)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    for (char c = 'A'; c <= 'D'; c++) OK(capture_mark(p, c, s));
    say_dependencies(t, "deps", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    say_shape(t, g);
}

/* The fork comes before any node: two roots, one joining node. */
CASE(capture, fork_at_start)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("fork", fork_stream(s, s2, e));
    say_dependencies(t, "s2", s2);
    OK(capture_mark(p, 'A', s));
    OK(capture_mark(p, 'B', s2));
    R("join", fork_stream(s2, s, f));
    say_dependencies(t, "s", s);
    say_dependencies(t, "s2", s2);
    OK(capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
}

CASE(capture, fork_three)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, CU_STREAM_DEFAULT);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t), h = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(s2, e, 0));
    OK(cuStreamWaitEvent(s3, e, 0));
    OK(capture_mark(p, 'B', s));
    OK(capture_mark(p, 'C', s2));
    OK(capture_mark(p, 'D', s3));
    say_status(t, "legacy", NULL);
    OK(fork_stream(s2, s, f));
    OK(fork_stream(s3, s, h));
    say_dependencies(t, "s", s);
    OK(capture_mark(p, 'E', s));
    say_topology(t, capture_end(t, s));
}

/* A side stream that did nothing is joined: behind, level with and ahead of
 * where the origin stands. */
CASE(capture, join_without_work)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "empty", s);
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "level", s);
    OK(capture_mark(p, 'B', s));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "behind", s);
    OK(capture_mark(p, 'C', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'D', s2));
    OK(fork_stream(s2, s, f));
    say_dependencies(t, "ahead", s);
    OK(capture_mark(p, 'E', s));
    say_topology(t, capture_end(t, s));
}

/* Joined twice: the same event, and a second event on the same node. */
CASE(capture, join_twice)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t), h = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    OK(cuEventRecord(h, s2));
    R("first", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d1", s);
    R("again", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d2", s);
    R("other", cuStreamWaitEvent(s, h, 0));
    say_dependencies(t, "d3", s);
    OK(capture_mark(p, 'C', s));
    R("late", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d4", s);
    OK(capture_mark(p, 'D', s));
    say_topology(t, capture_end(t, s));
}

/* A side stream waits on the fork event again after work of its own. */
CASE(capture, wait_twice_on_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(s2, e, 0));
    OK(cuStreamWaitEvent(s2, e, 0));
    say_dependencies(t, "d1", s2);
    OK(capture_mark(p, 'B', s2));
    OK(cuStreamWaitEvent(s2, e, 0));
    say_dependencies(t, "d2", s2);
    OK(capture_mark(p, 'C', s2));
    OK(fork_stream(s2, s, f));
    OK(capture_mark(p, 'D', s));
    say_topology(t, capture_end(t, s));
}

/* A stream waits on its own events, newest and older. */
CASE(capture, wait_own_event)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("record_empty", cuEventRecord(e, s));
    R("wait_empty", cuStreamWaitEvent(s, e, 0));
    say_dependencies(t, "d0", s);
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(f, s));
    R("newest", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d1", s);
    OK(capture_mark(p, 'B', s));
    R("older", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "d2", s);
    R("oldest", cuStreamWaitEvent(s, e, 0));
    say_dependencies(t, "d3", s);
    OK(capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
}

/* s to s2 to s3, and s3 alone joins s. */
CASE(capture, join_through_third)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s3, e));
    OK(fork_stream(s3, s, e));
    say_dependencies(t, "d1", s);
    OK(capture_mark(p, 'C', s3));
    OK(fork_stream(s3, s, e));
    say_dependencies(t, "d2", s);
    say_topology(t, capture_end(t, s));
    say_status(t, "s2", s2);
    say_status(t, "s3", s3);
}

/* The origin follows a side stream and does nothing more itself. */
CASE(capture, end_right_after_join)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'A', s2));
    OK(capture_mark(p, 'B', s));
    OK(fork_stream(s2, s, e));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
}

/* A side stream with unfinished work of its own from before: that work is
 * not captured and goes on. */
CASE(capture, fork_into_busy)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    gate_close(t);
    OK(gate(t, s2));
    OK(cuMemsetD32Async(p, 5, 1, s2));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p + 4, 'A', s));
    R("fork", fork_stream(s, s2, e));
    R("mark", capture_mark(p + 8, 'B', s2));
    R("join", fork_stream(s2, s, e));
    say_topology(t, capture_end(t, s));
    R("query", cuStreamQuery(s2));
    gate_open(t);
    R("sync", cuStreamSynchronize(s2));
    say(t, " v=%u", dread(t, p));
    say(t, " w=%u", dread(t, p + 8));
}

/* Streams and events that are no longer needed go during the capture. */
CASE(capture, destroy_joined_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    R("edestroy", cuEventDestroy(e));
    say_status(t, "s", s);
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s, f));
    R("sdestroy", cuStreamDestroy(s2));
    say_status(t, "s", s);
    R("mark", capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
    say_usable(t, "use", s, p);
}

/* As above, but the event that would join it was recorded first. */
CASE(capture, destroy_side_then_join)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    R("sdestroy", cuStreamDestroy(s2));
    R("join", cuStreamWaitEvent(s, f, 0));
    say_dependencies(t, "s", s);
    R("mark", capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
}

/* ---- not joined, not matched, not to be merged ---- */

CASE(capture, unjoined)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    capture_end(t, s);
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    capture_end(t, s);
    say_usable(t, "use", s, p);
    say_usable(t, "use2", s2, p);
    R("begin", cuStreamBeginCapture(s2, GLOBAL));
    say_topology(t, capture_end(t, s2));
}

/* Which loose ends count: none of the side stream's own, one that the
 * origin knows already, an event recorded but not waited for. */
CASE(capture, unjoined_variants)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             s3 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    say(t, " [no_work");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    say_topology(t, capture_end(t, s));
    say_status(t, "s2", s2);
    say(t, "] [recorded_not_waited");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(cuEventRecord(f, s2));
    say_topology(t, capture_end(t, s));
    say(t, "] [more_after_join");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s, f));
    OK(capture_mark(p, 'C', s2));
    say_topology(t, capture_end(t, s));
    say(t, "] [side_waits_after_join");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s, f));
    OK(capture_mark(p, 'C', s));
    OK(fork_stream(s, s2, e));
    say_topology(t, capture_end(t, s));
    say(t, "] [into_third");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    OK(fork_stream(s2, s3, f));
    say_topology(t, capture_end(t, s));
    say_status(t, "s3", s3);
    say(t, "] [one_of_two");
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(fork_stream(s, s3, e));
    OK(capture_mark(p, 'B', s2));
    OK(capture_mark(p, 'C', s3));
    OK(fork_stream(s2, s, f));
    say_topology(t, capture_end(t, s));
    say(t, "]");
    say_usable(t, "use3", s3, p);
}

/* The end is asked of the side stream. */
CASE(capture, unmatched)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    capture_end(t, s2);
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    R("join", fork_stream(s2, s, f));
    R("mark", capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    capture_end(t, s2);
    say_usable(t, "use2", s2, p);
}

/* A side stream of one capture waits on an event of another. */
CASE(capture, merge_side)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING),
             o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t), f = create_event(t);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(cuStreamBeginCapture(o, RELAXED));
    OK(capture_mark(p, 'A', s));
    OK(capture_mark(p, 'B', o));
    OK(fork_stream(s, s2, e));
    OK(cuEventRecord(f, o));
    R("wait", cuStreamWaitEvent(s2, f, 0));
    say_status(t, "s", s);
    say_status(t, "s2", s2);
    say_status(t, "o", o);
    say_topology(t, capture_end(t, s));
    say_topology(t, capture_end(t, o));
    say_status(t, "s2", s2);
}

/* A capturing stream waits on an event from outside: never recorded,
 * complete, pending, of its own stream before the begin, and plain record
 * during the capture on a stream outside it. */
CASE(capture, isolation_in)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent v[5];
    static const char *const name[] = { "unrecorded", "complete", "pending", "own_before",
                                        "during" };
    for (int i = 0; i < 5; i++) v[i] = create_event(t);
    gate_close(t);
    OK(cuEventRecord(v[1], o));
    OK(cuEventRecord(v[3], s));
    OK(cuEventSynchronize(v[1]));
    OK(cuEventSynchronize(v[3]));
    OK(gate(t, o));
    OK(cuEventRecord(v[2], o));
    for (int i = 0; i < 5; i++) {
        OK(cuStreamBeginCapture(s, RELAXED));
        OK(capture_mark(p, 'A', s));
        if (i == 4) R("record", cuEventRecord(v[4], o));
        R(name[i], cuStreamWaitEvent(s, v[i], 0));
        say_dependencies(t, "deps", s);
        say_topology(t, capture_end(t, s));
    }
    gate_open(t);
    R("sync", cuStreamSynchronize(o));
}

/* The event of an ended capture, asked and waited on from outside and from
 * a new capture; a plain record makes it ordinary again. */
CASE(capture, event_after_end)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = NULL, b = NULL;
    float ms = -1;
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&b, 0));
    OK(cuEventRecord(b, o));
    OK(cuStreamSynchronize(o));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(cuEventRecord(e, s));
    CUgraph g = capture_end(t, s);
    R("query", cuEventQuery(e));
    R("sync", cuEventSynchronize(e));
    R("elapsed", cuEventElapsedTime(&ms, b, e));
    R("wait", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    R("wait_own", cuStreamWaitEvent(s, e, 0));
    R("run", run_captured(g, s));
    R("query_run", cuEventQuery(e));
    R("gdestroy", cuGraphDestroy(g));
    R("query_gone", cuEventQuery(e));
    OK(cuStreamBeginCapture(s, GLOBAL));
    R("wait_new", cuStreamWaitEvent(s, e, 0));
    say_status(t, "s", s);
    capture_end(t, s);
    R("record", cuEventRecord(e, o));
    R("sync2", cuEventSynchronize(e));
    R("query2", cuEventQuery(e));
    R("elapsed2", cuEventElapsedTime(&ms, b, e));
    say_usable(t, "use", o, p);
}

/* An outside event's meaning is replaced by a record inside the capture. */
CASE(capture, record_inside_pending)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING),
             q = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    gate_close(t);
    OK(gate(t, o));
    OK(cuEventRecord(e, o));
    OK(cuStreamWaitEvent(q, e, 0));
    OK(cuMemsetD32Async(p + 4, 9, 1, q));
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    R("record", cuEventRecord(e, s));
    R("query", cuEventQuery(e));
    say_status(t, "s", s);
    say_topology(t, capture_end(t, s));
    R("q", cuStreamQuery(q));
    gate_open(t);
    R("sync_q", cuStreamSynchronize(q));
    say(t, " v=%u", dread(t, p + 4));
}

/* ---- external events ---- */

/* An external record is a node; the event keeps its outside meaning during
 * the capture and gets a new one with every launch. */
CASE(capture, external_record)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = NULL, b = NULL, got = NULL;
    CUgraphExec x = NULL;
    float ms = -1;
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&b, 0));
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(cuEventRecordWithFlags(b, s, CU_EVENT_RECORD_EXTERNAL));
    OK(capture_mark(p, 'A', s));
    R("record", cuEventRecordWithFlags(e, s, CU_EVENT_RECORD_EXTERNAL));
    say_dependencies(t, "deps", s);
    CUgraphNode n = last_captured(s);
    R("query", cuEventQuery(e));
    say_status(t, "s", s);
    R("wait_out", cuStreamWaitEvent(o, e, 0));
    say_status(t, "o", o);
    OK(capture_mark(p, 'B', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (n) {
        R("get", cuGraphEventRecordNodeGetEvent(n, &got));
        say(t, " event=%s", got == e ? "same" : "differ");
    }
    R("query", cuEventQuery(e));
    R("elapsed", cuEventElapsedTime(&ms, b, e));
    gate_close(t);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(gate(t, s));
    R("launch", cuGraphLaunch(x, s));
    R("pending", cuEventQuery(e));
    gate_open(t);
    R("sync", cuEventSynchronize(e));
    R("elapsed", cuEventElapsedTime(&ms, b, e));
    say(t, " nonneg=%d", ms >= 0.0f);
    R("ssync", cuStreamSynchronize(s));
}

/* ---- editing the dependencies of a capture in progress ---- */

CASE(capture, update_add)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraphNode x = NULL, y = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    R("empty", cuGraphAddEmptyNode(&x, captured_graph(s), NULL, 0));
    say_dependencies(t, "d0", s);
    R("add", cuStreamUpdateCaptureDependencies(s, &x, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d1", s);
    R("same_again",
      cuStreamUpdateCaptureDependencies(s, &x, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d2", s);
    R("present",
      cuStreamUpdateCaptureDependencies(s, &a, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d3", s);
    R("none",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d4", s);
    OK(capture_mark(p, 'B', s));
    say_dependencies(t, "d5", s);
    R("older",
      cuStreamUpdateCaptureDependencies(s, &a, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d6", s);
    OK(capture_mark(p, 'C', s));
    R("loose", cuGraphAddEmptyNode(&y, captured_graph(s), NULL, 0));
    say_topology(t, capture_end(t, s));
}

/* Refused updates, and whether they harm the capture. */
CASE(capture, update_bad)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL;
    CUgraphNode f = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&f, g, NULL, 0));
    R("idle", cuStreamUpdateCaptureDependencies(s, &f, NULL, 1, 0));
    R("idle_none", cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 0));
    R("legacy", cuStreamUpdateCaptureDependencies(NULL, NULL, NULL, 0, 0));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("foreign", cuStreamUpdateCaptureDependencies(s, &f, NULL, 1, 0));
    say_dependencies(t, "d", s);
    R("foreign_set",
      cuStreamUpdateCaptureDependencies(s, &f, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d", s);
    R("flags", cuStreamUpdateCaptureDependencies(s, NULL, NULL, 0, 2));
    say_dependencies(t, "d", s);
    say_topology(t, capture_end(t, s));
}

/* A count without an array. */
CASE(capture, update_null)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    R("add",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    R("set",
      cuStreamUpdateCaptureDependencies(s, NULL, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "d", s);
    say_topology(t, capture_end(t, s));
}

/* Nodes taken off a stream's dependencies need not be joined any more. */
CASE(capture, update_unjoined)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    R("clear",
      cuStreamUpdateCaptureDependencies(s2, NULL, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "s2", s2);
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    CUgraphNode b = last_captured(s2);
    R("take",
      cuStreamUpdateCaptureDependencies(s, &b, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    say_dependencies(t, "s", s);
    OK(capture_mark(p, 'C', s));
    say_topology(t, capture_end(t, s));
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    a = last_captured(s);
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'B', s2));
    b = last_captured(s2);
    OK(capture_mark(p, 'C', s));
    CUgraphNode c = last_captured(s);
    R("edge", cuGraphAddDependencies(captured_graph(s), &b, &c, NULL, 1));
    say_topology(t, capture_end(t, s));
    (void)a;
}

/* A node is put in by hand behind the last captured one and followed. */
CASE(capture, update_manual_node)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUDA_MEMSET_NODE_PARAMS mp;
    CUgraphNode b = NULL;
    OK(cuStreamBeginCapture(s, GLOBAL));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    memset(&mp, 0, sizeof mp);
    mp.dst = p;
    mp.value = 'B';
    mp.elementSize = 4;
    mp.width = 1;
    mp.height = 1;
    R("add", cuGraphAddMemsetNode(&b, captured_graph(s), &a, 1, &mp, t->ctx));
    say_dependencies(t, "d0", s);
    R("set", cuStreamUpdateCaptureDependencies(s, &b, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(cuMemcpyDtoDAsync(p + 4, p, 4, s));
    OK(capture_mark(p, 'C', s));
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
    say(t, " v=%u", dread(t, p));
    say(t, " w=%u", dread(t, p + 4));
}

/* Edges added and removed by hand between captured nodes. */
CASE(capture, edit_edges_live)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    OK(capture_mark(p, 'B', s2));
    CUgraphNode b = last_captured(s2);
    OK(fork_stream(s2, s, e));
    OK(capture_mark(p, 'C', s));
    CUgraphNode c = last_captured(s);
    R("a>b", cuGraphAddDependencies(captured_graph(s), &a, &b, NULL, 1));
    R("a>b_again", cuGraphAddDependencies(captured_graph(s), &a, &b, NULL, 1));
    R("remove", cuGraphRemoveDependencies(captured_graph(s), &a, &c, NULL, 1));
    say_status(t, "s", s);
    CUgraph g = capture_end(t, s);
    say_topology(t, g);
    if (g) R("run", run_captured(g, s));
}

/* The graph of a capture in progress is cloned, nested and instantiated. */
CASE(capture, graph_used_live)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph c = NULL, g = NULL;
    CUgraphNode n = NULL;
    CUgraphExec x = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    R("clone", cuGraphClone(&c, captured_graph(s)));
    if (c) say_topology(t, c);
    R("child", cuGraphAddChildGraphNode(&n, g, NULL, 0, captured_graph(s)));
    say_status(t, "s", s);
    R("inst", cuGraphInstantiate(&x, captured_graph(s), 0));
    say_status(t, "s", s);
    R("mark", capture_mark(p, 'B', s));
    say_topology(t, capture_end(t, s));
}

CASE(capture, node_destroy_live)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamBeginCapture(s, RELAXED));
    OK(capture_mark(p, 'A', s));
    CUgraphNode a = last_captured(s);
    OK(capture_mark(p, 'B', s));
    OK(capture_mark(p, 'C', s));
    R("destroy", cuGraphDestroyNode(a));
    say_status(t, "s", s);
    say_dependencies(t, "d", s);
    say_topology(t, capture_end(t, s));
}

/* ---- capture into a graph that is there already ---- */

CASE(capture, to_graph_empty)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL;
    OK(cuGraphCreate(&g, 0));
    R("begin", cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    say_status(t, "s", s);
    say(t, " info=%s", captured_graph(s) == g ? "same" : "differ");
    say_dependencies(t, "deps", s);
    OK(capture_mark(p, 'A', s));
    OK(capture_mark(p, 'B', s));
    CUgraph h = capture_end(t, s);
    say(t, " out=%s", h == g ? "same" : "differ");
    say_topology(t, g);
    R("run", run_captured(g, s));
    R("destroy", cuGraphDestroy(g));
}

/* Under capture the graph can't be instantiated; afterwards it can. */
CASE(capture, to_graph_instantiate)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUgraph g = NULL, c = NULL;
    CUgraphNode x = NULL;
    CUgraphExec ex = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&x, g, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, RELAXED));
    R("inst0", cuGraphInstantiate(&ex, g, 0));
    say_status(t, "s", s);
    R("mark", capture_mark(p, 'A', s));
    R("inst1", cuGraphInstantiate(&ex, g, 0));
    R("clone", cuGraphClone(&c, g));
    R("add", cuGraphAddEmptyNode(&x, g, NULL, 0));
    say_status(t, "s", s);
    capture_end(t, s);
    say_topology(t, g);
    R("inst2", cuGraphInstantiate(&ex, g, 0));
}

/* A side stream's loose end counts, the graph's own loose ends do not. */
CASE(capture, to_graph_unjoined)
{
    CUstream s = create_stream(t, NONBLOCKING), s2 = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16);
    CUevent e = create_event(t);
    CUgraph g = NULL;
    CUgraphNode x = NULL, y = NULL;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&x, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&y, g, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(s, g, &x, NULL, 1, GLOBAL));
    OK(fork_stream(s, s2, e));
    say_dependencies(t, "s2", s2);
    OK(capture_mark(p, 'A', s2));
    OK(capture_mark(p, 'B', s));
    OK(fork_stream(s2, s, e));
    OK(capture_mark(p, 'C', s));
    capture_end(t, s);
    say_topology(t, g);
    OK(cuStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, GLOBAL));
    OK(fork_stream(s, s2, e));
    OK(capture_mark(p, 'D', s2));
    capture_end(t, s);
    say_status(t, "s2", s2);
    say_topology(t, g);
}
