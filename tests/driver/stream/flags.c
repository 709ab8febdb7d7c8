/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: flags, ids, queries.
 */
#include "../streams.h"

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

struct pt {
    T *t;
    CUfunction f;
    CUdeviceptr p;
    int step;
    CUresult gate, put, q, q2;
};
