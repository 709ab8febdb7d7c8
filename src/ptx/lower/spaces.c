/* SPDX-License-Identifier: Apache-2.0
 *
 * cvta and isspacep: addresses of a space and generic ones; and what only caches would notice.
 */
#include "ptx/lower/spaces.h"
#include "ptx/step/spaces.h"

static uint64_t window_of_space(enum ptx_space space)
{
    switch (space) {
    case PTX_SHARED: return PTX_SHARED_WINDOW;
    case PTX_LOCAL: return PTX_LOCAL_WINDOW;
    case PTX_PARAM: return PTX_PARAM_WINDOW;
    default: return 0;
    }
}

static rill_status check_space(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, uint32_t operands)
{
    if (instruction->operand_count != operands)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "%u operands belong here, not %u", operands,
                              instruction->operand_count);
    switch (ptx_said_space(instruction)) {
    case PTX_GLOBAL: case PTX_CONST: case PTX_SHARED: case PTX_LOCAL: return RILL_SUCCESS;
    case PTX_PARAM:
        if (ptx_lowered_function(lowering)->entry) return RILL_SUCCESS;
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_NOT_SUPPORTED,
                              "parameters of a function have no generic address");
    default:
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "a state space belongs here");
    }
}

/* ---- cvta --------------------------------------------------------------------------------- */

/* Lowers cvta.  A generic null is no address of a space, and the other way round; neither is
 * preserved. */
rill_status ptx_lower_cvta(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    struct ptx_step *step;
    uint32_t d, a;
    (void)form;
    rill_status status = check_space(lowering, instruction, 2);
    if (!status) status = ptx_source(lowering, instruction, &operands[1], PTX_U64, false, &a);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0], PTX_U64, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, ptx_cvta_step, &step);
    if (status) return status;
    uint64_t window = window_of_space(ptx_said_space(instruction));
    step->d = d;
    step->a = a;
    step->immediate = (int64_t)(ptx_has(&instruction->modifiers, PTX_MOD_TO) ? 0 - window
                                                                             : window);
    ptx_follow(lowering, step, ptx_affine_plus_64);
    return RILL_SUCCESS;
}

/* ---- isspacep ----------------------------------------------------------------------------- */

rill_status ptx_lower_isspacep(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    enum ptx_space space = ptx_said_space(instruction);
    ptx_run *run = space == PTX_GLOBAL  ? ptx_is_global_step
                   : space == PTX_CONST ? ptx_is_constant_step : ptx_is_space_step;
    struct ptx_step *step;
    uint32_t d, a;
    (void)form;
    rill_status status = check_space(lowering, instruction, 2);
    if (!status) status = ptx_source(lowering, instruction, &operands[1], PTX_U64, false, &a);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0], PTX_PRED, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = d;
    step->a = a;
    step->immediate = (int64_t)window_of_space(space);
    ptx_follow(lowering, step, ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

/* ---- What only caches would notice -------------------------------------------------------- */

/* Lowers prefetch, prefetchu, discard and applypriority: an address, sometimes a size. */
rill_status ptx_lower_hint(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, const struct ptx_form *form)
{
    struct ptx_memory_operand memory;
    uint32_t operands = form->kind;
    int64_t bytes;
    if (instruction->operand_count != operands)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "%u operands belong here, not %u", operands,
                              instruction->operand_count);
    rill_status status = ptx_lower_memory_operand(lowering, instruction, &instruction->operands[0],
                                                  PTX_B8, &memory);
    if (!status && operands > 1)
        status = ptx_constant(lowering, &instruction->operands[1], &bytes);
    return status;
}

/* Lowers createpolicy, whose result is never looked at. */
rill_status ptx_lower_policy(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_form *form)
{
    struct ptx_step *step;
    uint32_t d;
    (void)form;
    if (instruction->operand_count < 1 || instruction->operand_count > 4)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "one to four operands belong here");
    rill_status status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                         PTX_B64, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, ptx_no_policy_step, &step);
    if (!status) step->d = d;
    return status;
}
