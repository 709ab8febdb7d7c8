/* SPDX-License-Identifier: Apache-2.0
 *
 * The queue of a strand by itself: cells in chunks, taking back, giving back.
 */
#include <string.h>

#include "backend-sim/scheduler/queue.h"
#include "base/alloc.h"
#include "support/cmocka_all.h"

/* Types of which the queue knows no more than where they are. */
static const char types[7];

static const struct op_type *type_of(unsigned number)
{
    return (const struct op_type *)(const void *)&types[number % 7];
}

struct bench {
    struct queue queue;
    atomic_uint_least64_t held;
    long live;
};

static int setup(void **state)
{
    static struct bench bench;
    bench = (struct bench){ .live = rl_alloc_live() };
    sim_queue_init(&bench.queue, &bench.held);
    *state = &bench;
    return 0;
}

/* Every chunk is given back, whatever a test did. */
static int teardown(void **state)
{
    struct bench *bench = *state;
    sim_queue_fini(&bench->queue);
    rl_alloc_fail_after(-1);
    if (atomic_load(&bench->held) || rl_alloc_live() != bench->live) {
        print_error("%d bytes are still held\n", (int)atomic_load(&bench->held));
        return -1;
    }
    return 0;
}

static uint64_t held(const struct bench *bench)
{
    return atomic_load(&bench->held);
}

/* A cell with `number` all over its payload. */
static bool put(struct bench *bench, unsigned number, size_t bytes)
{
    struct cell *cell = sim_queue_put(&bench->queue, type_of(number), bytes);
    if (!cell) return false;
    cell->extra = number;
    memset(cell_payload(cell), (int)(number & 0xff), bytes);
    return true;
}

static void take(struct bench *bench, unsigned number, size_t bytes)
{
    struct cell *cell = sim_queue_front(&bench->queue);
    const unsigned char *payload = cell_payload(cell);
    assert_ptr_equal(cell->type, type_of(number));
    assert_int_equal(cell->extra, number);
    assert_in_range(cell->bytes, sizeof *cell + bytes, sizeof *cell + bytes + 7);
    for (size_t i = 0; i < bytes; i++) assert_int_equal(payload[i], number & 0xff);
    sim_queue_advance(&bench->queue, cell);
}

static size_t size_of(unsigned number)
{
    return number * 37 % 400;
}

static void cells_come_out_as_they_went_in(void **state)
{
    struct bench *bench = *state;
    for (unsigned i = 0; i < 5000; i++) assert_true(put(bench, i, size_of(i)));
    for (unsigned i = 0; i < 5000; i++) take(bench, i, size_of(i));
}

static void cells_stand_on_boundaries_of_eight_bytes(void **state)
{
    struct bench *bench = *state;
    for (unsigned i = 0; i < 100; i++) {
        struct cell *cell = sim_queue_put(&bench->queue, type_of(0), i);
        assert_int_equal((uintptr_t)cell_payload(cell) % 8, 0);
        assert_int_equal(cell->bytes % 8, 0);
    }
}

/* Larger than any that there is: a launch with a kilobyte of arguments. */
static void a_large_cell_fits_behind_a_small_one(void **state)
{
    enum { LARGE = 4096 };
    struct bench *bench = *state;
    for (unsigned i = 0; i < 200; i++) assert_true(put(bench, i, i & 1 ? LARGE : 8));
    for (unsigned i = 0; i < 200; i++) take(bench, i, i & 1 ? LARGE : 8);
}

static void a_large_cell_may_be_the_first(void **state)
{
    struct bench *bench = *state;
    assert_true(put(bench, 0, 4096));
    assert_true(put(bench, 1, 8));
    take(bench, 0, 4096);
    take(bench, 1, 8);
}

static void a_queue_holds_nothing_before_it_is_used_and_little_at_first(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(held(bench), 0);
    assert_true(put(bench, 0, 8));
    assert_in_range(held(bench), 1, 1024);
}

/* Producer and consumer in step: two chunks go round. */
static void a_queue_in_step_needs_no_more_memory(void **state)
{
    struct bench *bench = *state;
    for (unsigned i = 0; i < 4000; i++) {
        assert_true(put(bench, i, 24));
        take(bench, i, 24);
    }
    uint64_t steady = held(bench);
    long live = rl_alloc_live();
    for (unsigned i = 0; i < 100000; i++) {
        assert_true(put(bench, i, 24));
        take(bench, i, 24);
    }
    assert_int_equal(held(bench), steady);
    assert_int_equal(rl_alloc_live(), live);
}

static void chunks_that_were_emptied_are_given_back(void **state)
{
    struct bench *bench = *state;
    for (unsigned i = 0; i < 20000; i++) assert_true(put(bench, i, 56));
    assert_true(held(bench) >= 20000 * 64);
    for (unsigned i = 0; i < 20000; i++) take(bench, i, 56);
    assert_in_range(held(bench), 0, 64 << 10);
}

