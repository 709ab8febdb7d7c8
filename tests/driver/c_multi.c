/* SPDX-License-Identifier: Apache-2.0
 *
 * Two devices in one process: contexts, streams and events of different
 * devices, memory that crosses between them, captures and graphs over both.
 */
#include "streams.h"

#define NONBLOCKING CU_STREAM_NON_BLOCKING
#define UNTIMED CU_EVENT_DISABLE_TIMING

/* The second device as a T of its own: device, context, module and gate. */
static T *second_device(T *t)
{
    static T u;
    int n = 0;
    if (cuDeviceGetCount(&n) || n < 2) {
        say(t, " one_device");
        return NULL;
    }
    CUresult r = cuDeviceGet(&u.dev, 1);
    if (!r) r = cuDevicePrimaryCtxRetain(&u.ctx, u.dev);
    if (r) {
        say(t, " SETUP:second=%s", ename(r));
        return NULL;
    }
    return &u;
}
#define TWO_DEVICES                                                                                \
    T *u = second_device(t);                                                                       \
    if (!u) return
#define MAKE_CURRENT(x) OK(cuCtxSetCurrent((x)->ctx))

static const char *context_name(T *t, T *u, CUcontext c)
{
    return !c ? "null" : c == t->ctx ? "ctx0" : c == u->ctx ? "ctx1" : "other";
}

/* One stream of each device, and those that follow the current context. */
typedef struct {
    const char *n;
    CUstream s;
} NamedStream;
#define FOUR_STREAMS(s0, s1)                                                                       \
    { "s0", s0 }, { "s1", s1 }, { "null", NULL },                                                  \
    {                                                                                              \
        "pt", CU_STREAM_PER_THREAD                                                                 \
    }

/* Set-up on either device; the current context stays what it was. */
static void enter_context(T *x)
{
    cuCtxPushCurrent(x->ctx);
}
static void leave_context(void)
{
    CUcontext c;
    cuCtxPopCurrent(&c);
}
static CUresult create_stream_on(T *x, CUstream *s, unsigned fl)
{
    enter_context(x);
    CUresult r = cuStreamCreate(s, fl);
    leave_context();
    return r;
}
static CUresult create_event_on(T *x, CUevent *e, unsigned fl)
{
    enter_context(x);
    CUresult r = cuEventCreate(e, fl);
    leave_context();
    return r;
}
static CUdeviceptr memory_on(T *x, size_t n)
{
    enter_context(x);
    CUdeviceptr p = dalloc(x, n);
    leave_context();
    return p;
}
/* A zeroed pinned word that both devices may use. */
static CUresult pinned_on(T *x, volatile uint32_t **h, CUdeviceptr *d, size_t n)
{
    void *v = NULL;
    enter_context(x);
    CUresult r = cuMemHostAlloc(&v, n, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    if (!r) memset(v, 0, n);
    if (!r) r = cuMemHostGetDevicePointer(d, v, 0);
    leave_context();
    *h = v;
    return r;
}
static CUresult settle_device(T *x)
{
    enter_context(x);
    CUresult r = cuCtxSynchronize();
    leave_context();
    return r;
}
/* One word of x's memory, read with x's context current. */
static unsigned word_at(T *t, T *x, CUdeviceptr p)
{
    unsigned v = 0xdead;
    enter_context(x);
    CUresult r = cuMemcpyDtoH(&v, p, 4);
    leave_context();
    if (r) say(t, " read=%s", ename(r));
    return v;
}
static CUresult set_word(T *x, CUdeviceptr p, unsigned v)
{
    enter_context(x);
    CUresult r = cuMemcpyHtoD(p, &v, 4);
    if (!r) r = cuCtxSynchronize();
    leave_context();
    return r;
}

/* x's kernel, run once already: lazy loading cannot stall behind a gate. */
static CUfunction warm_on(T *x, const char *name)
{
    enter_context(x);
    CUfunction f = warm(x, name);
    leave_context();
    return f;
}

/* Each device has a gate; one that stays shut for long opens by itself. */
static struct shutter {
    T *x;
    long at;
} shutters[2];
static long now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000 + ts.tv_nsec / 1000000 + 1;
}
static void *guard_main(void *p)
{
    (void)p;
    for (;;) {
        msleep(100);
        for (int i = 0; i < 2; i++) {
            long at = __atomic_load_n(&shutters[i].at, __ATOMIC_SEQ_CST);
            if (at && now_ms() - at > 5000) gate_open(shutters[i].x);
        }
    }
    return NULL;
}
static void shut_gate_of(T *x)
{
    static int on;
    pthread_t th;
    enter_context(x);
    gate_close(x);
    leave_context();
    shutters[x->dev & 1].x = x;
    __atomic_store_n(&shutters[x->dev & 1].at, now_ms(), __ATOMIC_SEQ_CST);
    if (!on++ && !pthread_create(&th, NULL, guard_main, NULL)) pthread_detach(th);
}
static void open_gate_of(T *x)
{
    gate_open(x);
    __atomic_store_n(&shutters[x->dev & 1].at, 0, __ATOMIC_SEQ_CST);
}
/* Stream s, of x's context, stands still until unshut(x). */
static CUresult gate_stream_of(T *x, CUstream s)
{
    enter_context(x);
    CUresult r = gate(x, s);
    leave_context();
    return r;
}

/* Opens x's gate after a while from another thread, so that a call which
 * blocks returns; opened() tells whether it had to. */
typedef struct {
    T *x;
    int ms, open;
    pthread_t th;
} GateOpener;
static void *opener_main(void *p)
{
    GateOpener *o = p;
    msleep(o->ms);
    __atomic_store_n(&o->open, 1, __ATOMIC_SEQ_CST);
    open_gate_of(o->x);
    return NULL;
}
static void open_gate_later(GateOpener *o, T *x, int ms)
{
    o->x = x;
    o->ms = ms;
    o->open = 0;
    pthread_create(&o->th, NULL, opener_main, o);
}
static int gate_was_opened(GateOpener *o)
{
    return __atomic_load_n(&o->open, __ATOMIC_SEQ_CST);
}
static void join_opener(GateOpener *o)
{
    pthread_join(o->th, NULL);
}

/* ---- devices and contexts ------------------------------------------------ */

/* Who can reach whom, and what is told about the link. */
CASE(multi, can_access)
{
    static const CUdevice q[][2] = { { 0, 1 },    { 1, 0 },    { 0, 0 },  { 1, 1 },
                                     { 0, 9999 }, { 9999, 0 }, { -1, 0 }, { 0, -1 } };
    static const struct {
        const char *n;
        CUdevice_P2PAttribute a;
    } at[] = { { "access", CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED },
               { "atomic", CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED },
               { "array", CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED } };
    int v;
    TWO_DEVICES;
    for (unsigned i = 0; i < sizeof q / sizeof *q; i++) {
        v = -7;
        CUresult r = cuDeviceCanAccessPeer(&v, q[i][0], q[i][1]);
        say(t, " can(%d,%d)=%s:%d", q[i][0], q[i][1], ename(r), v);
    }
    for (unsigned i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            v = -7;
            CUresult r = cuDeviceGetP2PAttribute(&v, at[i].a, q[k][0], q[k][1]);
            say(t, " %s(%d,%d)=%s:%d", at[i].n, q[k][0], q[k][1], ename(r), v);
        }
    R("bad_peer", cuDeviceGetP2PAttribute(&v, at[0].a, 0, 9999));
    R("bad_attr", cuDeviceGetP2PAttribute(&v, (CUdevice_P2PAttribute)99, 0, 1));
}

