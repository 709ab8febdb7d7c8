/* SPDX-License-Identifier: Apache-2.0
 *
 * As an H200 was found to do it, with numbers of ten binary digits.  The length of a vector is its
 * greater part and 11/32 of the lesser one.  What counts is the longest of the two vectors, and of
 * their sum and difference, of which 11/16 are taken, for the square root of 1/2.  The logarithm of
 * that is looked up by eight digits.  Of 30,000 levels asked all are so in one dimension and of one
 * vector; of two vectors one in 300 is next to it, and one in 15 in textures of odd extents.
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

static double length_of(double x, double y, enum tie tie)
{
    x = fabs(x), y = fabs(y);
    return cut(x > y ? x : y) + eleven_parts(x > y ? y : x, 32, tie);
}

static double diagonal_of(double x, double y)
{
    return length_of(eleven_parts(fabs(x), 16, TIE_UP), eleven_parts(fabs(y), 16, TIE_UP),
                     TIE_DOWN);
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
static double in_elements(float along, uint32_t extent)
{
    if (!(along == along)) return 0;
    const double most = 0x1p100;
    double elements = cut(fabs((double)along) < most ? fabs((double)along) : most) * extent;
    if (elements > 0)
        elements = floor(elements / last_digit(elements) + 0.5) * last_digit(elements);
    return along < 0 ? -elements : elements;
}

int32_t ptx_gradient_level(float along[2][2], const uint32_t extent[2])
{
    double x[2], y[2];
    for (unsigned d = 0; d < 2; d++) {
        x[d] = in_elements(along[0][d], extent[d]);
        y[d] = in_elements(along[1][d], extent[d]);
    }
    const double lengths[] = { length_of(x[0], x[1], TIE_UP), length_of(y[0], y[1], TIE_UP),
                               diagonal_of(x[0] + y[0], x[1] + y[1]),
                               diagonal_of(x[0] - y[0], x[1] - y[1]) };
    double longest = 0;
    for (unsigned i = 0; i < 4; i++)
        if (lengths[i] > longest) longest = lengths[i];
    return logarithm(longest);
}