static void a_rewound_queue_begins_at_the_front_of_its_chunk(void **state)
{
    struct bench *bench = *state;
    assert_true(put(bench, 0, 16));
    struct cell *first = sim_queue_front(&bench->queue);
    take(bench, 0, 16);
    uint64_t before = held(bench);
    for (unsigned i = 1; i < 1000; i++) {
        sim_queue_rewind(&bench->queue);
        assert_true(put(bench, i, 16));
        assert_ptr_equal(sim_queue_front(&bench->queue), first);
        take(bench, i, 16);
    }
    assert_int_equal(held(bench), before);
}

/* ---- Taking back ---------------------------------------------------------------------- */

static void what_was_put_since_a_mark_can_be_taken_back(void **state)
{
    struct bench *bench = *state;
    for (unsigned i = 0; i < 3; i++) assert_true(put(bench, i, 16));
    struct queue_mark mark = sim_queue_mark(&bench->queue);
    for (unsigned i = 100; i < 105; i++) assert_true(put(bench, i, 16));
    sim_queue_revert(&bench->queue, mark);
    for (unsigned i = 3; i < 6; i++) assert_true(put(bench, i, 24));
    for (unsigned i = 0; i < 3; i++) take(bench, i, 16);
    for (unsigned i = 3; i < 6; i++) take(bench, i, 24);
}

static void taking_back_gives_the_chunks_back_that_came_with_it(void **state)
{
    struct bench *bench = *state;
    for (unsigned i = 0; i < 3; i++) assert_true(put(bench, i, 16));
    uint64_t before = held(bench);
    struct queue_mark mark = sim_queue_mark(&bench->queue);
    for (unsigned i = 0; i < 5000; i++) assert_true(put(bench, i, 200));
    sim_queue_revert(&bench->queue, mark);
    assert_int_equal(held(bench), before);
    for (unsigned i = 3; i < 2000; i++) assert_true(put(bench, i, 16));
    for (unsigned i = 0; i < 2000; i++) take(bench, i, 16);
}

static void everything_can_be_taken_back(void **state)
{
    struct bench *bench = *state;
    struct queue_mark mark = sim_queue_mark(&bench->queue);
    for (unsigned i = 0; i < 500; i++) assert_true(put(bench, i, 100));
    sim_queue_revert(&bench->queue, mark);
    for (unsigned i = 7; i < 500; i++) assert_true(put(bench, i, 50));
    for (unsigned i = 7; i < 500; i++) take(bench, i, 50);
}

static void taking_back_while_the_consumer_has_moved_on_spares_what_is_left(void **state)
{
    struct bench *bench = *state;
    unsigned in = 0, out = 0;
    for (unsigned round = 0; round < 300; round++) {
        for (int i = 0; i < 9; i++, in++) assert_true(put(bench, in, size_of(in)));
        struct queue_mark mark = sim_queue_mark(&bench->queue);
        for (unsigned i = 0; i < round % 40; i++) assert_true(put(bench, 9999, 120));
        for (int i = 0; i < 5; i++, out++) take(bench, out, size_of(out));
        sim_queue_revert(&bench->queue, mark);
    }
    for (; out < in; out++) take(bench, out, size_of(out));
}

/* ---- Short of memory ------------------------------------------------------------------- */

static void short_of_memory_a_put_fails_and_changes_nothing(void **state)
{
    struct bench *bench = *state;
    rl_alloc_fail_after(0);
    assert_false(put(bench, 0, 16));
    rl_alloc_fail_after(-1);
    unsigned count = 0;
    for (; count < 3; count++) assert_true(put(bench, count, 100));
    rl_alloc_fail_after(0);
    while (put(bench, count, 100)) count++;
    rl_alloc_fail_after(-1);
    assert_true(put(bench, count, 100));
    for (unsigned i = 0; i <= count; i++) take(bench, i, 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cells_come_out_as_they_went_in),
        TEST(cells_stand_on_boundaries_of_eight_bytes),
        TEST(a_large_cell_fits_behind_a_small_one),
        TEST(a_large_cell_may_be_the_first),
        TEST(a_queue_holds_nothing_before_it_is_used_and_little_at_first),
        TEST(a_queue_in_step_needs_no_more_memory),
        TEST(chunks_that_were_emptied_are_given_back),
        TEST(a_rewound_queue_begins_at_the_front_of_its_chunk),
        TEST(what_was_put_since_a_mark_can_be_taken_back),
        TEST(taking_back_gives_the_chunks_back_that_came_with_it),
        TEST(everything_can_be_taken_back),
        TEST(taking_back_while_the_consumer_has_moved_on_spares_what_is_left),
        TEST(short_of_memory_a_put_fails_and_changes_nothing),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
