/* SPDX-License-Identifier: Apache-2.0
 *
 * Events across devices, and what waits for what between them.
 */
#include "two_devices.h"

/* Every event in every stream, with either context current: which records go. */
CASE(multi, record_foreign)
{
    CUstream s[2];
    CUevent e[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
    }
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(x[k]);
        say(t, " current=%d", k);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++)
                say(t, " e%d_s%d=%s", i, j, ename(cuEventRecord(e[i], s[j])));
            say(t, " e%d_null=%s", i, ename(cuEventRecord(e[i], NULL)));
            say(t, " e%d_legacy=%s", i, ename(cuEventRecord(e[i], CU_STREAM_LEGACY)));
            say(t, " e%d_pt=%s", i, ename(cuEventRecord(e[i], CU_STREAM_PER_THREAD)));
        }
        R("flags", cuEventRecordWithFlags(e[!k], s[k], CU_EVENT_RECORD_DEFAULT));
    }
    for (int i = 0; i < 2; i++) {
        R("settle", settle_device(x[i]));
        R("query", cuEventQuery(e[i]));
    }
}

/* A refused record leaves the event where it was: pending, and waited for. */
CASE(multi, record_refused_keeps)
{
    CUstream s0, s1, w;
    CUevent e0, e1;
    TWO_DEVICES;
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_stream_on(u, &w, NONBLOCKING));
    OK(create_event_on(t, &e0, UNTIMED));
    OK(create_event_on(u, &e1, UNTIMED));
    shut_gate_of(t);
    OK(gate_stream_of(t, s0));
    R("rec", cuEventRecord(e0, s0));
    R("query", cuEventQuery(e0));
    R("refused", cuEventRecord(e0, s1));
    R("query", cuEventQuery(e0));
    R("wait", cuStreamWaitEvent(w, e0, 0));
    say(t, " w=%s", held(w));
    R("never_refused", cuEventRecord(e1, s0));
    R("never_query", cuEventQuery(e1));
    R("never_wait", cuStreamWaitEvent(s1, e1, 0));
    say(t, " s1=%s", done(s1));
    open_gate_of(t);
    say(t, " w=%s s0=%s", done(w), done(s0));
    R("query", cuEventQuery(e0));
}

static void one_way(T *t, T *a, T *b)
{
    CUstream sa, sb;
    CUevent e;
    CUdeviceptr d;
    volatile uint32_t *h;
    CUfunction fa = warm_on(a, "put"), fb = warm_on(b, "mul_add");
    OK(pinned_on(a, &h, &d, 64));
    OK(create_stream_on(a, &sa, NONBLOCKING));
    OK(create_stream_on(b, &sb, NONBLOCKING));
    OK(create_event_on(a, &e, UNTIMED));
    shut_gate_of(a);
    OK(gate_stream_of(a, sa));
    MAKE_CURRENT(a);
    R("put", put(fa, sa, d, 5));
    R("record", cuEventRecord(e, sa));
    MAKE_CURRENT(b);
    R("wait", cuStreamWaitEvent(sb, e, 0));
    R("mad", mad(fb, sb, d, 10, 1));
    say(t, " held=%s v=%u", held(sb), *h);
    open_gate_of(a);
    R("sync", cuStreamSynchronize(sb));
    say(t, " v=%u", *h);
    MAKE_CURRENT(t);
}
/* A stream of one device waits for an event of the other; work and values. */
CASE(multi, wait_other)
{
    TWO_DEVICES;
    say(t, " 1_waits_0{");
    one_way(t, t, u);
    say(t, " } 0_waits_1{");
    one_way(t, u, t);
    say(t, " }");
}

/* A chain that hops between the devices, all of it queued behind one gate;
 * each device's event is recorded anew at every hop. */
CASE(multi, ping_pong)
{
    enum { HOPS = 8 };
    CUstream s[2];
    CUevent e[2];
    CUfunction f[2];
    CUdeviceptr d;
    volatile uint32_t *h;
    unsigned want = 1, bad = 0;
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        f[i] = warm_on(x[i], "mul_add");
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
    }
    OK(pinned_on(t, &h, &d, 64));
    *h = 1;
    shut_gate_of(t);
    OK(gate_stream_of(t, s[0]));
    for (unsigned k = 0; k < HOPS; k++) {
        int i = k & 1;
        MAKE_CURRENT(x[i]);
        if (k) bad += cuStreamWaitEvent(s[i], e[!i], 0) != CUDA_SUCCESS;
        bad += mad(f[i], s[i], d, 3, k) != CUDA_SUCCESS;
        bad += cuEventRecord(e[i], s[i]) != CUDA_SUCCESS;
        want = want * 3 + k;
    }
    MAKE_CURRENT(t);
    say(t, " refused=%u s0=%s s1=%s v=%u", bad, held(s[0]), held(s[1]), *h);
    open_gate_of(t);
    R("sync", cuStreamSynchronize(s[1]));
    say(t, " s0=%s", done(s[0]));
    say(t, " v=%u right=%d", *h, *h == want);
}

