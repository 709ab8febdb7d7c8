/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that compare, which the lowering makes setp and set of.
 *
 * All of it is compiled twice (form.h), so this table exists twice.
 */
#ifndef PTX_STEP_COMPARE_H
#define PTX_STEP_COMPARE_H

#include "ptx/step/form.h"

/* The questions for which there are steps; `kind` of the step negates the answer. */
enum ptx_question {
    PTX_EQUAL, PTX_LESS, PTX_LEAST,
    PTX_APART,   /* less or greater               */
    PTX_NUMBERS, /* neither of the two is NaN     */
    PTX_QUESTIONS
};

struct ptx_compare_steps {
    /* By type; of pairs: the answer for the low half into d, for the high one into e. */
    ptx_run *compared[PTX_F64 + 1][PTX_QUESTIONS];
    ptx_run *flushed[PTX_F64 + 1][PTX_QUESTIONS]; /* .ftz                                  */
    /* .and, .or, .xor: an answer a with predicate b into d; two answers, a and b, with c
     * into d and e. */
    struct {
        ptx_run *one, *both;
    } combined[3];
    ptx_run *negated;      /* d = !a                                                       */
    ptx_run *both_answers; /* d = a, e = !a                                                */
    ptx_run *number_16, *number_32, *number_pair; /* `immediate` for yes, 0 for no         */
};

extern const struct ptx_compare_steps ptx_compare, ptx_compare_avx2;

#ifdef PTX_AVX2
#define ptx_compare ptx_compare_avx2
#endif

#endif
