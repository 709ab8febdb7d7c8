/* SPDX-License-Identifier: Apache-2.0
 *
 * The legacy stream while a blocking stream captures.
 */
#include "modes.h"

static void legacy(T *t, const char *label, Action a)
{
    say(t, " [%s", label);
    say_column(t, "global.self", CU_STREAM_DEFAULT, GLOBAL, 0, -1, a);
    say_column(t, "relaxed.self", CU_STREAM_DEFAULT, RELAXED, 0, -1, a);
    say_column(t, "local.other", CU_STREAM_DEFAULT, THREAD_LOCAL, 1, -1, a);
    say_column(t, "nonblocking", NONBLOCKING, GLOBAL, 0, -1, a);
    say(t, "]");
}

ACT(leg_set, return cuMemsetD32Async(e->q, 1, 1, NULL);)
ACT(leg_kernel, return launch1(e->f, NULL, NULL);)
ACT(leg_copy, return cuMemcpyDtoDAsync(e->q, e->q + 64, 4, NULL);)
CASE(capmode, legacy_work)
{
    legacy(t, "set", act_leg_set);
    legacy(t, "kernel", act_leg_kernel);
    legacy(t, "copy", act_leg_copy);
}

ACT(leg_record, return cuEventRecord(e->eu, NULL);)
ACT(leg_wait, return cuStreamWaitEvent(NULL, e->eo, 0);)
ACT(leg_wait_captured, return cuStreamWaitEvent(NULL, e->ec, 0);)
CASE(capmode, legacy_events)
{
    legacy(t, "record", act_leg_record);
    legacy(t, "wait", act_leg_wait);
    legacy(t, "wait_captured", act_leg_wait_captured);
}

ACT(leg_query, (void)e; return cuStreamQuery(NULL);)
ACT(leg_sync, (void)e; return cuStreamSynchronize(NULL);)
ACT(leg_sync_named, (void)e; return cuStreamSynchronize(CU_STREAM_LEGACY);)
CASE(capmode, legacy_wait)
{
    legacy(t, "query", act_leg_query);
    legacy(t, "sync", act_leg_sync);
    legacy(t, "sync_named", act_leg_sync_named);
}

ACT(leg_memcpy, return cuMemcpyHtoD(e->q, e->page, 64);)
ACT(leg_memset, return cuMemsetD32(e->q, 1, 1);)
ACT(leg_alloc_sync, CUdeviceptr d = 0; (void)e; return cuMemAlloc(&d, 256);)
CASE(capmode, legacy_synchronous)
{
    legacy(t, "memcpy", act_leg_memcpy);
    legacy(t, "memset", act_leg_memset);
    legacy(t, "mem_alloc", act_leg_alloc_sync);
}

/* The per-thread stream's work is no dependency on the capture; nor is that
 * of another blocking stream. */
ACT(ptds_set, return cuMemsetD32Async(e->q, 1, 1, CU_STREAM_PER_THREAD);)
ACT(ptds_sync, (void)e; return cuStreamSynchronize(CU_STREAM_PER_THREAD);)
ACT(blocking_set, CUstream b = NULL; CUresult r = cuStreamCreate(&b, 0);
    return r ? r : cuMemsetD32Async(e->q, 1, 1, b);)
CASE(capmode, not_legacy)
{
    legacy(t, "ptds_set", act_ptds_set);
    legacy(t, "ptds_sync", act_ptds_sync);
    legacy(t, "blocking_set", act_blocking_set);
}
