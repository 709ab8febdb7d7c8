/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f16, bf16 and their pairs against integers.
 */
#include <stdio.h>

#include "ptx/rounding.h"

/* One instruction of halves, and of pairs. */
static void check(const char *name, const char *words, struct rounding how)
{
    const char *type = how.format.mantissa == exact_f16.mantissa ? "f16" : "bf16";
    char text[48];
    snprintf(text, sizeof text, "%s%s.%s", name, words, type);
    rounding_check(text, &how);
    how.pairs = true;
    snprintf(text, sizeof text, "%s%s.%sx2", name, words, type);
    rounding_check(text, &how);
}

static void check_f16(const char *name, rounding_operation *operation)
{
    struct rounding how = { .operation = operation, .format = exact_f16 };
    check(name, "", how);
    how.saturate = true;
    check(name, ".sat", how);
    how.flush = true;
    check(name, ".ftz.sat", how);
    how.saturate = false;
    check(name, ".ftz", how);
}

static void sums_and_products_of_f16_are_rounded_once(void **state)
{
    (void)state;
    check_f16("add", rounding_add);
    check_f16("sub.rn", rounding_sub);
    check_f16("mul", rounding_mul);
}

static void what_is_fused_of_f16_is_rounded_once(void **state)
{
    (void)state;
    check_f16("fma.rn", rounding_fma);
    struct rounding how = { .operation = rounding_fma, .format = exact_f16, .relu = true };
    check("fma.rn", ".relu", how);
    how.flush = true;
    check("fma.rn", ".ftz.relu", how);
}

static void arithmetic_of_bf16_is_rounded_once(void **state)
{
    (void)state;
    struct rounding how = { .operation = rounding_add, .format = exact_bf16 };
    check("add", "", how);
    how.operation = rounding_sub;
    check("sub.rn", "", how);
    how.operation = rounding_mul;
    check("mul", "", how);
    how.operation = rounding_fma;
    check("fma.rn", "", how);
    how.relu = true;
    check("fma.rn", ".relu", how);
}

/* Every operand: neg, abs, and the same of the two halves of a pair. */
static void signs_are_those_of_every_half(const char *type, struct exact_format format, bool flush)
{
    static uint16_t x[65536], got[4][65536];
    static const char *const names[] = { "neg", "abs" };
    for (int i = 0; i < 65536; i++) x[i] = (uint16_t)i;
    for (int k = 0; k < 4; k++) {
        char text[32];
        snprintf(text, sizeof text, "%s%s.%s%s", names[k % 2], flush ? ".ftz" : "", type,
                 k < 2 ? "" : "x2");
        steps_apply(text, steps_has(STEPS_AVX2) ? STEPS_AVX2 : STEPS_PLAIN,
                    k < 2 ? 65536 : 32768, got[k], x, NULL, NULL);
    }
    for (int i = 0; i < 65536; i++) {
        const bool nan = exact_is_nan((uint64_t)i, format);
        const int value = flush ? (int)exact_flushed((uint64_t)i, format) : i;
        assert_int_equal(got[0][i], nan ? 0x7fff : value ^ 0x8000);
        assert_int_equal(got[1][i], nan ? 0x7fff : value & 0x7fff);
        assert_int_equal(got[2][i], got[0][i]);
        assert_int_equal(got[3][i], got[1][i]);
    }
}

static void signs_change_and_fall(void **state)
{
    (void)state;
    signs_are_those_of_every_half("f16", exact_f16, false);
    signs_are_those_of_every_half("f16", exact_f16, true);
    signs_are_those_of_every_half("bf16", exact_bf16, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products_of_f16_are_rounded_once),
        cmocka_unit_test(what_is_fused_of_f16_is_rounded_once),
        cmocka_unit_test(arithmetic_of_bf16_is_rounded_once),
        cmocka_unit_test(signs_change_and_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
