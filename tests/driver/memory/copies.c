/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies: when they read and write, whom they wait for.
 */
#include "held.h"

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
