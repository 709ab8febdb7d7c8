/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on values: their order with other work.
 */
#include "pages.h"

/* A wait satisfied by a kernel's store, and one by a memset and a copy. */
CASE(memop, signal_from_device_work)
{
    CUstream a, b;
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, 16);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuStreamWaitValue32(a, p, 3, CU_STREAM_WAIT_VALUE_EQ));
    say(t, " a=%s", held(a));
    OK(put(f, b, p, 3));
    say(t, " kernel=%s", done(a));
    if (cuStreamQuery(a)) return;
    OK(cuStreamWaitValue32(a, p + 4, 4, CU_STREAM_WAIT_VALUE_EQ));
    say(t, " a=%s", held(a));
    OK(cuMemsetD32Async(p + 4, 4, 1, b));
    say(t, " memset=%s", done(a));
    if (cuStreamQuery(a)) return;
    OK(cuStreamWaitValue32(a, p + 8, 4, CU_STREAM_WAIT_VALUE_EQ));
    say(t, " a=%s", held(a));
    OK(cuMemcpyDtoDAsync(p + 8, p + 4, 4, b));
    say(t, " copy=%s", done(a));
}

/* Writes, waits and kernels of one stream run in the order they were given. */
CASE(memop, orders_with_kernels)
{
    CUstream s;
    CUfunction fp = warm(t, "put"), fm = warm(t, "mul_add");
    CUdeviceptr p = dalloc(t, 4);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    shut(t);
    OK(gate(t, s));
    OK(put(fp, s, p, 5));
    R("w1", cuStreamWriteValue32(s, p, 6, 0));
    OK(mad(fm, s, p, 10, 1));
    R("wait", cuStreamWaitValue32(s, p, 61, CU_STREAM_WAIT_VALUE_EQ));
    R("w2", cuStreamWriteValue32(s, p, 7, 0));
    OK(mad(fm, s, p, 10, 2));
    gate_open(t);
    say(t, " state=%s", done(s));
    if (cuStreamQuery(s)) return;
    say(t, " v=%u", dread(t, p));
}

/* Memory operations take part in the legacy stream's ordering. */
CASE(memop, legacy_ordering)
{
    CUstream a;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    shut(t);
    OK(gate(t, a));
    R("write_null", cuStreamWriteValue32(NULL, g.d, 1, 0));
    say(t, " null=%s", held(NULL));
    say(t, " seen=%u", load_word(g.h));
    gate_open(t);
    OK(cuCtxSynchronize());
    say(t, " seen=%u", load_word(g.h));
    shut(t);
    OK(gate(t, NULL));
    R("write_a", cuStreamWriteValue32(a, g.d + 4, 1, 0));
    R("write_pt", cuStreamWriteValue32(CU_STREAM_PER_THREAD, g.d + 8, 1, 0));
    say(t, " a=%s pt=%s", held(a), held(CU_STREAM_PER_THREAD));
    say(t, " seen=%u,%u", load_word(g.h + 1), load_word(g.h + 2));
    gate_open(t);
    OK(cuCtxSynchronize());
    say(t, " seen=%u,%u", load_word(g.h + 1), load_word(g.h + 2));
}

/* Every default stream handle takes memory operations. */
CASE(memop, special_streams)
{
    Page g;
    OK(make_page(&g));
    R("null", cuStreamWriteValue32(NULL, g.d, 1, 0));
    R("legacy", cuStreamWriteValue32(CU_STREAM_LEGACY, g.d + 4, 2, 0));
    R("pt", cuStreamWriteValue32(CU_STREAM_PER_THREAD, g.d + 8, 3, 0));
    R("wait_null", cuStreamWaitValue32(NULL, g.d, 1, 0));
    R("wait_legacy", cuStreamWaitValue32(CU_STREAM_LEGACY, g.d + 4, 2, 0));
    R("wait_pt", cuStreamWaitValue32(CU_STREAM_PER_THREAD, g.d + 8, 3, 0));
    say(t, " null=%s pt=%s", done(NULL), done(CU_STREAM_PER_THREAD));
    say(t, " seen=%u,%u,%u", load_word(g.h), load_word(g.h + 1), load_word(g.h + 2));
}

/* An event recorded behind a wait, and another stream behind that event. */
CASE(memop, event_after_wait)
{
    CUstream a, b;
    CUevent before, after;
    Page g;
    OK(make_page(&g));
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&before, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&after, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(before, a));
    OK(cuStreamWaitValue32(a, g.d, 1, 0));
    OK(cuEventRecord(after, a));
    OK(cuStreamWaitEvent(b, after, 0));
    OK(cuStreamWriteValue32(b, g.d + 4, 1, 0));
    R("before", cuEventSynchronize(before));
    R("after", cuEventQuery(after));
    say(t, " b=%s", held(b));
    say(t, " seen=%u", load_word(g.h + 1));
    store_word(g.h, 1);
    say(t, " a=%s b=%s", done(a), done(b));
    R("after", cuEventQuery(after));
    say(t, " seen=%u", load_word(g.h + 1));
}
