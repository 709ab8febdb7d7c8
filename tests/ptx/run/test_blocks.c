/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a grid, and the bundles of each, with steps that are made by hand.
 */
#include "ptx/run/by_hand.h"

#include "ptx/run/barrier.h"

static void go_wrong(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_fail(group, step, group->ranges[0].from, RILL_ERROR_ILLEGAL_ADDRESS, 77, "for %s", "fun");
}

static void is_last_block(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    uint8_t value = group->block->number == 3;
    PTX_EACH_LANE(group, i) d[i] = value;
}

static void load_far(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = results[0][(ptx_thread_of(group, i) + 700) % 1000];
}

static void every_thread_of_every_block_runs(void **state)
{
    (void)state;
    struct scene scene = scene_of(4, 1000);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = add, .d = X, .a = X, .b = ONE },
        { .run = store, .a = X }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    for (uint32_t b = 0; b < 4; b++)
        for (uint32_t t = 0; t < 1024; t++)
            assert_int_equal(t < 1000 ? t + 1 : 0, results[b][t]);
    assert_int_equal(4 * 4, stores); /* one for each bundle: they do not come apart */
}

static void the_first_failure_ends_the_launch_and_is_told(void **state)
{
    (void)state;
    struct scene scene = scene_of(4, 300);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = less, .d = P, .a = ONE, .b = X },
        { .run = go_wrong, .guard = P, .line = 9, .flags = PTX_STEP_GUARDED },
        { .run = store, .a = X }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    assert_int_equal(RILL_ERROR_ILLEGAL_ADDRESS, scene.fault.status);
    assert_int_equal(9, scene.fault.line);
    assert_int_equal(77, scene.fault.address);
    assert_string_equal("kernel 'k', line 9, thread (2,0,0) of block (0,0,0): for fun",
                        scene.fault.message);
    assert_int_equal(0, stores);
}

static void a_loop_without_an_end_is_stopped_by_the_limit(void **state)
{
    (void)state;
    struct scene scene = scene_of(2, 32);
    const struct ptx_step steps[] = {
        { .run = clear, .d = X, .flags = PTX_STEP_LEADER },
        { .run = ptx_bra_step, .target = 0, CONTROL, .line = 3 }
    };
    memcpy(scene.steps, steps, sizeof steps);
    scene.launch.steps = 100000;
    run(&scene);
    assert_int_equal(RILL_ERROR_LAUNCH_TIMEOUT, scene.fault.status);
    assert_non_null(strstr(scene.fault.message, "limit of 100000"));
}

static void a_barrier_holds_all_bundles_of_a_block(void **state)
{
    (void)state;
    struct scene scene = scene_of(1, 1000);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = store, .a = X },
        { .run = ptx_barrier_step, .a = ONE, .b = PTX_NO_COLUMN, .c = PTX_NO_COLUMN, CONTROL },
        { .run = load_far, .d = Y },
        { .run = ptx_barrier_step, .a = ONE, .b = PTX_NO_COLUMN, .c = PTX_NO_COLUMN, CONTROL },
        { .run = store, .a = Y }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    for (uint32_t t = 0; t < 1000; t++) assert_int_equal((t + 700) % 1000, results[0][t]);
}

static void threads_that_wait_for_ever_are_a_fault(void **state)
{
    (void)state;
    struct scene scene = scene_of(1, 300);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = is_odd, .d = P, .a = X },
        { .run = clear, .d = Y },
        { .run = ptx_barrier_step, .a = ONE, .b = PTX_NO_COLUMN, .c = PTX_NO_COLUMN, .guard = P,
          .flags = PTX_STEP_CONTROL | PTX_STEP_GUARDED, .line = 5 },
        { .run = ptx_barrier_step, .a = Y, .b = PTX_NO_COLUMN, .c = PTX_NO_COLUMN, CONTROL,
          .line = 5 },
        EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    assert_int_equal(RILL_ERROR_LAUNCH_TIMEOUT, scene.fault.status);
    assert_int_equal(5, scene.fault.line);
    assert_non_null(strstr(scene.fault.message, "at a barrier"));
}

