/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures that broke: by what, what the streams refuse then, and what the end says.
 */
#include "conformance/captures/capturing.h"

/* A stream whose capture the usual call broke. */
static rill_stream *new_broken(struct fixture *f, rill_capture_mode mode)
{
    rill_stream *stream = new_non_blocking(f);
    ok(begin(stream, mode));
    ok(letter(f, stream, 'A'));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(stream));
    broken(stream);
    return stream;
}

/* CP-31; oracle capture.invalid_calls */
static void a_broken_capture_takes_no_work(void **state)
{
    struct fixture *f = *state;
    rill_event *event = new_event(f);
    rill_kernel *nop = kernel(f, &nop_function);
    rill_stream *s = new_broken(f, RILL_CAPTURE_GLOBAL);
    const rill_status no = RILL_ERROR_STREAM_CAPTURE_INVALIDATED;
    rill_devptr address = address_of(f, f->words);
    atomic_int given_back = 0;
    is(no, launch(nop, s, NULL));
    is(no, letter(f, s, 'B'));
    is(no, rill_memcpy_dtod_async(s, address, address + 64, 4));
    is(no, rill_mem_alloc_async(s, 256, &address));
    is(no, rill_stream_write_value32(s, address_of(f, f->words), 1, 0));
    is(no, rill_event_record(event, s, 0));
    is(no, rill_event_record(event, s, RILL_EVENT_EXTERNAL));
    is(no, rill_stream_wait_event(s, event, 0));
    is(no, rill_stream_wait_event(s, event, RILL_EVENT_EXTERNAL));
    is(no, rill_launch_host(s, nothing, &given_back, count_up));
    assert_int_equal(given_back, 1);
    is(no, rill_stream_update_capture(s, NULL, NULL, 0, RILL_CAPTURE_SET));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_query(s));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(s));
    is(RILL_ERROR_ILLEGAL_STATE, begin(s, RILL_CAPTURE_GLOBAL));
    broken(s);
    fails(no, s);
    fails(RILL_ERROR_ILLEGAL_STATE, s);
}

/* oracle capture.bad_argument_harmless */
static void that_is_said_before_handles_are_looked_at(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_broken(f, RILL_CAPTURE_RELAXED);
    rill_op op = { .kind = RILL_OP_EVENT_RECORD };
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, launch(NULL, s, NULL));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_event_record(NULL, s, 0));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_wait_event(s, NULL, 0));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_submit(s, &op));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_memset_d32_async(s, 0, 1, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_launch_host(s, NULL, NULL, NULL));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(NULL, s, 0));
}

/* Measured on an H200, driver 580. */
static void a_wait_for_no_event_breaks_a_capture_but_missing_handles_do_not(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_op op = { .kind = RILL_OP_EVENT_WAIT };
    ok(begin(s, RILL_CAPTURE_RELAXED));
    is(RILL_ERROR_INVALID_HANDLE, launch(NULL, s, NULL));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(NULL, s, 0));
    is(RILL_ERROR_INVALID_VALUE, launch(kernel(f, &put_function), s, NULL));
    active(s);
    gives(s, "");
    for (int by_op = 0; by_op < 2; by_op++) {
        ok(begin(s, RILL_CAPTURE_RELAXED));
        is(RILL_ERROR_INVALID_HANDLE, by_op ? rill_stream_submit(s, &op)
                                            : rill_stream_wait_event(s, NULL, 0));
        broken(s);
        fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
        assert_string_equal(rill_last_error()->cause.operation,
                            by_op ? "rill_stream_submit" : "rill_stream_wait_event");
    }
}

/* A refused operation would leave a hole; oracle capture.bad_argument_harmless, grid0 */
static void an_operation_that_is_refused_breaks_the_capture(void **state)
{
    struct fixture *f = *state;
    rill_kernel *nop = kernel(f, &nop_function);
    rill_stream *s = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_INVALID_VALUE,
       rill_launch_kernel(s, nop, (rill_dim3){ 0, 1, 1 }, one, 0, NULL));
    broken(s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
}

/* oracle capop.copy_device_forms */
static void a_copy_that_names_contexts_cannot_be_captured(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = address_of(f, f->words);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       rill_memcpy_peer_async(s, f->context, p, f->context, p + 64, 4));
    broken(s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
}

/* CP-12; oracle capture.invalid_then_usable */
static void after_the_end_the_stream_is_as_before(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_broken(f, RILL_CAPTURE_GLOBAL);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    ok(rill_stream_query(s));
    works_again(f, s);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    behind(s, "");
    ok(letter(f, s, 'C'));
    gives(s, "C");
}

/* CP-13; oracle capture.invalid_fork */
static void breaking_one_stream_breaks_all_of_the_capture(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f), *third = new_non_blocking(f);
    rill_event *event = new_event(f), *last = new_event(f);
    rill_graph *graph = NULL;
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    ok(rill_event_record(event, s, 0));
    ok(rill_stream_wait_event(side, event, 0));
    ok(letter(f, side, 'B'));
    ok(rill_event_record(last, side, 0));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(side));
    broken(s);
    broken(side);
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, letter(f, s, 'C'));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_wait_event(s, last, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(third, event, 0));
    idle(third);
    is(RILL_ERROR_STREAM_CAPTURE_UNMATCHED, rill_stream_end_capture(side, &graph));
    broken(s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    idle(side);
    works_again(f, s);
    works_again(f, side);
    works_again(f, third);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_broken_capture_takes_no_work),
    cmocka_unit_test(that_is_said_before_handles_are_looked_at),
    cmocka_unit_test(a_wait_for_no_event_breaks_a_capture_but_missing_handles_do_not),
    cmocka_unit_test(an_operation_that_is_refused_breaks_the_capture),
    cmocka_unit_test(a_copy_that_names_contexts_cannot_be_captured),
    cmocka_unit_test(after_the_end_the_stream_is_as_before),
    cmocka_unit_test(breaking_one_stream_breaks_all_of_the_capture),
};

SUITE_GROUP(capture_broken, 1);
