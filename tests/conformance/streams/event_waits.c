/* SPDX-License-Identifier: Apache-2.0
 *
 * The order that events bring among streams.
 */
#include "conformance/fixture.h"

#include <string.h>

/* PG: the plain case */
static void a_stream_runs_on_after_the_event_that_it_waits_for(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    struct gate *behind = gate(f, a);
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    held(b);
    order(f, "");
    open_gate(closed);
    drained(b);
    order(f, "ab");
    held(a);
    open_gate(behind);
}

/* The same through a value: what a wrote, b reads. */
static void what_was_written_before_the_event_is_seen_after_the_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_event *event = new_event(f);
    atomic_uint *word = new_word(f);
    struct gate *closed = gate(f, a);
    ok(rill_stream_write_value32(a, address_of(f, word), 5, 0));
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_wait_event(b, event, 0));
    ok(rill_stream_wait_value32(b, address_of(f, word), 5, RILL_WAIT_EQ));
    ok(rill_stream_write_value32(b, address_of(f, word), 6, 0));
    held(b);
    assert_int_equal(atomic_load(word), 0);
    open_gate(closed);
    ok(rill_stream_synchronize(b));
    assert_int_equal(atomic_load(word), 6);
}

static void a_wait_does_not_hold_what_was_submitted_before_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    rill_event *event = new_event(f), *before = new_event(f);
    struct gate *closed = gate(f, a);
    ok(rill_event_record(event, a, 0));
    mark(f, b, '1');
    ok(rill_event_record(before, b, 0));
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, '2');
    event_drained(before);
    order(f, "1");
    held(b);
    open_gate(closed);
    ok(rill_stream_synchronize(b));
    order(f, "12");
}

/* EV-1, EV-3 */
static void a_wait_for_a_complete_event_holds_nothing(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    rill_event *event = new_event(f);
    ok(rill_event_record(event, a, 0));
    struct gate *closed = gate(f, a);
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    drained(b);
    order(f, "b");
    held(a);
    open_gate(closed);
}

static void a_stream_may_wait_for_an_event_of_its_own(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, a);
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_wait_event(a, event, 0));
    mark(f, a, 'a');
    held(a);
    open_gate(closed);
    ok(rill_stream_synchronize(a));
    order(f, "a");
}

/* EV-3: a record that comes after the wait does not move it. */
static void a_wait_takes_the_record_that_is_latest_when_it_is_called(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING };
    for (int i = 0; i < 2; i++) {
        rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f), *c = new_non_blocking(f);
        rill_event *event = new_event_in(f, f->context, flags[i]);
        ok(rill_event_record(event, a, 0));
        ok(rill_stream_wait_event(b, event, 0));
        struct gate *closed = gate(f, c);
        ok(rill_event_record(event, c, 0));
        drained(b);
        event_held(event);
        open_gate(closed);
        ok(rill_event_synchronize(event));
    }
}

/* EV-3: nor does one that is complete set it free. */
static void a_wait_keeps_its_record_when_a_later_one_completes_first(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f), *idle = new_stream(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, a);
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    ok(rill_event_record(event, idle, 0));
    event_drained(event);
    held(b);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(b));
}

/* EV-4 */
static void a_wait_outlives_its_event(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    rill_event *event = NULL;
    ok(rill_event_create(f->context, NULL, &event));
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    ok(rill_event_destroy(&event));
    /* One that is made in its place starts afresh. */
    rill_event *fresh = new_event(f);
    ok(rill_event_query(fresh));
    ok(rill_event_record(fresh, new_non_blocking(f), 0));
    event_drained(fresh);
    held(b);
    open_gate(closed);
    ok(rill_stream_synchronize(b));
    order(f, "ab");
}

/* ST-3 */
static void a_wait_outlives_the_stream_that_it_waits_for(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = NULL, *b = new_stream(f);
    rill_event *event = new_event(f);
    ok(rill_stream_create(f->context, NULL, &a));
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    ok(rill_stream_destroy(&a));
    held(b);
    event_held(event);
    open_gate(closed);
    ok(rill_stream_synchronize(b));
    order(f, "ab");
}

