/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order a program is tried under schedules.
 */
#include <string.h>

#include "backend-sim/schedule/series.h"
#include "support/cmocka_all.h"

/* A first run in which streams 1, 2 and 4 have 2, 5 and 5 steps. */
static struct series series_of(unsigned count)
{
    static const uint32_t streams[] = { 2, 1, 2, 4, 4, 2, 2, 4, 1, 4, 2, 4 };
    struct series series;
    sim_series_begin(&series, count);
    for (unsigned i = 0; i < sizeof streams / sizeof *streams; i++)
        sim_series_note(&series, streams[i], i / 2);
    return series;
}

static void is_spec(const struct series *series, unsigned number, const char *words)
{
    char spec[SERIES_SPEC_MAX];
    sim_series_write(series, number, spec);
    assert_string_equal(spec, words);
}

static void the_stream_with_most_to_do_is_starved_first(void **state)
{
    static const char *const first[] = { "early",    "late",     "serial",   "overlap",
                                         "starve:2", "starve:4", "starve:1", "pct:1:5:17" };
    const struct series series = series_of(30);
    (void)state;
    for (unsigned i = 0; i < sizeof first / sizeof *first; i++) is_spec(&series, i, first[i]);
}

static void a_short_series_has_room_for_seeds(void **state)
{
    const struct series series = series_of(7);
    (void)state;
    is_spec(&series, 5, "starve:4");
    is_spec(&series, 6, "pct:1:5:17");
}

static void orders_that_were_given_come_before_streams(void **state)
{
    struct series series = series_of(16);
    (void)state;
    assert_int_equal(sim_series_room(&series), 4);
    assert_true(sim_series_add(&series, "order:2.1,1.2"));
    assert_true(sim_series_add(&series, "order:3.1,1.2"));
    assert_int_equal(sim_series_room(&series), 2);
    is_spec(&series, 3, "overlap");
    is_spec(&series, 4, "order:2.1,1.2");
    is_spec(&series, 5, "order:3.1,1.2");
    is_spec(&series, 6, "starve:2");
    is_spec(&series, 9, "pct:1:5:17");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(sim_series_is_order(&series, i), i == 4 || i == 5);
}

static void a_quarter_of_a_series_are_orders_at_most(void **state)
{
    char spec[SERIES_SPEC_MAX + 1];
    struct series series = series_of(11);
    (void)state;
    memset(spec, '1', SERIES_SPEC_MAX);
    spec[SERIES_SPEC_MAX] = '\0';
    assert_false(sim_series_add(&series, spec)); /* it is too long */
    assert_true(sim_series_add(&series, "order:2.1,1.2"));
    assert_true(sim_series_add(&series, "order:3.1,1.2"));
    assert_false(sim_series_add(&series, "order:3.1,2.2"));
    series = series_of(3);
    assert_int_equal(sim_series_room(&series), 0);
    series = series_of(100000);
    assert_int_equal(sim_series_room(&series), SERIES_ORDERS_MOST);
}

static void each_schedule_is_another_one(void **state)
{
    static char specs[200][SERIES_SPEC_MAX];
    const struct series series = series_of(200);
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        sim_series_write(&series, i, specs[i]);
        for (unsigned k = 0; k < i; k++) assert_string_not_equal(specs[k], specs[i]);
    }
}

static void a_program_that_told_nothing_has_seeds(void **state)
{
    struct series series;
    (void)state;
    sim_series_begin(&series, 30);
    is_spec(&series, 3, "overlap");
    is_spec(&series, 4, "pct:1:5:64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stream_with_most_to_do_is_starved_first),
        cmocka_unit_test(a_short_series_has_room_for_seeds),
        cmocka_unit_test(orders_that_were_given_come_before_streams),
        cmocka_unit_test(a_quarter_of_a_series_are_orders_at_most),
        cmocka_unit_test(each_schedule_is_another_one),
        cmocka_unit_test(a_program_that_told_nothing_has_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