/* The same questions with nowhere to put the answer. */
CASE(multi, can_access_null)
{
    TWO_DEVICES;
    R("p2p", cuDeviceGetP2PAttribute(NULL, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    R("can", cuDeviceCanAccessPeer(NULL, 0, 1));
}

/* What tells two devices of one kind apart. */
CASE(multi, identities)
{
    char n0[128] = "", n1[128] = "", b0[64] = "", b1[64] = "";
    CUuuid a, b;
    CUdevice d = 99;
    CUmemoryPool p0 = NULL, p1 = NULL, m1 = NULL;
    int v0 = -1, v1 = -1;
    TWO_DEVICES;
    R("name", cuDeviceGetName(n1, sizeof n1, u->dev));
    OK(cuDeviceGetName(n0, sizeof n0, t->dev));
    OK(cuDeviceGetUuid(&a, t->dev));
    R("uuid", cuDeviceGetUuid(&b, u->dev));
    OK(cuDeviceGetPCIBusId(b0, sizeof b0, t->dev));
    R("bus", cuDeviceGetPCIBusId(b1, sizeof b1, u->dev));
    say(t, " uuid_differ=%d bus_differ=%d", memcmp(&a, &b, sizeof a) != 0, strcmp(b0, b1) != 0);
    R("by_bus", cuDeviceGetByPCIBusId(&d, b1));
    say(t, ":%d", d);
    R("unified0", cuDeviceGetAttribute(&v0, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, t->dev));
    R("unified1", cuDeviceGetAttribute(&v1, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, u->dev));
    say(t, ":%d,%d", v0, v1);
    R("pool0", cuDeviceGetDefaultMemPool(&p0, t->dev));
    R("pool1", cuDeviceGetDefaultMemPool(&p1, u->dev));
    R("current1", cuDeviceGetMemPool(&m1, u->dev));
    say(t, " pools_differ=%d current_is_default=%d", p0 != p1, m1 == p1);
}

static void top(T *t, T *u, const char *label)
{
    CUcontext c = NULL;
    CUdevice d = 99;
    CUresult r = cuCtxGetCurrent(&c), q = cuCtxGetDevice(&d);
    say(t, " %s:%s/", label, r ? ename(r) : context_name(t, u, c));
    if (q)
        say(t, "%s", ename(q));
    else
        say(t, "%d", d);
}

struct elsewhere {
    T *t, *u;
    CUfunction f;
    CUdeviceptr p;
    CUcontext before, after;
    CUresult set, launch, sync;
};
static void *elsewhere_main(void *arg)
{
    struct elsewhere *x = arg;
    cuCtxGetCurrent(&x->before);
    x->set = cuCtxSetCurrent(x->u->ctx);
    x->launch = put(x->f, NULL, x->p, 31);
    x->sync = cuCtxSynchronize();
    cuCtxGetCurrent(&x->after);
    return NULL;
}
/* Another thread takes device 1 while this one stays on device 0. */
CASE(multi, thread_contexts)
{
    TWO_DEVICES;
    struct elsewhere x = { t, u, warm_on(u, "put"), memory_on(u, 4), t->ctx, NULL, 0, 0, 0 };
    pthread_t th;
    OK(cuCtxPushCurrent(u->ctx));
    OK(cuCtxPushCurrent(t->ctx));
    pthread_create(&th, NULL, elsewhere_main, &x);
    pthread_join(th, NULL);
    say(t, " before=%s set=%s launch=%s sync=%s after=%s", context_name(t, u, x.before),
        ename(x.set), ename(x.launch), ename(x.sync), context_name(t, u, x.after));
    top(t, u, "here");
    say(t, " v=%u", word_at(t, u, x.p));
}

/* Whose stream is it: context, device and flags, with either context current. */
CASE(multi, stream_getters)
{
    CUstream s0, s1;
    TWO_DEVICES;
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, CU_STREAM_DEFAULT));
    const NamedStream h[] = { { "s0", s0 },
                              { "s1", s1 },
                              { "null", NULL },
                              { "legacy", CU_STREAM_LEGACY },
                              { "pt", CU_STREAM_PER_THREAD } };
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(k ? u : t);
        say(t, " current=%d", k);
        for (int i = 0; i < 5; i++) {
            CUcontext c = NULL;
            CUdevice d = 99;
            unsigned fl = 99;
            CUresult r = cuStreamGetCtx(h[i].s, &c), q = cuStreamGetDevice(h[i].s, &d),
                     w = cuStreamGetFlags(h[i].s, &fl);
            say(t, " %s=%s:%s,%s:%d,%s:%u", h[i].n, ename(r), context_name(t, u, c), ename(q), d,
                ename(w), fl);
        }
    }
}

/* ---- events across devices ----------------------------------------------- */

/* Every event in every stream, with either context current: which records go. */
CASE(multi, record_foreign)
{
    CUstream s[2];
    CUevent e[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
    }
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(x[k]);
        say(t, " current=%d", k);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++)
                say(t, " e%d_s%d=%s", i, j, ename(cuEventRecord(e[i], s[j])));
            say(t, " e%d_null=%s", i, ename(cuEventRecord(e[i], NULL)));
            say(t, " e%d_legacy=%s", i, ename(cuEventRecord(e[i], CU_STREAM_LEGACY)));
            say(t, " e%d_pt=%s", i, ename(cuEventRecord(e[i], CU_STREAM_PER_THREAD)));
        }
        R("flags", cuEventRecordWithFlags(e[!k], s[k], CU_EVENT_RECORD_DEFAULT));
    }
    for (int i = 0; i < 2; i++) {
        R("settle", settle_device(x[i]));
        R("query", cuEventQuery(e[i]));
    }
}

/* A refused record leaves the event where it was: pending, and waited for. */
CASE(multi, record_refused_keeps)
{
    CUstream s0, s1, w;
    CUevent e0, e1;
    TWO_DEVICES;
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_stream_on(u, &w, NONBLOCKING));
    OK(create_event_on(t, &e0, UNTIMED));
    OK(create_event_on(u, &e1, UNTIMED));
    shut_gate_of(t);
    OK(gate_stream_of(t, s0));
    R("rec", cuEventRecord(e0, s0));
    R("query", cuEventQuery(e0));
    R("refused", cuEventRecord(e0, s1));
    R("query", cuEventQuery(e0));
    R("wait", cuStreamWaitEvent(w, e0, 0));
    say(t, " w=%s", held(w));
    R("never_refused", cuEventRecord(e1, s0));
    R("never_query", cuEventQuery(e1));
    R("never_wait", cuStreamWaitEvent(s1, e1, 0));
    say(t, " s1=%s", done(s1));
    open_gate_of(t);
    say(t, " w=%s s0=%s", done(w), done(s0));
    R("query", cuEventQuery(e0));
}

static void one_way(T *t, T *a, T *b)
{
    CUstream sa, sb;
    CUevent e;
    CUdeviceptr d;
    volatile uint32_t *h;
    CUfunction fa = warm_on(a, "put"), fb = warm_on(b, "mul_add");
    OK(pinned_on(a, &h, &d, 64));
    OK(create_stream_on(a, &sa, NONBLOCKING));
    OK(create_stream_on(b, &sb, NONBLOCKING));
    OK(create_event_on(a, &e, UNTIMED));
    shut_gate_of(a);
    OK(gate_stream_of(a, sa));
    MAKE_CURRENT(a);
    R("put", put(fa, sa, d, 5));
    R("record", cuEventRecord(e, sa));
    MAKE_CURRENT(b);
    R("wait", cuStreamWaitEvent(sb, e, 0));
    R("mad", mad(fb, sb, d, 10, 1));
    say(t, " held=%s v=%u", held(sb), *h);
    open_gate_of(a);
    R("sync", cuStreamSynchronize(sb));
    say(t, " v=%u", *h);
    MAKE_CURRENT(t);
}
/* A stream of one device waits for an event of the other; work and values. */
CASE(multi, wait_other)
{
    TWO_DEVICES;
    say(t, " 1_waits_0{");
    one_way(t, t, u);
    say(t, " } 0_waits_1{");
    one_way(t, u, t);
    say(t, " }");
}

/* A chain that hops between the devices, all of it queued behind one gate;
 * each device's event is recorded anew at every hop. */
CASE(multi, ping_pong)
{
    enum { HOPS = 8 };
    CUstream s[2];
    CUevent e[2];
    CUfunction f[2];
    CUdeviceptr d;
    volatile uint32_t *h;
    unsigned want = 1, bad = 0;
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        f[i] = warm_on(x[i], "mul_add");
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
    }
    OK(pinned_on(t, &h, &d, 64));
    *h = 1;
    shut_gate_of(t);
    OK(gate_stream_of(t, s[0]));
    for (unsigned k = 0; k < HOPS; k++) {
        int i = k & 1;
        MAKE_CURRENT(x[i]);
        if (k) bad += cuStreamWaitEvent(s[i], e[!i], 0) != CUDA_SUCCESS;
        bad += mad(f[i], s[i], d, 3, k) != CUDA_SUCCESS;
        bad += cuEventRecord(e[i], s[i]) != CUDA_SUCCESS;
        want = want * 3 + k;
    }
    MAKE_CURRENT(t);
    say(t, " refused=%u s0=%s s1=%s v=%u", bad, held(s[0]), held(s[1]), *h);
    open_gate_of(t);
    R("sync", cuStreamSynchronize(s[1]));
    say(t, " s0=%s", done(s[0]));
    say(t, " v=%u right=%d", *h, *h == want);
}