/* ST-3 */
static void a_stream_that_waits_can_be_destroyed(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = NULL;
    rill_event *event = new_event(f), *last = new_event(f);
    ok(rill_stream_create(f->context, NULL, &b));
    struct gate *closed = gate(f, a);
    ok(rill_event_record(event, a, 0));
    ok(rill_stream_wait_event(b, event, 0));
    mark(f, b, 'b');
    ok(rill_event_record(last, b, 0));
    ok(rill_stream_destroy(&b));
    event_held(last);
    open_gate(closed);
    ok(rill_event_synchronize(last));
    order(f, "b");
}

static void a_stream_waits_for_all_the_events_that_it_was_given(void **state)
{
    struct fixture *f = *state;
    rill_stream *last = new_stream(f);
    struct gate *closed[8];
    for (int i = 0; i < 8; i++) {
        rill_stream *one = new_stream(f);
        rill_event *event = new_event(f);
        closed[i] = gate(f, one);
        ok(rill_event_record(event, one, 0));
        ok(rill_stream_wait_event(last, event, 0));
    }
    mark(f, last, 'z');
    /* The last to open is in the middle. */
    for (int i = 0; i < 8; i++)
        if (i != 4) open_gate(closed[i]);
    held(last);
    order(f, "");
    open_gate(closed[4]);
    ok(rill_stream_synchronize(last));
    order(f, "z");
}

static void one_event_holds_any_number_of_streams(void **state)
{
    struct fixture *f = *state;
    if (!suite->expects.has_a_queue_for_each_stream)
        skip_since("streams share the queues of the hardware");
    rill_stream *a = new_stream(f), *others[50];
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_event_record(event, a, 0));
    for (int i = 0; i < 50; i++) {
        others[i] = new_stream(f);
        ok(rill_stream_wait_event(others[i], event, 0));
        mark(f, others[i], 'b');
    }
    for (int i = 0; i < 50; i += 7) held(others[i]);
    order(f, "");
    open_gate(closed);
    ok(rill_context_synchronize(f->context));
    assert_int_equal(strlen(f->marks), 51);
    assert_int_equal(f->marks[0], 'a');
}

/* ---- Shapes ------------------------------------------------------------------------- */

static void follow(struct fixture *f, rill_stream *later, rill_stream *earlier)
{
    rill_event *event = NULL;
    ok(rill_event_create(f->context, NULL, &event));
    ok(rill_event_record(event, earlier, 0));
    ok(rill_stream_wait_event(later, event, 0));
    ok(rill_event_destroy(&event));
}

static void a_diamond_forks_and_joins(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f), *c = new_non_blocking(f);
    struct gate *closed = gate(f, a);
    mark(f, a, '1');
    follow(f, b, a);
    follow(f, c, a);
    mark(f, b, '2');
    mark(f, b, '3');
    mark(f, c, '4');
    mark(f, c, '5');
    follow(f, a, b);
    follow(f, a, c);
    mark(f, a, '6');
    held(a);
    held(b);
    held(c);
    open_gate(closed);
    ok(rill_stream_synchronize(a));
    ok(rill_stream_query(b));
    ok(rill_stream_query(c));
    ordered(f, "1", "23456");
    ordered(f, "2", "3");
    ordered(f, "4", "5");
    ordered(f, "12345", "6");
}

static void a_chain_goes_around_four_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *streams[4];
    rill_event *events[64];
    char wanted[65] = "";
    for (int i = 0; i < 4; i++) streams[i] = new_non_blocking(f);
    for (int i = 0; i < 64; i++) events[i] = new_event(f);
    struct gate *closed = gate(f, streams[0]);
    for (int i = 0; i < 64; i++) {
        if (i) ok(rill_stream_wait_event(streams[i & 3], events[i - 1], 0));
        wanted[i] = (char)('0' + i);
        mark(f, streams[i & 3], wanted[i]);
        ok(rill_event_record(events[i], streams[i & 3], 0));
    }
    event_held(events[63]);
    order(f, "");
    open_gate(closed);
    ok(rill_event_synchronize(events[63]));
    order(f, wanted);
}

