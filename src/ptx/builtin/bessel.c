/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/builtin/bessel.h"

#include <math.h>

/* Beyond it no double holds the result. */
#define MOST 714

/* All terms of the series have one sign, so that nothing of it is lost. */
double ptx_bessel_i(int order, double x)
{
    const double quarter = x * x / 4;
    double term = order ? x / 2 : 1, sum = 0;
    if (fabs(x) > MOST) return order ? copysign(INFINITY, x) : INFINITY;
    for (int k = 1; fabs(term) > fabs(sum) * 1e-18; k++) {
        sum += term;
        term *= quarter / ((double)k * (k + order));
    }
    return isnan(x) ? x : sum;
}
