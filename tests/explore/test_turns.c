/* SPDX-License-Identifier: Apache-2.0
 *
 * The classes next to that of a run: one race each is the other way around.
 */
#include <string.h>

#include "explore/turns.h"
#include "support/cmocka_all.h"

/* An outcome whose steps are operations 1, 2, ... of stream 1, taken in this order. */
static void begin(struct xp_outcome *outcome, unsigned steps)
{
    memset(outcome, 0, sizeof *outcome);
    for (unsigned i = 1; i <= steps; i++)
        assert_true(xp_order_add(&outcome->steps, (struct xp_name){ 1, XP_WHOLE, i }));
    assert_true(xp_pairs_init(&outcome->before, steps));
    assert_true(xp_pairs_init(&outcome->conflicts, steps));
}

static void conflict(struct xp_outcome *outcome, unsigned a, unsigned b)
{
    xp_pairs_add(&outcome->conflicts, a - 1, b - 1);
    xp_pairs_add(&outcome->conflicts, b - 1, a - 1);
}

static void promise(struct xp_outcome *outcome, unsigned first, unsigned then)
{
    xp_pairs_add(&outcome->before, first - 1, then - 1);
}

static void is_turn(const struct xp_turn *turn, unsigned first, unsigned then)
{
    assert_int_equal(turn->first.number, first);
    assert_int_equal(turn->then.number, then);
}

/* Two writers in order, and a reader that nothing orders: it is turned with the one next to it, and
 * so comes between both. */
static void a_step_comes_between_two_others(void **state)
{
    struct xp_outcome outcome;
    struct xp_turn turns[4];
    (void)state;
    for (unsigned reader = 1; reader <= 3; reader += 2) { /* it was taken first, or last */
        unsigned one = reader == 1 ? 2 : 1;
        begin(&outcome, 3);
        promise(&outcome, one, one + 1);
        conflict(&outcome, reader, one);
        conflict(&outcome, reader, one + 1);
        assert_int_equal(xp_turns_list(&outcome, turns, 4), 1);
        is_turn(&turns[0], reader == 1 ? 1 : 2, reader == 1 ? 2 : 3);
        xp_outcome_fini(&outcome);
    }
}

static void a_run_without_conflicts_has_none(void **state)
{
    struct xp_outcome outcome;
    struct xp_turn turns[4];
    (void)state;
    begin(&outcome, 0);
    assert_int_equal(xp_turns_list(&outcome, turns, 4), 0);
    xp_outcome_fini(&outcome);
    begin(&outcome, 2);
    promise(&outcome, 1, 2);
    assert_int_equal(xp_turns_list(&outcome, turns, 4), 0);
    xp_outcome_fini(&outcome);
}

/* Nine writers that nothing orders have eight races. */
static void of_many_some_are_taken_from_all_over(void **state)
{
    struct xp_outcome outcome;
    struct xp_turn turns[9];
    (void)state;
    begin(&outcome, 9);
    for (unsigned a = 1; a <= 9; a++)
        for (unsigned b = a + 1; b <= 9; b++) conflict(&outcome, a, b);
    assert_int_equal(xp_turns_list(&outcome, turns, 9), 8);
    assert_int_equal(xp_turns_list(&outcome, turns, 4), 4);
    for (unsigned i = 0; i < 4; i++) is_turn(&turns[i], 2 * i + 1, 2 * i + 2);
    assert_int_equal(xp_turns_list(&outcome, turns, 0), 0);
    xp_outcome_fini(&outcome);
}

static void too_many_steps_have_none(void **state)
{
    struct xp_outcome outcome;
    struct xp_turn turns[2];
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        begin(&outcome, XP_TURNS_STEPS_MOST + more);
        conflict(&outcome, 1, 2);
        assert_int_equal(xp_turns_list(&outcome, turns, 2), !more);
        xp_outcome_fini(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_comes_between_two_others),
        cmocka_unit_test(a_run_without_conflicts_has_none),
        cmocka_unit_test(of_many_some_are_taken_from_all_over),
        cmocka_unit_test(too_many_steps_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
