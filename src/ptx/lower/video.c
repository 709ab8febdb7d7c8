/* SPDX-License-Identifier: Apache-2.0
 *
 * The video instructions.  Operands of those on scalars may be parts of registers; the result
 * may be saturated, put into a part of a third source, or added to it, or be the smaller or
 * larger of the two.  Others work on two or four parts at once.
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

/* The types of the result and of the sources; vset has none for its result. */
struct video_types {
    enum ptx_type d, a, b;
};

static struct video_types video_types_of(const struct ptx_instruction *instruction)
{
    const enum ptx_type *types = instruction->types;
    if (instruction->type_count == 2) return (struct video_types){ PTX_U32, types[0], types[1] };
    return (struct video_types){ types[0], types[1], types[2] };
}

static rill_status make_plan(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, struct ptx_video_plan *plan)
{
    const struct ptx_operand *operands = instruction->operands;
    const struct video_types types = video_types_of(instruction);
    enum ptx_type compared = instruction->opcode == PTX_OP_VSET ? types.a : types.d;
    if (instruction->operand_count < 3)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this has a result and at least two sources");
    *plan = (struct ptx_video_plan){
        .a = operands[1].part, .b = operands[2].part, .d = operands[0].part,
        .a_signed = types.a == PTX_S32, .b_signed = types.b == PTX_S32,
        .d_signed = compared == PTX_S32,
        .saturates = ptx_has(&instruction->modifiers, PTX_MOD_SAT),
    };
    rill_status status = find_second(lowering, instruction, plan);
    /* A third source that has no effect is allowed. */
    bool needs = plan->second || plan->d != PTX_WHOLE || instruction->opcode == PTX_OP_VMAD;
    if (status || instruction->operand_count == 4 || (!needs && instruction->operand_count == 3))
        return status;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "there are %u operands where there should be %u",
                          instruction->operand_count, needs ? 4 : 3);
}

/* ---- What else there is to say: a comparison, a scale, ... ---------------------------------- */

static rill_status find_comparison(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction, uint8_t *more)
{
    static const uint8_t words[] = { PTX_MOD_EQ, PTX_MOD_NE, PTX_MOD_LT,
                                     PTX_MOD_LE, PTX_MOD_GT, PTX_MOD_GE };
    unsigned said = 0;
    for (uint8_t i = 0; i < sizeof words; i++)
        if (ptx_has(&instruction->modifiers, (enum ptx_modifier)words[i])) *more = i, said++;
    if (said == 1) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID, "one comparison belongs here");
}

static rill_status find_mad(struct ptx_lowering *lowering,
                            const struct ptx_instruction *instruction, uint8_t *more)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    const struct ptx_operand *operands = instruction->operands;
    bool product = operands[1].negated != operands[2].negated, addend = operands[3].negated;
    if (product + addend + ptx_has(said, PTX_MOD_PO) > 1)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "one of .po, a negated product and a negated addend is enough");
    *more = ptx_has(said, PTX_MOD_SHR7) ? 7 : ptx_has(said, PTX_MOD_SHR15) ? 15 : 0;
    if (ptx_has(said, PTX_MOD_PO)) *more |= PTX_VIDEO_PLUS_ONE;
    if (product) *more |= PTX_VIDEO_NEGATE_PRODUCT;
    if (addend) *more |= PTX_VIDEO_NEGATE_ADDEND;
    return RILL_SUCCESS;
}

