/* SPDX-License-Identifier: Apache-2.0
 *
 * oracle multi.crash_asked_from_other: one device fails, and all of them do.
 */
#include "conformance/fixture.h"

static void a_failure_of_one_device_is_told_by_calls_on_another(void **state)
{
    const rill_dim3 one = { 1, 1, 1 };
    const rill_status failed = RILL_ERROR_LAUNCH_FAILED;
    struct fixture *f = *state;
    rill_context *second = new_context(f, 1, 0);
    rill_stream *here = new_non_blocking(f), *there = new_stream_in(f, second, 0);
    rill_event *before = new_event_in(f, second, 0), *after = new_event_in(f, second, 0);
    rill_kernel *kernel = new_kernel(f, second, suite->fault);
    rill_devptr memory = 0;
    rill_pointer_info info = { .size = sizeof info };
    int can = 0, count = 0;
    ok(rill_mem_alloc(second, 64, &memory));
    ok(rill_event_record(before, there, 0));
    struct gate *closed = gate(f, there);
    ok(rill_launch_kernel(there, kernel, one, one, 0, NULL));
    ok(rill_event_record(after, there, 0));
    open_gate(closed);
    is(failed, rill_stream_synchronize(there));
    is(failed, rill_stream_query(there));
    is(failed, rill_event_query(before));
    is(failed, rill_event_query(after));
    is(failed, rill_stream_wait_event(here, before, 0));
    is(failed, rill_stream_query(here));
    is(failed, rill_memcpy_dtoh(f->context, &count, memory, 4));
    is(failed, rill_context_enable_peer(f->context, second));
    is(failed, rill_mem_free(f->context, memory));
    is(failed, rill_context_synchronize(f->context));
    is(failed, rill_memset_d32_async(here, memory, 1, 1));
    ok(rill_device_count(f->platform, &count));
    ok(rill_device_can_access_peer(f->platform, 0, 1, &can));
    assert_int_equal(can, 1);
    ok(rill_pointer_get_info(f->context, memory, &info));
    assert_int_equal(info.device, 1);
    is(failed, rill_context_status(f->context));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_failure_of_one_device_is_told_by_calls_on_another),
};

SUITE_GROUP(faults_across_devices, 2);
