/* SPDX-License-Identifier: Apache-2.0
 *
 * Many of everything: operations, streams, events, threads, links of a chain.
 * Each test runs with 1, 2 and 64 workers, and leaves no memory behind.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/scale.h"
#include "support/cmocka_all.h"
#include "support/watchdog.h"

uint64_t scale_in_turn;
atomic_uint_least64_t scale_in_any_turn;

static void in_turn(void *number)
{
    if ((uintptr_t)number != scale_in_turn)
        sized_wrong("operations run in order", __FILE__, __LINE__);
    scale_in_turn++;
}

static void in_any_turn(void *data)
{
    (void)data;
    atomic_fetch_add_explicit(&scale_in_any_turn, 1, memory_order_relaxed);
}

void scale_put(rill_stream *stream, int number)
{
    must(rill_launch_host(stream, in_turn, (void *)(uintptr_t)number, NULL));
}

void scale_put_any(rill_stream *stream)
{
    must(rill_launch_host(stream, in_any_turn, NULL, NULL));
}

void **scale_array(int items)
{
    void **memory = calloc((size_t)items, sizeof *memory);
    must_be(memory != NULL);
    return memory;
}

void scale_destroy(rill_stream **streams, int how_many)
{
    for (int i = 0; i < how_many; i++) must(rill_stream_destroy(&streams[i]));
    free(streams);
}

rill_stream **scale_streams(struct sized_platform *sized, int how_many, uint32_t flags)
{
    rill_stream **streams = (rill_stream **)scale_array(how_many);
    for (int i = 0; i < how_many; i++) streams[i] = sized_stream(sized, flags);
    return streams;
}

void scale_run(void (*test)(struct sized_platform *sized))
{
    static const int workers[] = { 1, 2, 64 };
    for (int i = 0; i < 3; i++) {
        struct sized_platform sized;
        scale_in_turn = 0;
        atomic_store(&scale_in_any_turn, 0);
        watchdog_pat();
        sized_open(&sized, workers[i]);
        test(&sized);
        sized_close(&sized);
    }
}

/* ---- Operations ------------------------------------------------------------------------ */

static void million_operations(struct sized_platform *sized)
{
    int many = sized_scaled(1000000);
    rill_stream *stream = sized_stream(sized, NON_BLOCKING);
    for (int i = 0; i < many; i++) scale_put(stream, i);
    must(rill_stream_synchronize(stream));
    must_be(scale_in_turn == (uint64_t)many);
    sized_must_shed(sized);
    must(rill_stream_destroy(&stream));
}

/* The queue grows as long as nothing runs, and all of it is given back. */
static void million_pending_operations(struct sized_platform *sized)
{
    int many = sized_scaled(1000000);
    rill_stream *stream = sized_stream(sized, 0);
    int gate = sized_gate(sized, stream);
    for (int i = 0; i < many; i++) scale_put(stream, i);
    must_be(scale_in_turn == 0);
    must_be(sized_queue_bytes(sized) >= (uint64_t)many * 16);
    sized_open_gate(sized, gate);
    must(rill_context_synchronize(sized->context));
    must_be(scale_in_turn == (uint64_t)many);
    sized_must_shed(sized);
    must(rill_stream_destroy(&stream));
}

static void test_operations(void **state)
{
    (void)state;
    scale_run(million_operations);
}

static void test_pending_operations(void **state)
{
    (void)state;
    scale_run(million_pending_operations);
}

/* ---- Streams --------------------------------------------------------------------------- */

static void many_streams(struct sized_platform *sized)
{
    int many = sized_scaled(10000);
    rill_stream **streams = scale_streams(sized, many, 0);
    must_be(sized_queue_bytes(sized) == 0); /* what was never used holds no queue */
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < many; i++) scale_put_any(streams[i]);
        must(rill_context_synchronize(sized->context));
        must_be(atomic_load(&scale_in_any_turn) == (uint64_t)round * (uint64_t)many);
    }
    scale_destroy(streams, many);
    sized_must_shed(sized);
}

/* All of them wait for one event when they are destroyed. */
static void many_pending_streams(struct sized_platform *sized)
{
    int many = sized_scaled(10000);
    rill_stream *first = sized_stream(sized, NON_BLOCKING);
    rill_stream **streams = scale_streams(sized, many, 0);
    rill_event *event = sized_event(sized);
    int gate = sized_gate(sized, first);
    must(rill_event_record(event, first, 0));
    for (int i = 0; i < many; i++) {
        must(rill_stream_wait_event(streams[i], event, 0));
        scale_put_any(streams[i]);
    }
    must(rill_event_destroy(&event));
    scale_destroy(streams, many);
    must_be(atomic_load(&scale_in_any_turn) == 0);
    sized_open_gate(sized, gate);
    must(rill_context_synchronize(sized->context));
    must_be(atomic_load(&scale_in_any_turn) == (uint64_t)many);
    sized_must_shed(sized); /* nobody keeps what is destroyed and done */
    must(rill_stream_destroy(&first));
}

