/* SPDX-License-Identifier: Apache-2.0
 *
 * As an H200 was found to do it, with numbers of ten binary digits.  The length of a vector is its
 * greatest part, 11/32 of the next and a quarter of the least.  What counts is the longest of the
 * two vectors, and of their sum and difference, of which 11/16 are taken, for the square root of
 * 1/2.  The logarithm of that is looked up by eight digits.  Of 42,000 levels asked all are so in
 * one dimension and of one vector; of two vectors one in 300 is next to it, in three dimensions
 * one in 50, and in textures of odd extents one in 12 to 15.
 */
#include "ptx/texture/gradient.h"

#include <math.h>
#include <stdbool.h>

#define DIGITS 10
#define NOWHERE (-1000 * 256) /* no length */

enum tie { TIE_UP, TIE_DOWN };

/* Returns what the last of ten binary digits is worth. */
static double last_digit(double number)
{
    int exponent;
    frexp(number, &exponent);
    return ldexp(1, exponent - DIGITS);
}

static double cut(double number)
{
    return number > 0 ? floor(number / last_digit(number)) * last_digit(number) : 0;
}

/* Returns 11 parts of `of` of a number: eleven times its digits, with an eighth of them. */
static double eleven_parts(double number, unsigned of, enum tie tie)
{
    if (!(number > 0)) return 0;
    const double unit = last_digit(number) * 8 / of, parts = cut(number) * 11 / of / unit;
    return (tie == TIE_UP ? floor(parts + 0.5) : ceil(parts - 0.5)) * unit;
}

static double length_of(const double vector[3], enum tie tie)
{
    double parts[3] = { fabs(vector[0]), fabs(vector[1]), fabs(vector[2]) };
    for (unsigned i = 0; i < 3; i++) /* the greatest first */
        for (unsigned k = i + 1; k < 3; k++)
            if (parts[k] > parts[i]) {
                const double less = parts[i];
                parts[i] = parts[k];
                parts[k] = less;
            }
    return cut(parts[0]) + eleven_parts(parts[1], 32, tie) + cut(parts[2]) / 4;
}

/* Returns 11/16 of the length of x + sign * y. */
static double diagonal_of(const double x[3], double sign, const double y[3], enum tie tie)
{
    double parts[3];
    for (unsigned d = 0; d < 3; d++)
        parts[d] = eleven_parts(fabs(x[d] + sign * y[d]), 16, TIE_UP);
    return length_of(parts, tie);
}

/* Returns the logarithm to the base 2 in 256ths. */
static int32_t logarithm(double length)
{
    int exponent;
    if (!(length > 0)) return NOWHERE;
    const double mantissa = frexp(length, &exponent) * 2 - 1;
    const int digits = (int)(mantissa * 256);
    int part = (int)floor(256 * log2(1 + (digits + 0.47) / 256) + 0.5);
    if (digits == 0) part = 0;
    if (part > 255) part = 255;
    return 256 * (exponent - 1) + part;
}

/* Returns a gradient in elements; what is no number does not count. */
static double in_elements(double along, uint32_t extent)
{
    if (!(along == along)) return 0;
    const double most = 0x1p100;
    double elements = cut(fabs(along) < most ? fabs(along) : most) * extent;
    if (elements > 0)
        elements = floor(elements / last_digit(elements) + 0.5) * last_digit(elements);
    return along < 0 ? -elements : elements;
}

int32_t ptx_gradient_level(const struct ptx_gradients *gradients, const uint32_t extent[3],
                           unsigned dimensions)
{
    const enum tie tie = dimensions > 2 ? TIE_UP : TIE_DOWN;
    double x[3] = { 0 }, y[3] = { 0 };
    for (unsigned d = 0; d < dimensions; d++) {
        x[d] = in_elements(gradients->along[0][d], extent[d]);
        y[d] = in_elements(gradients->along[1][d], extent[d]);
    }
    const double lengths[] = { length_of(x, TIE_UP), length_of(y, TIE_UP),
                               diagonal_of(x, 1, y, tie), diagonal_of(x, -1, y, tie) };
    const unsigned count = gradients->bent ? 2 : 4;
    double longest = 0;
    for (unsigned i = 0; i < count; i++)
        if (lengths[i] > longest) longest = lengths[i];
    return logarithm(longest);
}
