/* SPDX-License-Identifier: Apache-2.0
 *
 * Bundles and groups, with steps that are made by hand.
 */
#include "support/cmocka_all.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/run/barrier.h"
#include "ptx/run/control.h"
#include "ptx/run/fault.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/grid.h"

#define MOST_STEPS 32

/* A kernel of a few steps.  Columns: X is what the test looks at, the others are scratch. */
enum { X = 0, Y = 4, ONE = 8, P = 12, LANE_BYTES = 16 };

struct scene {
    struct ptx_step steps[MOST_STEPS];
    struct ptx_module module;
    struct ptx_program program;
    struct ptx_code code;
    struct ptx_kernel kernel;
    struct ptx_launch launch;
    struct ptx_fault fault;
    struct ptx_constant one;
};

/* What the threads of the grid left in X; by block, then by thread. */
static uint32_t results[4][1024];

static void identify(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = ptx_thread_of(group, i);
}

static void add(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] + b[i];
}

static void clear(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = 0;
}

static void less(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] < b[i];
}

static void is_odd(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    PTX_EACH_LANE(group, i) d[i] = a[i] & 1;
}

static unsigned stores;

static void store(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    stores++;
    PTX_EACH_LANE(group, i) results[group->block->number][ptx_thread_of(group, i)] = a[i];
}

static void go_wrong(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_fail(group, step, group->ranges[0].from, RILL_ERROR_ILLEGAL_ADDRESS, 77, "for %s", "fun");
}

static bool raised;

static void is_raised(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    uint8_t value = raised;
    PTX_EACH_LANE(group, i) d[i] = value;
}

static void raise_flag(struct ptx_group *group, const struct ptx_step *step)
{
    (void)group;
    (void)step;
    raised = true;
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

static struct scene scene_of(uint32_t blocks, uint32_t threads)
{
    stores = 0;
    raised = false;
    memset(results, 0, sizeof results);
    return (struct scene){ .launch = { .grid = { blocks, 1, 1 }, .block = { threads, 1, 1 } } };
}

static void run(struct scene *scene)
{
    struct ptx_grid *grid;
    scene->one = (struct ptx_constant){ .column = ONE, .bytes = 4, .bits = 1 };
    scene->code = (struct ptx_code){ .module = &scene->module, .programs = &scene->program };
    scene->program = (struct ptx_program){
        .code = &scene->code, .steps = scene->steps, .step_count = MOST_STEPS,
        .lane_bytes = LANE_BYTES, .constants = &scene->one, .constant_count = 1,
    };
    scene->kernel = (struct ptx_kernel){ .name = "k", .code = &scene->code };
    scene->launch.fault = &scene->fault;
    assert_int_equal(RILL_SUCCESS, ptx_grid_open(&scene->kernel, &scene->launch, &grid));
    assert_true(ptx_grid_has_more(grid));
    assert_true(ptx_grid_run(grid));
    assert_false(ptx_grid_has_more(grid));
    ptx_grid_close(grid);
    assert_int_equal(0, rl_alloc_live());
}

#define CONTROL .flags = PTX_STEP_CONTROL
#define EXIT { .run = ptx_exit_step, CONTROL }

static void test_every_thread_of_every_block_runs(void **state)
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

static void test_a_guard_keeps_lanes_from_a_step(void **state)
{
    (void)state;
    struct scene scene = scene_of(1, 70);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = is_odd, .d = P, .a = X },
        { .run = add, .d = X, .a = X, .b = X, .guard = P, .flags = PTX_STEP_GUARDED },
        { .run = clear, .d = X, .guard = P,
          .flags = PTX_STEP_GUARDED | PTX_STEP_GUARD_NEGATED },
        { .run = store, .a = X }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    for (uint32_t t = 0; t < 70; t++) assert_int_equal(t % 2 ? 2 * t : 0, results[0][t]);
}

/* do y++ while (y < x);  x = y */
static void test_lanes_leave_a_loop_one_by_one_and_meet_behind_it(void **state)
{
    (void)state;
    struct scene scene = scene_of(1, 256);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = clear, .d = Y },
        { .run = add, .d = Y, .a = Y, .b = ONE, .flags = PTX_STEP_LEADER },
        { .run = less, .d = P, .a = Y, .b = X },
        { .run = ptx_guarded_bra_step, .target = 2, .guard = P,
          .flags = PTX_STEP_CONTROL | PTX_STEP_GUARDED },
        { .run = store, .a = Y }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    for (uint32_t t = 0; t < 256; t++) assert_int_equal(t ? t : 1, results[0][t]);
    assert_int_equal(1, stores);
}

static void test_lanes_that_exit_early_are_gone(void **state)
{
    (void)state;
    struct scene scene = scene_of(1, 100);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = is_odd, .d = P, .a = X },
        { .run = ptx_exit_step, .guard = P, .flags = PTX_STEP_CONTROL | PTX_STEP_GUARDED },
        { .run = add, .d = X, .a = X, .b = ONE }, { .run = store, .a = X }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    for (uint32_t t = 0; t < 100; t++) assert_int_equal(t % 2 ? 0 : t + 1, results[0][t]);
}

