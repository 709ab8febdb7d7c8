/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures over both devices.
 */
#include "two_devices.h"

#define GLOBAL CU_STREAM_CAPTURE_MODE_GLOBAL

static const char *capturing(CUstream s)
{
    CUstreamCaptureStatus st = 99;
    CUresult r = cuStreamIsCapturing(s, &st);
    if (r) return ename(r);
    switch ((int)st) {
    case 0: return "none";
    case 1: return "active";
    case 2: return "invalid";
    }
    return "untouched";
}

/* A capture begun in device 0's stream goes over to device 1 and comes back:
 * its shape, whose contexts its kernels have, and what it computes. */
CASE(multi, capture_fork)
{
    CUstream s[2];
    CUevent e[2];
    CUfunction f[2];
    CUdeviceptr d;
    volatile uint32_t *h;
    CUgraph g;
    CUgraphNode nd[16];
    size_t n = 16;
    TWO_DEVICES;
    T *x[2] = { t, u };
    OK(pinned_on(t, &h, &d, 64));
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        OK(create_event_on(x[i], &e[i], UNTIMED));
        f[i] = warm_on(x[i], "mul_add");
    }
    R("begin", cuStreamBeginCapture(s[0], GLOBAL));
    R("k0", mad(f[0], s[0], d, 3, 1));
    R("fork_rec", cuEventRecord(e[0], s[0]));
    R("fork_wait", cuStreamWaitEvent(s[1], e[0], 0));
    say(t, " s1=%s", capturing(s[1]));
    MAKE_CURRENT(u);
    R("k1", mad(f[1], s[1], d, 5, 2));
    R("join_rec", cuEventRecord(e[1], s[1]));
    MAKE_CURRENT(t);
    R("beside", mad(f[0], s[0], d + 4, 0, 8));
    R("join_wait", cuStreamWaitEvent(s[0], e[1], 0));
    R("k0", mad(f[0], s[0], d, 7, 3));
    g = capture_end(t, s[0]);
    say(t, " s1=%s", capturing(s[1]));
    say_shape(t, g);
    if (!g) return;
    OK(cuGraphGetNodes(g, nd, &n));
    int in[3] = { 0, 0, 0 };
    for (size_t i = 0; i < n; i++) {
        CUDA_KERNEL_NODE_PARAMS k;
        memset(&k, 0, sizeof k);
        if (cuGraphKernelNodeGetParams(nd[i], &k)) continue;
        in[k.ctx == t->ctx ? 0 : k.ctx == u->ctx ? 1 : 2]++;
    }
    say(t, " contexts=%d,%d,%d", in[0], in[1], in[2]);
    h[0] = 1;
    run_graph(t, "run_s0", g, s[0]);
    say(t, " v=%u,%u", h[0], h[1]);
    h[0] = 1;
    h[1] = 0;
    MAKE_CURRENT(u);
    run_graph(t, "run_s1", g, s[1]);
    say(t, " v=%u,%u", h[0], h[1]);
    h[0] = 1;
    run_graph(t, "run_null1", g, NULL);
    say(t, " v=%u", h[0]);
}

/* Copies between the devices in a capture: as peer copies and by address. */
CASE(multi, capture_copies)
{
    CUstream s[2];
    TWO_DEVICES;
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    OK(set_word(t, p0, 100));
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(k ? u : t);
        say(t, " stream=%d", k);
        OK(set_word(u, p1, 0));
        OK(set_word(t, p0 + 4, 0));
        R("begin", cuStreamBeginCapture(s[k], GLOBAL));
        R("peer", cuMemcpyPeerAsync(p1, u->ctx, p0, t->ctx, 4, s[k]));
        R("dtod", cuMemcpyDtoDAsync(p0 + 4, p1, 4, s[k]));
        R("any", cuMemcpyAsync(p1 + 4, p0 + 4, 4, s[k]));
        CUgraph g = capture_end(t, s[k]);
        say_shape(t, g);
        if (!g) continue;
        run_graph(t, "run", g, s[k]);
        say(t, " v=%u,%u,%u", word_at(t, u, p1), word_at(t, t, p0 + 4), word_at(t, u, p1 + 4));
        OK(set_word(t, p0, 101));
    }
}
