/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of memory.
 */
#include "../streams.h"

static void pool_get(T *t, CUmemoryPool p, const char *label, CUmemPool_attribute a)
{
    uint64_t v = 0;
    R(label, cuMemPoolGetAttribute(p, a, &v));
    say(t, ":%llu", (unsigned long long)v);
}
static uint64_t pool_val(CUmemoryPool p, CUmemPool_attribute a)
{
    uint64_t v = 0;
    return cuMemPoolGetAttribute(p, a, &v) ? ~0ull : v;
}
/* Attributes of the default pool before anything was allocated from it, and
 * which of them can be set. */
CASE(mem, pool_attributes)
{
    CUmemoryPool p = NULL;
    uint64_t v;
    int off = 0;
    OK(cuDeviceGetDefaultMemPool(&p, t->dev));
    for (int a = 1; a <= 8; a++) {
        char l[8];
        snprintf(l, sizeof l, "get%d", a);
        pool_get(t, p, l, (CUmemPool_attribute)a);
    }
    v = 0;
    R("get0", cuMemPoolGetAttribute(p, (CUmemPool_attribute)0, &v));
    R("get99", cuMemPoolGetAttribute(p, (CUmemPool_attribute)99, &v));
    for (int a = 1; a <= 3; a++) {
        char l[8];
        snprintf(l, sizeof l, "off%d", a);
        R(l, cuMemPoolSetAttribute(p, (CUmemPool_attribute)a, &off));
        pool_get(t, p, "now", (CUmemPool_attribute)a);
    }
    v = 1 << 20;
    R("threshold", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &v));
    pool_get(t, p, "now", CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
    v = ~0ull;
    R("threshold_max", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &v));
    v = 0;
    R("reserved_cur", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &v));
    R("used_cur", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &v));
    R("reserved_high", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &v));
    R("used_high", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &v));
    v = 1;
    R("reserved_high_1", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &v));
    R("used_high_1", cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &v));
}

