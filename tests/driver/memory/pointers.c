/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations and what is known of a pointer.
 */
#include "../streams.h"

/* Sizes and arguments of cuMemAlloc. */
CASE(mem, alloc_args)
{
    CUdeviceptr a = 7, b = 0, c = 0;
    R("zero", cuMemAlloc(&a, 0));
    say(t, " out=%s", a == 7 ? "untouched" : a ? "set" : "null");
    a = 7;
    R("huge", cuMemAlloc(&a, (size_t)1 << 50));
    say(t, " out=%s", a == 7 ? "untouched" : a ? "set" : "null");
    R("max", cuMemAlloc(&a, SIZE_MAX));
    R("null", cuMemAlloc(NULL, 4));
    R("null_zero", cuMemAlloc(NULL, 0));
    R("one", cuMemAlloc(&b, 1));
    R("three", cuMemAlloc(&c, 3));
    say(t, " aligned=%d distinct=%d", !(b & 255) && !(c & 255), b != c);
    R("after", cuMemsetD8(b, 1, 1));
    R("free", cuMemFree(b));
    R("free", cuMemFree(c));
}

static void describe(T *t, const char *label, CUdeviceptr p, CUdeviceptr dev, void *host,
                     CUdeviceptr start)
{
    unsigned type = 99, managed = 99, mapped = 99;
    int ord = 99;
    CUcontext c = (CUcontext)1;
    CUdeviceptr d = 1, rs = 1;
    size_t rn = 1;
    void *h = (void *)1;
    CUmemoryPool pool = (CUmemoryPool)1;
    say(t, " %s{", label);
    R("type", cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    say(t, ":%u", type);
    R("ctx", cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    say(t, ":%s", c == t->ctx ? "ours" : c == (CUcontext)1 ? "untouched" : c ? "other" : "null");
    R("dev", cuPointerGetAttribute(&d, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p));
    say(t, ":%s", d == dev ? "expected" : d == 1 ? "untouched" : d ? "other" : "null");
    R("host", cuPointerGetAttribute(&h, CU_POINTER_ATTRIBUTE_HOST_POINTER, p));
    say(t, ":%s",
        h == (void *)1 ? "untouched"
        : h == NULL    ? "null"
        : h == host    ? "expected"
                       : "other");
    R("ord", cuPointerGetAttribute(&ord, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    say(t, ":%d", ord);
    R("managed", cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    say(t, ":%u", managed & 255);
    R("mapped", cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, p));
    say(t, ":%u", mapped & 255);
    R("start", cuPointerGetAttribute(&rs, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p));
    say(t, ":%s", rs == start ? "expected" : rs == 1 ? "untouched" : rs ? "other" : "null");
    R("size", cuPointerGetAttribute(&rn, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p));
    say(t, ":%zu", rn);
    R("pool", cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
    say(t, ":%s", pool == (CUmemoryPool)1 ? "untouched" : pool ? "set" : "null");
    say(t, " }");
}
/* Pointer attributes of device memory, at its start and inside. */
CASE(mem, pointer_attr_device)
{
    CUdeviceptr p = dalloc(t, 1000);
    describe(t, "start", p, p, NULL, p);
    describe(t, "inside", p + 8, p + 8, NULL, p);
}

/* Of registered host memory, by its host address. */
CASE(mem, pointer_attr_registered)
{
    void *m = NULL;
    CUdeviceptr d = 0;
    if (posix_memalign(&m, 4096, 4096)) return;
    memset(m, 0, 4096);
    OK(cuMemHostRegister(m, 4096, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&d, m, 0));
    describe(t, "registered", (CUdeviceptr)(uintptr_t)m, d, m, (CUdeviceptr)(uintptr_t)m);
}
/* Of stream-ordered memory. */
CASE(mem, pointer_attr_async)
{
    CUstream s;
    CUdeviceptr p = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&p, 1000, s));
    OK(cuStreamSynchronize(s));
    describe(t, "async", p, p, NULL, p);
    OK(cuMemFreeAsync(p, s));
    OK(cuStreamSynchronize(s));
}

/* Attribute ids, several at once, buffer ids, and the one that can be set. */
CASE(mem, pointer_attr_misc)
{
    CUdeviceptr p = dalloc(t, 64), q = dalloc(t, 64);
    static int local;
    unsigned long long a = 0, a2 = 0, b = 0;
    unsigned v = 99, type = 99;
    int ord = 99, on = 1;
    R("id", cuPointerGetAttribute(&a, CU_POINTER_ATTRIBUTE_BUFFER_ID, p));
    R("id_inside", cuPointerGetAttribute(&a2, CU_POINTER_ATTRIBUTE_BUFFER_ID, p + 4));
    R("id_other", cuPointerGetAttribute(&b, CU_POINTER_ATTRIBUTE_BUFFER_ID, q));
    say(t, " same=%d distinct=%d", a == a2, a != b);
    R("bad_0", cuPointerGetAttribute(&v, (CUpointer_attribute)0, p));
    R("bad_99", cuPointerGetAttribute(&v, (CUpointer_attribute)99, p));
    CUpointer_attribute at[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
    void *data[] = { &type, &ord };
    R("two", cuPointerGetAttributes(2, at, data, p));
    say(t, ":%u,%d", type, ord);
    type = 99;
    ord = 99;
    R("two_local", cuPointerGetAttributes(2, at, data, (CUdeviceptr)(uintptr_t)&local));
    say(t, ":%u,%d", type, ord);
    type = 99;
    ord = 99;
    R("two_null", cuPointerGetAttributes(2, at, data, 0));
    say(t, ":%u,%d", type, ord);
    R("none", cuPointerGetAttributes(0, at, data, p));
    v = 99;
    R("sync_memops", cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    say(t, ":%u", v & 255);
    R("set", cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    R("get", cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    say(t, ":%u", v & 255);
    R("set_type", cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    R("set_local",
      cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)(uintptr_t)&local));
}

/* Only one of the two asked for. */
CASE(mem, info_null_out)
{
    size_t x = 0;
    R("no_free", cuMemGetInfo(NULL, &x));
    R("no_total", cuMemGetInfo(&x, NULL));
}
