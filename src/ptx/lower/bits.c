/* SPDX-License-Identifier: Apache-2.0
 *
 * Shifts, by a register or by a constant, and lop3 with a predicate.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/lowering.h"
#include "ptx/step/bits.h"

/* ---- lop3 -------------------------------------------------------------------------------- */

/* Lowers lop3.or.b32 d|p, a, b, c, table, q: the lookup, and whether its result has any bit. */
static rill_status lower_lop3_bool(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_form *form)
{
    const struct ptx_bits_steps *steps = ptx_lane_steps()->bits;
    const struct ptx_operand *operands = instruction->operands;
    const struct ptx_place *place = &instruction->place;
    if (instruction->operand_count != 6 || operands[0].kind != PTX_OPERAND_PAIR ||
        operands[0].list_count != 2)
        return ptx_lower_fail(lowering, place, RILL_ERROR_INVALID_PTX,
                              "the operands of this form are d|p, a, b, c, a constant, q");
    uint32_t source[3], q, d, p;
    int64_t table;
    for (int i = 0; i < 3; i++) {
        rill_status status =
            ptx_source(lowering, instruction, &operands[1 + i], PTX_B32, false, &source[i]);
        if (status) return status;
    }
    rill_status status = ptx_constant(lowering, &operands[4], &table);
    if (!status && (table < 0 || table > 255))
        status = ptx_lower_fail(lowering, &operands[4].place, RILL_ERROR_INVALID_PTX,
                                "the table of lop3 is a number from 0 to 255");
    if (!status)
        status = ptx_source(lowering, instruction, &operands[5], PTX_PRED, false, &q);
    const struct ptx_operand *pair = operands[0].list;
    if (!status)
        status = ptx_destination(lowering, instruction, &pair[0], PTX_B32, false, &d);
    if (!status)
        status = ptx_destination(lowering, instruction, &pair[1], PTX_PRED, false, &p);
    struct ptx_step *step;
    if (!status) status = ptx_emit(lowering, instruction, steps->lop3, &step);
    if (status) return status;
    step->d = d, step->a = source[0], step->b = source[1], step->c = source[2];
    step->immediate = table;
    ptx_follow(lowering, step, ptx_affine_lanewise_3);
    status = ptx_emit(lowering, instruction,
                      form->kind == PTX_MOD_OR ? steps->nonzero_or : steps->nonzero_and, &step);
    if (status) return status;
    step->d = p, step->a = d, step->b = q;
    ptx_follow(lowering, step, ptx_affine_lanewise_2);
    return RILL_SUCCESS;
}

/* ---- Shifts ------------------------------------------------------------------------------ */

/* Lowers shl and shr: d, a, and the distance, as a column or a number. */
static rill_status lower_shift(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    static const uint8_t widths[] = { 16, 32, 64 };
    const struct ptx_operand *operands = instruction->operands;
    if (instruction->operand_count != 3)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "a shift has three operands, this one has %u",
                              (unsigned)instruction->operand_count);
    uint32_t d, a, b = PTX_NO_COLUMN;
    int64_t by = -1;
    rill_status status =
        ptx_source(lowering, instruction, &operands[1], form->types[0], false, &a);
    if (!status && operands[2].kind == PTX_OPERAND_INTEGER)
        status = ptx_constant(lowering, &operands[2], &by);
    bool known = by >= 0 && by < widths[form->kind % 3];
    if (!status && !known)
        status = ptx_source(lowering, instruction, &operands[2], PTX_U32, false, &b);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0], form->types[0], false, &d);
    struct ptx_step *step;
    if (!status)
        status = ptx_emit(lowering, instruction,
                          known ? ptx_lane_steps()->bits->shifts[form->kind].by
                                : ptx_lane_steps()->bits->shifts[form->kind].any, &step);
    if (status) return status;
    step->d = d, step->a = a, step->b = b;
    step->immediate = known ? by : 0;
    ptx_follow(lowering, step, !known                         ? ptx_affine_lanewise_2
                               : form->kind == PTX_SHL_32 ? ptx_affine_shift_32
                               : form->kind == PTX_SHL_64 ? ptx_affine_shift_64
                                                          : ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

/* ---- The table --------------------------------------------------------------------------- */

#define SHIFT(op, type, which) \
    { .opcode = PTX_OP_##op, .types = { PTX_##type }, .kind = PTX_##which, .lower = lower_shift }
#define LOP3(operator) \
    { .opcode = PTX_OP_LOP3, .types = { PTX_B32 }, .kind = PTX_MOD_##operator, \
      .needs = PTX_SET(operator), .lower = lower_lop3_bool }

_Static_assert(PTX_MOD_OR <= UINT8_MAX, "a modifier is a row's kind");

static const struct ptx_form rows[] = {
    SHIFT(SHL, B16, SHL_16), SHIFT(SHL, B32, SHL_32), SHIFT(SHL, B64, SHL_64),
    SHIFT(SHR, B16, SHR_U16), SHIFT(SHR, B32, SHR_U32), SHIFT(SHR, B64, SHR_U64),
    SHIFT(SHR, U16, SHR_U16), SHIFT(SHR, U32, SHR_U32), SHIFT(SHR, U64, SHR_U64),
    SHIFT(SHR, S16, SHR_S16), SHIFT(SHR, S32, SHR_S32), SHIFT(SHR, S64, SHR_S64),
    LOP3(OR), LOP3(AND),
};

const struct ptx_forms ptx_shift_forms = { rows, sizeof rows / sizeof *rows };
