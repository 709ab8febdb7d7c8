/* SPDX-License-Identifier: Apache-2.0
 *
 * Events: making, recording and asking.
 */
#include "conformance/fixture.h"

/* ---- Making ---------------------------------------------------------------------- */

/* EV-9 */
static void flags_that_do_not_exist_or_go_together_are_refused(void **state)
{
    struct fixture *f = *state;
    const uint32_t refused[] = {
        8, 0x10, 0x80000000u, 0xffffffffu, RILL_EVENT_INTERPROCESS | RILL_EVENT_TIMING,
        RILL_EVENT_INTERPROCESS | RILL_EVENT_TIMING | RILL_EVENT_BLOCKING_SYNC,
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const rill_event_options options = { .size = sizeof options, .flags = refused[i] };
        rill_event *event = (rill_event *)0x77;
        is(RILL_ERROR_INVALID_VALUE, rill_event_create(f->context, &options, &event));
        assert_ptr_equal(event, (rill_event *)0x77);
        blames("rill_event_create", "options->flags");
    }
}

/* EV-9 */
static void every_other_combination_of_flags_makes_an_event(void **state)
{
    struct fixture *f = *state;
    const uint32_t taken[] = {
        0, RILL_EVENT_TIMING, RILL_EVENT_BLOCKING_SYNC,
        RILL_EVENT_TIMING | RILL_EVENT_BLOCKING_SYNC, RILL_EVENT_INTERPROCESS,
        RILL_EVENT_INTERPROCESS | RILL_EVENT_BLOCKING_SYNC,
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        rill_event *event = new_event_in(f, f->context, taken[i]);
        ok(rill_event_record(event, new_stream(f), 0));
        ok(rill_event_synchronize(event));
        ok(rill_event_query(event));
    }
}

static void an_event_knows_its_context_and_its_label(void **state)
{
    struct fixture *f = *state;
    const rill_event_options options = { .size = sizeof options, .label = "uploaded" };
    rill_event *event = NULL;
    rill_context *context = NULL;
    ok(rill_event_create(f->context, &options, &event));
    ok(rill_event_context(event, &context));
    assert_ptr_equal(context, f->context);
    assert_string_equal(rill_event_label(event), "uploaded");
    ok(rill_event_set_label(event, "downloaded"));
    assert_string_equal(rill_event_label(event), "downloaded");
    ok(rill_event_set_label(event, NULL));
    assert_null(rill_event_label(event));
    ok(rill_event_destroy(&event));
    assert_null(event);
}

/* ---- What it stands for ------------------------------------------------------------- */

/* EV-1 */
static void an_event_that_was_never_recorded_is_complete(void **state)
{
    struct fixture *f = *state;
    rill_event *event = new_event(f);
    rill_stream *stream = new_stream(f);
    ok(rill_event_query(event));
    ok(rill_event_synchronize(event));
    ok(rill_stream_wait_event(stream, event, 0));
    ok(rill_stream_query(stream));
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    order(f, "a");
}

/* EV-18 */
static void recorded_in_an_idle_stream_it_completes_without_help(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING };
    for (int i = 0; i < 2; i++) {
        rill_event *event = new_event_in(f, f->context, flags[i]);
        ok(rill_event_record(event, new_stream(f), 0));
        event_drained(event);
    }
}

/* EV-2 */
static void it_waits_for_the_work_before_it_and_not_behind_it(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING };
    for (int i = 0; i < 2; i++) {
        rill_stream *stream = new_stream(f);
        rill_event *event = new_event_in(f, f->context, flags[i]);
        struct gate *before = gate(f, stream);
        ok(rill_event_record(event, stream, 0));
        struct gate *behind = gate(f, stream);
        event_held(event);
        open_gate(before);
        event_drained(event);
        ok(rill_event_query(event));
        held(stream);
        open_gate(behind);
    }
}

/* EV-18 */
static void two_records_in_one_stream_complete_in_order(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *first = new_event(f), *second = new_event(f);
    struct gate *closed_first = gate(f, stream);
    ok(rill_event_record(first, stream, 0));
    struct gate *closed_second = gate(f, stream);
    ok(rill_event_record(second, stream, 0));
    event_held(first);
    event_held(second);
    open_gate(closed_first);
    event_drained(first);
    event_held(second);
    open_gate(closed_second);
    ok(rill_event_synchronize(second));
}

/* EV-2 */
static void recording_again_replaces_what_it_stands_for(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *idle = new_stream(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, a);
    ok(rill_event_record(event, a, 0));
    event_held(event);
    ok(rill_event_record(event, idle, 0));
    event_drained(event);
    ok(rill_event_query(event));
    held(a);
    ok(rill_event_record(event, a, 0));
    event_held(event);
    open_gate(closed);
    ok(rill_event_synchronize(event));
}

/* EV-2 */
static void recording_again_in_the_same_stream_moves_it_on(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING };
    for (int i = 0; i < 2; i++) {
        rill_stream *stream = new_stream(f);
        rill_event *event = new_event_in(f, f->context, flags[i]);
        ok(rill_event_record(event, stream, 0));
        ok(rill_event_synchronize(event));
        struct gate *closed = gate(f, stream);
        ok(rill_event_record(event, stream, 0));
        event_held(event);
        open_gate(closed);
        ok(rill_event_synchronize(event));
    }
}

