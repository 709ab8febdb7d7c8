/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of matrix instructions: vectors of registers, also of a single one.
 */
#ifndef PTX_LOWER_FRAGMENT_H
#define PTX_LOWER_FRAGMENT_H

#include "ptx/lower/lowering.h"

struct ptx_form;

/* Find the columns of `count` registers of a type. */
rill_status ptx_fragment_sources(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_operand *operand, enum ptx_type type,
                                 uint32_t count, uint32_t *columns);
rill_status ptx_fragment_destinations(struct ptx_lowering *lowering,
                                      const struct ptx_instruction *instruction,
                                      const struct ptx_operand *operand, enum ptx_type type,
                                      uint32_t count, uint32_t *columns);

/* Emits a step that whole warps take. */
rill_status ptx_emit_whole_warp(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction, ptx_run *run,
                                struct ptx_step **step);

/* Checks how many operands there are. */
rill_status ptx_check_operand_count(struct ptx_lowering *lowering,
                                    const struct ptx_instruction *instruction, uint32_t count);

/* Lowers what ends a group of asynchronous copies or products, or waits for groups, to no step:
 * they are done at once.  Checks how many groups may be left. */
rill_status ptx_lower_group_wait(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form);

#endif
