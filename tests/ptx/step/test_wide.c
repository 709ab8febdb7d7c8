/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums with a carry against numbers of 128 bits, and sums of products of parts of words.
 */
#include "ptx/answers.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

/* Texts give the carry that comes in as c's low bit: added to all bits set it goes over. */
#define WITH_CARRY_32 "and.b32 %r0, %c, 1; add.cc.u32 %r0, %r0, 0xffffffff; "
#define WITH_CARRY_64 "and.b64 %l0, %c, 1; add.cc.u64 %l0, %l0, 0xffffffffffffffff; "

static wide limit(const struct answers_row *row)
{
    return (wide)1 << row->bits;
}

static uint64_t carried(const struct answers_row *row)
{
    return row->x[2] & 1;
}

static uint64_t add_carry(const struct answers_row *row)
{
    return (wide)row->x[0] + row->x[1] >= limit(row);
}

static uint64_t addc(const struct answers_row *row)
{
    return row->x[0] + row->x[1] + carried(row);
}

static uint64_t addc_carry(const struct answers_row *row)
{
    return (wide)row->x[0] + row->x[1] + carried(row) >= limit(row);
}

/* A difference carries where it does not borrow, and borrows where nothing is carried in. */
static uint64_t sub_carry(const struct answers_row *row)
{
    return row->x[0] >= row->x[1];
}

static uint64_t subc(const struct answers_row *row)
{
    return row->x[0] - row->x[1] - !carried(row);
}

static uint64_t subc_carry(const struct answers_row *row)
{
    return (wide)row->x[0] >= (wide)row->x[1] + !carried(row);
}

static uint64_t borrow(const struct answers_row *row)
{
    return row->x[0] < row->x[1] ? UINT64_MAX : 0;
}

/* Half of a product modulo 2^bits. */
static wide half(const struct answers_row *row, bool high, bool sign)
{
    wide product = (wide)row->x[0] * row->x[1];
    if (sign)
        product = (wide)((signed_wide)answers_signed(row->x[0], row->bits) *
                         answers_signed(row->x[1], row->bits));
    return (high ? product >> row->bits : product) & (limit(row) - 1);
}

#define PRODUCTS(name, high, sign) \
    static uint64_t mad_##name##_carry(const struct answers_row *row) \
    { \
        return half(row, high, sign) + row->x[2] >= limit(row); \
    } \
    static uint64_t madc_##name(const struct answers_row *row) \
    { \
        return (uint64_t)half(row, high, sign) + row->x[2] + carried(row); \
    } \
    static uint64_t madc_##name##_carry(const struct answers_row *row) \
    { \
        return half(row, high, sign) + row->x[2] + carried(row) >= limit(row); \
    } \
    static uint64_t mad_##name(const struct answers_row *row) \
    { \
        return (uint64_t)half(row, high, sign) + row->x[2]; \
    }
PRODUCTS(lo, false, false)
PRODUCTS(hi_u, true, false)
PRODUCTS(hi_s, true, true)

static uint64_t add(const struct answers_row *row)
{
    return row->x[0] + row->x[1];
}

static uint64_t sub(const struct answers_row *row)
{
    return row->x[0] - row->x[1];
}

