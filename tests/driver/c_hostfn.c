/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and stream callbacks.
 */
#include "streams.h"

/* A host function that says it is in, then waits to be let out. */
typedef struct {
    int in, out, left;
} Hold;
static void CUDA_CB hold(void *p)
{
    Hold *h = p;
    set(&h->in, 1);
    await_int(&h->out, 1, 5000);
    set(&h->left, 1);
}

/* A page of pinned host memory, its device address the same. */
static volatile uint32_t *pinned(void)
{
    void *p = NULL;
    if (cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP)) return NULL;
    memset(p, 0, 4096);
    return p;
}

typedef struct {
    volatile uint32_t *h;
    uint32_t saw;
} Peek;
static void CUDA_CB peek(void *p)
{
    Peek *k = p;
    k->saw = k->h[0];
    k->h[1] = k->h[0] + 100;
}
/* A host function sees what kernels before it wrote, and kernels behind it see
 * what it wrote. */
CASE(hostfn, order_with_kernels)
{
    CUstream s;
    static Peek k;
    CUfunction fp = warm(t, "put"), fc = warm(t, "copy1");
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    if (!(k.h = pinned())) return;
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)k.h, d1 = d + 4;
    shut(t);
    OK(gate(t, s));
    OK(put(fp, s, d, 5));
    R("hostfn", cuLaunchHostFunc(s, peek, &k));
    OK(launch1(fc, s, (void *[]){ &p, &d1 }));
    OK(put(fp, s, d, 6));
    say(t, " state=%s", held(s));
    say(t, " early=%u", k.saw);
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " saw=%u kernel_saw=%u", k.saw, dread(t, p));
}

/* No function to call; no stream; no data. */
static void CUDA_CB note_arg(void *p)
{
    (void)p;
}
static int got_null;
static void CUDA_CB want_null(void *p)
{
    set(&got_null, p == NULL ? 1 : 2);
}
CASE(hostfn, args)
{
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("null_fn", cuLaunchHostFunc(s, NULL, NULL));
    R("null_fn_null_stream", cuLaunchHostFunc(NULL, NULL, NULL));
    R("null_data", cuLaunchHostFunc(s, want_null, NULL));
    R("sync", cuStreamSynchronize(s));
    say(t, " null_passed=%d", get(&got_null) == 1);
    R("null_stream", cuLaunchHostFunc(NULL, note_arg, NULL));
    R("legacy", cuLaunchHostFunc(CU_STREAM_LEGACY, note_arg, NULL));
    R("per_thread", cuLaunchHostFunc(CU_STREAM_PER_THREAD, note_arg, NULL));
    R("sync", cuCtxSynchronize());
}

/* Calls made from inside a host function, each with its answer; a call that
 * never comes back is reported as stuck. */
typedef struct {
    T *t;
    CUstream s, other;
    CUevent e;
    CUdeviceptr p;
    CUfunction f;
    struct {
        const char *name;
        int r;
    } c[32];
    int n, fin;
} Calls;
static void call_begin(Calls *x, const char *name)
{
    x->c[x->n].name = name;
    x->c[x->n].r = -1;
    __atomic_fetch_add(&x->n, 1, __ATOMIC_SEQ_CST);
}
static void call_end(Calls *x, CUresult r)
{
    set(&x->c[x->n - 1].r, (int)r);
}
#define C(label, expr)                                                                             \
    do {                                                                                           \
        call_begin(x, label);                                                                      \
        call_end(x, (expr));                                                                       \
    } while (0)

static void calls_report(T *t, Calls *x)
{
    int fin = await_int(&x->fin, 1, 4000);
    for (int i = 0; i < get(&x->n); i++) {
        int r = get(&x->c[i].r);
        say(t, " %s=%s", x->c[i].name, r < 0 ? "stuck" : ename((CUresult)r));
    }
    say(t, " finished=%d", fin);
    if (fin) R("sync", cuCtxSynchronize());
}
static int calls_setup(T *t, Calls *x)
{
    x->t = t;
    x->f = warm(t, "nop");
    x->p = dalloc(t, 64);
    return cuStreamCreate(&x->s, CU_STREAM_NON_BLOCKING) ||
           cuStreamCreate(&x->other, CU_STREAM_NON_BLOCKING) ||
           cuEventCreate(&x->e, CU_EVENT_DISABLE_TIMING) || cuEventRecord(x->e, x->other) ||
           cuCtxSynchronize();
}

