/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills: the addresses that they take.
 */
#include "../streams.h"

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
