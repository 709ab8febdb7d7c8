/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left of guards of pinned memory where memory is short, or the system refuses a call.
 */
#include "layer-check/pages/twice_mapped.h"

#include "support/shortage.h"

static void short_memory_is_said(void **state)
{
    struct scene *scene = *state;
    struct memory more = map_twice();
    rl_alloc_fail_after(0);
    assert_null(ck_pages_create(note_touch, NULL));
    for (long after = 0;; after++) {
        rl_alloc_fail_after(after);
        bool added = ck_pages_add(scene->pages, more.program, PAGE);
        if (shortage_is_left(after)) {
            assert_true(added);
            break;
        }
        assert_false(added);
        write_byte(more.program, 1);
    }
    rl_alloc_fail_after(0);
    assert_false(ck_pages_guard(scene->pages, more.program, 1, RILL_TOUCH_WRITE, until(1, 1)));
    rl_alloc_fail_after(-1);
    write_byte(more.program, 1);
    assert_untouched(&scene->touches);
    ck_pages_remove(scene->pages, more.program);
    unmap_twice(&more);
}

static void where_the_system_refuses_a_guard_the_allocation_is_open(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 2, RILL_TOUCH_WRITE, until(1, 1));
    protect_calls_refused = 1;
    assert_false(ck_pages_guard(scene->pages, at(scene, 4, 0), 1, RILL_TOUCH_WRITE, until(1, 2)));
    write_byte(at(scene, 4, 0), 1);
    write_byte(at(scene, 0, 0), 1);
    assert_untouched(&scene->touches);
}

static void a_page_that_cannot_be_opened_alone_is_opened_with_all(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 3, RILL_TOUCH_WRITE, until(1, 1));
    protect_calls_refused = 1;
    write_byte(at(scene, 0, 0), 1);
    assert_touched(&scene->touches, at(scene, 0, 0), RILL_TOUCH_WRITE);
    write_byte(at(scene, 2, 0), 1);
    assert_untouched(&scene->touches);
}

static void a_page_that_cannot_be_opened_at_all_is_tried_again(void **state)
{
    struct scene *scene = *state;
    guard_pages(scene, 0, 3, RILL_TOUCH_WRITE, until(1, 1));
    protect_calls_refused = 2;
    release_until(scene, 1, 1);
    write_byte(at(scene, 1, 0), 1);
    assert_touched(&scene->touches, at(scene, 1, 0), RILL_TOUCH_WRITE);
}

int main(void)
{
#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, scene_open, scene_close)
    static const struct CMUnitTest tests[] = {
        SCENE_TEST(short_memory_is_said),
        SCENE_TEST(where_the_system_refuses_a_guard_the_allocation_is_open),
        SCENE_TEST(a_page_that_cannot_be_opened_alone_is_opened_with_all),
        SCENE_TEST(a_page_that_cannot_be_opened_at_all_is_tried_again),
    };
    if (skips_all()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
