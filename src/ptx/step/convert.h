/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of conversions; the lowering makes a chain of them for each cvt.
 *
 * All of it is compiled twice (form.h), so these tables exist twice.
 */
#ifndef PTX_STEP_CONVERT_H
#define PTX_STEP_CONVERT_H

#include "ptx/step/form.h"

/* Integers in the order of enum ptx_type: u8, u16, u32, u64, s8, s16, s32, s64. */
#define CONVERT_INTEGERS 8

struct ptx_integer_conversions {
    ptx_run *kept[CONVERT_INTEGERS][CONVERT_INTEGERS];    /* [to][from]: the low bits      */
    ptx_run *clamped[CONVERT_INTEGERS][CONVERT_INTEGERS]; /* .sat                          */
    ptx_run *to_single[CONVERT_INTEGERS];                 /* to nearest                    */
    ptx_run *to_double[CONVERT_INTEGERS];
    ptx_run *of_single[CONVERT_INTEGERS];                 /* towards zero, clamped         */
    ptx_run *of_double[CONVERT_INTEGERS];
};

/* Steps that round take the rounding in their `kind`. */
struct ptx_float_conversions {
    /* From u64 and from s64, in any direction. */
    ptx_run *half_of[2], *bfloat_of[2], *single_of[2], *double_of[2];
    /* Exact. */
    ptx_run *half_to_single, *half_to_double, *bfloat_to_single, *single_to_double;
    /* To nearest. */
    ptx_run *single_to_half, *single_to_bfloat, *double_to_single;
    /* In any direction. */
    ptx_run *single_to_half_rounded, *single_to_bfloat_rounded, *double_to_half_rounded,
        *double_to_bfloat_rounded, *double_to_single_rounded;
    /* To whole numbers, by enum ptx_rounding. */
    ptx_run *whole_single[4], *whole_double[4];
    /* In place: .ftz (settle: with one NaN), .sat, .relu, .satfinite. */
    ptx_run *flush_single, *settle_single, *clamp_half, *clamp_single, *clamp_double,
        *positive_16, *finite_half, *finite_bfloat;
    /* The same number.  As measured, only those of 16 bits are changed, to the one NaN. */
    ptx_run *same_half, *same_bfloat, *same_single, *same_double;
    ptx_run *pack; /* d = a's 16 bits above b's                                             */
};

extern const struct ptx_integer_conversions ptx_convert_integers, ptx_convert_integers_avx2;
extern const struct ptx_float_conversions ptx_convert_floats, ptx_convert_floats_avx2;

#ifdef PTX_AVX2
#define ptx_convert_integers ptx_convert_integers_avx2
#define ptx_convert_floats ptx_convert_floats_avx2
#endif

/* Conversions of two numbers at once, without and with .relu; of e4m3, and of e5m2. */
struct ptx_byte_conversions {
    ptx_run *of_singles[2], *of_halves[2], *to_halves[2];
};
extern const struct ptx_byte_conversions ptx_convert_bytes[2];

/* To tf32; the step's `kind`. */
enum ptx_tf32_kind {
    PTX_TF32_AWAY, PTX_TF32_EVEN, PTX_TF32_CUT, PTX_TF32_WAY = 3,
    PTX_TF32_RELU = 4, PTX_TF32_FINITE = 8
};
ptx_run ptx_tf32_step;

#endif
