/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of atom and red.
 *
 * They are laid out as those of ld and st (access.h), with the first source in b and the
 * second, of cas, in c.  A step without a destination is a red.
 *
 * Global memory is changed by the CPU's own atomic operations: blocks of the grid run at the
 * same time, and host threads read and write, too.  Shared memory is the block's, and one
 * thread runs the block.
 */
#ifndef PTX_STEP_ATOMIC_H
#define PTX_STEP_ATOMIC_H

#include "ptx/step/access.h"

/* On integers. */
ptx_run ptx_atomic_and_b32, ptx_atomic_or_b32, ptx_atomic_xor_b32, ptx_atomic_and_b64,
    ptx_atomic_or_b64, ptx_atomic_xor_b64, ptx_atomic_add_u32, ptx_atomic_add_u64,
    ptx_atomic_inc_u32, ptx_atomic_dec_u32, ptx_atomic_min_u32, ptx_atomic_max_u32,
    ptx_atomic_min_s32, ptx_atomic_max_s32, ptx_atomic_min_u64, ptx_atomic_max_u64,
    ptx_atomic_min_s64, ptx_atomic_max_s64, ptx_atomic_exch_b32, ptx_atomic_exch_b64,
    ptx_atomic_exch_b128, ptx_atomic_cas_b16, ptx_atomic_cas_b32, ptx_atomic_cas_b64,
    ptx_atomic_cas_b128;

/* On floats. */
ptx_run ptx_atomic_add_f32, ptx_atomic_add_f64, ptx_atomic_add_f16, ptx_atomic_add_bf16,
    ptx_atomic_add_f16x2, ptx_atomic_add_bf16x2, ptx_atomic_min_f16, ptx_atomic_max_f16,
    ptx_atomic_min_bf16, ptx_atomic_max_bf16, ptx_atomic_min_f16x2, ptx_atomic_max_f16x2,
    ptx_atomic_min_bf16x2, ptx_atomic_max_bf16x2;

/* fence and membar. */
ptx_run ptx_fence_step;

/* Opens the access of such a step. */
void ptx_atomic_open(struct ptx_access *access, struct ptx_group *group,
                     const struct ptx_step *step, uint32_t bytes);

/* Returns true if only this thread can reach the place that was asked for last. */
static inline bool ptx_atomic_alone(const struct ptx_access *access)
{
    return access->window.where == PTX_TO_SHARED;
}

#endif
