/* SPDX-License-Identifier: Apache-2.0
 *
 * Half floats from other numbers, and back.  Part of cuda_fp16.h.
 */
#ifndef RILL_CUDA_FP16_CONVERT_H
#define RILL_CUDA_FP16_CONVERT_H

/* ---- From floats --------------------------------------------------------------------------- */

#ifdef __CUDA_ARCH__
#define RILL_HALF_FROM(name, type, r, words, way)                                            \
    RILL_HALF __half name(type x)                                                            \
    {                                                                                        \
        __half_raw raw;                                                                      \
        asm("cvt." words " %0, %1;" : "=h"(raw.x) : r(x));                                   \
        return raw;                                                                          \
    }
#else
#define RILL_HALF_FROM(name, type, r, words, way)                                            \
    RILL_HALF __half name(type x)                                                            \
    {                                                                                        \
        return __half_raw{ rill_half_from((double)x, way) };                                 \
    }
#endif
RILL_HALF_FROM(__float2half, float, "f", "rn.f16.f32", RILL_HALF_RN)
RILL_HALF_FROM(__float2half_rn, float, "f", "rn.f16.f32", RILL_HALF_RN)
RILL_HALF_FROM(__float2half_rz, float, "f", "rz.f16.f32", RILL_HALF_RZ)
RILL_HALF_FROM(__float2half_rd, float, "f", "rm.f16.f32", RILL_HALF_RD)
RILL_HALF_FROM(__float2half_ru, float, "f", "rp.f16.f32", RILL_HALF_RU)
RILL_HALF_FROM(__double2half, double, "d", "rn.f16.f64", RILL_HALF_RN)

/* ---- From whole numbers -------------------------------------------------------------------- */

#define RILL_HALF_FROM_WHOLE(name, type, r, from)                                            \
    RILL_HALF_FROM(__##name##2half_rn, type, r, "rn.f16." from, RILL_HALF_RN)                \
    RILL_HALF_FROM(__##name##2half_rz, type, r, "rz.f16." from, RILL_HALF_RZ)                \
    RILL_HALF_FROM(__##name##2half_rd, type, r, "rm.f16." from, RILL_HALF_RD)                \
    RILL_HALF_FROM(__##name##2half_ru, type, r, "rp.f16." from, RILL_HALF_RU)
RILL_HALF_FROM_WHOLE(short, short, "h", "s16")
RILL_HALF_FROM_WHOLE(ushort, unsigned short, "h", "u16")
RILL_HALF_FROM_WHOLE(int, int, "r", "s32")
RILL_HALF_FROM_WHOLE(uint, unsigned, "r", "u32")
RILL_HALF_FROM_WHOLE(ll, long long, "l", "s64")
RILL_HALF_FROM_WHOLE(ull, unsigned long long, "l", "u64")
#undef RILL_HALF_FROM_WHOLE
#undef RILL_HALF_FROM

/* ---- Back ---------------------------------------------------------------------------------- */

RILL_HALF float __half2float(__half x)
{
#ifdef __CUDA_ARCH__
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.__x));
    return value;
#else
    return rill_half_to(x.__x);
#endif
}

#ifdef __CUDA_ARCH__
#define RILL_HALF_TO(name, type, r, words, round, least, most)                               \
    RILL_HALF type name(__half x)                                                            \
    {                                                                                        \
        type value;                                                                          \
        asm("cvt." words ".f16 %0, %1;" : "=" r(value) : "h"(x.__x));                        \
        return value;                                                                        \
    }
#else
#define RILL_HALF_TO(name, type, r, words, round, least, most)                               \
    RILL_HALF type name(__half x)                                                            \
    {                                                                                        \
        return rill_half_whole<type>(round(__half2float(x)), least, most);                   \
    }
#endif
#define RILL_HALF_TO_WHOLE(name, type, r, to, least, most)                                   \
    RILL_HALF_TO(__half2##name##_rn, type, r, "rni." to, __builtin_rintf, least, most)       \
    RILL_HALF_TO(__half2##name##_rz, type, r, "rzi." to, __builtin_truncf, least, most)      \
    RILL_HALF_TO(__half2##name##_rd, type, r, "rmi." to, __builtin_floorf, least, most)      \
    RILL_HALF_TO(__half2##name##_ru, type, r, "rpi." to, __builtin_ceilf, least, most)
RILL_HALF_TO_WHOLE(short, short, "h", "s16", SHRT_MIN, SHRT_MAX)
RILL_HALF_TO_WHOLE(ushort, unsigned short, "h", "u16", 0, USHRT_MAX)
RILL_HALF_TO_WHOLE(int, int, "r", "s32", INT_MIN, INT_MAX)
RILL_HALF_TO_WHOLE(uint, unsigned, "r", "u32", 0, UINT_MAX)
RILL_HALF_TO_WHOLE(ll, long long, "l", "s64", LLONG_MIN, LLONG_MAX)
RILL_HALF_TO_WHOLE(ull, unsigned long long, "l", "u64", 0, ULLONG_MAX)
#undef RILL_HALF_TO_WHOLE
#undef RILL_HALF_TO

/* ---- Pairs --------------------------------------------------------------------------------- */

RILL_HALF __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
RILL_HALF __half2 __half2half2(__half x) { return __half2(x, x); }
RILL_HALF __half2 __float2half2_rn(float x) { return __half2half2(__float2half(x)); }
RILL_HALF __half2 __floats2half2_rn(float x, float y)
{
    return __half2(__float2half(x), __float2half(y));
}
RILL_HALF __half2 __float22half2_rn(float2 both) { return __floats2half2_rn(both.x, both.y); }
RILL_HALF __half2 make_half2(__half x, __half y) { return __half2(x, y); }
RILL_HALF float2 __half22float2(__half2 both)
{
    return make_float2(__half2float(both.x), __half2float(both.y));
}
RILL_HALF __half __low2half(__half2 both) { return both.x; }
RILL_HALF __half __high2half(__half2 both) { return both.y; }
RILL_HALF float __low2float(__half2 both) { return __half2float(both.x); }
RILL_HALF float __high2float(__half2 both) { return __half2float(both.y); }
RILL_HALF __half2 __low2half2(__half2 both) { return __half2(both.x, both.x); }
RILL_HALF __half2 __high2half2(__half2 both) { return __half2(both.y, both.y); }
RILL_HALF __half2 __lowhigh2highlow(__half2 both) { return __half2(both.y, both.x); }
RILL_HALF __half2 __lows2half2(__half2 one, __half2 other) { return __half2(one.x, other.x); }
RILL_HALF __half2 __highs2half2(__half2 one, __half2 other) { return __half2(one.y, other.y); }

#endif
