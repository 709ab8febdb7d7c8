/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 16 bits as doubles, and back, rounded to the nearest even: one rounding, also
 * of sums of products, whose bits are kept in a double that was rounded to odd. */
#ifndef PTX_HALVES_H
#define PTX_HALVES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The sum, with its last bit set if something was lost. */
static inline double sum_to_odd(double a, double b)
{
    double sum = a + b, of_b = sum - a, lost = (a - (sum - of_b)) + (b - of_b);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (!isfinite(sum) || lost == 0 || bits & 1) return sum;
    return nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
}

/* A format with so many bits of fraction behind so many of exponent. */
static inline double narrow_value(uint16_t bits, int fraction)
{
    int most = (1 << (15 - fraction)) - 1, exponent = bits >> fraction & most;
    int bias = most / 2, mantissa = bits & ((1 << fraction) - 1);
    double value;
    if (exponent == most) value = mantissa ? NAN : INFINITY;
    else if (exponent) value = ldexp(mantissa + (1 << fraction), exponent - bias - fraction);
    else value = ldexp(mantissa, 1 - bias - fraction);
    return bits >> 15 ? -value : value;
}

/* NaN: 0x7fff. */
static inline uint16_t narrow_bits(double value, int fraction)
{
    int most = (1 << (15 - fraction)) - 1, bias = most / 2, exponent;
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value)) return 0x7fff;
    value = fabs(value);
    if (isinf(value)) return (uint16_t)(sign | most << fraction);
    if (value == 0) return sign;
    frexp(value, &exponent);
    if (exponent - 1 < 1 - bias) exponent = 2 - bias;
    double units = nearbyint(ldexp(value, fraction - (exponent - 1)));
    value = ldexp(units, exponent - 1 - fraction);
    if (value >= ldexp(1, bias + 1)) return (uint16_t)(sign | most << fraction);
    if (units < 1 << fraction) return (uint16_t)(sign | (int)units);
    frexp(value, &exponent);
    int mantissa = (int)ldexp(value, fraction - (exponent - 1)) - (1 << fraction);
    return (uint16_t)(sign | (exponent - 1 + bias) << fraction | mantissa);
}

#define HALF 10
#define BRAIN 7

#endif
