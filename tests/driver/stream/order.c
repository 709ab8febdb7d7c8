/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events: the order between streams.
 */
#include "../streams.h"

/* Arguments of cuStreamWaitEvent outside capture. */
CASE(stream, wait_event_args)
{
    CUstream s;
    CUevent e;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(e, s));
    R("default", cuStreamWaitEvent(s, e, CU_EVENT_WAIT_DEFAULT));
    R("external", cuStreamWaitEvent(s, e, CU_EVENT_WAIT_EXTERNAL));
    R("two", cuStreamWaitEvent(s, e, 2));
    R("high", cuStreamWaitEvent(s, e, 0x80000000u));
    R("null_event", cuStreamWaitEvent(s, NULL, 0));
    R("null_event_bad", cuStreamWaitEvent(s, NULL, 2));
    R("null_stream", cuStreamWaitEvent(NULL, e, 0));
    R("legacy", cuStreamWaitEvent(CU_STREAM_LEGACY, e, 0));
    R("per_thread", cuStreamWaitEvent(CU_STREAM_PER_THREAD, e, 0));
    R("sync", cuCtxSynchronize());
}

/* Arguments of cuEventRecord and cuEventRecordWithFlags outside capture; a
 * refused record leaves the event as it was. */
CASE(stream, event_record_args)
{
    CUstream s;
    CUevent e;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    R("null_event", cuEventRecord(NULL, s));
    R("null_both", cuEventRecord(NULL, NULL));
    R("null_flags", cuEventRecordWithFlags(NULL, s, 0));
    shut(t);
    OK(gate(t, s));
    R("external", cuEventRecordWithFlags(e, s, CU_EVENT_RECORD_EXTERNAL));
    R("q", cuEventQuery(e));
    R("two", cuEventRecordWithFlags(e, s, 2));
    R("high", cuEventRecordWithFlags(e, s, 0x80000000u));
    R("q", cuEventQuery(e));
    R("zero", cuEventRecordWithFlags(e, s, 0));
    R("q", cuEventQuery(e));
    gate_open(t);
    R("sync", cuEventSynchronize(e));
    R("legacy", cuEventRecord(e, CU_STREAM_LEGACY));
    R("per_thread", cuEventRecord(e, CU_STREAM_PER_THREAD));
    R("null_stream", cuEventRecord(e, NULL));
    R("sync", cuEventSynchronize(e));
    R("q_null", cuEventQuery(NULL));
    R("sync_null", cuEventSynchronize(NULL));
    R("destroy_null", cuEventDestroy(NULL));
}

/* A value made in one stream is seen in another behind an event. */
CASE(stream, cross_event)
{
    CUstream a, b;
    CUevent e;
    CUfunction fp = warm(t, "put"), fc = warm(t, "copy1");
    CUdeviceptr p = dalloc(t, 8);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, a));
    OK(put(fp, a, p, 5));
    OK(cuEventRecord(e, a));
    OK(put(fp, a, p, 5));
    R("wait", cuStreamWaitEvent(b, e, 0));
    OK(copy1(fc, b, p + 4, p));
    say(t, " b=%s", held(b));
    gate_open(t);
    R("sync", cuStreamSynchronize(b));
    say(t, " v=%u", dread(t, p + 4));
}

/* Fork from one stream into two, join them back. */
CASE(stream, diamond)
{
    CUstream a, b, c;
    CUevent e, eb, ec;
    CUfunction fp = warm(t, "put"), fc = warm(t, "copy1"), fm = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 20);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&c, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&eb, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&ec, CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, a));
    OK(put(fp, a, p, 1));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    OK(cuStreamWaitEvent(c, e, 0));
    OK(copy1(fc, b, p + 4, p));
    OK(mad(fm, b, p + 4, 10, 1));
    OK(copy1(fc, c, p + 8, p));
    OK(mad(fm, c, p + 8, 100, 2));
    OK(cuEventRecord(eb, b));
    OK(cuEventRecord(ec, c));
    OK(cuStreamWaitEvent(a, eb, 0));
    OK(cuStreamWaitEvent(a, ec, 0));
    OK(copy1(fc, a, p + 12, p + 4));
    OK(copy1(fc, a, p + 16, p + 8));
    say(t, " a=%s b=%s c=%s", held(a), held(b), held(c));
    gate_open(t);
    R("sync", cuStreamSynchronize(a));
    say(t, " b=%s c=%s", done(b), done(c));
    say(t, " v=%u,%u", dread(t, p + 12), dread(t, p + 16));
}