/* The same with a word that is carried over at each hop by a peer copy. */
CASE(multi, ping_pong_copy)
{
    enum { HOPS = 6 };
    CUstream s[2];
    CUevent e[2];
    CUfunction f[2];
    CUdeviceptr p[2];
    unsigned want = 1, bad = 0;
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        f[i] = warm_on(x[i], "mul_add");
        p[i] = memory_on(x[i], 64);
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
    }
    OK(set_word(t, p[0], 1));
    for (unsigned k = 0; k < HOPS; k++) {
        int i = k & 1;
        MAKE_CURRENT(x[i]);
        if (k) bad += cuStreamWaitEvent(s[i], e[!i], 0) != CUDA_SUCCESS;
        bad += mad(f[i], s[i], p[i], 3, k + 1) != CUDA_SUCCESS;
        bad += cuMemcpyPeerAsync(p[!i], x[!i]->ctx, p[i], x[i]->ctx, 4, s[i]) != CUDA_SUCCESS;
        bad += cuEventRecord(e[i], s[i]) != CUDA_SUCCESS;
        want = want * 3 + k + 1;
    }
    MAKE_CURRENT(t);
    R("sync", cuStreamSynchronize(s[1]));
    say(t, " refused=%u v=%u,%u right=%d", bad, word_at(t, t, p[0]), word_at(t, u, p[1]),
        word_at(t, t, p[0]) == want);
}

/* Asking device 1's event and stream while device 0 is current. */
CASE(multi, ask_other_device)
{
    static GateOpener o;
    CUstream s1;
    CUevent a, b;
    float ms = -1;
    TWO_DEVICES;
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_event_on(u, &a, 0));
    OK(create_event_on(u, &b, 0));
    R("idle", cuStreamQuery(s1));
    shut_gate_of(u);
    R("record_a", cuEventRecord(a, s1));
    OK(gate_stream_of(u, s1));
    R("record_b", cuEventRecord(b, s1));
    R("sync_a", cuEventSynchronize(a));
    R("query_b", cuEventQuery(b));
    R("stream", cuStreamQuery(s1));
    R("pending", cuEventElapsedTime(&ms, a, b));
    open_gate_later(&o, u, 100);
    R("sync_b", cuEventSynchronize(b));
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    R("query_b", cuEventQuery(b));
    R("elapsed", cuEventElapsedTime(&ms, a, b));
    say(t, " ordered=%d", ms >= 0);
    shut_gate_of(u);
    OK(gate_stream_of(u, s1));
    open_gate_later(&o, u, 100);
    R("stream_sync", cuStreamSynchronize(s1));
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    R("stream", cuStreamQuery(s1));
}

/* The event, then the stream that it was recorded in, go away while a stream
 * of the other device still waits. */
CASE(multi, destroy_waited)
{
    CUstream s0, s1;
    CUevent e0;
    CUfunction f0, f1;
    CUdeviceptr d;
    volatile uint32_t *h;
    TWO_DEVICES;
    f0 = warm_on(t, "put");
    f1 = warm_on(u, "mul_add");
    OK(pinned_on(t, &h, &d, 64));
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_event_on(t, &e0, UNTIMED));
    shut_gate_of(t);
    OK(gate_stream_of(t, s0));
    OK(put(f0, s0, d, 3));
    OK(cuEventRecord(e0, s0));
    MAKE_CURRENT(u);
    OK(cuStreamWaitEvent(s1, e0, 0));
    OK(mad(f1, s1, d, 10, 4));
    R("event", cuEventDestroy(e0));
    say(t, " s1=%s", held(s1));
    R("stream", cuStreamDestroy(s0));
    say(t, " s1=%s v=%u", held(s1), *h);
    open_gate_of(t);
    say(t, " s1=%s", done(s1));
    say(t, " v=%u", *h);
}

/* Each device has a legacy stream of its own. */
CASE(multi, legacy_separate)
{
    CUstream b0, b1;
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 16), p1 = memory_on(u, 16);
    OK(create_stream_on(t, &b0, CU_STREAM_DEFAULT));
    OK(create_stream_on(u, &b1, CU_STREAM_DEFAULT));
    shut_gate_of(t);
    OK(gate_stream_of(t, b0));
    R("null0", cuMemsetD32Async(p0, 1, 1, NULL));
    say(t, " null0=%s", held(NULL));
    MAKE_CURRENT(u);
    R("null1", cuMemsetD32Async(p1, 2, 1, NULL));
    say(t, " null1=%s", done(NULL));
    R("b1", cuMemsetD32Async(p1 + 4, 3, 1, b1));
    say(t, " b1=%s", done(b1));
    R("copy1", cuMemsetD32(p1 + 8, 4, 1));
    say(t, " v=%u,%u,%u", word_at(t, u, p1), word_at(t, u, p1 + 4), word_at(t, u, p1 + 8));
    MAKE_CURRENT(t);
    say(t, " null0=%s", held(NULL));
    open_gate_of(t);
    say(t, " null0=%s b0=%s", done(NULL), done(b0));
    say(t, " v=%u", word_at(t, t, p0));
}

/* cuCtxSynchronize of one device while the other one's stream stands still,
 * apart from it or tied to it by an event. */
CASE(multi, ctx_sync_separate)
{
    static GateOpener o;
    CUstream s0, s1;
    CUevent e1;
    TWO_DEVICES;
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_event_on(u, &e1, UNTIMED));
    shut_gate_of(u);
    OK(gate_stream_of(u, s1));
    open_gate_later(&o, u, 300);
    R("ctx0", cuCtxSynchronize());
    say(t, " waited=%d", gate_was_opened(&o));
    MAKE_CURRENT(u);
    R("ctx1", cuCtxSynchronize());
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    MAKE_CURRENT(t);
    shut_gate_of(u);
    OK(gate_stream_of(u, s1));
    OK(cuEventRecord(e1, s1));
    OK(cuStreamWaitEvent(s0, e1, 0));
    open_gate_later(&o, u, 300);
    R("tied", cuCtxSynchronize());
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
}
