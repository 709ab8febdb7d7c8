/* SPDX-License-Identifier: Apache-2.0
 *
 * Status callbacks: called after the work before them, also when that failed.
 */
#include "conformance/work.h"

struct got {
    rill_stream *stream;
    rill_status status;
    void *data;
    atomic_int times;
};

static void take(rill_stream *stream, rill_status status, void *data)
{
    struct got *got = data;
    got->stream = stream;
    got->status = status;
    got->data = data;
    atomic_fetch_add(&got->times, 1);
}

/* HF-5, hostfn.callback */
static void a_callback_is_given_the_stream_the_status_and_its_data(void **state)
{
    struct fixture *f = *state;
    struct got got = { .status = RILL_ERROR_UNKNOWN };
    rill_stream *s = new_non_blocking(f);
    ok(rill_stream_add_callback(s, take, &got, 0));
    ok(rill_stream_synchronize(s));
    assert_int_equal(got.times, 1);
    assert_ptr_equal(got.stream, s);
    assert_int_equal(got.status, RILL_SUCCESS);
    assert_ptr_equal(got.data, &got);
}

/* hostfn.callback_default_streams */
static void in_a_default_stream_it_is_given_the_handle_that_was_used(void **state)
{
    struct fixture *f = *state;
    rill_stream *const all[] = { f->legacy, f->per_thread };
    for (int i = 0; i < 2; i++) {
        struct got got = { .times = 0 };
        ok(rill_stream_add_callback(all[i], take, &got, 0));
        ok(rill_context_synchronize(f->context));
        assert_int_equal(got.times, 1);
        assert_ptr_equal(got.stream, all[i]);
    }
}

/* HF-5, hostfn.callback */
static void flags_are_refused_and_nothing_is_called(void **state)
{
    struct fixture *f = *state;
    struct got got = { .times = 0 };
    rill_stream *s = new_stream(f);
    refuses(RILL_ERROR_INVALID_VALUE, "flags", rill_stream_add_callback(s, take, &got, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_add_callback(s, take, &got, 0x80000000u));
    ok(rill_stream_synchronize(s));
    assert_int_equal(got.times, 0);
}

static void no_callback_is_refused(void **state)
{
    struct fixture *f = *state;
    refuses(RILL_ERROR_INVALID_VALUE, "callback",
            rill_stream_add_callback(new_stream(f), NULL, NULL, 0));
}

struct letter {
    struct fixture *fixture;
    char letter;
};

static void write_letter(rill_stream *stream, rill_status status, void *data)
{
    struct letter *letter = data;
    (void)stream;
    note(letter->fixture, status ? '!' : letter->letter);
}

/* ST-5 */
static void callbacks_run_in_order_with_host_functions(void **state)
{
    struct fixture *f = *state;
    struct letter second = { f, '2' }, fourth = { f, '4' };
    rill_stream *s = new_stream(f);
    struct gate *g = gate(f, s);
    mark(f, s, '1');
    ok(rill_stream_add_callback(s, write_letter, &second, 0));
    mark(f, s, '3');
    ok(rill_stream_add_callback(s, write_letter, &fourth, 0));
    held(s);
    order(f, "");
    open_gate(g);
    ok(rill_stream_synchronize(s));
    order(f, "1234");
}

/* HF-5, HF-6, err.queued_behind_failure */
static void behind_a_fault_a_callback_is_called_with_it_and_a_host_function_is_not(void **state)
{
    struct fixture *f = *state;
    struct got got = { .status = RILL_SUCCESS };
    rill_stream *s = new_stream(f);
    rill_kernel *crash = kernel(f, &crash_function);
    struct gate *g = gate(f, s);
    mark(f, s, 'b');
    ok(launch(crash, s, NULL));
    mark(f, s, 'x');
    ok(rill_stream_add_callback(s, take, &got, 0));
    open_gate(g);
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s));
    for (uint64_t end = fixture_patience(); !atomic_load(&got.times) && fixture_before(end);)
        continue; /* the failure is told at once, what was queued goes as soon as it can */
    assert_int_equal(got.times, 1);
    assert_int_equal(got.status, RILL_ERROR_LAUNCH_FAILED);
    order(f, "b"); /* x stood before the callback */
}

/* err.trap_then_work */
static void once_the_device_has_failed_a_callback_is_refused_and_not_called(void **state)
{
    struct fixture *f = *state;
    struct got got = { .times = 0 };
    rill_stream *s = new_stream(f);
    ok(launch(kernel(f, &crash_function), s, NULL));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_add_callback(s, take, &got, 0));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s));
    assert_int_equal(got.times, 0);
}

/* ST-3 */
static void callbacks_of_a_destroyed_stream_are_still_called(void **state)
{
    struct fixture *f = *state;
    struct letter a = { f, 'a' };
    rill_stream *s = new_non_blocking(f);
    struct gate *g = gate(f, s);
    ok(rill_stream_add_callback(s, write_letter, &a, 0));
    forget(f, s);
    ok(rill_stream_destroy(&s));
    open_gate(g);
    ok(rill_context_synchronize(f->context));
    order(f, "a");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_callback_is_given_the_stream_the_status_and_its_data),
    cmocka_unit_test(in_a_default_stream_it_is_given_the_handle_that_was_used),
    cmocka_unit_test(flags_are_refused_and_nothing_is_called),
    cmocka_unit_test(no_callback_is_refused),
    cmocka_unit_test(callbacks_run_in_order_with_host_functions),
    cmocka_unit_test(behind_a_fault_a_callback_is_called_with_it_and_a_host_function_is_not),
    cmocka_unit_test(once_the_device_has_failed_a_callback_is_refused_and_not_called),
    cmocka_unit_test(callbacks_of_a_destroyed_stream_are_still_called),
};

SUITE_GROUP(callbacks, 1);
