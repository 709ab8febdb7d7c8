/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of integers, against numbers of 128 bits.
 */
#include "ptx/answers.h"

__extension__ typedef __int128 wide;

/* The operands as numbers: of instructions with a sign, and of those without one. */
static wide s(const struct answers_row *row, int i)
{
    return answers_signed(row->x[i], row->bits);
}

static wide u(const struct answers_row *row, int i)
{
    return (wide)row->x[i];
}

/* c, which may be twice as wide, modulo 2^64. */
static uint64_t addend(const struct answers_row *row)
{
    return row->x[2];
}

static uint64_t low(wide x)
{
    return (uint64_t)x;
}

static wide floor_half(wide x, unsigned bits)
{
    return x >> bits;
}

static uint64_t within_s32(wide x)
{
    return low(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

#define BOTH(name, value) \
    static uint64_t name##_s(const struct answers_row *row) \
    { \
        const wide a = s(row, 0), b = s(row, 1); \
        return value; \
    } \
    static uint64_t name##_u(const struct answers_row *row) \
    { \
        const wide a = u(row, 0), b = u(row, 1); \
        return value; \
    }
BOTH(add, low(a + b))
BOTH(sub, low(a - b))
BOTH(mul, low(a) * low(b))
BOTH(mul_hi, low(floor_half(a * b, row->bits)))
BOTH(mad, low(a) * low(b) + addend(row))
BOTH(mad_hi, low(floor_half(a * b, row->bits)) + addend(row))
BOTH(div, b == 0 ? UINT64_MAX : low(a / b))
BOTH(rem, b == 0 ? UINT64_MAX : low(a % b))
BOTH(min, low(a < b ? a : b))
BOTH(max, low(a < b ? b : a))
BOTH(sad, low(a < b ? b - a : a - b) + addend(row))

static uint64_t neg(const struct answers_row *row)
{
    return low(-s(row, 0));
}

static uint64_t absolute(const struct answers_row *row)
{
    return low(s(row, 0) < 0 ? -s(row, 0) : s(row, 0));
}

static uint64_t min_relu(const struct answers_row *row)
{
    const int64_t least = (int64_t)min_s(row);
    return least < 0 ? 0 : (uint64_t)least;
}

static uint64_t max_relu(const struct answers_row *row)
{
    const int64_t most = (int64_t)max_s(row);
    return most < 0 ? 0 : (uint64_t)most;
}

static uint64_t add_sat(const struct answers_row *row)
{
    return within_s32(s(row, 0) + s(row, 1));
}

static uint64_t sub_sat(const struct answers_row *row)
{
    return within_s32(s(row, 0) - s(row, 1));
}

static uint64_t mad_hi_sat(const struct answers_row *row)
{
    return within_s32(floor_half(s(row, 0) * s(row, 1), 32) + s(row, 2));
}

/* The low 24 bits, and what of their product is meant. */
static wide product_24(const struct answers_row *row, bool sign)
{
    wide x[2];
    for (int i = 0; i < 2; i++)
        x[i] = sign ? answers_signed(row->x[i], 24) : (wide)(row->x[i] & 0xffffff);
    return x[0] * x[1];
}

#define OF_24(name, sign) \
    static uint64_t mul24_lo_##name(const struct answers_row *row) \
    { \
        return low(product_24(row, sign)); \
    } \
    static uint64_t mul24_hi_##name(const struct answers_row *row) \
    { \
        return low(floor_half(product_24(row, sign), 16)); \
    } \
    static uint64_t mad24_lo_##name(const struct answers_row *row) \
    { \
        return mul24_lo_##name(row) + addend(row); \
    } \
    static uint64_t mad24_hi_##name(const struct answers_row *row) \
    { \
        return mul24_hi_##name(row) + addend(row); \
    }
OF_24(s, true)
OF_24(u, false)

static uint64_t mad24_hi_sat(const struct answers_row *row)
{
    const int64_t high = answers_signed(mul24_hi_s(row), 32);
    return within_s32((wide)high + s(row, 2));
}

/* Each half by itself. */
static uint64_t by_halves(const struct answers_row *row, answers_reference *half)
{
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
        struct answers_row part = { .bits = 16 };
        for (int i = 0; i < 3; i++) part.x[i] = row->x[i] >> shift & 0xffff;
        result |= (half(&part) & 0xffff) << shift;
    }
    return result;
}

#define HALVES(name) \
    static uint64_t name##_x2(const struct answers_row *row) \
    { \
        return by_halves(row, name); \
    }
HALVES(add_s)
HALVES(min_s)
HALVES(min_u)
HALVES(max_s)
HALVES(max_u)
HALVES(min_relu)
HALVES(max_relu)

/* ---- Tables ---------------------------------------------------------------------------- */

#define SIGNED_2(op, expected) \
    { op ".s16", "s16 s16 s16", expected }, { op ".s32", "s32 s32 s32", expected }, \
    { op ".s64", "s64 s64 s64", expected }
#define UNSIGNED_2(op, expected) \
    { op ".u16", "u16 u16 u16", expected }, { op ".u32", "u32 u32 u32", expected }, \
    { op ".u64", "u64 u64 u64", expected }
#define SIGNED_3(op, expected) \
    { op ".s16", "s16 s16 s16 s16", expected }, { op ".s32", "s32 s32 s32 s32", expected }, \
    { op ".s64", "s64 s64 s64 s64", expected }
#define UNSIGNED_3(op, expected) \
    { op ".u16", "u16 u16 u16 u16", expected }, { op ".u32", "u32 u32 u32 u32", expected }, \
    { op ".u64", "u64 u64 u64 u64", expected }

static void sums_and_products_wrap(void **state)
{
    static const struct answers_case cases[] = {
        SIGNED_2("add", add_s), UNSIGNED_2("add", add_u),
        SIGNED_2("sub", sub_s), UNSIGNED_2("sub", sub_u),
        SIGNED_2("mul.lo", mul_s), UNSIGNED_2("mul.lo", mul_u),
        SIGNED_3("mad.lo", mad_s), UNSIGNED_3("mad.lo", mad_u),
        { "neg.s16", "s16 s16", neg }, { "neg.s32", "s32 s32", neg },
        { "neg.s64", "s64 s64", neg }, { "abs.s16", "s16 s16", absolute },
        { "abs.s32", "s32 s32", absolute }, { "abs.s64", "s64 s64", absolute },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void products_have_a_high_half(void **state)
{
    static const struct answers_case cases[] = {
        SIGNED_2("mul.hi", mul_hi_s), { "mul.hi.u16", "u16 u16 u16", mul_hi_u },
        { "mul.hi.u32", "u32 u32 u32", mul_hi_u },
        SIGNED_3("mad.hi", mad_hi_s), { "mad.hi.u16", "u16 u16 u16 u16", mad_hi_u },
        { "mad.hi.u32", "u32 u32 u32 u32", mad_hi_u },
        { "mul.wide.s16", "s32 s16 s16", mul_s }, { "mul.wide.u16", "u32 u16 u16", mul_u },
        { "mul.wide.s32", "s64 s32 s32", mul_s }, { "mul.wide.u32", "u64 u32 u32", mul_u },
        { "mad.wide.s16", "s32 s16 s16 s32", mad_s }, { "mad.wide.u16", "u32 u16 u16 u32", mad_u },
        { "mad.wide.s32", "s64 s32 s32 s64", mad_s }, { "mad.wide.u32", "u64 u32 u32 u64", mad_u },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

/* 2^128 is too much for the other reference: in parts of 32 bits. */
static uint64_t mul_hi_u64(const struct answers_row *row)
{
    const uint64_t a = row->x[0], b = row->x[1];
    const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xffffffff);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

static uint64_t mad_hi_u64(const struct answers_row *row)
{
    return mul_hi_u64(row) + row->x[2];
}

static void products_of_64_bits_have_one_too(void **state)
{
    static const struct answers_case cases[] = {
        { "mul.hi.u64", "u64 u64 u64", mul_hi_u64 },
        { "mad.hi.u64", "u64 u64 u64 u64", mad_hi_u64 },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void numbers_of_24_bits_are_multiplied(void **state)
{
    static const struct answers_case cases[] = {
        { "mul24.lo.s32", "s32 s32 s32", mul24_lo_s },
        { "mul24.lo.u32", "u32 u32 u32", mul24_lo_u },
        { "mul24.hi.s32", "s32 s32 s32", mul24_hi_s },
        { "mul24.hi.u32", "u32 u32 u32", mul24_hi_u },
        { "mad24.lo.s32", "s32 s32 s32 s32", mad24_lo_s },
        { "mad24.lo.u32", "u32 u32 u32 u32", mad24_lo_u },
        { "mad24.hi.s32", "s32 s32 s32 s32", mad24_hi_s },
        { "mad24.hi.u32", "u32 u32 u32 u32", mad24_hi_u },
        { "mad24.hi.sat.s32", "s32 s32 s32 s32", mad24_hi_sat },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void saturated_sums_stay_in_range(void **state)
{
    static const struct answers_case cases[] = {
        { "add.sat.s32", "s32 s32 s32", add_sat }, { "sub.sat.s32", "s32 s32 s32", sub_sat },
        { "mad.hi.sat.s32", "s32 s32 s32 s32", mad_hi_sat },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void results_by_zero_have_all_bits_set(void **state)
{
    static const struct answers_case cases[] = {
        SIGNED_2("div", div_s), UNSIGNED_2("div", div_u),
        SIGNED_2("rem", rem_s), UNSIGNED_2("rem", rem_u),
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void the_smaller_the_larger_and_the_distance(void **state)
{
    static const struct answers_case cases[] = {
        SIGNED_2("min", min_s), UNSIGNED_2("min", min_u),
        SIGNED_2("max", max_s), UNSIGNED_2("max", max_u),
        SIGNED_3("sad", sad_s), UNSIGNED_3("sad", sad_u),
        { "min.relu.s32", "s32 s32 s32", min_relu }, { "max.relu.s32", "s32 s32 s32", max_relu },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void pairs_of_16_bits_are_apart(void **state)
{
    static const struct answers_case cases[] = {
        { "add.u16x2", "b32 b32 b32", add_s_x2 }, { "add.s16x2", "b32 b32 b32", add_s_x2 },
        { "min.u16x2", "b32 b32 b32", min_u_x2 }, { "min.s16x2", "b32 b32 b32", min_s_x2 },
        { "max.u16x2", "b32 b32 b32", max_u_x2 }, { "max.s16x2", "b32 b32 b32", max_s_x2 },
        { "min.relu.s16x2", "b32 b32 b32", min_relu_x2 },
        { "max.relu.s16x2", "b32 b32 b32", max_relu_x2 },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products_wrap),
        cmocka_unit_test(products_have_a_high_half),
        cmocka_unit_test(products_of_64_bits_have_one_too),
        cmocka_unit_test(numbers_of_24_bits_are_multiplied),
        cmocka_unit_test(saturated_sums_stay_in_range),
        cmocka_unit_test(results_by_zero_have_all_bits_set),
        cmocka_unit_test(the_smaller_the_larger_and_the_distance),
        cmocka_unit_test(pairs_of_16_bits_are_apart),
    };
    return cmocka_run_group_tests_name("ptx integers", tests, NULL, NULL);
}
