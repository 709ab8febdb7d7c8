/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in the order of streams.
 */
#include "held.h"

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
