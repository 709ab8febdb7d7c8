/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats that C has no type for: f16 and bf16, and numbers of any format rounded in any
 * direction, exactly, with integers.
 *
 * Functions that round to nearest by arithmetic of floats (half_of, for vectors) need a
 * processor that rounds to nearest.
 */
#ifndef PTX_STEP_HALF_FLOAT_H
#define PTX_STEP_HALF_FLOAT_H

#include "ptx/step/ieee.h"

#define HALF_SIGN 0x8000
#define HALF_INFINITY 0x7c00
#define HALF_MOST 0x7bff
#define HALF_NAN 0x7fff
#define BFLOAT_INFINITY 0x7f80
#define BFLOAT_MOST 0x7f7f
#define BFLOAT_NAN 0x7fff

/* ---- One at a time, in loops that become vectors --------------------------------------- */

/* Converts exactly; what a NaN carries stays. */
static inline float half_value(uint16_t half)
{
    const uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
    const uint32_t sign = (uint32_t)(half & HALF_SIGN) << 16;
    const uint32_t bits = single_bits(single_of(magnitude) * 0x1p112f);
    const uint32_t special = magnitude | SINGLE_INFINITY;
    return single_of(sign | (magnitude >= (uint32_t)HALF_INFINITY << 13 ? special : bits));
}

static inline float bfloat_value(uint16_t bfloat)
{
    return single_of((uint32_t)bfloat << 16);
}

/* Rounds to nearest, ties to even. */
static inline uint16_t half_of(float x)
{
    const uint32_t bits = single_bits(x), sign = bits >> 16 & HALF_SIGN;
    const uint32_t magnitude = bits & 0x7fffffff;
    /* The sum drops the surplus bits: the last place of 1/2 is that of f16. */
    const uint32_t subnormal = single_bits(single_of(magnitude) + 0.5f) - single_bits(0.5f);
    const uint32_t odd = magnitude >> 13 & 1;
    const uint32_t normal = (magnitude - (UINT32_C(112) << 23) + 0xfff + odd) >> 13;
    const uint32_t special = magnitude > SINGLE_INFINITY ? HALF_NAN : HALF_INFINITY;
    const uint32_t finite = magnitude < UINT32_C(113) << 23 ? subnormal : normal;
    const uint32_t half = magnitude < UINT32_C(143) << 23 ? finite : special;
    return (uint16_t)(magnitude > SINGLE_INFINITY ? half : half | sign);
}

static inline uint16_t bfloat_of(float x)
{
    const uint32_t bits = single_bits(x);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)(x != x ? BFLOAT_NAN : rounded);
}

/* ---- Any format ------------------------------------------------------------------------ */

struct float_format {
    int exponent, fraction; /* bits of each */
};

#define FORMAT_HALF ((struct float_format){ 5, 10 })
#define FORMAT_BFLOAT ((struct float_format){ 8, 7 })
#define FORMAT_SINGLE ((struct float_format){ 8, 23 })
#define FORMAT_DOUBLE ((struct float_format){ 11, 52 })

static inline uint64_t format_infinity(struct float_format to)
{
    return ((UINT64_C(1) << to.exponent) - 1) << to.fraction;
}

/* Returns what becomes of a number that is larger than all of the format. */
static inline uint64_t format_overflow(struct float_format to, bool negative, int rounding)
{
    const bool infinite = rounding == PTX_ROUND_NEAREST ||
                          rounding == (negative ? PTX_ROUND_DOWN : PTX_ROUND_UP);
    return format_infinity(to) - (infinite ? 0 : 1);
}

/* Returns the bits of whole * 2^scale, or of its opposite. */
static inline uint64_t format_number(struct float_format to, bool negative, uint64_t whole,
                                     int scale, int rounding)
{
    const uint64_t sign = (uint64_t)negative << (to.exponent + to.fraction);
    if (!whole) return sign;
    const int zeros = __builtin_clzll(whole);
    whole <<= zeros;
    /* The exponent as it is stored: 0 for subnormal numbers, with fewer bits that stay. */
    int exponent = 63 + scale - zeros + (1 << (to.exponent - 1)) - 1;
    int drop = 63 - to.fraction;
    if (exponent < 1) {
        drop = exponent < to.fraction - 64 ? 66 : drop + 1 - exponent;
        exponent = 1;
    }
    uint64_t kept = drop < 64 ? whole >> drop : 0;
    const uint64_t rest = drop < 64 ? whole << (64 - drop) : drop == 64 ? whole : 1;
    const uint64_t half = UINT64_C(1) << 63;
    switch (rounding) {
    case PTX_ROUND_NEAREST: kept += rest > half || (rest == half && (kept & 1)); break;
    case PTX_ROUND_DOWN: kept += negative && rest; break;
    case PTX_ROUND_UP: kept += !negative && rest; break;
    default: break;
    }
    const uint64_t infinity = format_infinity(to);
    const uint64_t bits = exponent > 1 << to.exponent
                              ? infinity
                              : ((uint64_t)(exponent - 1) << to.fraction) + kept;
    return sign | (bits < infinity ? bits : format_overflow(to, negative, rounding));
}

/* As measured, NaNs of f64 keep their sign and what they carry, as far as there is room; all
 * others become the one without a sign that has all bits set. */
static inline uint64_t format_nan(struct float_format to, struct float_format from, bool negative,
                                  uint64_t carried)
{
    const uint64_t sign = UINT64_C(1) << (to.exponent + to.fraction);
    const uint64_t quiet = format_infinity(to) | UINT64_C(1) << (to.fraction - 1);
    if (from.fraction != FORMAT_DOUBLE.fraction) return sign - 1;
    return (negative ? sign : 0) | quiet | carried >> (from.fraction - to.fraction);
}

/* Converts a float's bits to a narrower format. */
static inline uint64_t format_converted(struct float_format to, struct float_format from,
                                        uint64_t bits, int rounding)
{
    const uint64_t fraction_mask = (UINT64_C(1) << from.fraction) - 1;
    const bool negative = bits >> (from.exponent + from.fraction) & 1;
    const int last = (1 << from.exponent) - 1, exponent = (int)(bits >> from.fraction) & last;
    const uint64_t sign = (uint64_t)negative << (to.exponent + to.fraction);
    uint64_t whole = bits & fraction_mask;
    if (exponent == last)
        return whole ? format_nan(to, from, negative, whole) : sign | format_infinity(to);
    if (exponent) whole |= fraction_mask + 1;
    const int bias = (1 << (from.exponent - 1)) - 1;
    const int scale = (exponent ? exponent : 1) - bias - from.fraction;
    return format_number(to, negative, whole, scale, rounding);
}

#endif
