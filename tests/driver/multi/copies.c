/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills and copies across devices, and peer access.
 */
#include "two_devices.h"

/* ---- memory across devices ----------------------------------------------- */

/* Fills and copies of a device's own memory in its own stream, the other
 * device being current. */
CASE(multi, other_current)
{
    CUstream s[2];
    CUdeviceptr p[2];
    static uint32_t in[2] = { 21, 22 }, out[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
    }
    for (int i = 0; i < 2; i++) {
        MAKE_CURRENT(x[!i]);
        say(t, " device=%d", i);
        R("memset", cuMemsetD32Async(p[i], 10 + i, 1, s[i]));
        R("dtod", cuMemcpyDtoDAsync(p[i] + 4, p[i], 4, s[i]));
        R("htod", cuMemcpyHtoDAsync(p[i] + 8, &in[i], 4, s[i]));
        R("dtoh", cuMemcpyDtoHAsync(&out[i], p[i] + 4, 4, s[i]));
        R("any", cuMemcpyAsync(p[i] + 12, p[i] + 8, 4, s[i]));
        R("write", cuStreamWriteValue32(s[i], p[i] + 16, 30 + i, 0));
        R("sync", cuStreamSynchronize(s[i]));
        say(t, " v=%u,%u,%u,%u,%u out=%u", word_at(t, x[i], p[i]), word_at(t, x[i], p[i] + 4),
            word_at(t, x[i], p[i] + 8), word_at(t, x[i], p[i] + 12), word_at(t, x[i], p[i] + 16),
            out[i]);
    }
}

/* Filling memory of one device in a stream of the other. */
CASE(multi, memset_foreign_stream)
{
    CUstream s[2];
    CUdeviceptr p[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        p[i] = memory_on(x[i], 64);
    }
    for (int k = 0; k < 2; k++) {
        MAKE_CURRENT(x[k]);
        say(t, " current=%d", k);
        for (int i = 0; i < 2; i++) {
            CUresult r = cuMemsetD32Async(p[i] + 4 * k, 40 + 10 * k + i, 1, s[!i]);
            say(t, " p%d_s%d=%s", i, !i, ename(r));
            R("sync", cuStreamSynchronize(s[!i]));
            say(t, " v=%u", word_at(t, x[i], p[i] + 4 * k));
        }
    }
}

/* The same in streams: the stream of either device takes the copy. */
CASE(multi, copy_foreign_stream)
{
    CUstream s[2];
    CUdeviceptr p0, p1;
    static uint32_t in = 41, out;
    TWO_DEVICES;
    OK(create_stream_on(t, &s[0], NONBLOCKING));
    OK(create_stream_on(u, &s[1], NONBLOCKING));
    p0 = memory_on(t, 256);
    p1 = memory_on(u, 256);
    OK(set_word(t, p0, 100));
    OK(set_word(u, p1, 200));
    for (unsigned k = 0; k < 4; k++) {
        CUstream a = s[k & 1];
        CUdeviceptr q0 = p0 + 32 * (k + 1), q1 = p1 + 32 * (k + 1);
        MAKE_CURRENT(k & 2 ? u : t);
        out = 0;
        say(t, " current=%d,s%d", k >> 1, k & 1);
        R("01", cuMemcpyDtoDAsync(q1, p0, 4, a));
        R("10", cuMemcpyDtoDAsync(q0, p1, 4, a));
        R("any", cuMemcpyAsync(q1 + 4, p0, 4, a));
        R("within_0", cuMemcpyDtoDAsync(q0 + 8, p0, 4, a));
        R("within_1", cuMemcpyDtoDAsync(q1 + 8, p1, 4, a));
        R("htod_1", cuMemcpyHtoDAsync(q1 + 12, &in, 4, a));
        R("dtoh_1", cuMemcpyDtoHAsync(&out, q1 + 12, 4, a));
        R("sync", cuStreamSynchronize(a));
        say(t, " v=%u,%u,%u,%u,%u out=%u", word_at(t, u, q1), word_at(t, t, q0),
            word_at(t, u, q1 + 4), word_at(t, t, q0 + 8), word_at(t, u, q1 + 8), out);
        in++;
    }
}

/* One stream of gx stands still before it writes a word that the copy reads
 * (device 0) or overwrites (device 1). */
