/* SPDX-License-Identifier: Apache-2.0
 *
 * Events in streams.
 */
#include "../oracle.h"

CASE(event, unrecorded)
{
    CUevent e, f;
    CUstream s;
    float ms = -1;
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&f, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    R("query", cuEventQuery(e));
    R("sync", cuEventSynchronize(e));
    R("wait", cuStreamWaitEvent(s, e, 0));
    R("streamq", cuStreamQuery(s));
    R("elapsed", cuEventElapsedTime(&ms, e, f));
    OK(cuEventRecord(e, s));
    OK(cuEventSynchronize(e));
    R("elapsed_half", cuEventElapsedTime(&ms, e, f));
    R("elapsed_half2", cuEventElapsedTime(&ms, f, e));
    R("elapsed_self", cuEventElapsedTime(&ms, e, e));
    say(t, " zero=%d", ms == 0.0f);
}

CASE(event, pending)
{
    CUevent e, f;
    CUstream s;
    float ms = -1;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&f, 0));
    OK(cuEventRecord(e, s));
    gate_close(t);
    OK(gate(t, s));
    OK(cuEventRecord(f, s));
    R("first", cuEventSynchronize(e));
    R("query", cuEventQuery(f));
    R("elapsed", cuEventElapsedTime(&ms, e, f));
    R("streamq", cuStreamQuery(s));
    msleep(5);
    gate_open(t);
    R("sync", cuEventSynchronize(f));
    R("query2", cuEventQuery(f));
    R("elapsed2", cuEventElapsedTime(&ms, e, f));
    say(t, " positive=%d", ms >= 4.0f);
    R("reverse", cuEventElapsedTime(&ms, f, e));
    say(t, " negative=%d", ms <= -4.0f);
}

/* A wait takes the record that is newest when the wait is called; later
 * records of the same event do not move it. */
CASE(event, wait_takes_snapshot)
{
    CUevent e;
    CUstream a, b, c;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&c, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    gate_close(t);
    R("rec_a", cuEventRecord(e, a)); /* a is idle: complete at once */
    R("wait_b", cuStreamWaitEvent(b, e, 0));
    OK(gate(t, c));
    R("rec_c", cuEventRecord(e, c));     /* re-recorded behind the gate */
    R("sync_b", cuStreamSynchronize(b)); /* must not wait for c */
    R("query_e", cuEventQuery(e));
    gate_open(t);
    R("sync_c", cuStreamSynchronize(c));
    R("query_e2", cuEventQuery(e));
}

CASE(event, destroy_pending)
{
    CUevent e;
    CUstream a, b;
    CUdeviceptr p = dalloc(t, 8);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    gate_close(t);
    OK(gate(t, a));
    OK(cuMemsetD32Async(p, 7, 1, a));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    R("destroy", cuEventDestroy(e));
    OK(cuMemcpyDtoDAsync(p + 4, p, 4, b));
    R("bq", cuStreamQuery(b));
    gate_open(t);
    R("bsync", cuStreamSynchronize(b));
    say(t, " v=%u", dread(t, p + 4));
}
