/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards of pinned memory: which touches are told, and how long guards last.
 */
#include "layer-check/pages/twice_mapped.h"

/* ---- Which touches are told ----------------------------------------------------------------- */

static void what_work_reads_may_be_read_but_not_written(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 1, 2, RILL_TOUCH_READ, until(1, 1));
    read_byte(at(scene, 1, 7));
    assert_untouched(&scene->touches);
    write_byte(at(scene, 2, 9), 42);
    assert_touched(&scene->touches, at(scene, 2, 9), RILL_TOUCH_WRITE);
    assert_int_equal(scene->memory.backend[2 * PAGE + 9], 42);
}

static void what_work_writes_may_not_even_be_read(void **state)
{
    struct scene *scene = *state;
    scene->memory.backend[PAGE + 5] = 17;
    guard_pages(scene, 1, 1, RILL_TOUCH_WRITE, until(1, 1));
    assert_int_equal(read_byte(at(scene, 1, 5)), 17);
    assert_touched(&scene->touches, at(scene, 1, 5), RILL_TOUCH_READ);
    guard_pages(scene, 2, 1, RILL_TOUCH_ATOMIC, until(1, 2));
    write_byte(at(scene, 2, 6), 1);
    assert_touched(&scene->touches, at(scene, 2, 6), RILL_TOUCH_WRITE);
}

static void a_read_leaves_a_later_write_to_be_seen(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 3, 1, RILL_TOUCH_WRITE, until(1, 1));
    read_byte(at(scene, 3, 0));
    assert_touched(&scene->touches, at(scene, 3, 0), RILL_TOUCH_READ);
    read_byte(at(scene, 3, 1));
    assert_untouched(&scene->touches);
    write_byte(at(scene, 3, 2), 1);
    assert_touched(&scene->touches, at(scene, 3, 2), RILL_TOUCH_WRITE);
    write_byte(at(scene, 3, 3), 1);
    assert_untouched(&scene->touches);
}

static void a_page_stays_open_until_it_is_guarded_again(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 1));
    write_byte(at(scene, 0, 0), 1);
    write_byte(at(scene, 0, 1), 1);
    assert_touched(&scene->touches, at(scene, 0, 0), RILL_TOUCH_WRITE);
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 2));
    write_byte(at(scene, 0, 2), 1);
    assert_touched(&scene->touches, at(scene, 0, 2), RILL_TOUCH_WRITE);
}

static void other_pages_and_the_other_view_are_free(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 2, 1, RILL_TOUCH_WRITE, until(1, 1));
    write_byte(at(scene, 1, PAGE - 1), 1);
    write_byte(at(scene, 3, 0), 1);
    scene->memory.backend[2 * PAGE] = 1;
    assert_untouched(&scene->touches);
}

static void bytes_are_guarded_by_whole_pages(void **state)
{
    struct scene *scene = *state;
    assert_true(ck_pages_guard(scene->pages, at(scene, 1, PAGE - 1), 2, RILL_TOUCH_WRITE,
                               until(1, 1)));
    write_byte(at(scene, 1, 0), 1);
    assert_touched(&scene->touches, at(scene, 1, 0), RILL_TOUCH_WRITE);
    write_byte(at(scene, 2, PAGE - 1), 1);
    assert_touched(&scene->touches, at(scene, 2, PAGE - 1), RILL_TOUCH_WRITE);
    write_byte(at(scene, 3, 0), 1);
    assert_untouched(&scene->touches);
}

static void memory_that_was_not_added_is_not_guarded(void **state)
{
    struct scene *scene = *state;
    unsigned char local[3] = { 0 };
    assert_true(ck_pages_guard(scene->pages, local, 3, RILL_TOUCH_WRITE, until(1, 1)));
    assert_true(ck_pages_guard(scene->pages, at(scene, 0, 0), 0, RILL_TOUCH_WRITE, until(1, 1)));
    assert_true(ck_pages_guard(scene->pages, NULL, SIZE_MAX, 0, until(1, 1)));
    assert_int_equal(scene->touches.count, 0);
}

