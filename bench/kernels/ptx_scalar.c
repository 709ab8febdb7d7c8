/* SPDX-License-Identifier: Apache-2.0 */
#ifndef __clang__
#pragma GCC optimize("O1", "no-tree-vectorize")
#endif
#include "ptx_scalar.h"

void scalar_saxpy(unsigned n, float a, const float *x, float *y)
{
#ifdef __clang__
#pragma clang loop vectorize(disable) unroll(disable)
#endif
    for (unsigned i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
