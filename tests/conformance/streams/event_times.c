/* SPDX-License-Identifier: Apache-2.0
 *
 * The time between two events.
 */
#include "conformance/fixture.h"

#include <time.h>

static rill_event *timed(struct fixture *f)
{
    return new_event_in(f, f->context, RILL_EVENT_TIMING);
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* EV-14 */
static void elapsed_time_is_the_time_between_the_records(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *start = timed(f), *end = timed(f);
    float forth = 0, back = 0;
    double before = now_ms();
    ok(rill_event_record(start, stream, 0));
    ok(rill_event_synchronize(start));
    double between = now_ms();
    struct gate *closed = gate(f, stream);
    ok(rill_event_record(end, stream, 0));
    while (now_ms() < between + 3) continue;
    double opened = now_ms();
    open_gate(closed);
    ok(rill_event_synchronize(end));
    double after = now_ms();
    ok(rill_event_elapsed(start, end, &forth));
    ok(rill_event_elapsed(end, start, &back));
    assert_true(forth >= 0.99 * (opened - between));
    assert_true(forth <= 1.01 * (after - before));
    assert_true(back == -forth);
}

/* EV-14 */
static void elapsed_time_follows_the_latest_record(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *first = timed(f), *second = timed(f);
    float milliseconds = 0;
    ok(rill_event_record(first, stream, 0));
    ok(rill_event_synchronize(first));
    ok(rill_event_record(second, stream, 0));
    ok(rill_event_synchronize(second));
    ok(rill_event_elapsed(first, second, &milliseconds));
    assert_true(milliseconds >= 0);
    for (double end = now_ms() + 1; now_ms() < end;) continue;
    ok(rill_event_record(first, stream, 0));
    ok(rill_event_synchronize(first));
    ok(rill_event_elapsed(first, second, &milliseconds));
    assert_true(milliseconds <= -0.9f);
}

/* EV-5 */
static void elapsed_time_needs_both_events_recorded(void **state)
{
    struct fixture *f = *state;
    rill_event *recorded = timed(f), *never = timed(f), *also_never = timed(f);
    float milliseconds = 77;
    ok(rill_event_record(recorded, new_stream(f), 0));
    ok(rill_event_synchronize(recorded));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(never, also_never, &milliseconds));
    refuses(RILL_ERROR_INVALID_HANDLE, "start", rill_event_elapsed(never, recorded, &milliseconds));
    refuses(RILL_ERROR_INVALID_HANDLE, "end", rill_event_elapsed(recorded, never, &milliseconds));
    assert_true(milliseconds == 77);
    ok(rill_event_elapsed(recorded, recorded, &milliseconds));
    assert_true(milliseconds == 0);
}

/* EV-6 */
static void elapsed_time_is_not_ready_before_both_are_complete(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *complete = timed(f), *pending = timed(f);
    float milliseconds = 77;
    ok(rill_event_record(complete, stream, 0));
    struct gate *closed = gate(f, stream);
    ok(rill_event_record(pending, stream, 0));
    event_drained(complete);
    is(RILL_ERROR_NOT_READY, rill_event_elapsed(complete, pending, &milliseconds));
    is(RILL_ERROR_NOT_READY, rill_event_elapsed(pending, complete, &milliseconds));
    is(RILL_ERROR_NOT_READY, rill_event_elapsed(pending, pending, &milliseconds));
    assert_true(milliseconds == 77);
    open_gate(closed);
    ok(rill_event_synchronize(pending));
    ok(rill_event_elapsed(complete, pending, &milliseconds));
    assert_true(milliseconds >= 0);
}

/* EV-7 */
static void elapsed_time_needs_events_with_timing(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *with = timed(f), *without = new_event(f);
    float milliseconds;
    ok(rill_event_record(with, stream, 0));
    ok(rill_event_record(without, stream, 0));
    ok(rill_stream_synchronize(stream));
    refuses(RILL_ERROR_INVALID_HANDLE, "start", rill_event_elapsed(without, with, &milliseconds));
    refuses(RILL_ERROR_INVALID_HANDLE, "end", rill_event_elapsed(with, without, &milliseconds));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(without, without, &milliseconds));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(elapsed_time_is_the_time_between_the_records),
    cmocka_unit_test(elapsed_time_follows_the_latest_record),
    cmocka_unit_test(elapsed_time_needs_both_events_recorded),
    cmocka_unit_test(elapsed_time_is_not_ready_before_both_are_complete),
    cmocka_unit_test(elapsed_time_needs_events_with_timing),
};

SUITE_GROUP(event_times, 1);
