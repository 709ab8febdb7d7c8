/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of f32 that PTX asks for to a few units in the last place: polynomials
 * without a branch, of plain sums and products only, so that loops of them are vectors and
 * every processor gives the same.  The tests measure their errors.
 *
 * Coefficients interpolate at Chebyshev's nodes.
 */
#ifndef PTX_APPROXIMATE_H
#define PTX_APPROXIMATE_H

#include "ptx/ieee.h"

/* Added and taken away again, it leaves the nearest integer; the sum's last bits are it. */
#define SINGLE_ROUNDER 0x1.8p23f
#define DOUBLE_ROUNDER 0x1.8p52

/* 2^n of -126 <= n <= 127. */
static inline float single_power(int32_t n)
{
    return single_of((uint32_t)(n + 127) << 23);
}

/* 2^x. */
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

/* The logarithm of x to base 2. */
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
    /* Of zero, of what is less, and of infinity and NaNs. */
    const float large = single_bits(x) >= SINGLE_INFINITY ? x : sum;
    return x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : large;
}

/* sin(x - shift * pi), shift 0 or 1/2: of what is left of x / pi when it is rounded to a
 * whole number, or to half of one. */
static inline float single_wave(float x, double shift)
{
    const double wide = x, shifted = wide * 0x1.45f306dc9c883p-2 + shift + DOUBLE_ROUNDER;
    const double n = shifted - DOUBLE_ROUNDER - shift;
    const double rest = (wide - n * 0x1.921fb54442d00p1) - n * 0x1.8469898cc5170p-47;
    /* A vast number has too few bits for an angle: it is whole turns. */
    const double size = __builtin_fabs(wide);
    const bool vast = size > 0x1p30 && size < (double)__builtin_inff();
    const double r = vast ? shift * 0x1.921fb54442d18p1 : rest, u = r * r;
    double p = -2.4080190432580929e-08;
    p = p * u + 2.7536463562553214e-06;
    p = p * u - 0.00019841086561478403;
    p = p * u + 0.0083333327687535753;
    p = p * u - 0.16666666663881236;
    const double wave = r + r * u * p;
    const uint64_t odd = vast ? 0 : double_bits(shifted) << 63;
    return (float)double_of(double_bits(wave) ^ odd);
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
