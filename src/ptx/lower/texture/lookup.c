/* SPDX-License-Identifier: Apache-2.0
 *
 * tex and tld4.  Samplers are refused.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/lower/texture/place.h"

#define INVALID RILL_ERROR_INVALID_PTX

static uint32_t operands_of_lookup(const struct ptx_instruction *instruction)
{
    if (ptx_has(&instruction->modifiers, PTX_MOD_LEVEL)) return 3;
    return ptx_has(&instruction->modifiers, PTX_MOD_GRAD) ? 4 : 2;
}

static uint8_t gathered_channel(const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier words[] = { PTX_MOD_R, PTX_MOD_OF_G, PTX_MOD_OF_B,
                                               PTX_MOD_OF_A, PTX_MOD_NOTHING };
    uint32_t at = ptx_find_word(instruction, words);
    if (instruction->opcode != PTX_OP_TLD4 || words[at] == PTX_MOD_NOTHING) return 0;
    return (uint8_t)(at + 1);
}

static rill_status check_lookup(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction)
{
    if (instruction->opcode == PTX_OP_TLD4 && !gathered_channel(instruction))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "tld4 gathers one of .r, .g, .b and .a");
    if (instruction->operand_count < operands_of_lookup(instruction))
        return ptx_check_operand_count(lowering, instruction, operands_of_lookup(instruction));
    return RILL_SUCCESS;
}

/* Finds the columns of a shift, if there is one: three dimensions are filled up to four. */
static rill_status find_shift(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_geometry *geometry, uint32_t columns[3],
                              uint32_t *count)
{
    const uint32_t at = operands_of_lookup(instruction);
    const uint32_t dimensions = geometry->dimensions, wanted = dimensions == 3 ? 4 : dimensions;
    const struct ptx_operand *shift = &instruction->operands[at];
    rill_status status = RILL_SUCCESS;
    *count = 0;
    if (instruction->operand_count <= at || shift->kind != PTX_OPERAND_VECTOR) return status;
    if (geometry->cube || shift->list_count != wanted)
        return ptx_lower_fail(lowering, &shift->place, INVALID, "%u offsets belong here",
                              geometry->cube ? 0 : wanted);
    for (; *count < dimensions && !status; (*count)++)
        status = ptx_source(lowering, instruction, &shift->list[*count], PTX_S32, false,
                            &columns[*count]);
    return status;
}

/* Finds the columns of two gradients: those of three dimensions are filled up to four. */
static rill_status find_gradients(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_geometry *geometry, uint32_t columns[6])
{
    const uint32_t dimensions = geometry->dimensions, wanted = dimensions == 3 ? 4 : dimensions;
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 0; i < 2 && !status; i++) {
        const struct ptx_operand *gradient = &instruction->operands[2 + i];
        const bool vector = gradient->kind == PTX_OPERAND_VECTOR;
        if ((vector ? gradient->list_count : 1) != wanted)
            return ptx_lower_fail(lowering, &gradient->place, INVALID,
                                  "a gradient of %u numbers belongs here", wanted);
        const struct ptx_operand *list = vector ? gradient->list : gradient;
        for (uint32_t d = 0; d < dimensions && !status; d++)
            status = ptx_source(lowering, instruction, &list[d], PTX_F32, false,
                                &columns[i * dimensions + d]);
    }
    return status;
}

/* Checks what is left: a depth, and for a line another number.  An H100 looks at none of them:
 * textures of CUDA have no comparison. */
static rill_status check_depth(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_geometry *geometry, bool shifted)
{
    const uint32_t at = operands_of_lookup(instruction) + shifted;
    const uint32_t most = geometry->dimensions == 1 && !shifted ? 2 : 1;
    rill_status status = RILL_SUCCESS;
    uint32_t depth;
    if (instruction->operand_count > at + most)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there are more operands than belong here");
    for (uint32_t i = at; i < instruction->operand_count && !status; i++)
        status = ptx_source(lowering, instruction, &instruction->operands[i], PTX_B32, false,
                            &depth);
    return status;
}

/* Lowers the predicate of a lookup that says whether there was memory: there always is. */
static rill_status lower_residency(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_operand *operand)
{
    uint32_t d;
    struct ptx_step *step;
    rill_status status = ptx_destination(lowering, instruction, operand, PTX_PRED, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, ptx_texture_reside_step, &step);
    if (!status) step->d = d;
    return status;
}

static bool is_graded(const struct ptx_instruction *instruction)
{
    return ptx_has(&instruction->modifiers, PTX_MOD_GRAD);
}

static bool is_leveled(const struct ptx_instruction *instruction, const struct ptx_form *form)
{
    return ptx_has(&instruction->modifiers, PTX_MOD_LEVEL) && form->types[1] == PTX_F32;
}

/* Finds the columns that a lookup reads: its coordinates, then the level, the gradients and the
 * shifts, as far as it has them. */
