/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: creation, properties, the default streams, attributes, and the
 * order that events and the legacy stream impose between streams.
 */
#include "streams.h"

/* Which creation flags are taken, what reads back, and whether a failure
 * touches the out parameter. */
CASE(stream, create_flags)
{
    static const unsigned tried[] = { 0, 1, 2, 3, 4, 0x80, 0x80000000u, 0xffffffffu };
    for (unsigned i = 0; i < sizeof tried / sizeof *tried; i++) {
        CUstream s = (CUstream)(uintptr_t)0x77;
        CUresult r = cuStreamCreate(&s, tried[i]);
        say(t, " 0x%x=%s", tried[i], ename(r));
        if (r) {
            say(t, "/%s", s == (CUstream)(uintptr_t)0x77 ? "untouched" : s ? "set" : "null");
            continue;
        }
        unsigned fl = 99;
        r = cuStreamGetFlags(s, &fl);
        say(t, "/%s:%u", ename(r), fl);
        R("destroy", cuStreamDestroy(s));
    }
    R("null", cuStreamCreate(NULL, 0));
    R("null_bad", cuStreamCreate(NULL, 2));
}

/* Flags, priority, device and context of the three default handles. */
CASE(stream, special_getters)
{
    static const struct {
        const char *n;
        CUstream s;
    } h[] = { { "null", NULL },
              { "legacy", CU_STREAM_LEGACY },
              { "per_thread", CU_STREAM_PER_THREAD } };
    for (int i = 0; i < 3; i++) {
        unsigned fl = 99;
        int pr = 99;
        CUdevice d = 99;
        CUcontext c = NULL;
        say(t, " %s{", h[i].n);
        R("flags", cuStreamGetFlags(h[i].s, &fl));
        say(t, ":%u", fl);
        R("prio", cuStreamGetPriority(h[i].s, &pr));
        say(t, ":%d", pr);
        R("dev", cuStreamGetDevice(h[i].s, &d));
        say(t, ":%s", d == t->dev ? "same" : "differ");
        R("ctx", cuStreamGetCtx(h[i].s, &c));
        say(t, ":%s", c == t->ctx ? "same" : "differ");
        R("query", cuStreamQuery(h[i].s));
        R("sync", cuStreamSynchronize(h[i].s));
        say(t, " }");
    }
}

struct ids {
    unsigned long long null, legacy, pt;
    CUresult r;
};
static void ids_fn(void *p)
{
    struct ids *d = p;
    d->r = cuStreamGetId(NULL, &d->null);
    if (!d->r) d->r = cuStreamGetId(CU_STREAM_LEGACY, &d->legacy);
    if (!d->r) d->r = cuStreamGetId(CU_STREAM_PER_THREAD, &d->pt);
}
/* Which handles share an id; ids of other threads and of later streams. */
CASE(stream, ids)
{
    struct ids a = { 0, 0, 0, 0 }, b = { 0, 0, 0, 0 };
    unsigned long long x = 0, x2 = 0, y = 0, z = 0;
    CUstream s, u;
    ids_fn(&a);
    say(t, " here=%s", ename(a.r));
    on_thread(t, ids_fn, &b);
    say(t, " there=%s", ename(b.r));
    say(t, " null_legacy=%s", a.null == a.legacy ? "same" : "differ");
    say(t, " null_pt=%s", a.null == a.pt ? "same" : "differ");
    say(t, " legacy_threads=%s", a.legacy == b.legacy ? "same" : "differ");
    say(t, " pt_threads=%s", a.pt == b.pt ? "same" : "differ");
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamCreate(&u, CU_STREAM_NON_BLOCKING));
    R("s", cuStreamGetId(s, &x));
    R("s_again", cuStreamGetId(s, &x2));
    R("u", cuStreamGetId(u, &y));
    say(t, " stable=%d distinct=%d", x == x2,
        x != y && x != a.null && x != a.pt && y != a.null && y != a.pt);
    say(t, " rising=%d", x < y);
    OK(cuStreamDestroy(u));
    OK(cuStreamCreate(&u, CU_STREAM_NON_BLOCKING));
    OK(cuStreamGetId(u, &z));
    say(t, " reused_after_destroy=%d", z == y);
}

