/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/lower/texture/place.h"

#include <string.h>

#include "ptx/lower/memory_operand.h"

#define INVALID RILL_ERROR_INVALID_PTX
#define LACKING RILL_ERROR_NOT_SUPPORTED

uint32_t ptx_find_word(const struct ptx_instruction *instruction,
                       const enum ptx_modifier *words)
{
    uint32_t at = 0;
    while (words[at] != PTX_MOD_NOTHING && !ptx_has(&instruction->modifiers, words[at])) at++;
    return at;
}

static const struct ptx_geometry geometries[] = {
    { 1, false, 1, false, false }, { 2, false, 2, false, false }, { 3, false, 4, false, false },
    { 1, true, 2, false, false },  { 2, true, 4, false, false },  { 3, false, 4, true, false },
    { 3, true, 4, true, false },   { 2, false, 4, false, true },  { 2, true, 4, false, true },
};

rill_status ptx_find_geometry(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_geometry **geometry)
{
    static const enum ptx_modifier words[] = { PTX_MOD_FLAT_1D, PTX_MOD_FLAT_2D, PTX_MOD_FLAT_3D,
                                               PTX_MOD_LAYERS_1D, PTX_MOD_LAYERS_2D,
                                               PTX_MOD_CUBE, PTX_MOD_LAYERS_CUBE,
                                               PTX_MOD_SAMPLES_2D, PTX_MOD_SAMPLED_LAYERS_2D,
                                               PTX_MOD_NOTHING };
    uint32_t at = ptx_find_word(instruction, words);
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

rill_status ptx_find_handle(struct ptx_lowering *lowering,
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

rill_status ptx_find_coordinates(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_operand *operand,
                                 const struct ptx_geometry *geometry, enum ptx_type type,
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
    const uint32_t first = (uint32_t)geometry->sampled + geometry->layered;
    *count = first + geometry->dimensions;
    for (uint32_t i = 0; i < *count && !status; i++)
        status = ptx_source(lowering, instruction, &list[i], i < first ? PTX_U32 : type, false,
                            &columns[i]);
    return status;
}

rill_status ptx_emit_texture(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, ptx_run *run,
                             const struct ptx_texture_plan *plan, uint32_t handle,
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