/* EV-2, EV-3 */
static void one_event_carries_sixty_four_hops(void **state)
{
    struct fixture *f = *state;
    rill_stream *streams[2] = { new_non_blocking(f), new_non_blocking(f) };
    rill_event *event = new_event(f);
    char wanted[65] = "";
    struct gate *closed = gate(f, streams[0]);
    for (int i = 0; i < 64; i++) {
        if (i) ok(rill_stream_wait_event(streams[i & 1], event, 0));
        wanted[i] = (char)('0' + i);
        mark(f, streams[i & 1], wanted[i]);
        ok(rill_event_record(event, streams[i & 1], 0));
    }
    event_held(event);
    open_gate(closed);
    ok(rill_event_synchronize(event));
    order(f, wanted);
}

/* A waiting thread finds the way to what holds everything up, however far. */
static void three_hundred_streams_wait_one_for_the_other(void **state)
{
    struct fixture *f = *state;
    if (!suite->expects.has_a_queue_for_each_stream)
        skip_since("streams share the queues of the hardware");
    rill_stream *first = new_non_blocking(f), *before = first;
    struct gate *closed = gate(f, first);
    for (int i = 0; i < 300; i++) {
        rill_stream *next = new_non_blocking(f);
        follow(f, next, before);
        mark(f, next, (char)('0' + i % 64));
        before = next;
    }
    held(before);
    struct call *call = start_call(f, synchronize_stream, before);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    for (int i = 0; i < 300; i++) assert_int_equal(f->marks[i], '0' + i % 64);
}

/* The same when nothing is held: whoever waits last runs it all. */
static void a_long_way_back_needs_no_gate_to_be_found(void **state)
{
    struct fixture *f = *state;
    rill_stream *before = new_non_blocking(f);
    mark(f, before, 'a');
    for (int i = 0; i < 300; i++) {
        rill_stream *next = new_non_blocking(f);
        follow(f, next, before);
        mark(f, next, (char)('0' + i % 64));
        before = next;
    }
    ok(rill_stream_synchronize(before));
    for (int i = 0; i < 300; i++) assert_int_equal(f->marks[i + 1], '0' + i % 64);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_stream_runs_on_after_the_event_that_it_waits_for),
    cmocka_unit_test(what_was_written_before_the_event_is_seen_after_the_wait),
    cmocka_unit_test(a_wait_does_not_hold_what_was_submitted_before_it),
    cmocka_unit_test(a_wait_for_a_complete_event_holds_nothing),
    cmocka_unit_test(a_stream_may_wait_for_an_event_of_its_own),
    cmocka_unit_test(a_wait_takes_the_record_that_is_latest_when_it_is_called),
    cmocka_unit_test(a_wait_keeps_its_record_when_a_later_one_completes_first),
    cmocka_unit_test(a_wait_outlives_its_event),
    cmocka_unit_test(a_wait_outlives_the_stream_that_it_waits_for),
    cmocka_unit_test(a_stream_that_waits_can_be_destroyed),
    cmocka_unit_test(a_stream_waits_for_all_the_events_that_it_was_given),
    cmocka_unit_test(one_event_holds_any_number_of_streams),
    cmocka_unit_test(a_diamond_forks_and_joins),
    cmocka_unit_test(a_chain_goes_around_four_streams),
    cmocka_unit_test(one_event_carries_sixty_four_hops),
    cmocka_unit_test(three_hundred_streams_wait_one_for_the_other),
    cmocka_unit_test(a_long_way_back_needs_no_gate_to_be_found),
};

SUITE_GROUP(event_waits, 1);
