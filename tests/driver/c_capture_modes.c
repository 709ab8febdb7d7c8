/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream capture and everything else: which calls are refused while a
 * capture is in progress, and which break it, by the mode of the capture, the
 * calling thread and that thread's own mode; threads and captures.
 */
#include "oracle.h"

#define GLOBAL CU_STREAM_CAPTURE_MODE_GLOBAL
#define THREAD_LOCAL CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
#define RELAXED CU_STREAM_CAPTURE_MODE_RELAXED
#define NONBLOCKING CU_STREAM_NON_BLOCKING

/* in c_capture.c */
const char *capture_state(CUstreamCaptureStatus st);
void say_status(T *t, const char *label, CUstream s);
CUstream create_stream(T *t, unsigned flags);
CUevent create_event(T *t);
CUresult capture_mark(CUdeviceptr p, char c, CUstream s);
void say_dependencies(T *t, const char *label, CUstream s);
void say_topology(T *t, CUgraph g);
CUresult fork_stream(CUstream from, CUstream to, CUevent e);
void say_usable(T *t, const char *label, CUstream s, CUdeviceptr p);
CUresult run_captured(CUgraph g, CUstream s);

static const char tiny_ptx[] = ".version 7.0\n"
                               ".target sm_75\n"
                               ".address_size 64\n"
                               ".visible .global .align 4 .u32 word;\n"
                               ".visible .entry tiny()\n"
                               "{\n"
                               "ret;\n"
                               "}\n";

/* All that a call under test may need, made before the capture begins. */
typedef struct Setting {
    T *t;
    CUstream s;          /* captures: one node, then ec recorded */
    CUstream o;          /* another stream, non-blocking and idle */
    CUevent ec, eo, eu;  /* recorded in s captured, in o complete, never */
    CUdeviceptr p, q, a; /* p in use by the capture, q spare, a from the pool */
    void *h, *page;      /* pinned, pageable */
    CUgraph g;
    CUgraphExec x;
    CUfunction f;
    CUmodule m; /* a module of its own */
} Setting;
typedef CUresult (*Action)(Setting *);

static CUresult make_setting(T *t, Setting *e, unsigned flags)
{
    CUresult r;
    CUDA_MEMSET_NODE_PARAMS mp;
    CUgraphNode n = NULL;
    memset(e, 0, sizeof *e);
    e->t = t;
    e->f = kernel(t, "nop");
    e->page = aligned_alloc(4096, 4096);
    memset(e->page, 0, 4096);
    if ((r = cuModuleLoadData(&e->m, tiny_ptx))) return r;
    if ((r = cuStreamCreate(&e->s, flags))) return r;
    if ((r = cuStreamCreate(&e->o, NONBLOCKING))) return r;
    if ((r = cuEventCreate(&e->ec, 0))) return r;
    if ((r = cuEventCreate(&e->eo, 0))) return r;
    if ((r = cuEventCreate(&e->eu, 0))) return r;
    if ((r = cuMemAlloc(&e->p, 4096))) return r;
    if ((r = cuMemAlloc(&e->q, 4096))) return r;
    if ((r = cuMemAllocAsync(&e->a, 4096, e->o))) return r;
    if ((r = cuMemAllocHost(&e->h, 4096))) return r;
    memset(&mp, 0, sizeof mp);
    mp.dst = e->p;
    mp.value = 1;
    mp.elementSize = 4;
    mp.width = 1;
    mp.height = 1;
    if ((r = cuGraphCreate(&e->g, 0))) return r;
    if ((r = cuGraphAddMemsetNode(&n, e->g, NULL, 0, &mp, t->ctx))) return r;
    if ((r = cuGraphInstantiate(&e->x, e->g, 0))) return r;
    if ((r = cuEventRecord(e->eo, e->o))) return r;
    return cuCtxSynchronize();
}