static void sums_carry(void **state)
{
#define SUMS(bits, r, b) \
    { "add.cc.u" bits, b " " b " " b, add }, { "sub.cc.s" bits, b " " b " " b, sub }, \
    { "add.cc.s" bits " " r ", %a, %b; addc.u" bits " %d, 0, 0;", b " " b " " b, add_carry }, \
    { "sub.cc.u" bits " " r ", %a, %b; addc.u" bits " %d, 0, 0;", b " " b " " b, sub_carry }, \
    { "sub.cc.u" bits " " r ", %a, %b; subc.u" bits " %d, 0, 0;", b " " b " " b, borrow }
    static const struct answers_case cases[] = {
        SUMS("32", "%r1", "b32"), SUMS("64", "%l1", "b64"),
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void carries_come_in(void **state)
{
#define CARRIED(with, bits, r, b) \
    { with "addc.u" bits " %d, %a, %b;", b " " b " " b " " b, addc }, \
    { with "addc.cc.u" bits " " r ", %a, %b; addc.u" bits " %d, 0, 0;", b " " b " " b " " b, \
      addc_carry }, \
    { with "subc.s" bits " %d, %a, %b;", b " " b " " b " " b, subc }, \
    { with "subc.cc.s" bits " " r ", %a, %b; addc.u" bits " %d, 0, 0;", b " " b " " b " " b, \
      subc_carry }
    static const struct answers_case cases[] = {
        CARRIED(WITH_CARRY_32, "32", "%r1", "b32"), CARRIED(WITH_CARRY_64, "64", "%l1", "b64"),
        /* What does not end in .cc leaves it alone, and so does everything else. */
        { WITH_CARRY_32 "addc.u32 %r1, %a, %b; addc.u32 %d, %a, %b;", "b32 b32 b32 b32", addc },
        { WITH_CARRY_32 "add.u32 %r1, %a, %b; mul.lo.u32 %r1, %a, %b; subc.u32 %d, %a, %b;",
          "b32 b32 b32 b32", subc },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

static void sums_of_products_carry(void **state)
{
#define PRODUCT(with, half, type, bits, r, b, name) \
    { "mad." half ".cc." type bits, b " " b " " b " " b, mad_##name }, \
    { "mad." half ".cc." type bits " " r ", %a, %b, %c; addc.u" bits " %d, 0, 0;", \
      b " " b " " b " " b, mad_##name##_carry }, \
    { with "madc." half "." type bits " %d, %a, %b, %c;", b " " b " " b " " b, madc_##name }, \
    { with "madc." half ".cc." type bits " " r ", %a, %b, %c; addc.u" bits " %d, 0, 0;", \
      b " " b " " b " " b, madc_##name##_carry }
    static const struct answers_case cases[] = {
        PRODUCT(WITH_CARRY_32, "lo", "u", "32", "%r1", "b32", lo),
        PRODUCT(WITH_CARRY_32, "lo", "s", "32", "%r1", "b32", lo),
        PRODUCT(WITH_CARRY_32, "hi", "u", "32", "%r1", "b32", hi_u),
        PRODUCT(WITH_CARRY_32, "hi", "s", "32", "%r1", "b32", hi_s),
        PRODUCT(WITH_CARRY_64, "lo", "u", "64", "%l1", "b64", lo),
        PRODUCT(WITH_CARRY_64, "hi", "u", "64", "%l1", "b64", hi_u),
        PRODUCT(WITH_CARRY_64, "hi", "s", "64", "%l1", "b64", hi_s),
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

/* ---- Products of parts ----------------------------------------------------------------- */

static int64_t part(uint64_t x, unsigned at, unsigned bits, bool sign)
{
    const uint64_t field = x >> at * bits & ((UINT64_C(1) << bits) - 1);
    return sign ? answers_signed(field, bits) : (int64_t)field;
}

/* The parts of a, 8 or 16 bits each, with the bytes of b from `first` on. */
static uint64_t dot(const struct answers_row *row, unsigned bits, unsigned first, bool a, bool b)
{
    int64_t sum = (int64_t)row->x[2];
    for (unsigned i = 0; i < 32 / bits; i++)
        sum += part(row->x[0], i, bits, a) * part(row->x[1], first + i, 8, b);
    return (uint64_t)sum;
}

#define DOT(name, a, b) \
    static uint64_t dp4a_##name(const struct answers_row *row) \
    { \
        return dot(row, 8, 0, a, b); \
    } \
    static uint64_t dp2a_lo_##name(const struct answers_row *row) \
    { \
        return dot(row, 16, 0, a, b); \
    } \
    static uint64_t dp2a_hi_##name(const struct answers_row *row) \
    { \
        return dot(row, 16, 2, a, b); \
    }
DOT(uu, false, false)
DOT(us, false, true)
DOT(su, true, false)
DOT(ss, true, true)

static void parts_are_multiplied_and_added(void **state)
{
#define DOTS(types, name) \
    { "dp4a." types, "b32 b32 b32 b32", dp4a_##name }, \
    { "dp2a.lo." types, "b32 b32 b32 b32", dp2a_lo_##name }, \
    { "dp2a.hi." types, "b32 b32 b32 b32", dp2a_hi_##name }
    static const struct answers_case cases[] = {
        DOTS("u32.u32", uu), DOTS("u32.s32", us), DOTS("s32.u32", su), DOTS("s32.s32", ss),
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_carry),
        cmocka_unit_test(carries_come_in),
        cmocka_unit_test(sums_of_products_carry),
        cmocka_unit_test(parts_are_multiplied_and_added),
    };
    return cmocka_run_group_tests_name("ptx wide numbers", tests, NULL, NULL);
}
