/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f64 against integers, in all roundings.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ptx/arithmetic.h"
#include "ptx/rounding.h"

/* The first NaN goes through and is quiet; one that arises is negative. */
static uint64_t nan_of(const uint64_t *bits, int count)
{
    for (int i = 0; i < count; i++)
        if (exact_is_nan(bits[i], exact_f64)) return bits[i] | UINT64_C(0x0008000000000000);
    return UINT64_C(0xfff8000000000000);
}

static uint64_t nan_of_1(const uint64_t bits[3]) { return nan_of(bits, 1); }
static uint64_t nan_of_2(const uint64_t bits[3]) { return nan_of(bits, 2); }
static uint64_t nan_of_3(const uint64_t bits[3]) { return nan_of(bits, 3); }

static void check(const char *name, rounding_operation *operation,
                  uint64_t nan(const uint64_t bits[3]))
{
    const struct rounding how = { .operation = operation, .format = exact_f64, .nan = nan };
    rounding_check_modes(name, "f64", false, &how);
}

static void sums_are_rounded_once(void **state)
{
    (void)state;
    check("add", rounding_add, nan_of_2);
    check("sub", rounding_sub, nan_of_2);
}

static void products_are_rounded_once(void **state)
{
    (void)state;
    check("mul", rounding_mul, nan_of_2);
}

static void what_is_fused_is_rounded_once(void **state)
{
    (void)state;
    check("fma", rounding_fma, nan_of_3);
    check("mad", rounding_fma, nan_of_3);
}

static void quotients_and_reciprocals_are_rounded_once(void **state)
{
    (void)state;
    check("div", rounding_div, nan_of_2);
    check("rcp", rounding_rcp, nan_of_1);
}

static void roots_are_rounded_once(void **state)
{
    (void)state;
    check("sqrt", rounding_sqrt, nan_of_1);
}

/* ---- Approximations ------------------------------------------------------------------------ */

#define COUNT 10000

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static long double reciprocal(long double x)
{
    return 1 / x;
}

static long double root_reciprocal(long double x)
{
    return 1 / sqrtl(x);
}

/* The lower half of a result is empty where `upper`. */
static void rough(const char *text, long double function(long double), bool upper,
                  double allowed)
{
    static uint64_t x[COUNT], got[COUNT];
    struct dice dice = { 4 };
    double most = 0;
    for (int i = 0; i < COUNT; i++) {
        const uint64_t bits = dice_next(&dice) & UINT64_C(0x800fffffffffffff);
        x[i] = (function == root_reciprocal ? bits << 1 >> 1 : bits) |
               (uint64_t)(1 + dice_below(&dice, 2043)) << 52;
    }
    for (int set = STEPS_PLAIN; set <= STEPS_AVX2; set++) {
        if (!steps_has((enum steps_set)set)) continue;
        steps_apply(text, (enum steps_set)set, COUNT, got, x, NULL, NULL);
        for (int i = 0; i < COUNT; i++) {
            const double off = (double)fabsl(double_of(got[i]) / function(double_of(x[i])) - 1);
            if (upper) assert_int_equal(got[i] & UINT32_MAX, 0);
            if (!(off <= allowed))
                fail_msg("%s of %llx is %llx", text, (unsigned long long)x[i],
                         (unsigned long long)got[i]);
            if (off > most) most = off;
        }
    }
    print_message("# %s: 2^%.2f\n", text, log2(most));
}

static void is(const char *text, uint64_t x, uint64_t right)
{
    uint64_t got;
    steps_apply(text, STEPS_PLAIN, 1, &got, &x, NULL, NULL);
    if (got != right)
        fail_msg("%s of %llx is %llx", text, (unsigned long long)x, (unsigned long long)got);
}