static void a_guard_may_span_allocations_and_more(void **state)
{
    struct scene *scene = *state;
    ck_pages_remove(scene->pages, at(scene, 0, 0));
    assert_true(ck_pages_add(scene->pages, at(scene, 1, 0), PAGE));
    assert_true(ck_pages_add(scene->pages, at(scene, 4, 0), 2 * PAGE));
    guard_pages(scene, 0, PAGES, RILL_TOUCH_WRITE, until(1, 1));
    for (size_t page = 0; page < PAGES; page++) {
        write_byte(at(scene, page, 1), 1);
        if (page == 1 || page == 4 || page == 5)
            assert_touched(&scene->touches, at(scene, page, 1), RILL_TOUCH_WRITE);
        else assert_untouched(&scene->touches);
    }
    release_until(scene, 1, 1);
}

/* ---- How long guards last ------------------------------------------------------------------- */

static void the_strictest_of_several_guards_holds(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 4, RILL_TOUCH_READ, until(1, 1));
    guard_pages(scene, 1, 2, RILL_TOUCH_WRITE, until(2, 1));
    guard_pages(scene, 0, 4, RILL_TOUCH_READ, until(3, 1));
    read_byte(at(scene, 1, 0));
    assert_touched(&scene->touches, at(scene, 1, 0), RILL_TOUCH_READ);
    release_until(scene, 2, 1);
    read_byte(at(scene, 2, 0));
    assert_untouched(&scene->touches);
    write_byte(at(scene, 2, 0), 1);
    assert_touched(&scene->touches, at(scene, 2, 0), RILL_TOUCH_WRITE);
    release_until(scene, 1, 1);
    write_byte(at(scene, 1, 0), 1);
    assert_touched(&scene->touches, at(scene, 1, 0), RILL_TOUCH_WRITE);
    release_until(scene, 3, 1);
    write_byte(at(scene, 0, 0), 1);
    assert_untouched(&scene->touches);
}

static void a_release_ends_what_is_over_and_no_more(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 2, RILL_TOUCH_WRITE, until(1, 1));
    guard_pages(scene, 1, 2, RILL_TOUCH_WRITE, until(1, 2));
    release_until(scene, 1, 1);
    write_byte(at(scene, 0, 0), 1);
    assert_untouched(&scene->touches);
    write_byte(at(scene, 1, 0), 1);
    assert_touched(&scene->touches, at(scene, 1, 0), RILL_TOUCH_WRITE);
    release_until(scene, 1, 2);
    write_byte(at(scene, 2, 0), 1);
    assert_untouched(&scene->touches);
}

static void a_release_does_not_close_what_a_touch_opened(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 1));
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(2, 1));
    write_byte(at(scene, 0, 0), 1);
    assert_touched(&scene->touches, at(scene, 0, 0), RILL_TOUCH_WRITE);
    release_until(scene, 1, 1);
    write_byte(at(scene, 0, 0), 1);
    assert_untouched(&scene->touches);
}

static void an_allocation_that_is_removed_is_open(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, PAGES, RILL_TOUCH_WRITE, until(1, 1));
    ck_pages_remove(scene->pages, at(scene, 1, 0)); /* nothing begins there */
    ck_pages_remove(scene->pages, at(scene, 0, 0));
    write_byte(at(scene, 2, 0), 1);
    assert_untouched(&scene->touches);
    /* What comes there later has nothing to do with the guards of before. */
    assert_true(ck_pages_add(scene->pages, at(scene, 0, 0), PAGES * PAGE));
    write_byte(at(scene, 2, 0), 1);
    assert_untouched(&scene->touches);
    release_until(scene, 1, 1);
}

static void allocations_are_whole_pages_and_apart(void **state)
{
    struct scene *scene = *state;
    struct ck_pages *others = ck_pages_create(note_touch, &scene->touches);
    assert_false(ck_pages_add(others, at(scene, 0, 1), PAGE));
    assert_false(ck_pages_add(others, at(scene, 0, 0), PAGE - 1));
    assert_false(ck_pages_add(others, at(scene, PAGES, 0), 0));
    assert_false(ck_pages_add(others, at(scene, PAGES - 1, 0), PAGE));
    ck_pages_remove(others, at(scene, 0, 0)); /* not theirs */
    guard_pages(scene, 0, 1, RILL_TOUCH_WRITE, until(1, 1));
    ck_pages_destroy(others);
    write_byte(at(scene, 0, 0), 1);
    assert_touched(&scene->touches, at(scene, 0, 0), RILL_TOUCH_WRITE);
}

