/* SPDX-License-Identifier: Apache-2.0
 *
 * Every mov that is more than a copy: of several registers into one that has room for all of
 * them, and back; of a vector; and of a special register, whose step writes the destination
 * directly.
 */
#include "ptx/lower/state.h"

#include <string.h>

#include "ptx/lower/memory_operand.h"
#include "ptx/builtin/special.h"
#include "ptx/step/pack.h"
#include "ptx/text/special_registers.h"

/* ---- Several registers, and one for all of them ------------------------------------------- */

static rill_status lower_pack(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_packing *packing)
{
    uint32_t parts[4] = { PTX_NO_COLUMN, PTX_NO_COLUMN, PTX_NO_COLUMN, PTX_NO_COLUMN }, whole;
    const struct ptx_operand *source = &instruction->operands[1];
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < source->list_count && !status; i++)
        status = ptx_source(lowering, instruction, &source->list[i], packing->element, false,
                            &parts[i]);
    struct ptx_step *step;
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                 packing->whole, false, &whole);
    if (!status) status = ptx_emit(lowering, instruction, packing->pack, &step);
    if (status) return status;
    step->d = whole;
    step->a = parts[0];
    step->b = parts[1];
    step->c = parts[2];
    step->e = parts[3];
    ptx_follow(lowering, step, ptx_affine_lanewise_all);
    return RILL_SUCCESS;
}

static rill_status lower_unpack(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_packing *packing)
{
    uint32_t parts[4] = { PTX_NO_COLUMN, PTX_NO_COLUMN, PTX_NO_COLUMN, PTX_NO_COLUMN }, whole;
    const struct ptx_operand *target = &instruction->operands[0];
    rill_status status = ptx_source(lowering, instruction, &instruction->operands[1],
                                    packing->whole, false, &whole);
    for (uint32_t i = 0; i < target->list_count && !status; i++)
        status = ptx_destination(lowering, instruction, &target->list[i], packing->element,
                                 false, &parts[i]);
    struct ptx_step *step;
    if (!status) status = ptx_emit(lowering, instruction, packing->unpack, &step);
    if (status) return status;
    step->a = whole;
    step->d = parts[0];
    step->b = parts[1];
    step->c = parts[2];
    step->e = parts[3];
    ptx_follow(lowering, step, ptx_affine_unpacking);
    return RILL_SUCCESS;
}

static rill_status from_special(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction)
{
    const struct ptx_operand *source = &instruction->operands[1];
    uint32_t column;
    struct ptx_step *step;
    rill_status status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                         instruction->types[0], false, &column);
    if (!status)
        status = ptx_emit(lowering, instruction, ptx_special_step(source->special.id), &step);
    if (status) return status;
    step->d = column;
    step->kind = source->special.component;
    step->target = source->special.id;
    ptx_follow(lowering, step, ptx_affine_special_step(source->special.id));
    return RILL_SUCCESS;
}

/* Returns true for a special register that fits where it is moved to. */
static bool is_fitting_special(const struct ptx_instruction *instruction)
{
    const struct ptx_operand *source = &instruction->operands[1];
    if (source->kind != PTX_OPERAND_SPECIAL || source->negated) return false;
    if (instruction->operands[0].kind != PTX_OPERAND_REGISTER) return false;
    const struct ptx_special_row *row = ptx_special_row(source->special.id);
    return ptx_type_bytes(row->type) == ptx_type_bytes(instruction->types[0]);
}

/* ---- Of a vector -------------------------------------------------------------------------- */

/* Moves each element through a column of its own, since vectors may name the same registers
 * in another order. */
static rill_status move_elements(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_operand *to, const struct ptx_operand *from,
                                 uint32_t width, ptx_run *run)
{
    enum ptx_type type = instruction->types[0];
    uint32_t source, through[4], destination;
    struct ptx_step *step;
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < width && !status; i++) {
        status = ptx_source(lowering, instruction, &from[i], type, false, &source);
        if (!status) status = ptx_new_column(lowering, ptx_type_bytes(type), &through[i]);
        if (!status) status = ptx_emit(lowering, instruction, run, &step);
        if (status) break;
        step->d = through[i], step->a = source;
        ptx_follow(lowering, step, ptx_affine_lanewise_1);
    }
    for (uint32_t i = 0; i < width && !status; i++) {
        status = ptx_destination(lowering, instruction, &to[i], type, false, &destination);
        if (!status) status = ptx_emit(lowering, instruction, run, &step);
        if (status) break;
        step->d = destination, step->a = through[i];
        ptx_follow(lowering, step, ptx_affine_lanewise_1);
    }
    return status;
}

