/* SPDX-License-Identifier: Apache-2.0
 *
 * Events and default streams between threads.
 */
#include <sched.h>

#include "conformance/work.h"

enum { CREW = 8, TURNS = 100 };

/* What the members of a crew share. */
struct shared {
    struct fixture *f;
    rill_stream *streams[CREW];
    rill_event *event;
    int plain; /* changed by host functions, without any lock */
    atomic_int turn;
    struct turn {
        struct shared *shared;
        int number;
    } turns[TURNS];
    int logged[TURNS];
};

static void add_one(void *data)
{
    ++*(int *)data;
}

static void record_or_wait(void *data, int index)
{
    struct shared *shared = data;
    if (!index) {
        works(shared->f, rill_launch_host(shared->streams[0], add_one, &shared->plain, NULL));
        works(shared->f, rill_event_record(shared->event, shared->streams[0], 0));
        atomic_store(&shared->turn, 1);
        return;
    }
    while (!atomic_load(&shared->turn)) sched_yield();
    works(shared->f, rill_stream_wait_event(shared->streams[1], shared->event, 0));
}

/* TS-1; oracle thread.event_between_threads */
static void one_thread_records_an_event_and_another_waits_for_it(void **state)
{
    struct fixture *f = *state;
    struct shared shared = { .f = f, .event = new_event(f) };
    shared.streams[0] = new_non_blocking(f);
    shared.streams[1] = new_non_blocking(f);
    struct gate *closed = gate(f, shared.streams[0]);
    crew(2, record_or_wait, &shared);
    mark(f, shared.streams[1], 'b');
    held(shared.streams[1]);
    assert_int_equal(shared.plain, 0);
    open_gate(closed);
    ok(rill_stream_synchronize(shared.streams[1]));
    all_worked(shared.f);
    assert_int_equal(shared.plain, 1);
}

static void log_turn(void *data)
{
    struct turn *turn = data;
    turn->shared->logged[turn->shared->plain++] = turn->number;
}

/* A baton: thread i submits every fourth step, each step behind the one before
 * it through the one event; the host's turns only order the calls. */
static void pass_the_baton(void *data, int index)
{
    struct shared *shared = data;
    for (int round = 0; round < 25; round++) {
        int turn = round * 4 + index;
        while (atomic_load(&shared->turn) < turn) sched_yield();
        if (turn)
            works(shared->f, rill_stream_wait_event(shared->streams[index], shared->event, 0));
        shared->turns[turn] = (struct turn){ shared, turn };
        works(shared->f, rill_launch_host(shared->streams[index], log_turn, &shared->turns[turn],
                                          NULL));
        works(shared->f, rill_event_record(shared->event, shared->streams[index], 0));
        atomic_store(&shared->turn, turn + 1);
    }
}

/* EV-2, EV-3 */
static void four_threads_pass_one_event_around(void **state)
{
    struct shared shared = { .f = *state };
    shared.event = new_event(shared.f);
    for (int i = 0; i < 4; i++) shared.streams[i] = new_non_blocking(shared.f);
    crew(4, pass_the_baton, &shared);
    ok(rill_event_synchronize(shared.event));
    all_worked(shared.f);
    assert_int_equal(shared.plain, TURNS);
    for (int i = 0; i < TURNS; i++) assert_int_equal(shared.logged[i], i);
}

static void do_everything_with_the_event(void *data, int index)
{
    struct shared *shared = data;
    rill_stream *own = shared->streams[index];
    for (int i = 0; i < 100; i++) {
        works(shared->f, rill_event_record(shared->event, own, 0));
        works(shared->f, rill_stream_wait_event(own, shared->event, 0));
        rill_status status = rill_event_query(shared->event);
        works(shared->f, status == RILL_ERROR_NOT_READY ? RILL_SUCCESS : status);
        if (i % 10 == index) works(shared->f, rill_event_synchronize(shared->event));
    }
}

/* TS-1 */
static void threads_record_wait_for_and_ask_one_event_at_once(void **state)
{
    struct fixture *f = *state;
    const uint32_t flags[] = { 0, RILL_EVENT_TIMING };
    for (int kind = 0; kind < 2; kind++) {
        struct shared shared = { .f = f, .event = new_event_in(f, f->context, flags[kind]) };
        for (int i = 0; i < CREW; i++) shared.streams[i] = new_stream_in(f, f->context, i & 1);
        crew(CREW, do_everything_with_the_event, &shared);
        ok(rill_context_synchronize(f->context));
        ok(rill_event_query(shared.event));
        all_worked(shared.f);
    }
}

/* ---- Default streams ---------------------------------------------------------------------- */

static void mix_default_streams(void *data, int index)
{
    struct shared *shared = data;
    struct fixture *f = shared->f;
    rill_stream *const streams[] = { f->legacy, shared->streams[index], f->per_thread };
    for (int i = 0; i < 60; i++) {
        rill_stream *stream = streams[i % 3];
        works(shared->f, rill_launch_host(stream, count_up, &shared->turn, NULL));
        if (i % 15 == index) works(shared->f, rill_stream_synchronize(stream));
    }
}

/* DS-1, DS-2: waits in both directions, submitted at once, never form a circle. */
static void threads_that_mix_default_and_other_streams_do_not_deadlock(void **state)
{
    struct fixture *f = *state;
    struct shared shared = { .f = f };
    for (int i = 0; i < CREW; i++) shared.streams[i] = new_stream(f);
    crew(CREW, mix_default_streams, &shared);
    ok(rill_context_synchronize(f->context));
    all_worked(shared.f);
    assert_int_equal(atomic_load(&shared.turn), CREW * 60);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_thread_records_an_event_and_another_waits_for_it),
    cmocka_unit_test(four_threads_pass_one_event_around),
    cmocka_unit_test(threads_record_wait_for_and_ask_one_event_at_once),
    cmocka_unit_test(threads_that_mix_default_and_other_streams_do_not_deadlock),
};

SUITE_GROUP(threads_and_events, 1);
