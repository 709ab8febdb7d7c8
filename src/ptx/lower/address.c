/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses: of variables, and in brackets.
 */
#include "ptx/lower/state.h"

#include "ptx/step/operand.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* Adds to an offset, which wraps around as addresses do. */
static void move_address(struct ptx_address *address, uint64_t by)
{
    address->offset = (int64_t)((uint64_t)address->offset + by);
}

/* ---- Variables ------------------------------------------------------------------------------- */

/* Emits a step that finds an address at run time. */
static rill_status emit_address(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction, ptx_run *run,
                                int64_t offset, uint32_t *base)
{
    struct ptx_step *step;
    rill_status status = ptx_new_column(lowering, 8, base);
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = *base;
    step->immediate = offset;
    ptx_follow(lowering, step, run == ptx_widen_step ? ptx_affine_widen_u32
                                                     : ptx_affine_lanewise_0);
    return RILL_SUCCESS;
}

/* Returns true for .extern .shared: the memory that a launch adds. */
static bool is_dynamic(const struct ptx_variable *variable)
{
    return variable->external && variable->space == PTX_SHARED;
}

/* Returns true if a call writes the operand rather than reads it. */
static bool is_result(const struct ptx_instruction *instruction,
                      const struct ptx_operand *operand)
{
    if (instruction->opcode != PTX_OP_CALL || instruction->operand_count < 2) return false;
    const struct ptx_operand *first = &instruction->operands[0];
    if (first == operand) return true;
    return first->kind == PTX_OPERAND_LIST && operand >= first->list &&
           operand < first->list + first->list_count;
}

static rill_status lower_slot_operand(struct ptx_lowering *lowering,
                                      const struct ptx_instruction *instruction,
                                      const struct ptx_operand *operand,
                                      struct ptx_address *address)
{
    rill_status status = ptx_lower_slot(lowering, operand->index, &address->slot);
    if (status) return status;
    address->slot_bytes = ptx_lower_named(lowering, address->slot)->bytes;
    bool writes = instruction->opcode == PTX_OP_ST || is_result(instruction, operand);
    return ptx_lower_use(lowering, address->slot, writes, instruction->guard != PTX_NONE);
}

static rill_status own_variable(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_operand *operand, struct ptx_address *address)
{
    const struct ptx_function *function = lowering->function;
    uint32_t index = operand->index;
    if (address->space == PTX_SHARED) {
        move_address(address, lowering->layout->shared[lowering->index][index]);
        return RILL_SUCCESS;
    }
    if (address->space == PTX_LOCAL) {
        move_address(address, lowering->local_offsets[index]);
        if (lowering->kernel) return RILL_SUCCESS;
        return emit_address(lowering, instruction, ptx_local_address_step, 0, &address->base);
    }
    if (!lowering->kernel || index >= function->param_count)
        return lower_slot_operand(lowering, instruction, operand, address);
    move_address(address, lowering->kernel->param_offsets[index]);
    return RILL_SUCCESS;
}

rill_status ptx_lower_variable(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_operand *operand, struct ptx_address *address)
{
    const struct ptx_variable *variables = operand->local ? lowering->function->variables
                                                          : lowering->module->variables;
    const struct ptx_variable *variable = &variables[operand->index];
    *address = (struct ptx_address){
        .base = PTX_NO_COLUMN,
        .narrow = PTX_NO_COLUMN,
        .offset = operand->offset,
        .space = variable->space,
        .variable = variable,
        .slot = PTX_NO_COLUMN,
    };
    if (operand->local) return own_variable(lowering, instruction, operand, address);
    if (variable->external && variable->space != PTX_SHARED)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "%s is declared and nowhere defined", variable->name);
    move_address(address, is_dynamic(variable) ? lowering->layout->dynamic[lowering->index]
                                       : lowering->code->variables[operand->index]);
    return RILL_SUCCESS;
}

/* ---- In brackets --------------------------------------------------------------------------- */

/* Returns true for shared, local and parameter memory, which is small: addresses there may
 * have 32 bits. */
static bool takes_small(const struct ptx_instruction *instruction)
{
    if (instruction->space_count == 0) return false;
    enum ptx_space space = instruction->spaces[0];
    return space == PTX_SHARED || space == PTX_LOCAL || space == PTX_PARAM;
}

static rill_status register_base(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_operand *base, struct ptx_address *address)
{
    uint32_t bytes = ptx_operand_bytes(lowering, base);
    if (bytes != 4 || !takes_small(instruction))
        return ptx_source(lowering, instruction, base, PTX_U64, false, &address->base);
    uint32_t narrow;
    rill_status status = ptx_source(lowering, instruction, base, PTX_U32, false, &narrow);
    if (!status)
        status = emit_address(lowering, instruction, ptx_widen_step, 0, &address->base);
    if (status) return status;
    address->narrow = narrow;
    address->widened = lowering->step_count - 1;
    lowering->steps[address->widened].a = narrow;
    return RILL_SUCCESS;
}

void ptx_follow_address(struct ptx_lowering *lowering, const struct ptx_address *address,
                        struct ptx_step *step)
{
    if (address->narrow == PTX_NO_COLUMN || lowering->code->way == PTX_BY_LANES) return;
    step->c = address->narrow;
    if (lowering->code->way == PTX_BY_AFFINE)
        lowering->steps[address->widened].run = ptx_affine_widen_address;
}

rill_status ptx_address_of(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction,
                           const struct ptx_operand *operand, struct ptx_address *address)
{
    if (operand->kind == PTX_OPERAND_VARIABLE)
        return ptx_lower_variable(lowering, instruction, operand, address);
    *address = (struct ptx_address){
        .base = PTX_NO_COLUMN,
        .narrow = PTX_NO_COLUMN,
        .offset = operand->offset,
        .space = PTX_GENERIC,
        .slot = PTX_NO_COLUMN,
    };
    if (operand->kind != PTX_OPERAND_ADDRESS || operand->list_count != 1)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "this must be an address in brackets");
    const struct ptx_operand *base = operand->list;
    rill_status status;
    switch (base->kind) {
    case PTX_OPERAND_REGISTER: return register_base(lowering, instruction, base, address);
    case PTX_OPERAND_INTEGER:
        move_address(address, base->bits);
        return RILL_SUCCESS;
    case PTX_OPERAND_VARIABLE:
        status = ptx_lower_variable(lowering, instruction, base, address);
        move_address(address, (uint64_t)operand->offset);
        return status;
    default:
        return ptx_lower_fail(lowering, &base->place, INVALID,
                              "an address begins with a register, a variable or a number");
    }
}
