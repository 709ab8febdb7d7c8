/* SPDX-License-Identifier: Apache-2.0
 *
 * One device fails, the other goes on.
 */
#include "two_devices.h"

/* The same crash, and device 0 then asks about device 1's things. */
CASE(multi, crash_asked_from_other)
{
    CUstream s0, s1, r1;
    CUevent before, after;
    CUdeviceptr p0, p1;
    uint32_t w = 0;
    unsigned fl = 99;
    int act = 99, ord = -7;
    TWO_DEVICES;
    p0 = memory_on(t, 64);
    p1 = memory_on(u, 64);
    OK(create_stream_on(t, &s0, NONBLOCKING));
    OK(create_stream_on(u, &s1, NONBLOCKING));
    OK(create_stream_on(u, &r1, NONBLOCKING));
    OK(create_event_on(u, &before, UNTIMED));
    OK(create_event_on(u, &after, UNTIMED));
    OK(cuEventRecord(before, s1));
    OK(settle_device(u));
    MAKE_CURRENT(u);
    OK(launch1(kernel(u, "crash"), s1, NULL));
    OK(cuEventRecord(after, s1));
    R("sync1", cuStreamSynchronize(s1));
    MAKE_CURRENT(t);
    R("query_s1", cuStreamQuery(s1));
    R("query_r1", cuStreamQuery(r1));
    R("before", cuEventQuery(before));
    R("after", cuEventQuery(after));
    R("s0_waits_before", cuStreamWaitEvent(s0, before, 0));
    R("query_s0", cuStreamQuery(s0));
    R("dtoh_1", cuMemcpyDtoH(&w, p1, 4));
    R("peer", cuMemcpyPeer(p0, t->ctx, p1, u->ctx, 4));
    R("ordinal", cuPointerGetAttribute(&ord, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p1));
    R("access", cuCtxEnablePeerAccess(u->ctx, 0));
    R("state1", cuDevicePrimaryCtxGetState(1, &fl, &act));
    say(t, ":%d", act);
    R("destroy_event", cuEventDestroy(before));
    R("destroy_stream", cuStreamDestroy(r1));
    R("free", cuMemFree(p1));
    R("ctx0", cuCtxSynchronize());
    R("memset0", cuMemsetD32Async(p0, 3, 1, s0));
    R("sync0", cuStreamSynchronize(s0));
    say(t, " v=%u", word_at(t, t, p0));
}

/* Resetting device 1 after a crash while device 0 goes on. */
CASE(multi, crash_and_reset)
{
    CUcontext c = NULL;
    CUdeviceptr p = 0, p0;
    unsigned fl = 99;
    int act = 99;
    TWO_DEVICES;
    p0 = memory_on(t, 64);
    MAKE_CURRENT(u);
    OK(launch1(kernel(u, "crash"), NULL, NULL));
    R("ctx1", cuCtxSynchronize());
    MAKE_CURRENT(t);
    R("reset1", cuDevicePrimaryCtxReset(1));
    R("state1", cuDevicePrimaryCtxGetState(1, &fl, &act));
    say(t, ":%d", act);
    R("ctx0", cuCtxSynchronize());
    R("retain1", cuDevicePrimaryCtxRetain(&c, 1));
    say(t, " same=%d", c == u->ctx);
    R("set1", cuCtxSetCurrent(c));
    R("alloc1", cuMemAlloc(&p, 64));
    R("memset1", cuMemsetD32(p, 7, 1));
    R("ctx1", cuCtxSynchronize());
    R("set0", cuCtxSetCurrent(t->ctx));
    R("memset0", cuMemsetD32(p0, 7, 1));
    R("ctx0", cuCtxSynchronize());
    say(t, " v=%u", word_at(t, t, p0));
}
