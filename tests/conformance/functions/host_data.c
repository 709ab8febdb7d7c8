/* SPDX-License-Identifier: Apache-2.0
 *
 * Who gives back what a host function was given: `destroy` runs exactly once,
 * whatever becomes of the operation.
 */
#include "conformance/work.h"

/* What became of one operation: 'f' when its function ran, 'd' when its data
 * was given back. */
struct owned {
    struct fixture *fixture;
    char function, destroy;
};

static void run(void *data)
{
    struct owned *owned = data;
    note(owned->fixture, owned->function);
}

static void give_back(void *data)
{
    struct owned *owned = data;
    note(owned->fixture, owned->destroy);
}

static rill_status submit_owned(rill_stream *stream, struct owned *owned)
{
    rill_op op = { .kind = RILL_OP_HOST, .host = { run, owned, give_back } };
    return rill_stream_submit(stream, &op);
}

/* ---- It ran --------------------------------------------------------------------- */

static void the_data_is_given_back_after_the_function(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    rill_stream *s = new_stream(f);
    ok(rill_launch_host(s, run, &owned, give_back));
    ok(rill_stream_synchronize(s));
    order(f, "fd");
}

static void it_is_given_back_before_the_next_operation_of_the_stream(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    rill_stream *s = new_stream(f);
    struct gate *g = gate(f, s);
    ok(submit_owned(s, &owned));
    mark(f, s, 'x');
    order(f, "");
    open_gate(g);
    ok(rill_stream_synchronize(s));
    order(f, "fdx");
}

static void it_is_given_back_once_for_each_of_many(void **state)
{
    struct fixture *f = *state;
    rill_stream *const all[] = { new_stream(f), new_non_blocking(f), f->legacy, f->per_thread };
    atomic_int given_back = 0;
    for (int i = 0; i < 400; i++) ok(rill_launch_host(all[i % 4], count_up, &given_back, count_up));
    ok(rill_context_synchronize(f->context));
    assert_int_equal(given_back, 800);
}

/* ST-3 */
static void it_is_given_back_when_the_stream_is_destroyed_before_it_runs(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    rill_stream *s = new_stream(f);
    struct gate *g = gate(f, s);
    ok(submit_owned(s, &owned));
    forget(f, s);
    ok(rill_stream_destroy(&s));
    order(f, "");
    open_gate(g);
    ok(rill_context_synchronize(f->context));
    order(f, "fd");
}

static void it_is_given_back_when_the_context_is_destroyed_before_it_runs(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_stream_in(f, context, 0);
    ok(submit_owned(s, &owned));
    forget(f, context);
    ok(rill_context_destroy(&context));
    order(f, "fd");
}

/* ---- It was refused ----------------------------------------------------------------- */

static void it_is_given_back_when_there_is_no_function(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    is(RILL_ERROR_INVALID_VALUE, rill_launch_host(new_stream(f), NULL, &owned, give_back));
    order(f, "d");
}

static void it_is_given_back_when_an_operation_has_no_function(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    rill_op op = { .kind = RILL_OP_HOST, .host = { NULL, &owned, give_back } };
    is(RILL_ERROR_INVALID_VALUE, rill_stream_submit(new_stream(f), &op));
    order(f, "d");
}

static void it_is_given_back_when_there_is_no_stream(void **state)
{
    struct fixture *f = *state;
    struct owned first = { f, 'f', '1' }, second = { f, 'f', '2' };
    rill_op op = { .kind = RILL_OP_HOST, .host = { run, &second, give_back } };
    is(RILL_ERROR_INVALID_HANDLE, rill_launch_host(NULL, run, &first, give_back));
    order(f, "1");
    is(RILL_ERROR_INVALID_HANDLE, rill_stream_submit(NULL, &op));
    order(f, "12");
}

static void it_is_given_back_when_the_handle_is_no_stream(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    rill_stream *wrong = (void *)new_event(f);
    is(RILL_ERROR_INVALID_HANDLE, rill_launch_host(wrong, run, &owned, give_back));
    order(f, "d");
}

