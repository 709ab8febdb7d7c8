/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of lanes come apart and meet again, with steps that are made by hand.
 */
#include "ptx/run/by_hand.h"

static void a_guard_keeps_lanes_from_a_step(void **state)
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
static void lanes_leave_a_loop_one_by_one_and_meet_behind_it(void **state)
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

static void lanes_that_exit_early_are_gone(void **state)
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

/* Those behind spin until one that is ahead of them has run. */
static void lanes_that_wait_for_others_of_their_warp_come_to_an_end(void **state)
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

/* A frame may have been another function's: whatever is where predicates are. */
static void lanes_of_others_have_no_say_in_guards(void **state)
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

static void masks_become_ranges(void **state)
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
        cmocka_unit_test(a_guard_keeps_lanes_from_a_step),
        cmocka_unit_test(lanes_leave_a_loop_one_by_one_and_meet_behind_it),
        cmocka_unit_test(lanes_that_exit_early_are_gone),
        cmocka_unit_test(lanes_that_wait_for_others_of_their_warp_come_to_an_end),
        cmocka_unit_test(lanes_of_others_have_no_say_in_guards),
        cmocka_unit_test(masks_become_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
