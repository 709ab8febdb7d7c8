/* SPDX-License-Identifier: Apache-2.0
 *
 * The scalar video instructions: vadd, vsub, vabsdiff, vmin and vmax.  Operands may be parts
 * of registers; what comes out may be saturated, put into a part of a third source, or added
 * to it, or the smaller or larger of the two.  Those of several parts at once are refused.
 */
#include <string.h>

#include "ptx/lanes.h"
#include "ptx/lowering.h"

#define INVALID RILL_ERROR_INVALID_PTX

enum second { NO_SECOND, SECOND_ADD, SECOND_MIN, SECOND_MAX };

/* What a step is to do, in its `immediate`; its `kind` is the opcode. */
struct plan {
    uint8_t a, b, d;           /* enum ptx_part                                            */
    uint8_t second;            /* enum second                                              */
    bool a_signed, b_signed, d_signed, saturates;
};

_Static_assert(sizeof(struct plan) == sizeof(int64_t), "a plan is a step's immediate");

static struct plan plan_of(const struct ptx_step *step)
{
    struct plan plan;
    memcpy(&plan, &step->immediate, sizeof plan);
    return plan;
}

/* ---- Steps ------------------------------------------------------------------------------- */

static unsigned bits_of(unsigned part)
{
    return part == PTX_WHOLE ? 32 : part >= PTX_HALF_0 ? 16 : 8;
}

static unsigned shift_of(unsigned part)
{
    return part == PTX_WHOLE    ? 0
           : part >= PTX_HALF_0 ? 16 * (part - PTX_HALF_0) : 8 * (part - PTX_BYTE_0);
}

static int64_t extracted(uint32_t value, unsigned part, bool is_signed)
{
    unsigned empty = 64 - bits_of(part);
    uint64_t high = (uint64_t)(value >> shift_of(part)) << empty;
    return is_signed ? (int64_t)high >> empty : (int64_t)(high >> empty);
}

static int64_t first_of(unsigned opcode, int64_t a, int64_t b)
{
    switch (opcode) {
    case PTX_OP_VADD: return a + b;
    case PTX_OP_VSUB: return a - b;
    case PTX_OP_VABSDIFF: return a > b ? a - b : b - a;
    case PTX_OP_VMIN: return a < b ? a : b;
    default: return a > b ? a : b;
    }
}

static int64_t saturated(int64_t value, const struct plan *plan)
{
    unsigned bits = bits_of(plan->d);
    int64_t least = plan->d_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t most = (INT64_C(1) << (bits - plan->d_signed)) - 1;
    return value < least ? least : value > most ? most : value;
}

static uint32_t merged(uint32_t value, uint32_t into, unsigned part)
{
    uint32_t mask = ((UINT32_C(1) << bits_of(part)) - 1) << shift_of(part);
    return (into & ~mask) | (value << shift_of(part) & mask);
}

static uint32_t second_of(const struct plan *plan, uint32_t value, uint32_t c)
{
    bool less = plan->d_signed ? (int32_t)value < (int32_t)c : value < c;
    switch (plan->second) {
    case SECOND_ADD: return value + c;
    case SECOND_MIN: return less ? value : c;
    case SECOND_MAX: return less ? c : value;
    default: return plan->d == PTX_WHOLE ? value : merged(value, c, plan->d);
    }
}

static void any(struct ptx_front *front, const struct ptx_step *step)
{
    struct plan plan = plan_of(step);
    uint32_t *d = PTX_COLUMN(front, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(front, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(front, step->b, uint32_t);
    const uint32_t *c = step->c == PTX_NO_COLUMN ? a : PTX_COLUMN(front, step->c, uint32_t);
    PTX_EACH_LANE(front, i) {
        int64_t value = first_of(step->kind, extracted(a[i], plan.a, plan.a_signed),
                                 extracted(b[i], plan.b, plan.b_signed));
        if (plan.saturates) value = saturated(value, &plan);
        d[i] = second_of(&plan, (uint32_t)value, c[i]);
    }
}

/* What compilers make of sums that nobody calls video. */
PTX_LANES_3(sum, uint32_t, uint32_t, uint32_t, uint32_t, x + y + z)
PTX_LANES_3(difference, uint32_t, uint32_t, uint32_t, uint32_t, x - y + z)

static ptx_run *choose(unsigned opcode, const struct plan *plan)
{
    if (plan->a != PTX_WHOLE || plan->b != PTX_WHOLE || plan->saturates ||
        plan->second != SECOND_ADD)
        return any;
    return opcode == PTX_OP_VADD ? sum : opcode == PTX_OP_VSUB ? difference : any;
}

/* ---- Lowering ------------------------------------------------------------------------------ */

static rill_status find_second(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction, struct plan *plan)
{
    static const struct { enum ptx_modifier word; enum second second; } seconds[] = {
        { PTX_MOD_ADD, SECOND_ADD }, { PTX_MOD_MIN, SECOND_MIN }, { PTX_MOD_MAX, SECOND_MAX },
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
                             const struct ptx_instruction *instruction, struct plan *plan)
{
    const struct ptx_operand *operands = instruction->operands;
    if (instruction->operand_count < 3)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "this has a result and at least two sources");
    *plan = (struct plan){
        .a = operands[1].part, .b = operands[2].part, .d = operands[0].part,
        .a_signed = instruction->types[1] == PTX_S32,
        .b_signed = instruction->types[2] == PTX_S32,
        .d_signed = instruction->types[0] == PTX_S32,
        .saturates = ptx_has(&instruction->modifiers, PTX_MOD_SAT),
    };
    rill_status status = find_second(lowering, instruction, plan);
    /* One that nothing is done with may be there all the same. */
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
    struct plan plan;
    struct ptx_step *step;
    rill_status status = make_plan(lowering, instruction, &plan);
    for (uint32_t i = 1; !status && i < instruction->operand_count; i++)
        status = ptx_source(lowering, instruction, &instruction->operands[i], types[i - 1], false,
                            &sources[i - 1]);
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                 form->types[0], false, &d);
    if (!status)
        status = ptx_emit(lowering, instruction, choose(form->opcode, &plan), &step);
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
