/* SPDX-License-Identifier: Apache-2.0 */
#include "arithmetic.h"

#include <config.h>
#include <fenv.h>
#include <float.h>
#include <math.h>

#if RILL_HAVE_AVX2
#include <immintrin.h>
#endif

bool arithmetic_rounds(void)
{
    volatile float one = 1, little = 0x1p-30f, three = 3, up, down, part, root;
    fesetround(FE_UPWARD);
    up = one + little;
    root = sqrtf(three);
    fesetround(FE_TOWARDZERO);
    down = one - little;
    part = one / three;
    fesetround(FE_TONEAREST);
    return up > 1 && down < 1 && (double)part * 3 < 1 && (double)root * (double)root > 3;
}

bool arithmetic_fuses(void)
{
    volatile double little = 0x1p-600, minus = -0x1p-600, nothing = 0;
    return signbit(fma(little, minus, nothing));
}

#if RILL_HAVE_AVX2
__attribute__((target("avx2"))) static bool vectors_order(void)
{
    volatile float nan = NAN, one = 1;
    const __m256 x = _mm256_set1_ps(nan), y = _mm256_set1_ps(one);
    const int unequal = _mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_NEQ_OQ));
    const int alike = _mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_EQ_UQ));
    return unequal == 0 && alike == 0xff;
}
#endif

bool arithmetic_orders(void)
{
#if RILL_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) return vectors_order();
#endif
    return true;
}

bool arithmetic_extends(void)
{
    const volatile long double one = 1, little = LDBL_EPSILON;
    volatile long double sum = one + little;
    return sum != one;
}