static void one_thread_runs_blocks_that_wait_for_each_other(void **state)
{
    (void)state;
    struct scene scene = scene_of(4, 32);
    const struct ptx_step steps[] = {
        { .run = is_last_block, .d = P },
        { .run = raise_flag, .guard = P, .flags = PTX_STEP_GUARDED },
        { .run = is_raised, .d = P, .flags = PTX_STEP_LEADER },
        { .run = ptx_guarded_bra_step, .target = 2, .guard = P,
          .flags = PTX_STEP_CONTROL | PTX_STEP_GUARDED | PTX_STEP_GUARD_NEGATED },
        { .run = store, .a = ONE }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    scene.launch.cooperative = true;
    run(&scene);
    for (uint32_t b = 0; b < 4; b++) assert_int_equal(1, results[b][31]);
}

static void memory_that_is_not_there_fails_the_launch(void **state)
{
    (void)state;
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = is_odd, .d = P, .a = X },
        { .run = ptx_guarded_bra_step, .target = 4, .guard = P,
          .flags = PTX_STEP_CONTROL | PTX_STEP_GUARDED },
        { .run = clear, .d = X }, { .run = store, .a = X, .flags = PTX_STEP_LEADER }, EXIT
    };
    long after = 0;
    for (;; after++) {
        struct scene scene = scene_of(1, 300);
        struct ptx_grid *grid = NULL;
        memcpy(scene.steps, steps, sizeof steps);
        run(&scene); /* sets it up */
        rl_alloc_fail_after(after);
        rill_status status = ptx_grid_open(&scene.kernel, &scene.launch, &grid);
        if (status == RILL_SUCCESS) assert_true(ptx_grid_run(grid));
        rl_alloc_fail_after(-1);
        if (status == RILL_SUCCESS) ptx_grid_close(grid);
        assert_int_equal(0, rl_alloc_live());
        if (status == RILL_SUCCESS && !scene.fault.status) break;
        assert_true(status == RILL_ERROR_OUT_OF_MEMORY ||
                    scene.fault.status == RILL_ERROR_OUT_OF_MEMORY);
    }
    assert_true(after > 0);
}

/* Threads that go the same way, in several blocks and bundles: all is there from the start. */
static void what_has_begun_needs_no_more_memory(void **state)
{
    (void)state;
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = add, .d = X, .a = X, .b = ONE },
        { .run = store, .a = X }, EXIT
    };
    for (long after = 0; after < 2; after++) {
        struct scene scene = scene_of(4, 700);
        struct ptx_grid *grid = NULL;
        memcpy(scene.steps, steps, sizeof steps);
        run(&scene); /* sets it up */
        size_t bytes = ptx_grid_bytes(&scene.kernel, &scene.launch);
        unsigned char *memory = rl_alloc_aligned(bytes, 64);
        memset(memory, 0xee, bytes); /* whatever was in it */
        rl_alloc_fail_after(after);
        grid = ptx_grid_place(&scene.kernel, &scene.launch, memory);
        assert_true(ptx_grid_run(grid));
        assert_int_equal(0, scene.fault.status);
        ptx_grid_close(grid);
        rl_alloc_fail_after(-1);
        rl_free(memory);
        assert_int_equal(0, rl_alloc_live());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_of_every_block_runs),
        cmocka_unit_test(the_first_failure_ends_the_launch_and_is_told),
        cmocka_unit_test(a_loop_without_an_end_is_stopped_by_the_limit),
        cmocka_unit_test(a_barrier_holds_all_bundles_of_a_block),
        cmocka_unit_test(threads_that_wait_for_ever_are_a_fault),
        cmocka_unit_test(one_thread_runs_blocks_that_wait_for_each_other),
        cmocka_unit_test(memory_that_is_not_there_fails_the_launch),
        cmocka_unit_test(what_has_begun_needs_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
