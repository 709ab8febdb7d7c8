/* SPDX-License-Identifier: Apache-2.0
 *
 * How the simulator's engine runs strands: who helps, what is counted, and how much
 * memory that takes.
 */
#include <sched.h>
#include <stdlib.h>

#include "sim/on_sim.h"

static rill_sim_counters counters(struct fixture *f)
{
    rill_sim_counters now = { .size = sizeof now };
    ok(rill_sim_get_counters(f->platform, &now));
    return now;
}

static void do_nothing(void *data)
{
    (void)data;
}

/* ---- Helping ------------------------------------------------------------------------ */

static void who_runs(void *data)
{
    *(pthread_t *)data = pthread_self();
}

/* A worker may be quicker now and then; that it is usually needs a switch of
 * threads for every wait. */
static void a_thread_that_waits_runs_the_work_itself(void **state)
{
    enum { ROUNDS = 400 };
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    int own = 0;
    rill_sim_counters before = counters(f);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t runner;
        ok(rill_launch_host(stream, who_runs, &runner, NULL));
        ok(rill_stream_synchronize(stream));
        own += pthread_equal(runner, pthread_self()) != 0;
    }
    rill_sim_counters after = counters(f);
    assert_in_range(own, ROUNDS / 2, ROUNDS);
    assert_in_range(after.helped - before.helped, own, ROUNDS);
}

static void a_thread_that_waits_for_an_event_runs_the_work_itself(void **state)
{
    enum { ROUNDS = 400 };
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f);
    int own = 0;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t runner;
        ok(rill_launch_host(stream, who_runs, &runner, NULL));
        ok(rill_event_record(event, stream, 0));
        ok(rill_event_synchronize(event));
        own += pthread_equal(runner, pthread_self()) != 0;
    }
    assert_in_range(own, ROUNDS / 2, ROUNDS);
}

/* Each hop is from one stream to the other and back, waited for at the end.  A
 * worker is woken now and then to keep watch; a hop of its own takes none. */
static void hops_between_streams_wake_nobody(void **state)
{
    enum { ROUNDS = 200, HOPS = 10 };
    struct fixture *f = *state;
    rill_stream *streams[] = { new_stream(f), new_stream(f) };
    rill_event *event = new_event(f);
    rill_sim_counters before = counters(f);
    for (int round = 0; round < ROUNDS; round++) {
        for (int hop = 0; hop < HOPS; hop++) {
            rill_stream *stream = streams[hop & 1];
            if (hop) ok(rill_stream_wait_event(stream, event, 0));
            ok(rill_launch_host(stream, do_nothing, NULL, NULL));
            ok(rill_event_record(event, stream, 0));
        }
        ok(rill_event_synchronize(event));
    }
    rill_sim_counters after = counters(f);
    assert_true(after.operations - before.operations >= ROUNDS * HOPS);
    assert_in_range(after.wakes - before.wakes, 0, ROUNDS * HOPS / 4);
}

static atomic_int others;

static void count_others(void *data)
{
    if (pthread_equal(*(pthread_t *)data, pthread_self())) atomic_fetch_add(&others, 1);
}

/* Else a short wait could take as long as all work that there is. */
static void a_thread_that_waits_runs_only_what_it_waits_for(void **state)
{
    struct fixture *f = *state;
    rill_stream *wanted = new_stream(f), *other = new_stream(f), *behind = new_stream(f);
    pthread_t self = pthread_self();
    rill_event *event = new_event(f);
    atomic_store(&others, 0);
    for (int i = 0; i < 200; i++) {
        ok(rill_launch_host(other, count_others, &self, NULL));
        ok(rill_launch_host(wanted, do_nothing, NULL, NULL));
        ok(rill_event_record(event, wanted, 0));
        ok(rill_launch_host(wanted, count_others, &self, NULL));
        ok(rill_stream_wait_event(behind, event, 0));
        ok(rill_launch_host(behind, count_others, &self, NULL));
        ok(rill_event_synchronize(event));
        /* Without helping: by queries alone. */
        drained(wanted);
        drained(other);
        drained(behind);
    }
    assert_int_equal(atomic_load(&others), 0);
}

/* ---- Counters ------------------------------------------------------------------------- */

