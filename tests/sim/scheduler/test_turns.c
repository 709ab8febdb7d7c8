/* SPDX-License-Identifier: Apache-2.0
 *
 * Two streams that take turns are in one thread's hands, which keeps the one while it
 * runs the other.  What must not come of that.
 */
#include <sched.h>

#include "sim/on_sim.h"

/* Nothing here is run by anybody before open_gate(). */
struct pair {
    rill_stream *one, *two;
    rill_event *event;
    struct gate *gate;
};

static struct pair held_pair(struct fixture *f)
{
    struct pair pair = { .event = new_event(f) };
    pair.one = new_non_blocking(f);
    pair.two = new_non_blocking(f);
    pair.gate = gate(f, pair.one);
    return pair;
}

/* `next` goes on behind what `before` holds by now. */
static void pass(struct pair *pair, rill_stream *before, rill_stream *next)
{
    ok(rill_event_record(pair->event, before, 0));
    ok(rill_stream_wait_event(next, pair->event, 0));
}

static void take_turns(struct fixture *f, struct pair *pair, int turns)
{
    for (int i = 0; i < turns; i++) {
        mark(f, pair->one, (char)('a' + i % 26));
        pass(pair, pair->one, pair->two);
        mark(f, pair->two, (char)('A' + i % 26));
        pass(pair, pair->two, pair->one);
    }
}

static void turns_were_taken(struct fixture *f, int turns)
{
    for (int i = 0; i < turns; i++) {
        assert_int_equal(f->marks[2 * i], 'a' + i % 26);
        assert_int_equal(f->marks[2 * i + 1], 'A' + i % 26);
    }
    assert_int_equal(atomic_load(&f->mark_count), 2 * turns);
}

static void each_turn_comes_behind_the_one_before(void **state)
{
    enum { TURNS = 500 };
    struct fixture *f = *state;
    struct pair pair = held_pair(f);
    take_turns(f, &pair, TURNS);
    open_gate(pair.gate);
    ok(rill_stream_synchronize(pair.one));
    ok(rill_stream_synchronize(pair.two));
    turns_were_taken(f, TURNS);
}

/* Nobody waits: the workers find it. */
static void so_it_is_when_nobody_waits(void **state)
{
    enum { TURNS = 500 };
    struct fixture *f = *state;
    struct pair pair = held_pair(f);
    take_turns(f, &pair, TURNS);
    open_gate(pair.gate);
    drained(pair.one);
    drained(pair.two);
    turns_were_taken(f, TURNS);
}

static atomic_int ran;
static atomic_bool out_of_turn;

static void run_in_turn(void *data)
{
    if (atomic_fetch_add(&ran, 1) != (int)(intptr_t)data) atomic_store(&out_of_turn, true);
}

/* A worker that has caught up with the thread that submits leaves a few operations.  Here
 * no call asks for them. */
static void what_a_worker_leaves_is_run_by_the_next_look(void **state)
{
    enum { HOPS = 20000 };
    struct fixture *f = *state;
    rill_stream *streams[] = { new_non_blocking(f), new_non_blocking(f) };
    rill_event *event = new_event(f);
    atomic_store(&ran, 0);
    atomic_store(&out_of_turn, false);
    for (int i = 0; i < HOPS; i++) {
        if (i) ok(rill_stream_wait_event(streams[i & 1], event, 0));
        ok(rill_launch_host(streams[i & 1], run_in_turn, (void *)(intptr_t)i, NULL));
        ok(rill_event_record(event, streams[i & 1], 0));
    }
    while (atomic_load(&ran) < HOPS) sched_yield();
    assert_false(atomic_load(&out_of_turn));
}

static atomic_int arrived;

/* Returns once both have come, so that each needs a thread. */
static void meet(void *data)
{
    int round = *(const int *)data;
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < 2 * (round + 1)) sched_yield();
}

