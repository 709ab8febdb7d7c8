/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/lower/matrix/product.h"

#include "ptx/lower/fragment.h"

#include <string.h>

enum ptx_type ptx_matrix_register_type(enum ptx_type element)
{
    return element == PTX_F32 || element == PTX_F64 || element == PTX_S32 ? element : PTX_B32;
}

static uint8_t rounding_of(const struct ptx_modifiers *said)
{
    return ptx_has(said, PTX_MOD_RZ)   ? PTX_ROUND_ZERO
           : ptx_has(said, PTX_MOD_RM) ? PTX_ROUND_DOWN
           : ptx_has(said, PTX_MOD_RP) ? PTX_ROUND_UP : PTX_ROUND_NEAREST;
}

rill_status ptx_emit_product(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct matrix_plan *plan, uint32_t *columns, uint32_t count)
{
    const uint32_t registers = ptx_matrix_fragments_of(plan).d.registers;
    struct ptx_step *step;
    uint32_t more;
    rill_status status = ptx_fragment_destinations(
        lowering, instruction, &instruction->operands[0],
        ptx_matrix_register_type((enum ptx_type)plan->d), registers, columns);
    if (!status) status = ptx_remember(lowering, columns, count, &more);
    if (!status)
        status = ptx_emit_whole_warp(lowering, instruction, ptx_matrix_product_step(plan), &step);
    if (status) return status;
    ptx_lower_scratch(lowering, ptx_matrix_product_bytes(plan));
    step->more = more;
    step->rounding = rounding_of(&instruction->modifiers);
    memcpy(&step->immediate, plan, sizeof *plan);
    return RILL_SUCCESS;
}