static void it_is_given_back_when_the_context_is_gone(void **state)
{
    struct fixture *f = *state;
    struct owned first = { f, 'f', '1' }, second = { f, 'f', '2' };
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_stream_in(f, context, 0);
    forget(f, context);
    ok(rill_context_destroy(&context));
    is(RILL_ERROR_CONTEXT_IS_DESTROYED, rill_launch_host(s, run, &first, give_back));
    is(RILL_ERROR_CONTEXT_IS_DESTROYED, submit_owned(s, &second));
    order(f, "12");
}

struct nested {
    struct owned owned;
    rill_stream *stream;
    rill_status status;
};

static void submit_from_inside(void *data)
{
    struct nested *nested = data;
    nested->status = rill_launch_host(nested->stream, run, &nested->owned, give_back);
}

/* HF-2: a host function may submit to ordinary streams alone. */
static void it_is_given_back_when_a_host_function_may_not_submit_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    struct nested nested = { { f, 'f', 'd' }, f->legacy, RILL_SUCCESS };
    ok(rill_launch_host(s, submit_from_inside, &nested, NULL));
    ok(rill_stream_synchronize(s));
    assert_int_equal(nested.status, RILL_ERROR_NOT_PERMITTED);
    order(f, "d");
}

/* ---- It was skipped ------------------------------------------------------------------ */

/* HF-6, err.queued_behind_failure */
static void it_is_given_back_when_a_fault_skips_the_function(void **state)
{
    struct fixture *f = *state;
    struct owned before = { f, 'b', '1' }, behind = { f, 'f', '2' }, third = { f, 'g', '3' };
    rill_stream *s = new_stream(f);
    rill_kernel *crash = kernel(f, &crash_function);
    struct gate *g = gate(f, s);
    ok(submit_owned(s, &before));
    ok(launch(crash, s, NULL));
    ok(submit_owned(s, &behind));
    ok(submit_owned(s, &third));
    open_gate(g);
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s));
    order(f, "b123");
}

/* HF-6: the fault came from a stream that has nothing to do with this one. */
static void it_is_given_back_when_a_fault_elsewhere_skips_the_function(void **state)
{
    struct fixture *f = *state;
    struct owned owned = { f, 'f', 'd' };
    rill_context *context = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_stream_in(f, context, 0), *other = new_stream(f);
    struct gate *g = gate(f, s);
    ok(submit_owned(s, &owned));
    ok(launch(kernel(f, &crash_function), other, NULL));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(other));
    open_gate(g);
    forget(f, context);
    is(RILL_ERROR_LAUNCH_FAILED, rill_context_destroy(&context)); /* waits for its streams */
    order(f, "d");
}

/* err.trap_then_work */
static void it_is_given_back_when_the_device_has_failed(void **state)
{
    struct fixture *f = *state;
    struct owned first = { f, 'f', '1' }, second = { f, 'f', '2' };
    rill_stream *s = new_stream(f);
    ok(launch(kernel(f, &crash_function), s, NULL));
    is(RILL_ERROR_LAUNCH_FAILED, rill_stream_synchronize(s));
    is(RILL_ERROR_LAUNCH_FAILED, rill_launch_host(s, run, &first, give_back));
    is(RILL_ERROR_LAUNCH_FAILED, submit_owned(s, &second));
    order(f, "12");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_data_is_given_back_after_the_function),
    cmocka_unit_test(it_is_given_back_before_the_next_operation_of_the_stream),
    cmocka_unit_test(it_is_given_back_once_for_each_of_many),
    cmocka_unit_test(it_is_given_back_when_the_stream_is_destroyed_before_it_runs),
    cmocka_unit_test(it_is_given_back_when_the_context_is_destroyed_before_it_runs),
    cmocka_unit_test(it_is_given_back_when_there_is_no_function),
    cmocka_unit_test(it_is_given_back_when_an_operation_has_no_function),
    cmocka_unit_test(it_is_given_back_when_there_is_no_stream),
    cmocka_unit_test(it_is_given_back_when_the_handle_is_no_stream),
    cmocka_unit_test(it_is_given_back_when_the_context_is_gone),
    cmocka_unit_test(it_is_given_back_when_a_host_function_may_not_submit_it),
    cmocka_unit_test(it_is_given_back_when_a_fault_skips_the_function),
    cmocka_unit_test(it_is_given_back_when_a_fault_elsewhere_skips_the_function),
    cmocka_unit_test(it_is_given_back_when_the_device_has_failed),
};

SUITE_GROUP(host_data, 1);