static void peer_order(T *t, T *u, T *gx, unsigned fl, int plain)
{
    static GateOpener o;
    CUstream s;
    CUfunction f = warm_on(gx, "put");
    CUdeviceptr p0 = memory_on(t, 64), p1 = memory_on(u, 64);
    OK(set_word(t, p0, 3));
    OK(set_word(u, p1, 4));
    OK(create_stream_on(gx, &s, fl));
    shut_gate_of(gx);
    OK(gate_stream_of(gx, s));
    MAKE_CURRENT(gx);
    OK(put(f, s, gx == t ? p0 : p1, gx == t ? 7 : 9));
    MAKE_CURRENT(t);
    open_gate_later(&o, gx, 200);
    R("copy", plain ? cuMemcpyDtoD(p1, p0, 4) : cuMemcpyPeer(p1, u->ctx, p0, t->ctx, 4));
    say(t, " waited=%d", gate_was_opened(&o));
    join_opener(&o);
    OK(settle_device(t));
    OK(settle_device(u));
    say(t, " v=%u", word_at(t, u, p1));
}
/* Does cuMemcpyPeer fall in line with streams of the source and of the
 * destination?  And the plain copy across devices? */
CASE(multi, copy_peer_order)
{
    TWO_DEVICES;
    for (int plain = 0; plain < 2; plain++) {
        say(t, " %s source_blocking{", plain ? "dtod" : "peer");
        peer_order(t, u, t, CU_STREAM_DEFAULT, plain);
        say(t, " } source_nonblocking{");
        peer_order(t, u, t, NONBLOCKING, plain);
        say(t, " } destination_blocking{");
        peer_order(t, u, u, CU_STREAM_DEFAULT, plain);
        say(t, " } destination_nonblocking{");
        peer_order(t, u, u, NONBLOCKING, plain);
        say(t, " }");
    }
}

/* ---- peer access ---------------------------------------------------------- */

/* No peer named, or nobody asking. */
CASE(multi, peer_access_null)
{
    TWO_DEVICES;
    R("on_null", cuCtxEnablePeerAccess(NULL, 0));
    R("off_null", cuCtxDisablePeerAccess(NULL));
    R("set_null", cuCtxSetCurrent(NULL));
    R("on_nobody", cuCtxEnablePeerAccess(u->ctx, 0));
    R("off_nobody", cuCtxDisablePeerAccess(u->ctx));
}

/* Kernels, fills and copies of device 0 on memory of device 1 once that is
 * enabled, allocated before and after; then the other way round. */
CASE(multi, peer_kernel)
{
    CUstream s[2];
    CUfunction fc[2], fp[2];
    CUdeviceptr old[2], new[2], out[2];
    TWO_DEVICES;
    T *x[2] = { t, u };
    for (int i = 0; i < 2; i++) {
        OK(create_stream_on(x[i], &s[i], NONBLOCKING));
        fc[i] = warm_on(x[i], "copy1");
        fp[i] = warm_on(x[i], "put");
        old[i] = memory_on(x[i], 64);
        out[i] = memory_on(x[i], 64);
        OK(set_word(x[i], old[i], 50 + i));
    }
    for (int i = 0; i < 2; i++) {
        MAKE_CURRENT(x[i]);
        say(t, " device=%d", i);
        R("on", cuCtxEnablePeerAccess(x[!i]->ctx, 0));
        new[!i] = memory_on(x[!i], 64);
        OK(set_word(x[!i], new[!i], 60 + !i));
        R("read_old", copy1(fc[i], s[i], out[i], old[!i]));
        R("read_new", copy1(fc[i], s[i], out[i] + 4, new[!i]));
        R("write_old", put(fp[i], s[i], old[!i] + 4, 70 + i));
        R("write_new", put(fp[i], s[i], new[!i] + 4, 80 + i));
        R("memset", cuMemsetD32Async(old[!i] + 8, 90 + i, 1, s[i]));
        R("dtod", cuMemcpyDtoDAsync(old[!i] + 12, old[!i], 4, s[i]));
        R("peer", cuMemcpyPeerAsync(old[!i] + 16, x[!i]->ctx, out[i], x[i]->ctx, 4, s[i]));
        R("sync", cuStreamSynchronize(s[i]));
        say(t, " read=%u,%u", word_at(t, x[i], out[i]), word_at(t, x[i], out[i] + 4));
        say(t, " wrote=%u,%u,%u,%u,%u", word_at(t, x[!i], old[!i] + 4),
            word_at(t, x[!i], new[!i] + 4), word_at(t, x[!i], old[!i] + 8),
            word_at(t, x[!i], old[!i] + 12), word_at(t, x[!i], old[!i] + 16));
    }
}
