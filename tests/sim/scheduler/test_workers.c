/* SPDX-License-Identifier: Apache-2.0
 *
 * Workers: how many there are, which strand they run next, and what is done without them.
 */
#include <sched.h>

#include "sim/on_sim.h"

/* Opens another platform, with so many workers. */
static rill_context *with_workers(int workers, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_context *context = NULL;
    ok(rill_open(&options, platform));
    ok(rill_context_create(*platform, NULL, &context));
    return context;
}

static void close_with(rill_platform **platform, rill_context **context)
{
    ok(rill_context_destroy(context));
    ok(rill_close(platform));
}

static int workers_of(rill_platform *platform)
{
    rill_sim_counters now = { .size = sizeof now };
    ok(rill_sim_get_counters(platform, &now));
    return now.workers;
}

/* Four host functions are inside at once, which takes four threads. */
static void independent_streams_run_on_as_many_workers_as_there_are(void **state)
{
    struct fixture *f = *state;
    rill_platform *platform = NULL;
    rill_context *context = with_workers(4, &platform);
    struct latch *latches[4];
    assert_int_equal(workers_of(platform), 1);
    for (int i = 0; i < 4; i++) latches[i] = latch(f, new_stream_in(f, context, 0));
    for (int i = 0; i < 4; i++) await_latch(latches[i]);
    assert_int_equal(workers_of(platform), 4);
    for (int i = 0; i < 4; i++) open_latch(latches[i]);
    close_with(&platform, &context);
}

/* With one worker, which a host function keeps, what else is ready waits in the
 * list: the order in which it then runs is the chooser's. */
struct one_worker {
    rill_platform *platform;
    rill_context *context;
    struct latch *busy;
};

static struct one_worker keep_busy(struct fixture *f)
{
    struct one_worker one = { .context = NULL };
    one.context = with_workers(1, &one.platform);
    one.busy = latch(f, new_stream_in(f, one.context, 0));
    await_latch(one.busy);
    return one;
}

static void let_run(struct fixture *f, struct one_worker *one, int marks)
{
    open_latch(one->busy);
    while (atomic_load(&f->mark_count) < marks) sched_yield();
    close_with(&one->platform, &one->context);
}

/* A stream of this priority with its number as a mark. */
static void add_prioritised(struct fixture *f, rill_context *context, int priority)
{
    const rill_stream_options options = { .size = sizeof options, .priority = priority };
    rill_stream *stream = NULL;
    ok(rill_stream_create(context, &options, &stream));
    mark(f, stream, (char)('0' - priority));
    ok(rill_stream_destroy(&stream));
}

static void the_most_urgent_stream_runs_first(void **state)
{
    struct fixture *f = *state;
    struct one_worker one = keep_busy(f);
    const int priorities[] = { -1, -4, 0, -5, -2, -3 };
    for (int i = 0; i < 6; i++) add_prioritised(f, one.context, priorities[i]);
    let_run(f, &one, 6);
    order(f, "543210");
}

static void among_equals_the_one_that_is_ready_for_longest_runs_first(void **state)
{
    struct fixture *f = *state;
    struct one_worker one = keep_busy(f);
    for (char letter = 'a'; letter <= 'h'; letter++)
        mark(f, new_stream_in(f, one.context, letter & 1), letter);
    let_run(f, &one, 8);
    order(f, "abcdefgh");
}

static atomic_int ran, other_at;

static void count_run(void *data)
{
    (void)data;
    atomic_fetch_add(&ran, 1);
}

static void note_at(void *data)
{
    (void)data;
    atomic_store(&other_at, atomic_load(&ran));
}

static void a_stream_with_much_to_do_lets_others_of_its_priority_run(void **state)
{
    enum { MUCH = 20000 };
    struct fixture *f = *state;
    struct one_worker one = keep_busy(f);
    rill_stream *busy = new_stream_in(f, one.context, 0), *other = new_stream_in(f, one.context, 0);
    atomic_store(&ran, 0);
    atomic_store(&other_at, -1);
    for (int i = 0; i < MUCH; i++) ok(rill_launch_host(busy, count_run, NULL, NULL));
    ok(rill_launch_host(other, note_at, NULL, NULL));
    open_latch(one.busy);
    while (atomic_load(&ran) < MUCH || atomic_load(&other_at) < 0) sched_yield();
    assert_in_range(atomic_load(&other_at), 1, MUCH - 1);
    close_with(&one.platform, &one.context);
}

