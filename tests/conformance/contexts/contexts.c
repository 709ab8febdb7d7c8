/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: making and sharing them, what is separate in each, what synchronize
 * covers.
 */
#include "conformance/work.h"

/* ---- Making ---------------------------------------------------------------------- */

static void the_primary_context_is_shared_by_all_who_create_it(void **state)
{
    struct fixture *f = *state;
    rill_context *again = NULL;
    rill_stream *stream = NULL;
    ok(rill_context_create(f->platform, NULL, &again));
    assert_ptr_equal(again, f->context);
    ok(rill_context_destroy(&again));
    assert_null(again);
    /* One of its two users is left. */
    ok(rill_context_status(f->context));
    ok(rill_stream_create(f->context, NULL, &stream));
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    ok(rill_stream_destroy(&stream));
    order(f, "a");
}

static void a_context_of_ones_own_is_nobody_elses(void **state)
{
    struct fixture *f = *state;
    rill_context *a = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_context *b = new_context(f, 0, RILL_CONTEXT_OWN);
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(a, f->context);
    assert_ptr_not_equal(b, f->context);
}

static void a_context_knows_its_device_its_platform_and_its_label(void **state)
{
    struct fixture *f = *state;
    const rill_context_options options = {
        .size = sizeof options, .flags = RILL_CONTEXT_OWN, .label = "render",
    };
    rill_context *context = NULL;
    rill_platform *platform = NULL;
    int device = 99;
    ok(rill_context_create(f->platform, &options, &context));
    ok(rill_context_device(context, &device));
    ok(rill_context_platform(context, &platform));
    assert_int_equal(device, 0);
    assert_ptr_equal(platform, f->platform);
    assert_string_equal(rill_context_label(context), "render");
    ok(rill_context_set_label(context, "shade"));
    assert_string_equal(rill_context_label(context), "shade");
    ok(rill_context_destroy(&context));
}

static void a_device_or_a_flag_that_does_not_exist_is_refused(void **state)
{
    struct fixture *f = *state;
    const int wrong[] = { -1, 64, INT32_MAX, INT32_MIN };
    rill_context *context = (rill_context *)0x77;
    for (int i = 0; i < 8; i++) {
        const rill_context_options options = {
            .size = sizeof options, .device = wrong[i / 2], .flags = i & 1 ? RILL_CONTEXT_OWN : 0,
        };
        refuses(RILL_ERROR_INVALID_DEVICE, "options->device",
                rill_context_create(f->platform, &options, &context));
    }
    const rill_context_options flags = { .size = sizeof flags, .flags = 0x2 };
    refuses(RILL_ERROR_INVALID_VALUE, "options->flags",
            rill_context_create(f->platform, &flags, &context));
    assert_ptr_equal(context, (rill_context *)0x77);
}

