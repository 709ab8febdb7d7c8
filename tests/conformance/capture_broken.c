/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures that broke: what the streams refuse then, what the end says, what is left
 * of events.
 */
#include "conformance/capturing.h"

#include <string.h>

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

/* ---- What the record says ----------------------------------------------------------------- */

static void the_end_names_the_call_that_broke_it_first(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_event *event = new_event(f);
    ok(rill_stream_set_label(s, "prefill"));
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_event_record(event, s, 0));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_query(s));
    is(RILL_ERROR_INVALID_VALUE, rill_event_synchronize(event));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, letter(f, s, 'A'));
    const rill_error *error = rill_last_error();
    assert_int_equal(error->cause.status, RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_string_equal(error->cause.operation, "rill_stream_query");
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    assert_int_equal(error->cause.status, RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_string_equal(error->cause.operation, "rill_stream_query");
    assert_string_equal(error->cause.object, "stream 'prefill'");
    assert_int_not_equal(error->cause.thread, 0);
    assert_non_null(strstr(error->message, "rill_stream_query"));
    assert_non_null(strstr(error->message, "'prefill'"));
}

static void an_operation_that_broke_it_is_named_too(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *nop = kernel(f, &nop_function);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    is(RILL_ERROR_INVALID_VALUE,
       rill_launch_kernel(s, nop, (rill_dim3){ 0, 1, 1 }, one, 0, NULL));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    assert_int_equal(rill_last_error()->cause.status, RILL_ERROR_INVALID_VALUE);
    assert_non_null(strstr(rill_last_error()->cause.operation, "kernel"));
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* oracle capture.invalid_event */
static void an_event_of_a_broken_capture_stands_for_nothing(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_event *event = new_event(f);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(rill_event_record(event, s, 0));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(s));
    for (int i = 0; i < 2; i++) {
        is(RILL_ERROR_INVALID_VALUE, rill_event_query(event));
        is(RILL_ERROR_INVALID_VALUE, rill_event_synchronize(event));
        is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(other, event, 0));
        idle(other);
        if (!i) fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    }
    ok(rill_event_record(event, other, 0));
    ok(rill_event_synchronize(event));
    ok(rill_event_query(event));
}

/* oracle capture.event_after_end */
static void neither_does_one_of_a_capture_that_ended(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_event *event = new_event_in(f, f->context, RILL_EVENT_TIMING),
               *before = new_event_in(f, f->context, RILL_EVENT_TIMING);
    float milliseconds;
    ok(rill_event_record(before, other, 0));
    ok(rill_stream_synchronize(other));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    ok(rill_event_record(event, s, 0));
    gives(s, "A");
    is(RILL_ERROR_INVALID_VALUE, rill_event_query(event));
    is(RILL_ERROR_INVALID_VALUE, rill_event_synchronize(event));
    is(RILL_ERROR_INVALID_VALUE, rill_event_elapsed(before, event, &milliseconds));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(other, event, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(s, event, 0));
    idle(other);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(s, event, 0));
    broken(s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    ok(rill_event_record(event, other, 0));
    ok(rill_event_synchronize(event));
    ok(rill_event_elapsed(before, event, &milliseconds));
}

/* CP-16; oracle capmode.event_sync_captured, capture.record_inside_pending */
static void asking_for_a_captured_event_breaks_its_capture(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_event *event = new_event(f);
    for (int i = 0; i < 2; i++) {
        ok(begin(s, RILL_CAPTURE_RELAXED));
        ok(letter(f, s, 'A'));
        ok(rill_event_record(event, s, 0));
        is(RILL_ERROR_CAPTURED_EVENT, i ? rill_event_query(event) : rill_event_synchronize(event));
        broken(s);
        fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
        assert_non_null(strstr(rill_last_error()->cause.operation, "rill_event_"));
    }
}

static void the_cause_is_named_as_the_program_called_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f), *other = new_stream(f);
    rill_devptr p = address_of(f, f->words);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(begin(other, RILL_CAPTURE_RELAXED));
    is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, rill_memset_d8_async(f->legacy, p, 1, 1));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_write_value32(s, p, 1, 0));
    is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, rill_memset_d32_async(f->legacy, p, 1, 1));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    assert_string_equal(rill_last_error()->cause.operation, "rill_memset_d8_async");
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, other);
    assert_string_equal(rill_last_error()->cause.operation, "rill_memset_d8_async");
    ok(begin(s, RILL_CAPTURE_RELAXED));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       rill_memcpy_peer_async(s, f->context, p, f->context, p + 64, 4));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    assert_string_equal(rill_last_error()->cause.operation, "rill_memcpy_peer_async");
}