/* A chain of 64 steps around four streams, an event a step. */
CASE(stream, long_chain)
{
    CUstream s[4];
    CUevent e[64];
    CUfunction fm = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 4);
    unsigned want = 0;
    for (int i = 0; i < 4; i++) OK(cuStreamCreate(&s[i], CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 64; i++) OK(cuEventCreate(&e[i], CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, s[0]));
    for (unsigned i = 0; i < 64; i++) {
        if (i) OK(cuStreamWaitEvent(s[i & 3], e[i - 1], 0));
        OK(mad(fm, s[i & 3], p, 3, i));
        OK(cuEventRecord(e[i], s[i & 3]));
        want = want * 3 + i;
    }
    msleep(20);
    R("last", cuEventQuery(e[63]));
    gate_open(t);
    R("sync", cuEventSynchronize(e[63]));
    say(t, " match=%d", dread(t, p) == want);
}

/* One event re-recorded at each of 64 hops between two streams. */
CASE(stream, event_reuse)
{
    CUstream s[2];
    CUevent e;
    CUfunction fm = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 4);
    unsigned want = 0;
    OK(cuStreamCreate(&s[0], CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&s[1], CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, s[0]));
    for (unsigned i = 0; i < 64; i++) {
        if (i) OK(cuStreamWaitEvent(s[i & 1], e, 0));
        OK(mad(fm, s[i & 1], p, 5, i));
        OK(cuEventRecord(e, s[i & 1]));
        want = want * 5 + i;
    }
    R("q", cuEventQuery(e));
    gate_open(t);
    R("sync", cuEventSynchronize(e));
    say(t, " match=%d", dread(t, p) == want);
}

/* A pending event destroyed; an event created after it starts afresh, and
 * streams told to wait before the destruction keep waiting. */
CASE(stream, event_destroyed_then_created)
{
    CUstream a, b, c;
    CUevent e, f;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&c, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, a));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    R("destroy", cuEventDestroy(e));
    R("create", cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
    R("fresh", cuEventQuery(f));
    R("rec", cuEventRecord(f, c));
    R("sync", cuEventSynchronize(f));
    say(t, " b=%s", held(b));
    gate_open(t);
    R("bsync", cuStreamSynchronize(b));
}

static void CUDA_CB nothing(void *p)
{
    (void)p;
}
/* Work put in a stream of context A while context B is current. */
CASE(stream, other_ctx_current)
{
    CUcontext b = NULL, c = NULL, x = NULL;
    CUstream s;
    CUevent e;
    CUdevice d = 99;
    CUfunction fp = warm(t, "put"), fc = warm(t, "copy1");
    CUdeviceptr p = dalloc(t, 20);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuCtxCreate(&b, NULL, 0, t->dev));
    R("query", cuStreamQuery(s));
    R("launch", put(fp, s, p, 11));
    R("launch_null", put(fp, NULL, p + 16, 1));
    R("memset", cuMemsetD32Async(p + 4, 12, 1, s));
    R("copy", copy1(fc, s, p + 8, p));
    R("dtod", cuMemcpyDtoDAsync(p + 12, p + 4, 4, s));
    R("hostfn", cuLaunchHostFunc(s, nothing, NULL));
    R("memop", cuStreamWriteValue32(s, p + 4, 13, 0));
    R("record", cuEventRecord(e, s));
    R("wait", cuStreamWaitEvent(s, e, 0));
    R("sync", cuStreamSynchronize(s));
    R("evsync", cuEventSynchronize(e));
    R("getctx", cuStreamGetCtx(s, &c));
    say(t, ":%s", c == t->ctx ? "creator" : c == b ? "current" : "other");
    R("getctx_null", cuStreamGetCtx(NULL, &c));
    say(t, ":%s", c == b ? "current" : "other");
    R("getdev", cuStreamGetDevice(s, &d));
    R("ctxsync", cuCtxSynchronize());
    R("destroy", cuStreamDestroy(s));
    OK(cuCtxPopCurrent(&x));
    say(t, " v=%u,%u,%u,%u,%u", dread(t, p), dread(t, p + 4), dread(t, p + 8), dread(t, p + 12),
        dread(t, p + 16));
}