/* oracle err.ctx_null_out */
static void an_answer_without_a_place_for_it_is_refused(void **state)
{
    struct fixture *f = *state;
    refuses(RILL_ERROR_INVALID_VALUE, "context", rill_context_create(f->platform, NULL, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "device", rill_context_device(f->context, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "platform", rill_context_platform(f->context, NULL));
}

static void either_end_of_the_priority_range_may_be_left_out(void **state)
{
    struct fixture *f = *state;
    int least = 99, greatest = 99, again = 98;
    rill_device_info info = { .size = sizeof info };
    ok(rill_context_priority_range(f->context, &least, &greatest));
    ok(rill_device_get_info(f->platform, 0, &info));
    assert_int_equal(least, info.priority_least);
    assert_int_equal(greatest, info.priority_greatest);
    assert_int_equal(least, 0);
    ok(rill_context_priority_range(f->context, &again, NULL));
    assert_int_equal(again, least);
    ok(rill_context_priority_range(f->context, NULL, &again));
    assert_int_equal(again, greatest);
    ok(rill_context_priority_range(f->context, NULL, NULL));
}

static void no_context_is_an_invalid_context(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    refuses(RILL_ERROR_INVALID_CONTEXT, "context", rill_context_synchronize(NULL));
    is(RILL_ERROR_INVALID_CONTEXT, rill_context_status(NULL));
    is(RILL_ERROR_INVALID_CONTEXT, rill_stream_create(NULL, NULL, &stream));
    is(RILL_ERROR_INVALID_CONTEXT, rill_event_create(NULL, NULL, &event));
    is(RILL_ERROR_INVALID_CONTEXT, rill_context_synchronize((rill_context *)f->platform));
    assert_null(rill_stream_legacy(NULL));
    blames("rill_stream_legacy", "context");
    assert_null(rill_stream_per_thread(NULL));
    assert_null(stream);
    assert_null(event);
    ok(rill_context_destroy(NULL));
}

/* ---- What is separate -------------------------------------------------------------- */

/* DS-9 */
static void each_context_has_a_legacy_stream_of_its_own(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *legacy = rill_stream_legacy(other), *a = new_stream_in(f, other, 0);
    rill_stream *own = new_stream(f);
    struct gate *closed_own = gate(f, own), *closed = gate(f, f->legacy);
    ok(rill_stream_query(legacy));
    mark(f, legacy, '1');
    mark(f, a, '2');
    mark(f, legacy, '3');
    drained(legacy);
    drained(a);
    order(f, "123");
    held(f->legacy);
    open_gate(closed_own);
    open_gate(closed);
}

/* EV-12 */
static void an_event_is_recorded_in_streams_of_its_context_only(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *here = new_stream(f), *there = new_stream_in(f, other, 0);
    rill_event *event = new_event(f), *foreign = new_event_in(f, other, RILL_EVENT_TIMING);
    struct gate *closed = gate(f, here);
    ok(rill_event_record(event, here, 0));
    refuses(RILL_ERROR_INVALID_HANDLE, "event", rill_event_record(event, there, 0));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(event, rill_stream_legacy(other), 0));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(event, rill_stream_per_thread(other), 0));
    event_held(event);
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(foreign, here, 0));
    ok(rill_event_query(foreign));
    ok(rill_stream_query(there));
    open_gate(closed);
    ok(rill_event_synchronize(event));
}

/* EV-12 */
static void a_wait_may_cross_from_one_context_to_another(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *here = new_stream(f), *there = new_stream_in(f, other, 0);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, here);
    mark(f, here, 'a');
    ok(rill_event_record(event, here, 0));
    ok(rill_stream_wait_event(there, event, 0));
    mark(f, there, 'b');
    held(there);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(there));
    order(f, "ab");
    ok(rill_stream_wait_stream(here, there));
    mark(f, here, 'c');
    ok(rill_stream_synchronize(here));
    order(f, "abc");
}

/* EV-13, as measured: not even on one device. */
static void there_is_no_time_between_events_of_two_contexts(void **state)
{
    struct fixture *f = *state;
    rill_context *const contexts[] = { f->context, new_context(f, 0, RILL_CONTEXT_OWN) };
    rill_event *timed[2];
    float milliseconds = 77;
    for (int i = 0; i < 2; i++) {
        timed[i] = new_event_in(f, contexts[i], RILL_EVENT_TIMING);
        ok(rill_event_record(timed[i], new_stream_in(f, contexts[i], 0), 0));
        ok(rill_event_synchronize(timed[i]));
    }
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(timed[0], timed[1], &milliseconds));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(timed[1], timed[0], &milliseconds));
    assert_true(milliseconds == 77);
}

/* ST-13 */
static void a_kernel_is_launched_in_streams_of_its_context_only(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_kernel *kernel = new_kernel(f, f->context, &nop_function);
    rill_stream *foreign[] = { new_stream_in(f, other, 0), rill_stream_legacy(other),
                               rill_stream_per_thread(other) };
    rill_stream *own[] = { new_stream(f), f->legacy, f->per_thread };
    for (int i = 0; i < 3; i++) {
        refuses(RILL_ERROR_INVALID_HANDLE, "kernel",
                rill_launch_kernel(foreign[i], kernel, one, one, 0, NULL));
        ok(rill_stream_query(foreign[i]));
        ok(rill_launch_kernel(own[i], kernel, one, one, 0, NULL));
    }
}