/* Getters with no place to answer. */
CASE(stream, getter_null_out)
{
    CUstream s;
    OK(cuStreamCreate(&s, 0));
    R("flags", cuStreamGetFlags(s, NULL));
    R("prio", cuStreamGetPriority(s, NULL));
    R("id", cuStreamGetId(s, NULL));
    R("dev", cuStreamGetDevice(s, NULL));
}
/* The same for the context getter, alone. */
CASE(stream, getter_null_out_ctx)
{
    CUstream s;
    OK(cuStreamCreate(&s, 0));
    R("ctx", cuStreamGetCtx(s, NULL));
}

/* cuStreamQuery over a stream's life: idle, held, drained. */
CASE(stream, query_states)
{
    CUstream s;
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("fresh", cuStreamQuery(s));
    R("sync_fresh", cuStreamSynchronize(s));
    shut(t);
    OK(gate(t, s));
    say(t, " gated=%s", held(s));
    OK(put(f, s, p, 9));
    say(t, " queued=%s", held(s));
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    R("after", cuStreamQuery(s));
    say(t, " v=%u", dread(t, p));
    OK(put(f, s, p, 10));
    say(t, " drained=%s", done(s));
    say(t, " v=%u", dread(t, p));
}

/* Destroying a default stream. */
CASE(stream, destroy_special)
{
    R("null", cuStreamDestroy(NULL));
    R("legacy", cuStreamDestroy(CU_STREAM_LEGACY));
    R("per_thread", cuStreamDestroy(CU_STREAM_PER_THREAD));
    R("null_query", cuStreamQuery(NULL));
    R("pt_query", cuStreamQuery(CU_STREAM_PER_THREAD));
}

/* Work in a blocking stream waits for earlier work in the legacy stream;
 * a blocking stream that got nothing since is idle. */
CASE(stream, blocking_after_legacy)
{
    CUstream a, b;
    CUfunction fp = warm(t, "put"), fm = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    shut(t);
    OK(gate(t, NULL));
    OK(put(fp, NULL, p, 1));
    OK(mad(fm, a, p, 3, 4));
    say(t, " null=%s a=%s idle_b=%s", held(NULL), held(a), held(b));
    gate_open(t);
    R("sync", cuStreamSynchronize(a));
    R("nullq", cuStreamQuery(NULL));
    say(t, " v=%u", dread(t, p));
}

/* A non-blocking stream and the legacy stream do not order each other. */
CASE(stream, nonblocking_vs_legacy)
{
    CUstream a;
    CUfunction fp = warm(t, "put");
    CUdeviceptr p = dalloc(t, 8);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    shut(t);
    OK(gate(t, NULL));
    OK(put(fp, a, p, 1));
    say(t, " a=%s null=%s", done(a), held(NULL));
    gate_open(t);
    R("sync", cuCtxSynchronize());
    shut(t);
    OK(gate(t, a));
    OK(put(fp, NULL, p + 4, 2));
    say(t, " null2=%s a2=%s", done(NULL), held(a));
    gate_open(t);
    R("sync2", cuCtxSynchronize());
    say(t, " v=%u,%u", dread(t, p), dread(t, p + 4));
}

/* What a query of the legacy stream says when only another stream is busy. */
CASE(stream, legacy_query_alone)
{
    CUstream a, b;
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    shut(t);
    OK(gate(t, a));
    say(t, " blocking_busy{null=%s legacy=%s pt=%s}", held(NULL), held(CU_STREAM_LEGACY),
        held(CU_STREAM_PER_THREAD));
    gate_open(t);
    OK(cuCtxSynchronize());
    shut(t);
    OK(gate(t, b));
    say(t, " nonblocking_busy{null=%s legacy=%s pt=%s}", held(NULL), held(CU_STREAM_LEGACY),
        held(CU_STREAM_PER_THREAD));
    gate_open(t);
    OK(cuCtxSynchronize());
    shut(t);
    OK(gate(t, CU_STREAM_PER_THREAD));
    say(t, " pt_busy{null=%s legacy=%s pt=%s}", held(NULL), held(CU_STREAM_LEGACY),
        held(CU_STREAM_PER_THREAD));
    gate_open(t);
    R("sync", cuCtxSynchronize());
}