/* The same with a word that is carried over at each hop by a peer copy. */
CASE(multi, ping_pong_copy)
{
    enum { HOPS = 6 };
    CUstream s[2];
    CUevent e[2];
    CUfunction f[2];
    CUdeviceptr p[2];
    unsigned want = 1, bad = 0;
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        f[i] = warm_on(x[i], "mul_add");
        p[i] = memory_on(x[i], 64);
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
    }
    OK(set_word(t, p[0], 1));
    for (unsigned k = 0; k < HOPS; k++) {
        int i = k & 1;
        MAKE_CURRENT(x[i]);
        if (k) bad += cuStreamWaitEvent(s[i], e[!i], 0) != CUDA_SUCCESS;
        bad += mad(f[i], s[i], p[i], 3, k + 1) != CUDA_SUCCESS;
        bad += cuMemcpyPeerAsync(p[!i], x[!i]->ctx, p[i], x[i]->ctx, 4, s[i]) != CUDA_SUCCESS;
        bad += cuEventRecord(e[i], s[i]) != CUDA_SUCCESS;
        want = want * 3 + k + 1;
    }
    MAKE_CURRENT(t);
    R("sync", cuStreamSynchronize(s[1]));
    say(t, " refused=%u v=%u,%u right=%d", bad, word_at(t, t, p[0]), word_at(t, u, p[1]),
        word_at(t, t, p[0]) == want);
}

/* Asking device 1's event and stream while device 0 is current. */
CASE(multi, ask_other_device)
{
    static GateOpener o;
    CUstream s1;
    CUevent a, b;
    float ms = -1;
    TWO_DEVICES;
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_event_on(u, &a, 0));
    OK(create_event_on(u, &b, 0));
    R("idle", cuStreamQuery(s1));
    shut_gate_of(u);
    R("record_a", cuEventRecord(a, s1));
    OK(gate_stream_of(u, s1));
    R("record_b", cuEventRecord(b, s1));
    R("sync_a", cuEventSynchronize(a));
    R("query_b", cuEventQuery(b));
    R("stream", cuStreamQuery(s1));
    R("pending", cuEventElapsedTime(&ms, a, b));
    open_gate_later(&o, u, 100);
    R("sync_b", cuEventSynchronize(b));
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    R("query_b", cuEventQuery(b));
    R("elapsed", cuEventElapsedTime(&ms, a, b));
    say(t, " ordered=%d", ms >= 0);
    shut_gate_of(u);
    OK(gate_stream_of(u, s1));
    open_gate_later(&o, u, 100);
    R("stream_sync", cuStreamSynchronize(s1));
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    R("stream", cuStreamQuery(s1));
}

/* The event, then the stream that it was recorded in, go away while a stream
 * of the other device still waits. */
CASE(multi, destroy_waited)
{
    CUstream s0, s1;
    CUevent e0;
    CUfunction f0, f1;
    CUdeviceptr d;
    volatile uint32_t *h;
    TWO_DEVICES;
    f0 = warm_on(t, "put");
    f1 = warm_on(u, "mul_add");
    OK(pinned_on(t, &h, &d, 64));
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_event_on(t, &e0, UNTIMED));
    shut_gate_of(t);
    OK(gate_stream_of(t, s0));
    OK(put(f0, s0, d, 3));
    OK(cuEventRecord(e0, s0));
    MAKE_CURRENT(u);
    OK(cuStreamWaitEvent(s1, e0, 0));
    OK(mad(f1, s1, d, 10, 4));
    R("event", cuEventDestroy(e0));
    say(t, " s1=%s", held(s1));
    R("stream", cuStreamDestroy(s0));
    say(t, " s1=%s v=%u", held(s1), *h);
    open_gate_of(t);
    say(t, " s1=%s", done(s1));
    say(t, " v=%u", *h);
}

/* Each device has a legacy stream of its own. */
CASE(multi, legacy_separate)
{
    CUstream b0, b1;
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 16), p1 = memory_on(u, 16);
    OK(create_stream_on(t, &b0, CU_STREAM_DEFAULT));
    OK(create_stream_on(u, &b1, CU_STREAM_DEFAULT));
    shut_gate_of(t);
    OK(gate_stream_of(t, b0));
    R("null0", cuMemsetD32Async(p0, 1, 1, NULL));
    say(t, " null0=%s", held(NULL));
    MAKE_CURRENT(u);
    R("null1", cuMemsetD32Async(p1, 2, 1, NULL));
    say(t, " null1=%s", done(NULL));
    R("b1", cuMemsetD32Async(p1 + 4, 3, 1, b1));
    say(t, " b1=%s", done(b1));
    R("copy1", cuMemsetD32(p1 + 8, 4, 1));
    say(t, " v=%u,%u,%u", word_at(t, u, p1), word_at(t, u, p1 + 4), word_at(t, u, p1 + 8));
    MAKE_CURRENT(t);
    say(t, " null0=%s", held(NULL));
    open_gate_of(t);
    say(t, " null0=%s b0=%s", done(NULL), done(b0));
    say(t, " v=%u", word_at(t, t, p0));
}

/* cuCtxSynchronize of one device while the other one's stream stands still,
 * apart from it or tied to it by an event. */
CASE(multi, ctx_sync_separate)
{
    static GateOpener o;
    CUstream s0, s1;
    CUevent e1;
    TWO_DEVICES;
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_event_on(u, &e1, UNTIMED));
    shut_gate_of(u);
    OK(gate_stream_of(u, s1));
    open_gate_later(&o, u, 300);
    R("ctx0", cuCtxSynchronize());
    say(t, " waited=%d", gate_was_opened(&o));
    MAKE_CURRENT(u);
    R("ctx1", cuCtxSynchronize());
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    MAKE_CURRENT(t);
    shut_gate_of(u);
    OK(gate_stream_of(u, s1));
    OK(cuEventRecord(e1, s1));
    OK(cuStreamWaitEvent(s0, e1, 0));
    open_gate_later(&o, u, 300);
    R("tied", cuCtxSynchronize());
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
}

/* ---- launches across contexts -------------------------------------------- */

/* Functions of both contexts into streams of both, with either current. */
CASE(multi, launch_across)
{
    CUstream s[2];
    CUfunction f[2];
    CUdeviceptr d;
    volatile uint32_t *h;
    unsigned n = 0;
    TWO_DEVICES;
    T *x[2] = { t, u };
    OK(pinned_on(t, &h, &d, 256));
    for (int i = 0; i < 2; i++) {
        f[i] = warm_on(x[i], "put");
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
    }
    const NamedStream st[] = { FOUR_STREAMS(s[0], s[1]) };
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(x[k]);
        say(t, " current=%d", k);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 4; j++, n++)
                say(t, " f%d_%s=%s", i, st[j].n, ename(put(f[i], st[j].s, d + 4 * n, n + 1)));
    }
    R("settle0", settle_device(t));
    R("settle1", settle_device(u));
    say(t, " ran=");
    for (unsigned i = 0; i < n; i++) say(t, "%d", h[i] == i + 1);
}

/* ---- memory across devices ----------------------------------------------- */

/* Fills and copies of a device's own memory in its own stream, the other
 * device being current. */
