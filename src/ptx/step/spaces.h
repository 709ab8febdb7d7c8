/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of cvta, isspacep, mapa, getctarank, alloca and createpolicy.
 */
#ifndef PTX_STEP_SPACES_H
#define PTX_STEP_SPACES_H

#include "ptx/run/machine.h"

ptx_run ptx_cvta_step;     /* d = a + `immediate`                                          */
ptx_run ptx_is_space_step; /* d: whether address a is in the window `immediate`            */
ptx_run ptx_is_global_step, ptx_is_constant_step;
ptx_run ptx_is_own_shared_step; /* d: whether it is in shared memory of its own block          */

/* Of addresses of `width` bytes, generic ones if `immediate` is the window: d = address a in the
 * block of rank b; d = the rank of the block that address a is in. */
ptx_run ptx_map_shared_step, ptx_rank_step;

/* Of the stack, of which an activation has taken e bytes behind its variables: d = the address of
 * a more, on a boundary of `immediate`; d = where it ends; it ends at a again.  Addresses are those
 * of .local. */
ptx_run ptx_take_stack_step, ptx_save_stack_step, ptx_restore_stack_step;
ptx_run ptx_no_multicast_step; /* fails: nothing that multimem reaches is at a + `immediate` */
ptx_run ptx_no_policy_step; /* d = 0                                                       */

#endif