/* The per-thread stream is ordered with the legacy stream in both directions. */
CASE(stream, per_thread_vs_legacy)
{
    CUfunction fp = warm(t, "put"), fm = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 4);
    shut(t);
    OK(gate(t, NULL));
    OK(put(fp, NULL, p, 1));
    OK(mad(fm, CU_STREAM_PER_THREAD, p, 3, 4));
    say(t, " pt=%s", held(CU_STREAM_PER_THREAD));
    gate_open(t);
    R("sync", cuStreamSynchronize(CU_STREAM_PER_THREAD));
    say(t, " v=%u", dread(t, p));
    shut(t);
    OK(gate(t, CU_STREAM_PER_THREAD));
    OK(put(fp, CU_STREAM_PER_THREAD, p, 2));
    OK(mad(fm, NULL, p, 5, 6));
    say(t, " null=%s", held(NULL));
    gate_open(t);
    R("sync2", cuStreamSynchronize(NULL));
    say(t, " v=%u", dread(t, p));
}

/* Two blocking streams do not order each other, until the legacy stream gets
 * work between them. */
CASE(stream, legacy_joins_blocking)
{
    CUstream a, b, n;
    CUfunction fp = warm(t, "put"), fn = warm(t, "nop");
    CUdeviceptr p = dalloc(t, 12);
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&n, CU_STREAM_NON_BLOCKING));
    shut(t);
    OK(gate(t, a));
    OK(put(fp, b, p, 1));
    say(t, " before=%s", done(b));
    OK(launch1(fn, NULL, NULL));
    OK(put(fp, b, p + 4, 2));
    OK(put(fp, n, p + 8, 3));
    say(t, " b=%s n=%s null=%s", held(b), done(n), held(NULL));
    gate_open(t);
    R("sync", cuStreamSynchronize(b));
    say(t, " a=%s", done(a));
    say(t, " v=%u,%u,%u", dread(t, p), dread(t, p + 4), dread(t, p + 8));
}

/* The legacy stream told to wait for an event: later work of blocking streams
 * waits too, that of non-blocking streams does not. */
CASE(stream, legacy_wait_event)
{
    CUstream a, b, n;
    CUevent e;
    CUfunction fp = warm(t, "put");
    CUdeviceptr p = dalloc(t, 12);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&n, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    shut(t);
    OK(gate(t, a));
    OK(cuEventRecord(e, a));
    R("wait", cuStreamWaitEvent(NULL, e, 0));
    OK(put(fp, b, p, 1));
    OK(put(fp, n, p + 4, 2));
    OK(put(fp, CU_STREAM_PER_THREAD, p + 8, 3));
    say(t, " null=%s b=%s pt=%s n=%s", held(NULL), held(b), held(CU_STREAM_PER_THREAD), done(n));
    gate_open(t);
    R("sync", cuCtxSynchronize());
    say(t, " v=%u,%u,%u", dread(t, p), dread(t, p + 4), dread(t, p + 8));
}

/* Synchronizing a blocking or per-thread stream does not wait for the legacy
 * stream unless something was queued behind it. */
CASE(stream, sync_other_than_null)
{
    CUstream a;
    static Later o;
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    shut(t);
    OK(gate(t, NULL));
    open_later(&o, t, 200);
    R("a", cuStreamSynchronize(a));
    say(t, " waited=%d", opened(&o));
    R("pt", cuStreamSynchronize(CU_STREAM_PER_THREAD));
    say(t, " waited=%d", opened(&o));
    R("null", cuStreamSynchronize(NULL));
    say(t, " waited=%d", opened(&o));
    open_join(&o);
}

struct pt {
    T *t;
    CUfunction f;
    CUdeviceptr p;
    int step;
    CUresult gate, put, q, q2;
};