/* Each context has a legacy stream of its own, and cuCtxSynchronize covers
 * the current context only. */
CASE(stream, legacy_is_per_context)
{
    CUcontext b = NULL, x = NULL;
    CUstream sb;
    static Later o;
    shut(t);
    OK(cuCtxCreate(&b, NULL, 0, t->dev));
    OK(cuStreamCreate(&sb, CU_STREAM_DEFAULT));
    OK(cuCtxSynchronize());
    OK(cuCtxPopCurrent(&x));
    OK(gate(t, NULL));
    open_later(&o, t, 400);
    OK(cuCtxPushCurrent(b));
    say(t, " b_null=%s b_s=%s", ename(cuStreamQuery(NULL)), ename(cuStreamQuery(sb)));
    R("memset", cuMemsetD32Async(t->gate_dev + 64, 1, 1, NULL));
    R("b_ctxsync", cuCtxSynchronize());
    say(t, " waited=%d", opened(&o));
    OK(cuCtxPopCurrent(&x));
    R("a_ctxsync", cuCtxSynchronize());
    say(t, " waited=%d", opened(&o));
    open_join(&o);
}

/* The older entry point of cuEventElapsedTime beside the newer one. */
CASE(stream, elapsed_versions)
{
    typedef CUresult (*fn)(float *, CUevent, CUevent);
    void *f[2] = { NULL, NULL };
    CUevent a, b, n;
    CUstream s;
    CUdriverProcAddressQueryResult q;
    float ms = -1;
    R("v1", cuGetProcAddress("cuEventElapsedTime", &f[0], 12000, 0, &q));
    R("v2", cuGetProcAddress("cuEventElapsedTime", &f[1], 13000, 0, &q));
    say(t, " found=%d,%d same=%d", f[0] != NULL, f[1] != NULL, f[0] == f[1]);
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, 0));
    OK(cuEventCreate(&n, CU_EVENT_DISABLE_TIMING));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 2; i++)
        if (f[i]) say(t, " unrecorded%d=%s", i + 1, ename(((fn)f[i])(&ms, a, b)));
    OK(cuEventRecord(a, s));
    OK(cuEventRecord(n, s));
    shut(t);
    OK(gate(t, s));
    OK(cuEventRecord(b, s));
    for (int i = 0; i < 2; i++)
        if (f[i]) say(t, " pending%d=%s", i + 1, ename(((fn)f[i])(&ms, a, b)));
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    for (int i = 0; i < 2; i++)
        if (f[i]) {
            ms = -1;
            say(t, " complete%d=%s", i + 1, ename(((fn)f[i])(&ms, a, b)));
            say(t, ":%d", ms >= 0);
            say(t, " untimed%d=%s", i + 1, ename(((fn)f[i])(&ms, n, b)));
        }
}

/* Three hundred streams at once, each with a kernel of its own. */
CASE(stream, many)
{
    enum { N = 300 };
    static CUstream s[N];
    static uint32_t v[N];
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, N * 4);
    int made = 0, ok = 0, gone = 0, right = 0;
    for (int i = 0; i < N; i++) made += !cuStreamCreate(&s[i], i & 1);
    say(t, " made=%d", made);
    if (made != N) return;
    for (unsigned i = 0; i < N; i++) ok += !put(f, s[i], p + 4 * i, i + 1);
    R("sync", cuCtxSynchronize());
    for (int i = 0; i < N; i++) gone += !cuStreamDestroy(s[i]);
    R("read", cuMemcpyDtoH(v, p, sizeof v));
    for (unsigned i = 0; i < N; i++) right += v[i] == i + 1;
    say(t, " launched=%d destroyed=%d right=%d", ok, gone, right);
}
