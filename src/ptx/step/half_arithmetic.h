/* SPDX-License-Identifier: Apache-2.0
 *
 * f16 and bf16: their bits, and one result of each instruction that they have.  All is
 * calculated in f32 or f64, and rounded to nearest once:
 *
 * - Sums of two f16, and of two bf16, rounded to f32 have more than twice the bits and
 *   two more: they can be rounded a second time.  Products of two f16 are exact in f32,
 *   those of two bf16 in f64 (as f32 they may be too small).
 * - What is fused is rounded to odd before: of f16 in f32, of bf16 in f64.
 */
#ifndef PTX_STEP_HALF_ARITHMETIC_H
#define PTX_STEP_HALF_ARITHMETIC_H

#include "ptx/step/approximate.h"
#include "ptx/step/half_float.h"

enum narrow_how {
    NARROW_FTZ = 1, NARROW_SAT = 2, NARROW_RELU = 4, NARROW_NAN_WINS = 8, NARROW_XORSIGN = 16,
    NARROW_BRAIN = 32 /* bf16 */
};

/* `how` is a constant wherever these are called. */
static inline float narrow_value(uint16_t half, unsigned how)
{
    return how & NARROW_BRAIN ? bfloat_value(half) : half_value(half);
}

static inline uint16_t narrow_rounded(float x, unsigned how)
{
    return how & NARROW_BRAIN ? bfloat_of(x) : half_of(x);
}

static inline bool narrow_is_nan(uint16_t half, unsigned how)
{
    return (half & 0x7fff) > (how & NARROW_BRAIN ? BFLOAT_INFINITY : HALF_INFINITY);
}

/* .ftz, of f16 alone. */
static inline uint16_t narrow_flushed(uint16_t half, unsigned how)
{
    return how & NARROW_FTZ && !(half & 0x7c00) ? half & HALF_SIGN : half;
}

/* What is done to a result at last. */
static inline uint16_t narrow_finished(uint16_t half, unsigned how)
{
    const uint16_t one = how & NARROW_BRAIN ? 0x3f80 : 0x3c00;
    const bool negative = half & HALF_SIGN, nan = narrow_is_nan(half, how);
    const uint16_t flushed = narrow_flushed(half, how);
    if (how & NARROW_SAT) return negative || nan ? 0 : flushed > one ? one : flushed;
    if (how & NARROW_RELU) return negative && !nan ? 0 : flushed;
    return flushed;
}

static inline uint16_t narrow_fma(uint16_t a, uint16_t b, uint16_t c, unsigned how)
{
    const float x = narrow_value(a, how), y = narrow_value(b, how), z = narrow_value(c, how);
    if (!(how & NARROW_BRAIN)) return half_of(single_odd_sum(x * y, z));
    const double product = (double)x * y, sum = product + z;
    return bfloat_of(single_odd(double_odd(sum, double_rest(product, z, sum))));
}

static inline uint16_t narrow_product(uint16_t a, uint16_t b, unsigned how)
{
    const float x = narrow_value(a, how), y = narrow_value(b, how);
    return narrow_rounded(how & NARROW_BRAIN ? single_odd((double)x * y) : x * y, how);
}

/* As integers that are in the order of the numbers. */
static inline int32_t narrow_rank(uint16_t half)
{
    const int32_t size = half & 0x7fff;
    return half & HALF_SIGN ? -1 - size : size;
}

static inline uint16_t narrow_least(uint16_t a, uint16_t b, bool most, unsigned how)
{
    const uint16_t bits = how & NARROW_XORSIGN ? 0x7fff : 0xffff, x = a & bits, y = b & bits;
    const bool x_nan = narrow_is_nan(a, how), y_nan = narrow_is_nan(b, how);
    const bool second = most ? narrow_rank(y) > narrow_rank(x) : narrow_rank(y) < narrow_rank(x);
    uint16_t pick = second ? y : x;
    pick = x_nan ? y : y_nan ? x : pick;
    if (how & NARROW_XORSIGN) pick |= (a ^ b) & HALF_SIGN;
    return (how & NARROW_NAN_WINS ? x_nan || y_nan : x_nan && y_nan) ? HALF_NAN : pick;
}

#endif
