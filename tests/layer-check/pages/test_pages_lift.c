/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards that are lifted while functions of the program run.
 */
#include "layer-check/pages/twice_mapped.h"

/* Lifts the guards of one line that were first laid for works up to a number. */
static void lift_until(struct scene *scene, uint64_t line, uint64_t number)
{
    struct ck_until first = { .line = line, .number = number };
    ck_pages_lift(scene->pages, is_over, &first);
}

static struct ck_until after_function(uint64_t line, uint64_t number)
{
    return (struct ck_until){ .line = line, .number = number, .after_function = true };
}

static void assert_open(struct scene *scene, size_t page)
{
    write_byte(at(scene, page, 0), 1);
    assert_untouched(&scene->touches);
}

static void assert_closed(struct scene *scene, size_t page)
{
    write_byte(at(scene, page, 0), 1);
    assert_touched(&scene->touches, at(scene, page, 0), RILL_TOUCH_WRITE);
}

static void guards_are_back_when_the_last_function_has_ended(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 2, RILL_TOUCH_WRITE, until(1, 1));
    lift_until(scene, 1, 1);
    assert_open(scene, 0);
    lift_until(scene, 1, 1);
    assert_true(ck_pages_unlift(scene->pages));
    assert_open(scene, 0);
    assert_true(ck_pages_unlift(scene->pages));
    assert_closed(scene, 0);
    assert_closed(scene, 1);
}

static void without_guards_only_those_to_come_are_lifted(void **state)
{
    struct scene *scene = *state;
    assert_true(ck_pages_lift_none(scene->pages));
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, after_function(1, 1));
    guard_pages(scene, 1, 1, RILL_TOUCH_WRITE, until(1, 2));
    assert_open(scene, 0);
    assert_closed(scene, 1);
    assert_false(ck_pages_lift_none(scene->pages));
    assert_open(scene, 0);
    assert_true(ck_pages_unlift(scene->pages));
    assert_closed(scene, 0);
}

static void without_guards_functions_may_begin_and_end(void **state)
{
    struct scene *scene = *state;
    assert_true(ck_pages_lift_none(scene->pages));
    assert_true(ck_pages_lift_none(scene->pages));
    assert_true(ck_pages_unlift(scene->pages));
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, after_function(1, 1));
    assert_open(scene, 0);
    assert_true(ck_pages_unlift(scene->pages));
    assert_closed(scene, 0);
}

static void other_guards_stay(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 2, RILL_TOUCH_WRITE, until(1, 1));
    guard_pages(scene, 1, 2, RILL_TOUCH_WRITE, until(2, 1));
    lift_until(scene, 1, 1);
    assert_open(scene, 0);
    assert_closed(scene, 1);
    assert_closed(scene, 2);
    assert_true(ck_pages_unlift(scene->pages));
}

static void the_first_work_of_a_guard_counts(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 3));
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 9)); /* the same guard, prolonged */
    lift_until(scene, 1, 2);
    assert_closed(scene, 0);
    lift_until(scene, 1, 3);
    guard_pages(scene, 1, 1, RILL_TOUCH_WRITE, until(1, 9));
    assert_open(scene, 0);
    assert_true(ck_pages_unlift(scene->pages));
    assert_true(ck_pages_unlift(scene->pages));
}

static void a_guard_of_work_after_a_function_is_laid_when_it_has_ended(void **state)
{
    struct scene *scene = *state;
    lift_until(scene, 0, 0);
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, after_function(1, 1));
    guard_pages(scene, 1, 1, RILL_TOUCH_WRITE, until(1, 1));
    assert_open(scene, 0);
    assert_closed(scene, 1);
    assert_true(ck_pages_unlift(scene->pages));
    assert_closed(scene, 0);
}

static void what_ends_while_it_is_lifted_has_ended(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 1));
    lift_until(scene, 1, 1);
    release_until(scene, 1, 1);
    assert_true(ck_pages_unlift(scene->pages));
    assert_open(scene, 0);
}

/* Many guards, so that they are sorted. */
static void lifted_guards_outlive_no_others(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, PAGES, RILL_TOUCH_WRITE, until(1, 1));
    lift_until(scene, 1, 1);
    for (uint64_t i = 0; i < 1000; i++)
        guard_pages(scene, i % PAGES, 1, RILL_TOUCH_WRITE, until(1, 2 + i));
    assert_closed(scene, 0);
    release_until(scene, 1, 1);
    assert_true(ck_pages_unlift(scene->pages));
    assert_closed(scene, 1);
}

int main(void)
{
#define ON_SCENE(test) cmocka_unit_test_setup_teardown(test, scene_open, scene_close)
    const struct CMUnitTest tests[] = {
        ON_SCENE(guards_are_back_when_the_last_function_has_ended),
        ON_SCENE(without_guards_only_those_to_come_are_lifted),
        ON_SCENE(without_guards_functions_may_begin_and_end),
        ON_SCENE(other_guards_stay),
        ON_SCENE(the_first_work_of_a_guard_counts),
        ON_SCENE(a_guard_of_work_after_a_function_is_laid_when_it_has_ended),
        ON_SCENE(what_ends_while_it_is_lifted_has_ended),
        ON_SCENE(lifted_guards_outlive_no_others),
    };
    return skips_all() ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