/* The only worker stops short of what the thread waits for, and goes on with
 * something else that it does not come back from: the rest is the thread's. */
static void a_thread_that_sleeps_wakes_to_do_what_is_left_to_it(void **state)
{
    struct fixture *f = *state;
    struct one_worker one = { .context = NULL };
    one.context = with_workers(1, &one.platform);
    const rill_stream_options urgent = { .size = sizeof urgent, .priority = -5 };
    rill_stream *wanted = new_stream_in(f, one.context, 0), *other = NULL;
    rill_stream *before = new_stream_in(f, one.context, 0);
    struct latch *first = latch(f, wanted);
    await_latch(first);
    mark(f, before, '1');
    ok(rill_stream_wait_stream(wanted, before));
    mark(f, wanted, '2');
    ok(rill_stream_create(one.context, &urgent, &other));
    struct latch *second = latch(f, other);
    struct call *call = start_call(f, synchronize_stream, wanted);
    blocked(call);
    open_latch(first);
    ok(finish_call(call));
    order(f, "12");
    open_latch(second);
    ok(rill_stream_destroy(&other));
    close_with(&one.platform, &one.context);
}

/* What a stream waits for in another is run on the way. */
static void going_to_and_fro_between_streams_parks_none(void **state)
{
    struct fixture *f = *state;
    struct one_worker one = keep_busy(f);
    rill_stream *streams[] = { new_stream_in(f, one.context, 0), new_stream_in(f, one.context, 0) };
    rill_sim_counters before = { .size = sizeof before }, after = { .size = sizeof after };
    ok(rill_sim_get_counters(one.platform, &before));
    for (int i = 0; i < 100; i++) {
        if (i) ok(rill_stream_wait_stream(streams[i % 2], streams[(i + 1) % 2]));
        mark(f, streams[i % 2], (char)('0' + i % 64));
    }
    ok(rill_stream_synchronize(streams[1]));
    for (int i = 0; i < 100; i++) assert_int_equal(f->marks[i], '0' + i % 64);
    ok(rill_sim_get_counters(one.platform, &after));
    assert_int_equal(after.parks, before.parks);
    open_latch(one.busy);
    close_with(&one.platform, &one.context);
}

/* No worker is free to do it. */
static void a_fill_with_nothing_before_it_is_done_when_it_returns(void **state)
{
    struct fixture *f = *state;
    struct one_worker one = { .context = NULL };
    rill_devptr word = 0;
    one.context = with_workers(1, &one.platform);
    one.busy = latch(f, new_stream_in(f, one.context, RILL_STREAM_NON_BLOCKING));
    await_latch(one.busy);
    ok(rill_mem_alloc(one.context, 4, &word));
    ok(rill_memset_d32(one.context, word, 7, 1));
    assert_int_equal(*(const uint32_t *)(uintptr_t)word, 7);
    open_latch(one.busy);
    ok(rill_mem_free(one.context, word));
    close_with(&one.platform, &one.context);
}

/* The way from what a thread waits for back to what can run is longer than any
 * that it remembers. */
static void a_thread_alone_works_off_a_chain_of_three_hundred_streams(void **state)
{
    struct fixture *f = *state;
    struct one_worker one = keep_busy(f);
    rill_stream *before = new_stream_in(f, one.context, 0);
    mark(f, before, 'a');
    for (int i = 0; i < 300; i++) {
        rill_stream *next = new_stream_in(f, one.context, 0);
        ok(rill_stream_wait_stream(next, before));
        mark(f, next, (char)('0' + i % 64));
        before = next;
    }
    ok(finish_call(start_call(f, synchronize_stream, before)));
    for (int i = 0; i < 300; i++) assert_int_equal(f->marks[i + 1], '0' + i % 64);
    open_latch(one.busy);
    close_with(&one.platform, &one.context);
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
        TEST(independent_streams_run_on_as_many_workers_as_there_are),
        TEST(the_most_urgent_stream_runs_first),
        TEST(among_equals_the_one_that_is_ready_for_longest_runs_first),
        TEST(a_stream_with_much_to_do_lets_others_of_its_priority_run),
        TEST(a_thread_that_sleeps_wakes_to_do_what_is_left_to_it),
        TEST(going_to_and_fro_between_streams_parks_none),
        TEST(a_fill_with_nothing_before_it_is_done_when_it_returns),
        TEST(a_thread_alone_works_off_a_chain_of_three_hundred_streams),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
