/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f32 against integers: all roundings, with and without .ftz.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/arithmetic.h"
#include "ptx/rounding.h"

static void check(const char *name, rounding_operation *operation)
{
    rounding_check_modes(name, "f32", true,
                         &(struct rounding){ .operation = operation, .format = exact_f32 });
}

static void check_quotient(const char *name, rounding_operation *operation)
{
    rounding_check_modes(name, "f32", true,
                         &(struct rounding){ .operation = operation, .format = exact_f32,
                                             .small_first = true });
}

/* What is left out for the processor's sake is left out under valgrind, and nowhere else. */
static void nothing_is_left_out(void **state)
{
    (void)state;
    if (getenv("RILL_TEST_SCALE"))
        skip_because("all numbers are too many where work is scaled down");
    assert_true(arithmetic_rounds());
    assert_true(arithmetic_fuses());
    assert_true(arithmetic_orders());
    assert_true(arithmetic_extends());
}

static void sums_are_rounded_once(void **state)
{
    (void)state;
    check("add", rounding_add);
    check("sub", rounding_sub);
}

static void products_are_rounded_once(void **state)
{
    (void)state;
    check("mul", rounding_mul);
}

static void what_is_fused_is_rounded_once(void **state)
{
    (void)state;
    check("fma", rounding_fma);
    check("mad", rounding_fma);
}

static void quotients_and_reciprocals_are_rounded_once(void **state)
{
    (void)state;
    check_quotient("div", rounding_div);
    check_quotient("rcp", rounding_rcp);
}

static void roots_are_rounded_once(void **state)
{
    (void)state;
    check("sqrt", rounding_sqrt);
}

/* ---- Bits ---------------------------------------------------------------------------- */

static const uint32_t edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
    0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7f800001, 0xff800001, 0x7fc00000, 0xffc00000, 0x7fffffff, 0xffffffff,
};
#define EDGES (sizeof edges / sizeof *edges)

/* The answer to each edge, as a row of 0 and 1. */
static void tests_as(const char *text, const char *answers)
{
    for (int set = STEPS_PLAIN; set <= STEPS_AVX2; set++) {
        uint8_t got[EDGES];
        if (!steps_has((enum steps_set)set)) continue;
        steps_apply(text, (enum steps_set)set, EDGES, got, edges, NULL, NULL);
        for (size_t i = 0; i < EDGES; i++)
            if (got[i] != answers[i] - '0') fail_msg("%s of %08x is %d", text, edges[i], got[i]);
    }
}

static void properties_are_told_of_every_kind_of_number(void **state)
{
    (void)state;
    tests_as("testp.finite.f32", "11111111111100000000");
    tests_as("testp.infinite.f32", "00000000000011000000");
    tests_as("testp.number.f32", "11111111111111000000");
    tests_as("testp.notanumber.f32", "00000000000000111111");
    tests_as("testp.normal.f32", "11000011111100000000");
    tests_as("testp.subnormal.f32", "00111100000000000000");
}

static void signs_are_bits(void **state)
{
    (void)state;
    uint32_t others[EDGES], got[EDGES];
    for (size_t i = 0; i < EDGES; i++) others[i] = edges[(i * 7 + 3) % EDGES];
    steps_apply("copysign.f32", STEPS_PLAIN, EDGES, got, edges, others, NULL);
    for (size_t i = 0; i < EDGES; i++)
        assert_int_equal(got[i], (others[i] & 0x7fffffff) | (edges[i] & 0x80000000));
    for (size_t i = 0; i < EDGES; i++) {
        const uint32_t size = edges[i] & 0x7fffffff, nan = size > 0x7f800000 ? 0x7fffffff : 0;
        const uint32_t tiny = size < 0x00800000 ? 0 : size, sign = edges[i] & 0x80000000;
        uint32_t one;
        steps_apply("neg.f32", STEPS_PLAIN, 1, &one, &edges[i], NULL, NULL);
        assert_int_equal(one, nan ? nan : edges[i] ^ 0x80000000);
        steps_apply("abs.f32", STEPS_PLAIN, 1, &one, &edges[i], NULL, NULL);
        assert_int_equal(one, nan ? nan : size);
        steps_apply("neg.ftz.f32", STEPS_PLAIN, 1, &one, &edges[i], NULL, NULL);
        assert_int_equal(one, nan ? nan : tiny | (sign ^ 0x80000000));
        steps_apply("abs.ftz.f32", STEPS_PLAIN, 1, &one, &edges[i], NULL, NULL);
        assert_int_equal(one, nan ? nan : tiny);
    }
}

