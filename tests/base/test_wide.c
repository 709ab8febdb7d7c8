/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of 128 bits, made of parts: the same numbers as with a type for them, where there is
 * one, and as were worked out by hand.
 */
#define RL_WIDE_IN_PARTS
#include "base/wide.h"

#include "support/cmocka_all.h"
#include "support/random.h"

static const uint64_t ends[] = {
    0, 1, 2, 3, UINT32_MAX, (uint64_t)UINT32_MAX + 1, INT64_MAX, (uint64_t)1 << 63, UINT64_MAX - 1,
    UINT64_MAX,
};
enum { ENDS = sizeof ends / sizeof *ends, ROUNDS = 20000 };

/* Now and then one of the ends, or a short number. */
static uint64_t any_number(struct dice *dice)
{
    uint64_t bits = dice_next(dice);
    if (bits % 4 == 0) return ends[bits / 4 % ENDS];
    return dice_next(dice) >> (bits / 4 % 64);
}

static void assert_wide(struct rl_wide wide, uint64_t high, uint64_t low)
{
    assert_true(wide.high == high && wide.low == low);
}

static void products_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    assert_wide(rl_multiply(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
    assert_wide(rl_multiply((uint64_t)1 << 63, 6), 3, 0);
    assert_wide(rl_multiply_signed(-1, -1), 0, 1);
    assert_wide(rl_multiply_signed(-3, 5), UINT64_MAX, (uint64_t)-15);
    assert_wide(rl_multiply_signed(INT64_MIN, INT64_MIN), (uint64_t)1 << 62, 0);
    assert_wide(rl_wide_plus((struct rl_wide){ 7, UINT64_MAX }, 2), 8, 1);
    assert_wide(rl_wide_plus_signed((struct rl_wide){ 7, 1 }, -2), 6, UINT64_MAX);
    assert_wide(rl_wide_negated((struct rl_wide){ 0, 1 }), UINT64_MAX, UINT64_MAX);
}

/* quotient * divisor + rest is what was divided, and the rest is smaller than the divisor. */
static void a_quotient_and_its_rest_make_the_whole_again(void **state)
{
    (void)state;
    struct dice dice = { 1 };
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t a = any_number(&dice), b = any_number(&dice), divisor = any_number(&dice);
        if (!divisor) continue;
        struct rl_wide whole = rl_multiply(a, b), quotient = whole;
        uint64_t rest = rl_divide(&quotient, divisor);
        assert_true(rest < divisor);
        struct rl_wide again = rl_wide_plus(rl_multiply(quotient.low, divisor), rest);
        again.high += quotient.high * divisor;
        assert_wide(again, whole.high, whole.low);
    }
}

static void a_type_of_128_bits_has_the_same(void **state)
{
    (void)state;
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 whole;
    __extension__ typedef __int128 signed_whole;
    struct dice dice = { 2 };
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t a = any_number(&dice), b = any_number(&dice), c = any_number(&dice);
        whole product = (whole)a * b, with_signs = (whole)((signed_whole)(int64_t)a * (int64_t)b);
        assert_wide(rl_multiply(a, b), (uint64_t)(product >> 64), (uint64_t)product);
        assert_wide(rl_multiply_signed((int64_t)a, (int64_t)b), (uint64_t)(with_signs >> 64),
                    (uint64_t)with_signs);
        struct rl_wide quotient = rl_multiply(a, b);
        if (!c) continue;
        assert_true(rl_divide(&quotient, c) == (uint64_t)(product % c));
        product /= c;
        assert_wide(quotient, (uint64_t)(product >> 64), (uint64_t)product);
    }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_worked_out_by_hand),
        cmocka_unit_test(a_quotient_and_its_rest_make_the_whole_again),
        cmocka_unit_test(a_type_of_128_bits_has_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