typedef struct Call {
    Setting *e;
    Action a;
    int swap;
    CUresult r;
} Call;
static void call_it(void *v)
{
    Call *c = v;
    CUstreamCaptureMode m = (CUstreamCaptureMode)c->swap;
    if (c->swap >= 0) cuThreadExchangeStreamCaptureMode(&m);
    c->r = c->a(c->e);
    if (c->swap >= 0) cuThreadExchangeStreamCaptureMode(&m);
}

/* name=result of the call,state of the capture after it,result of the end,
 * nodes in the graph */
static void say_column(T *t, const char *name, unsigned flags, CUstreamCaptureMode mode, int other,
                       int swap, Action a)
{
    Setting e;
    CUgraph g = NULL;
    size_t n = 0;
    CUstreamCaptureStatus st = 99;
    CUresult r = make_setting(t, &e, flags);
    if (!r) r = cuStreamBeginCapture(e.s, mode);
    if (!r) r = cuMemsetD32Async(e.p, 65, 1, e.s);
    if (!r) r = cuEventRecord(e.ec, e.s);
    if (r) {
        say(t, " %s=SETUP:%s", name, ename(r));
        return;
    }
    Call c = { &e, a, swap, CUDA_ERROR_UNKNOWN };
    if (other)
        on_thread(t, call_it, &c);
    else
        call_it(&c);
    r = cuStreamIsCapturing(e.s, &st);
    say(t, " %s=%s,%s", name, ename(c.r), r ? ename(r) : capture_state(st));
    r = cuStreamEndCapture(e.s, &g);
    say(t, ",%s", ename(r));
    if (!r && g) {
        cuGraphGetNodes(g, NULL, &n);
        say(t, ",%zu", n);
    }
}

/* A call against each mode, from the capturing thread and from another; the
 * last three with the calling thread's own mode changed around it. */
static void say_table(T *t, Action a)
{
    say_column(t, "global.self", NONBLOCKING, GLOBAL, 0, -1, a);
    say_column(t, "local.self", NONBLOCKING, THREAD_LOCAL, 0, -1, a);
    say_column(t, "relaxed.self", NONBLOCKING, RELAXED, 0, -1, a);
    say_column(t, "global.other", NONBLOCKING, GLOBAL, 1, -1, a);
    say_column(t, "local.other", NONBLOCKING, THREAD_LOCAL, 1, -1, a);
    say_column(t, "relaxed.other", NONBLOCKING, RELAXED, 1, -1, a);
    say_column(t, "global.self@relaxed", NONBLOCKING, GLOBAL, 0, RELAXED, a);
    say_column(t, "local.self@local", NONBLOCKING, THREAD_LOCAL, 0, THREAD_LOCAL, a);
    say_column(t, "global.other@local", NONBLOCKING, GLOBAL, 1, THREAD_LOCAL, a);
    say_column(t, "global.other@relaxed", NONBLOCKING, GLOBAL, 1, RELAXED, a);
}

