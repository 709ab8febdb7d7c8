/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two calls that order streams take and refuse.
 */
#include "conformance/fixture.h"

/* EV-10, EV-11 */
static void waiting_for_no_event_or_with_flags_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    rill_event *event = new_event(f);
    struct gate *closed = gate(f, a);
    ok(rill_event_record(event, a, 0));
    refuses(RILL_ERROR_ILLEGAL_STATE, "flags",
            rill_stream_wait_event(b, event, RILL_EVENT_EXTERNAL));
    refuses(RILL_ERROR_INVALID_VALUE, "flags", rill_stream_wait_event(b, event, 2));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_wait_event(b, event, 0x80000000u));
    refuses(RILL_ERROR_INVALID_HANDLE, "event", rill_stream_wait_event(b, NULL, 0));
    refuses(RILL_ERROR_INVALID_HANDLE, "stream", rill_stream_wait_event(NULL, event, 0));
    /* ER-3: none of them made b wait. */
    ok(rill_stream_query(b));
    mark(f, b, 'b');
    drained(b);
    open_gate(closed);
}

/* PG */
static void the_default_streams_wait_for_events_like_others(void **state)
{
    struct fixture *f = *state;
    rill_stream *const defaults[] = { f->legacy, f->per_thread };
    for (int i = 0; i < 2; i++) {
        rill_stream *a = new_non_blocking(f);
        rill_event *event = new_event(f);
        struct gate *closed = gate(f, a);
        ok(rill_event_record(event, a, 0));
        ok(rill_stream_wait_event(defaults[i], event, 0));
        mark(f, defaults[i], 'd');
        held(defaults[i]);
        open_gate(closed);
        ok(rill_stream_synchronize(defaults[i]));
    }
    order(f, "dd");
}

/* PG */
static void events_are_recorded_in_the_default_streams_like_in_others(void **state)
{
    struct fixture *f = *state;
    rill_stream *const defaults[] = { f->legacy, f->per_thread };
    for (int i = 0; i < 2; i++) {
        rill_stream *n = new_non_blocking(f);
        rill_event *event = new_event(f);
        struct gate *closed = gate(f, defaults[i]);
        ok(rill_event_record(event, defaults[i], 0));
        ok(rill_stream_wait_event(n, event, 0));
        mark(f, n, 'n');
        held(n);
        event_held(event);
        open_gate(closed);
        ok(rill_stream_synchronize(n));
    }
    order(f, "nn");
}

static void a_stream_waits_for_what_is_in_another_now(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    struct gate *closed = gate(f, a);
    mark(f, a, 'a');
    ok(rill_stream_wait_stream(b, a));
    struct gate *behind = gate(f, a);
    mark(f, b, 'b');
    held(b);
    order(f, "");
    open_gate(closed);
    drained(b);
    order(f, "ab");
    held(a);
    open_gate(behind);
}

/* DS-5: the content of the legacy stream is that of all blocking streams. */
static void waiting_for_the_legacy_stream_waits_for_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *n = new_non_blocking(f);
    struct gate *closed = gate(f, a);
    ok(rill_stream_wait_stream(n, f->legacy));
    mark(f, n, 'n');
    held(n);
    open_gate(closed);
    ok(rill_stream_synchronize(n));
    order(f, "n");
}

static void waiting_for_an_idle_stream_or_itself_holds_nothing(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    ok(rill_stream_wait_stream(b, a));
    ok(rill_stream_wait_stream(b, b));
    ok(rill_stream_query(b));
    mark(f, b, 'b');
    ok(rill_stream_wait_stream(b, b));
    mark(f, b, 'c');
    ok(rill_stream_synchronize(b));
    order(f, "bc");
}

static void waiting_for_no_stream_is_refused(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    refuses(RILL_ERROR_INVALID_HANDLE, "other", rill_stream_wait_stream(a, NULL));
    refuses(RILL_ERROR_INVALID_HANDLE, "stream", rill_stream_wait_stream(NULL, a));
    refuses(RILL_ERROR_INVALID_HANDLE, "other",
            rill_stream_wait_stream(a, (rill_stream *)f->context));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(waiting_for_no_event_or_with_flags_is_refused),
    cmocka_unit_test(the_default_streams_wait_for_events_like_others),
    cmocka_unit_test(events_are_recorded_in_the_default_streams_like_in_others),
    cmocka_unit_test(a_stream_waits_for_what_is_in_another_now),
    cmocka_unit_test(waiting_for_the_legacy_stream_waits_for_blocking_streams),
    cmocka_unit_test(waiting_for_an_idle_stream_or_itself_holds_nothing),
    cmocka_unit_test(waiting_for_no_stream_is_refused),
};

SUITE_GROUP(stream_waits, 1);
