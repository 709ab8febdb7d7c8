/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions of half floats on the host, bit by bit.  Part of cuda_fp16.h.
 */
#ifndef RILL_CUDA_FP16_HOST_H
#define RILL_CUDA_FP16_HOST_H

/* The way to round: to nearest and even, to zero, down, up. */
enum rill_half_way { RILL_HALF_RN, RILL_HALF_RZ, RILL_HALF_RD, RILL_HALF_RU };

/* Rounds a number without sign that is a whole number of steps and a rest. */
static inline unsigned rill_half_round(unsigned long long whole, double rest, bool negative,
                                       rill_half_way way)
{
    switch (way) {
    case RILL_HALF_RZ: return (unsigned)whole;
    case RILL_HALF_RD: return (unsigned)(whole + (negative && rest > 0));
    case RILL_HALF_RU: return (unsigned)(whole + (!negative && rest > 0));
    default: return (unsigned)(whole + (rest > 0.5 || (rest == 0.5 && whole % 2)));
    }
}

/* Half floats are steps of 2^-24 up to 2^-14, and 1,024 steps between powers of two from there on,
 * so that the bits of the next one are greater by one. */
static inline unsigned short rill_half_from(double x, rill_half_way way)
{
    const bool negative = __builtin_signbit(x);
    const unsigned short sign = negative ? 0x8000 : 0;
    const double size = __builtin_fabs(x);
    int power = 0;
    if (size != size) return 0x7fff;
    if (size > 65504) {
        const bool down = way == RILL_HALF_RZ || way == (negative ? RILL_HALF_RU : RILL_HALF_RD);
        const bool near = way == RILL_HALF_RN && size < 65520;
        return sign | ((down && size <= 1.7976931348623157e308) || near ? 0x7bff : 0x7c00);
    }
    __builtin_frexp(size, &power);
    if (size == 0 || power < -13) power = -13;
    const double steps = __builtin_ldexp(size, 11 - power);
    const unsigned long long whole = (unsigned long long)steps;
    const unsigned rounded = rill_half_round(whole, steps - (double)whole, negative, way);
    return (unsigned short)(sign | (rounded + ((unsigned)(power + 13) << 10)));
}

static inline float rill_half_to(unsigned short bits)
{
    const int power = bits >> 10 & 31, part = bits & 1023;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (power == 31) return part ? __builtin_nanf("") : (float)(sign * __builtin_inff());
    return (float)(sign * (power ? __builtin_ldexp(1024 + part, power - 25)
                                 : __builtin_ldexp(part, -24)));
}

/* As devices do: what is no number becomes 0, and what is too large the nearest. */
template <typename T>
static inline T rill_half_whole(float x, T least, T most)
{
    if (x != x) return 0;
    if (x <= (float)least) return least;
    return x >= (float)most ? most : (T)x;
}

#endif
