/* SPDX-License-Identifier: Apache-2.0
 *
 * What guards of pinned memory cost.
 */
#include "layer-check/pages/twice_mapped.h"

#include "support/shortage.h"

static void a_guard_costs_a_system_call_only_if_it_changes_something(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 4, RILL_TOUCH_WRITE, until(1, 1));
    assert_int_equal(calls_since(), 1);
    for (uint64_t number = 2; number < 10000; number++) {
        guard_pages(scene, 0, 4, RILL_TOUCH_WRITE, until(number % 3, number));
        guard_pages(scene, 1, 2, RILL_TOUCH_READ, until(number % 3, number));
    }
    for (uint64_t line = 1; line < 3; line++) release_until(scene, line, 10000);
    assert_int_equal(calls_since(), 0);
    release_until(scene, 0, 10000);
    assert_int_equal(calls_since(), 1);
    release_until(scene, 0, 10000);
    assert_int_equal(calls_since(), 0);
}

static void stretches_of_pages_take_one_call(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 3, 1, RILL_TOUCH_WRITE, until(1, 1));
    assert_int_equal(calls_since(), 1);
    guard_pages(scene, 0, PAGES, RILL_TOUCH_WRITE, until(2, 1));
    assert_int_equal(calls_since(), 1);
    release_until(scene, 2, 1); /* below and above page 3 */
    assert_int_equal(calls_since(), 2);
    ck_pages_remove(scene->pages, scene->memory.program);
    assert_int_equal(calls_since(), 1);
}

static void watching_all_costs_nothing_where_nothing_was_touched(void **state)
{
    struct scene *scene = *state;
    assert_true(ck_pages_watch_all(scene->pages, true));
    assert_int_equal(calls_since(), 1);
    for (int i = 0; i < 1000; i++) {
        assert_true(ck_pages_watch_all(scene->pages, true));
        assert_true(ck_pages_watch_all(scene->pages, false));
    }
    assert_int_equal(calls_since(), 0);
    write_byte(at(scene, 1, 0), 1);
    assert_touched(&scene->touches, at(scene, 1, 0), RILL_TOUCH_WRITE);
    assert_int_equal(calls_since(), 1);
    assert_true(ck_pages_watch_all(scene->pages, true));
    assert_int_equal(calls_since(), 1);
    assert_true(ck_pages_watch_all(scene->pages, false));
    assert_int_equal(calls_since(), 0);
    assert_true(ck_pages_watch_all(scene->pages, false));
    assert_int_equal(calls_since(), 1);
}

static void memory_grows_with_ranges_and_not_with_operations(void **state)
{
    struct scene *scene = *state;
    /* More ranges and lines than are looked at one by one. */
    for (uint64_t number = 1; number <= 100000; number++)
        assert_true(ck_pages_guard(scene->pages, at(scene, number % PAGES, 0), 1,
                                   RILL_TOUCH_WRITE, until(number % 5, number)));
    /* With the next guard that needs room the list is sorted; it never had to grow: */
    rl_alloc_fail_after(0);
    for (uint64_t number = 1; number <= 1000; number++)
        assert_true(ck_pages_guard(scene->pages, at(scene, number % PAGES, 0), 1,
                                   RILL_TOUCH_WRITE, until(number % 5, 100000 + number)));
    assert_true(shortage_is_left(0));
    for (uint64_t line = 0; line < 5; line++) release_until(scene, line, 100000);
    write_byte(at(scene, 0, 0), 1);
    assert_touched(&scene->touches, at(scene, 0, 0), RILL_TOUCH_WRITE);
    for (uint64_t line = 0; line < 5; line++) release_until(scene, line, 101000);
    write_byte(at(scene, 1, 0), 1);
    assert_untouched(&scene->touches);
}

int main(void)
{
#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, scene_open, scene_close)
    static const struct CMUnitTest tests[] = {
        SCENE_TEST(a_guard_costs_a_system_call_only_if_it_changes_something),
        SCENE_TEST(stretches_of_pages_take_one_call),
        SCENE_TEST(watching_all_costs_nothing_where_nothing_was_touched),
        SCENE_TEST(memory_grows_with_ranges_and_not_with_operations),
    };
    if (skips_all()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
