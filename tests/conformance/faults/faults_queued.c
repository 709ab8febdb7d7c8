/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of work that was in the streams when the device failed, what the
 * record says, and life afterwards.  The failure is told at once; what was queued
 * goes as soon as it can.
 */
#include <string.h>

#include "conformance/work.h"

static const rill_status failed = RILL_ERROR_LAUNCH_FAILED;

static void fault(struct fixture *f, rill_stream *stream)
{
    ok(launch(fault_kernel(f, f->context), stream, NULL));
}

static void note_run(void *data)
{
    note(data, 'r');
}

static void note_destroyed(void *data)
{
    note(data, 'd');
}

/* What a callback was told.  After a failure nobody waits for the callbacks that
 * are left, so this outlives the test. */
static struct told {
    rill_stream *stream;
    rill_status status;
    atomic_int count;
} told;

static void tell(rill_stream *stream, rill_status status, void *data)
{
    struct told *what = data;
    what->stream = stream;
    what->status = status;
    atomic_fetch_add(&what->count, 1);
}

/* HF-5, HF-6; oracle err.queued_behind_failure */
static void work_behind_a_failure_is_dropped_and_callbacks_are_told(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    atomic_uint *before = new_word(f), *behind = new_word(f);
    atomic_store(&told.count, 0);
    struct gate *closed = gate(f, stream);
    ok(rill_stream_write_value32(stream, address_of(f, before), 1, 0));
    fault(f, stream);
    ok(rill_stream_write_value32(stream, address_of(f, behind), 1, 0));
    ok(rill_launch_host(stream, note_run, f, note_destroyed));
    ok(rill_stream_add_callback(stream, tell, &told, 0));
    held(stream);
    open_gate(closed);
    is(failed, rill_stream_synchronize(stream));
    comes_to(&told.count, 1);
    assert_int_equal(atomic_load(before), 1);
    assert_int_equal(atomic_load(behind), 0);
    order(f, "d");
    assert_int_equal(told.status, failed);
    assert_ptr_equal(told.stream, stream);
}

/* ER-4 */
static void what_other_streams_hold_is_dropped_too(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f), *other = new_non_blocking(f);
    atomic_store(&told.count, 0);
    gate(f, other);
    ok(rill_launch_host(other, note_run, f, note_destroyed));
    ok(rill_stream_add_callback(other, tell, &told, 0));
    held(other);
    fault(f, stream);
    is(failed, rill_stream_synchronize(stream));
    /* The gate is still closed: waiting for a value ends with the device. */
    is(failed, rill_stream_synchronize(other));
    comes_to(&told.count, 1);
    assert_int_equal(told.status, failed);
    order(f, "d");
}

/* ER-4; oracle err.queued_behind_failure */
static void streams_that_wait_for_the_failed_one_do_not_hang(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_non_blocking(f), *waiting = new_non_blocking(f);
    rill_event *event = new_event(f), *last = new_event(f);
    struct gate *closed = gate(f, stream);
    fault(f, stream);
    ok(rill_event_record(event, stream, 0));
    ok(rill_stream_wait_event(waiting, event, 0));
    mark(f, waiting, 'w');
    ok(rill_event_record(last, waiting, 0));
    struct call *calls[] = {
        start_call(f, synchronize_stream, waiting), start_call(f, synchronize_event, last),
        start_call(f, synchronize_stream, stream), start_call(f, synchronize_context, f->context),
    };
    blocked(calls[0]);
    open_gate(closed);
    for (int i = 0; i < 4; i++) is(failed, finish_call(calls[i]));
    order(f, "");
}

static void run_after_all(void *number)
{
    atomic_fetch_add((atomic_int *)number, 1000);
}

static void every_destroy_function_runs_once(void **state)
{
    struct fixture *f = *state;
    static atomic_int destroyed; /* as with the callbacks */
    rill_stream *streams[4];
    atomic_store(&destroyed, 0);
    for (int i = 0; i < 4; i++) streams[i] = new_non_blocking(f);
    struct gate *closed = gate(f, streams[0]);
    for (int i = 0; i < 4; i++) {
        if (i) ok(rill_stream_wait_stream(streams[i], streams[i - 1]));
        else fault(f, streams[0]);
        for (int k = 0; k < 25; k++)
            ok(rill_launch_host(streams[i], run_after_all, &destroyed, count_up));
    }
    open_gate(closed);
    is(failed, rill_context_synchronize(f->context));
    comes_to(&destroyed, 100);
    is(failed, rill_context_destroy(&f->context));
    comes_to(&destroyed, 100);
}

