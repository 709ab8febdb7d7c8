/* SPDX-License-Identifier: Apache-2.0
 *
 * Those functions of CUDA's libdevice that are an instruction or a few.  Clang's own headers call
 * them, and declare the others, which the simulator has (src/ptx/builtin/libdevice.c).  Part of
 * cuda_math.h.
 */
#ifndef RILL_CUDA_LIBDEVICE_H
#define RILL_CUDA_LIBDEVICE_H

/* Their types differ among versions of clang. */
#define __nv_popc __nv_rill_other_popc
#define __nv_popcll __nv_rill_other_popcll
#include <__clang_cuda_libdevice_declares.h>
#undef __nv_popc
#undef __nv_popcll

#define RILL_LIBDEVICE extern "C" __device__ __forceinline__

#define RILL_1(name, result, r, type, a, words)                                              \
    RILL_LIBDEVICE result __nv_##name(type x)                                                \
    {                                                                                        \
        result value;                                                                        \
        asm(words " %0, %1;" : "=" r(value) : a(x));                                         \
        return value;                                                                        \
    }
#define RILL_2(name, type, r, words)                                                         \
    RILL_LIBDEVICE type __nv_##name(type x, type y)                                          \
    {                                                                                        \
        type value;                                                                          \
        asm(words " %0, %1, %2;" : "=" r(value) : r(x), r(y));                               \
        return value;                                                                        \
    }
#define RILL_3(name, type, r, words)                                                         \
    RILL_LIBDEVICE type __nv_##name(type x, type y, type z)                                  \
    {                                                                                        \
        type value;                                                                          \
        asm(words " %0, %1, %2, %3;" : "=" r(value) : r(x), r(y), r(z));                     \
        return value;                                                                        \
    }

/* ---- Integers ------------------------------------------------------------------------------ */

RILL_1(abs, int, "r", int, "r", "abs.s32")
RILL_1(llabs, long long, "l", long long, "l", "abs.s64")
RILL_2(min, int, "r", "min.s32")
RILL_2(max, int, "r", "max.s32")
RILL_2(umin, unsigned, "r", "min.u32")
RILL_2(umax, unsigned, "r", "max.u32")
RILL_2(llmin, long long, "l", "min.s64")
RILL_2(llmax, long long, "l", "max.s64")
RILL_2(ullmin, unsigned long long, "l", "min.u64")
RILL_2(ullmax, unsigned long long, "l", "max.u64")
RILL_2(mulhi, int, "r", "mul.hi.s32")
RILL_2(umulhi, unsigned, "r", "mul.hi.u32")
RILL_2(mul64hi, long long, "l", "mul.hi.s64")
RILL_2(umul64hi, unsigned long long, "l", "mul.hi.u64")
RILL_2(mul24, int, "r", "mul24.lo.s32")
RILL_2(umul24, unsigned, "r", "mul24.lo.u32")
RILL_LIBDEVICE int __nv_hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
RILL_LIBDEVICE int __nv_rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
RILL_LIBDEVICE int __nv_uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
RILL_LIBDEVICE unsigned __nv_urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }
RILL_LIBDEVICE int __nv_sad(int x, int y, int z)
{
    return z + (x < y ? (unsigned)y - x : (unsigned)x - y);
}
RILL_LIBDEVICE unsigned __nv_usad(unsigned x, unsigned y, unsigned z)
{
    return z + (x < y ? y - x : x - y);
}

/* ---- Bits ---------------------------------------------------------------------------------- */

RILL_1(popc, int, "r", unsigned, "r", "popc.b32")
RILL_1(popcll, int, "r", unsigned long long, "l", "popc.b64")
RILL_1(clz, int, "r", int, "r", "clz.b32")
RILL_1(clzll, int, "r", long long, "l", "clz.b64")
RILL_1(brev, int, "r", int, "r", "brev.b32")
RILL_1(brevll, long long, "l", long long, "l", "brev.b64")
RILL_3(byte_perm, int, "r", "prmt.b32")
RILL_LIBDEVICE int __nv_ffs(int x) { return 32 - __nv_clz(x & (int)(0u - x)); }
RILL_LIBDEVICE int __nv_ffsll(long long x) { return 64 - __nv_clzll(x & (long long)(0ull - x)); }