#define ACT(n, ...)                                                                                \
    static CUresult act_##n(Setting *e)                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define UNSAFE(n, ...)                                                                             \
    ACT(n, __VA_ARGS__)                                                                            \
    CASE(capmode, n)                                                                               \
    {                                                                                              \
        say_table(t, act_##n);                                                                     \
    }

static void CUDA_CB noop_cb(CUstream s, CUresult r, void *v)
{
    (void)s;
    (void)r;
    (void)v;
}

/* memory */
UNSAFE(mem_alloc, CUdeviceptr d = 0; return cuMemAlloc(&d, 4096);)

UNSAFE(host_alloc, void *h = NULL; return cuMemHostAlloc(&h, 4096, 0);)
UNSAFE(host_free, return cuMemFreeHost(e->h);)
UNSAFE(host_register, return cuMemHostRegister(e->page, 4096, 0);)
UNSAFE(mem_get_info, size_t a = 0, b = 0; return cuMemGetInfo(&a, &b);)
UNSAFE(address_reserve, CUdeviceptr d = 0; return cuMemAddressReserve(&d, 2u << 20, 0, 0, 0);)

UNSAFE(memcpy_dtoh, return cuMemcpyDtoH(e->page, e->q, 64);)

UNSAFE(alloc_async_other, CUdeviceptr d = 0; return cuMemAllocAsync(&d, 4096, e->o);)

/* waiting and asking */

UNSAFE(stream_query_captured, return cuStreamQuery(e->s);)

UNSAFE(stream_sync_other, return cuStreamSynchronize(e->o);)

UNSAFE(event_query_other, return cuEventQuery(e->eo);)
UNSAFE(event_query_unrecorded, return cuEventQuery(e->eu);)
UNSAFE(event_sync_captured, return cuEventSynchronize(e->ec);)
UNSAFE(event_sync_other, return cuEventSynchronize(e->eo);)

UNSAFE(event_elapsed_other, float ms = 0; return cuEventElapsedTime(&ms, e->eo, e->eo);)

/* making and destroying */

UNSAFE(event_destroy_other, return cuEventDestroy(e->eo);)

UNSAFE(stream_destroy_other, return cuStreamDestroy(e->o);)
UNSAFE(module_load, CUmodule m = NULL; return cuModuleLoadData(&m, tiny_ptx);)

UNSAFE(module_get_global, CUdeviceptr d = 0; size_t z = 0;
       return cuModuleGetGlobal(&d, &z, e->m, "word");)

UNSAFE(occupancy, int n = 0; return cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, e->f, 64, 0);)
UNSAFE(ctx_set_limit, static size_t k; (void)e;
       return cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048 + 256 * ++k);)

/* graphs elsewhere */
UNSAFE(graph_instantiate, CUgraphExec x = NULL; return cuGraphInstantiate(&x, e->g, 0);)
UNSAFE(graph_launch_other, return cuGraphLaunch(e->x, e->o);)
UNSAFE(graph_upload_other, return cuGraphUpload(e->x, e->o);)
UNSAFE(graph_upload_captured, return cuGraphUpload(e->x, e->s);)
UNSAFE(graph_exec_update, CUgraphExecUpdateResultInfo i; memset(&i, 0, sizeof i);
       return cuGraphExecUpdate(e->x, e->g, &i);)
UNSAFE(graph_exec_destroy, return cuGraphExecDestroy(e->x);)

/* streams */
UNSAFE(submit_captured, return cuMemsetD32Async(e->p, 66, 1, e->s);)

UNSAFE(record_other, return cuEventRecord(e->eo, e->o);)
UNSAFE(begin_captured, return cuStreamBeginCapture(e->s, RELAXED);)
UNSAFE(callback_captured, return cuStreamAddCallback(e->s, noop_cb, NULL, 0);)

UNSAFE(ctx_wait_event, return cuCtxWaitEvent(e->t->ctx, e->eo);)
UNSAFE(ctx_wait_captured, return cuCtxWaitEvent(e->t->ctx, e->ec);)

/* A function not used before, of a module loaded before: its first launch,
 * captured and elsewhere. */
static CUresult first_launch(Setting *e, CUstream s)
{
    CUfunction f = NULL;
    CUresult r = cuModuleGetFunction(&f, e->m, "tiny");
    return r ? r : launch1(f, s, NULL);
}
UNSAFE(first_launch_captured, return first_launch(e, e->s);)

/* The capturing stream itself is destroyed; does the capture still bind its
 * thread? */
static void destroy_captured(T *t, CUstreamCaptureMode m)
{
    CUstream s = create_stream(t, NONBLOCKING);
    CUdeviceptr d = dalloc(t, 64);
    OK(cuStreamBeginCapture(s, m));
    OK(capture_mark(d, 'A', s));
    CUresult r = cuStreamDestroy(s);
    say(t, " destroy=%s", ename(r));
    if (r) {
        say_status(t, "s", s);
        say_topology(t, capture_end(t, s));
    }
    R("alloc", cuMemAlloc(&d, 64));
    R("sync", cuCtxSynchronize());
}
CASE(capmode, stream_destroy_global)
{
    destroy_captured(t, GLOBAL);
}