static rill_status find_read_columns(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_form *form,
                                     const struct ptx_geometry *geometry, uint32_t *columns,
                                     uint32_t *count, uint32_t *shifts)
{
    const struct ptx_operand *operands = instruction->operands;
    rill_status status = ptx_find_coordinates(lowering, instruction, &operands[1], geometry,
                                              form->types[1], columns, count);
    if (!status && is_leveled(instruction, form))
        status = ptx_source(lowering, instruction, &operands[2], PTX_F32, false,
                            &columns[(*count)++]);
    if (!status && is_graded(instruction)) {
        status = find_gradients(lowering, instruction, geometry, columns + *count);
        *count += 2 * geometry->dimensions;
    }
    if (!status)
        status = find_shift(lowering, instruction, geometry, columns + *count, shifts);
    *count += *shifts;
    return status;
}

static rill_status lower_lookup(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form)
{
    const struct ptx_geometry *geometry = NULL;
    const struct ptx_operand *operands = instruction->operands, *elements;
    uint32_t handle = 0, columns[8 + 6 + 8], count = 0, shifts = 0, bytes;
    const uint32_t width = form->types[0] == PTX_F16X2 ? 2 : 4;
    rill_status status = check_lookup(lowering, instruction);
    if (status) return status;
    const bool tells = operands[0].kind == PTX_OPERAND_PAIR && operands[0].list_count == 2;
    const struct ptx_operand *texel = tells ? operands[0].list : operands;
    status = ptx_find_geometry(lowering, instruction, &geometry);
    if (!status) status = ptx_find_handle(lowering, instruction, &operands[1], &handle);
    if (!status)
        status = find_read_columns(lowering, instruction, form, geometry, columns, &count, &shifts);
    if (!status) status = check_depth(lowering, instruction, geometry, shifts > 0);
    if (!status && tells)
        status = lower_residency(lowering, instruction, &operands[0].list[1]);
    if (!status) status = ptx_elements(lowering, instruction, texel, width, &elements);
    if (!status)
        status = ptx_element_destinations(lowering, instruction, elements, width, form->types[0],
                                          columns + count, &bytes);
    if (status) return status;
    if (bytes != ptx_type_bytes(form->types[0]))
        return ptx_lower_fail(lowering, &texel->place, INVALID, "registers of %u bits belong here",
                              8 * ptx_type_bytes(form->types[0]));
    const struct ptx_texture_plan plan = {
        .dimensions = geometry->dimensions, .layered = geometry->layered,
        .sampled = geometry->sampled, .integers = form->types[1] == PTX_S32,
        .cube = geometry->cube,
        .leveled = is_leveled(instruction, form), .graded = is_graded(instruction),
        .shifted = shifts > 0, .halves = bytes == 2 || width == 2,
        .gathered = gathered_channel(instruction),
    };
    return ptx_emit_texture(lowering, instruction, ptx_texture_look_step, &plan, handle, columns,
                            count, width);
}

/* ---- The table ----------------------------------------------------------------------------- */

#define LOOKUP(to, from, width) \
    { .opcode = PTX_OP_TEX, .types = { PTX_##to, PTX_##from }, .needs = PTX_SET(width), \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, LAYERS_1D, LAYERS_2D, BASE, LEVEL, GRAD), \
      .lower = lower_lookup }
#define SAMPLE(to, width) \
    { .opcode = PTX_OP_TEX, .types = { PTX_##to, PTX_S32 }, .needs = PTX_SET(width), \
      .allows = PTX_SET(SAMPLES_2D, SAMPLED_LAYERS_2D, BASE), .lower = lower_lookup }
#define DIRECTION(to, width) \
    { .opcode = PTX_OP_TEX, .types = { PTX_##to, PTX_F32 }, .needs = PTX_SET(width), \
      .allows = PTX_SET(CUBE, LAYERS_CUBE, BASE, LEVEL, GRAD), .lower = lower_lookup }
#define GATHER(to, width) \
    { .opcode = PTX_OP_TLD4, .types = { PTX_##to, PTX_F32 }, .needs = PTX_SET(width), \
      .allows = PTX_SET(FLAT_2D, LAYERS_2D, CUBE, LAYERS_CUBE, R, OF_G, OF_B, OF_A), \
      .lower = lower_lookup }

static const struct ptx_form rows[] = {
    LOOKUP(F32, F32, V4), LOOKUP(F32, S32, V4), LOOKUP(U32, F32, V4), LOOKUP(U32, S32, V4),
    LOOKUP(S32, F32, V4), LOOKUP(S32, S32, V4), LOOKUP(F16X2, F32, V2), LOOKUP(F16X2, S32, V2),
    LOOKUP(F16, F32, V4), LOOKUP(F16, S32, V4), DIRECTION(F16, V4), DIRECTION(F16X2, V2),
    DIRECTION(F32, V4), DIRECTION(U32, V4), DIRECTION(S32, V4),
    SAMPLE(F16, V4), SAMPLE(F16X2, V2), SAMPLE(F32, V4), SAMPLE(U32, V4), SAMPLE(S32, V4),
    GATHER(F32, V4), GATHER(U32, V4), GATHER(S32, V4), GATHER(F16X2, V2),
};

const struct ptx_forms ptx_texture_forms = { rows, sizeof rows / sizeof *rows };