/* Used memory follows the calls or the stream? Watermarks and their reset. */
CASE(mem, pool_used)
{
    CUmemoryPool m = NULL;
    CUstream s;
    CUdeviceptr p = 0, q = 0;
    uint64_t z = 0, keep = ~0ull;
    OK(cuDeviceGetDefaultMemPool(&m, t->dev));
    OK(cuMemPoolSetAttribute(m, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&p, 1024, s));
    OK(cuMemAllocAsync(&q, 4096, s));
    uint64_t two = pool_val(m, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
    say(t, " exact=%d", two == 5120);
    OK(cuStreamSynchronize(s));
    say(t, " synced=%s", pool_val(m, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == two ? "same" : "changed");
    say(t, " reserved=%s",
        pool_val(m, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) >= two ? "covers" : "less");
    shut(t);
    OK(gate(t, s));
    OK(cuMemFreeAsync(p, s));
    uint64_t freed = pool_val(m, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
    say(t, " free_pending=%s", freed == two ? "same" : freed < two ? "less" : "more");
    gate_open(t);
    OK(cuStreamSynchronize(s));
    uint64_t after = pool_val(m, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
    say(t, " free_done=%s", after == two ? "same" : after < two ? "less" : "more");
    OK(cuMemFreeAsync(q, s));
    OK(cuStreamSynchronize(s));
    say(t, " none=%llu", (unsigned long long)pool_val(m, CU_MEMPOOL_ATTR_USED_MEM_CURRENT));
    say(t, " high=%s", pool_val(m, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == two ? "peak" : "other");
    R("reset", cuMemPoolSetAttribute(m, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &z));
    say(t, " high=%llu", (unsigned long long)pool_val(m, CU_MEMPOOL_ATTR_USED_MEM_HIGH));
    say(t, " kept=%d", pool_val(m, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) > 0);
}

/* The default pool, the current pool, setting another, what destroying does. */
CASE(mem, pool_current)
{
    CUmemoryPool d = NULL, c = NULL, m = NULL, h = NULL;
    CUmemPoolProps pr;
    CUstream s;
    CUdeviceptr p = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("default", cuDeviceGetDefaultMemPool(&d, t->dev));
    R("current", cuDeviceGetMemPool(&c, t->dev));
    say(t, " same=%d", c == d);
    R("bad_dev", cuDeviceGetDefaultMemPool(&c, 999));
    R("destroy_default", cuMemPoolDestroy(d));
    memset(&pr, 0, sizeof pr);
    pr.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    pr.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    pr.location.id = 0;
    R("create", cuMemPoolCreate(&m, &pr));
    R("set", cuDeviceSetMemPool(t->dev, m));
    R("current", cuDeviceGetMemPool(&c, t->dev));
    say(t, " ours=%d", c == m);
    R("alloc", cuMemAllocAsync(&p, 64, s));
    R("from", cuPointerGetAttribute(&h, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
    say(t, ":%s", h == m ? "ours" : h == d ? "default" : "other");
    R("free", cuMemFreeAsync(p, s));
    R("sync", cuStreamSynchronize(s));
    R("destroy", cuMemPoolDestroy(m));
    R("current", cuDeviceGetMemPool(&c, t->dev));
    say(t, " default=%d", c == d);
}

/* A pool destroyed while its memory lives. */
CASE(mem, pool_destroy_live)
{
    CUmemoryPool m = NULL;
    CUmemPoolProps pr;
    CUstream s;
    CUfunction f = warm(t, "mul_add");
    CUdeviceptr p = 0, q = dalloc(t, 4);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    memset(&pr, 0, sizeof pr);
    pr.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    pr.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuMemPoolCreate(&m, &pr));
    R("alloc", cuMemAllocFromPoolAsync(&p, 64, m, s));
    R("zero", cuMemAllocFromPoolAsync(&q, 0, m, s));
    R("null_out", cuMemAllocFromPoolAsync(NULL, 64, m, s));
    q = dalloc(t, 4);
    R("destroy", cuMemPoolDestroy(m));
    R("memset", cuMemsetD32Async(p, 2, 1, s));
    OK(mad(f, s, p, 4, 1));
    OK(cuMemcpyDtoDAsync(q, p, 4, s));
    R("free", cuMemFreeAsync(p, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " v=%u", dread(t, q));
}

/* Pool properties that are refused, and the limit of a bounded pool. */
CASE(mem, pool_props)
{
    CUmemoryPool m = NULL;
    CUmemPoolProps ok, pr;
    CUstream s;
    CUdeviceptr p = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    memset(&ok, 0, sizeof ok);
    ok.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    ok.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    pr = ok;
    pr.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    R("type_0", cuMemPoolCreate(&m, &pr));
    pr = ok;
    pr.location.type = CU_MEM_LOCATION_TYPE_INVALID;
    R("loc_0", cuMemPoolCreate(&m, &pr));
    pr = ok;
    pr.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    R("loc_numa_current", cuMemPoolCreate(&m, &pr));
    pr = ok;
    pr.location.id = 999;
    R("id_999", cuMemPoolCreate(&m, &pr));
    pr = ok;
    pr.location.id = -1;
    R("id_-1", cuMemPoolCreate(&m, &pr));
    pr = ok;
    pr.reserved[0] = 1;
    R("reserved", cuMemPoolCreate(&m, &pr));
    pr = ok;
    pr.usage = 0x8000;
    R("usage", cuMemPoolCreate(&m, &pr));
    pr = ok;
    pr.maxSize = (size_t)64 << 20;
    m = NULL;
    R("bounded", cuMemPoolCreate(&m, &pr));
    if (!m) return;
    R("over", cuMemAllocFromPoolAsync(&p, (size_t)256 << 20, m, s));
    R("under", cuMemAllocFromPoolAsync(&p, 1 << 20, m, s));
    R("sync", cuStreamSynchronize(s));
}

/* No pool, no place to answer, no properties. */
CASE(mem, pool_null)
{
    CUmemoryPool m = NULL;
    CUmemPoolProps pr;
    CUdeviceptr p = 0;
    uint64_t v = 0;
    memset(&pr, 0, sizeof pr);
    pr.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    pr.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    R("trim", cuMemPoolTrimTo(NULL, 0));
    R("destroy", cuMemPoolDestroy(NULL));
    R("get", cuMemPoolGetAttribute(NULL, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &v));
    R("set", cuMemPoolSetAttribute(NULL, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &v));
    R("alloc", cuMemAllocFromPoolAsync(&p, 64, NULL, NULL));
    R("make_current", cuDeviceSetMemPool(t->dev, NULL));
    R("default_no_out", cuDeviceGetDefaultMemPool(NULL, t->dev));
    R("create_no_out", cuMemPoolCreate(NULL, &pr));
    R("create_no_props", cuMemPoolCreate(&m, NULL));
}

/* Attaching memory that is not managed. */
CASE(mem, attach_not_managed)
{
    CUstream s;
    void *v = NULL;
    CUdeviceptr p = dalloc(t, 4096);
    OK(cuMemHostAlloc(&v, 4096, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("device", cuStreamAttachMemAsync(s, p, 0, CU_MEM_ATTACH_SINGLE));
    R("device_len", cuStreamAttachMemAsync(s, p, 4096, CU_MEM_ATTACH_GLOBAL));
    R("pinned", cuStreamAttachMemAsync(s, (CUdeviceptr)(uintptr_t)v, 4096, CU_MEM_ATTACH_SINGLE));
    R("null", cuStreamAttachMemAsync(s, 0, 0, CU_MEM_ATTACH_SINGLE));
    R("flags_0", cuStreamAttachMemAsync(s, p, 0, 0));
    R("flags_9", cuStreamAttachMemAsync(s, p, 0, 9));
    R("null_stream", cuStreamAttachMemAsync(NULL, p, 0, CU_MEM_ATTACH_SINGLE));
    R("sync", cuCtxSynchronize());
}
