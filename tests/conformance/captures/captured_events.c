/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that were recorded in a capture: what they stand for meanwhile and afterwards,
 * and which events a capture waits for.
 */
#include "conformance/captures/capturing.h"

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
        assert_string_equal(rill_last_error()->cause.operation,
                            i ? "rill_event_query" : "rill_event_synchronize");
    }
}

/* EV-12 */
static void an_event_of_another_context_is_not_captured(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_stream *s = new_non_blocking(f), *idle_one = new_non_blocking(f);
    rill_event *foreign = new_event_in(f, other, 0);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    refuses(RILL_ERROR_INVALID_HANDLE, "event", rill_event_record(foreign, s, 0));
    ok(rill_event_query(foreign));
    ok(rill_stream_wait_event(idle_one, foreign, 0));
    idle(idle_one);
}

/* EV-4; oracle capture.destroy_joined_side */
static void a_captured_event_may_go_and_what_waited_for_it_still_does(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    rill_event *fork = NULL, *join = NULL;
    ok(rill_event_create(f->context, NULL, &fork));
    ok(rill_event_create(f->context, NULL, &join));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    ok(rill_event_record(fork, s, 0));
    ok(rill_stream_wait_event(side, fork, 0));
    ok(rill_event_destroy(&fork));
    ok(letter(f, side, 'B'));
    ok(rill_event_record(join, side, 0));
    ok(rill_stream_wait_event(s, join, 0));
    ok(rill_event_destroy(&join));
    behind(s, "A,B");
    active(s);
    gives(s, "A B | A>B");
}

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

/* ---- Times ---------------------------------------------------------------------------- */

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

/* What the first event is refused for is said before the second is looked at. */
static void the_first_event_of_a_pair_is_answered_for_first(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_event *captured = new_event_in(f, f->context, RILL_EVENT_TIMING), *plain = new_event(f);
    rill_event *never = new_event_in(f, f->context, RILL_EVENT_TIMING);
    float time;
    ok(rill_event_record(plain, s, 0));
    ok(rill_stream_synchronize(s));
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(rill_event_record(captured, s, 0));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(plain, captured, &time));
    is(RILL_ERROR_CAPTURED_EVENT, rill_event_elapsed(captured, plain, &time));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(never, captured, &time));
    is(RILL_ERROR_CAPTURED_EVENT, rill_event_elapsed(captured, never, &time));
    is(RILL_ERROR_CAPTURED_EVENT, rill_event_elapsed(captured, captured, &time));
    active(s);
    gives(s, "");
    is(RILL_ERROR_INVALID_VALUE, rill_event_elapsed(captured, captured, &time));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(asking_for_a_captured_event_breaks_its_capture),
    cmocka_unit_test(an_event_of_another_context_is_not_captured),
    cmocka_unit_test(a_captured_event_may_go_and_what_waited_for_it_still_does),
    cmocka_unit_test(an_event_of_a_broken_capture_stands_for_nothing),
    cmocka_unit_test(neither_does_one_of_a_capture_that_ended),
    cmocka_unit_test(an_external_record_leaves_the_event_captured),
    cmocka_unit_test(a_capture_does_not_wait_for_events_from_outside),
    cmocka_unit_test(who_waited_for_an_event_before_goes_on_waiting),
    cmocka_unit_test(a_captured_event_has_no_time_whether_it_takes_one_or_not),
    cmocka_unit_test(the_first_event_of_a_pair_is_answered_for_first),
};

SUITE_GROUP(captured_events, 1);
