/* SPDX-License-Identifier: Apache-2.0
 *
 * Single answers that an H200 gave (driver 580.159.04) about contexts and devices, to calls that
 * are in no case of tests/driver.
 */
#include <sched.h>
#include <stdatomic.h>

#include "standin/answers.h"

/* ---- Arguments ---------------------------------------------------------------------------- */

static void no_context_is_a_bad_value_to_destroy(void **state)
{
    (void)state;
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuCtxDestroy_v2, (CUcontext), (NULL));
}

static void a_device_that_is_not_there_comes_before_flags_and_after_a_name(void **state)
{
    (void)state;
    CUcontext none;
    char name[8];
    ANSWERS(RILL_ERROR_INVALID_DEVICE, cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice),
            (&none, 7, 99));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuDeviceGetName, (char *, int, CUdevice), (NULL, 8, 99));
    ANSWERS(RILL_ERROR_INVALID_DEVICE, cuDeviceGetName, (char *, int, CUdevice), (name, 0, 99));
}

/* ---- Inside host functions -------------------------------------------------------------- */

static CUresult inside[3];

static void ask_inside(void *data)
{
    CUdevice device;
    CUcontext now;
    int value;
    (void)data;
    inside[0] = CALL(cuDeviceGet, (CUdevice *, int), (&device, 0));
    inside[1] = CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, 10, 0));
    inside[2] = CALL(cuCtxGetCurrent, (CUcontext *), (&now));
}

static void a_host_function_asks_for_no_device_and_no_context(void **state)
{
    (void)state;
    CUstream stream = new_stream();
    OK(CALL(cuLaunchHostFunc, (CUstream, CUhostFn, void *), (stream, ask_inside, NULL)));
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
    for (int i = 0; i < 3; i++) assert_int_equal(inside[i], RILL_ERROR_NOT_PERMITTED);
}

/* ---- Two contexts -------------------------------------------------------------------------- */

static CUresult ask(int question, CUdeviceptr address)
{
    uint64_t answer[2];
    return CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr), (answer, question, address));
}

static CUresult find_range(CUdeviceptr address)
{
    CUdeviceptr base;
    size_t bytes;
    return CALL(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),
                (&base, &bytes, address));
}

static void memory_without_access_has_no_range_and_no_device_pointer(void **state)
{
    static const int others[] = {
        CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
    };
    (void)state;
    CUcontext far;
    CUdeviceptr memory;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&far, 0, 1)));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 64)));
    OK(find_range(memory));
    OK(ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    assert_int_equal(find_range(memory), RILL_ERROR_NOT_FOUND);
    assert_int_equal(ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory), RILL_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) OK(ask(others[i], memory));
    OK(CALL(cuCtxEnablePeerAccess, (CUcontext, unsigned), (far, 0)));
    OK(find_range(memory));
    OK(ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (far)));
}

static void streams_of_two_contexts_share_no_attributes_and_no_events(void **state)
{
    (void)state;
    CUcontext other;
    CUevent event;
    CUstream here = new_stream();
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, 0)));
    CUstream there = new_stream();
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamCopyAttributes, (CUstream, CUstream), (here, there));
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuEventRecordWithFlags, (CUevent, CUstream, unsigned),
            (event, here, 0));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuEventRecordWithFlags, (CUevent, CUstream, unsigned),
            (event, here, 16));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
    OK(CALL(cuStreamDestroy_v2, (CUstream), (here)));
}

/* ---- Primary contexts ---------------------------------------------------------------------- */

static void primary_is(int expected_active, unsigned expected_flags)
{
    unsigned flags = 99;
    int active = 99;
    OK(CALL(cuDevicePrimaryCtxGetState, (CUdevice, unsigned *, int *), (0, &flags, &active)));
    assert_int_equal(active, expected_active);
    assert_int_equal(flags, expected_flags);
}

static void retain_primary(void)
{
    CUcontext primary;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
}

static void set_primary_flags(unsigned flags)
{
    OK(CALL(cuDevicePrimaryCtxSetFlags_v2, (CUdevice, unsigned), (0, flags)));
}

