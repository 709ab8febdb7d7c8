/* SPDX-License-Identifier: Apache-2.0
 *
 * Several captures at once.
 */
#include "modes.h"

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
