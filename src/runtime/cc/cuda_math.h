/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of numbers: clang's own headers name them, in C's way and in C++'s, by the names of
 * libdevice.  Here is what those leave to CUDA's headers.  Part of cuda_device.h.
 */
#ifndef RILL_CUDA_MATH_H
#define RILL_CUDA_MATH_H

/* Theirs want to know which CUDA's headers they stand in for; programs learn that of cuda.h. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#include "cuda_libdevice.h"
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
#pragma pop_macro("CUDA_VERSION")

/* ---- Of floats, by the names for doubles --------------------------------------------------- */

#define RILL_FLOAT_1(name, result) RILL_ON_DEVICE result name(float x) { return name##f(x); }
#define RILL_FLOAT_2(name) RILL_ON_DEVICE float name(float x, float y) { return name##f(x, y); }
RILL_FLOAT_1(acosh, float)
RILL_FLOAT_1(asinh, float)
RILL_FLOAT_1(atanh, float)
RILL_FLOAT_1(cbrt, float)
RILL_FLOAT_1(cospi, float)
RILL_FLOAT_1(cyl_bessel_i0, float)
RILL_FLOAT_1(cyl_bessel_i1, float)
RILL_FLOAT_1(erf, float)
RILL_FLOAT_1(erfc, float)
RILL_FLOAT_1(erfcinv, float)
RILL_FLOAT_1(erfcx, float)
RILL_FLOAT_1(erfinv, float)
RILL_FLOAT_1(exp10, float)
RILL_FLOAT_1(exp2, float)
RILL_FLOAT_1(expm1, float)
RILL_FLOAT_1(ilogb, int)
RILL_FLOAT_1(j0, float)
RILL_FLOAT_1(j1, float)
RILL_FLOAT_1(lgamma, float)
RILL_FLOAT_1(llrint, long long)
RILL_FLOAT_1(llround, long long)
RILL_FLOAT_1(log1p, float)
RILL_FLOAT_1(log2, float)
RILL_FLOAT_1(logb, float)
RILL_FLOAT_1(lrint, long)
RILL_FLOAT_1(lround, long)
RILL_FLOAT_1(nearbyint, float)
RILL_FLOAT_1(normcdf, float)
RILL_FLOAT_1(normcdfinv, float)
RILL_FLOAT_1(rcbrt, float)
RILL_FLOAT_1(rint, float)
RILL_FLOAT_1(round, float)
RILL_FLOAT_1(rsqrt, float)
RILL_FLOAT_1(sinpi, float)
RILL_FLOAT_1(tgamma, float)
RILL_FLOAT_1(trunc, float)
RILL_FLOAT_1(y0, float)
RILL_FLOAT_1(y1, float)
RILL_FLOAT_2(copysign)
RILL_FLOAT_2(fdim)
RILL_FLOAT_2(fmax)
RILL_FLOAT_2(fmin)
RILL_FLOAT_2(hypot)
RILL_FLOAT_2(nextafter)
RILL_FLOAT_2(remainder)
#undef RILL_FLOAT_1
#undef RILL_FLOAT_2
RILL_ON_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
RILL_ON_DEVICE float scalbn(float x, int y) { return scalbnf(x, y); }
RILL_ON_DEVICE float scalbln(float x, long y) { return scalblnf(x, y); }
RILL_ON_DEVICE float remquo(float x, float y, int *part) { return remquof(x, y, part); }
RILL_ON_DEVICE double nan(const char *) { return __builtin_nan(""); }
RILL_ON_DEVICE float nanf(const char *) { return __builtin_nanf(""); }

/* The host's library has none. */
static inline __host__ float rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
static inline __host__ double rsqrt(double x) { return 1 / __builtin_sqrt(x); }

/* ---- The less and the greater, on both sides ----------------------------------------------- */

/* Of two ints clang has the device's. */
static inline __host__ int min(int x, int y) { return x < y ? x : y; }
static inline __host__ int max(int x, int y) { return x > y ? x : y; }

#define RILL_CHOICE(type, first, second)                                                     \
    static inline __host__ __device__ type min(first x, second y)                            \
    {                                                                                        \
        return (type)x < (type)y ? (type)x : (type)y;                                        \
    }                                                                                        \
    static inline __host__ __device__ type max(first x, second y)                            \
    {                                                                                        \
        return (type)x > (type)y ? (type)x : (type)y;                                        \
    }
#define RILL_CHOICES(type, other)                                                            \
    RILL_CHOICE(type, type, type)                                                            \
    RILL_CHOICE(type, type, other)                                                           \
    RILL_CHOICE(type, other, type)
RILL_CHOICES(unsigned, int)
RILL_CHOICE(long, long, long)
RILL_CHOICES(unsigned long, long)
RILL_CHOICE(long long, long long, long long)
RILL_CHOICES(unsigned long long, long long)
#undef RILL_CHOICES
#undef RILL_CHOICE

#define RILL_CHOICES(type, first, second)                                                    \
    static inline __host__ __device__ type min(first x, second y) { return __builtin_fmin(x, y); } \
    static inline __host__ __device__ type max(first x, second y) { return __builtin_fmax(x, y); }
static inline __host__ __device__ float min(float x, float y) { return __builtin_fminf(x, y); }
static inline __host__ __device__ float max(float x, float y) { return __builtin_fmaxf(x, y); }
RILL_CHOICES(double, double, double)
RILL_CHOICES(double, float, double)
RILL_CHOICES(double, double, float)
#undef RILL_CHOICES

#endif
