/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the form of an instruction among the tables: those of the steps (step/form.h), and
 * those here, of instructions that are lowered by functions of their own.
 */
#ifndef PTX_LOWER_FORMS_H
#define PTX_LOWER_FORMS_H

#include "ptx/step/form.h"

extern const struct ptx_forms ptx_shift_forms;    /* shl, shr, lop3.or, lop3.and            */
extern const struct ptx_forms ptx_compare_forms;  /* setp, set                              */
extern const struct ptx_forms ptx_convert_forms;  /* cvt                                    */
extern const struct ptx_forms ptx_convert_byte_forms; /* cvt of e4m3, e5m2, tf32           */
extern const struct ptx_forms ptx_memory_forms;   /* ld, st, cvta, isspacep, hints          */
extern const struct ptx_forms ptx_atomic_forms;   /* atom, red, fences                      */
extern const struct ptx_forms ptx_warp_forms;     /* shfl, vote, match, redux, activemask   */
extern const struct ptx_forms ptx_video_forms;    /* vadd, vmin, ... of scalars             */
extern const struct ptx_forms ptx_space_forms;    /* cvta, isspacep, mapa, prefetch, ... */
extern const struct ptx_forms ptx_matrix_forms;   /* mma, ldmatrix, stmatrix, movmatrix     */
extern const struct ptx_forms ptx_wmma_forms;     /* wmma                                   */
extern const struct ptx_forms ptx_wgmma_forms;    /* wgmma                                  */
extern const struct ptx_forms ptx_async_forms;    /* cp.async, mbarrier                     */
extern const struct ptx_forms ptx_bulk_forms;     /* cp.async.bulk, cp.reduce..., tensormap  */
extern const struct ptx_forms ptx_texture_forms;  /* tex, tld4                              */
extern const struct ptx_forms ptx_surface_forms;  /* suld, sust, sured                      */
extern const struct ptx_forms ptx_texture_question_forms; /* txq, suq                       */
extern const struct ptx_forms ptx_control_forms;  /* bra, call, ret, exit, bar              */

/* Returns NULL if there is no form; `why` then says what is wrong with the nearest one. */
const struct ptx_form *ptx_find_form(const struct ptx_instruction *instruction,
                                     char why[120]);

/* Returns how many operands a signature wants. */
uint32_t ptx_signature_operands(const char *signature);

/* Steps that the lowering chooses itself, as this processor has them. */
struct ptx_lane_steps {
    const struct ptx_bits_steps *bits;
    const struct ptx_compare_steps *compare;
    const struct ptx_integer_conversions *integers;
    const struct ptx_float_conversions *floats;
};

const struct ptx_lane_steps *ptx_lane_steps(void);

#endif
