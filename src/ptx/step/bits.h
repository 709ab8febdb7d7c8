/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps on bits that the lowering chooses itself: shifts by a column or by a constant,
 * and lop3 with a predicate.
 *
 * All of it is compiled twice (form.h), so this table exists twice.
 */
#ifndef PTX_STEP_BITS_H
#define PTX_STEP_BITS_H

#include "ptx/step/form.h"

enum ptx_shift {
    PTX_SHL_16, PTX_SHL_32, PTX_SHL_64,
    PTX_SHR_U16, PTX_SHR_U32, PTX_SHR_U64,
    PTX_SHR_S16, PTX_SHR_S32, PTX_SHR_S64,
    PTX_SHIFTS
};

struct ptx_bits_steps {
    struct {
        ptx_run *any; /* by column b      */
        ptx_run *by;  /* by `immediate`   */
    } shifts[PTX_SHIFTS];
    ptx_run *lop3;                     /* `immediate` is the table                         */
    ptx_run *nonzero_or, *nonzero_and; /* d = (a != 0) with the predicate b                */
};

extern const struct ptx_bits_steps ptx_bits, ptx_bits_avx2;

#ifdef PTX_AVX2
#define ptx_bits ptx_bits_avx2
#endif

#endif