static void operations_are_counted_when_they_are_done(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_sim_counters before = counters(f);
    for (int i = 0; i < 100; i++) mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    /* A runner adds its count when it lets go. */
    while (counters(f).operations < before.operations + 100) sched_yield();
    assert_int_equal(counters(f).operations, before.operations + 100);
}

static void a_strand_that_must_wait_is_counted(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *b = new_stream(f);
    rill_sim_counters before = counters(f);
    struct gate *closed = gate(f, a);
    ok(rill_stream_wait_stream(b, a));
    mark(f, b, 'b');
    held(a);
    held(b);
    while (counters(f).parks < before.parks + 2) sched_yield();
    open_gate(closed);
    ok(rill_stream_synchronize(b));
}

static void the_counters_want_a_struct_of_their_size(void **state)
{
    struct fixture *f = *state;
    rill_sim_counters wrong = { .size = sizeof wrong - 1 };
    is(RILL_ERROR_INVALID_VALUE, rill_sim_get_counters(f->platform, NULL));
    blames("rill_sim_get_counters", "counters");
    is(RILL_ERROR_INVALID_VALUE, rill_sim_get_counters(f->platform, &wrong));
    is(RILL_ERROR_NOT_INITIALIZED, rill_sim_get_counters(NULL, &wrong));
    blames("rill_sim_get_counters", "platform");
}

/* ---- Memory ---------------------------------------------------------------------------- */

static void a_stream_gives_the_memory_of_a_long_queue_back(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = NULL;
    ok(rill_stream_create(f->context, NULL, &stream));
    uint64_t before = counters(f).queue_bytes;
    struct gate *closed = gate(f, stream);
    for (int i = 0; i < 50000; i++) ok(rill_launch_host(stream, do_nothing, NULL, NULL));
    assert_true(counters(f).queue_bytes - before >= 50000 * 16);
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    assert_in_range(counters(f).queue_bytes - before, 0, 64 << 10);
    ok(rill_stream_destroy(&stream));
    /* Whoever ran it last may still hold it for a moment. */
    while (counters(f).queue_bytes > before) sched_yield();
}

static void ten_thousand_idle_streams_cost_little(void **state)
{
    enum { STREAMS = 10000 };
    struct fixture *f = *state;
    rill_stream **streams = calloc(STREAMS, sizeof *streams);
    assert_non_null(streams);
    uint64_t before = counters(f).queue_bytes;
    for (int i = 0; i < STREAMS; i++) {
        ok(rill_stream_create(f->context, NULL, &streams[i]));
        ok(rill_launch_host(streams[i], do_nothing, NULL, NULL));
    }
    ok(rill_context_synchronize(f->context));
    assert_in_range(counters(f).queue_bytes - before, 0, (uint64_t)STREAMS * 1024);
    /* What the legacy stream must wait for is what was used since it last
     * looked, not what there is. */
    mark(f, f->legacy, 'a');
    ok(rill_stream_synchronize(f->legacy));
    uint64_t operations = counters(f).operations;
    for (int i = 0; i < 100; i++) {
        ok(rill_launch_host(streams[i], do_nothing, NULL, NULL));
        mark(f, f->legacy, 'a');
    }
    ok(rill_stream_synchronize(f->legacy));
    assert_in_range(counters(f).operations - operations, 200, 1000);
    for (int i = 0; i < STREAMS; i++) ok(rill_stream_destroy(&streams[i]));
    free(streams);
    while (counters(f).queue_bytes > before + (64 << 10)) sched_yield();
}

/* ---- Run --------------------------------------------------------------------------------- */

static int setup(void **state)
{
    return on_sim(state, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_thread_that_waits_runs_the_work_itself),
        TEST(a_thread_that_waits_for_an_event_runs_the_work_itself),
        TEST(hops_between_streams_wake_nobody),
        TEST(a_thread_that_waits_runs_only_what_it_waits_for),
        TEST(operations_are_counted_when_they_are_done),
        TEST(a_strand_that_must_wait_is_counted),
        TEST(the_counters_want_a_struct_of_their_size),
        TEST(a_stream_gives_the_memory_of_a_long_queue_back),
        TEST(ten_thousand_idle_streams_cost_little),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