/* Returns the mov of one element, or NULL if there is none. */
static ptx_run *mov_of(enum ptx_type type)
{
    const struct ptx_instruction one = { .opcode = PTX_OP_MOV, .types = { type },
                                         .type_count = 1, .operand_count = 2 };
    char why[120];
    const struct ptx_form *form = ptx_find_form(&one, why);
    return form && type != PTX_PRED ? form->run : NULL;
}

/* Returns true if braces hold a single element, which then is what stands in them. */
static bool is_braced(const struct ptx_instruction *instruction)
{
    const struct ptx_operand *operands = instruction->operands;
    const bool braces = operands[0].kind == PTX_OPERAND_VECTOR;
    const struct ptx_operand *vector = &operands[!braces];
    return operands[braces].kind != PTX_OPERAND_VECTOR && ptx_without_braces(vector) != vector &&
           instruction->type_count == 1 && instruction->types[0] >= PTX_B16 &&
           instruction->types[0] <= PTX_B128;
}

static rill_status move_braced(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction)
{
    const struct ptx_operand *to = ptx_without_braces(&instruction->operands[0]);
    const struct ptx_operand *from = ptx_without_braces(&instruction->operands[1]);
    enum ptx_type type = instruction->types[0];
    uint32_t source, destination;
    struct ptx_step *step;
    rill_status status = ptx_source(lowering, instruction, from, type, false, &source);
    if (!status)
        status = ptx_destination(lowering, instruction, to, type, false, &destination);
    if (!status) status = ptx_emit(lowering, instruction, mov_of(type), &step);
    if (status) return status;
    step->d = destination, step->a = source;
    ptx_follow(lowering, step, ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

/* Returns the width of .v2 or .v4, or 0 for anything else. */
static uint32_t width_of(const struct ptx_instruction *instruction)
{
    static const uint8_t said[] = { PTX_MOD_V2, PTX_MOD_V4 };
    for (unsigned i = 0; i < sizeof said; i++) {
        struct ptx_modifiers only = { { 0 } };
        ptx_add(&only, (enum ptx_modifier)said[i]);
        if (!memcmp(&only, &instruction->modifiers, sizeof only)) return 2 * (i + 1);
    }
    return 0;
}

static rill_status move_vector(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, uint32_t width)
{
    const struct ptx_operand *to, *from;
    ptx_run *run = instruction->type_count == 1 ? mov_of(instruction->types[0]) : NULL;
    if (!run || width * ptx_type_bytes(instruction->types[0]) > 16)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "there are no such vectors");
    rill_status status = ptx_elements(lowering, instruction, &instruction->operands[0], width,
                                      &to);
    if (!status)
        status = ptx_elements(lowering, instruction, &instruction->operands[1], width, &from);
    return status ? status : move_elements(lowering, instruction, to, from, width, run);
}

/* ---- All of them -------------------------------------------------------------------------- */

/* Returns true without modifiers; the forms refuse a mov with any. */
static bool is_plain(const struct ptx_instruction *instruction)
{
    const struct ptx_modifiers *modifiers = &instruction->modifiers;
    return !(modifiers->bits[0] | modifiers->bits[1] | modifiers->bits[2] |
             modifiers->bits[3]);
}

bool ptx_lower_is_own_mov(const struct ptx_instruction *instruction)
{
    if (instruction->opcode != PTX_OP_MOV || instruction->operand_count != 2) return false;
    if (instruction->space_count) return false;
    if (width_of(instruction)) return true;
    if (!is_plain(instruction)) return false;
    return instruction->operands[0].kind == PTX_OPERAND_VECTOR ||
           instruction->operands[1].kind == PTX_OPERAND_VECTOR ||
           (instruction->type_count == 1 && is_fitting_special(instruction));
}

rill_status ptx_lower_own_mov(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction)
{
    const struct ptx_operand *target = &instruction->operands[0];
    const struct ptx_operand *source = &instruction->operands[1];
    bool packs = source->kind == PTX_OPERAND_VECTOR;
    bool unpacks = target->kind == PTX_OPERAND_VECTOR;
    uint32_t width = width_of(instruction);
    if (width) return move_vector(lowering, instruction, width);
    if (!packs && !unpacks) return from_special(lowering, instruction);
    if (is_braced(instruction)) return move_braced(lowering, instruction);
    const struct ptx_packing *packing =
        instruction->type_count == 1
            ? ptx_find_packing(instruction->types[0],
                               packs ? source->list_count : target->list_count)
            : NULL;
    if (!packing || packs == unpacks)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "between registers and one of .b16 to .b128 they must be two or "
                              "four, and fill it");
    return packs ? lower_pack(lowering, instruction, packing)
                 : lower_unpack(lowering, instruction, packing);
}