CASE(capmode, stream_destroy_relaxed)
{
    destroy_captured(t, RELAXED);
}

/* ---- the legacy stream while a blocking stream captures ---- */

static void legacy(T *t, const char *label, Action a)
{
    say(t, " [%s", label);
    say_column(t, "global.self", CU_STREAM_DEFAULT, GLOBAL, 0, -1, a);
    say_column(t, "relaxed.self", CU_STREAM_DEFAULT, RELAXED, 0, -1, a);
    say_column(t, "local.other", CU_STREAM_DEFAULT, THREAD_LOCAL, 1, -1, a);
    say_column(t, "nonblocking", NONBLOCKING, GLOBAL, 0, -1, a);
    say(t, "]");
}

ACT(leg_set, return cuMemsetD32Async(e->q, 1, 1, NULL);)
ACT(leg_kernel, return launch1(e->f, NULL, NULL);)
ACT(leg_copy, return cuMemcpyDtoDAsync(e->q, e->q + 64, 4, NULL);)
CASE(capmode, legacy_work)
{
    legacy(t, "set", act_leg_set);
    legacy(t, "kernel", act_leg_kernel);
    legacy(t, "copy", act_leg_copy);
}

ACT(leg_record, return cuEventRecord(e->eu, NULL);)
ACT(leg_wait, return cuStreamWaitEvent(NULL, e->eo, 0);)
ACT(leg_wait_captured, return cuStreamWaitEvent(NULL, e->ec, 0);)
CASE(capmode, legacy_events)
{
    legacy(t, "record", act_leg_record);
    legacy(t, "wait", act_leg_wait);
    legacy(t, "wait_captured", act_leg_wait_captured);
}

ACT(leg_query, (void)e; return cuStreamQuery(NULL);)
ACT(leg_sync, (void)e; return cuStreamSynchronize(NULL);)
ACT(leg_sync_named, (void)e; return cuStreamSynchronize(CU_STREAM_LEGACY);)
CASE(capmode, legacy_wait)
{
    legacy(t, "query", act_leg_query);
    legacy(t, "sync", act_leg_sync);
    legacy(t, "sync_named", act_leg_sync_named);
}

ACT(leg_memcpy, return cuMemcpyHtoD(e->q, e->page, 64);)
ACT(leg_memset, return cuMemsetD32(e->q, 1, 1);)
ACT(leg_alloc_sync, CUdeviceptr d = 0; (void)e; return cuMemAlloc(&d, 256);)
CASE(capmode, legacy_synchronous)
{
    legacy(t, "memcpy", act_leg_memcpy);
    legacy(t, "memset", act_leg_memset);
    legacy(t, "mem_alloc", act_leg_alloc_sync);
}

/* The per-thread stream's work is no dependency on the capture; nor is that
 * of another blocking stream. */
ACT(ptds_set, return cuMemsetD32Async(e->q, 1, 1, CU_STREAM_PER_THREAD);)
ACT(ptds_sync, (void)e; return cuStreamSynchronize(CU_STREAM_PER_THREAD);)
ACT(blocking_set, CUstream b = NULL; CUresult r = cuStreamCreate(&b, 0);
    return r ? r : cuMemsetD32Async(e->q, 1, 1, b);)
CASE(capmode, not_legacy)
{
    legacy(t, "ptds_set", act_ptds_set);
    legacy(t, "ptds_sync", act_ptds_sync);
    legacy(t, "blocking_set", act_blocking_set);
}

/* ---- the thread's own mode ---- */

static const char *mode_name(CUstreamCaptureMode m)
{
    switch ((int)m) {
    case GLOBAL: return "global";
    case THREAD_LOCAL: return "local";
    case RELAXED: return "relaxed";
    default: return "other";
    }
}

/* ---- ends and begins on other threads ---- */

typedef struct Far {
    T *t;
    CUstream s, s2;
    CUevent e, f;
    CUdeviceptr p;
    CUstreamCaptureMode m;
    CUgraph g;
    CUresult r, r2, r3;
} Far;

