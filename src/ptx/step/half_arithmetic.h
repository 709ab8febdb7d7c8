/* SPDX-License-Identifier: Apache-2.0
 *
 * f16 and bf16: their bits, and one result of each instruction that they have.  All is
 * calculated in f32 or f64, and rounded to nearest once:
 *
 * - Sums of two f16, and of two bf16, rounded to f32 have more than twice the bits and
 *   two more: they can be rounded a second time.  Products of two f16 are exact in f32,
 *   those of two bf16 in f64 (as f32 they may be too small).
 * - Fused results are rounded to odd before: of f16 in f32, of bf16 in f64.
 */
#ifndef PTX_STEP_HALF_ARITHMETIC_H
#define PTX_STEP_HALF_ARITHMETIC_H

#include "ptx/step/approximate.h"
#include "ptx/step/half_float.h"

enum h16_how {
    H16_FTZ = 1, H16_SAT = 2, H16_RELU = 4, H16_NAN_WINS = 8, H16_XORSIGN = 16,
    H16_BRAIN = 32 /* bf16 */, H16_OOB = 64
};

/* `how` is a constant wherever these are called. */
static inline float h16_value(uint16_t half, unsigned how)
{
    return how & H16_BRAIN ? bfloat_value(half) : half_value(half);
}

static inline uint16_t h16_rounded(float x, unsigned how)
{
    return how & H16_BRAIN ? bfloat_of(x) : half_of(x);
}

static inline bool h16_is_nan(uint16_t half, unsigned how)
{
    return (half & 0x7fff) > (how & H16_BRAIN ? BFLOAT_INFINITY : HALF_INFINITY);
}

/* Applies .ftz, which f16 alone has. */
static inline uint16_t h16_flushed(uint16_t half, unsigned how)
{
    return how & H16_FTZ && !(half & 0x7c00) ? half & HALF_SIGN : half;
}

/* Applies what modifiers do to a result. */
static inline uint16_t h16_finished(uint16_t half, unsigned how)
{
    const uint16_t one = how & H16_BRAIN ? 0x3f80 : 0x3c00;
    const bool negative = half & HALF_SIGN, nan = h16_is_nan(half, how);
    const uint16_t flushed = h16_flushed(half, how);
    if (how & H16_SAT) return negative || nan ? 0 : flushed > one ? one : flushed;
    if (how & H16_RELU) return negative && !nan ? 0 : flushed;
    return flushed;
}

/* Returns true for the NaN that copies of tensors put where nothing is. */
static inline bool h16_is_outside(uint16_t half)
{
    return (half & 0x7fff) == 0x7ff7;
}

/* With .oob the result is 0 if a factor is outside, as measured, and not c. */
static inline uint16_t h16_fma(uint16_t a, uint16_t b, uint16_t c, unsigned how)
{
    if (how & H16_OOB && (h16_is_outside(a) || h16_is_outside(b))) return 0;
    const float x = h16_value(a, how), y = h16_value(b, how), z = h16_value(c, how);
    if (!(how & H16_BRAIN)) return half_of(single_odd_sum(x * y, z));
    const double product = (double)x * y, sum = product + z;
    return bfloat_of(single_odd(double_odd(sum, double_rest(product, z, sum))));
}

static inline uint16_t h16_product(uint16_t a, uint16_t b, unsigned how)
{
    const float x = h16_value(a, how), y = h16_value(b, how);
    return h16_rounded(how & H16_BRAIN ? single_odd((double)x * y) : x * y, how);
}

/* Returns integers that are in the order of the numbers. */
static inline int32_t h16_rank(uint16_t half)
{
    const int32_t size = half & 0x7fff;
    return half & HALF_SIGN ? -1 - size : size;
}

static inline uint16_t h16_min_max(uint16_t a, uint16_t b, bool most, unsigned how)
{
    const uint16_t bits = how & H16_XORSIGN ? 0x7fff : 0xffff, x = a & bits, y = b & bits;
    const bool x_nan = h16_is_nan(a, how), y_nan = h16_is_nan(b, how);
    const bool second = most ? h16_rank(y) > h16_rank(x) : h16_rank(y) < h16_rank(x);
    uint16_t pick = second ? y : x;
    pick = x_nan ? y : y_nan ? x : pick;
    if (how & H16_XORSIGN) pick |= (a ^ b) & HALF_SIGN;
    return (how & H16_NAN_WINS ? x_nan || y_nan : x_nan && y_nan) ? HALF_NAN : pick;
}

#endif
