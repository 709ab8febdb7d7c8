/* SPDX-License-Identifier: Apache-2.0
 *
 * suld, sust and sured.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/lower/texture/place.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* ---- suld, sust ---------------------------------------------------------------------------- */

static rill_status find_edge(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             struct ptx_texture_plan *plan)
{
    static const enum ptx_modifier words[] = { PTX_MOD_TRAP_, PTX_MOD_CLAMP, PTX_MOD_ZERO,
                                               PTX_MOD_NOTHING };
    uint32_t at = ptx_find_word(instruction, words);
    if (words[at] == PTX_MOD_NOTHING)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "one of .trap, .clamp and .zero belongs here");
    plan->edge = (uint8_t)(at == 0 ? PTX_EDGE_TRAPS : at == 1 ? PTX_EDGE_CLAMPS : PTX_EDGE_IS_ZERO);
    return RILL_SUCCESS;
}

static rill_status lower_surface(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    const bool loads = instruction->opcode == PTX_OP_SULD;
    const bool formatted = ptx_has(&instruction->modifiers, PTX_MOD_OF_P);
    const struct ptx_geometry *geometry = NULL;
    const struct ptx_operand *elements, *place = &instruction->operands[loads],
                             *values = &instruction->operands[!loads];
    struct ptx_texture_plan plan = { .bytes = (uint8_t)ptx_type_bytes(form->types[0]) };
    uint32_t handle = 0, columns[3 + 8], count = 0, bytes;
    uint32_t width = ptx_has(&instruction->modifiers, PTX_MOD_V4)   ? 4
                     : ptx_has(&instruction->modifiers, PTX_MOD_V2) ? 2 : 1;
    rill_status status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status) status = find_edge(lowering, instruction, &plan);
    if (!status) status = ptx_find_geometry(lowering, instruction, &geometry);
    if (!status) status = ptx_find_handle(lowering, instruction, place, &handle);
    if (!status)
        status = ptx_find_coordinates(lowering, instruction, place, geometry, PTX_S32, columns,
                                      &count);
    if (!status)
        status = ptx_elements(lowering, instruction, ptx_without_braces(values), width, &elements);
    if (!status)
        status = (loads ? ptx_element_destinations : ptx_element_sources)(
            lowering, instruction, elements, width, form->types[0], columns + count, &bytes);
    if (status) return status;
    plan.dimensions = geometry->dimensions;
    plan.layered = geometry->layered;
    plan.reg = (uint8_t)bytes;
    plan.unit = formatted ? PTX_UNIT_ELEMENT : PTX_UNIT_BYTE;
    return ptx_emit_texture(lowering, instruction,
                            loads ? ptx_surface_load_step
                            : formatted ? ptx_surface_format_step : ptx_surface_store_step,
                            &plan, handle, columns, count, width);
}

/* ---- sured --------------------------------------------------------------------------------- */

static rill_status lower_reduction(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    const struct ptx_geometry *geometry = NULL;
    struct ptx_texture_plan plan = { .bytes = (uint8_t)ptx_type_bytes(form->types[0]),
                                     .asked = form->kind };
    uint32_t handle = 0, columns[3 + 1], count = 0;
    rill_status status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status) status = find_edge(lowering, instruction, &plan);
    if (!status) status = ptx_find_geometry(lowering, instruction, &geometry);
    if (!status) status = ptx_find_handle(lowering, instruction, &operands[0], &handle);
    if (!status)
        status = ptx_find_coordinates(lowering, instruction, &operands[0], geometry, PTX_S32,
                                      columns, &count);
    if (!status)
        status = ptx_source(lowering, instruction, &operands[1], form->types[0], false,
                            &columns[count]);
    if (status) return status;
    plan.dimensions = geometry->dimensions;
    plan.reg = plan.bytes;
    plan.unit = ptx_has(&instruction->modifiers, PTX_MOD_OF_P) ? PTX_UNIT_NUMBER : PTX_UNIT_BYTE;
    return ptx_emit_texture(lowering, instruction, ptx_surface_reduce_step, &plan, handle,
                            columns, count, 1);
}

/* ---- The table ----------------------------------------------------------------------------- */

#define SURFACE(code, type) \
    { .opcode = PTX_OP_##code, .types = { PTX_##type }, .needs = PTX_SET(OF_B), \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, LAYERS_1D, LAYERS_2D, TRAP_, CLAMP, ZERO, V2, \
                        V4, CA, CG, CS, CV, WB, WT), \
      .lower = lower_surface }
#define FORMATTED(width) \
    { .opcode = PTX_OP_SUST, .types = { PTX_B32 }, .needs = PTX_SET(OF_P, width), \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, LAYERS_1D, LAYERS_2D, TRAP_, CLAMP, ZERO, \
                        CA, CG, CS, CV, WB, WT), \
      .lower = lower_surface }
#define REDUCE_OF(of, how, type, does) \
    { .opcode = PTX_OP_SURED, .types = { PTX_##type }, .needs = PTX_SET(of, how), \
      .kind = PTX_SURFACE_##does, \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, TRAP_, CLAMP, ZERO), \
      .lower = lower_reduction }
#define REDUCE(how, type, does) REDUCE_OF(OF_B, how, type, does)
#define REDUCE_FORMATTED(how, type) REDUCE_OF(OF_P, how, type, how)

static const struct ptx_form rows[] = {
    REDUCE(ADD, U32, ADD), REDUCE(ADD, S32, ADD), REDUCE(ADD, U64, ADD), REDUCE(AND, B32, AND),
    REDUCE(MIN, U32, MIN), REDUCE(MIN, S32, SIGNED_MIN), REDUCE(MIN, U64, MIN),
    REDUCE(MIN, S64, SIGNED_MIN), REDUCE(MAX, U32, MAX), REDUCE(MAX, S32, SIGNED_MAX),
    REDUCE(MAX, U64, MAX), REDUCE(MAX, S64, SIGNED_MAX), REDUCE(OR, B32, OR),
    REDUCE_FORMATTED(ADD, B32), REDUCE_FORMATTED(MIN, B32), REDUCE_FORMATTED(MAX, B32),
    REDUCE_FORMATTED(AND, B32), REDUCE_FORMATTED(OR, B32), REDUCE_FORMATTED(MIN, B64),
    REDUCE_FORMATTED(MAX, B64),
    SURFACE(SULD, B8), SURFACE(SULD, B16), SURFACE(SULD, B32), SURFACE(SULD, B64),
    SURFACE(SUST, B8), SURFACE(SUST, B16), SURFACE(SUST, B32), SURFACE(SUST, B64),
    FORMATTED(NOTHING), FORMATTED(V2), FORMATTED(V4),
};

const struct ptx_forms ptx_surface_forms = { rows, sizeof rows / sizeof *rows };