/* ---- Waiting for all ----------------------------------------------------------------- */

static rill_stream *the_legacy(struct fixture *f)
{
    return f->legacy;
}

static rill_stream *the_per_thread(struct fixture *f)
{
    return f->per_thread;
}

/* ST-17 */
static void synchronize_waits_for_every_kind_of_stream(void **state)
{
    struct fixture *f = *state;
    rill_stream *(*const kinds[])(struct fixture *) = { new_stream, new_non_blocking, the_legacy,
                                                        the_per_thread };
    for (int i = 0; i < 4; i++) {
        rill_stream *stream = kinds[i](f);
        struct gate *closed = gate(f, stream);
        mark(f, stream, 'a');
        struct call *call = start_call(f, synchronize_context, f->context);
        blocked(call);
        open_gate(closed);
        ok(finish_call(call));
        ok(rill_stream_query(stream));
        assert_int_equal(atomic_load(&f->mark_count), i + 1);
    }
}

/* ST-17, ST-3 */
static void synchronize_waits_for_streams_that_were_destroyed(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = NULL;
    ok(rill_stream_create(f->context, NULL, &stream));
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    ok(rill_stream_destroy(&stream));
    struct call *call = start_call(f, synchronize_context, f->context);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "a");
}

/* ST-17 */
static void synchronize_waits_for_all_of_many_streams(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 200; i++) {
        rill_stream *stream = new_stream_in(f, f->context, i & 1);
        mark(f, stream, 'a');
        mark(f, stream, 'b');
    }
    ok(rill_context_synchronize(f->context));
    assert_int_equal(atomic_load(&f->mark_count), 400);
}

/* DS-9; oracle stream.legacy_is_per_context */
static void synchronize_does_not_wait_for_another_context(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *here = new_stream(f);
    struct gate *closed = gate(f, here);
    mark(f, new_stream_in(f, other, 0), 'o');
    ok(finish_call(start_call(f, synchronize_context, other)));
    order(f, "o");
    held(here);
    open_gate(closed);
}

/* oracle multi.ctx_sync_separate */
static void synchronize_waits_for_another_context_that_an_event_ties_to_it(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *here = new_stream(f), *there = new_stream_in(f, other, 0);
    struct gate *closed = gate(f, here);
    mark(f, here, 'a');
    ok(rill_stream_wait_stream(there, here));
    mark(f, there, 'b');
    struct call *call = start_call(f, synchronize_context, other);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "ab");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_primary_context_is_shared_by_all_who_create_it),
    cmocka_unit_test(a_context_of_ones_own_is_nobody_elses),
    cmocka_unit_test(a_context_knows_its_device_its_platform_and_its_label),
    cmocka_unit_test(a_device_or_a_flag_that_does_not_exist_is_refused),
    cmocka_unit_test(an_answer_without_a_place_for_it_is_refused),
    cmocka_unit_test(either_end_of_the_priority_range_may_be_left_out),
    cmocka_unit_test(no_context_is_an_invalid_context),
    cmocka_unit_test(each_context_has_a_legacy_stream_of_its_own),
    cmocka_unit_test(an_event_is_recorded_in_streams_of_its_context_only),
    cmocka_unit_test(a_wait_may_cross_from_one_context_to_another),
    cmocka_unit_test(there_is_no_time_between_events_of_two_contexts),
    cmocka_unit_test(a_kernel_is_launched_in_streams_of_its_context_only),
    cmocka_unit_test(synchronize_waits_for_every_kind_of_stream),
    cmocka_unit_test(synchronize_waits_for_streams_that_were_destroyed),
    cmocka_unit_test(synchronize_waits_for_all_of_many_streams),
    cmocka_unit_test(synchronize_does_not_wait_for_another_context),
    cmocka_unit_test(synchronize_waits_for_another_context_that_an_event_ties_to_it),
};

SUITE_GROUP(contexts, 1);