CASE(multi, other_current)
{
    CUstream s[2];
    CUdeviceptr p[2];
    static uint32_t in[2] = { 21, 22 }, out[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
    }
    for (int i = 0; i < 2; i++) {
        MAKE_CURRENT(x[!i]);
        say(t, " device=%d", i);
        R("memset", cuMemsetD32Async(p[i], 10 + i, 1, s[i]));
        R("dtod", cuMemcpyDtoDAsync(p[i] + 4, p[i], 4, s[i]));
        R("htod", cuMemcpyHtoDAsync(p[i] + 8, &in[i], 4, s[i]));
        R("dtoh", cuMemcpyDtoHAsync(&out[i], p[i] + 4, 4, s[i]));
        R("any", cuMemcpyAsync(p[i] + 12, p[i] + 8, 4, s[i]));
        R("write", cuStreamWriteValue32(s[i], p[i] + 16, 30 + i, 0));
        R("sync", cuStreamSynchronize(s[i]));
        say(t, " v=%u,%u,%u,%u,%u out=%u", word_at(t, x[i], p[i]), word_at(t, x[i], p[i] + 4),
            word_at(t, x[i], p[i] + 8), word_at(t, x[i], p[i] + 12), word_at(t, x[i], p[i] + 16),
            out[i]);
    }
}

/* Filling memory of one device in a stream of the other. */
CASE(multi, memset_foreign_stream)
{
    CUstream s[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
    }
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(x[k]);
        say(t, " current=%d", k);
        for (int i = 0; i < 2; i++) {
            CUresult r = cuMemsetD32Async(p[i] + 4 * k, 40 + 10 * k + i, 1, s[!i]);
            say(t, " p%d_s%d=%s", i, !i, ename(r));
            R("sync", cuStreamSynchronize(s[!i]));
            say(t, " v=%u", word_at(t, x[i], p[i] + 4 * k));
        }
    }
}

/* The same in streams: the stream of either device takes the copy. */
CASE(multi, copy_foreign_stream)
{
    CUstream s[2];
    CUdeviceptr p0, p1;
    static uint32_t in = 41, out;
    TWO_DEVICES;
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    p0 = memory_on(t, 256);
    p1 = memory_on(u, 256);
    OK(set_word(t, p0, 100));
    OK(set_word(u, p1, 200));
    for (unsigned k = 0; k < 4; k++) {
        CUstream a = s[k & 1];
        CUdeviceptr q0 = p0 + 32 * (k + 1), q1 = p1 + 32 * (k + 1);
        MAKE_CURRENT(k & 2 ? u : t);
        out = 0;
        say(t, " current=%d,s%d", k >> 1, k & 1);
        R("01", cuMemcpyDtoDAsync(q1, p0, 4, a));
        R("10", cuMemcpyDtoDAsync(q0, p1, 4, a));
        R("any", cuMemcpyAsync(q1 + 4, p0, 4, a));
        R("within_0", cuMemcpyDtoDAsync(q0 + 8, p0, 4, a));
        R("within_1", cuMemcpyDtoDAsync(q1 + 8, p1, 4, a));
        R("htod_1", cuMemcpyHtoDAsync(q1 + 12, &in, 4, a));
        R("dtoh_1", cuMemcpyDtoHAsync(&out, q1 + 12, 4, a));
        R("sync", cuStreamSynchronize(a));
        say(t, " v=%u,%u,%u,%u,%u out=%u", word_at(t, u, q1), word_at(t, t, q0),
            word_at(t, u, q1 + 4), word_at(t, t, q0 + 8), word_at(t, u, q1 + 8), out);
        in++;
    }
}

/* One stream of gx stands still before it writes a word that the copy reads
 * (device 0) or overwrites (device 1). */
static void peer_order(T *t, T *u, T *gx, unsigned fl, int plain)
{
    static GateOpener o;
    CUstream s;
    CUfunction f = warm_on(gx, "put");
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    OK(set_word(t, p0, 3));
    OK(set_word(u, p1, 4));
    OK(create_stream_on(gx, &s, fl));
    shut_gate_of(gx);
    OK(gate_stream_of(gx, s));
    MAKE_CURRENT(gx);
    OK(put(f, s, gx == t ? p0 : p1, gx == t ? 7 : 9));
    MAKE_CURRENT(t);
    open_gate_later(&o, gx, 200);
    R("copy", plain ? cuMemcpyDtoD(p1, p0, 4) : cuMemcpyPeer(p1, u->ctx, p0, t->ctx, 4));
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    OK(settle_device(t));
    OK(settle_device(u));
    say(t, " v=%u", word_at(t, u, p1));
}
/* Does cuMemcpyPeer fall in line with streams of the source and of the
 * destination?  And the plain copy across devices? */
CASE(multi, copy_peer_order)
{
    TWO_DEVICES;
    for (int plain = 0; plain < 2; plain++) {
        say(t, " %s source_blocking{", plain ? "dtod" : "peer");
        peer_order(t, u, t, CU_STREAM_DEFAULT, plain);
        say(t, " } source_nonblocking{");
        peer_order(t, u, t, NONBLOCKING, plain);
        say(t, " } destination_blocking{");
        peer_order(t, u, u, CU_STREAM_DEFAULT, plain);
        say(t, " } destination_nonblocking{");
        peer_order(t, u, u, NONBLOCKING, plain);
        say(t, " }");
    }
}

/* ---- peer access ---------------------------------------------------------- */

/* No peer named, or nobody asking. */
CASE(multi, peer_access_null)
{
    TWO_DEVICES;
    R("on_null", cuCtxEnablePeerAccess(NULL, 0));
    R("off_null", cuCtxDisablePeerAccess(NULL));
    R("set_null", cuCtxSetCurrent(NULL));
    R("on_nobody", cuCtxEnablePeerAccess(u->ctx, 0));
    R("off_nobody", cuCtxDisablePeerAccess(u->ctx));
}

/* Kernels, fills and copies of device 0 on memory of device 1 once that is
 * enabled, allocated before and after; then the other way round. */
CASE(multi, peer_kernel)
{
    CUstream s[2];
    CUfunction fc[2], fp[2];
    CUdeviceptr old[2], new[2], out[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        fc[i] = warm_on(x[i], "copy1");
        fp[i] = warm_on(x[i], "put");
        old[i] = memory_on(x[i], 64);
        out[i] = memory_on(x[i], 64);
        OK(set_word(x[i], old[i], 50 + i));
    }
    for (int i = 0; i < 2; i++) {
        MAKE_CURRENT(x[i]);
        say(t, " device=%d", i);
        R("on", cuCtxEnablePeerAccess(x[!i]->ctx, 0));
        new[!i] = memory_on(x[!i], 64);
        OK(set_word(x[!i], new[!i], 60 + !i));
        R("read_old", copy1(fc[i], s[i], out[i], old[!i]));
        R("read_new", copy1(fc[i], s[i], out[i] + 4, new[!i]));
        R("write_old", put(fp[i], s[i], old[!i] + 4, 70 + i));
        R("write_new", put(fp[i], s[i], new[!i] + 4, 80 + i));
        R("memset", cuMemsetD32Async(old[!i] + 8, 90 + i, 1, s[i]));
        R("dtod", cuMemcpyDtoDAsync(old[!i] + 12, old[!i], 4, s[i]));
        R("peer", cuMemcpyPeerAsync(old[!i] + 16, x[!i]->ctx, out[i], x[i]->ctx, 4, s[i]));
        R("sync", cuStreamSynchronize(s[i]));
        say(t, " read=%u,%u", word_at(t, x[i], out[i]), word_at(t, x[i], out[i] + 4));
        say(t, " wrote=%u,%u,%u,%u,%u", word_at(t, x[!i], old[!i] + 4),
            word_at(t, x[!i], new[!i] + 4), word_at(t, x[!i], old[!i] + 8),
            word_at(t, x[!i], old[!i] + 12), word_at(t, x[!i], old[!i] + 16));
    }
}

/* ---- whose memory --------------------------------------------------------- */

/* Pinned memory made with device 0 current, used by device 1: portable, not
 * said to be portable, registered. */
