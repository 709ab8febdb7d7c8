/* SPDX-License-Identifier: Apache-2.0
 *
 * Logic, shifts and fields of bits, one bit at a time.
 */
#include "ptx/answers.h"

static bool bit(uint64_t x, unsigned at)
{
    return x >> at & 1;
}

static uint64_t sign_or_zero(const struct answers_row *row, bool sign)
{
    return sign && bit(row->x[0], row->bits - 1);
}

/* ---- Logic ----------------------------------------------------------------------------- */

static uint64_t and(const struct answers_row *row)
{
    return row->x[0] & row->x[1];
}

static uint64_t or(const struct answers_row *row)
{
    return row->x[0] | row->x[1];
}

static uint64_t xor(const struct answers_row *row)
{
    return row->x[0] ^ row->x[1];
}

static uint64_t not(const struct answers_row *row)
{
    return ~row->x[0];
}

static uint64_t cnot(const struct answers_row *row)
{
    return row->x[0] == 0;
}

static uint64_t and_not(const struct answers_row *row)
{
    return row->x[0] & ~row->x[1];
}

static uint64_t looked_up(const struct answers_row *row, unsigned table)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned index =
            4u * bit(row->x[0], i) + 2u * bit(row->x[1], i) + bit(row->x[2], i);
        result |= (uint64_t)bit(table, index) << i;
    }
    return result;
}

#define LOOKED_UP(table) \
    static uint64_t lop3_##table(const struct answers_row *row) \
    { \
        return looked_up(row, table); \
    }
LOOKED_UP(0x00)
LOOKED_UP(0x1d)
LOOKED_UP(0x80)
LOOKED_UP(0x96)
LOOKED_UP(0xca)
LOOKED_UP(0xff)

/* The predicate of the last operand is that c is odd. */
static uint64_t lop3_or(const struct answers_row *row)
{
    return lop3_0x80(row) != 0 || bit(row->x[2], 0);
}

static uint64_t lop3_and_not(const struct answers_row *row)
{
    return lop3_0x1d(row) != 0 && !bit(row->x[2], 0);
}

