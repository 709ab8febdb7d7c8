/* SPDX-License-Identifier: Apache-2.0
 *
 * min and max of every format, with .ftz, .NaN and .xorsign.abs.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/rounding.h"

#define COUNT 4096

struct least {
    bool most, flush, nan_wins, sign, magnitudes;
    struct exact_format format;
};

static uint64_t operands[3][COUNT], results[COUNT];
static _Alignas(8) unsigned char arrays[4][8 * COUNT];

/* Of two NaNs, or of one that wins: of f64 the second goes through, and is quiet. */
static uint64_t nan_of(struct exact_format format, uint64_t y)
{
    if (format.mantissa == exact_f64.mantissa) return y | UINT64_C(0x0008000000000000);
    return exact_sign(format) - 1;
}

/* As integers in the order of the numbers, -0 before 0. */
static int64_t rank(uint64_t bits, struct exact_format format)
{
    const int64_t size = (int64_t)(bits & (exact_sign(format) - 1));
    return bits & exact_sign(format) ? -1 - size : size;
}

static uint64_t expected(const struct least *how, uint64_t x, uint64_t y)
{
    const struct exact_format format = how->format;
    const uint64_t sign = how->sign ? (x ^ y) & exact_sign(format) : 0;
    if (how->flush) x = exact_flushed(x, format), y = exact_flushed(y, format);
    if (how->sign || how->magnitudes) x &= exact_sign(format) - 1, y &= exact_sign(format) - 1;
    const bool x_nan = exact_is_nan(x, format), y_nan = exact_is_nan(y, format);
    if (how->nan_wins ? x_nan || y_nan : x_nan && y_nan) return nan_of(format, y);
    if (x_nan || y_nan) return (x_nan ? y : x) | sign;
    return ((rank(x, format) < rank(y, format)) != how->most ? x : y) | sign;
}

static void check(const char *text, const struct least *how, int sources)
{
    struct dice dice = { 3 };
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < COUNT; i++) operands[k][i] = exact_any(&dice, how->format);
        rounding_store(arrays[1 + k], operands[k], COUNT, how->format);
    }
    for (int set = STEPS_PLAIN; set <= STEPS_AVX2; set++) {
        if (!steps_has((enum steps_set)set)) continue;
        const bool pairs = text[strlen(text) - 2] == 'x';
        steps_apply_of(text, (enum steps_set)set, sources, pairs ? COUNT / 2 : COUNT, arrays[0],
                       arrays[1], arrays[2], arrays[3]);
        rounding_load(arrays[0], results, COUNT, how->format);
        for (size_t i = 0; i < COUNT; i++) {
            uint64_t right = expected(how, operands[0][i], operands[1][i]);
            if (sources == 3) right = expected(how, right, operands[2][i]);
            if (results[i] != right)
                fail_msg("%s of %llx %llx %llx is %llx, not %llx", text,
                         (unsigned long long)operands[0][i], (unsigned long long)operands[1][i],
                         (unsigned long long)operands[2][i], (unsigned long long)results[i],
                         (unsigned long long)right);
        }
    }
}

/* Everything that the bits of `what` ask for: max, .ftz, .NaN, .xorsign.abs (.abs of
 * three), in this order. */
static void check_all(const char *type, struct exact_format format, int what, int sources)
{
    for (int bits = 0; bits < 16; bits++) {
        if (bits & ~what) continue;
        const struct least how = { .most = bits & 1, .flush = bits & 2, .nan_wins = bits & 4,
                                   .sign = bits & 8 && sources == 2,
                                   .magnitudes = bits & 8 && sources == 3, .format = format };
        char text[48];
        snprintf(text, sizeof text, "%s%s%s%s%s.%s", how.most ? "max" : "min",
                 how.flush ? ".ftz" : "", how.nan_wins ? ".NaN" : "", how.sign ? ".xorsign" : "",
                 bits & 8 ? ".abs" : "", type);
        check(text, &how, sources);
    }
}

static void of_two_f32(void **state)
{
    (void)state;
    check_all("f32", exact_f32, 15, 2);
}

static void of_three_f32(void **state)
{
    (void)state;
    check_all("f32", exact_f32, 15, 3);
}

static void of_f64(void **state)
{
    (void)state;
    check_all("f64", exact_f64, 1, 2);
}

static void of_f16_and_pairs(void **state)
{
    (void)state;
    check_all("f16", exact_f16, 15, 2);
    check_all("f16x2", exact_f16, 15, 2);
}

static void of_bf16_and_pairs(void **state)
{
    (void)state;
    check_all("bf16", exact_bf16, 13, 2);
    check_all("bf16x2", exact_bf16, 13, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_f32),
        cmocka_unit_test(of_three_f32),
        cmocka_unit_test(of_f64),
        cmocka_unit_test(of_f16_and_pairs),
        cmocka_unit_test(of_bf16_and_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