static rill_status find_more(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, uint8_t *more)
{
    bool wraps = ptx_has(&instruction->modifiers, PTX_MOD_WRAP);
    *more = 0;
    switch (instruction->opcode) {
    case PTX_OP_VSET:
    case PTX_OP_VSET2:
    case PTX_OP_VSET4: return find_comparison(lowering, instruction, more);
    case PTX_OP_VMAD: return find_mad(lowering, instruction, more);
    case PTX_OP_VSHL:
    case PTX_OP_VSHR:
        *more = wraps;
        if (wraps != ptx_has(&instruction->modifiers, PTX_MOD_CLAMP)) return RILL_SUCCESS;
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "one of .clamp and .wrap belongs here");
    default: return RILL_SUCCESS;
    }
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Finds the columns of the operands; a minus is the step's. */
static rill_status lower_operands(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction, uint32_t columns[4])
{
    const struct video_types types = video_types_of(instruction);
    const enum ptx_type sources[] = { types.a, types.b, types.d };
    rill_status status = RILL_SUCCESS;
    for (uint32_t i = 1; i < 4; i++) columns[i] = PTX_NO_COLUMN;
    for (uint32_t i = 1; !status && i < instruction->operand_count; i++) {
        struct ptx_operand operand = instruction->operands[i];
        if (instruction->opcode == PTX_OP_VMAD) operand.negated = false;
        status = ptx_source(lowering, instruction, &operand, sources[i - 1], false, &columns[i]);
    }
    if (status) return status;
    return ptx_destination(lowering, instruction, &instruction->operands[0], types.d, false,
                           &columns[0]);
}

static rill_status emit_video(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction, ptx_run *run,
                              const void *plan, uint8_t more)
{
    uint32_t columns[4];
    struct ptx_step *step;
    rill_status status = lower_operands(lowering, instruction, columns);
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = columns[0];
    step->a = columns[1];
    step->b = columns[2];
    step->c = columns[3];
    step->kind = (uint8_t)instruction->opcode;
    step->width = more;
    memcpy(&step->immediate, plan, sizeof step->immediate);
    return RILL_SUCCESS;
}

static rill_status lower_video(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    struct ptx_video_plan plan;
    uint8_t more = 0;
    rill_status status = make_plan(lowering, instruction, &plan);
    if (!status) status = find_more(lowering, instruction, &more);
    if (status) return status;
    return emit_video(lowering, instruction, ptx_video_step(form->opcode, &plan), &plan, more);
}

/* ---- Several parts at once ------------------------------------------------------------------ */

/* Returns the parts that a source names, or those that are meant if it names none. */
static uint16_t lanes_of(const struct ptx_operand *operand, uint16_t otherwise)
{
    return operand->lane_count ? operand->lanes : otherwise;
}

static uint8_t mask_of(const struct ptx_operand *operand, uint32_t count)
{
    uint8_t mask = 0;
    if (!operand->lane_count) return (uint8_t)((1u << count) - 1);
    for (uint32_t i = 0; i < operand->lane_count; i++) mask |= 1 << (operand->lanes >> 4 * i & 15);
    return mask;
}

static rill_status check_lanes(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, uint32_t count)
{
    const struct ptx_operand *operands = instruction->operands;
    bool wrong = mask_of(&operands[0], count) >> count;
    for (uint32_t i = 1; i < 3; i++) {
        wrong |= operands[i].lane_count && operands[i].lane_count != count;
        for (uint32_t n = 0; n < count; n++)
            wrong |= (operands[i].lanes >> 4 * n & 15) >= 2 * count;
    }
    if (!wrong && !operands[3].lane_count) return RILL_SUCCESS;
    return ptx_lower_fail(lowering, &instruction->place, INVALID,
                          "there are no such parts of two registers");
}