static void far_end(void *v)
{
    Far *a = v;
    a->g = (CUgraph)0x1;
    a->r = cuStreamEndCapture(a->s, &a->g);
}

static void far_begin(void *v)
{
    Far *a = v;
    a->r = cuStreamBeginCapture(a->s, a->m);
    a->r2 = capture_mark(a->p, 'A', a->s);
}

/* Begun here, ended there. */
CASE(capmode, wrong_thread)
{
    static const CUstreamCaptureMode mode[] = { GLOBAL, THREAD_LOCAL, RELAXED };
    CUdeviceptr p = dalloc(t, 16);
    for (int i = 0; i < 3; i++) {
        Far a = { t, create_stream(t, NONBLOCKING), NULL, NULL, NULL, p, mode[i], NULL, 0, 0, 0 };
        say(t, " [%s", mode_name(mode[i]));
        OK(cuStreamBeginCapture(a.s, mode[i]));
        OK(capture_mark(p, 'A', a.s));
        on_thread(t, far_end, &a);
        say(t, " far_end=%s:%s", ename(a.r),
            a.g == (CUgraph)0x1 ? "untouched"
            : a.g               ? "set"
                                : "null");
        say_status(t, "s", a.s);
        if (!a.r) say_topology(t, a.g);
        R("mark", capture_mark(p, 'B', a.s));
        say_topology(t, capture_end(t, a.s));
        say_status(t, "s", a.s);
        say(t, "]");
    }
}

/* Begun by a thread that is gone: who can end it, and whom does it bind? */
CASE(capmode, begun_by_gone_thread)
{
    static const CUstreamCaptureMode mode[] = { RELAXED, THREAD_LOCAL, GLOBAL };
    CUdeviceptr p = dalloc(t, 16), d = 0;
    for (int i = 0; i < 3; i++) {
        Far a = { t, create_stream(t, NONBLOCKING), NULL, NULL, NULL, p, mode[i], NULL, 0, 0, 0 };
        say(t, " [%s", mode_name(mode[i]));
        on_thread(t, far_begin, &a);
        say(t, " begin=%s mark=%s", ename(a.r), ename(a.r2));
        say_status(t, "s", a.s);
        R("mark", capture_mark(p, 'B', a.s));
        say_topology(t, capture_end(t, a.s));
        say_status(t, "s", a.s);
        R("alloc", cuMemAlloc(&d, 64));
        say_status(t, "s", a.s);
        capture_end(t, a.s);
        say(t, "]");
    }
}

static void far_side(void *v)
{
    Far *a = v;
    a->r = cuStreamWaitEvent(a->s2, a->e, 0);
    a->r2 = capture_mark(a->p, 'B', a->s2);
    a->r3 = cuEventRecord(a->f, a->s2);
}

/* The side stream of a fork is worked by another thread, which itself
 * captures nothing. */
CASE(capmode, fork_to_thread)
{
    static const CUstreamCaptureMode mode[] = { GLOBAL, THREAD_LOCAL, RELAXED };
    CUdeviceptr p = dalloc(t, 16);
    for (int i = 0; i < 3; i++) {
        Far a = { t,
                  create_stream(t, NONBLOCKING),
                  create_stream(t, NONBLOCKING),
                  create_event(t),
                  create_event(t),
                  p,
                  mode[i],
                  NULL,
                  0,
                  0,
                  0 };
        say(t, " [%s", mode_name(mode[i]));
        OK(cuStreamBeginCapture(a.s, mode[i]));
        OK(capture_mark(p, 'A', a.s));
        OK(cuEventRecord(a.e, a.s));
        on_thread(t, far_side, &a);
        say(t, " wait=%s mark=%s record=%s", ename(a.r), ename(a.r2), ename(a.r3));
        R("join", cuStreamWaitEvent(a.s, a.f, 0));
        R("mark", capture_mark(p, 'C', a.s));
        say_dependencies(t, "s", a.s);
        say_topology(t, capture_end(t, a.s));
        say(t, "]");
    }
}

