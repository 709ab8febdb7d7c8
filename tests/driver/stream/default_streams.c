/* SPDX-License-Identifier: Apache-2.0
 *
 * The legacy stream and the stream of each thread.
 */
#include "../streams.h"

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