/* ---- Lanes --------------------------------------------------------------------------- */

static void only_the_lanes_of_a_front_are_written(void **state)
{
    (void)state;
    static const struct ptx_range ranges[] = { { 1, 2 }, { 5, 70 }, { 71, 96 }, { 255, 256 } };
    const struct steps_lanes lanes = { ranges, 4 };
    float a[256], b[256], d[256];
    for (int i = 0; i < 256; i++) a[i] = (float)i, b[i] = 1000, d[i] = -1;
    for (int set = STEPS_PLAIN; set <= STEPS_AVX2; set++) {
        if (!steps_has((enum steps_set)set)) continue;
        steps_apply_some("add.f32", (enum steps_set)set, 256, &lanes, 0, d, a, b, NULL);
        for (int i = 0; i < 256; i++) {
            bool runs = false;
            for (int r = 0; r < 4; r++) runs |= (int)ranges[r].from <= i && i < (int)ranges[r].to;
            assert_true(d[i] == (runs ? (float)i + 1000 : -1));
        }
    }
}

static void a_destination_may_be_any_of_the_sources(void **state)
{
    (void)state;
    float a[200], b[200], c[200], apart[200], same[200];
    for (int i = 0; i < 200; i++) a[i] = (float)i, b[i] = (float)(i * 3 - 7), c[i] = 0.5f;
    for (int set = STEPS_PLAIN; set <= STEPS_AVX2; set++) {
        if (!steps_has((enum steps_set)set)) continue;
        steps_apply_some("fma.rn.f32", (enum steps_set)set, 200, NULL, 0, apart, a, b, c);
        for (const char *alias = "abc"; *alias; alias++) {
            steps_apply_some("fma.rn.f32", (enum steps_set)set, 200, NULL, *alias, same, a, b, c);
            assert_memory_equal(same, apart, sizeof same);
        }
    }
}

static void what_a_rounding_is_missing_from_has_no_form(void **state)
{
    (void)state;
    assert_null(steps_find("fma.f32", STEPS_PLAIN));
    assert_null(steps_find("div.f32", STEPS_PLAIN));
    assert_null(steps_find("sqrt.f32", STEPS_PLAIN));
    assert_null(steps_find("neg.rn.f32", STEPS_PLAIN));
    assert_null(steps_find("div.rn.sat.f32", STEPS_PLAIN));
    assert_non_null(steps_find("add.f32", STEPS_PLAIN));
    assert_non_null(steps_find("fma.rp.ftz.sat.f32", STEPS_PLAIN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_out),
        cmocka_unit_test(sums_are_rounded_once),
        cmocka_unit_test(products_are_rounded_once),
        cmocka_unit_test(what_is_fused_is_rounded_once),
        cmocka_unit_test(quotients_and_reciprocals_are_rounded_once),
        cmocka_unit_test(roots_are_rounded_once),
        cmocka_unit_test(properties_are_told_of_every_kind_of_number),
        cmocka_unit_test(signs_are_bits),
        cmocka_unit_test(only_the_lanes_of_a_front_are_written),
        cmocka_unit_test(a_destination_may_be_any_of_the_sources),
        cmocka_unit_test(what_a_rounding_is_missing_from_has_no_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