static void of_two_failures_the_first_is_told(void **state)
{
    struct fixture *f = *state;
    rill_stream *first = new_non_blocking(f), *second = new_non_blocking(f);
    ok(rill_stream_set_label(first, "first"));
    ok(rill_stream_set_label(second, "second"));
    struct gate *closed = gate(f, second);
    fault(f, second);
    fault(f, first);
    is(failed, rill_stream_synchronize(first));
    open_gate(closed);
    is(failed, rill_stream_synchronize(second));
    if (suite->expects.names_faults)
        assert_string_equal(rill_last_error()->cause.object, "stream 'first'");
}

/* ---- The record ------------------------------------------------------------------- */

static void the_record_names_the_kernel_and_the_stream_that_failed(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f), *other = new_stream(f);
    ok(rill_stream_set_label(stream, "physics"));
    fault(f, stream);
    is(failed, rill_stream_synchronize(stream));
    is(failed, rill_stream_query(other));
    const rill_error *last = rill_last_error();
    assert_int_equal(last->status, failed);
    assert_string_equal(last->operation, "rill_stream_query");
    assert_non_null(strstr(last->message, suite->fault_message));
    if (!suite->expects.names_faults) return; /* where it began is unknown */
    assert_int_equal(last->cause.status, failed);
    assert_non_null(strstr(last->cause.operation, suite->fault->name));
    assert_string_equal(last->cause.object, "stream 'physics'");
    assert_int_not_equal(last->cause.thread, 0);
    assert_int_not_equal(last->cause.time_ns, 0);
}

/* ---- Afterwards ------------------------------------------------------------------- */

static void closing_and_opening_again_mends_the_device(void **state)
{
    struct fixture *f = *state;
    rill_context *context = NULL;
    rill_stream *stream = new_stream(f);
    fault(f, stream);
    is(failed, rill_stream_synchronize(stream));
    is(failed, rill_context_destroy(&f->context));
    ok(rill_close(&f->platform));
    if (!suite->expects.reopening_mends) skip_since("only a new process has a new device");
    ok(suite->open(1, &f->another));
    ok(rill_context_create(f->another, NULL, &context));
    mark(f, rill_stream_legacy(context), 'a');
    ok(rill_context_synchronize(context));
    order(f, "a");
    ok(rill_context_destroy(&context));
    ok(rill_close(&f->another));
}

static void another_platform_is_not_touched(void **state)
{
    struct fixture *f = *state;
    rill_context *context = NULL;
    if (!suite->expects.reopening_mends)
        skip_since("a device that fails does so in the whole process");
    ok(suite->open(1, &f->another));
    ok(rill_context_create(f->another, NULL, &context));
    fault(f, f->legacy);
    is(failed, rill_stream_synchronize(f->legacy));
    ok(rill_context_status(context));
    mark(f, rill_stream_legacy(context), 'a');
    ok(rill_context_synchronize(context));
    order(f, "a");
    ok(rill_context_destroy(&context));
    ok(rill_close(&f->another));
}

/* oracle err.failure_and_new_context */
static void other_contexts_of_the_device_fail_with_it(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *there = new_stream_in(f, other, 0);
    fault(f, f->legacy);
    is(failed, rill_stream_synchronize(f->legacy));
    is(failed, rill_context_status(other));
    is(failed, rill_stream_query(there));
    is(failed, rill_context_synchronize(other));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(work_behind_a_failure_is_dropped_and_callbacks_are_told),
    cmocka_unit_test(what_other_streams_hold_is_dropped_too),
    cmocka_unit_test(streams_that_wait_for_the_failed_one_do_not_hang),
    cmocka_unit_test(every_destroy_function_runs_once),
    cmocka_unit_test(of_two_failures_the_first_is_told),
    cmocka_unit_test(the_record_names_the_kernel_and_the_stream_that_failed),
    cmocka_unit_test(closing_and_opening_again_mends_the_device),
    cmocka_unit_test(another_platform_is_not_touched),
    cmocka_unit_test(other_contexts_of_the_device_fail_with_it),
};

SUITE_GROUP(faults_queued, 1);