static void flags_of_a_primary_context_go_with_it(void **state)
{
    (void)state;
    set_primary_flags(CU_CTX_SCHED_YIELD);
    retain_primary();
    primary_is(1, CU_CTX_SCHED_YIELD);
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
    primary_is(0, 0);
    retain_primary();
    primary_is(1, 0);
    set_primary_flags(CU_CTX_SCHED_YIELD);
    OK(CALL(cuDevicePrimaryCtxReset_v2, (CUdevice), (0)));
    primary_is(0, 0);
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
}

static void a_primary_context_is_not_told_to_map(void **state)
{
    (void)state;
    unsigned flags = 99;
    CUcontext primary;
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags_v2, (CUdevice, unsigned),
            (0, CU_CTX_MAP_HOST));
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    OK(CALL(cuCtxGetFlags, (unsigned *), (&flags)));
    assert_int_equal(flags, CU_CTX_MAP_HOST);
    set_primary_flags(CU_CTX_LMEM_RESIZE_TO_MAX);
    OK(CALL(cuCtxGetFlags, (unsigned *), (&flags)));
    assert_int_equal(flags, CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_MAP_HOST);
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
}

/* Of what the current context is told, the device tells this alone. */
static void that_calls_wait_is_told_of_the_device(void **state)
{
    static const struct {
        unsigned set, told;
    } rows[] = {
        { CU_CTX_SCHED_YIELD, 0 },
        { CU_CTX_SYNC_MEMOPS | CU_CTX_SCHED_SPIN, CU_CTX_SYNC_MEMOPS },
        { 0, 0 },
    };
    (void)state;
    CUcontext primary;
    retain_primary();
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        OK(CALL(cuCtxSetFlags, (unsigned), (rows[i].set)));
        primary_is(1, rows[i].told);
    }
    set_primary_flags(CU_CTX_SYNC_MEMOPS);
    OK(CALL(cuCtxSetFlags, (unsigned), (0)));
    primary_is(1, CU_CTX_SYNC_MEMOPS);
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    OK(CALL(cuDevicePrimaryCtxReset_v2, (CUdevice), (0)));
    primary_is(0, 0);
    for (int i = 0; i < 2; i++) OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
}

static void a_state_has_flags_and_an_activity(void **state)
{
    (void)state;
    unsigned flags;
    int active;
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState, (CUdevice, unsigned *, int *),
            (0, &flags, NULL));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState, (CUdevice, unsigned *, int *),
            (0, NULL, &active));
}

static void a_primary_context_is_neither_destroyed_nor_detached(void **state)
{
    (void)state;
    CUcontext primary;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    OK(CALL(cuCtxDetach, (CUcontext), (primary)));
    primary_is(1, 0);
    ANSWERS(RILL_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2, (CUcontext), (primary));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
    ANSWERS(RILL_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2, (CUcontext), (primary));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
}

/* ---- Contexts that have ended -------------------------------------------------------------- */

static void a_context_that_has_ended_is_told_apart_by_each_call(void **state)
{
    (void)state;
    CUcontext dead;
    CUdevice device = -1;
    unsigned version;
    unsigned long long id;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&dead, 0, 1)));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (dead)));
    OK(CALL(cuCtxGetDevice_v2, (CUdevice *, CUcontext), (&device, dead)));
    assert_int_equal(device, 1);
    ANSWERS(RILL_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion, (CUcontext, unsigned *),
            (dead, &version));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuCtxGetApiVersion, (CUcontext, unsigned *), (dead, NULL));
    ANSWERS(RILL_ERROR_CONTEXT_IS_DESTROYED, cuCtxGetId, (CUcontext, unsigned long long *),
            (dead, &id));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuCtxGetId, (CUcontext, unsigned long long *), (dead, NULL));
    ANSWERS(RILL_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize_v2, (CUcontext), (dead));
    ANSWERS(RILL_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy_v2, (CUcontext), (dead));
}

