/* SPDX-License-Identifier: Apache-2.0
 *
 * What a broken capture says of the call that broke it: its public name, whatever
 * other calls broke or were refused for meanwhile.  And what breaks one although it
 * names no exec.
 */
#include "conformance/captures/capturing.h"

#include <string.h>

static void is_named(rill_stream *stream, const char *operation)
{
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, stream);
    assert_string_equal(rill_last_error()->cause.operation, operation);
}

/* ---- Names ------------------------------------------------------------------------------ */

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
    is_named(s, "rill_launch_kernel");
    assert_int_equal(rill_last_error()->cause.status, RILL_ERROR_INVALID_VALUE);
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
    is_named(s, "rill_memset_d8_async");
    is_named(other, "rill_memset_d8_async");
    ok(begin(s, RILL_CAPTURE_RELAXED));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       rill_memcpy_peer_async(s, f->context, p, f->context, p + 64, 4));
    is_named(s, "rill_memcpy_peer_async");
}

/* The broken one is met last, and first. */
static void a_capture_that_was_broken_before_keeps_no_name_from_the_others(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = address_of(f, f->words);
    for (int i = 0; i < 2; i++) {
        rill_stream *first = new_stream(f), *second = new_stream(f), *third = new_stream(f);
        ok(begin(first, RILL_CAPTURE_RELAXED));
        ok(begin(second, RILL_CAPTURE_RELAXED));
        is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_query(i ? first : second));
        is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, rill_memset_d8_async(f->legacy, p, 1, 1));
        ok(begin(third, RILL_CAPTURE_RELAXED));
        is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, rill_event_record(new_event(f), f->legacy, 0));
        is_named(i ? first : second, "rill_stream_query");
        is_named(i ? second : first, "rill_memset_d8_async");
        is_named(third, "rill_event_record");
    }
}

static void every_capture_that_a_call_broke_names_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s[3], *other = new_non_blocking(f);
    rill_devptr address;
    for (int i = 0; i < 3; i++) ok(begin(s[i] = new_non_blocking(f), RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_synchronize(s[1]));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc_async(other, 64, &address));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(f->context, 64, &address));
    is_named(s[0], "rill_mem_alloc_async");
    is_named(s[1], "rill_stream_synchronize");
    is_named(s[2], "rill_mem_alloc_async");
}

static void both_captures_that_a_wait_would_merge_name_it(void **state)
{
    struct fixture *f = *state;
    rill_event *event = new_event(f);
    rill_op wait = { .kind = RILL_OP_EVENT_WAIT, .event = { .event = event } };
    for (int by_op = 0; by_op < 2; by_op++) {
        rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
        ok(begin(s, RILL_CAPTURE_RELAXED));
        ok(begin(other, RILL_CAPTURE_RELAXED));
        ok(letter(f, s, 'A'));
        ok(rill_event_record(event, s, 0));
        is(RILL_ERROR_STREAM_CAPTURE_MERGE, by_op ? rill_stream_submit(other, &wait)
                                                  : rill_stream_wait_event(other, event, 0));
        is_named(s, by_op ? "rill_stream_submit" : "rill_stream_wait_event");
        is_named(other, by_op ? "rill_stream_submit" : "rill_stream_wait_event");
    }
}

/* ---- Launches of nothing -------------------------------------------------------------------- */

typedef rill_status (*launch_fn)(rill_exec *exec, rill_stream *stream);

static const struct {
    launch_fn call;
    const char *name;
} launches[] = {
    { rill_exec_launch, "rill_exec_launch" },
    { rill_exec_upload, "rill_exec_upload" },
};

/* Measured on an H200, driver 580, as everything below. */
static void a_launch_of_no_exec_breaks_the_capture(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
        is(RILL_ERROR_INVALID_VALUE, launches[i].call(NULL, s));
        blames(launches[i].name, "exec");
        ok(begin(s, RILL_CAPTURE_RELAXED));
        is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, launches[i].call(NULL, s));
        blames(launches[i].name, "stream");
        is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, launches[i].call(NULL, s));
        broken(s);
        is_named(s, launches[i].name);
        ok(begin(s, RILL_CAPTURE_RELAXED));
        follow(f, s, side);
        is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, launches[i].call(NULL, side));
        is_named(s, launches[i].name);
    }
}

static void but_not_one_elsewhere_unless_in_the_legacy_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f), *other = new_non_blocking(f);
    for (int i = 0; i < 2; i++) {
        ok(begin(s, RILL_CAPTURE_GLOBAL));
        is(RILL_ERROR_INVALID_VALUE, launches[i].call(NULL, other));
        active(s);
        is(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, launches[i].call(NULL, f->legacy));
        is_named(s, launches[i].name);
    }
}

static void other_calls_without_what_they_need_leave_it_alone(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = address_of(f, f->words), address = 0;
    ok(begin(s, RILL_CAPTURE_RELAXED));
    is(RILL_ERROR_INVALID_VALUE, rill_launch_host(s, NULL, NULL, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_add_callback(s, NULL, NULL, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtod_async(s, 0, p, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_alloc_async(s, 64, NULL));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_async(s, TOO_MUCH, &address));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, 0x1000));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
    active(s);
    gives(s, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_end_names_the_call_that_broke_it_first),
    cmocka_unit_test(an_operation_that_broke_it_is_named_too),
    cmocka_unit_test(the_cause_is_named_as_the_program_called_it),
    cmocka_unit_test(a_capture_that_was_broken_before_keeps_no_name_from_the_others),
    cmocka_unit_test(every_capture_that_a_call_broke_names_it),
    cmocka_unit_test(both_captures_that_a_wait_would_merge_name_it),
    cmocka_unit_test(a_launch_of_no_exec_breaks_the_capture),
    cmocka_unit_test(but_not_one_elsewhere_unless_in_the_legacy_stream),
    cmocka_unit_test(other_calls_without_what_they_need_leave_it_alone),
};

SUITE_GROUP(capture_causes, 1);
