/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of integers.
 *
 * Operations that wrap are the same for signed and unsigned numbers and are written for the
 * unsigned ones.  Where PTX promises nothing the results are as measured: a quotient by zero
 * has all bits set, and so has the remainder.
 */
#include "base/wide.h"
#include "ptx/step/lanes.h"

/* ---- Sums and products ----------------------------------------------------------------- */

#define WRAPPING(bits) \
    PTX_LANES_2(add_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, x + y) \
    PTX_LANES_2(sub_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, x - y) \
    PTX_LANES_2(mul_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, UINT32_C(1) * x * y) \
    PTX_LANES_3(mad_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, uint##bits##_t, \
                UINT32_C(1) * x * y + z) \
    PTX_LANES_1(neg_##bits, uint##bits##_t, uint##bits##_t, UINT32_C(0) - x)
WRAPPING(16)
WRAPPING(32)
WRAPPING(64)

/* Computes a signed product out of the unsigned one, which every CPU has for vectors: a
 * negative number was taken for 2^32 more than it is. */
static inline uint64_t product_s32(int32_t x, int32_t y)
{
    uint32_t high = ((uint32_t)(x >> 31) & (uint32_t)y) + ((uint32_t)(y >> 31) & (uint32_t)x);
    return (uint64_t)(uint32_t)x * (uint32_t)y - ((uint64_t)high << 32);
}

/* The high half of a product, and all of it: through a type that is twice as wide. */
#define HIGH(name, type, high) \
    PTX_LANES_2(mul_hi_##name, type, type, type, high) \
    PTX_LANES_3(mad_hi_##name, type, type, type, type, (uint64_t)(high) + (uint64_t)z)
HIGH(u16, uint16_t, (uint32_t)x * y >> 16)
HIGH(s16, int16_t, (int32_t)x * y >> 16)
HIGH(u32, uint32_t, (uint64_t)x * y >> 32)
HIGH(u64, uint64_t, rl_multiply(x, y).high)
HIGH(s64, int64_t, (int64_t)rl_multiply_signed(x, y).high)
PTX_LANES_2(mul_hi_s32, uint32_t, int32_t, int32_t, product_s32(x, y) >> 32)
PTX_LANES_3(mad_hi_s32, uint32_t, int32_t, int32_t, uint32_t, (product_s32(x, y) >> 32) + z)

#define WIDE(name, type, wide, product) \
    PTX_LANES_2(mul_wide_##name, wide, type, type, product) \
    PTX_LANES_3(mad_wide_##name, wide, type, type, wide, product + z)
WIDE(u16, uint16_t, uint32_t, (uint32_t)x * y)
WIDE(s16, int16_t, uint32_t, (uint32_t)((int32_t)x * y))
WIDE(u32, uint32_t, uint64_t, (uint64_t)x * y)
WIDE(s32, int32_t, uint64_t, product_s32(x, y))

/* Numbers of 24 bits: their product has 48, and an instruction takes the low or the high 32. */
static inline int64_t low_24(int32_t x)
{
    return (int32_t)((uint32_t)x << 8) >> 8;
}

#define OF_24(name, type, product) \
    PTX_LANES_2(mul24_lo_##name, type, type, type, product) \
    PTX_LANES_2(mul24_hi_##name, type, type, type, (product) >> 16) \
    PTX_LANES_3(mad24_lo_##name, type, type, type, type, (uint64_t)(product) + (uint64_t)z) \
    PTX_LANES_3(mad24_hi_##name, type, type, type, type, \
                (uint64_t)((product) >> 16) + (uint64_t)z)
OF_24(u32, uint32_t, (uint64_t)(x & 0xffffff) * (y & 0xffffff))
OF_24(s32, int32_t, low_24(x) * low_24(y))

static inline int32_t saturated(int64_t sum)
{
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

/* Saturates.  `wrapped` is the result, `over` is negative if that is too far from x's sign. */
static inline uint32_t held(int32_t x, uint32_t wrapped, uint32_t over)
{
    return (int32_t)over < 0 ? (uint32_t)(x >> 31) ^ INT32_MAX : wrapped;
}

static inline uint32_t add_held(int32_t x, int32_t y)
{
    uint32_t sum = (uint32_t)x + (uint32_t)y;
    return held(x, sum, ((uint32_t)x ^ sum) & ((uint32_t)y ^ sum));
}

static inline uint32_t sub_held(int32_t x, int32_t y)
{
    uint32_t rest = (uint32_t)x - (uint32_t)y;
    return held(x, rest, ((uint32_t)x ^ (uint32_t)y) & ((uint32_t)x ^ rest));
}

PTX_LANES_2(add_sat, uint32_t, int32_t, int32_t, add_held(x, y))
PTX_LANES_2(sub_sat, uint32_t, int32_t, int32_t, sub_held(x, y))
PTX_LANES_3(mad_hi_sat, int32_t, int32_t, int32_t, int32_t,
            saturated(((int64_t)x * y >> 32) + z))
PTX_LANES_3(mad24_hi_sat, int32_t, int32_t, int32_t, int32_t,
            saturated((low_24(x) * low_24(y) >> 16) + z))

/* ---- Quotients, distances, the smaller and the larger ---------------------------------- */

#define UNSIGNED(bits) \
    PTX_LANES_2(div_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, \
                y ? x / y : UINT##bits##_MAX) \
    PTX_LANES_2(rem_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, \
                y ? x % y : UINT##bits##_MAX) \
    PTX_LANES_2(min_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, x < y ? x : y) \
    PTX_LANES_2(max_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, x > y ? x : y) \
    PTX_LANES_3(sad_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, uint##bits##_t, \
                z + (x > y ? x - y : y - x))
UNSIGNED(16)
UNSIGNED(32)
UNSIGNED(64)

/* The most negative number has no opposite: negating it leaves it unchanged. */
#define SIGNED(bits) \
    PTX_LANES_2(div_s##bits, int##bits##_t, int##bits##_t, int##bits##_t, \
                y == 0 ? -1 : y == -1 ? (int##bits##_t)(UINT64_C(0) - (uint64_t)x) : x / y) \
    PTX_LANES_2(rem_s##bits, int##bits##_t, int##bits##_t, int##bits##_t, \
                y == 0 ? -1 : y == -1 ? 0 : x % y) \
    PTX_LANES_2(min_s##bits, int##bits##_t, int##bits##_t, int##bits##_t, x < y ? x : y) \
    PTX_LANES_2(max_s##bits, int##bits##_t, int##bits##_t, int##bits##_t, x > y ? x : y) \
    PTX_LANES_1(abs_s##bits, uint##bits##_t, int##bits##_t, \
                x < 0 ? UINT32_C(0) - (uint##bits##_t)x : (uint##bits##_t)x) \
    PTX_LANES_3(sad_s##bits, uint##bits##_t, int##bits##_t, int##bits##_t, uint##bits##_t, \
                z + (x > y ? UINT32_C(1) * (uint##bits##_t)x - (uint##bits##_t)y : \
                             UINT32_C(1) * (uint##bits##_t)y - (uint##bits##_t)x))
SIGNED(16)
SIGNED(32)
SIGNED(64)

static inline int32_t positive(int32_t x)
{
    return x > 0 ? x : 0;
}

PTX_LANES_2(min_relu_s32, int32_t, int32_t, int32_t, positive(x < y ? x : y))
PTX_LANES_2(max_relu_s32, int32_t, int32_t, int32_t, positive(x > y ? x : y))

/* ---- Pairs of 16 bits ------------------------------------------------------------------ */

static inline uint32_t pair(uint32_t low, uint32_t high)
{
    return (low & 0xffff) | high << 16;
}

static inline int32_t low_s16(uint32_t x)
{
    return (int32_t)(x << 16) >> 16;
}

static inline int32_t high_s16(uint32_t x)
{
    return (int32_t)x >> 16;
}

#define OF_PAIRS(name, value) PTX_LANES_2(name, uint32_t, uint32_t, uint32_t, value)
#define SMALLER(x, y) ((x) < (y) ? (x) : (y))
#define LARGER(x, y) ((x) > (y) ? (x) : (y))
#define OF_BOTH(what, low, high) \
    pair((uint32_t)what(low(x), low(y)), (uint32_t)what(high(x), high(y)))
#define LOW_U16(x) ((x) & 0xffff)
#define HIGH_U16(x) ((x) >> 16)
#define SMALLER_POSITIVE(x, y) positive(SMALLER(x, y))
#define LARGER_POSITIVE(x, y) positive(LARGER(x, y))

OF_PAIRS(add_pair, ((x & 0x7fff7fff) + (y & 0x7fff7fff)) ^ ((x ^ y) & 0x80008000))
OF_PAIRS(min_u16x2, OF_BOTH(SMALLER, LOW_U16, HIGH_U16))
OF_PAIRS(max_u16x2, OF_BOTH(LARGER, LOW_U16, HIGH_U16))
OF_PAIRS(min_s16x2, OF_BOTH(SMALLER, low_s16, high_s16))
OF_PAIRS(max_s16x2, OF_BOTH(LARGER, low_s16, high_s16))
OF_PAIRS(min_relu_s16x2, OF_BOTH(SMALLER_POSITIVE, low_s16, high_s16))
OF_PAIRS(max_relu_s16x2, OF_BOTH(LARGER_POSITIVE, low_s16, high_s16))

/* ---- The table ------------------------------------------------------------------------- */

#define ROW(op, type, mods, like, step) \
    { .opcode = PTX_OP_##op, .types = { PTX_##type }, .needs = PTX_SET mods, \
      .signature = like, .run = step }
#define SIGNED_ROWS(op, mods, like, step) \
    ROW(op, S16, mods, like, step##16), ROW(op, S32, mods, like, step##32), \
    ROW(op, S64, mods, like, step##64)
#define UNSIGNED_ROWS(op, mods, like, step) \
    ROW(op, U16, mods, like, step##16), ROW(op, U32, mods, like, step##32), \
    ROW(op, U64, mods, like, step##64)
/* One step for both signs, or one for each. */
#define SAME(op, mods, like, step) \
    SIGNED_ROWS(op, mods, like, step##_), UNSIGNED_ROWS(op, mods, like, step##_)
#define EACH(op, mods, like, step) \
    SIGNED_ROWS(op, mods, like, step##_s), UNSIGNED_ROWS(op, mods, like, step##_u)
#define WIDE_ROWS(op, like, step) \
    ROW(op, U16, (WIDE), like, step##_u16), ROW(op, S16, (WIDE), like, step##_s16), \
    ROW(op, U32, (WIDE), like, step##_u32), ROW(op, S32, (WIDE), like, step##_s32)
#define OF_24_ROWS(op, like, step) \
    ROW(op, U32, (LO), like, step##_lo_u32), ROW(op, S32, (LO), like, step##_lo_s32), \
    ROW(op, U32, (HI), like, step##_hi_u32), ROW(op, S32, (HI), like, step##_hi_s32)

static const struct ptx_form rows[] = {
    SAME(ADD, (NOTHING), "=000", add),
    SAME(SUB, (NOTHING), "=000", sub),
    SAME(MUL, (LO), "=000", mul),
    SAME(MAD, (LO), "=0000", mad),
    EACH(MUL, (HI), "=000", mul_hi),
    EACH(MAD, (HI), "=0000", mad_hi),
    WIDE_ROWS(MUL, "=w00", mul_wide),
    WIDE_ROWS(MAD, "=w00w", mad_wide),
    ROW(ADD, S32, (SAT), "=000", add_sat),
    ROW(SUB, S32, (SAT), "=000", sub_sat),
    ROW(MAD, S32, (HI, SAT), "=0000", mad_hi_sat),
    OF_24_ROWS(MUL24, "=000", mul24),
    OF_24_ROWS(MAD24, "=0000", mad24),
    ROW(MAD24, S32, (HI, SAT), "=0000", mad24_hi_sat),
    EACH(DIV, (NOTHING), "=000", div),
    EACH(REM, (NOTHING), "=000", rem),
    EACH(MIN, (NOTHING), "=000", min),
    EACH(MAX, (NOTHING), "=000", max),
    EACH(SAD, (NOTHING), "=0000", sad),
    SIGNED_ROWS(ABS, (NOTHING), "=00", abs_s),
    SIGNED_ROWS(NEG, (NOTHING), "=00", neg_),
    ROW(MIN, S32, (RELU), "=000", min_relu_s32),
    ROW(MAX, S32, (RELU), "=000", max_relu_s32),
    ROW(ADD, U16X2, (NOTHING), "=000", add_pair),
    ROW(ADD, S16X2, (NOTHING), "=000", add_pair),
    ROW(MIN, U16X2, (NOTHING), "=000", min_u16x2),
    ROW(MAX, U16X2, (NOTHING), "=000", max_u16x2),
    ROW(MIN, S16X2, (NOTHING), "=000", min_s16x2),
    ROW(MAX, S16X2, (NOTHING), "=000", max_s16x2),
    ROW(MIN, S16X2, (RELU), "=000", min_relu_s16x2),
    ROW(MAX, S16X2, (RELU), "=000", max_relu_s16x2),
};

const struct ptx_forms ptx_integer_forms = { rows, sizeof rows / sizeof *rows };
