/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f64 against integers, in all roundings.
 */
#include "rounding.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_rounded_once),
        cmocka_unit_test(products_are_rounded_once),
        cmocka_unit_test(what_is_fused_is_rounded_once),
        cmocka_unit_test(quotients_and_reciprocals_are_rounded_once),
        cmocka_unit_test(roots_are_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
