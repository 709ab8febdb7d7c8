/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/builtin/error_function.h"

#include <math.h>

#define PI 3.14159265358979323846
#define SLOPE 1.12837916709551257390 /* of erf() at 0: 2 / sqrt(pi) */

/* ---- Inverses ------------------------------------------------------------------------------ */

/* Returns the x of erf(x) but for a few thousandths, from the logarithm of 1 - erf(x)^2: with a
 * fitted, erf(x)^2 is about 1 - exp(-x^2 (4 / pi + a x^2) / (1 + a x^2)). */
static double guess(double logarithm)
{
    const double a = 0.147, half = 2 / (PI * a) + logarithm / 2;
    return sqrt(sqrt(half * half - logarithm / a) - half);
}

/* Steps of Halley's method: each has three times as many right digits as the one before, or more
 * where the curve is nearly straight.  Far out, where erfc() falls by powers, the first ones are
 * shorter. */
enum { STEPS = 8 };

/* Of numbers from 0 to 1. */
static double solve_erfc(double q)
{
    double x = guess(log(q) + log1p(1 - q));
    for (int i = 0; i < STEPS; i++) {
        const double off = erfc(x) - q;
        x += off / (SLOPE * exp(-x * x) - x * off);
    }
    return x;
}

/* Of numbers near 0. */
static double solve_erf(double y)
{
    double x = y / SLOPE;
    for (int i = 0; i < STEPS; i++) {
        const double off = erf(x) - y;
        x -= off / (SLOPE * exp(-x * x) + x * off);
    }
    return x;
}

double ptx_inverse_erfc(double q)
{
    if (!(q >= 0 && q <= 2)) return NAN;
    if (q == 0) return INFINITY;
    if (q == 2) return -INFINITY;
    if (q > 0.5 && q < 1.5) return solve_erf(1 - q);
    return q < 1 ? solve_erfc(q) : -solve_erfc(2 - q);
}

double ptx_inverse_erf(double y)
{
    if (!(fabs(y) <= 1)) return NAN;
    if (fabs(y) < 0.5) return solve_erf(y);
    return copysign(ptx_inverse_erfc(1 - fabs(y)), y);
}

/* ---- Scaled -------------------------------------------------------------------------------- */

/* From here on so many terms of the asymptotic series are enough. */
#define FAR 10
enum { TERMS = 20 };

static double scaled_far_out(double x)
{
    double term = 1, sum = 1;
    for (int n = 1; n <= TERMS; n++) {
        term *= -(2 * n - 1) / (2 * x * x);
        sum += term;
    }
    return sum / (x * sqrt(PI));
}

double ptx_scaled_erfc(double x)
{
    if (x > FAR) return scaled_far_out(x);
    const double square = x * x, rest = fma(x, x, -square);
    const double power = exp(square);
    return (power < INFINITY ? power + power * rest : power) * erfc(x);
}