static void approximations_are_as_good_as_they_say(void **state)
{
    (void)state;
    const uint64_t infinity = UINT64_C(0x7ff0000000000000), sign = UINT64_C(1) << 63;
    const uint64_t nan = UINT64_C(0x7fffffff00000000);
    rough("rcp.approx.ftz.f64", reciprocal, true, 0x1p-19);
    rough("rsqrt.approx.ftz.f64", root_reciprocal, true, 0x1p-19);
    if (arithmetic_extends())
        rough("rsqrt.approx.f64", root_reciprocal, false, 0x1.001p-53 + (double)LDBL_EPSILON);
    is("rcp.approx.ftz.f64", 1, infinity);
    is("rcp.approx.ftz.f64", sign, sign | infinity);
    is("rcp.approx.ftz.f64", UINT64_C(0x7fe0000000000000), 0);
    is("rcp.approx.ftz.f64", sign | infinity, sign);
    is("rcp.approx.ftz.f64", infinity + 1, nan);
    is("rsqrt.approx.ftz.f64", sign | UINT64_C(0x3ff0000000000000), nan);
    is("rsqrt.approx.f64", sign | UINT64_C(0x3ff0000000000000), UINT64_C(0xfff8000000000000));
    is("rsqrt.approx.ftz.f64", 1, infinity);
    is("rsqrt.approx.ftz.f64", UINT64_C(0x8008000000000000), sign | infinity);
    is("rsqrt.approx.f64", UINT64_C(0x0008000000000000), UINT64_C(0x5fe6a09e667f3bcd));
    is("rsqrt.approx.f64", sign, sign | infinity);
    is("rsqrt.approx.f64", infinity, 0);
    is("rsqrt.approx.f64", infinity + 1, infinity + 1 + (UINT64_C(1) << 51));
}

/* Unlike that of f32, the sign of a NaN stays as it is. */
static void signs_are_those_of_numbers(void **state)
{
    (void)state;
    const uint64_t one = UINT64_C(0x3ff0000000000000), sign = UINT64_C(1) << 63;
    const uint64_t nan = UINT64_C(0x7ff8000000000001), loud = UINT64_C(0x7ff0000000000001);
    is("neg.f64", one, sign | one);
    is("neg.f64", sign, 0);
    is("neg.f64", nan, nan);
    is("neg.f64", sign | loud, sign | nan);
    is("abs.f64", sign | one, one);
    is("abs.f64", sign | nan, sign | nan);
    is("abs.f64", loud, nan);
}

static void properties_are_told(void **state)
{
    (void)state;
    static const struct {
        uint64_t x;
        const char *answers; /* finite, infinite, number, notanumber, normal, subnormal */
    } all[] = {
        { UINT64_C(0x8000000000000000), "101010" }, { UINT64_C(0x0000000000000001), "101001" },
        { UINT64_C(0x800fffffffffffff), "101001" }, { UINT64_C(0x0010000000000000), "101010" },
        { UINT64_C(0xffefffffffffffff), "101010" }, { UINT64_C(0x7ff0000000000000), "011000" },
        { UINT64_C(0xfff0000000000000), "011000" }, { UINT64_C(0x7ff0000000000001), "000100" },
        { UINT64_C(0xffffffffffffffff), "000100" }, { UINT64_C(0x0000000000000000), "101010" },
    };
    static const char *const names[] = { "finite", "infinite", "number", "notanumber", "normal",
                                         "subnormal" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int k = 0; k < 6; k++) {
            char text[40];
            uint8_t got;
            snprintf(text, sizeof text, "testp.%s.f64", names[k]);
            steps_apply(text, STEPS_PLAIN, 1, &got, &all[i].x, NULL, NULL);
            assert_int_equal(got, all[i].answers[k] - '0');
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_rounded_once),
        cmocka_unit_test(products_are_rounded_once),
        cmocka_unit_test(what_is_fused_is_rounded_once),
        cmocka_unit_test(quotients_and_reciprocals_are_rounded_once),
        cmocka_unit_test(roots_are_rounded_once),
        cmocka_unit_test(approximations_are_as_good_as_they_say),
        cmocka_unit_test(signs_are_those_of_numbers),
        cmocka_unit_test(properties_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
