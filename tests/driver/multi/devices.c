/* SPDX-License-Identifier: Apache-2.0
 *
 * Two devices in one process: who reaches whom, contexts, streams, launches across
 * contexts.
 */
#include "two_devices.h"

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
