/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions of floats: to other formats and to whole numbers, and what modifiers do to a
 * result.
 */
#include "ptx/step/convert.h"
#include "ptx/step/half_float.h"
#include "ptx/step/lanes.h"

/* ---- Rounded in any direction ---------------------------------------------------------- */

#define ROUNDED(name, to, from, value) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        to *d = PTX_COLUMN(group, step->d, to); \
        const from *a = PTX_COLUMN(group, step->a, from); \
        const int rounding = step->kind; \
        PTX_EACH_LANE(group, i) { \
            const from x = a[i]; \
            d[i] = (to)(value); \
        } \
    }

#define OF_INTEGERS(name, to, format) \
    ROUNDED(name##_of_u64, to, uint64_t, format_number(format, false, x, 0, rounding)) \
    ROUNDED(name##_of_s64, to, int64_t, \
            format_number(format, x < 0, x < 0 ? UINT64_C(0) - (uint64_t)x : (uint64_t)x, 0, \
                          rounding))
OF_INTEGERS(half, uint16_t, FORMAT_HALF)
OF_INTEGERS(bfloat, uint16_t, FORMAT_BFLOAT)
OF_INTEGERS(single, uint32_t, FORMAT_SINGLE)
OF_INTEGERS(double, uint64_t, FORMAT_DOUBLE)

#define OF_FLOAT(name, to, to_format, from, from_format) \
    ROUNDED(name, to, from, format_converted(to_format, from_format, x, rounding))
OF_FLOAT(single_to_half_rounded, uint16_t, FORMAT_HALF, uint32_t, FORMAT_SINGLE)
OF_FLOAT(single_to_bfloat_rounded, uint16_t, FORMAT_BFLOAT, uint32_t, FORMAT_SINGLE)
OF_FLOAT(double_to_half_rounded, uint16_t, FORMAT_HALF, uint64_t, FORMAT_DOUBLE)
OF_FLOAT(double_to_bfloat_rounded, uint16_t, FORMAT_BFLOAT, uint64_t, FORMAT_DOUBLE)
OF_FLOAT(double_to_single_rounded, uint32_t, FORMAT_SINGLE, uint64_t, FORMAT_DOUBLE)

/* ---- Exact, or rounded to nearest ------------------------------------------------------ */

/* As measured, bf16 is shifted, a NaN as well; f16 goes through arithmetic.  Conversions to
 * and from f64 have a quiet NaN, with its sign and what it carries. */
PTX_LANES_1(half_to_single, float, uint16_t, single_result(half_value(x)))
PTX_LANES_1(half_to_double, double, uint16_t, widened(half_value(x)))
PTX_LANES_1(bfloat_to_single, uint32_t, uint16_t, (uint32_t)x << 16)
PTX_LANES_1(single_to_double, double, float, widened(x))
PTX_LANES_1(single_to_half, uint16_t, float, half_of(x))
PTX_LANES_1(single_to_bfloat, uint16_t, float, bfloat_of(x))
PTX_LANES_1(double_to_single, float, double, narrowed(x))

/* ---- To whole numbers ------------------------------------------------------------------ */

/* Rounds to nearest.  Numbers beyond 2^23 or 2^52 are whole.  Smaller ones lose what follows
 * the point when that is added, and get their sign back in the end: -0.3 becomes -0. */
static inline float nearest_single(float x)
{
    const float size = single_of(single_bits(x) & ~SINGLE_SIGN);
    const float whole = size < 0x1p23f ? (size + 0x1p23f) - 0x1p23f : size;
    return single_of(single_bits(whole) | (single_bits(x) & SINGLE_SIGN));
}

static inline double nearest_double(double x)
{
    const double size = double_of(double_bits(x) & ~DOUBLE_SIGN);
    const double whole = size < 0x1p52 ? (size + 0x1p52) - 0x1p52 : size;
    return double_of(double_bits(whole) | (double_bits(x) & DOUBLE_SIGN));
}

#define DIRECTED(type, name, bits, SIGN) \
    static inline type down_##name(type x) \
    { \
        const type near = nearest_##name(x); \
        return near > x ? near - 1 : near; \
    } \
    static inline type up_##name(type x) \
    { \
        const type near = nearest_##name(x); \
        const type up = near < x ? near + 1 : near; \
        return name##_of(name##_bits(up) | (name##_bits(x) & SIGN)); \
    } \
    static inline type zero_##name(type x) \
    { \
        const type size = down_##name(name##_of(name##_bits(x) & ~SIGN)); \
        return name##_of(name##_bits(size) | (name##_bits(x) & SIGN)); \
    }
DIRECTED(float, single, uint32_t, SINGLE_SIGN)
DIRECTED(double, double, uint64_t, DOUBLE_SIGN)

#define TO_WHOLE(direction) \
    PTX_LANES_1(direction##_f32, float, float, single_result(direction##_single(x))) \
    PTX_LANES_1(direction##_f64, double, double, \
                x != x ? double_of(double_bits(x) | DOUBLE_QUIET) : direction##_double(x))
TO_WHOLE(nearest)
TO_WHOLE(zero)
TO_WHOLE(down)
TO_WHOLE(up)

/* ---- In place -------------------------------------------------------------------------- */

/* Applies .sat: 0 to 1, and 0 for a NaN and for -0. */
static inline uint16_t clamped_half(uint16_t x)
{
    const uint16_t one = 0x3c00;
    return x & HALF_SIGN || x > HALF_INFINITY ? 0 : x > one ? one : x;
}

PTX_LANES_1(flush_single, float, float, single_flushed(x))
PTX_LANES_1(settle_single, float, float, single_result(single_flushed(x)))
PTX_LANES_1(clamp_half, uint16_t, uint16_t, clamped_half(x))
PTX_LANES_1(clamp_single, float, float, x > 0 ? x < 1 ? x : 1 : 0)
PTX_LANES_1(clamp_double, double, double, x > 0 ? x < 1 ? x : 1 : 0)
PTX_LANES_1(positive_16, uint16_t, uint16_t, x & HALF_SIGN ? 0 : x)
PTX_LANES_1(finite_half, uint16_t, uint16_t,
            (x & 0x7fff) == HALF_INFINITY ? (x & HALF_SIGN) | HALF_MOST : x)
PTX_LANES_1(finite_bfloat, uint16_t, uint16_t,
            (x & 0x7fff) == BFLOAT_INFINITY ? (x & HALF_SIGN) | BFLOAT_MOST : x)
PTX_LANES_1(same_half, uint16_t, uint16_t, (x & 0x7fff) > HALF_INFINITY ? HALF_NAN : x)
PTX_LANES_1(same_bfloat, uint16_t, uint16_t, (x & 0x7fff) > BFLOAT_INFINITY ? BFLOAT_NAN : x)
PTX_LANES_1(same_single, uint32_t, uint32_t, x)
PTX_LANES_1(same_double, uint64_t, uint64_t, x)
PTX_LANES_2(pack, uint32_t, uint16_t, uint16_t, (uint32_t)x << 16 | y)

/* ---- The table ------------------------------------------------------------------------- */

const struct ptx_float_conversions ptx_convert_floats = {
    .half_of = { half_of_u64, half_of_s64 },
    .bfloat_of = { bfloat_of_u64, bfloat_of_s64 },
    .single_of = { single_of_u64, single_of_s64 },
    .double_of = { double_of_u64, double_of_s64 },
    .half_to_single = half_to_single,
    .half_to_double = half_to_double,
    .bfloat_to_single = bfloat_to_single,
    .single_to_double = single_to_double,
    .single_to_half = single_to_half,
    .single_to_bfloat = single_to_bfloat,
    .double_to_single = double_to_single,
    .single_to_half_rounded = single_to_half_rounded,
    .single_to_bfloat_rounded = single_to_bfloat_rounded,
    .double_to_half_rounded = double_to_half_rounded,
    .double_to_bfloat_rounded = double_to_bfloat_rounded,
    .double_to_single_rounded = double_to_single_rounded,
    .whole_single = { nearest_f32, zero_f32, down_f32, up_f32 },
    .whole_double = { nearest_f64, zero_f64, down_f64, up_f64 },
    .flush_single = flush_single,
    .settle_single = settle_single,
    .clamp_half = clamp_half,
    .clamp_single = clamp_single,
    .clamp_double = clamp_double,
    .positive_16 = positive_16,
    .finite_half = finite_half,
    .finite_bfloat = finite_bfloat,
    .same_half = same_half,
    .same_bfloat = same_bfloat,
    .same_single = same_single,
    .same_double = same_double,
    .pack = pack,
};