CASE(multi, pinned_both)
{
    static uint32_t own[2048] __attribute__((aligned(4096)));
    CUstream s1;
    CUfunction f1;
    void *a = NULL, *b = NULL;
    TWO_DEVICES;
    f1 = warm_on(u, "put");
    CUdeviceptr p1 = memory_on(u, 64);
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(cuMemHostAlloc(&a, 4096, CU_MEMHOSTALLOC_PORTABLE));
    OK(cuMemHostAlloc(&b, 4096, 0));
    OK(cuMemHostRegister(own, 4096, 0));
    MAKE_CURRENT(u);
    uint32_t *h[3] = { a, b, own };
    static const char *const label[] = { "portable", "plain", "registered" };
    for (unsigned i = 0; i < 3; i++) {
        CUdeviceptr d = 0;
        unsigned fl = 99;
        memset(h[i], 0, 64);
        say(t, " %s", label[i]);
        R("pointer", cuMemHostGetDevicePointer(&d, h[i], 0));
        R("flags", cuMemHostGetFlags(&fl, h[i]));
        say(t, ":%u same=%d", fl, d == (CUdeviceptr)(uintptr_t)h[i]);
        R("put", put(f1, s1, (CUdeviceptr)(uintptr_t)h[i], 11 + i));
        R("htod", cuMemcpyHtoDAsync(p1 + 4 * i, h[i], 4, s1));
        R("dtoh", cuMemcpyDtoHAsync(h[i] + 1, p1 + 4 * i, 4, s1));
        R("sync", cuStreamSynchronize(s1));
        say(t, " v=%u,%u", h[i][0], h[i][1]);
    }
    R("register_again", cuMemHostRegister(own, 4096, 0));
    R("free_from_1", cuMemFreeHost(a));
    R("unregister_from_1", cuMemHostUnregister(own));
}

static int device_ordinal(CUdeviceptr p)
{
    int o = -7;
    return cuPointerGetAttribute(&o, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p) ? -1 : o;
}
static unsigned long long used(CUmemoryPool p)
{
    cuuint64_t v = 99;
    cuMemPoolGetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &v);
    return v;
}
/* Stream-ordered memory: the stream decides on the device, the pool does when
 * one is named; freed in streams of either device. */
CASE(multi, alloc_async)
{
    CUstream s[2];
    CUmemoryPool pool[2];
    CUdeviceptr p[8] = { 0 }, q[2] = { 0 };
    int n = 0;
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(cuDeviceGetDefaultMemPool(&pool[i], x[i]->dev));
    }
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(x[k]);
        say(t, " current=%d", k);
        const NamedStream at[] = { FOUR_STREAMS(s[0], s[1]) };
        for (int i = 0; i < 4; i++, n++) {
            R(at[i].n, cuMemAllocAsync(&p[n], 64, at[i].s));
            say(t, ":%d", device_ordinal(p[n]));
        }
    }
    MAKE_CURRENT(t);
    R("pool1_s0", cuMemAllocFromPoolAsync(&q[0], 64, pool[1], s[0]));
    say(t, ":%d", device_ordinal(q[0]));
    R("pool0_s1", cuMemAllocFromPoolAsync(&q[1], 64, pool[0], s[1]));
    say(t, ":%d", device_ordinal(q[1]));
    R("memset", cuMemsetD32Async(p[1], 6, 1, s[1]));
    R("settle0", settle_device(t));
    R("settle1", settle_device(u));
    say(t, " v=%u", word_at(t, u, p[1]));
    say(t, " used=%d,%d", used(pool[0]) > 0, used(pool[1]) > 0);
    const struct {
        const char *label;
        CUdeviceptr p;
        CUstream s;
    } frees[] = {
        { "own_s0", p[0], s[0] },        { "dev1_in_s0", p[1], s[0] },
        { "dev0_null", p[2], NULL },     { "dev0_in_s1", p[3], s[1] },
        { "own_s0", p[4], s[0] },        { "sync_free_dev1", p[5], CU_STREAM_LEGACY },
        { "dev1_in_null0", p[6], NULL }, { "dev1_in_s1", p[7], s[1] },
        { "pool1_s1", q[0], s[1] },      { "pool0_s0", q[1], s[0] },
    };
    for (size_t i = 0; i < sizeof frees / sizeof *frees; i++)
        R(frees[i].label, frees[i].s == CU_STREAM_LEGACY ? cuMemFree(frees[i].p)
                                                         : cuMemFreeAsync(frees[i].p, frees[i].s));
    R("settle0", settle_device(t));
    R("settle1", settle_device(u));
    say(t, " used=%d,%d", used(pool[0]) > 0, used(pool[1]) > 0);
}

static void access_of(T *t, const char *label, CUmemoryPool p, CUmemLocationType ty, int id)
{
    CUmemAccess_flags fl = 99;
    CUmemLocation l;
    memset(&l, 0, sizeof l);
    l.type = ty;
    l.id = id;
    CUresult r = cuMemPoolGetAccess(&fl, p, &l);
    say(t, " %s=%s:%d", label, ename(r), (int)fl);
}
static CUresult set_access(CUmemoryPool p, CUmemLocationType ty, int id, int fl, size_t n)
{
    CUmemAccessDesc d;
    memset(&d, 0, sizeof d);
    d.location.type = ty;
    d.location.id = id;
    d.flags = fl;
    return cuMemPoolSetAccess(p, &d, n);
}
#define DEVICE CU_MEM_LOCATION_TYPE_DEVICE
/* Who may use a pool of device 0, changed while memory of it is in use. */
CASE(multi, pool_access)
{
    CUstream s0, s1;
    CUmemoryPool p = NULL;
    CUdeviceptr a = 0, b = 0;
    CUfunction f1;
    TWO_DEVICES;
    f1 = warm_on(u, "put");
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(cuDeviceGetDefaultMemPool(&p, t->dev));
    access_of(t, "dev0", p, DEVICE, 0);
    access_of(t, "dev1", p, DEVICE, 1);
    OK(cuMemAllocAsync(&a, 64, s0));
    OK(cuStreamSynchronize(s0));
    R("give", set_access(p, DEVICE, 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 1));
    access_of(t, "dev1", p, DEVICE, 1);
    OK(cuMemAllocAsync(&b, 64, s0));
    OK(cuStreamSynchronize(s0));
    MAKE_CURRENT(u);
    R("older", put(f1, s1, a, 3));
    R("newer", put(f1, s1, b, 4));
    R("sync", cuStreamSynchronize(s1));
    say(t, " v=%u,%u", word_at(t, t, a), word_at(t, t, b));
    MAKE_CURRENT(t);
    R("give_again", set_access(p, DEVICE, 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 1));
    R("peer_too", cuCtxEnablePeerAccess(u->ctx, 0));
    R("take", set_access(p, DEVICE, 1, CU_MEM_ACCESS_FLAGS_PROT_NONE, 1));
    access_of(t, "dev1", p, DEVICE, 1);
    access_of(t, "dev0", p, DEVICE, 0);
}

static void vmm_access(T *t, const char *label, CUdeviceptr va, int id)
{
    unsigned long long fl = 99;
    CUmemLocation l;
    memset(&l, 0, sizeof l);
    l.type = DEVICE;
    l.id = id;
    CUresult r = cuMemGetAccess(&fl, &l, va);
    say(t, " %s=%s:%llu", label, ename(r), fl);
}
static CUresult vmm_set(CUdeviceptr va, size_t n, int id, CUmemAccess_flags fl)
{
    CUmemAccessDesc d;
    memset(&d, 0, sizeof d);
    d.location.type = DEVICE;
    d.location.id = id;
    d.flags = fl;
    return cuMemSetAccess(va, n, &d, 1);
}
/* Mapped memory of device 1: each device has the access it was given, peer
 * access or not. */