/* ---- several captures at once ---- */

typedef struct Pair {
    T *t;
    pthread_barrier_t *b;
    CUstream s;
    CUdeviceptr p;
    CUstreamCaptureMode m;
    char base;
    CUresult begin, mark, alloc, end;
    CUstreamCaptureStatus st;
    CUgraph g;
} Pair;

static void *pair_main(void *v)
{
    Pair *a = v;
    CUdeviceptr d = 0;
    CUstreamCaptureMode m = RELAXED;
    cuCtxSetCurrent(a->t->ctx);
    pthread_barrier_wait(a->b);
    a->begin = cuStreamBeginCapture(a->s, a->m);
    pthread_barrier_wait(a->b);
    a->mark = 0;
    for (int i = 0; i < 3; i++) {
        CUresult r = capture_mark(a->p, (char)(a->base + i), a->s);
        if (r) a->mark = r;
    }
    pthread_barrier_wait(a->b);
    cuThreadExchangeStreamCaptureMode(&m);
    a->alloc = cuMemAlloc(&d, 64);
    cuThreadExchangeStreamCaptureMode(&m);
    pthread_barrier_wait(a->b);
    cuStreamIsCapturing(a->s, &a->st);
    pthread_barrier_wait(a->b);
    a->end = cuStreamEndCapture(a->s, &a->g);
    return NULL;
}

static void pair(T *t, CUstreamCaptureMode m0, CUstreamCaptureMode m1)
{
    pthread_barrier_t b;
    pthread_t th[2];
    Pair a[2];
    CUdeviceptr p = dalloc(t, 64);
    memset(a, 0, sizeof a);
    pthread_barrier_init(&b, NULL, 2);
    for (int i = 0; i < 2; i++) {
        a[i].t = t;
        a[i].b = &b;
        a[i].s = create_stream(t, NONBLOCKING);
        a[i].p = p + 16 * (unsigned)i;
        a[i].m = i ? m1 : m0;
        a[i].base = i ? 'P' : 'A';
    }
    for (int i = 0; i < 2; i++) pthread_create(&th[i], NULL, pair_main, &a[i]);
    for (int i = 0; i < 2; i++) pthread_join(th[i], NULL);
    for (int i = 0; i < 2; i++) {
        say(t, " [%s begin=%s mark=%s alloc=%s st=%s end=%s", mode_name(a[i].m), ename(a[i].begin),
            ename(a[i].mark), ename(a[i].alloc), capture_state(a[i].st), ename(a[i].end));
        say_topology(t, a[i].end ? NULL : a[i].g);
        if (!a[i].end && a[i].g) R("run", run_captured(a[i].g, a[i].s));
        say(t, "]");
    }
}

/* Two threads each capture at the same time and, for a moment relaxed,
 * allocate. */
CASE(capmode, two_threads_local)
{
    pair(t, THREAD_LOCAL, THREAD_LOCAL);
}
CASE(capmode, two_threads_global)
{
    pair(t, GLOBAL, GLOBAL);
}
CASE(capmode, two_threads_mixed)
{
    pair(t, GLOBAL, RELAXED);
}

typedef struct Holder {
    T *t;
    pthread_barrier_t b;
    CUstream g, l, r;
    CUresult begin[3], end[3];
} Holder;

static void *holder_main(void *v)
{
    Holder *h = v;
    CUgraph g = NULL;
    cuCtxSetCurrent(h->t->ctx);
    h->begin[0] = cuStreamBeginCapture(h->g, GLOBAL);
    h->begin[1] = cuStreamBeginCapture(h->l, THREAD_LOCAL);
    h->begin[2] = cuStreamBeginCapture(h->r, RELAXED);
    pthread_barrier_wait(&h->b);
    pthread_barrier_wait(&h->b);
    h->end[0] = cuStreamEndCapture(h->g, &g);
    h->end[1] = cuStreamEndCapture(h->l, &g);
    h->end[2] = cuStreamEndCapture(h->r, &g);
    return NULL;
}

