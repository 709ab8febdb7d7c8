/* SPDX-License-Identifier: Apache-2.0
 *
 * The scalar video instructions: vadd, vsub, vabsdiff, vmin and vmax.  Operands may be parts
 * of registers; the result may be saturated, put into a part of a third source, or added
 * to it, or be the smaller or larger of the two.  Those on several parts at once are refused.
 */
#include <string.h>

#include "ptx/lower/forms.h"
#include "ptx/lower/lowering.h"
#include "ptx/step/video.h"

#define INVALID RILL_ERROR_INVALID_PTX

static rill_status find_second(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               struct ptx_video_plan *plan)
{
    static const struct { enum ptx_modifier word; enum ptx_video_second second; } seconds[] = {
        { PTX_MOD_ADD, PTX_VIDEO_ADD }, { PTX_MOD_MIN, PTX_VIDEO_MIN },
        { PTX_MOD_MAX, PTX_VIDEO_MAX },
    };
    for (unsigned i = 0; i < 3; i++) {
        if (!ptx_has(&instruction->modifiers, seconds[i].word)) continue;
        if (plan->second || plan->d != PTX_WHOLE)
            return ptx_lower_fail(lowering, &instruction->place, INVALID,
                                  "one thing is done with the third source, and no more");
        plan->second = (uint8_t)seconds[i].second;
    }
    return RILL_SUCCESS;
}

static rill_status make_plan(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, struct ptx_video_plan *plan)
{
    const struct ptx_operand *operands = instruction->operands;
    if (instruction->operand_count < 3)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this has a result and at least two sources");
    *plan = (struct ptx_video_plan){
        .a = operands[1].part, .b = operands[2].part, .d = operands[0].part,
        .a_signed = instruction->types[1] == PTX_S32,
        .b_signed = instruction->types[2] == PTX_S32,
        .d_signed = instruction->types[0] == PTX_S32,
        .saturates = ptx_has(&instruction->modifiers, PTX_MOD_SAT),
    };
    rill_status status = find_second(lowering, instruction, plan);
    /* A third source that has no effect is allowed. */
    bool needs = plan->second || plan->d != PTX_WHOLE;
    if (status || instruction->operand_count == 4 || (!needs && instruction->operand_count == 3))
        return status;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "there are %u operands where there should be %u",
                          instruction->operand_count, needs ? 4 : 3);
}

static rill_status lower_video(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    const enum ptx_type types[] = { form->types[1], form->types[2], form->types[0] };
    uint32_t sources[3] = { PTX_NO_COLUMN, PTX_NO_COLUMN, PTX_NO_COLUMN }, d;
    struct ptx_video_plan plan;
    struct ptx_step *step;
    rill_status status = make_plan(lowering, instruction, &plan);
    for (uint32_t i = 1; !status && i < instruction->operand_count; i++)
        status = ptx_source(lowering, instruction, &instruction->operands[i], types[i - 1], false,
                            &sources[i - 1]);
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                 form->types[0], false, &d);
    if (!status)
        status = ptx_emit(lowering, instruction, ptx_video_step(form->opcode, &plan), &step);
    if (status) return status;
    step->d = d;
    step->a = sources[0];
    step->b = sources[1];
    step->c = sources[2];
    step->kind = form->kind;
    memcpy(&step->immediate, &plan, sizeof plan);
    return RILL_SUCCESS;
}

/* ---- The table ----------------------------------------------------------------------------- */

#define ROW(op, d, a, b) \
    { .opcode = PTX_OP_##op, .types = { PTX_##d, PTX_##a, PTX_##b }, .kind = PTX_OP_##op, \
      .allows = PTX_SET(SAT, ADD, MIN, MAX), .lower = lower_video }
#define ROWS(op) \
    ROW(op, U32, U32, U32), ROW(op, U32, U32, S32), ROW(op, U32, S32, U32), \
    ROW(op, U32, S32, S32), ROW(op, S32, U32, U32), ROW(op, S32, U32, S32), \
    ROW(op, S32, S32, U32), ROW(op, S32, S32, S32)

_Static_assert(PTX_OP_VSUB <= UINT8_MAX, "an opcode is a step's kind");

static const struct ptx_form rows[] = {
    ROWS(VADD), ROWS(VSUB), ROWS(VABSDIFF), ROWS(VMIN), ROWS(VMAX),
};

const struct ptx_forms ptx_video_forms = { rows, sizeof rows / sizeof *rows };