CASE(multi, mapped_both)
{
    CUmemAllocationProp pr;
    CUmemGenericAllocationHandle h = 0;
    CUdeviceptr va = 0;
    CUstream s0, s1;
    CUfunction f0, f1;
    size_t n = 0;
    TWO_DEVICES;
    f0 = warm_on(t, "put");
    f1 = warm_on(u, "put");
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    memset(&pr, 0, sizeof pr);
    pr.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    pr.location.type = DEVICE;
    pr.location.id = u->dev;
    OK(cuMemGetAllocationGranularity(&n, &pr, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    R("create", cuMemCreate(&h, n, &pr, 0));
    R("reserve", cuMemAddressReserve(&va, n, 0, 0, 0));
    R("map", cuMemMap(va, n, 0, h, 0));
    vmm_access(t, "dev0", va, 0);
    vmm_access(t, "dev1", va, 1);
    R("give1", vmm_set(va, n, 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    vmm_access(t, "dev0", va, 0);
    vmm_access(t, "dev1", va, 1);
    R("give0", vmm_set(va, n, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    vmm_access(t, "dev0", va, 0);
    R("put0", put(f0, s0, va, 3));
    R("sync0", cuStreamSynchronize(s0));
    MAKE_CURRENT(u);
    R("put1", put(f1, s1, va + 4, 4));
    R("sync1", cuStreamSynchronize(s1));
    say(t, " v=%u,%u ordinal=%d", word_at(t, u, va), word_at(t, t, va + 4), device_ordinal(va));
    R("take0", vmm_set(va, n, 0, CU_MEM_ACCESS_FLAGS_PROT_NONE));
    vmm_access(t, "dev0", va, 0);
    vmm_access(t, "dev1", va, 1);
    R("unmap", cuMemUnmap(va, n));
    R("release", cuMemRelease(h));
    R("address_free", cuMemAddressFree(va, n));
}

/* A stream of device 0 waits on a pinned word that device 1 writes, and back. */
CASE(multi, memop_signal)
{
    CUstream s[2];
    CUfunction f[2];
    CUdeviceptr d;
    volatile uint32_t *h;
    TWO_DEVICES;
    T *x[2] = { t, u };
    OK(pinned_on(t, &h, &d, 64));
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        f[i] = warm_on(x[i], "mul_add");
    }
    for (int i = 0; i < 2; i++) {
        h[0] = 0;
        h[1] = 7;
        say(t, " waiter=%d", i);
        MAKE_CURRENT(x[i]);
        R("wait", cuStreamWaitValue32(s[i], d, 5, CU_STREAM_WAIT_VALUE_GEQ));
        R("after", mad(f[i], s[i], d + 4, 10, 1));
        say(t, " held=%s", held(s[i]));
        MAKE_CURRENT(x[!i]);
        R("before", mad(f[!i], s[!i], d + 4, 10, 2));
        R("write", cuStreamWriteValue32(s[!i], d, 5, 0));
        say(t, " s%d=%s s%d=%s", !i, done(s[!i]), i, done(s[i]));
        say(t, " v=%u,%u", h[0], h[1]);
        *h = 9;
        if (cuStreamQuery(s[i])) return;
    }
}

/* What may be torn down while the other device is current. */
CASE(multi, destroy_from_other)
{
    CUstream s1;
    CUevent e1;
    CUdeviceptr p1, dp;
    volatile uint32_t *h;
    TWO_DEVICES;
    CUfunction f1 = warm_on(u, "put");
    p1 = memory_on(u, 64);
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_event_on(u, &e1, UNTIMED));
    OK(pinned_on(u, &h, &dp, 64));
    OK(put(f1, s1, p1, 3));
    OK(cuEventRecord(e1, s1));
    R("event", cuEventDestroy(e1));
    R("stream", cuStreamDestroy(s1));
    R("settle1", settle_device(u));
    R("memory", cuMemFree(p1));
    R("memory_again", cuMemFree(p1));
    R("host", cuMemFreeHost((void *)(uintptr_t)h));
    R("module", cuModuleUnload(u->mod));
    R("ctx0", cuCtxSynchronize());
    R("settle1", settle_device(u));
}

/* One call made with device 0 current while a stream of device 1 stands still. */
static void freed(T *t, T *u, const char *label, int kind)
{
    static GateOpener o;
    CUstream s1;
    CUdeviceptr p0 = memory_on(t, 4096), p1 = memory_on(u, 4096), dp, q = 0;
    volatile uint32_t *h;
    OK(pinned_on(t, &h, &dp, 4096));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    shut_gate_of(u);
    OK(gate_stream_of(u, s1));
    open_gate_later(&o, u, 200);
    switch (kind) {
    case 0: R(label, cuMemFree(p0)); break;
    case 1: R(label, cuMemFree(p1)); break;
    case 2: R(label, cuMemFreeHost((void *)(uintptr_t)h)); break;
    case 3: R(label, cuMemAlloc(&q, 4096)); break;
    case 4: R(label, cuMemsetD32(p0, 1, 1)); break;
    }
    say(t, ":waited=%d", gate_was_opened(&o));
    join_opener(&o);
    OK(settle_device(u));
}
/* Which calls wait for the other device: frees, and others, apart and with
 * access enabled both ways. */
CASE(multi, free_waits_whom)
{
    static const char *const label[] = { "free_own", "free_other", "free_host", "alloc", "memset" };
    TWO_DEVICES;
    for (int k = 0; k < 5; k++) freed(t, u, label[k], k);
    R("on", cuCtxEnablePeerAccess(u->ctx, 0));
    MAKE_CURRENT(u);
    R("on", cuCtxEnablePeerAccess(t->ctx, 0));
    MAKE_CURRENT(t);
    for (int k = 0; k < 5; k++) freed(t, u, label[k], k);
}

/* ---- captures over both devices ------------------------------------------- */

#define GLOBAL CU_STREAM_CAPTURE_MODE_GLOBAL

static const char *capturing(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    CUresult r = cuStreamIsCapturing(s, &st);
    if (r) return ename(r);
    switch ((int)st) {
    case 0: return "none";
    case 1: return "active";
    case 2: return "invalid";
    }
    return "untouched";
}
/* Instantiate, launch in s and wait: each answer. */
static void run_graph(T *t, const char *label, CUgraph g, CUstream s)
{
    CUgraphExec x = NULL;
    CUresult r = cuGraphInstantiate(&x, g, 0), l = CUDA_SUCCESS, y = CUDA_SUCCESS;
    say(t, " %s=%s", label, ename(r));
    if (r) return;
    l = cuGraphLaunch(x, s);
    y = cuStreamSynchronize(s);
    say(t, "/%s/%s", ename(l), ename(y));
    cuGraphExecDestroy(x);
}

/* A capture begun in device 0's stream goes over to device 1 and comes back:
 * its shape, whose contexts its kernels have, and what it computes. */
CASE(multi, capture_fork)
{
    CUstream s[2];
    CUevent e[2];
    CUfunction f[2];
    CUdeviceptr d;
    volatile uint32_t *h;
    CUgraph g;
    CUgraphNode nd[16];
    size_t n = 16;
    TWO_DEVICES;
    T *x[2] = { t, u };
    OK(pinned_on(t, &h, &d, 64));
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
        f[i] = warm_on(x[i], "mul_add");
    }
    R("begin", cuStreamBeginCapture(s[0], GLOBAL));
    R("k0", mad(f[0], s[0], d, 3, 1));
    R("fork_rec", cuEventRecord(e[0], s[0]));
    R("fork_wait", cuStreamWaitEvent(s[1], e[0], 0));
    say(t, " s1=%s", capturing(s[1]));
    MAKE_CURRENT(u);
    R("k1", mad(f[1], s[1], d, 5, 2));
    R("join_rec", cuEventRecord(e[1], s[1]));
    MAKE_CURRENT(t);
    R("beside", mad(f[0], s[0], d + 4, 0, 8));
    R("join_wait", cuStreamWaitEvent(s[0], e[1], 0));
    R("k0", mad(f[0], s[0], d, 7, 3));
    g = capture_end(t, s[0]);
    say(t, " s1=%s", capturing(s[1]));
    say_shape(t, g);
    if (!g) return;
    OK(cuGraphGetNodes(g, nd, &n));
    int in[3] = { 0, 0, 0 };
    for (size_t i = 0; i < n; i++) {
        CUDA_KERNEL_NODE_PARAMS k;
        memset(&k, 0, sizeof k);
        if (cuGraphKernelNodeGetParams(nd[i], &k)) continue;
        in[k.ctx == t->ctx ? 0 : k.ctx == u->ctx ? 1 : 2]++;
    }
    say(t, " contexts=%d,%d,%d", in[0], in[1], in[2]);
    h[0] = 1;
    run_graph(t, "run_s0", g, s[0]);
    say(t, " v=%u,%u", h[0], h[1]);
    h[0] = 1;
    h[1] = 0;
    MAKE_CURRENT(u);
    run_graph(t, "run_s1", g, s[1]);
    say(t, " v=%u,%u", h[0], h[1]);
    h[0] = 1;
    run_graph(t, "run_null1", g, NULL);
    say(t, " v=%u", h[0]);
}

/* Copies between the devices in a capture: as peer copies and by address. */
CASE(multi, capture_copies)
{
    CUstream s[2];
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    OK(set_word(t, p0, 100));
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(k ? u : t);
        say(t, " stream=%d", k);
        OK(set_word(u, p1, 0));
        OK(set_word(t, p0 + 4, 0));
        R("begin", cuStreamBeginCapture(s[k], GLOBAL));
        R("peer", cuMemcpyPeerAsync(p1, u->ctx, p0, t->ctx, 4, s[k]));
        R("dtod", cuMemcpyDtoDAsync(p0 + 4, p1, 4, s[k]));
        R("any", cuMemcpyAsync(p1 + 4, p0 + 4, 4, s[k]));
        CUgraph g = capture_end(t, s[k]);
        say_shape(t, g);
        if (!g) continue;
        run_graph(t, "run", g, s[k]);
        say(t, " v=%u,%u,%u", word_at(t, u, p1), word_at(t, t, p0 + 4), word_at(t, u, p1 + 4));
        OK(set_word(t, p0, 101));
    }
}

/* ---- graphs over both devices --------------------------------------------- */

static CUDA_KERNEL_NODE_PARAMS kparams(CUfunction f, void **args)
{
    CUDA_KERNEL_NODE_PARAMS k;
    memset(&k, 0, sizeof k);
    k.func = f;
    k.gridDimX = k.gridDimY = k.gridDimZ = k.blockDimX = k.blockDimY = k.blockDimZ = 1;
    k.kernelParams = args;
    return k;
}
/* Nodes after at most one dependency. */
static CUresult add_put(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUfunction f,
                        CUcontext c, CUdeviceptr p, unsigned v)
{
    void *a[] = { &p, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(f, a);
    k.ctx = c;
    return cuGraphAddKernelNode(n, g, dep, dep != NULL, &k);
}
static CUresult add_mad(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUfunction f,
                        CUdeviceptr p, unsigned m, unsigned v)
{
    void *a[] = { &p, &m, &v };
    CUDA_KERNEL_NODE_PARAMS k = kparams(f, a);
    return cuGraphAddKernelNode(n, g, dep, dep != NULL, &k);
}
static CUDA_MEMSET_NODE_PARAMS mparams(CUdeviceptr p, unsigned v)
{
    CUDA_MEMSET_NODE_PARAMS m;
    memset(&m, 0, sizeof m);
    m.dst = p;
    m.value = v;
    m.elementSize = 4;
    m.width = m.height = 1;
    return m;
}
static CUresult add_set(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr p,
                        unsigned v, CUcontext c)
{
    CUDA_MEMSET_NODE_PARAMS m = mparams(p, v);
    return cuGraphAddMemsetNode(n, g, dep, dep != NULL, &m, c);
}
static CUDA_MEMCPY3D cparams(CUdeviceptr d, CUdeviceptr s)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = s;
    c.dstDevice = d;
    c.WidthInBytes = 4;
    c.Height = c.Depth = 1;
    return c;
}
static CUresult add_copy(CUgraphNode *n, CUgraph g, const CUgraphNode *dep, CUdeviceptr d,
                         CUdeviceptr s, CUcontext ctx)
{
    CUDA_MEMCPY3D c = cparams(d, s);
    return cuGraphAddMemcpyNode(n, g, dep, dep != NULL, &c, ctx);
}

/* Kernel nodes whose function, named context and current context disagree. */
CASE(multi, graph_kernel_ctx)
{
    static const struct {
        int cur, f, ctx;
    } q[] = { { 0, 1, -1 }, { 0, 1, 1 },  { 0, 1, 0 }, { 0, 0, 1 },
              { 1, 0, -1 }, { 1, 1, -1 }, { 1, 1, 0 } };
    CUstream s[2];
    CUfunction f[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        f[i] = warm_on(x[i], "put");
        p[i] = memory_on(x[i], 64);
    }
    for (unsigned i = 0; i < sizeof q / sizeof *q; i++) {
        CUgraph g;
        CUgraphNode n = NULL;
        CUDA_KERNEL_NODE_PARAMS k;
        MAKE_CURRENT(x[q[i].cur]);
        say(t, " cur%d_f%d_ctx%d", q[i].cur, q[i].f, q[i].ctx);
        OK(cuGraphCreate(&g, 0));
        CUresult r = add_put(&n, g, NULL, f[q[i].f], q[i].ctx < 0 ? NULL : x[q[i].ctx]->ctx,
                             p[q[i].f], 10 + i);
        say(t, " add=%s", ename(r));
        if (r) continue;
        memset(&k, 0, sizeof k);
        R("get", cuGraphKernelNodeGetParams(n, &k));
        say(t, ":f%d,%s", k.func == f[0] ? 0 : k.func == f[1] ? 1 : 9, context_name(t, u, k.ctx));
        for (int j = 0; j < 2; j++) {
            OK(set_word(x[q[i].f], p[q[i].f], 0));
            run_graph(t, j ? "s1" : "s0", g, s[j]);
            say(t, " v=%u", word_at(t, x[q[i].f], p[q[i].f]));
        }
    }
}

/* Copy nodes between the devices under either context, or none. */
CASE(multi, graph_memcpy_ctx)
{
    CUstream s[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
        OK(set_word(x[i], p[i], 100 + i));
    }
    for (int to = 0; to < 2; to++)
        for (int k = 0; k < 3; k++) {
            CUgraph g;
            CUgraphNode n;
            OK(cuGraphCreate(&g, 0));
            say(t, " to%d_ctx%d", to, k < 2 ? k : -1);
            CUresult r = add_copy(&n, g, NULL, p[to] + 4, p[!to], k < 2 ? x[k]->ctx : NULL);
            say(t, " add=%s", ename(r));
            for (int j = 0; j < 2 && !r; j++) {
                OK(set_word(x[to], p[to] + 4, 0));
                run_graph(t, j ? "s1" : "s0", g, s[j]);
                say(t, " v=%u", word_at(t, x[to], p[to] + 4));
            }
        }
}

/* Fill nodes under the context that owns the memory, and under none. */
CASE(multi, graph_memset_ctx)
{
    CUstream s[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
    }
    for (int at = 0; at < 2; at++)
        for (int k = 0; k < 3; k++) {
            CUgraph g;
            CUgraphNode n;
            MAKE_CURRENT(x[k < 1 ? !at : at]); /* first with the other device current */
            OK(cuGraphCreate(&g, 0));
            say(t, " at%d_%s", at, k < 2 ? k ? "own_current" : "other_current" : "no_ctx");
            CUresult r = add_set(&n, g, NULL, p[at], 30 + k, k < 2 ? x[at]->ctx : NULL);
            say(t, " add=%s", ename(r));
            for (int j = 0; j < 2 && !r; j++) {
                OK(set_word(x[at], p[at], 0));
                run_graph(t, j ? "s1" : "s0", g, s[j]);
                say(t, " v=%u", word_at(t, x[at], p[at]));
            }
        }
}

/* A fill node under the context of the device that the memory is not on. */
CASE(multi, graph_memset_mismatch)
{
    CUstream s0;
    CUgraph g;
    CUgraphNode n;
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    CUresult r = add_set(&n, g, NULL, p1, 5, t->ctx);
    say(t, " p1_ctx0=%s", ename(r));
    if (!r) run_graph(t, "run", g, s0);
    say(t, " v=%u", word_at(t, u, p1));
    OK(cuGraphCreate(&g, 0));
    r = add_set(&n, g, NULL, p0, 6, u->ctx);
    say(t, " p0_ctx1=%s", ename(r));
    if (!r) run_graph(t, "run", g, s0);
    say(t, " v=%u", word_at(t, t, p0));
    R("ctx0", settle_device(t));
    R("ctx1", settle_device(u));
}

static void CUDA_CB host_count(void *p)
{
    __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST);
}
/* A chain through both devices and the host, in the streams of either. */
CASE(multi, graph_both_devices)
{
    static int hosted;
    CUstream s[2];
    CUfunction f[2];
    CUgraph g;
    CUgraphNode n[7];
    CUgraphExec x;
    CUDA_HOST_NODE_PARAMS hp = { host_count, &hosted };
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    f[0] = warm_on(t, "mul_add");
    f[1] = warm_on(u, "mul_add");
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    R("set0", add_set(&n[0], g, NULL, p0, 2, t->ctx));
    R("k0", add_mad(&n[1], g, &n[0], f[0], p0, 3, 1));
    R("copy01", add_copy(&n[2], g, &n[1], p1, p0, t->ctx));
    R("k1", add_mad(&n[3], g, &n[2], f[1], p1, 5, 2));
    R("host", cuGraphAddHostNode(&n[4], g, &n[3], 1, &hp));
    R("copy10", add_copy(&n[5], g, &n[4], p0, p1, u->ctx));
    R("k0", add_mad(&n[6], g, &n[5], f[0], p0, 7, 3));
    R("instantiate", cuGraphInstantiate(&x, g, 0));
    say_shape(t, g);
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(k ? u : t);
        const NamedStream at[] = { FOUR_STREAMS(s[0], s[1]) };
        say(t, " current=%d", k);
        for (int j = 0; j < 4; j++) {
            OK(set_word(t, p0, 0));
            OK(set_word(u, p1, 0));
            say(t, " %s=%s", at[j].n, ename(cuGraphLaunch(x, at[j].s)));
            R("sync", cuStreamSynchronize(at[j].s));
            say(t, " v=%u,%u host=%d", word_at(t, t, p0), word_at(t, u, p1),
                __atomic_load_n(&hosted, __ATOMIC_SEQ_CST));
        }
    }
}

