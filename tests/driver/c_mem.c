/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: copies, sets, allocation, pinned memory, pointers, and the
 * stream-ordered allocator.
 */
#include "streams.h"

/* Make the call while stream s is held: does it return at once, or only after
 * the stream was let go? */
#define WHILE_HELD(label, s, expr)                                                                 \
    do {                                                                                           \
        static Later o_;                                                                           \
        shut(t);                                                                                   \
        OK(gate(t, s));                                                                            \
        open_later(&o_, t, 300);                                                                   \
        CUresult r_ = (expr);                                                                      \
        int w_ = opened(&o_);                                                                      \
        open_join(&o_);                                                                            \
        say(t, " %s=%s/%s", label, ename(r_), w_ ? "waited" : "at_once");                          \
        OK(cuCtxSynchronize());                                                                    \
    } while (0)

/* A large copy there and back, and its first and last bytes. */
CASE(mem, copy_large)
{
    size_t n = (size_t)8 << 20;
    unsigned char *a = malloc(n), *b = calloc(1, n);
    CUdeviceptr p = dalloc(t, n);
    for (size_t i = 0; i < n; i++) a[i] = (unsigned char)(i * 7 + (i >> 12));
    R("htod", cuMemcpyHtoD(p, a, n));
    R("dtoh", cuMemcpyDtoH(b, p, n));
    say(t, " same=%d", !memcmp(a, b, n));
    R("tail", cuMemcpyDtoH(b, p + n - 1, 1));
    say(t, " last=%d", b[0] == a[n - 1]);
}

/* Copies in a stream, pinned memory at both ends, a kernel between. */
CASE(mem, copy_async_order)
{
    CUstream s;
    void *v = NULL;
    CUfunction f = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 8);
    OK(cuMemHostAlloc(&v, 4096, 0));
    volatile uint32_t *h = v;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    h[0] = 7;
    h[1] = 0;
    h[2] = 0;
    shut(t);
    OK(gate(t, s));
    R("htod", cuMemcpyHtoDAsync(p, v, 4, s));
    OK(mad(f, s, p, 10, 1));
    R("dtod", cuMemcpyDtoDAsync(p + 4, p, 4, s));
    R("dtoh", cuMemcpyDtoHAsync((char *)v + 4, p + 4, 4, s));
    OK(mad(f, s, p, 10, 2));
    R("dtoh2", cuMemcpyDtoHAsync((char *)v + 8, p, 4, s));
    say(t, " state=%s", held(s));
    say(t, " before=%u,%u", h[1], h[2]);
    gate_open(t);
    R("sync", cuStreamSynchronize(s));
    say(t, " after=%u,%u", h[1], h[2]);
}

/* When is the source of a host-to-device copy read: pageable memory at the
 * call, pinned memory when the copy runs. */
CASE(mem, source_read_when)
{
    CUstream s;
    void *v = NULL;
    static Later o;
    static uint32_t pageable;
    CUdeviceptr p = dalloc(t, 8);
    OK(cuMemHostAlloc(&v, 4096, 0));
    volatile uint32_t *h = v;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    pageable = 1;
    h[0] = 1;
    shut(t);
    OK(gate(t, s));
    open_later(&o, t, 300);
    R("pinned", cuMemcpyHtoDAsync(p + 4, v, 4, s));
    h[0] = 2;
    R("pageable", cuMemcpyHtoDAsync(p, &pageable, 4, s));
    pageable = 2;
    open_join(&o);
    R("sync", cuStreamSynchronize(s));
    say(t, " pinned=%u pageable=%u", dread(t, p + 4), dread(t, p));
}

