/* SPDX-License-Identifier: Apache-2.0
 *
 * Tickets: which unit of a row that opened comes to whom, and that each comes to one.
 */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <sched.h>

#include "backend-sim/program/gang/tickets.h"

enum { DRAWERS = 4, ROWS = 2000, ROW = 5 };

static struct ticket_lane lanes[DRAWERS];
static struct tickets tickets = { .lanes = lanes };
static atomic_uint drawn[ROWS * ROW];
static atomic_uint drawn_count;

static void *draw_all(void *seat)
{
    uint64_t ended = 0;
    uint32_t unit;
    while (atomic_load(&drawn_count) < ROWS * ROW) {
        if (!sim_tickets_draw(&tickets, (uint32_t)(uintptr_t)seat, &ended, &unit)) {
            sched_yield();
            continue;
        }
        atomic_fetch_add(&drawn[unit], 1);
        atomic_fetch_add(&drawn_count, 1);
    }
    return NULL;
}

/* A thread may be about to draw from a row that has ended while the next one opens. */
static void each_ticket_is_drawn_once(void **state)
{
    pthread_t threads[DRAWERS];
    (void)state;
    sim_tickets_reset(&tickets, DRAWERS - 1);
    for (intptr_t i = 0; i < DRAWERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw_all, (void *)i), 0);
    for (uint32_t row = 0; row < ROWS; row++)
        while (!sim_tickets_open(&tickets, row * ROW, (row + 1) * ROW)) sched_yield();
    for (int i = 0; i < DRAWERS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < ROWS * ROW; i++) assert_int_equal(drawn[i], 1);
    assert_false(sim_tickets_any(&tickets));
}

static bool draw(uint32_t seat, uint32_t *unit)
{
    uint64_t ended = 0;
    return sim_tickets_draw(&tickets, seat, &ended, unit);
}

static void a_row_does_not_open_before_the_last_has_ended(void **state)
{
    uint32_t unit = 0;
    (void)state;
    sim_tickets_reset(&tickets, 1);
    assert_false(draw(0, &unit));
    assert_true(sim_tickets_open(&tickets, 3, 5));
    assert_false(sim_tickets_open(&tickets, 7, 9));
    assert_true(draw(0, &unit));
    assert_int_equal(unit, 3);
    assert_false(sim_tickets_open(&tickets, 7, 9));
    assert_true(draw(0, &unit));
    assert_int_equal(unit, 4);
    assert_false(draw(0, &unit));
    assert_true(sim_tickets_open(&tickets, 7, 9));
    assert_true(draw(0, &unit));
    assert_int_equal(unit, 7);
}

static void seats_draw_from_lanes_of_their_own_first(void **state)
{
    static const uint32_t seats[] = { 1, 1, 0, 0, 0 }, units[] = { 4, 6, 3, 5, 7 };
    uint32_t unit = 0;
    (void)state;
    sim_tickets_reset(&tickets, 2);
    assert_true(sim_tickets_open(&tickets, 3, 8));
    for (int i = 0; i < 5; i++) {
        assert_true(draw(seats[i], &unit));
        assert_int_equal(unit, units[i]);
    }
    assert_false(sim_tickets_any(&tickets));
}

static void a_seat_draws_from_other_lanes_once_its_own_is_empty(void **state)
{
    uint32_t unit = 0, seen = 0;
    (void)state;
    sim_tickets_reset(&tickets, 3);
    assert_true(sim_tickets_open(&tickets, 0, 8));
    while (draw(1, &unit)) seen |= 1u << unit;
    assert_int_equal(seen, 0xff);
    assert_false(sim_tickets_any(&tickets));
}

static void a_seat_that_saw_a_row_end_sees_the_next_one(void **state)
{
    uint64_t ended = 0;
    uint32_t unit = 0;
    (void)state;
    sim_tickets_reset(&tickets, 2);
    assert_true(sim_tickets_open(&tickets, 0, 1));
    assert_true(sim_tickets_draw(&tickets, 1, &ended, &unit));
    assert_false(sim_tickets_draw(&tickets, 1, &ended, &unit));
    assert_false(sim_tickets_draw(&tickets, 1, &ended, &unit));
    assert_true(sim_tickets_open(&tickets, 1, 3));
    assert_true(sim_tickets_draw(&tickets, 1, &ended, &unit));
    assert_int_equal(unit, 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_ticket_is_drawn_once),
        cmocka_unit_test(a_row_does_not_open_before_the_last_has_ended),
        cmocka_unit_test(seats_draw_from_lanes_of_their_own_first),
        cmocka_unit_test(a_seat_draws_from_other_lanes_once_its_own_is_empty),
        cmocka_unit_test(a_seat_that_saw_a_row_end_sees_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