/* A graph that lives on device 0 launched in device 1's stream: it waits for
 * what is before it there, and what comes after waits for it. */
CASE(multi, graph_launch_elsewhere)
{
    CUstream s1;
    CUfunction f0, f1;
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUdeviceptr d;
    volatile uint32_t *h;
    TWO_DEVICES;
    f0 = warm_on(t, "mul_add");
    f1 = warm_on(u, "mul_add");
    OK(pinned_on(t, &h, &d, 64));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    OK(add_mad(&n, g, NULL, f0, d, 3, 1));
    R("instantiate", cuGraphInstantiate(&x, g, 0));
    R("upload", cuGraphUpload(x, s1));
    R("sync", cuStreamSynchronize(s1));
    for (int k = 0; k < 2; k++) {
        *h = 2;
        say(t, " current=%d", k);
        shut_gate_of(u);
        OK(gate_stream_of(u, s1));
        MAKE_CURRENT(u);
        OK(mad(f1, s1, d, 10, 5));
        MAKE_CURRENT(k ? u : t);
        R("launch", cuGraphLaunch(x, s1));
        MAKE_CURRENT(u);
        OK(mad(f1, s1, d, 10, 7));
        say(t, " held=%s v=%u", held(s1), *h);
        open_gate_of(u);
        R("sync", cuStreamSynchronize(s1));
        say(t, " v=%u", *h);
    }
}

