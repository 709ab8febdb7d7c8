/* SPDX-License-Identifier: Apache-2.0
 *
 * tex, tld4, suld, sust, sured, txq and suq.  Textures and surfaces are named by handles in
 * registers, or are references; samplers and comparisons of depths are refused.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/texture/steps.h"

#include <string.h>

#define INVALID RILL_ERROR_INVALID_PTX
#define LACKING RILL_ERROR_NOT_SUPPORTED

/* ---- Where is looked ----------------------------------------------------------------------- */

/* The first of some words that an instruction has; the table ends with PTX_MOD_NOTHING. */
static uint32_t find_word(const struct ptx_instruction *instruction,
                          const enum ptx_modifier *words)
{
    uint32_t at = 0;
    while (words[at] != PTX_MOD_NOTHING && !ptx_has(&instruction->modifiers, words[at])) at++;
    return at;
}

static const struct geometry {
    uint8_t dimensions, layered;
    uint8_t coordinates;  /* in the text, what fills them up included */
    bool cube;
} geometries[] = {
    { 1, false, 1, false }, { 2, false, 2, false }, { 3, false, 4, false },
    { 1, true, 2, false },  { 2, true, 4, false },  { 3, false, 4, true },
    { 3, true, 4, true },
};

static rill_status find_geometry(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct geometry **geometry)
{
    static const enum ptx_modifier words[] = { PTX_MOD_FLAT_1D, PTX_MOD_FLAT_2D, PTX_MOD_FLAT_3D,
                                               PTX_MOD_LAYERS_1D, PTX_MOD_LAYERS_2D,
                                               PTX_MOD_CUBE, PTX_MOD_LAYERS_CUBE,
                                               PTX_MOD_NOTHING };
    uint32_t at = find_word(instruction, words);
    if (words[at] == PTX_MOD_NOTHING)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "one of .1d, .2d, .3d, .a1d, .a2d, .cube and .acube belongs "
                              "here");
    *geometry = &geometries[at];
    return RILL_SUCCESS;
}

static bool is_reference(const struct ptx_lowering *lowering, const struct ptx_operand *operand)
{
    const struct ptx_module *module = ptx_lowered_module(lowering);
    return operand->kind == PTX_OPERAND_VARIABLE && !operand->local &&
           ptx_is_reference(&module->variables[operand->index]);
}

/* Finds the column of the handle: that of a reference is its address. */
static rill_status find_handle(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_operand *operand, uint32_t *column)
{
    if (operand->kind != PTX_OPERAND_ADDRESS || operand->offset)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "a texture or surface in brackets belongs here");
    if (operand->list[0].kind != PTX_OPERAND_REGISTER && !is_reference(lowering, operand->list))
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "a register with a handle, or the name of a reference belongs here");
    return ptx_source(lowering, instruction, &operand->list[0], PTX_B64, false, column);
}

/* Finds the columns of the layer and of the coordinates; returns in `count` how many. */
static rill_status find_coordinates(struct ptx_lowering *lowering,
                                    const struct ptx_instruction *instruction,
                                    const struct ptx_operand *operand,
                                    const struct geometry *geometry, enum ptx_type type,
                                    uint32_t columns[4], uint32_t *count)
{
    const struct ptx_operand *list;
    rill_status status = RILL_SUCCESS;
    if (operand->list_count != 2)
        return ptx_lower_fail(lowering, &operand->place, LACKING,
                              "[texture, {coordinates}] belongs here: there are no samplers");
    const struct ptx_operand *where = &operand->list[1];
    bool vector = where->kind == PTX_OPERAND_VECTOR;
    /* Old compilers fill up to four, as ptxas still takes it. */
    if ((vector ? where->list_count : 1) != geometry->coordinates &&
        !(vector && where->list_count == 4))
        return ptx_lower_fail(lowering, &operand->place, INVALID, "%u coordinates belong here",
                              geometry->coordinates);
    list = vector ? where->list : where;
    *count = (uint32_t)geometry->layered + geometry->dimensions;
    for (uint32_t i = 0; i < *count && !status; i++)
        status = ptx_source(lowering, instruction, &list[i],
                            geometry->layered && i == 0 ? PTX_U32 : type, false, &columns[i]);
    return status;
}

