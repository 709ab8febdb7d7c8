/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/lower/fragment.h"

#include "ptx/lower/forms.h"

static rill_status find_registers(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                                  uint32_t count, const struct ptx_operand **registers)
{
    *registers = operand->kind == PTX_OPERAND_VECTOR ? operand->list : operand;
    if (operand->kind == PTX_OPERAND_VECTOR ? operand->list_count == count : count == 1)
        return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &operand->place, RILL_ERROR_INVALID_PTX,
                          "a vector of %u registers belongs here", count);
}

rill_status ptx_fragment_sources(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_operand *operand, enum ptx_type type,
                                 uint32_t count, uint32_t *columns)
{
    const struct ptx_operand *registers;
    rill_status status = find_registers(lowering, operand, count, &registers);
    for (uint32_t n = 0; n < count && !status; n++)
        status = ptx_source(lowering, instruction, &registers[n], type, false, &columns[n]);
    return status;
}

rill_status ptx_fragment_destinations(struct ptx_lowering *lowering,
                                      const struct ptx_instruction *instruction,
                                      const struct ptx_operand *operand, enum ptx_type type,
                                      uint32_t count, uint32_t *columns)
{
    const struct ptx_operand *registers;
    rill_status status = find_registers(lowering, operand, count, &registers);
    for (uint32_t n = 0; n < count && !status; n++)
        status = ptx_destination(lowering, instruction, &registers[n], type, false, &columns[n]);
    return status;
}

rill_status ptx_emit_whole_warp(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction, ptx_run *run,
                                struct ptx_step **step)
{
    rill_status status = ptx_emit(lowering, instruction, run, step);
    if (!status) (*step)->flags |= PTX_STEP_CONTROL;
    return status;
}

rill_status ptx_check_operand_count(struct ptx_lowering *lowering,
                                    const struct ptx_instruction *instruction, uint32_t count)
{
    if (instruction->operand_count == count) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                          "there are %u operands where %u belong", instruction->operand_count,
                          count);
}

rill_status ptx_lower_group_wait(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    bool counts = ptx_has(&form->needs, PTX_MOD_WAIT_GROUP);
    int64_t groups = 0;
    rill_status status = ptx_check_operand_count(lowering, instruction, counts);
    if (!status && counts) status = ptx_constant(lowering, &instruction->operands[0], &groups);
    if (!status && groups < 0)
        status = ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                                "there are not fewer than 0 groups");
    return status;
}