/* Measured on an H200, driver 580. */
static void a_captured_event_has_no_time_whether_it_takes_one_or_not(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_event *timed = new_event_in(f, f->context, RILL_EVENT_TIMING), *event = new_event(f);
    rill_event *before = new_event_in(f, f->context, RILL_EVENT_TIMING);
    float milliseconds;
    ok(rill_event_record(before, s, 0));
    ok(rill_stream_synchronize(s));
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_event_record(event, s, 0));
    ok(rill_event_record(timed, s, 0));
    is(RILL_ERROR_CAPTURED_EVENT, rill_event_elapsed(event, event, &milliseconds));
    is(RILL_ERROR_CAPTURED_EVENT, rill_event_elapsed(before, timed, &milliseconds));
    is(RILL_ERROR_CAPTURED_EVENT, rill_event_elapsed(before, event, &milliseconds));
    active(s);
    gives(s, "");
}

/* Measured on an H200, driver 580. */
static void an_external_record_leaves_the_event_captured(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_event *event = new_event(f), *unrecorded = new_event(f);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(rill_event_record(event, s, 0));
    ok(rill_event_record(event, s, RILL_EVENT_EXTERNAL));
    is(RILL_ERROR_CAPTURED_EVENT, rill_event_query(event));
    broken(s);
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(rill_event_record(event, s, 0));
    ok(rill_stream_wait_event(s, event, RILL_EVENT_EXTERNAL));
    ok(rill_stream_wait_event(s, unrecorded, RILL_EVENT_EXTERNAL));
    is(RILL_ERROR_ILLEGAL_STATE, rill_stream_wait_event(other, event, RILL_EVENT_EXTERNAL));
    idle(other);
    gives(s, "A w w | A>w w>w");
}

/* CP-28; oracle capture.isolation_in */
static void a_capture_does_not_wait_for_events_from_outside(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_event *unrecorded = new_event(f), *events[4];
    for (int i = 0; i < 4; i++) events[i] = new_event(f);
    ok(rill_event_record(events[0], other, 0));
    ok(rill_event_record(events[1], s, 0));
    ok(rill_event_synchronize(events[0]));
    struct gate *closed = gate(f, other);
    ok(rill_event_record(events[2], other, 0));
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(rill_stream_wait_event(s, unrecorded, 0));
    behind(s, "A");
    gives(s, "A");
    for (int i = 0; i < 4; i++) {
        ok(begin(s, RILL_CAPTURE_RELAXED));
        if (i == 3) ok(rill_event_record(events[3], other, 0));
        is(RILL_ERROR_STREAM_CAPTURE_ISOLATION, rill_stream_wait_event(s, events[i], 0));
        broken(s);
        fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    }
    open_gate(closed);
}

/* oracle capture.record_inside_pending */
static void who_waited_for_an_event_before_goes_on_waiting(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_stream *waits = new_non_blocking(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, other);
    ok(rill_event_record(event, other, 0));
    ok(rill_stream_wait_event(waits, event, 0));
    mark(f, waits, 'a');
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_event_record(event, s, 0));
    gives(s, "");
    held(waits);
    open_gate(closed);
    ok(rill_stream_synchronize(waits));
    order(f, "a");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_broken_capture_takes_no_work),
    cmocka_unit_test(that_is_said_before_handles_are_looked_at),
    cmocka_unit_test(a_wait_for_no_event_breaks_a_capture_but_missing_handles_do_not),
    cmocka_unit_test(an_operation_that_is_refused_breaks_the_capture),
    cmocka_unit_test(a_copy_that_names_contexts_cannot_be_captured),
    cmocka_unit_test(after_the_end_the_stream_is_as_before),
    cmocka_unit_test(breaking_one_stream_breaks_all_of_the_capture),
    cmocka_unit_test(the_end_names_the_call_that_broke_it_first),
    cmocka_unit_test(an_operation_that_broke_it_is_named_too),
    cmocka_unit_test(an_event_of_a_broken_capture_stands_for_nothing),
    cmocka_unit_test(neither_does_one_of_a_capture_that_ended),
    cmocka_unit_test(asking_for_a_captured_event_breaks_its_capture),
    cmocka_unit_test(the_cause_is_named_as_the_program_called_it),
    cmocka_unit_test(a_captured_event_has_no_time_whether_it_takes_one_or_not),
    cmocka_unit_test(an_external_record_leaves_the_event_captured),
    cmocka_unit_test(a_capture_does_not_wait_for_events_from_outside),
    cmocka_unit_test(who_waited_for_an_event_before_goes_on_waiting),
};

SUITE_GROUP(capture_broken, 1);