static rill_status emit(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                        ptx_run *run, const struct ptx_texture_plan *plan, uint32_t handle,
                        const uint32_t *columns, uint32_t count, uint32_t width)
{
    struct ptx_step *step;
    uint32_t more;
    rill_status status = ptx_remember(lowering, columns, count + width, &more);
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->a = handle;
    step->more = more;
    step->width = (uint8_t)width;
    step->kind = PTX_TO_GLOBAL;
    memcpy(&step->immediate, plan, sizeof *plan);
    return RILL_SUCCESS;
}

/* ---- tex, tld4 ----------------------------------------------------------------------------- */

static uint32_t operands_of_lookup(const struct ptx_instruction *instruction)
{
    if (ptx_has(&instruction->modifiers, PTX_MOD_LEVEL)) return 3;
    return ptx_has(&instruction->modifiers, PTX_MOD_GRAD) ? 4 : 2;
}

static uint8_t gathered_channel(const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier words[] = { PTX_MOD_R, PTX_MOD_OF_G, PTX_MOD_OF_B,
                                               PTX_MOD_OF_A, PTX_MOD_NOTHING };
    uint32_t at = find_word(instruction, words);
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

/* Finds the columns of a shift, if there is one: three dimensions are filled up to four.  What has
 * no braces is a depth, which an H100 does not look at for a line. */
static rill_status find_shift(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct geometry *geometry, uint32_t columns[3],
                              uint32_t *count)
{
    const uint32_t before = operands_of_lookup(instruction);
    const uint32_t dimensions = geometry->dimensions, wanted = dimensions == 3 ? 4 : dimensions;
    const struct ptx_operand *shift = &instruction->operands[before];
    const bool vector = shift->kind == PTX_OPERAND_VECTOR && !geometry->cube;
    uint32_t depth;
    *count = 0;
    if (instruction->operand_count <= before) return RILL_SUCCESS;
    if (instruction->operand_count > before + 1 ||
        (!vector && (dimensions > 1 || geometry->layered)))
        return ptx_lower_fail(lowering, &instruction->place, LACKING,
                              "the simulator has no comparisons of depths");
    if (!vector) return ptx_source(lowering, instruction, shift, PTX_B32, false, &depth);
    if (shift->list_count != wanted)
        return ptx_lower_fail(lowering, &shift->place, INVALID, "%u offsets belong here", wanted);
    rill_status status = RILL_SUCCESS;
    for (; *count < dimensions && !status; (*count)++)
        status = ptx_source(lowering, instruction, &shift->list[*count], PTX_S32, false,
                            &columns[*count]);
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

static rill_status lower_lookup(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form)
{
    const struct geometry *geometry = NULL;
    const struct ptx_operand *operands = instruction->operands, *elements;
    const bool tells = operands[0].kind == PTX_OPERAND_PAIR && operands[0].list_count == 2;
    const struct ptx_operand *texel = tells ? operands[0].list : operands;
    uint32_t handle = 0, columns[8 + 8], count = 0, shifts = 0, bytes;
    const uint32_t width = form->types[0] == PTX_F16X2 ? 2 : 4;
    bool leveled = ptx_has(&instruction->modifiers, PTX_MOD_LEVEL) && form->types[1] == PTX_F32;
    rill_status status = check_lookup(lowering, instruction);
    if (!status) status = find_geometry(lowering, instruction, &geometry);
    if (!status) status = find_handle(lowering, instruction, &operands[1], &handle);
    if (!status)
        status = find_coordinates(lowering, instruction, &operands[1], geometry, form->types[1],
                                  columns, &count);
    if (!status && leveled)
        status = ptx_source(lowering, instruction, &operands[2], PTX_F32, false,
                            &columns[count++]);
    if (!status)
        status = find_shift(lowering, instruction, geometry, columns + count, &shifts);
    count += shifts;
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
        .integers = form->types[1] == PTX_S32, .cube = geometry->cube,
        .leveled = leveled, .graded = ptx_has(&instruction->modifiers, PTX_MOD_GRAD),
        .shifted = shifts > 0, .halves = bytes == 2 || width == 2,
        .gathered = gathered_channel(instruction),
    };
    return emit(lowering, instruction, ptx_texture_look_step, &plan, handle, columns, count,
                width);
}

/* ---- suld, sust ---------------------------------------------------------------------------- */

static rill_status find_edge(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             struct ptx_texture_plan *plan)
{
    static const enum ptx_modifier words[] = { PTX_MOD_TRAP_, PTX_MOD_CLAMP, PTX_MOD_ZERO,
                                               PTX_MOD_NOTHING };
    uint32_t at = find_word(instruction, words);
    if (words[at] == PTX_MOD_NOTHING)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "one of .trap, .clamp and .zero belongs here");
    plan->edge = (uint8_t)(at == 0 ? PTX_EDGE_TRAPS : at == 1 ? PTX_EDGE_CLAMPS : PTX_EDGE_IS_ZERO);
    return RILL_SUCCESS;
}