/* The legacy stream waits for each of the others, and each of them for it. */
static void many_blocking_streams(struct sized_platform *sized)
{
    int many = sized_scaled(10000), rounds = 3;
    rill_stream **streams = scale_streams(sized, many, 0);
    rill_stream *legacy = rill_stream_legacy(sized->context);
    int gate = sized_gate(sized, streams[0]);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < many; i++) scale_put_any(streams[i]);
        scale_put(legacy, round);
    }
    must_be(rill_stream_query(legacy) == RILL_ERROR_NOT_READY);
    sized_open_gate(sized, gate);
    must(rill_stream_synchronize(legacy));
    must_be(scale_in_turn == (uint64_t)rounds);
    must_be(atomic_load(&scale_in_any_turn) == (uint64_t)rounds * (uint64_t)many);
    scale_destroy(streams, many);
}

static void test_streams(void **state)
{
    (void)state;
    scale_run(many_streams);
}

static void test_pending_streams(void **state)
{
    (void)state;
    scale_run(many_pending_streams);
}

static void test_blocking_streams(void **state)
{
    (void)state;
    scale_run(many_blocking_streams);
}

/* ---- Events ---------------------------------------------------------------------------- */

static void million_events(struct sized_platform *sized)
{
    int many = sized_scaled(1000000);
    rill_event **events = (rill_event **)scale_array(many);
    rill_stream *stream = sized_stream(sized, NON_BLOCKING);
    int gate = sized_gate(sized, stream);
    for (int i = 0; i < many; i++) {
        events[i] = sized_event(sized);
        must(rill_event_record(events[i], stream, 0));
    }
    must_be(rill_event_query(events[many / 2]) == RILL_ERROR_NOT_READY);
    for (int i = 0; i < many / 2; i++) must(rill_event_destroy(&events[i]));
    sized_open_gate(sized, gate);
    must(rill_event_synchronize(events[many - 1]));
    for (int i = many / 2; i < many; i++) {
        must(rill_event_query(events[i]));
        must(rill_event_destroy(&events[i]));
    }
    must(rill_stream_destroy(&stream));
    free(events);
}

static void test_events(void **state)
{
    (void)state;
    scale_run(million_events);
}

/* ---- Threads --------------------------------------------------------------------------- */

#define THREADS 64
#define SHARED_STREAMS 4

struct submitter {
    struct sized_platform *sized;
    rill_stream *own, *shared;
    int number, many;
    int own_next; /* of the own stream's operations; theirs alone */
    atomic_int shared_next;
    pthread_t thread;
};

struct job {
    struct submitter *submitter;
    int number;
};

static void own_in_turn(void *data)
{
    struct job *job = data;
    must_be(job->submitter->own_next++ == job->number);
    free(job);
}

/* In a stream of several threads each thread's own order is kept. */
static void shared_in_turn(void *data)
{
    struct job *job = data;
    must_be(atomic_fetch_add_explicit(&job->submitter->shared_next, 1, memory_order_relaxed) ==
            job->number);
    free(job);
}

static void submit_job(struct submitter *submitter, rill_stream *stream, rill_host_fn fn,
                       int number)
{
    struct job *job = malloc(sizeof *job);
    must_be(job != NULL);
    *job = (struct job){ submitter, number };
    must(rill_launch_host(stream, fn, job, NULL));
}

static void *submit_both(void *data)
{
    struct submitter *submitter = data;
    for (int i = 0; i < submitter->many; i++) {
        submit_job(submitter, submitter->own, own_in_turn, i);
        submit_job(submitter, submitter->shared, shared_in_turn, i);
    }
    /* Half of them wait, the others leave it to the main thread. */
    if (submitter->number % 2) must(rill_stream_synchronize(submitter->own));
    return NULL;
}

static void many_threads(struct sized_platform *sized)
{
    static struct submitter submitters[THREADS];
    int many = sized_scaled(1000);
    rill_stream **shared = scale_streams(sized, SHARED_STREAMS, 0);
    for (int t = 0; t < THREADS; t++) {
        submitters[t] = (struct submitter){ .sized = sized,
                                            .own = sized_stream(sized, NON_BLOCKING),
                                            .shared = shared[t % SHARED_STREAMS], .number = t,
                                            .many = many };
        submitters[t].thread = sized_thread(submit_both, &submitters[t]);
    }
    for (int t = 0; t < THREADS; t++) must_be(!pthread_join(submitters[t].thread, NULL));
    must(rill_context_synchronize(sized->context));
    for (int t = 0; t < THREADS; t++) {
        must_be(submitters[t].own_next == many);
        must_be(atomic_load(&submitters[t].shared_next) == many);
        must(rill_stream_destroy(&submitters[t].own));
    }
    scale_destroy(shared, SHARED_STREAMS);
}

static void test_threads(void **state)
{
    (void)state;
    scale_run(many_threads);
}

static void say_stuck(void *data)
{
    (void)data;
    fprintf(stderr, "# nothing moves: %llu operations ran in turn, %llu in any turn\n",
            (unsigned long long)scale_in_turn, (unsigned long long)atomic_load(&scale_in_any_turn));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_pending_operations),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_pending_streams),
        cmocka_unit_test(test_blocking_streams),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_chain_of_streams),
        cmocka_unit_test(test_deep_chain),
        cmocka_unit_test(test_fan_out),
        cmocka_unit_test(test_fan_out_backwards),
        cmocka_unit_test(test_many_at_a_gate),
    };
    watchdog_start(60, say_stuck, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