static void CUDA_CB in_create(void *p)
{
    Calls *x = p;
    CUstream s = NULL;
    CUevent e = NULL;
    CUdeviceptr d = 0;
    CUgraph g = NULL;
    CUfunction f = NULL;
    void *v = NULL;
    C("stream_create", cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    C("event_create", cuEventCreate(&e, 0));
    C("mem_alloc", cuMemAlloc(&d, 64));
    C("host_alloc", cuMemHostAlloc(&v, 64, 0));
    d = 0;
    C("alloc_async", cuMemAllocAsync(&d, 64, x->other));
    C("graph_create", cuGraphCreate(&g, 0));
    C("get_function", cuModuleGetFunction(&f, x->t->mod, "inc"));
    C("ctx_set_current", cuCtxSetCurrent(x->t->ctx));
    C("event_destroy", cuEventDestroy(x->e));
    C("mem_free", cuMemFree(x->p));
    C("stream_destroy", cuStreamDestroy(x->other));
    set(&x->fin, 1);
}
/* Calls that make or destroy something. */
CASE(hostfn, calls_that_create)
{
    static Calls x;
    if (calls_setup(t, &x)) return;
    OK(cuLaunchHostFunc(x.s, in_create, &x));
    calls_report(t, &x);
}

static void CUDA_CB in_callback(CUstream s, CUresult r, void *p)
{
    Calls *x = p;
    CUstream n = NULL;
    CUdeviceptr d = 0;
    int v = 0;
    C("device_count", cuDeviceGetCount(&v));
    C("stream_query", cuStreamQuery(s));
    C("event_query", cuEventQuery(x->e));
    C("launch", launch1(x->f, x->other, NULL));
    C("stream_create", cuStreamCreate(&n, 0));
    C("mem_alloc", cuMemAlloc(&d, 64));
    C("status", r);
    set(&x->fin, 1);
}
/* The same from a stream callback. */
CASE(hostfn, calls_in_callback)
{
    static Calls x;
    if (calls_setup(t, &x)) return;
    OK(cuStreamAddCallback(x.s, in_callback, &x, 0));
    calls_report(t, &x);
}

typedef struct {
    int *log, *n, i;
} Slot;
static void CUDA_CB append(void *p)
{
    Slot *s = p;
    s->log[__atomic_fetch_add(s->n, 1, __ATOMIC_SEQ_CST)] = s->i;
}

static pthread_t ran_on[3];
static void CUDA_CB which_thread(void *p)
{
    *(pthread_t *)p = pthread_self();
}
/* The thread that host functions run on. */
CASE(hostfn, thread)
{
    CUstream a, b;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchHostFunc(a, which_thread, &ran_on[0]));
    OK(cuLaunchHostFunc(a, which_thread, &ran_on[1]));
    OK(cuStreamSynchronize(a));
    OK(cuLaunchHostFunc(b, which_thread, &ran_on[2]));
    OK(cuStreamSynchronize(b));
    say(t, " caller=%s", pthread_equal(ran_on[0], pthread_self()) ? "same" : "differ");
    say(t, " one_stream=%s", pthread_equal(ran_on[0], ran_on[1]) ? "same" : "differ");
    say(t, " two_streams=%s", pthread_equal(ran_on[0], ran_on[2]) ? "same" : "differ");
}

/* While a host function runs: its stream is busy and stands still, other
 * streams go on, an event behind it is pending. */
CASE(hostfn, holds_its_stream)
{
    static Hold h;
    CUstream a, b, c;
    CUevent before, after;
    CUfunction f = warm(t, "put");
    volatile uint32_t *w = pinned();
    if (!w) return;
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)w;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&c, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&before, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&after, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(before, a));
    OK(cuLaunchHostFunc(a, hold, &h));
    OK(cuEventRecord(after, a));
    OK(put(f, a, d, 1));
    OK(put(f, b, d + 4, 1));
    OK(cuStreamWaitEvent(c, after, 0));
    OK(put(f, c, d + 8, 1));
    say(t, " in=%d", await_int(&h.in, 1, 2000));
    R("before", cuEventSynchronize(before));
    R("after", cuEventQuery(after));
    say(t, " a=%s b=%s c=%s", held(a), done(b), held(c));
    say(t, " w=%u,%u,%u", w[0], w[1], w[2]);
    set(&h.out, 1);
    R("sync_c", cuStreamSynchronize(c));
    R("sync_a", cuStreamSynchronize(a));
    say(t, " left=%d w=%u,%u,%u", get(&h.left), w[0], w[1], w[2]);
}

