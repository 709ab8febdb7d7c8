/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that belong to an operand or a modifier, not to an instruction of their own.
 */
#ifndef PTX_STEP_OPERAND_H
#define PTX_STEP_OPERAND_H

#include "ptx/run/machine.h"

ptx_run ptx_not_step;           /* !p                                                      */
ptx_run ptx_widen_step;         /* an address of 32 bits in 64                             */
ptx_run ptx_low_half_step;      /* the low 16 bits of a special register                   */
ptx_run ptx_local_address_step; /* the address of a .local variable                        */

/* Returns the step that clamps d to 0 and 1, or NULL if `type` is not clamped. */
ptx_run *ptx_clamp_step(enum ptx_type type);

/* Returns the step that adds `immediate`, or NULL if `type` is no integer. */
ptx_run *ptx_plus_step(enum ptx_type type);

#endif