/* Compilers put braces around what is a single value, too. */
static const struct ptx_operand *without_braces(const struct ptx_operand *values)
{
    bool single = values->kind == PTX_OPERAND_VECTOR && values->list_count == 1;
    return single ? values->list : values;
}

static rill_status lower_surface(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    bool loads = instruction->opcode == PTX_OP_SULD;
    const struct geometry *geometry = NULL;
    const struct ptx_operand *elements, *place = &instruction->operands[loads],
                             *values = &instruction->operands[!loads];
    struct ptx_texture_plan plan = { .bytes = (uint8_t)ptx_type_bytes(form->types[0]) };
    uint32_t handle = 0, columns[3 + 8], count = 0, bytes;
    uint32_t width = ptx_has(&instruction->modifiers, PTX_MOD_V4)   ? 4
                     : ptx_has(&instruction->modifiers, PTX_MOD_V2) ? 2 : 1;
    rill_status status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status) status = find_edge(lowering, instruction, &plan);
    if (!status) status = find_geometry(lowering, instruction, &geometry);
    if (!status) status = find_handle(lowering, instruction, place, &handle);
    if (!status)
        status = find_coordinates(lowering, instruction, place, geometry, PTX_S32, columns,
                                  &count);
    if (!status)
        status = ptx_elements(lowering, instruction, without_braces(values), width, &elements);
    if (!status)
        status = (loads ? ptx_element_destinations : ptx_element_sources)(
            lowering, instruction, elements, width, form->types[0], columns + count, &bytes);
    if (status) return status;
    plan.dimensions = geometry->dimensions;
    plan.layered = geometry->layered;
    plan.reg = (uint8_t)bytes;
    return emit(lowering, instruction, loads ? ptx_surface_load_step : ptx_surface_store_step,
                &plan, handle, columns, count, width);
}

/* ---- sured --------------------------------------------------------------------------------- */

static rill_status lower_reduction(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    const struct geometry *geometry = NULL;
    struct ptx_texture_plan plan = { .bytes = (uint8_t)ptx_type_bytes(form->types[0]),
                                     .asked = form->kind };
    uint32_t handle = 0, columns[3 + 1], count = 0;
    rill_status status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status) status = find_edge(lowering, instruction, &plan);
    if (!status) status = find_geometry(lowering, instruction, &geometry);
    if (!status) status = find_handle(lowering, instruction, &operands[0], &handle);
    if (!status)
        status = find_coordinates(lowering, instruction, &operands[0], geometry, PTX_S32, columns,
                                  &count);
    if (!status)
        status = ptx_source(lowering, instruction, &operands[1], form->types[0], false,
                            &columns[count]);
    if (status) return status;
    plan.dimensions = geometry->dimensions;
    plan.reg = plan.bytes;
    return emit(lowering, instruction, ptx_surface_reduce_step, &plan, handle, columns, count, 1);
}

/* ---- txq, suq ------------------------------------------------------------------------------ */

static rill_status lower_question(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    static const enum ptx_modifier words[] = { PTX_MOD_WIDTH, PTX_MOD_HEIGHT, PTX_MOD_DEPTH,
                                               PTX_MOD_NOTHING };
    const struct ptx_texture_plan plan = { .asked = (uint8_t)find_word(instruction, words) };
    bool surface = instruction->opcode == PTX_OP_SUQ;
    uint32_t handle = 0, d = 0;
    struct ptx_step *step;
    if (words[plan.asked] == PTX_MOD_NOTHING)
        return ptx_lower_fail(lowering, &instruction->place, LACKING,
                              "the simulator tells .width, .height and .depth");
    rill_status status = ptx_check_operand_count(lowering, instruction, 2);
    if (!status)
        status = find_handle(lowering, instruction, &instruction->operands[1], &handle);
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                 form->types[0], false, &d);
    if (!status)
        status = ptx_emit(lowering, instruction,
                          surface ? ptx_surface_ask_step : ptx_texture_ask_step, &step);
    if (status) return status;
    step->a = handle;
    step->d = d;
    step->kind = PTX_TO_GLOBAL;
    memcpy(&step->immediate, &plan, sizeof plan);
    return RILL_SUCCESS;
}

