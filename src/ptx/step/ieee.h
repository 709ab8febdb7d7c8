/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point numbers and their bits, for the loops of steps.
 *
 * How it is ensured that arithmetic is what it says:
 *
 * - All of it is done in the format that it names (FLT_EVAL_METHOD is 0, checked below),
 *   and products are never fused with sums (-ffp-contract=off) unless the code says so.
 * - A step that does not round to nearest runs while fesetround() has set the mode for the
 *   thread.  Steps are called through pointers, their operands come from memory and their
 *   results go there, so no compiler moves an operation out of the call.  Such a step is one
 *   operation of the processor for each lane, on operands that are unknown when it is
 *   compiled, so none is folded, nor replaced by another one that is the same only when
 *   rounded to nearest.  The tests ask every one of them in all four modes.
 *   -frounding-math would say so to GCC (and to Clang), but then neither makes vectors of
 *   roots and fused products.
 * - Functions that need the mode to be nearest inside (fused in software, approximations)
 *   belong to instructions that have no other mode, or ask the step.
 * - The exception flags are never read, and nothing traps: -fno-trapping-math and
 *   -fno-math-errno let loops become vectors.
 *
 * configure finds the flags (STEP_CFLAGS); local.mk has them for the files of steps only.
 */
#ifndef PTX_STEP_IEEE_H
#define PTX_STEP_IEEE_H

#include <float.h>
#include <string.h>

#include "ptx/step/form.h"

#ifdef __FAST_MATH__
#error "steps of PTX need IEEE arithmetic: compile without -ffast-math"
#endif
#if defined FLT_EVAL_METHOD && FLT_EVAL_METHOD != 0
#error "steps of PTX need float and double without excess precision (on x86: -msse2 -mfpmath=sse)"
#endif

#define SINGLE_SIGN UINT32_C(0x80000000)
#define SINGLE_INFINITY UINT32_C(0x7f800000)
#define SINGLE_NAN UINT32_C(0x7fffffff) /* that arithmetic gives */
#define DOUBLE_SIGN (UINT64_C(1) << 63)
#define DOUBLE_INFINITY UINT64_C(0x7ff0000000000000)

static inline uint32_t single_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float single_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Applies .ftz: a subnormal number becomes the zero of its sign. */
static inline float single_flushed(float x)
{
    const uint32_t bits = single_bits(x);
    return single_of(bits & SINGLE_INFINITY ? bits : bits & SINGLE_SIGN);
}

/* Returns a result of f32, which has only one NaN. */
static inline float single_result(float x)
{
    return single_of(x != x ? SINGLE_NAN : single_bits(x));
}

/* Results of f64: the first NaN among the sources is the result, made quiet. */
#define DOUBLE_QUIET (UINT64_C(1) << 51)
#define DOUBLE_NAN (DOUBLE_SIGN | DOUBLE_INFINITY | DOUBLE_QUIET)

static inline double double_result(double result, double x, double y, double z)
{
    const uint64_t of_z = z != z ? double_bits(z) | DOUBLE_QUIET : DOUBLE_NAN;
    const uint64_t of_y = y != y ? double_bits(y) | DOUBLE_QUIET : of_z;
    const uint64_t nan = x != x ? double_bits(x) | DOUBLE_QUIET : of_y;
    return double_of(result != result ? nan : double_bits(result));
}

/* Conversions between f32 and f64 keep a NaN's sign and what it carries, and make it quiet, as most
 * processors do.  RISC-V has a single NaN, so NaNs are converted by their bits there. */
#if defined __riscv
static inline double widened(float x)
{
    const uint64_t bits = single_bits(x), carried = (bits & ~SINGLE_INFINITY & ~SINGLE_SIGN) << 29;
    const uint64_t nan = bits >> 31 << 63 | DOUBLE_INFINITY | DOUBLE_QUIET | carried;
    return x != x ? double_of(nan) : x;
}

static inline float narrowed(double x)
{
    const uint64_t bits = double_bits(x) | DOUBLE_QUIET;
    const uint32_t carried = (uint32_t)(bits >> 29) & ~SINGLE_INFINITY & ~SINGLE_SIGN;
    const uint32_t nan = (uint32_t)(bits >> 63) << 31 | SINGLE_INFINITY | carried;
    return x != x ? single_of(nan) : (float)x;
}
#else
static inline double widened(float x)
{
    return x;
}

static inline float narrowed(double x)
{
    return (float)x;
}
#endif

/* Rounds to odd: from a sum that was rounded to nearest and its error to the number from
 * which any narrower format (by two bits) is rounded to as from the exact sum. */
static inline double double_odd(double sum, double rest)
{
    const double way = sum > 0 ? rest : -rest; /* > 0: away from zero */
    const uint64_t bits = double_bits(sum), even = (bits & 1) - 1;
    const uint64_t step = (way > 0 ? 1 : 0) - (way < 0 ? UINT64_C(1) : 0);
    return double_of(bits + (step & even));
}

/* Returns the error of x + y rounded to nearest; NaN if the sum is not finite. */
static inline double double_rest(double x, double y, double sum)
{
    const double part = sum - x;
    return (x - (sum - part)) + (y - part);
}

/* Rounds a double to odd in f32. */
static inline float single_odd(double x)
{
    const float near = (float)x;
    const double lack = __builtin_fabs(x) - __builtin_fabs((double)near);
    const uint32_t bits = single_bits(near), even = (bits & 1) - 1;
    const uint32_t step = (lack > 0 ? 1 : 0) - (lack < 0 ? UINT32_C(1) : 0);
    return single_of(bits + (step & even));
}

/* Returns x + y rounded to odd in f32. */
static inline float single_odd_sum(float x, float y)
{
    const float sum = x + y, part = sum - x;
    const float rest = (x - (sum - part)) + (y - part), way = sum > 0 ? rest : -rest;
    const uint32_t bits = single_bits(sum), even = (bits & 1) - 1;
    const uint32_t step = (way > 0 ? 1 : 0) - (way < 0 ? UINT32_C(1) : 0);
    return single_of(bits + (step & even));
}

/* Whether fma is an instruction. */
#if defined __FMA__ || defined __FP_FAST_FMA || defined __aarch64__
#define HAVE_FMA 1
#else
#define HAVE_FMA 0
#endif

/* Returns x * y + z.  The product is exact in double.  A sum rounded in the direction of the
 * step stays right when it is rounded in that direction once more; one that is rounded to
 * nearest has to be odd before. */
static inline float single_fma(float x, float y, float z, bool nearest)
{
    if (HAVE_FMA) return __builtin_fmaf(x, y, z);
    const double product = (double)x * y, sum = product + z;
    if (!nearest) return (float)sum;
    return (float)double_odd(sum, double_rest(product, z, sum));
}

/* libm's obeys the rounding mode. */
static inline double double_fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}

static inline bool rounds_to_nearest(const struct ptx_step *step)
{
    return !(step->flags & PTX_STEP_ROUNDED) || step->rounding == PTX_ROUND_NEAREST;
}

#endif