/* Asynchronous copies in a held stream: which ones hold up the caller. */
CASE(mem, async_copy_blocks)
{
    CUstream s;
    void *v = NULL;
    enum { BIG = 1 << 20 };
    static char h[BIG];
    CUdeviceptr p = dalloc(t, 2 * BIG);
    OK(cuMemHostAlloc(&v, BIG, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    WHILE_HELD("htod_pinned", s, cuMemcpyHtoDAsync(p, v, 4, s));
    WHILE_HELD("dtoh_pinned", s, cuMemcpyDtoHAsync(v, p, 4, s));
    WHILE_HELD("htod_pinned_big", s, cuMemcpyHtoDAsync(p, v, BIG, s));
    WHILE_HELD("dtoh_pinned_big", s, cuMemcpyDtoHAsync(v, p, BIG, s));
    WHILE_HELD("htod_pageable", s, cuMemcpyHtoDAsync(p, h, 4, s));
    WHILE_HELD("dtoh_pageable", s, cuMemcpyDtoHAsync(h, p, 4, s));
    WHILE_HELD("htod_pageable_big", s, cuMemcpyHtoDAsync(p, h, BIG, s));
    WHILE_HELD("dtoh_pageable_big", s, cuMemcpyDtoHAsync(h, p, BIG, s));
    WHILE_HELD("dtod", s, cuMemcpyDtoDAsync(p + BIG, p, BIG, s));
    WHILE_HELD("memset", s, cuMemsetD8Async(p, 1, BIG, s));
}

/* The same calls while a non-blocking stream is held. */
CASE(mem, sync_calls_vs_nonblocking)
{
    CUstream s;
    static uint32_t h[4];
    CUdeviceptr p = dalloc(t, 64);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    WHILE_HELD("dtoh", s, cuMemcpyDtoH(h, p, 4));
    WHILE_HELD("htod", s, cuMemcpyHtoD(p, h, 4));
    WHILE_HELD("dtod", s, cuMemcpyDtoD(p, p + 4, 4));
    WHILE_HELD("memset", s, cuMemsetD32(p, 1, 4));
}

/* Zero-byte copies: accepted, whatever the pointers? */
CASE(mem, copy_zero_bytes)
{
    CUstream s;
    uint32_t h = 3;
    CUdeviceptr p = dalloc(t, 8);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("htod", cuMemcpyHtoD(p, &h, 0));
    R("dtoh", cuMemcpyDtoH(&h, p, 0));
    R("dtod", cuMemcpyDtoD(p, p + 4, 0));
    R("copy", cuMemcpy(p, p + 4, 0));
    R("htod_async", cuMemcpyHtoDAsync(p, &h, 0, s));
    R("dtoh_async", cuMemcpyDtoHAsync(&h, p, 0, s));
    R("dtod_async", cuMemcpyDtoDAsync(p, p + 4, 0, s));
    R("copy_async", cuMemcpyAsync(p, p + 4, 0, s));
    R("htod_null_dst", cuMemcpyHtoD(0, &h, 0));
    R("dtoh_null_src", cuMemcpyDtoH(&h, 0, 0));
    R("dtod_null", cuMemcpyDtoD(0, 0, 0));
    R("copy_null", cuMemcpy(0, 0, 0));
    R("htod_null_src", cuMemcpyHtoD(p, NULL, 0));
    R("dtoh_null_dst", cuMemcpyDtoH(NULL, p, 0));
    say(t, " h=%u", h);
}

/* Copies to or from device address zero. */
CASE(mem, copy_null_device)
{
    CUstream s;
    static uint32_t h[2];
    CUdeviceptr p = dalloc(t, 8);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("htod", cuMemcpyHtoD(0, h, 4));
    R("dtoh", cuMemcpyDtoH(h, 0, 4));
    R("dtod_dst", cuMemcpyDtoD(0, p, 4));
    R("dtod_src", cuMemcpyDtoD(p, 0, 4));
    R("htod_async", cuMemcpyHtoDAsync(0, h, 4, s));
    R("dtoh_async", cuMemcpyDtoHAsync(h, 0, 4, s));
    R("dtod_async", cuMemcpyDtoDAsync(p, 0, 4, s));
    R("memset", cuMemsetD32(0, 1, 1));
    R("memset_async", cuMemsetD32Async(0, 1, 1, s));
    R("sync", cuCtxSynchronize());
}

/* Copies that go beyond the end of an allocation. */
CASE(mem, copy_out_of_bounds)
{
    CUstream s;
    size_t n = (size_t)2 << 20;
    char *h = calloc(2, n);
    CUdeviceptr p = dalloc(t, n), q = dalloc(t, n);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("htod_exact", cuMemcpyHtoD(p, h, n));
    R("htod_over", cuMemcpyHtoD(p, h, n + 1));
    R("htod_shift", cuMemcpyHtoD(p + 4, h, n));
    R("dtoh_over", cuMemcpyDtoH(h, p, n + 1));
    R("dtoh_shift", cuMemcpyDtoH(h, p + 4, n));
    R("dtod_over_both", cuMemcpyDtoD(q, p, n + 1));
    R("dtod_over_src", cuMemcpyDtoD(q, p + 4, n));
    R("dtod_over_dst", cuMemcpyDtoD(q + 4, p, n));
    R("copy_over", cuMemcpy(q + 4, p, n));
    R("htod_async", cuMemcpyHtoDAsync(p + 4, h, n, s));
    R("dtoh_async", cuMemcpyDtoHAsync(h, p + 4, n, s));
    R("dtod_async", cuMemcpyDtoDAsync(q + 4, p, n, s));
    R("sync", cuCtxSynchronize());
}

/* Sets that go beyond the end of an allocation. */
CASE(mem, memset_out_of_bounds)
{
    CUstream s;
    size_t n = (size_t)2 << 20;
    CUdeviceptr p = dalloc(t, n);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("d8_exact", cuMemsetD8(p, 1, n));
    R("d8_over", cuMemsetD8(p, 1, n + 1));
    R("d16_over", cuMemsetD16(p, 1, n / 2 + 1));
    R("d32_over", cuMemsetD32(p, 1, n / 4 + 1));
    R("d32_shift", cuMemsetD32(p + 4, 1, n / 4));
    R("d2d_over", cuMemsetD2D8(p, n / 4, 1, n / 4, 5));
    R("d8_async", cuMemsetD8Async(p, 1, n + 1, s));
    R("d32_async", cuMemsetD32Async(p + 4, 1, n / 4, s));
    R("sync", cuCtxSynchronize());
}

/* A host address given where a device address is due. */
CASE(mem, copy_host_as_device)
{
    static uint32_t a[2], b[2] = { 5, 6 };
    int pageable = -1;
    CUdeviceptr p = dalloc(t, 8);
    OK(cuDeviceGetAttribute(&pageable, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, t->dev));
    say(t, " pageable_access=%d", pageable);
    R("htod", cuMemcpyHtoD((CUdeviceptr)(uintptr_t)a, b, 4));
    R("dtoh", cuMemcpyDtoH(a, (CUdeviceptr)(uintptr_t)b, 4));
    R("dtod", cuMemcpyDtoD(p, (CUdeviceptr)(uintptr_t)b, 4));
    R("memset", cuMemsetD32((CUdeviceptr)(uintptr_t)a, 1, 1));
    R("sync", cuCtxSynchronize());
}

/* A device address given where a host source is due. */
CASE(mem, copy_device_as_source)
{
    CUdeviceptr p = dalloc(t, 8);
    R("htod", cuMemcpyHtoD(p, (void *)(uintptr_t)(p + 4), 4));
    R("sync", cuCtxSynchronize());
}
/* The same at the other end. */
CASE(mem, copy_device_as_target)
{
    CUdeviceptr p = dalloc(t, 8);
    R("dtoh", cuMemcpyDtoH((void *)(uintptr_t)p, p + 4, 4));
    R("sync", cuCtxSynchronize());
}

/* Pinned host memory used as device memory in copies and sets. */
CASE(mem, pinned_as_device)
{
    void *v = NULL;
    uint32_t x = 21, y = 0;
    CUdeviceptr p = dalloc(t, 8);
    OK(cuMemHostAlloc(&v, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    memset(v, 0, 4096);
    volatile uint32_t *h = v;
    CUdeviceptr d = (CUdeviceptr)(uintptr_t)v;
    R("htod", cuMemcpyHtoD(d, &x, 4));
    OK(cuCtxSynchronize());
    say(t, " h=%u", h[0]);
    R("dtoh", cuMemcpyDtoH(&y, d, 4));
    say(t, " y=%u", y);
    R("dtod", cuMemcpyDtoD(p, d, 4));
    say(t, " p=%u", dread(t, p));
    R("memset", cuMemsetD32(d + 4, 9, 2));
    OK(cuCtxSynchronize());
    say(t, " h=%u,%u,%u", h[1], h[2], h[3]);
    R("to_pinned", cuMemcpyDtoD(d + 16, p, 4));
    OK(cuCtxSynchronize());
    say(t, " h=%u", h[4]);
}

/* cuMemcpy works out both ends from the addresses. */
CASE(mem, copy_unified)
{
    static uint32_t a = 41, b;
    void *v = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 12);
    OK(cuMemHostAlloc(&v, 4096, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    volatile uint32_t *h = v;
    h[0] = 42;
#define D(x) ((CUdeviceptr)(uintptr_t)(x))
    R("h_d", cuMemcpy(p, D(&a), 4));
    R("d_d", cuMemcpy(p + 4, p, 4));
    R("d_h", cuMemcpy(D(&b), p + 4, 4));
    say(t, " b=%u", b);
    R("pinned_d", cuMemcpy(p, D(v), 4));
    R("d_pinned", cuMemcpy(D(v) + 4, p, 4));
    say(t, " h=%u", h[1]);
    b = 0;
    R("h_h", cuMemcpy(D(&b), D(&a), 4));
    say(t, " b=%u", b);
    R("pinned_h", cuMemcpy(D(&b), D(v), 4));
    say(t, " b=%u", b);
    R("async", cuMemcpyAsync(D(v) + 8, p, 4, s));
    R("sync", cuStreamSynchronize(s));
    say(t, " h=%u", h[2]);
#undef D
}

/* Peer copies inside one device. */
CASE(mem, copy_peer_same_device)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 12);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD32(p, 6, 1));
    OK(cuCtxSynchronize());
    R("peer", cuMemcpyPeer(p + 4, t->ctx, p, t->ctx, 4));
    R("async", cuMemcpyPeerAsync(p + 8, t->ctx, p, t->ctx, 4, s));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u,%u", dread(t, p + 4), dread(t, p + 8));
    R("zero", cuMemcpyPeer(p, t->ctx, p + 4, t->ctx, 0));
    R("null_ptr", cuMemcpyPeer(0, t->ctx, p + 4, t->ctx, 4));
}
/* A peer copy that names no context. */
CASE(mem, copy_peer_no_context)
{
    CUdeviceptr p = dalloc(t, 8);
    R("dst", cuMemcpyPeer(p, NULL, p + 4, t->ctx, 4));
    R("src", cuMemcpyPeer(p, t->ctx, p + 4, NULL, 4));
    R("sync", cuCtxSynchronize());
}

/* Addresses and pitches that are not a multiple of the element. */
CASE(mem, memset_misaligned)
{
    CUdeviceptr p = dalloc(t, 1024);
    R("d8", cuMemsetD8(p + 1, 1, 4));
    R("d16_odd", cuMemsetD16(p + 1, 1, 4));
    R("d32_1", cuMemsetD32(p + 1, 1, 4));
    R("d32_2", cuMemsetD32(p + 2, 1, 4));
    R("d16_odd_zero", cuMemsetD16(p + 1, 1, 0));
    R("d2d16_odd", cuMemsetD2D16(p + 1, 64, 1, 4, 2));
    R("d2d16_pitch", cuMemsetD2D16(p, 63, 1, 4, 2));
    R("d2d32_2", cuMemsetD2D32(p + 2, 64, 1, 4, 2));
    R("d2d32_pitch", cuMemsetD2D32(p, 62, 1, 4, 2));
    R("async", cuMemsetD32Async(p + 2, 1, 4, NULL));
    R("sync", cuCtxSynchronize());
}

/* Nothing to set. */
CASE(mem, memset_zero_count)
{
    CUdeviceptr p = dalloc(t, 64);
    R("d8", cuMemsetD8(p, 1, 0));
    R("d16", cuMemsetD16(p, 1, 0));
    R("d32", cuMemsetD32(p, 1, 0));
    R("d2d_width", cuMemsetD2D8(p, 16, 1, 0, 2));
    R("d2d_height", cuMemsetD2D8(p, 16, 1, 4, 0));
    R("async", cuMemsetD8Async(p, 1, 0, NULL));
    R("null", cuMemsetD8(0, 1, 0));
    R("null_async", cuMemsetD32Async(0, 1, 0, NULL));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
}

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

/* cuMemHostAlloc: flags, sizes, what reads back. */
CASE(mem, host_alloc)
{
    static const unsigned fl[] = { 0, 1, 2, 3, 4, 7, 8, 0x10, 1u << 31 };
    void *v = NULL, *w = (void *)1;
    for (unsigned i = 0; i < sizeof fl / sizeof *fl; i++) {
        unsigned back = 99;
        CUdeviceptr d = 0;
        v = NULL;
        CUresult r = cuMemHostAlloc(&v, 4096, fl[i]);
        say(t, " 0x%x=%s", fl[i], ename(r));
        if (r) continue;
        R("flags", cuMemHostGetFlags(&back, v));
        say(t, ":%u", back);
        R("dev", cuMemHostGetDevicePointer(&d, v, 0));
        say(t, ":%s", d == (CUdeviceptr)(uintptr_t)v ? "same" : d ? "other" : "null");
        R("free", cuMemFreeHost(v));
    }
    R("zero", cuMemHostAlloc(&w, 0, 0));
    say(t, ":%s", w == (void *)1 ? "untouched" : w ? "set" : "null");
    R("null", cuMemHostAlloc(NULL, 64, 0));
    R("plain", cuMemAllocHost(&v, 100));
    unsigned back = 99;
    R("flags", cuMemHostGetFlags(&back, v));
    say(t, ":%u", back);
    R("plain_zero", cuMemAllocHost(&w, 0));
    R("plain_null", cuMemAllocHost(NULL, 64));
}

/* Queries on pinned memory: interior addresses, foreign memory, bad flags. */
CASE(mem, host_queries)
{
    void *v = NULL;
    static int local;
    CUdeviceptr d = 0, p = dalloc(t, 64);
    unsigned fl = 99;
    OK(cuMemHostAlloc(&v, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    R("inside", cuMemHostGetDevicePointer(&d, (char *)v + 100, 0));
    say(t, ":%d", d == (CUdeviceptr)(uintptr_t)v + 100);
    R("flags_1", cuMemHostGetDevicePointer(&d, v, 1));
    R("null", cuMemHostGetDevicePointer(&d, NULL, 0));
    R("local", cuMemHostGetDevicePointer(&d, &local, 0));
    R("device", cuMemHostGetDevicePointer(&d, (void *)(uintptr_t)p, 0));
    R("getflags_inside", cuMemHostGetFlags(&fl, (char *)v + 100));
    R("getflags_null", cuMemHostGetFlags(&fl, NULL));
    R("getflags_local", cuMemHostGetFlags(&fl, &local));
    R("getflags_device", cuMemHostGetFlags(&fl, (void *)(uintptr_t)p));
}
/* The same with no place to answer. */
CASE(mem, host_queries_null_out)
{
    void *v = NULL;
    OK(cuMemHostAlloc(&v, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    R("dev", cuMemHostGetDevicePointer(NULL, v, 0));
    R("flags", cuMemHostGetFlags(NULL, v));
}

/* Registering host memory. */
CASE(mem, host_register)
{
    char *m = NULL;
    void *v = NULL;
    unsigned fl = 99;
    CUdeviceptr d = 0;
    if (posix_memalign((void **)&m, 4096, 16384)) return;
    memset(m, 0, 16384);
    R("null", cuMemHostRegister(NULL, 4096, 0));
    R("zero", cuMemHostRegister(m, 0, 0));
    R("bad_flags", cuMemHostRegister(m, 4096, 0x100));
    R("unregister_early", cuMemHostUnregister(m));
    R("register", cuMemHostRegister(m, 8192, 0));
    R("again", cuMemHostRegister(m, 8192, 0));
    R("inside", cuMemHostRegister(m + 4096, 4096, 0));
    R("overlap", cuMemHostRegister(m + 4096, 8192, 0));
    R("next", cuMemHostRegister(m + 8192, 4096, 0));
    R("flags", cuMemHostGetFlags(&fl, m));
    say(t, ":%u", fl);
    R("dev", cuMemHostGetDevicePointer(&d, m, 0));
    say(t, ":%s", d == (CUdeviceptr)(uintptr_t)m ? "same" : d ? "other" : "null");
    R("unregister_inside", cuMemHostUnregister(m + 4096));
    R("unregister", cuMemHostUnregister(m));
    R("unregister_twice", cuMemHostUnregister(m));
    R("unregister_next", cuMemHostUnregister(m + 8192));
    R("unregister_null", cuMemHostUnregister(NULL));
    R("unaligned", cuMemHostRegister(m + 100, 1000, 0));
    R("unaligned_off", cuMemHostUnregister(m + 100));
    OK(cuMemHostAlloc(&v, 4096, 0));
    R("pinned", cuMemHostRegister(v, 4096, 0));
    R("pinned_off", cuMemHostUnregister(v));
    R("pinned_free", cuMemFreeHost(v));
    R("after", cuMemHostGetDevicePointer(&d, m, 0));
}

/* Freed twice, in every combination of the two frees. */
CASE(mem, async_double_free)
{
    CUstream s;
    CUdeviceptr p = 0, q = 0, u = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&p, 64, s));
    OK(cuMemAllocAsync(&q, 64, s));
    OK(cuMemAllocAsync(&u, 64, s));
    OK(cuStreamSynchronize(s));
    R("async", cuMemFreeAsync(p, s));
    R("async_again", cuMemFreeAsync(p, s));
    R("sync_after_async", cuMemFree(p));
    R("sync", cuMemFree(q));
    R("sync_again", cuMemFree(q));
    R("async_after_sync", cuMemFreeAsync(q, s));
    shut(t);
    OK(gate(t, s));
    R("pending", cuMemFreeAsync(u, s));
    R("pending_again", cuMemFreeAsync(u, s));
    gate_open(t);
    R("done", cuStreamSynchronize(s));
}

/* Allocated in one stream, used and freed in others behind events. */
CASE(mem, async_cross_stream)
{
    CUstream a, b, c;
    CUevent e, f;
    CUfunction fp = warm(t, "put"), fm = warm(t, "mul_add");
    CUdeviceptr p = 0, q = dalloc(t, 4);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&c, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
    OK(cuMemAllocAsync(&p, 64, a));
    OK(cuMemFreeAsync(p, a));
    OK(cuStreamSynchronize(a));
    shut(t);
    OK(gate(t, a));
    R("alloc_a", cuMemAllocAsync(&p, 64, a));
    OK(put(fp, a, p, 3));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    OK(mad(fm, b, p, 7, 1));
    OK(cuMemcpyDtoDAsync(q, p, 4, b));
    OK(cuEventRecord(f, b));
    OK(cuStreamWaitEvent(c, f, 0));
    R("free_c", cuMemFreeAsync(p, c));
    say(t, " c=%s", held(c));
    gate_open(t);
    R("sync", cuStreamSynchronize(c));
    say(t, " v=%u", dread(t, q));
}

/* cuMemFree of stream-ordered memory: allowed, and does it wait for the stream? */
CASE(mem, async_sync_free)
{
    CUstream s;
    CUdeviceptr p = 0, q = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&p, 64, s));
    OK(cuMemAllocAsync(&q, 64, s));
    OK(cuStreamSynchronize(s));
    R("idle", cuMemFree(p));
    WHILE_HELD("busy", s, cuMemFree(q));
}

/* Which calls of the allocator hold up the caller when another stream is held. */
CASE(mem, async_never_waits)
{
    CUstream s, u;
    CUdeviceptr p = 0, q = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&u, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&p, 64, u));
    OK(cuMemFreeAsync(p, u));
    OK(cuStreamSynchronize(u));
    WHILE_HELD("alloc", s, cuMemAllocAsync(&p, 64, u));
    WHILE_HELD("free", s, cuMemFreeAsync(p, u));
    WHILE_HELD("alloc_same", s, cuMemAllocAsync(&q, 64, s));
    WHILE_HELD("free_same", s, cuMemFreeAsync(q, s));
}

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