/* The one that was kept runs beside the other as soon as nothing is between them. */
static void functions_with_no_order_between_them_run_at_once(void **state)
{
    enum { ROUNDS = 50 };
    struct fixture *f = *state;
    struct pair pair = held_pair(f);
    int rounds[ROUNDS];
    atomic_store(&arrived, 0);
    for (int i = 0; i < ROUNDS; i++) {
        rounds[i] = i;
        take_turns(f, &pair, 2);
        ok(rill_launch_host(pair.two, meet, &rounds[i], NULL));
        ok(rill_launch_host(pair.one, meet, &rounds[i], NULL));
    }
    open_gate(pair.gate);
    ok(rill_stream_synchronize(pair.two));
    ok(rill_stream_synchronize(pair.one));
    assert_int_equal(atomic_load(&arrived), 2 * ROUNDS);
    assert_int_equal(atomic_load(&f->mark_count), 4 * ROUNDS);
}

/* ---- From inside ----------------------------------------------------------------------- */

struct inside {
    rill_stream *behind;  /* goes on after the function           */
    rill_event *before;   /* lies before it                       */
    rill_stream *apart;   /* has nothing to do with it            */
    rill_status answers[3];
};

static void wait_inside(void *data)
{
    struct inside *inside = data;
    inside->answers[0] = rill_stream_synchronize(inside->behind);
    inside->answers[1] = rill_event_synchronize(inside->before);
    inside->answers[2] = rill_stream_synchronize(inside->apart);
}

/* It would wait for itself. */
static void a_function_cannot_wait_for_the_stream_that_waits_for_it(void **state)
{
    struct fixture *f = *state;
    struct pair pair = held_pair(f);
    struct inside inside = { pair.one, new_event(f), new_non_blocking(f), { 0 } };
    take_turns(f, &pair, 3);
    mark(f, pair.one, 'd');
    ok(rill_event_record(inside.before, pair.one, 0));
    ok(rill_stream_wait_event(pair.two, inside.before, 0));
    mark(f, inside.apart, '1');
    ok(rill_launch_host(pair.two, wait_inside, &inside, NULL));
    pass(&pair, pair.two, pair.one);
    mark(f, pair.one, 'e');
    open_gate(pair.gate);
    ok(rill_stream_synchronize(pair.two));
    ok(rill_stream_synchronize(pair.one));
    assert_int_equal(inside.answers[0], RILL_ERROR_NOT_PERMITTED);
    assert_int_equal(inside.answers[1], RILL_SUCCESS);
    assert_int_equal(inside.answers[2], RILL_SUCCESS);
}

/* ---- The end ---------------------------------------------------------------------------- */

static uint64_t queue_bytes(struct fixture *f)
{
    rill_sim_counters now = { .size = sizeof now };
    ok(rill_sim_get_counters(f->platform, &now));
    return now.queue_bytes;
}

/* Each keeps the other while it waits for it; then both are gone.  The numbers lie
 * around that of the references which are taken at once. */
static void streams_that_are_destroyed_in_the_middle_give_their_memory_back(void **state)
{
    static const int turns[] = { 1, 2, 63, 64, 65, 66, 129, 400 };
    struct fixture *f = *state;
    const rill_stream_options options = { .size = sizeof options,
                                          .flags = RILL_STREAM_NON_BLOCKING };
    uint64_t before = queue_bytes(f);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct pair pair = { .event = new_event(f) };
        ok(rill_stream_create(f->context, &options, &pair.one));
        ok(rill_stream_create(f->context, &options, &pair.two));
        struct latch *latch_one = latch(f, pair.one);
        await_latch(latch_one);
        atomic_store(&f->mark_count, 0);
        take_turns(f, &pair, turns[i]);
        ok(rill_event_record(pair.event, pair.one, 0));
        ok(rill_stream_destroy(&pair.one));
        ok(rill_stream_destroy(&pair.two));
        open_latch(latch_one);
        ok(rill_event_synchronize(pair.event));
        turns_were_taken(f, turns[i]);
        ok(rill_event_record(pair.event, new_non_blocking(f), 0)); /* keeps neither */
    }
    while (queue_bytes(f) > before) sched_yield();
}

/* ---- Run --------------------------------------------------------------------------------- */

static int setup(void **state)
{
    return on_sim(state, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_turn_comes_behind_the_one_before),
        TEST(so_it_is_when_nobody_waits),
        TEST(what_a_worker_leaves_is_run_by_the_next_look),
        TEST(functions_with_no_order_between_them_run_at_once),
        TEST(a_function_cannot_wait_for_the_stream_that_waits_for_it),
        TEST(streams_that_are_destroyed_in_the_middle_give_their_memory_back),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