/* ---- Watching all --------------------------------------------------------------------------- */

static void while_all_are_watched_every_first_touch_is_told(void **state)
{
    struct scene *scene = *state;
    assert_true(ck_pages_watch_all(scene->pages, true));
    read_byte(at(scene, 5, 0));
    assert_touched(&scene->touches, at(scene, 5, 0), RILL_TOUCH_READ);
    write_byte(at(scene, 5, 1), 1);
    assert_touched(&scene->touches, at(scene, 5, 1), RILL_TOUCH_WRITE);
    write_byte(at(scene, 5, 2), 1);
    assert_untouched(&scene->touches);
    /* Another function of the program begins. */
    assert_true(ck_pages_watch_all(scene->pages, true));
    write_byte(at(scene, 5, 3), 1);
    assert_touched(&scene->touches, at(scene, 5, 3), RILL_TOUCH_WRITE);
    assert_true(ck_pages_watch_all(scene->pages, false));
    write_byte(at(scene, 6, 0), 1);
    assert_touched(&scene->touches, at(scene, 6, 0), RILL_TOUCH_WRITE);
    assert_true(ck_pages_watch_all(scene->pages, false));
    write_byte(at(scene, 7, 0), 1);
    assert_untouched(&scene->touches);
}

static void guards_outlive_the_watching_of_all(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 2, RILL_TOUCH_WRITE, until(1, 1));
    assert_true(ck_pages_watch_all(scene->pages, true));
    guard_pages(scene, 2, 1, RILL_TOUCH_READ, until(2, 1));
    release_until(scene, 1, 1);
    write_byte(at(scene, 0, 0), 1);
    assert_touched(&scene->touches, at(scene, 0, 0), RILL_TOUCH_WRITE);
    assert_true(ck_pages_watch_all(scene->pages, false));
    write_byte(at(scene, 1, 0), 1);
    read_byte(at(scene, 2, 0));
    assert_untouched(&scene->touches);
    write_byte(at(scene, 2, 0), 1);
    assert_touched(&scene->touches, at(scene, 2, 0), RILL_TOUCH_WRITE);
}

static void what_is_added_while_all_are_watched_is_watched(void **state)
{
    struct scene *scene = *state;
    struct memory more = map_twice();
    assert_true(ck_pages_watch_all(scene->pages, true));
    assert_true(ck_pages_add(scene->pages, more.program, PAGE));
    write_byte(more.program, 1);
    assert_touched(&scene->touches, more.program, RILL_TOUCH_WRITE);
    ck_pages_remove(scene->pages, more.program);
    assert_true(ck_pages_watch_all(scene->pages, false));
    unmap_twice(&more);
}

int main(void)
{
#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, scene_open, scene_close)
    static const struct CMUnitTest tests[] = {
        SCENE_TEST(what_work_reads_may_be_read_but_not_written),
        SCENE_TEST(what_work_writes_may_not_even_be_read),
        SCENE_TEST(a_read_leaves_a_later_write_to_be_seen),
        SCENE_TEST(a_page_stays_open_until_it_is_guarded_again),
        SCENE_TEST(other_pages_and_the_other_view_are_free),
        SCENE_TEST(bytes_are_guarded_by_whole_pages),
        SCENE_TEST(memory_that_was_not_added_is_not_guarded),
        SCENE_TEST(a_guard_may_span_allocations_and_more),
        SCENE_TEST(the_strictest_of_several_guards_holds),
        SCENE_TEST(a_release_ends_what_is_over_and_no_more),
        SCENE_TEST(a_release_does_not_close_what_a_touch_opened),
        SCENE_TEST(an_allocation_that_is_removed_is_open),
        SCENE_TEST(allocations_are_whole_pages_and_apart),
        SCENE_TEST(while_all_are_watched_every_first_touch_is_told),
        SCENE_TEST(guards_outlive_the_watching_of_all),
        SCENE_TEST(what_is_added_while_all_are_watched_is_watched),
    };
    if (skips_all()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