static void test_the_first_failure_ends_the_launch_and_is_told(void **state)
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

static void test_a_loop_without_an_end_is_stopped_by_the_limit(void **state)
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

static void test_a_barrier_holds_all_crews_of_a_block(void **state)
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

static void test_threads_that_wait_for_ever_are_a_fault(void **state)
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

/* Those behind spin until one that is ahead of them has run. */
static void test_lanes_that_wait_for_others_of_their_warp_come_to_an_end(void **state)
{
    (void)state;
    struct scene scene = scene_of(1, 64);
    const struct ptx_step steps[] = {
        { .run = identify, .d = X }, { .run = is_odd, .d = P, .a = X },
        { .run = ptx_guarded_bra_step, .target = 5, .guard = P,
          .flags = PTX_STEP_CONTROL | PTX_STEP_GUARDED },
        { .run = is_raised, .d = P, .flags = PTX_STEP_LEADER },
        { .run = ptx_guarded_bra_step, .target = 3, .guard = P,
          .flags = PTX_STEP_CONTROL | PTX_STEP_GUARDED | PTX_STEP_GUARD_NEGATED },
        { .run = raise_flag, .flags = PTX_STEP_LEADER }, { .run = store, .a = ONE }, EXIT
    };
    memcpy(scene.steps, steps, sizeof steps);
    run(&scene);
    for (uint32_t t = 0; t < 64; t++) assert_int_equal(1, results[0][t]);
}

static void test_one_thread_runs_blocks_that_wait_for_each_other(void **state)
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

/* A frame may have been another function's: whatever is where predicates are. */
static void test_lanes_of_others_have_no_say_in_guards(void **state)
{
    (void)state;
    uint8_t set[PTX_WARP];
    struct ptx_group group = { .columns = set, .lanes = PTX_WARP };
    group.mask.bits[0] = 0x00ff00f1;
    struct ptx_mask lanes;
    memset(set, 0xff, sizeof set);
    for (uint32_t i = 0; i < PTX_WARP; i++)
        if (group.mask.bits[0] >> i & 1) set[i] = i % 2;
    ptx_lanes_where(&group, 0, false, &lanes);
    assert_int_equal(0x00aa00a0, lanes.bits[0]);
    ptx_lanes_where(&group, 0, true, &lanes);
    assert_int_equal(0x00550051, lanes.bits[0]);
}

static void test_memory_that_is_not_there_fails_the_launch(void **state)
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
static void test_what_has_begun_needs_no_more_memory(void **state)
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

static void test_masks_become_ranges(void **state)
{
    (void)state;
    struct ptx_range ranges[PTX_WIDEST / 2];
    struct ptx_mask mask = { .bits = { UINT64_MAX, 1, UINT64_C(1) << 63, 3 } };
    assert_int_equal(2, ptx_ranges_of(&mask, PTX_WIDEST, ranges));
    assert_int_equal(0, ranges[0].from);
    assert_int_equal(65, ranges[0].to);
    assert_int_equal(191, ranges[1].from);
    assert_int_equal(194, ranges[1].to);
    for (unsigned i = 0; i < PTX_WIDEST / 64; i++) mask.bits[i] = UINT64_C(0xAAAAAAAAAAAAAAAA);
    assert_int_equal(PTX_WIDEST / 2, ptx_ranges_of(&mask, PTX_WIDEST, ranges));
    assert_int_equal(PTX_WIDEST - 1, ranges[PTX_WIDEST / 2 - 1].from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_thread_of_every_block_runs),
        cmocka_unit_test(test_a_guard_keeps_lanes_from_a_step),
        cmocka_unit_test(test_lanes_leave_a_loop_one_by_one_and_meet_behind_it),
        cmocka_unit_test(test_lanes_that_exit_early_are_gone),
        cmocka_unit_test(test_the_first_failure_ends_the_launch_and_is_told),
        cmocka_unit_test(test_a_loop_without_an_end_is_stopped_by_the_limit),
        cmocka_unit_test(test_a_barrier_holds_all_crews_of_a_block),
        cmocka_unit_test(test_threads_that_wait_for_ever_are_a_fault),
        cmocka_unit_test(test_lanes_that_wait_for_others_of_their_warp_come_to_an_end),
        cmocka_unit_test(test_one_thread_runs_blocks_that_wait_for_each_other),
        cmocka_unit_test(test_lanes_of_others_have_no_say_in_guards),
        cmocka_unit_test(test_memory_that_is_not_there_fails_the_launch),
        cmocka_unit_test(test_what_has_begun_needs_no_more_memory),
        cmocka_unit_test(test_masks_become_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