static CUDA_MEM_ALLOC_NODE_PARAMS aparams(int dev)
{
    CUDA_MEM_ALLOC_NODE_PARAMS a;
    memset(&a, 0, sizeof a);
    a.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    a.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    a.poolProps.location.type = DEVICE;
    a.poolProps.location.id = dev;
    a.bytesize = 4096;
    return a;
}
static int graph_mem(int dev)
{
    cuuint64_t v = 99;
    if (cuDeviceGetGraphMemAttribute(dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &v)) return -1;
    return v > 0;
}
/* A graph allocates on device 1 while device 0 is current. */
CASE(multi, graph_alloc_other)
{
    CUstream s[2];
    CUgraph g;
    CUgraphNode n[5];
    CUgraphExec x = NULL;
    TWO_DEVICES;
    CUdeviceptr p1 = memory_on(u, 64);
    CUfunction f1 = warm_on(u, "put");
    CUDA_MEM_ALLOC_NODE_PARAMS a = aparams(1), b;
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    OK(cuGraphCreate(&g, 0));
    say(t, " high=%d,%d", graph_mem(0), graph_mem(1));
    R("alloc", cuGraphAddMemAllocNode(&n[0], g, NULL, 0, &a));
    say(t, ":set=%d", a.dptr != 0);
    if (!a.dptr) return;
    say(t, " ordinal=%d", device_ordinal(a.dptr));
    memset(&b, 0, sizeof b);
    R("get", cuGraphMemAllocNodeGetParams(n[0], &b));
    say(t, ":id%d same=%d", b.poolProps.location.id, b.dptr == a.dptr);
    R("put", add_put(&n[1], g, &n[0], f1, NULL, a.dptr, 9));
    R("copy", add_copy(&n[2], g, &n[1], p1, a.dptr, u->ctx));
    R("free", cuGraphAddMemFreeNode(&n[3], g, &n[2], 1, a.dptr));
    R("instantiate", cuGraphInstantiate(&x, g, 0));
    if (!x) return;
    for (int j = 0; j < 2; j++) {
        OK(set_word(u, p1, 0));
        R(j ? "launch_s1" : "launch_s0", cuGraphLaunch(x, s[j]));
        R("sync", cuStreamSynchronize(s[j]));
        say(t, " v=%u", word_at(t, u, p1));
    }
    say(t, " high=%d,%d", graph_mem(0), graph_mem(1));
    R("trim0", cuDeviceGraphMemTrim(0));
    R("trim1", cuDeviceGraphMemTrim(1));
}

/* ---- one device fails ------------------------------------------------------ */

/* The same crash, and device 0 then asks about device 1's things. */
CASE(multi, crash_asked_from_other)
{
    CUstream s0, s1, r1;
    CUevent before, after;
    CUdeviceptr p0, p1;
    uint32_t w = 0;
    unsigned fl = 99;
    int act = 99, ord = -7;
    TWO_DEVICES;
    p0 = memory_on(t, 64);
    p1 = memory_on(u, 64);
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_stream_on(u, &r1, NONBLOCKING));
    OK(create_event_on(u, &before, UNTIMED));
    OK(create_event_on(u, &after, UNTIMED));
    OK(cuEventRecord(before, s1));
    OK(settle_device(u));
    MAKE_CURRENT(u);
    OK(launch1(kernel(u, "crash"), s1, NULL));
    OK(cuEventRecord(after, s1));
    R("sync1", cuStreamSynchronize(s1));
    MAKE_CURRENT(t);
    R("query_s1", cuStreamQuery(s1));
    R("query_r1", cuStreamQuery(r1));
    R("before", cuEventQuery(before));
    R("after", cuEventQuery(after));
    R("s0_waits_before", cuStreamWaitEvent(s0, before, 0));
    R("query_s0", cuStreamQuery(s0));
    R("dtoh_1", cuMemcpyDtoH(&w, p1, 4));
    R("peer", cuMemcpyPeer(p0, t->ctx, p1, u->ctx, 4));
    R("ordinal", cuPointerGetAttribute(&ord, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p1));
    R("access", cuCtxEnablePeerAccess(u->ctx, 0));
    R("state1", cuDevicePrimaryCtxGetState(1, &fl, &act));
    say(t, ":%d", act);
    R("destroy_event", cuEventDestroy(before));
    R("destroy_stream", cuStreamDestroy(r1));
    R("free", cuMemFree(p1));
    R("ctx0", cuCtxSynchronize());
    R("memset0", cuMemsetD32Async(p0, 3, 1, s0));
    R("sync0", cuStreamSynchronize(s0));
    say(t, " v=%u", word_at(t, t, p0));
}

/* Resetting device 1 after a crash while device 0 goes on. */
CASE(multi, crash_and_reset)
{
    CUcontext c = NULL;
    CUdeviceptr p = 0, p0;
    unsigned fl = 99;
    int act = 99;
    TWO_DEVICES;
    p0 = memory_on(t, 64);
    MAKE_CURRENT(u);
    OK(launch1(kernel(u, "crash"), NULL, NULL));
    R("ctx1", cuCtxSynchronize());
    MAKE_CURRENT(t);
    R("reset1", cuDevicePrimaryCtxReset(1));
    R("state1", cuDevicePrimaryCtxGetState(1, &fl, &act));
    say(t, ":%d", act);
    R("ctx0", cuCtxSynchronize());
    R("retain1", cuDevicePrimaryCtxRetain(&c, 1));
    say(t, " same=%d", c == u->ctx);
    R("set1", cuCtxSetCurrent(c));
    R("alloc1", cuMemAlloc(&p, 64));
    R("memset1", cuMemsetD32(p, 7, 1));
    R("ctx1", cuCtxSynchronize());
    R("set0", cuCtxSetCurrent(t->ctx));
    R("memset0", cuMemsetD32(p0, 7, 1));
    R("ctx0", cuCtxSynchronize());
    say(t, " v=%u", word_at(t, t, p0));
}
