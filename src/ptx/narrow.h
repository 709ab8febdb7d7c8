/* SPDX-License-Identifier: Apache-2.0
 *
 * f16 and bf16: their bits, and one result of each instruction that they have.  All is
 * calculated in f32 or f64, and rounded to nearest once:
 *
 * - Sums of two f16, and of two bf16, rounded to f32 have more than twice the bits and
 *   two more: they can be rounded a second time.  Products of two f16 are exact in f32,
 *   those of two bf16 in f64 (as f32 they may be too small).
 * - What is fused is rounded to odd before, in f64.
 */
#ifndef PTX_NARROW_H
#define PTX_NARROW_H

#include "ptx/approximate.h"

#define HALF_SIGN 0x8000u
#define HALF_NAN 0x7fffu /* that arithmetic gives, in both formats */

enum half_how {
    HALF_FTZ = 1, HALF_SAT = 2, HALF_RELU = 4, HALF_NAN_WINS = 8, HALF_XORSIGN = 16,
    HALF_BRAIN = 32 /* bf16 */
};

static inline float f16_value(uint16_t half)
{
    /* The exponent is put right by a product, which does so for subnormal ones, too. */
    const uint32_t size = (uint32_t)(half & 0x7fff) << 13;
    const uint32_t bits = single_bits(single_of(size) * 0x1p112f);
    const uint32_t endless = size >= UINT32_C(0x0f800000) ? SINGLE_INFINITY : 0;
    return single_of(bits | endless | (uint32_t)(half & HALF_SIGN) << 16);
}

static inline uint16_t f16_rounded(float x)
{
    const uint32_t sign = single_bits(x) >> 16 & HALF_SIGN, size = single_bits(x) & ~SINGLE_SIGN;
    const uint32_t least = UINT32_C(0x38800000), half = UINT32_C(0x3f000000);
    const uint32_t normal = (size - least + UINT32_C(0x00800fff) + (size >> 13 & 1)) >> 13;
    /* The last bit of a sum with 1/2 is that of the subnormal numbers. */
    const uint32_t small = single_bits(single_of(size) + 0.5f) - half;
    const uint32_t finite = size < least ? small : normal;
    const uint32_t bits = finite > 0x7c00 ? 0x7c00 : finite;
    return (uint16_t)(size > SINGLE_INFINITY ? HALF_NAN : sign | bits);
}

static inline float bf16_value(uint16_t half)
{
    return single_of((uint32_t)half << 16);
}

static inline uint16_t bf16_rounded(float x)
{
    const uint32_t bits = single_bits(x);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & ~SINGLE_SIGN) > SINGLE_INFINITY ? HALF_NAN : rounded);
}

/* `how` is a constant wherever these are called. */
static inline float half_value(uint16_t half, unsigned how)
{
    return how & HALF_BRAIN ? bf16_value(half) : f16_value(half);
}

static inline uint16_t half_rounded(float x, unsigned how)
{
    return how & HALF_BRAIN ? bf16_rounded(x) : f16_rounded(x);
}

static inline bool half_is_nan(uint16_t half, unsigned how)
{
    return (half & 0x7fff) > (how & HALF_BRAIN ? 0x7f80 : 0x7c00);
}

/* .ftz, of f16 alone. */
static inline uint16_t half_flushed(uint16_t half, unsigned how)
{
    return how & HALF_FTZ && !(half & 0x7c00) ? half & HALF_SIGN : half;
}

/* What is done to a result at last. */
static inline uint16_t half_finished(uint16_t half, unsigned how)
{
    const uint16_t one = how & HALF_BRAIN ? 0x3f80 : 0x3c00;
    const bool negative = half & HALF_SIGN, nan = half_is_nan(half, how);
    const uint16_t flushed = half_flushed(half, how);
    if (how & HALF_SAT) return negative || nan ? 0 : flushed > one ? one : flushed;
    if (how & HALF_RELU) return negative && !nan ? 0 : flushed;
    return flushed;
}

static inline uint16_t half_fma(uint16_t a, uint16_t b, uint16_t c, unsigned how)
{
    const double product = (double)half_value(a, how) * half_value(b, how);
    const double z = half_value(c, how), sum = product + z;
    return half_rounded(single_odd(double_odd(sum, double_rest(product, z, sum))), how);
}

static inline uint16_t half_product(uint16_t a, uint16_t b, unsigned how)
{
    const float x = half_value(a, how), y = half_value(b, how);
    return half_rounded(how & HALF_BRAIN ? single_odd((double)x * y) : x * y, how);
}

/* As integers that are in the order of the numbers. */
static inline int32_t half_rank(uint16_t half)
{
    const int32_t size = half & 0x7fff;
    return half & HALF_SIGN ? -1 - size : size;
}

static inline uint16_t half_least(uint16_t a, uint16_t b, bool most, unsigned how)
{
    const uint16_t x = how & HALF_XORSIGN ? a & 0x7fff : a, y = how & HALF_XORSIGN ? b & 0x7fff : b;
    const bool x_nan = half_is_nan(a, how), y_nan = half_is_nan(b, how);
    const bool second = most ? half_rank(y) > half_rank(x) : half_rank(y) < half_rank(x);
    uint16_t pick = second ? y : x;
    pick = x_nan ? y : y_nan ? x : pick;
    if (how & HALF_XORSIGN) pick |= (a ^ b) & HALF_SIGN;
    return (how & HALF_NAN_WINS ? x_nan || y_nan : x_nan && y_nan) ? HALF_NAN : pick;
}

#endif