static void what_is_asked_where_a_context_has_ended_is_blanked(void **state)
{
    (void)state;
    CUcontext dead;
    CUstream stream = NULL;
    size_t some = 77, all = 77;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&dead, 0, 0)));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (dead)));
    OK(CALL(cuCtxPushCurrent_v2, (CUcontext), (dead)));
    ANSWERS(RILL_ERROR_CONTEXT_IS_DESTROYED, cuMemGetInfo_v2, (size_t *, size_t *), (&some, &all));
    assert_int_equal(some, 0);
    assert_int_equal(all, 0);
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamCreate, (CUstream *, unsigned), (&stream, 99));
    assert_null(stream);
    ANSWERS(RILL_ERROR_CONTEXT_IS_DESTROYED, cuStreamCreate, (CUstream *, unsigned), (&stream, 0));
    assert_int_equal((intptr_t)stream, -1);
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&dead)));
}

static void a_missing_output_comes_before_a_stream_that_has_ended(void **state)
{
    (void)state;
    CUstream dead = new_stream();
    CUevent event;
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, 0)));
    OK(CALL(cuEventDestroy_v2, (CUevent), (event)));
    OK(CALL(cuStreamDestroy_v2, (CUstream), (dead)));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamGetPriority, (CUstream, int *), (dead, NULL));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamGetFlags, (CUstream, unsigned *), (dead, NULL));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamGetId, (CUstream, uint64_t *), (dead, NULL));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamGetDevice, (CUstream, CUdevice *), (dead, NULL));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamGetCtx, (CUstream, CUcontext *), (dead, NULL));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuStreamIsCapturing, (CUstream, int *), (dead, NULL));
    ANSWERS(RILL_ERROR_INVALID_VALUE, cuLaunchHostFunc, (CUstream, CUhostFn, void *),
            (dead, NULL, NULL));
    ANSWERS(RILL_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2, (float *, CUevent, CUevent),
            (NULL, event, event));
}

/* ---- Faults -------------------------------------------------------------------------------- */

static atomic_int failed;

static void note_failure(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    (void)data;
    atomic_store(&failed, (int)status);
}

/* On hardware these come too early for it; here the kernel has failed when they are made. */
static void a_fault_is_told_by_the_first_call_that_asks_and_by_no_end(void **state)
{
    (void)state;
    CUstream stream = new_stream();
    CUmodule module = load(image);
    CUcontext its = NULL, other, own;
    CUdeviceptr memory;
    OK(CALL(cuCtxGetCurrent, (CUcontext *), (&own)));
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 1)));
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&other)));
    OK(CALL(cuLaunchKernel,
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **),
            (function_of(module, "fail"), 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL)));
    OK(CALL(cuStreamAddCallback, (CUstream, CUstreamCallback, void *, unsigned),
            (stream, note_failure, NULL, 0)));
    while (!atomic_load(&failed)) sched_yield();
    assert_int_equal(atomic_load(&failed), RILL_ERROR_LAUNCH_FAILED);
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 64)));
    ANSWERS(RILL_ERROR_LAUNCH_FAILED, cuStreamQuery, (CUstream), (new_stream()));
    ANSWERS(RILL_ERROR_LAUNCH_FAILED, cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 64));
    ANSWERS(RILL_ERROR_LAUNCH_FAILED, cuStreamGetCtx, (CUstream, CUcontext *), (stream, &its));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other))); /* two H100, in 16 of 16 cases */
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (own)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_host_function_asks_for_no_device_and_no_context),
        TEST(no_context_is_a_bad_value_to_destroy),
        TEST(memory_without_access_has_no_range_and_no_device_pointer),
        TEST(flags_of_a_primary_context_go_with_it),
        TEST(a_device_that_is_not_there_comes_before_flags_and_after_a_name),
        TEST(a_primary_context_is_not_told_to_map),
        TEST(that_calls_wait_is_told_of_the_device),
        TEST(a_state_has_flags_and_an_activity),
        TEST(a_primary_context_is_neither_destroyed_nor_detached),
        TEST(a_context_that_has_ended_is_told_apart_by_each_call),
        TEST(what_is_asked_where_a_context_has_ended_is_blanked),
        TEST(a_missing_output_comes_before_a_stream_that_has_ended),
        TEST(streams_of_two_contexts_share_no_attributes_and_no_events),
        /* last: the device fails */
        TEST(a_fault_is_told_by_the_first_call_that_asks_and_by_no_end),
    };
    return cmocka_run_group_tests(tests, begin_with_two_devices, library_teardown);
}
