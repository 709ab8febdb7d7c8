/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose memory: pinned, stream-ordered, mapped, and what a free waits for.
 */
#include "two_devices.h"

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