/* Six captures, one a mode here and one a mode on another living thread; one
 * unsafe call: which of them does it break? */
static void six(T *t, CUresult (*call)(T *), int swap, int far)
{
    Holder h;
    pthread_t th;
    CUstream g, l, r;
    CUgraph out = NULL;
    CUstreamCaptureMode m = (CUstreamCaptureMode)swap;
    memset(&h, 0, sizeof h);
    h.t = t;
    h.g = create_stream(t, NONBLOCKING);
    h.l = create_stream(t, NONBLOCKING);
    h.r = create_stream(t, NONBLOCKING);
    g = create_stream(t, NONBLOCKING);
    l = create_stream(t, NONBLOCKING);
    r = create_stream(t, NONBLOCKING);
    pthread_barrier_init(&h.b, NULL, 2);
    pthread_create(&th, NULL, holder_main, &h);
    pthread_barrier_wait(&h.b);
    if (!far) {
        R("begin_g", cuStreamBeginCapture(g, GLOBAL));
        R("begin_l", cuStreamBeginCapture(l, THREAD_LOCAL));
        R("begin_r", cuStreamBeginCapture(r, RELAXED));
    }
    if (swap >= 0) cuThreadExchangeStreamCaptureMode(&m);
    R("call", call(t));
    if (swap >= 0) cuThreadExchangeStreamCaptureMode(&m);
    say_status(t, "far_g", h.g);
    say_status(t, "far_l", h.l);
    say_status(t, "far_r", h.r);
    if (!far) {
        say_status(t, "g", g);
        say_status(t, "l", l);
        say_status(t, "r", r);
        R("end_g", cuStreamEndCapture(g, &out));
        R("end_l", cuStreamEndCapture(l, &out));
        R("end_r", cuStreamEndCapture(r, &out));
    }
    pthread_barrier_wait(&h.b);
    pthread_join(th, NULL);
    say(t, " far=%s,%s,%s/%s,%s,%s", ename(h.begin[0]), ename(h.begin[1]), ename(h.begin[2]),
        h.end[0] ? "broken" : "ok", h.end[1] ? "broken" : "ok", h.end[2] ? "broken" : "ok");
    say(t, " far_end=%s,%s,%s", ename(h.end[0]), ename(h.end[1]), ename(h.end[2]));
}

static CUresult six_alloc(T *t)
{
    CUdeviceptr d = 0;
    (void)t;
    return cuMemAlloc(&d, 64);
}
static CUresult six_sync(T *t)
{
    (void)t;
    return cuCtxSynchronize();
}

CASE(capmode, which_broken_alloc)
{
    six(t, six_alloc, -1, 0);
}

CASE(capmode, which_broken_alloc_far)
{
    six(t, six_alloc, -1, 1);
}
CASE(capmode, which_broken_ctx_sync)
{
    six(t, six_sync, -1, 0);
}

/* A thread is bound by its own capture as long as that lasts, not by a
 * relaxed one beside it; captures of two modes do not merge either. */
CASE(capmode, end_frees_thread)
{
    CUstream s = create_stream(t, NONBLOCKING), o = create_stream(t, NONBLOCKING);
    CUdeviceptr p = dalloc(t, 16), d = 0;
    CUevent e = create_event(t);
    R("begin_s", cuStreamBeginCapture(s, THREAD_LOCAL));
    R("begin_o", cuStreamBeginCapture(o, RELAXED));
    say_topology(t, capture_end(t, s));
    R("alloc", cuMemAlloc(&d, 64));
    say_status(t, "o", o);
    R("begin_s", cuStreamBeginCapture(s, THREAD_LOCAL));
    OK(capture_mark(p, 'A', o));
    R("merge", fork_stream(o, s, e));
    say_status(t, "s", s);
    say_status(t, "o", o);
    capture_end(t, s);
    say_topology(t, capture_end(t, o));
    R("alloc", cuMemAlloc(&d, 64));
}