/* EV-16 */
static void a_host_thread_waits_for_it_however_it_was_told_to_wait(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING, RILL_EVENT_BLOCKING_SYNC };
    for (int i = 0; i < 3; i++) {
        rill_stream *stream = new_stream(f);
        rill_event *event = new_event_in(f, f->context, flags[i]);
        struct gate *closed = gate(f, stream);
        mark(f, stream, 'a');
        ok(rill_event_record(event, stream, 0));
        struct call *call = start_call(f, synchronize_event, event);
        blocked(call);
        open_gate(closed);
        ok(finish_call(call));
        assert_int_equal(atomic_load(&f->mark_count), i + 1);
    }
}

/* EV-17: what the work wrote is there without any synchronize. */
static void a_query_that_succeeds_makes_the_work_visible(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 200; i++) {
        rill_stream *stream = i & 1 ? f->legacy : f->per_thread;
        rill_event *event = new_event(f);
        mark(f, stream, 'a');
        ok(rill_event_record(event, stream, 0));
        event_drained(event);
        assert_int_equal(f->marks[i], 'a');
    }
}

/* EV-4 */
static void a_pending_event_can_be_destroyed(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING };
    for (int i = 0; i < 2; i++) {
        const rill_event_options options = { .size = sizeof options, .flags = flags[i] };
        rill_stream *stream = new_stream(f);
        rill_event *event = NULL;
        ok(rill_event_create(f->context, &options, &event));
        struct gate *closed = gate(f, stream);
        ok(rill_event_record(event, stream, 0));
        ok(rill_event_destroy(&event));
        held(stream);
        open_gate(closed);
        ok(rill_stream_synchronize(stream));
    }
}

/* ---- Arguments ---------------------------------------------------------------------- */

/* EV-11, EV-8 */
static void no_event_is_no_event(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f), *none = NULL;
    float milliseconds;
    refuses(RILL_ERROR_INVALID_HANDLE, "event", rill_event_record(NULL, stream, 0));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_record(NULL, NULL, 0));
    refuses(RILL_ERROR_INVALID_HANDLE, "stream", rill_event_record(event, NULL, 0));
    refuses(RILL_ERROR_INVALID_HANDLE, "event", rill_event_query(NULL));
    refuses(RILL_ERROR_INVALID_HANDLE, "event", rill_event_synchronize(NULL));
    refuses(RILL_ERROR_INVALID_HANDLE, "start", rill_event_elapsed(NULL, event, &milliseconds));
    refuses(RILL_ERROR_INVALID_HANDLE, "end", rill_event_elapsed(event, NULL, &milliseconds));
    ok(rill_event_destroy(NULL));
    ok(rill_event_destroy(&none));
}

/* EV-8 */
static void an_answer_without_a_place_for_it_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_event *event = new_event_in(f, f->context, RILL_EVENT_TIMING);
    ok(rill_event_record(event, new_stream(f), 0));
    ok(rill_event_synchronize(event));
    refuses(RILL_ERROR_INVALID_VALUE, "milliseconds", rill_event_elapsed(event, event, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "context", rill_event_context(event, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "event", rill_event_create(f->context, NULL, NULL));
}

/* EV-10 */
static void a_record_that_is_refused_leaves_the_event_as_it_was(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, stream);
    refuses(RILL_ERROR_ILLEGAL_STATE, "flags",
            rill_event_record(event, stream, RILL_EVENT_EXTERNAL));
    ok(rill_event_query(event));
    refuses(RILL_ERROR_INVALID_VALUE, "flags", rill_event_record(event, stream, 2));
    is(RILL_ERROR_INVALID_VALUE, rill_event_record(event, stream, 0x80000000u));
    is(RILL_ERROR_INVALID_VALUE, rill_event_record(event, stream, 3));
    ok(rill_event_query(event));
    ok(rill_event_record(event, stream, 0));
    event_held(event);
    is(RILL_ERROR_INVALID_VALUE, rill_event_record(event, f->per_thread, 2));
    event_held(event);
    open_gate(closed);
    ok(rill_event_synchronize(event));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(flags_that_do_not_exist_or_go_together_are_refused),
    cmocka_unit_test(every_other_combination_of_flags_makes_an_event),
    cmocka_unit_test(an_event_knows_its_context_and_its_label),
    cmocka_unit_test(an_event_that_was_never_recorded_is_complete),
    cmocka_unit_test(recorded_in_an_idle_stream_it_completes_without_help),
    cmocka_unit_test(it_waits_for_the_work_before_it_and_not_behind_it),
    cmocka_unit_test(two_records_in_one_stream_complete_in_order),
    cmocka_unit_test(recording_again_replaces_what_it_stands_for),
    cmocka_unit_test(recording_again_in_the_same_stream_moves_it_on),
    cmocka_unit_test(a_host_thread_waits_for_it_however_it_was_told_to_wait),
    cmocka_unit_test(a_query_that_succeeds_makes_the_work_visible),
    cmocka_unit_test(a_pending_event_can_be_destroyed),
    cmocka_unit_test(no_event_is_no_event),
    cmocka_unit_test(an_answer_without_a_place_for_it_is_refused),
    cmocka_unit_test(a_record_that_is_refused_leaves_the_event_as_it_was),
};

SUITE_GROUP(events, 1);
