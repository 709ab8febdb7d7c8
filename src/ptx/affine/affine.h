/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that make use of what is known of columns (known.h).
 *
 * Such a step is another way to take a step of the rooms below: with known operands it computes
 * one value instead of one for each lane, or checks an access at its ends and copies rows.  If
 * too little is known it readies the columns and calls `lanes` of the step, which stays the
 * reference: RILL_PTX_CODE=lanes runs nothing else.
 */
#ifndef PTX_AFFINE_AFFINE_H
#define PTX_AFFINE_AFFINE_H

#include "ptx/affine/known.h"
#include "ptx/step/form.h"

/* For steps of which nothing is said: all columns are spread, and nothing is known any more. */
ptx_run ptx_affine_unknown;

/* For steps that read a, b and c, and write d; that read a, and write d, b, c and e; that write
 * d for each lane without reading anything.  They are always taken lane by lane. */
ptx_run ptx_affine_reading, ptx_affine_unpacking, ptx_affine_writing;

/* For steps whose lanes have no part in each other: d is a function of so many of a, b and c;
 * or of what is in d; or d and e are one of a, b, c and e. */
ptx_run ptx_affine_lanewise_0, ptx_affine_lanewise_1, ptx_affine_lanewise_2, ptx_affine_lanewise_3,
    ptx_affine_in_place, ptx_affine_lanewise_all;

/* The same for forms that have `strips`, which are in `immediate`: sources that are the same for
 * all lanes are not spread, and the step may be put off (chain.h). */
ptx_run ptx_affine_mixed_2, ptx_affine_mixed_3;

/* Integers of 32 and 64 bits; `plus` adds `immediate`, `shift` shifts left by it. */
ptx_run ptx_affine_add_32, ptx_affine_sub_32, ptx_affine_mul_32, ptx_affine_mad_32,
    ptx_affine_mov_32, ptx_affine_plus_32, ptx_affine_shift_32;
ptx_run ptx_affine_add_64, ptx_affine_sub_64, ptx_affine_mul_64, ptx_affine_mad_64,
    ptx_affine_mov_64, ptx_affine_plus_64, ptx_affine_shift_64;

/* From 32 to 64 bits, and back: the number, a product, a product and a sum. */
ptx_run ptx_affine_widen_s32, ptx_affine_widen_u32, ptx_affine_narrow;
ptx_run ptx_affine_mul_wide_s32, ptx_affine_mul_wide_u32, ptx_affine_mad_wide_s32,
    ptx_affine_mad_wide_u32;

/* ptx_affine_widen_u32 of an address that accesses read from before it was widened (their c) if it
 * is known there: nothing is written then. */
ptx_run ptx_affine_widen_address;

/* The thread's place in the block, its size, its place in the grid, the grid's size; `kind` is the
 * axis. */
ptx_run ptx_affine_thread_place, ptx_affine_block_size, ptx_affine_block_place,
    ptx_affine_grid_size;

/* Comparisons of integers: `target` is PTX_ASKED(type, question). */
ptx_run ptx_affine_compare;
#define PTX_ASKED(type, question) ((uint32_t)(type) << 8 | (uint32_t)(question))

/* or, and, not of predicates (box.h). */
ptx_run ptx_affine_or_pred, ptx_affine_and_pred, ptx_affine_not_pred;

/* shfl, vote, match, redux, elect and bar.warp with .sync. */
ptx_run ptx_affine_warp;

/* Returns true if such a step is taken by all lanes of the bundle at once: it does nothing else
 * then than write its results. */
bool ptx_affine_is_at_once(const struct ptx_group *group, const struct ptx_step *step);

/* Return the step for a row of step/form.h that has so many sources and none in e, and for reading
 * a special register. */
ptx_run *ptx_affine_step_of(const struct ptx_form *form, uint32_t sources);
ptx_run *ptx_affine_special_step(uint8_t id);

/* ld, also of a parameter by its name, and st; NULL where ptx_load_step() and ptx_store_step() have
 * none. */
ptx_run *ptx_affine_load_step(uint32_t memory, uint32_t register_bytes, bool is_signed,
                              bool is_param);
ptx_run *ptx_affine_store_step(uint32_t memory, uint32_t register_bytes);

/* Returns the bytes of an element that a step of ptx_affine_store_step() stores, or 0. */
uint32_t ptx_affine_stored(ptx_run *run);

/* The scratch memory that comparing needs: where the lanes of a bundle have stored something. */
#define PTX_COMPARED_BYTES (PTX_WIDEST * sizeof(unsigned char *))

/* Takes a step both ways, with program->compared and with `lanes`, and fails the launch if they
 * differ. */
ptx_run ptx_affine_both;

/* Returns true if a step is taken in another way than lane by lane. */
bool ptx_affine_is_compared(const struct ptx_step *step);

#endif
