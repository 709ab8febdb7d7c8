/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of f32 that PTX wants to a few units in the last place: polynomials without a
 * branch, of plain sums and products only, so that loops of them become vectors and every
 * processor gives the same result.  The tests measure their errors.
 *
 * Coefficients interpolate at Chebyshev's nodes.
 */
#ifndef PTX_STEP_APPROXIMATE_H
#define PTX_STEP_APPROXIMATE_H

#include "ptx/step/ieee.h"

/* Added and subtracted again, it leaves the nearest integer, which is also in the sum's last
 * bits. */
#define SINGLE_ROUNDER 0x1.8p23f
#define DOUBLE_ROUNDER 0x1.8p52

/* Returns 2^n for -126 <= n <= 127. */
static inline float single_power(int32_t n)
{
    return single_of((uint32_t)(n + 127) << 23);
}

/* Returns 2^x. */
static inline float single_ex2(float x)
{
    const float low = x < -160 ? -160 : x, in = low > 130 ? 130 : low;
    const float shifted = in + SINGLE_ROUNDER;
    const int32_t n = (int32_t)(single_bits(shifted) - single_bits(SINGLE_ROUNDER));
    const float f = in - (shifted - SINGLE_ROUNDER);
    float p = 0.0001545316295f;
    p = p * f + 0.001339086336f;
    p = p * f + 0.009618082557f;
    p = p * f + 0.05550357114f;
    p = p * f + 0.2402265076f;
    p = p * f + 0.693147188f;
    p = p * f + 1;
    /* In two steps: the first is exact, the second may end in a subnormal number. */
    const int32_t half = n >> 1;
    return p * single_power(half) * single_power(n - half);
}

/* Returns the logarithm of x to base 2. */
static inline float single_lg2(float x)
{
    const bool small = single_bits(x) < UINT32_C(0x00800000);
    const uint32_t bits = single_bits(small ? x * 0x1p24f : x);
    const uint32_t middle = UINT32_C(0x3f3504f3); /* of sqrt(1/2) */
    const int32_t e = (int32_t)(bits - middle) >> 23;
    const float m = single_of(bits - ((uint32_t)e << 23));
    const float s = (m - 1) / (m + 1), u = s * s;
    float p = 0.4317195825f;
    p = p * u + 0.5767151167f;
    p = p * u + 0.9617988394f;
    p = p * u + 2.88539008f;
    const float sum = (float)(small ? e - 24 : e) + p * s;
    /* For zero, negative numbers, infinity and NaNs. */
    const float large = single_bits(x) >= SINGLE_INFINITY ? x : sum;
    return x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : large;
}

/* Reduces x as measured on GPUs: to turns, as a product in f32 that is truncated to 25 bits
 * after the point.  So a tiny x is no angle at all, and a vast one is whole turns.  The
 * result has 2^32 to the turn; x is not negative. */
static inline uint32_t single_angle(float x)
{
    const double product = (double)x * (double)0x1.45f306p-3f;
    const double cut = double_of(double_bits(product) & ~((UINT64_C(1) << 29) - 1));
    const double turns = cut < 0x1p23 ? cut : 0;
    const double part = turns - ((turns + DOUBLE_ROUNDER) - DOUBLE_ROUNDER);
    return (uint32_t)(int32_t)(part * 0x1p25) << 7;
}

#define QUARTER_TURN UINT32_C(0x40000000)

/* Returns the sine of such an angle. */
static inline float single_wave(uint32_t angle)
{
    const uint32_t half = angle & (2 * QUARTER_TURN - 1);
    const uint32_t acute = half > QUARTER_TURN ? 2 * QUARTER_TURN - half : half;
    const double r = (int32_t)acute * 0x1.921fb54442d18p-30, u = r * r;
    double p = -2.4080190446890036e-08;
    p = p * u + 2.753646356291368e-06;
    p = p * u - 0.00019841086561475622;
    p = p * u + 0.008333332768753482;
    p = p * u - 0.16666666663881233;
    const float wave = (float)(r + r * u * p);
    return single_of(single_bits(wave) | (angle & SINGLE_SIGN));
}

static inline float single_tanh(float x)
{
    const float size = single_of(single_bits(x) & ~SINGLE_SIGN), u = x * x;
    float p = -0.006269119714f;
    p = p * u + 0.02111095904f;
    p = p * u - 0.05387394885f;
    p = p * u + 0.1333291537f;
    p = p * u - 0.3333333033f;
    const float near = size + size * u * p;
    const float far = 1 - 2 / (single_ex2(size * 2.885390082f) + 1);
    const float tanh = size < 0.6f ? near : far;
    return single_of(single_bits(tanh) | (single_bits(x) & SINGLE_SIGN));
}

#endif
