/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of half floats, comparisons, and what lanes and atomics do with them.  Part of
 * cuda_fp16.h.
 */
#ifndef RILL_CUDA_FP16_COMPUTE_H
#define RILL_CUDA_FP16_COMPUTE_H

/* ---- One result ---------------------------------------------------------------------------- */

/* The device's instruction; the host rounds the float, which comes to the same. */
#ifdef __CUDA_ARCH__
#define RILL_HALF_1(name, words, result)                                                     \
    RILL_HALF __half name(__half a)                                                          \
    {                                                                                        \
        __half_raw raw;                                                                      \
        asm(words " %0, %1;" : "=h"(raw.x) : "h"(a.__x));                                    \
        return raw;                                                                          \
    }
#define RILL_HALF_2(name, words, result)                                                     \
    RILL_HALF __half name(__half a, __half b)                                                \
    {                                                                                        \
        __half_raw raw;                                                                      \
        asm(words " %0, %1, %2;" : "=h"(raw.x) : "h"(a.__x), "h"(b.__x));                    \
        return raw;                                                                          \
    }
#define RILL_HALF_3(name, words, result)                                                     \
    RILL_HALF __half name(__half a, __half b, __half c)                                      \
    {                                                                                        \
        __half_raw raw;                                                                      \
        asm(words " %0, %1, %2, %3;" : "=h"(raw.x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));    \
        return raw;                                                                          \
    }
#else
#define RILL_HALF_1(name, words, result)                                                     \
    RILL_HALF __half name(__half a)                                                          \
    {                                                                                        \
        const float x = __half2float(a);                                                     \
        return __float2half(result);                                                         \
    }
#define RILL_HALF_2(name, words, result)                                                     \
    RILL_HALF __half name(__half a, __half b)                                                \
    {                                                                                        \
        const float x = __half2float(a), y = __half2float(b);                                \
        return __float2half(result);                                                         \
    }
#define RILL_HALF_3(name, words, result)                                                     \
    RILL_HALF __half name(__half a, __half b, __half c)                                      \
    {                                                                                        \
        const double x = __half2float(a), y = __half2float(b), z = __half2float(c);          \
        return __double2half(result);                                                        \
    }
#endif
RILL_HALF_1(__hneg, "neg.f16", -x)
RILL_HALF_1(__habs, "abs.f16", __builtin_fabsf(x))
RILL_HALF_2(__hadd, "add.rn.f16", x + y)
RILL_HALF_2(__hsub, "sub.rn.f16", x - y)
RILL_HALF_2(__hmul, "mul.rn.f16", x *y)
RILL_HALF_2(__hadd_rn, "add.rn.f16", x + y)
RILL_HALF_2(__hsub_rn, "sub.rn.f16", x - y)
RILL_HALF_2(__hmul_rn, "mul.rn.f16", x *y)
RILL_HALF_3(__hfma, "fma.rn.f16", x *y + z)
#undef RILL_HALF_1
#undef RILL_HALF_2
#undef RILL_HALF_3

RILL_HALF __half __hdiv(__half a, __half b)
{
    return __float2half(__half2float(a) / __half2float(b));
}
RILL_HALF __half __hadd_sat(__half a, __half b)
{
    const float sum = __half2float(a) + __half2float(b);
    return __float2half(sum > 0 ? (sum < 1 ? sum : 1) : 0);
}

/* ---- Comparisons --------------------------------------------------------------------------- */

RILL_HALF bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
RILL_HALF int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }

#define RILL_HALF_COMPARE(name, sign)                                                        \
    RILL_HALF bool __h##name(__half a, __half b)                                             \
    {                                                                                        \
        return !__hisnan(a) && !__hisnan(b) && __half2float(a) sign __half2float(b);         \
    }                                                                                        \
    RILL_HALF bool __h##name##u(__half a, __half b)                                          \
    {                                                                                        \
        return __hisnan(a) || __hisnan(b) || __half2float(a) sign __half2float(b);           \
    }                                                                                        \
    RILL_HALF __half2 __h##name##2(__half2 a, __half2 b)                                     \
    {                                                                                        \
        return __floats2half2_rn(__h##name(a.x, b.x), __h##name(a.y, b.y));                  \
    }                                                                                        \
    RILL_HALF bool __hb##name##2(__half2 a, __half2 b)                                       \
    {                                                                                        \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                   \
    }                                                                                        \
    RILL_HALF bool operator sign(__half a, __half b)                                         \
    {                                                                                        \
        return __half2float(a) sign __half2float(b);                                         \
    }
RILL_HALF_COMPARE(eq, ==)
RILL_HALF_COMPARE(ne, !=)
RILL_HALF_COMPARE(lt, <)
RILL_HALF_COMPARE(le, <=)
RILL_HALF_COMPARE(gt, >)
RILL_HALF_COMPARE(ge, >=)
#undef RILL_HALF_COMPARE

/* What is no number counts as absent; -0 is less than 0. */
RILL_HALF __half __hmin(__half a, __half b)
{
    if (__hisnan(b)) return __hisnan(a) ? __ushort_as_half(0x7fff) : a;
    if (__heq(a, b)) return a.__x & 0x8000 ? a : b;
    return __hlt(a, b) ? a : b;
}
RILL_HALF __half __hmax(__half a, __half b)
{
    if (__hisnan(b)) return __hisnan(a) ? __ushort_as_half(0x7fff) : a;
    if (__heq(a, b)) return a.__x & 0x8000 ? b : a;
    return __hgt(a, b) ? a : b;
}

/* ---- Two at a time ------------------------------------------------------------------------- */

#define RILL_HALF2_1(name, one)                                                              \
    RILL_HALF __half2 name(__half2 a) { return __half2(one(a.x), one(a.y)); }
#define RILL_HALF2_2(name, one)                                                              \
    RILL_HALF __half2 name(__half2 a, __half2 b)                                             \
    {                                                                                        \
        return __half2(one(a.x, b.x), one(a.y, b.y));                                        \
    }
RILL_HALF2_1(__hneg2, __hneg)
RILL_HALF2_1(__habs2, __habs)
RILL_HALF2_2(__hadd2, __hadd)
RILL_HALF2_2(__hsub2, __hsub)
RILL_HALF2_2(__hmul2, __hmul)
RILL_HALF2_2(__h2div, __hdiv)
RILL_HALF2_2(__hmin2, __hmin)
RILL_HALF2_2(__hmax2, __hmax)
#undef RILL_HALF2_1
#undef RILL_HALF2_2
RILL_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

/* ---- Operators ----------------------------------------------------------------------------- */

#define RILL_HALF_OPERATOR(sign, one, two)                                                   \
    RILL_HALF __half operator sign(__half a, __half b) { return one(a, b); }                 \
    RILL_HALF __half &operator sign##=(__half &a, __half b) { return a = one(a, b); }        \
    RILL_HALF __half2 operator sign(__half2 a, __half2 b) { return two(a, b); }              \
    RILL_HALF __half2 &operator sign##=(__half2 &a, __half2 b) { return a = two(a, b); }
RILL_HALF_OPERATOR(+, __hadd, __hadd2)
RILL_HALF_OPERATOR(-, __hsub, __hsub2)
RILL_HALF_OPERATOR(*, __hmul, __hmul2)
RILL_HALF_OPERATOR(/, __hdiv, __h2div)
#undef RILL_HALF_OPERATOR
RILL_HALF __half operator+(__half a) { return a; }
RILL_HALF __half operator-(__half a) { return __hneg(a); }
RILL_HALF __half2 operator-(__half2 a) { return __hneg2(a); }

/* ---- Functions of kernels ------------------------------------------------------------------ */

#define RILL_HALF_FUNCTION(name, result)                                                     \
    RILL_ON_DEVICE __half h##name(__half a)                                                  \
    {                                                                                        \
        const float x = __half2float(a);                                                     \
        return __float2half(result);                                                         \
    }                                                                                        \
    RILL_ON_DEVICE __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
RILL_HALF_FUNCTION(sqrt, sqrtf(x))
RILL_HALF_FUNCTION(rsqrt, rsqrtf(x))
RILL_HALF_FUNCTION(rcp, 1 / x)
RILL_HALF_FUNCTION(exp, expf(x))
RILL_HALF_FUNCTION(exp2, exp2f(x))
RILL_HALF_FUNCTION(exp10, exp10f(x))
RILL_HALF_FUNCTION(log, logf(x))
RILL_HALF_FUNCTION(log2, log2f(x))
RILL_HALF_FUNCTION(log10, log10f(x))
RILL_HALF_FUNCTION(sin, sinf(x))
RILL_HALF_FUNCTION(cos, cosf(x))
RILL_HALF_FUNCTION(floor, floorf(x))
RILL_HALF_FUNCTION(ceil, ceilf(x))
RILL_HALF_FUNCTION(rint, rintf(x))
RILL_HALF_FUNCTION(trunc, truncf(x))
#undef RILL_HALF_FUNCTION

/* ---- Lanes and atomics ----------------------------------------------------------------------- */

RILL_ON_DEVICE unsigned rill_half2_bits(__half2 both)
{
    return (unsigned)both.y.__x << 16 | both.x.__x;
}
RILL_ON_DEVICE __half2 rill_half2_of(unsigned bits)
{
    return __half2(__ushort_as_half((unsigned short)bits),
                   __ushort_as_half((unsigned short)(bits >> 16)));
}

#define RILL_HALF_SHUFFLE(name, place)                                                       \
    RILL_ON_DEVICE __half name(unsigned mask, __half value, place lane, int width = 32)      \
    {                                                                                        \
        return __ushort_as_half((unsigned short)name(mask, (unsigned)value.__x, lane, width)); \
    }                                                                                        \
    RILL_ON_DEVICE __half2 name(unsigned mask, __half2 value, place lane, int width = 32)    \
    {                                                                                        \
        return rill_half2_of(name(mask, rill_half2_bits(value), lane, width));               \
    }
RILL_HALF_SHUFFLE(__shfl_sync, int)
RILL_HALF_SHUFFLE(__shfl_up_sync, unsigned)
RILL_HALF_SHUFFLE(__shfl_down_sync, unsigned)
RILL_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef RILL_HALF_SHUFFLE

RILL_ON_DEVICE __half atomicAdd(__half *at, __half more)
{
    __half_raw before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(before.x) : "l"(at), "h"(more.__x) : "memory");
    return before;
}
RILL_ON_DEVICE __half2 atomicAdd(__half2 *at, __half2 more)
{
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before) : "l"(at), "r"(rill_half2_bits(more)) : "memory");
    return rill_half2_of(before);
}

#endif