/* Ordered across streams by an event, in both directions. */
CASE(hostfn, ordered_by_event)
{
    static int log[3], n;
    static Slot sl[3];
    CUstream a, b;
    CUevent e, f;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < 3; i++) sl[i] = (Slot){ log, &n, i + 1 };
    shut(t);
    OK(gate(t, a));
    OK(cuLaunchHostFunc(a, append, &sl[0]));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    OK(cuLaunchHostFunc(b, append, &sl[1]));
    OK(cuEventRecord(f, b));
    OK(cuStreamWaitEvent(a, f, 0));
    OK(cuLaunchHostFunc(a, append, &sl[2]));
    say(t, " a=%s b=%s", held(a), held(b));
    gate_open(t);
    R("sync", cuStreamSynchronize(a));
    say(t, " ran=%d order=%d%d%d", get(&n), log[0], log[1], log[2]);
}

typedef struct {
    CUstream s;
    CUresult r;
    void *data;
    int n;
} Got;
static void CUDA_CB take(CUstream s, CUresult r, void *p)
{
    Got *g = p;
    g->s = s;
    g->r = r;
    g->data = p;
    __atomic_fetch_add(&g->n, 1, __ATOMIC_SEQ_CST);
}
/* Stream callbacks: arguments, refused flags, what is handed over. */
CASE(hostfn, callback)
{
    static Got g;
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("add", cuStreamAddCallback(s, take, &g, 0));
    R("sync", cuStreamSynchronize(s));
    say(t, " n=%d status=%s stream=%s data=%d", get(&g.n), ename(g.r), g.s == s ? "same" : "other",
        g.data == &g);
    R("flags_1", cuStreamAddCallback(s, take, &g, 1));
    R("flags_high", cuStreamAddCallback(s, take, &g, 0x80000000u));
    R("null_fn", cuStreamAddCallback(s, NULL, NULL, 0));
    R("sync", cuStreamSynchronize(s));
    say(t, " n=%d", get(&g.n));
}

/* Which handle a callback in a default stream is given. */
CASE(hostfn, callback_default_streams)
{
    static Got g[3];
    CUstream h[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    for (int i = 0; i < 3; i++) {
        CUresult r = cuStreamAddCallback(h[i], take, &g[i], 0);
        OK(cuCtxSynchronize());
        say(t, " %d=%s/%d/%s", i, ename(r), get(&g[i].n),
            g[i].s == NULL                   ? "null"
            : g[i].s == CU_STREAM_LEGACY     ? "legacy"
            : g[i].s == CU_STREAM_PER_THREAD ? "per_thread"
                                             : "other");
    }
}

/* Host functions of a stream destroyed before they could run. */
CASE(hostfn, stream_destroyed)
{
    static int n;
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    shut(t);
    OK(gate(t, s));
    OK(cuLaunchHostFunc(s, count, &n));
    OK(cuLaunchHostFunc(s, count, &n));
    R("destroy", cuStreamDestroy(s));
    say(t, " before=%d", get(&n));
    gate_open(t);
    R("ctxsync", cuCtxSynchronize());
    say(t, " after=%d", get(&n));
}

/* Host functions in many streams at once: each runs once. */
CASE(hostfn, many_streams)
{
    static int n;
    CUstream s[8];
    int ok = 0;
    for (int i = 0; i < 8; i++) OK(cuStreamCreate(&s[i], CU_STREAM_NON_BLOCKING));
    for (int k = 0; k < 160; k++) ok += !cuLaunchHostFunc(s[k & 7], count, &n);
    R("sync", cuCtxSynchronize());
    say(t, " launched=%d ran=%d", ok, get(&n));
}