/* Synchronization policy: default, each value, values outside the enum. */
CASE(stream, attr_sync_policy)
{
    CUstream s;
    CUstreamAttrValue v;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    memset(&v, 0, sizeof v);
    R("get", cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    say(t, ":%d", (int)v.syncPolicy);
    for (int i = 0; i <= 5; i++) {
        memset(&v, 0, sizeof v);
        v.syncPolicy = (CUsynchronizationPolicy)i;
        CUresult r = cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v);
        memset(&v, 0, sizeof v);
        cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v);
        say(t, " set%d=%s:%d", i, ename(r), (int)v.syncPolicy);
    }
    CUstream sp[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    for (int i = 0; i < 3; i++) {
        memset(&v, 0, sizeof v);
        CUresult r = cuStreamGetAttribute(sp[i], CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v);
        say(t, " special%d=%s:%d", i, ename(r), (int)v.syncPolicy);
        v.syncPolicy = CU_SYNC_POLICY_BLOCKING_SYNC;
        R("set", cuStreamSetAttribute(sp[i], CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    }
}

static void window(T *t, CUstream s, const char *label, void *base, size_t n, float ratio, int hit,
                   int miss)
{
    CUstreamAttrValue v;
    memset(&v, 0, sizeof v);
    v.accessPolicyWindow.base_ptr = base;
    v.accessPolicyWindow.num_bytes = n;
    v.accessPolicyWindow.hitRatio = ratio;
    v.accessPolicyWindow.hitProp = (CUaccessProperty)hit;
    v.accessPolicyWindow.missProp = (CUaccessProperty)miss;
    R(label, cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
}

/* Memory synchronization domain and its map. */
CASE(stream, attr_mem_sync)
{
    CUstream s;
    CUstreamAttrValue v;
    int n = -1;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, t->dev));
    say(t, " domains=%d", n);
    memset(&v, 0x5a, sizeof v);
    R("get", cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    say(t, ":%d", (int)v.memSyncDomain);
    for (int i = 0; i < 3; i++) {
        memset(&v, 0, sizeof v);
        v.memSyncDomain = (CUlaunchMemSyncDomain)i;
        CUresult r = cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v);
        memset(&v, 0, sizeof v);
        cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v);
        say(t, " set%d=%s:%d", i, ename(r), (int)v.memSyncDomain);
    }
    memset(&v, 0x5a, sizeof v);
    R("map", cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &v));
    say(t, ":%u,%u", v.memSyncDomainMap.default_, v.memSyncDomainMap.remote);
    const unsigned char maps[][2] = {
        { 1, 1 }, { 0, 0 }, { 3, 2 }, { 200, 1 }, { 0, (unsigned char)n }
    };
    for (unsigned i = 0; i < 5; i++) {
        memset(&v, 0, sizeof v);
        v.memSyncDomainMap.default_ = maps[i][0];
        v.memSyncDomainMap.remote = maps[i][1];
        CUresult r = cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &v);
        memset(&v, 0x5a, sizeof v);
        cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &v);
        say(t, " map[%u,%u]=%s:%u,%u", maps[i][0], maps[i][1], ename(r),
            v.memSyncDomainMap.default_, v.memSyncDomainMap.remote);
    }
}

/* Which attributes cuStreamCopyAttributes carries over, and default streams. */
CASE(stream, attr_copy)
{
    CUstream a, b;
    CUstreamAttrValue v;
    int least = 0, greatest = 0, p = 99;
    CUdeviceptr m = dalloc(t, 65536);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    OK(cuStreamCreateWithPriority(&a, CU_STREAM_NON_BLOCKING, greatest));
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    memset(&v, 0, sizeof v);
    v.syncPolicy = CU_SYNC_POLICY_YIELD;
    R("policy", cuStreamSetAttribute(a, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    memset(&v, 0, sizeof v);
    v.memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
    R("domain", cuStreamSetAttribute(a, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    window(t, a, "window", (void *)(uintptr_t)m, 4096, 1.0f, CU_ACCESS_PROPERTY_STREAMING,
           CU_ACCESS_PROPERTY_NORMAL);
    R("copy", cuStreamCopyAttributes(b, a));
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    say(t, " policy=%d", (int)v.syncPolicy);
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    say(t, " domain=%d", (int)v.memSyncDomain);
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    say(t, " window=%d,%zu", v.accessPolicyWindow.base_ptr == (void *)(uintptr_t)m,
        v.accessPolicyWindow.num_bytes);
    OK(cuStreamGetPriority(b, &p));
    say(t, " prio=%s", p == greatest ? "copied" : "kept");
    R("self", cuStreamCopyAttributes(a, a));
    R("to_null", cuStreamCopyAttributes(NULL, a));
    R("from_null", cuStreamCopyAttributes(b, NULL));
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    say(t, " policy=%d", (int)v.syncPolicy);
}

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