static void logic_is_bit_by_bit(void **state)
{
#define WIDTHS(op, expected) \
    { op ".b16", "b16 b16 b16", expected }, { op ".b32", "b32 b32 b32", expected }, \
    { op ".b64", "b64 b64 b64", expected }, { op ".pred", "pred pred pred", expected }
    static const struct answers_case cases[] = {
        WIDTHS("and", and), WIDTHS("or", or), WIDTHS("xor", xor),
        { "not.b16", "b16 b16", not }, { "not.b32", "b32 b32", not }, { "not.b64", "b64 b64", not },
        { "not.pred", "pred pred", not }, { "and.pred %d, %a, !%b;", "pred pred pred", and_not },
        { "cnot.b16", "b16 b16", cnot }, { "cnot.b32", "b32 b32", cnot },
        { "cnot.b64", "b64 b64", cnot },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void three_inputs_are_looked_up(void **state)
{
    static const struct answers_case cases[] = {
#define TABLE(table) { "lop3.b32 %d, %a, %b, %c, " #table ";", "b32 b32 b32 b32", lop3_##table }
        TABLE(0x00), TABLE(0x1d), TABLE(0x80), TABLE(0x96), TABLE(0xca), TABLE(0xff),
        { "and.b32 %r0, %c, 1; setp.ne.b32 %p0, %r0, 0; "
          "lop3.or.b32 %r1|%d, %a, %b, %c, 0x80, %p0;", "pred b32 b32 b32", lop3_or },
        { "and.b32 %r0, %c, 1; setp.ne.b32 %d, %r0, 0; "
          "lop3.and.b32 _|%d, %a, %b, %c, 0x1d, !%d;", "pred b32 b32 b32", lop3_and_not },
        { "and.b32 %r0, %c, 1; setp.ne.b32 %p0, %r0, 0; "
          "lop3.or.b32 %d|%p1, %a, %b, %c, 0x96, %p0;", "b32 b32 b32 b32", lop3_0x96 },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

/* ---- Shifts ---------------------------------------------------------------------------- */

/* Bit i of the result is bit i + by of the number, or what lies beside it. */
static uint64_t shifted(const struct answers_row *row, int64_t by, bool sign)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < row->bits; i++) {
        const int64_t from = (int64_t)i + by;
        const uint64_t is = from < 0                 ? 0
                            : from >= (int)row->bits ? sign_or_zero(row, sign)
                                                     : bit(row->x[0], (unsigned)from);
        result |= is << i;
    }
    return result;
}

static uint64_t shl(const struct answers_row *row)
{
    return shifted(row, -(int64_t)row->x[1], false);
}

static uint64_t shr_u(const struct answers_row *row)
{
    return shifted(row, (int64_t)row->x[1], false);
}

static uint64_t shr_s(const struct answers_row *row)
{
    return shifted(row, (int64_t)row->x[1], true);
}

#define BY(count) \
    static uint64_t shl_##count(const struct answers_row *row) \
    { \
        return shifted(row, -(int64_t)count, false); \
    } \
    static uint64_t shr_u_##count(const struct answers_row *row) \
    { \
        return shifted(row, count, false); \
    } \
    static uint64_t shr_s_##count(const struct answers_row *row) \
    { \
        return shifted(row, count, true); \
    }
BY(0)
BY(5)
BY(15)
BY(16)
BY(31)
BY(32)
BY(63)
BY(64)
BY(4294967295)

static void shifts_go_as_far_as_there_are_bits(void **state)
{
#define SHIFTS(bits) \
    { "shl.b" bits, "b" bits " b" bits " u32", shl }, \
    { "shr.b" bits, "b" bits " b" bits " u32", shr_u }, \
    { "shr.u" bits, "u" bits " u" bits " u32", shr_u }, \
    { "shr.s" bits, "s" bits " s" bits " u32", shr_s }
    static const struct answers_case cases[] = { SHIFTS("16"), SHIFTS("32"), SHIFTS("64") };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void shifts_go_by_constants(void **state)
{
#define WIDTH(bits, count) \
    { "shl.b" bits " %d, %a, " #count ";", "b" bits " b" bits, shl_##count }, \
    { "shr.u" bits " %d, %a, " #count ";", "u" bits " u" bits, shr_u_##count }, \
    { "shr.s" bits " %d, %a, " #count ";", "s" bits " s" bits, shr_s_##count }
#define COUNT(count) WIDTH("16", count), WIDTH("32", count), WIDTH("64", count)
    static const struct answers_case cases[] = {
        COUNT(0), COUNT(5), COUNT(15), COUNT(16), COUNT(31), COUNT(32), COUNT(63), COUNT(64),
        COUNT(4294967295),
        { "shl.b32 %d, %a, -1;", "b32 b32", shl_64 },
        { "shr.s32 %d, %a, -1;", "s32 s32", shr_s_64 },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static uint64_t funnel(const struct answers_row *row, bool left, unsigned by)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned from = left ? 32 + i - by : i + by; /* of b:a */
        result |= (uint64_t)bit(row->x[from / 32], from % 32) << i;
    }
    return result;
}

static unsigned clamped(uint64_t by)
{
    return by > 32 ? 32 : (unsigned)by;
}

static uint64_t shf_l_clamp(const struct answers_row *row)
{
    return clamped(row->x[2]) == 32 ? row->x[0] : funnel(row, true, clamped(row->x[2]));
}

static uint64_t shf_r_clamp(const struct answers_row *row)
{
    return clamped(row->x[2]) == 32 ? row->x[1] : funnel(row, false, clamped(row->x[2]));
}

static uint64_t shf_l_wrap(const struct answers_row *row)
{
    return funnel(row, true, row->x[2] % 32);
}

static uint64_t shf_r_wrap(const struct answers_row *row)
{
    return funnel(row, false, row->x[2] % 32);
}

static void words_are_shifted_into_each_other(void **state)
{
    static const struct answers_case cases[] = {
        { "shf.l.clamp.b32", "b32 b32 b32 u32", shf_l_clamp },
        { "shf.r.clamp.b32", "b32 b32 b32 u32", shf_r_clamp },
        { "shf.l.wrap.b32", "b32 b32 b32 u32", shf_l_wrap },
        { "shf.r.wrap.b32", "b32 b32 b32 u32", shf_r_wrap },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

/* ---- mov ------------------------------------------------------------------------------- */

static uint64_t first(const struct answers_row *row)
{
    return row->x[0];
}

static void scalars_are_copied(void **state)
{
    static const struct answers_case cases[] = {
        { "mov.b16", "b16 b16", first }, { "mov.u16", "u16 u16", first },
        { "mov.s16", "s16 s16", first }, { "mov.b32", "b32 b32", first },
        { "mov.u32", "u32 u32", first }, { "mov.s32", "s32 s32", first },
        { "mov.f32", "f32 f32", first }, { "mov.b64", "b64 b64", first },
        { "mov.u64", "u64 u64", first }, { "mov.s64", "s64 s64", first },
        { "mov.f64", "f64 f64", first }, { "mov.pred", "pred pred", first },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logic_is_bit_by_bit),
        cmocka_unit_test(three_inputs_are_looked_up),
        cmocka_unit_test(shifts_go_as_far_as_there_are_bits),
        cmocka_unit_test(shifts_go_by_constants),
        cmocka_unit_test(words_are_shifted_into_each_other),
        cmocka_unit_test(scalars_are_copied),
    };
    return cmocka_run_group_tests_name("ptx bits", tests, NULL, NULL);
}