RILL_LIBDEVICE int __nv_float_as_int(float x) { return __builtin_bit_cast(int, x); }
RILL_LIBDEVICE unsigned __nv_float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
RILL_LIBDEVICE float __nv_int_as_float(int x) { return __builtin_bit_cast(float, x); }
RILL_LIBDEVICE float __nv_uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
RILL_LIBDEVICE unsigned long long __nv_double_as_longlong(double x)
{
    return __builtin_bit_cast(unsigned long long, x);
}
RILL_LIBDEVICE double __nv_longlong_as_double(long long x)
{
    return __builtin_bit_cast(double, x);
}
RILL_LIBDEVICE int __nv_double2loint(double x) { return (int)__nv_double_as_longlong(x); }
RILL_LIBDEVICE int __nv_double2hiint(double x) { return (int)(__nv_double_as_longlong(x) >> 32); }
RILL_LIBDEVICE double __nv_hiloint2double(int high, int low)
{
    return __nv_longlong_as_double((long long)high << 32 | (unsigned)low);
}

/* ---- Conversions --------------------------------------------------------------------------- */

/* Rounded to the nearest, towards zero, down and up; `whole` is "i" for integers, else "". */
#define RILL_CONVERSION(name, result, r, type, a, whole, types)                              \
    RILL_1(name##_rn, result, r, type, a, "cvt.rn" whole "." types)                          \
    RILL_1(name##_rz, result, r, type, a, "cvt.rz" whole "." types)                          \
    RILL_1(name##_rd, result, r, type, a, "cvt.rm" whole "." types)                          \
    RILL_1(name##_ru, result, r, type, a, "cvt.rp" whole "." types)
RILL_CONVERSION(float2int, int, "r", float, "f", "i", "s32.f32")
RILL_CONVERSION(float2uint, unsigned, "r", float, "f", "i", "u32.f32")
RILL_CONVERSION(float2ll, long long, "l", float, "f", "i", "s64.f32")
RILL_CONVERSION(float2ull, unsigned long long, "l", float, "f", "i", "u64.f32")
RILL_CONVERSION(double2int, int, "r", double, "d", "i", "s32.f64")
RILL_CONVERSION(double2uint, unsigned, "r", double, "d", "i", "u32.f64")
RILL_CONVERSION(double2ll, long long, "l", double, "d", "i", "s64.f64")
RILL_CONVERSION(double2ull, unsigned long long, "l", double, "d", "i", "u64.f64")
RILL_CONVERSION(int2float, float, "f", int, "r", "", "f32.s32")
RILL_CONVERSION(uint2float, float, "f", unsigned, "r", "", "f32.u32")
RILL_CONVERSION(ll2float, float, "f", long long, "l", "", "f32.s64")
RILL_CONVERSION(ull2float, float, "f", unsigned long long, "l", "", "f32.u64")
RILL_CONVERSION(ll2double, double, "d", long long, "l", "", "f64.s64")
RILL_CONVERSION(ull2double, double, "d", unsigned long long, "l", "", "f64.u64")
RILL_CONVERSION(double2float, float, "f", double, "d", "", "f32.f64")
#undef RILL_CONVERSION
RILL_LIBDEVICE double __nv_int2double_rn(int x) { return x; }
RILL_LIBDEVICE double __nv_uint2double_rn(unsigned x) { return x; }

RILL_1(half2float, float, "f", unsigned short, "h", "cvt.f32.f16")
RILL_1(float2half_rn, unsigned short, "h", float, "f", "cvt.rn.f16.f32")
RILL_1(llrint, long long, "l", double, "d", "cvt.rni.s64.f64")
RILL_1(llrintf, long long, "l", float, "f", "cvt.rni.s64.f32")
RILL_1(saturatef, float, "f", float, "f", "cvt.sat.f32.f32")

/* ---- Arithmetic ---------------------------------------------------------------------------- */

/* Rounded to the nearest, towards zero, down and up. */
#define RILL_ROUNDED(shape, name, type, r, word, of)                                         \
    shape(name##_rn, type, r, word ".rn." of)                                                \
    shape(name##_rz, type, r, word ".rz." of)                                                \
    shape(name##_rd, type, r, word ".rm." of)                                                \
    shape(name##_ru, type, r, word ".rp." of)
#define RILL_SAME(name, type, r, words) RILL_1(name, type, r, type, r, words)
RILL_ROUNDED(RILL_2, fadd, float, "f", "add", "f32")
RILL_ROUNDED(RILL_2, fsub, float, "f", "sub", "f32")
RILL_ROUNDED(RILL_2, fmul, float, "f", "mul", "f32")
RILL_ROUNDED(RILL_2, fdiv, float, "f", "div", "f32")
RILL_ROUNDED(RILL_3, fmaf, float, "f", "fma", "f32")
RILL_ROUNDED(RILL_3, fmaf_ieee, float, "f", "fma", "f32")
RILL_ROUNDED(RILL_SAME, frcp, float, "f", "rcp", "f32")
RILL_ROUNDED(RILL_SAME, fsqrt, float, "f", "sqrt", "f32")
RILL_ROUNDED(RILL_2, dadd, double, "d", "add", "f64")
RILL_ROUNDED(RILL_2, dsub, double, "d", "sub", "f64")
RILL_ROUNDED(RILL_2, dmul, double, "d", "mul", "f64")
RILL_ROUNDED(RILL_2, ddiv, double, "d", "div", "f64")
RILL_ROUNDED(RILL_3, fma, double, "d", "fma", "f64")
RILL_ROUNDED(RILL_SAME, drcp, double, "d", "rcp", "f64")
RILL_ROUNDED(RILL_SAME, dsqrt, double, "d", "sqrt", "f64")
#undef RILL_ROUNDED

/* Each for float and double. */
#define RILL_BOTH(shape, name, words)                                                        \
    shape(name##f, float, "f", words ".f32")                                                 \
    shape(name, double, "d", words ".f64")
#define RILL_BOTH_INTEGRAL(name, words)                                                      \
    RILL_SAME(name##f, float, "f", words ".f32.f32")                                         \
    RILL_SAME(name, double, "d", words ".f64.f64")
RILL_BOTH(RILL_SAME, fabs, "abs")
RILL_BOTH(RILL_SAME, sqrt, "sqrt.rn")
RILL_BOTH(RILL_2, fmin, "min")
RILL_BOTH(RILL_2, fmax, "max")
RILL_BOTH(RILL_3, fma, "fma.rn")
RILL_BOTH_INTEGRAL(floor, "cvt.rmi")
RILL_BOTH_INTEGRAL(ceil, "cvt.rpi")
RILL_BOTH_INTEGRAL(trunc, "cvt.rzi")
RILL_BOTH_INTEGRAL(rint, "cvt.rni")
RILL_BOTH_INTEGRAL(nearbyint, "cvt.rni")
#undef RILL_BOTH
#undef RILL_BOTH_INTEGRAL

RILL_SAME(rsqrtf, float, "f", "rsqrt.approx.f32")
RILL_LIBDEVICE double __nv_rsqrt(double x) { return 1 / __nv_sqrt(x); }
RILL_LIBDEVICE float __nv_frsqrt_rn(float x) { return (float)(1 / __nv_sqrt(x)); }

/* ---- Fast ones ----------------------------------------------------------------------------- */

RILL_SAME(fast_sinf, float, "f", "sin.approx.f32")
RILL_SAME(fast_cosf, float, "f", "cos.approx.f32")
RILL_SAME(fast_log2f, float, "f", "lg2.approx.f32")
RILL_SAME(rill_exp2f, float, "f", "ex2.approx.f32")
RILL_2(fast_fdividef, float, "f", "div.approx.f32")
RILL_LIBDEVICE float __nv_fast_expf(float x) { return __nv_rill_exp2f(x * 1.44269504f); }
RILL_LIBDEVICE float __nv_fast_exp10f(float x) { return __nv_rill_exp2f(x * 3.32192809f); }
RILL_LIBDEVICE float __nv_fast_logf(float x) { return __nv_fast_log2f(x) * 0.693147181f; }
RILL_LIBDEVICE float __nv_fast_log10f(float x) { return __nv_fast_log2f(x) * 0.301029996f; }
RILL_LIBDEVICE float __nv_fast_powf(float x, float y)
{
    return __nv_rill_exp2f(y * __nv_fast_log2f(x));
}
RILL_LIBDEVICE float __nv_fast_tanf(float x)
{
    return __nv_fast_fdividef(__nv_fast_sinf(x), __nv_fast_cosf(x));
}
RILL_LIBDEVICE void __nv_fast_sincosf(float x, float *sine, float *cosine)
{
    *sine = __nv_fast_sinf(x);
    *cosine = __nv_fast_cosf(x);
}

/* ---- Of floats and doubles, by others ------------------------------------------------------ */

#define RILL_OTHERS(type, f)                                                                 \
    RILL_LIBDEVICE type __nv_copysign##f(type x, type y) { return __builtin_copysign##f(x, y); } \
    RILL_LIBDEVICE type __nv_fdim##f(type x, type y) { return x <= y ? 0 : x - y; }          \
    RILL_LIBDEVICE type __nv_nan##f(const signed char *) { return __builtin_nan##f(""); }    \
    RILL_LIBDEVICE type __nv_round##f(type x)                                                \
    {                                                                                        \
        type whole = __nv_trunc##f(x);                                                       \
        bool more = __nv_fabs##f(x - whole) >= (type)0.5;                                    \
        return __nv_copysign##f(more ? whole + __nv_copysign##f(1, x) : whole, x);           \
    }                                                                                        \
    RILL_LIBDEVICE long long __nv_llround##f(type x) { return (long long)__nv_round##f(x); } \
    RILL_LIBDEVICE type __nv_powi##f(type x, int y) { return __nv_pow##f(x, y); }            \
    RILL_LIBDEVICE type __nv_scalbn##f(type x, int y) { return __nv_ldexp##f(x, y); }        \
    RILL_LIBDEVICE type __nv_rcbrt##f(type x) { return 1 / __nv_cbrt##f(x); }                \
    RILL_LIBDEVICE type __nv_rhypot##f(type x, type y) { return 1 / __nv_hypot##f(x, y); }   \
    RILL_LIBDEVICE type __nv_norm3d##f(type x, type y, type z)                               \
    {                                                                                        \
        return __nv_hypot##f(__nv_hypot##f(x, y), z);                                        \
    }                                                                                        \
    RILL_LIBDEVICE type __nv_norm4d##f(type x, type y, type z, type w)                       \
    {                                                                                        \
        return __nv_hypot##f(__nv_hypot##f(x, y), __nv_hypot##f(z, w));                      \
    }                                                                                        \
    RILL_LIBDEVICE type __nv_rnorm3d##f(type x, type y, type z)                              \
    {                                                                                        \
        return 1 / __nv_norm3d##f(x, y, z);                                                  \
    }                                                                                        \
    RILL_LIBDEVICE type __nv_rnorm4d##f(type x, type y, type z, type w)                      \
    {                                                                                        \
        return 1 / __nv_norm4d##f(x, y, z, w);                                               \
    }                                                                                        \
    RILL_LIBDEVICE type __nv_norm##f(int count, const type *at)                              \
    {                                                                                        \
        type norm = 0;                                                                       \
        for (int i = 0; i < count; i++) norm = __nv_hypot##f(norm, at[i]);                   \
        return norm;                                                                         \
    }                                                                                        \
    RILL_LIBDEVICE type __nv_rnorm##f(int count, const type *at)                             \
    {                                                                                        \
        return 1 / __nv_norm##f(count, at);                                                  \
    }                                                                                        \
    RILL_LIBDEVICE type __nv_modf##f(type x, type *whole)                                    \
    {                                                                                        \
        *whole = __nv_trunc##f(x);                                                           \
        return __nv_copysign##f(*whole == x ? 0 : x - *whole, x);                            \
    }                                                                                        \
    RILL_LIBDEVICE type __nv_frexp##f(type x, int *power)                                    \
    {                                                                                        \
        *power = x == 0 || !(__nv_fabs##f(x) < __builtin_inf##f()) ? 0 : __nv_ilogb##f(x) + 1; \
        return __nv_ldexp##f(x, -*power);                                                    \
    }                                                                                        \
    /* The lowest bits of the quotient, which is exact if the type holds it. */              \
    RILL_LIBDEVICE type __nv_remquo##f(type x, type y, int *part)                            \
    {                                                                                        \
        type rest = __nv_remainder##f(x, y);                                                 \
        *part = (int)__nv_fmod##f(__nv_rint##f((x - rest) / y), 8);                          \
        return rest;                                                                         \
    }                                                                                        \
    RILL_LIBDEVICE void __nv_sincos##f(type x, type *sine, type *cosine)                     \
    {                                                                                        \
        *sine = __nv_sin##f(x);                                                              \
        *cosine = __nv_cos##f(x);                                                            \
    }                                                                                        \
    RILL_LIBDEVICE void __nv_sincospi##f(type x, type *sine, type *cosine)                   \
    {                                                                                        \
        *sine = __nv_sinpi##f(x);                                                            \
        *cosine = __nv_cospi##f(x);                                                          \
    }
RILL_OTHERS(float, f)
RILL_OTHERS(double, )
#undef RILL_OTHERS

RILL_LIBDEVICE int __nv_isnanf(float x) { return x != x; }
RILL_LIBDEVICE int __nv_isnand(double x) { return x != x; }
RILL_LIBDEVICE int __nv_isinff(float x) { return __nv_fabsf(x) == __builtin_inff(); }
RILL_LIBDEVICE int __nv_isinfd(double x) { return __nv_fabs(x) == __builtin_inf(); }
RILL_LIBDEVICE int __nv_finitef(float x) { return __nv_fabsf(x) < __builtin_inff(); }
RILL_LIBDEVICE int __nv_isfinited(double x) { return __nv_fabs(x) < __builtin_inf(); }
RILL_LIBDEVICE int __nv_signbitf(float x) { return __nv_float_as_int(x) < 0; }
RILL_LIBDEVICE int __nv_signbitd(double x) { return (long long)__nv_double_as_longlong(x) < 0; }

#undef RILL_SAME
#undef RILL_1
#undef RILL_2
#undef RILL_3
#undef RILL_LIBDEVICE

#endif