static rill_status lower_video_lanes(struct ptx_lowering *lowering,
                                     const struct ptx_instruction *instruction,
                                     const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    const struct ptx_modifiers *said = &instruction->modifiers;
    const struct video_types types = video_types_of(instruction);
    bool fours = ptx_opcode_word(form->opcode)[strlen(ptx_opcode_word(form->opcode)) - 1] == '4';
    uint32_t count = fours ? 4 : 2;
    uint8_t more = 0;
    if (instruction->operand_count != 4)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this has a result and three sources");
    rill_status status = check_lanes(lowering, instruction, count);
    if (!status) status = find_more(lowering, instruction, &more);
    if (status) return status;
    struct ptx_video_lanes plan = {
        .a = lanes_of(&operands[1], fours ? 0x3210 : 0x10),
        .b = lanes_of(&operands[2], fours ? 0x7654 : 0x32),
        .mask = mask_of(&operands[0], count), .bits = (uint8_t)(32 / count),
        .operation = form->kind,
    };
    if (types.a == PTX_S32) plan.flags |= PTX_VIDEO_A_SIGNED;
    if (types.b == PTX_S32) plan.flags |= PTX_VIDEO_B_SIGNED;
    if (types.d == PTX_S32) plan.flags |= PTX_VIDEO_D_SIGNED;
    if (ptx_has(said, PTX_MOD_SAT)) plan.flags |= PTX_VIDEO_SATURATES;
    if (ptx_has(said, PTX_MOD_ADD)) plan.flags |= PTX_VIDEO_ADDS_UP;
    return emit_video(lowering, instruction, ptx_video_lanes_step, &plan, more);
}

/* ---- The table ----------------------------------------------------------------------------- */

#define ROW(op, way, of, d, a, b, ...) \
    { .opcode = PTX_OP_##op, .types = { PTX_##d, PTX_##a, PTX_##b }, .kind = PTX_OP_##of, \
      .allows = PTX_SET(__VA_ARGS__), .lower = way }
#define RESULTS(op, way, of, d, ...) \
    ROW(op, way, of, d, U32, U32, __VA_ARGS__), ROW(op, way, of, d, U32, S32, __VA_ARGS__), \
    ROW(op, way, of, d, S32, U32, __VA_ARGS__), ROW(op, way, of, d, S32, S32, __VA_ARGS__)
#define ROWS(op, way, of, ...) \
    RESULTS(op, way, of, U32, __VA_ARGS__), RESULTS(op, way, of, S32, __VA_ARGS__)

#define SCALAR(op) ROWS(op, lower_video, op, SAT, ADD, MIN, MAX)
#define SHIFT(op, d, a) \
    ROW(op, lower_video, op, d, a, U32, SAT, ADD, MIN, MAX, CLAMP, WRAP)
#define SHIFTS(op) SHIFT(op, U32, U32), SHIFT(op, U32, S32), SHIFT(op, S32, U32), \
    SHIFT(op, S32, S32)
#define LANES(op, of) ROWS(op, lower_video_lanes, of, SAT, ADD)
#define BOTH(op) LANES(op##2, op), LANES(op##4, op)
#define COMPARISON(op, way, a, b, ...) \
    ROW(op, way, VSET, a, b, NO_TYPE, EQ, NE, LT, LE, GT, GE, __VA_ARGS__)
#define COMPARISONS(op, way, ...) \
    COMPARISON(op, way, U32, U32, __VA_ARGS__), COMPARISON(op, way, U32, S32, __VA_ARGS__), \
    COMPARISON(op, way, S32, U32, __VA_ARGS__), COMPARISON(op, way, S32, S32, __VA_ARGS__)

_Static_assert(PTX_OP_VSUB4 <= UINT8_MAX, "an opcode is a step's kind");

static const struct ptx_form rows[] = {
    SCALAR(VADD), SCALAR(VSUB), SCALAR(VABSDIFF), SCALAR(VMIN), SCALAR(VMAX),
    SHIFTS(VSHL), SHIFTS(VSHR), ROWS(VMAD, lower_video, VMAD, SAT, PO, SHR7, SHR15),
    COMPARISONS(VSET, lower_video, ADD, MIN, MAX),
    BOTH(VADD), BOTH(VSUB), BOTH(VABSDIFF), BOTH(VMIN), BOTH(VMAX),
    LANES(VAVRG2, VAVRG2), LANES(VAVRG4, VAVRG2),
    COMPARISONS(VSET2, lower_video_lanes, ADD), COMPARISONS(VSET4, lower_video_lanes, ADD),
};

const struct ptx_forms ptx_video_forms = { rows, sizeof rows / sizeof *rows };
