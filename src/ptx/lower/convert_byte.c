/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt to and from pairs of floats of 8 bits, and to tf32.
 */
#include "ptx/lower/fragment.h"
#include "ptx/lower/forms.h"
#include "ptx/step/convert.h"

/* The columns of an instruction with one source or two. */
static rill_status emit_conversion(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction, enum ptx_type to,
                                   enum ptx_type from, uint32_t sources, ptx_run *run,
                                   struct ptx_step **step)
{
    uint32_t d, columns[2] = { PTX_NO_COLUMN, PTX_NO_COLUMN };
    rill_status status = ptx_check_operand_count(lowering, instruction, 1 + sources);
    for (uint32_t i = 0; i < sources && !status; i++)
        status = ptx_source(lowering, instruction, &instruction->operands[1 + i], from, false,
                            &columns[i]);
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0], to, false, &d);
    if (!status) status = ptx_emit(lowering, instruction, run, step);
    if (status) return status;
    (*step)->d = d;
    (*step)->a = columns[0];
    (*step)->b = columns[1];
    ptx_follow(lowering, *step, sources == 1 ? ptx_affine_lanewise_1 : ptx_affine_lanewise_2);
    return RILL_SUCCESS;
}

static const struct ptx_byte_conversions *conversions_of(enum ptx_type type)
{
    return &ptx_convert_bytes[type == PTX_E5M2X2];
}

static rill_status lower_to_bytes(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    const struct ptx_byte_conversions *conversions = conversions_of(form->types[0]);
    bool relu = ptx_has(&instruction->modifiers, PTX_MOD_RELU), single = form->types[1] == PTX_F32;
    struct ptx_step *step;
    return emit_conversion(lowering, instruction, PTX_B16, form->types[1], single ? 2 : 1,
                           single ? conversions->of_singles[relu] : conversions->of_halves[relu],
                           &step);
}

static rill_status lower_from_bytes(struct ptx_lowering *lowering,
                                    const struct ptx_instruction *instruction,
                                    const struct ptx_form *form)
{
    bool relu = ptx_has(&instruction->modifiers, PTX_MOD_RELU);
    struct ptx_step *step;
    return emit_conversion(lowering, instruction, PTX_F16X2, PTX_B16, 1,
                           conversions_of(form->types[1])->to_halves[relu], &step);
}

static rill_status lower_to_tf32(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_form *form)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    unsigned kind = form->kind;
    struct ptx_step *step;
    if (ptx_has(said, PTX_MOD_RELU)) kind |= PTX_TF32_RELU;
    if (ptx_has(said, PTX_MOD_SATFINITE)) kind |= PTX_TF32_FINITE;
    rill_status status = emit_conversion(lowering, instruction, PTX_B32, PTX_F32, 1, ptx_tf32_step,
                                         &step);
    if (!status) step->kind = (uint8_t)kind;
    return status;
}

#define TO_BYTES(to, from) \
    { .opcode = PTX_OP_CVT, .types = { PTX_##to, PTX_##from }, .needs = PTX_SET(RN, SATFINITE), \
      .allows = PTX_SET(RELU), .lower = lower_to_bytes }
#define FROM_BYTES(from) \
    { .opcode = PTX_OP_CVT, .types = { PTX_F16X2, PTX_##from }, .needs = PTX_SET(RN), \
      .allows = PTX_SET(RELU), .lower = lower_from_bytes }
#define TO_TF32(how, way, ...) \
    { .opcode = PTX_OP_CVT, .types = { PTX_TF32, PTX_F32 }, .kind = PTX_TF32_##way, \
      .needs = PTX_SET(how), .allows = PTX_SET(__VA_ARGS__), .lower = lower_to_tf32 }

static const struct ptx_form rows[] = {
    TO_BYTES(E4M3X2, F32), TO_BYTES(E5M2X2, F32), TO_BYTES(E4M3X2, F16X2),
    TO_BYTES(E5M2X2, F16X2), FROM_BYTES(E4M3X2), FROM_BYTES(E5M2X2),
    TO_TF32(RNA, AWAY, SATFINITE), TO_TF32(RN, EVEN, SATFINITE, RELU),
    TO_TF32(RZ, CUT, SATFINITE, RELU),
};

const struct ptx_forms ptx_convert_byte_forms = { rows, sizeof rows / sizeof *rows };
