/* SPDX-License-Identifier: Apache-2.0
 *
 * The per-thread default stream: a blocking stream of each thread's own.
 */
#include "conformance/fixture.h"

/* DS-4 */
static void it_waits_for_the_legacy_stream(void **state)
{
    struct fixture *f = *state;
    struct gate *closed = gate(f, f->legacy);
    mark(f, f->legacy, 'L');
    mark(f, f->per_thread, 'p');
    held(f->per_thread);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(f->per_thread));
    order(f, "Lp");
}

/* DS-4 */
static void the_legacy_stream_waits_for_it(void **state)
{
    struct fixture *f = *state;
    struct gate *closed = gate(f, f->per_thread);
    mark(f, f->per_thread, 'p');
    mark(f, f->legacy, 'L');
    held(f->legacy);
    order(f, "");
    open_gate(closed);
    ok(rill_stream_synchronize(f->legacy));
    order(f, "pL");
}

/* DS-4: blocking towards the legacy stream, and that is all. */
static void it_does_not_wait_for_other_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f);
    struct gate *closed = gate(f, a);
    mark(f, f->per_thread, 'p');
    drained(f->per_thread);
    held(a);
    open_gate(closed);
    ok(rill_stream_synchronize(a));
    struct gate *own = gate(f, f->per_thread);
    mark(f, a, 'a');
    drained(a);
    held(f->per_thread);
    open_gate(own);
    order(f, "pa");
}

/* ST-5 */
static void its_operations_run_in_the_order_of_their_submission(void **state)
{
    struct fixture *f = *state;
    struct gate *closed = gate(f, f->per_thread);
    for (char letter = 'a'; letter <= 'f'; letter++) mark(f, f->per_thread, letter);
    held(f->per_thread);
    open_gate(closed);
    ok(rill_stream_synchronize(f->per_thread));
    order(f, "abcdef");
}

/* What a second thread does with its own default stream; plain calls, since it
 * may not end the test. */
struct second {
    struct fixture *f;
    rill_devptr gate;
    rill_event *event;
    rill_status wait, host, record, query;
};

static void write_p(void *data)
{
    note(data, 'p');
}

static void submit_and_end(void *data, int index)
{
    struct second *second = data;
    rill_stream *own = second->f->per_thread;
    (void)index;
    second->wait = rill_stream_wait_value32(own, second->gate, 1, RILL_WAIT_EQ);
    second->host = rill_launch_host(own, write_p, second->f, NULL);
    second->record = rill_event_record(second->event, own, 0);
    second->query = rill_stream_query(own);
}

/* Leaves a closed gate and the mark 'p' in the default stream of a thread that
 * has ended by then. */
static struct gate *leave_work_behind(struct fixture *f, rill_event *event)
{
    struct gate *closed = new_gate(f);
    struct second second = { .f = f, .gate = address_of(f, closed->word), .event = event };
    crew(1, submit_and_end, &second);
    ok(second.wait);
    ok(second.host);
    ok(second.record);
    is(RILL_ERROR_NOT_READY, second.query);
    return closed;
}

/* DS-4 */
static void the_streams_of_two_threads_are_not_ordered(void **state)
{
    struct fixture *f = *state;
    rill_event *event = new_event(f);
    struct gate *closed = leave_work_behind(f, event);
    mark(f, f->per_thread, 'm');
    ok(rill_stream_synchronize(f->per_thread));
    order(f, "m");
    event_held(event);
    open_gate(closed);
    ok(rill_event_synchronize(event));
    order(f, "mp");
}

/* ST-3: as when a stream is destroyed. */
static void what_an_ended_thread_left_in_it_still_runs(void **state)
{
    struct fixture *f = *state;
    rill_event *event = new_event(f);
    struct gate *closed = leave_work_behind(f, event);
    event_held(event);
    order(f, "");
    open_gate(closed);
    ok(rill_event_synchronize(event));
    order(f, "p");
}

/* DS-4, DS-7 */
static void the_legacy_stream_waits_for_what_an_ended_thread_left(void **state)
{
    struct fixture *f = *state;
    struct gate *closed = leave_work_behind(f, new_event(f));
    held(f->legacy);
    mark(f, f->legacy, 'L');
    held(f->legacy);
    open_gate(closed);
    ok(rill_stream_synchronize(f->legacy));
    order(f, "pL");
}

/* ST-17 */
static void the_context_waits_for_what_an_ended_thread_left(void **state)
{
    struct fixture *f = *state;
    struct gate *closed = leave_work_behind(f, new_event(f));
    struct call *call = start_call(f, synchronize_context, f->context);
    blocked(call);
    open_gate(closed);
    ok(finish_call(call));
    order(f, "p");
}

struct many_threads {
    struct fixture *f;
    atomic_int wrong;
};

static void use_own_stream(void *data, int index)
{
    struct many_threads *many = data;
    rill_stream *own = many->f->per_thread;
    (void)index;
    for (int i = 0; i < 20; i++)
        if (rill_launch_host(own, write_p, many->f, NULL)) atomic_fetch_add(&many->wrong, 1);
    if (rill_stream_synchronize(own)) atomic_fetch_add(&many->wrong, 1);
}

/* DS-4 */
static void many_threads_come_use_theirs_and_go(void **state)
{
    struct many_threads many = { .f = *state };
    for (int i = 0; i < 10; i++) crew(8, use_own_stream, &many);
    assert_int_equal(atomic_load(&many.wrong), 0);
    assert_int_equal(atomic_load(&many.f->mark_count), 1600);
}

/* DS-4, DS-9 */
static void a_thread_has_one_in_each_context(void **state)
{
    struct fixture *f = *state;
    rill_stream *other = rill_stream_per_thread(new_context(f, 0, RILL_CONTEXT_OWN));
    struct gate *closed = gate(f, f->per_thread);
    mark(f, other, 'o');
    drained(other);
    held(f->per_thread);
    order(f, "o");
    open_gate(closed);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(it_waits_for_the_legacy_stream),
    cmocka_unit_test(the_legacy_stream_waits_for_it),
    cmocka_unit_test(it_does_not_wait_for_other_blocking_streams),
    cmocka_unit_test(its_operations_run_in_the_order_of_their_submission),
    cmocka_unit_test(the_streams_of_two_threads_are_not_ordered),
    cmocka_unit_test(what_an_ended_thread_left_in_it_still_runs),
    cmocka_unit_test(the_legacy_stream_waits_for_what_an_ended_thread_left),
    cmocka_unit_test(the_context_waits_for_what_an_ended_thread_left),
    cmocka_unit_test(many_threads_come_use_theirs_and_go),
    cmocka_unit_test(a_thread_has_one_in_each_context),
};

SUITE_GROUP(per_thread_streams, 1);