/* ---- The table ----------------------------------------------------------------------------- */

#define LOOKUP(to, from, width) \
    { .opcode = PTX_OP_TEX, .types = { PTX_##to, PTX_##from }, .needs = PTX_SET(width), \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, LAYERS_1D, LAYERS_2D, BASE, LEVEL, GRAD), \
      .lower = lower_lookup }
#define DIRECTION(to, width) \
    { .opcode = PTX_OP_TEX, .types = { PTX_##to, PTX_F32 }, .needs = PTX_SET(width), \
      .allows = PTX_SET(CUBE, LAYERS_CUBE, BASE, LEVEL, GRAD), .lower = lower_lookup }
#define GATHER(to, width) \
    { .opcode = PTX_OP_TLD4, .types = { PTX_##to, PTX_F32 }, .needs = PTX_SET(width), \
      .allows = PTX_SET(FLAT_2D, LAYERS_2D, CUBE, LAYERS_CUBE, R, OF_G, OF_B, OF_A), \
      .lower = lower_lookup }
#define SURFACE(code, type) \
    { .opcode = PTX_OP_##code, .types = { PTX_##type }, .needs = PTX_SET(OF_B), \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, LAYERS_1D, LAYERS_2D, TRAP_, CLAMP, ZERO, V2, \
                        V4, CA, CG, CS, CV, WB, WT), \
      .lower = lower_surface }
#define REDUCE(how, type, does) \
    { .opcode = PTX_OP_SURED, .types = { PTX_##type }, .needs = PTX_SET(OF_B, how), \
      .kind = PTX_SURFACE_##does, \
      .allows = PTX_SET(FLAT_1D, FLAT_2D, FLAT_3D, TRAP_, CLAMP, ZERO), \
      .lower = lower_reduction }
#define QUESTION(code) \
    { .opcode = PTX_OP_##code, .types = { PTX_B32 }, \
      .allows = PTX_SET(WIDTH, HEIGHT, DEPTH), .lower = lower_question }

static const struct ptx_form rows[] = {
    LOOKUP(F32, F32, V4), LOOKUP(F32, S32, V4), LOOKUP(U32, F32, V4), LOOKUP(U32, S32, V4),
    LOOKUP(S32, F32, V4), LOOKUP(S32, S32, V4), LOOKUP(F16X2, F32, V2), LOOKUP(F16X2, S32, V2),
    LOOKUP(F16, F32, V4), LOOKUP(F16, S32, V4), DIRECTION(F16, V4), DIRECTION(F16X2, V2),
    DIRECTION(F32, V4), DIRECTION(U32, V4), DIRECTION(S32, V4),
    GATHER(F32, V4), GATHER(U32, V4), GATHER(S32, V4), GATHER(F16X2, V2),
    REDUCE(ADD, U32, ADD), REDUCE(ADD, S32, ADD), REDUCE(ADD, U64, ADD), REDUCE(AND, B32, AND),
    REDUCE(MIN, U32, MIN), REDUCE(MIN, S32, SIGNED_MIN), REDUCE(MIN, U64, MIN),
    REDUCE(MIN, S64, SIGNED_MIN), REDUCE(MAX, U32, MAX), REDUCE(MAX, S32, SIGNED_MAX),
    REDUCE(MAX, U64, MAX), REDUCE(MAX, S64, SIGNED_MAX), REDUCE(OR, B32, OR),
    SURFACE(SULD, B8), SURFACE(SULD, B16), SURFACE(SULD, B32), SURFACE(SULD, B64),
    SURFACE(SUST, B8), SURFACE(SUST, B16), SURFACE(SUST, B32), SURFACE(SUST, B64),
    QUESTION(TXQ), QUESTION(SUQ),
};

const struct ptx_forms ptx_texture_forms = { rows, sizeof rows / sizeof *rows };
