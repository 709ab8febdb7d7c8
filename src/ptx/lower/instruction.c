/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction: its row among the forms, its operands against the row's signature, and the
 * step.
 */
#include "ptx/lower/state.h"

#include "ptx/rules/rules.h"
#include "ptx/step/operand.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* ---- Instructions for the first GPUs -------------------------------------------------------
 *
 * What those for sm_10 to sm_13 mean today.  Their arithmetic of .f32 flushed subnormal numbers
 * without being told to, and mad.f32 had a rounding of its own, which nothing has had since: when
 * such text is compiled for a later GPU it is a fused multiply-add.  The ISA's notes on these
 * targets say both.
 */

#define FIRST_WITH_MODES 20 /* sm_20: since then an instruction says what it does */

static bool is_single(const struct ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->type_count; i++)
        if (instruction->types[i] == PTX_F32) return true;
    return false;
}

static bool is_rounded(const struct ptx_modifiers *modifiers)
{
    return ptx_has(modifiers, PTX_MOD_RN) || ptx_has(modifiers, PTX_MOD_RZ) ||
           ptx_has(modifiers, PTX_MOD_RM) || ptx_has(modifiers, PTX_MOD_RP);
}

static const struct ptx_instruction *renew_old(struct ptx_lowering *lowering,
                                               const struct ptx_instruction *instruction)
{
    char why[120];
    struct ptx_instruction *renewed = &lowering->renewed;
    if (lowering->module->target >= FIRST_WITH_MODES || !is_single(instruction))
        return instruction;
    *renewed = *instruction;
    if (instruction->opcode == PTX_OP_MAD && !is_rounded(&instruction->modifiers))
        ptx_add(&renewed->modifiers, PTX_MOD_RN);
    struct ptx_instruction flushing = *renewed;
    ptx_add(&flushing.modifiers, PTX_MOD_FTZ);
    if (ptx_find_form(&flushing, why)) *renewed = flushing;
    return renewed;
}

/* ---- Signatures ---------------------------------------------------------------------------- */

static enum ptx_type twice_as_wide(enum ptx_type type)
{
    switch (type) {
    case PTX_U8: return PTX_U16;
    case PTX_S8: return PTX_S16;
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    case PTX_S32: return PTX_S64;
    default: return PTX_NO_TYPE;
    }
}

static enum ptx_type type_of_letter(const struct ptx_instruction *instruction, char letter)
{
    switch (letter) {
    case '0':
    case '1':
    case '2':
    case '3': return instruction->types[letter - '0'];
    case 'w': return twice_as_wide(instruction->types[0]);
    case 'u': return PTX_U32;
    case 'x': return PTX_B64;
    default: return PTX_PRED;
    }
}

/* Returns true for an fma that stands for a product and a sum of the text. */
static bool is_contracted(const struct ptx_lowering *lowering,
                          const struct ptx_instruction *instruction)
{
    return lowering->instead && lowering->instead[lowering->at] == instruction;
}

/* Checks that addresses stand only in mov, special registers only in mov and cvt. */
static rill_status check_source(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_operand *operand, char letter)
{
    bool mov = instruction->opcode == PTX_OP_MOV, cvt = instruction->opcode == PTX_OP_CVT;
    enum ptx_operand_kind kind = operand->kind;
    if ((kind == PTX_OPERAND_SPECIAL && !mov && !cvt) ||
        ((kind == PTX_OPERAND_VARIABLE || kind == PTX_OPERAND_FUNCTION) && !mov))
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "%s works on registers and numbers",
                              ptx_opcode_word(instruction->opcode));
    if (operand->negated && letter != 'P' && !is_contracted(lowering, instruction))
        return ptx_lower_fail(lowering, &operand->place, INVALID, "this cannot be negated");
    return RILL_SUCCESS;
}

/* The columns that a signature makes of the operands. */
struct filled {
    uint32_t d, q, sources[4], source_count;
    int64_t immediate;
    bool carry;
};

/* Changes the sign of a source of an fma that was a difference (contract.h). */
static rill_status negate(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                          uint32_t *column)
{
    const struct ptx_instruction neg = { .opcode = PTX_OP_NEG, .types = { instruction->types[0] },
                                         .type_count = 1, .operand_count = 2 };
    const uint32_t source = *column;
    struct ptx_step *step;
    char why[120];
    const struct ptx_form *form = ptx_find_form(&neg, why);
    if (!form) return ptx_lower_fail(lowering, &instruction->place, INVALID, "%s", why);
    rill_status status = ptx_new_column(lowering, ptx_type_bytes(neg.types[0]), column);
    if (!status) status = ptx_emit(lowering, instruction, form->run, &step);
    if (status) return status;
    step->kind = form->kind;
    step->immediate = (intptr_t)form->strips;
    step->d = *column;
    step->a = source;
    ptx_follow(lowering, step, ptx_affine_step_of(form, 1));
    return RILL_SUCCESS;
}

static rill_status fill_source(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_operand *operand, char letter,
                               struct filled *filled)
{
    if (letter == 'n') return ptx_constant(lowering, operand, &filled->immediate);
    rill_status status = check_source(lowering, instruction, operand, letter);
    if (status) return status;
    uint32_t *column = &filled->sources[filled->source_count++];
    const bool negated = operand->negated && letter != 'P';
    struct ptx_operand plain = *operand;
    if (negated) plain.negated = false;
    status = ptx_source(lowering, instruction, &plain, type_of_letter(instruction, letter), false,
                        column);
    return !status && negated ? negate(lowering, instruction, column) : status;
}

static rill_status fill_destination(struct ptx_lowering *lowering,
                                    const struct ptx_instruction *instruction,
                                    const struct ptx_operand *operand, char letter,
                                    struct filled *filled)
{
    enum ptx_type type = type_of_letter(instruction, letter);
    if (letter == 'q' && operand->kind == PTX_OPERAND_PAIR && operand->list_count == 2) {
        rill_status status = ptx_destination(lowering, instruction, &operand->list[0], type,
                                             false, &filled->d);
        if (status) return status;
        return ptx_destination(lowering, instruction, &operand->list[1], type, false,
                               &filled->q);
    }
    if (operand->kind == PTX_OPERAND_SINK)
        return ptx_lower_fail(lowering, &operand->place, INVALID,
                              "the result of %s cannot be dropped",
                              ptx_opcode_word(instruction->opcode));
    return ptx_destination(lowering, instruction, operand, type, false, &filled->d);
}

static rill_status carry_column(struct ptx_lowering *lowering)
{
    if (lowering->carry != PTX_NO_COLUMN) return RILL_SUCCESS;
    rill_status status = ptx_lower_name(lowering, LOWER_KEPT, 1, &lowering->carry);
    if (status) return status;
    struct lower_column *column = ptx_lower_named(lowering, lowering->carry);
    column->predicate = column->cleared = true;
    return RILL_SUCCESS;
}

rill_status ptx_stack_column(struct ptx_lowering *lowering, uint32_t *column)
{
    rill_status status = RILL_SUCCESS;
    if (lowering->stack == PTX_NO_COLUMN) {
        status = ptx_lower_name(lowering, LOWER_KEPT, 4, &lowering->stack);
        if (!status) ptx_lower_named(lowering, lowering->stack)->cleared = true;
    }
    *column = lowering->stack;
    return status;
}

static rill_status fill_columns(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const char *signature, struct filled *filled)
{
    const struct ptx_operand *operand = instruction->operands;
    rill_status status = RILL_SUCCESS;
    bool destination = false;
    for (const char *letter = signature; *letter && !status; letter++) {
        if (*letter == '=') {
            destination = true;
            continue;
        }
        if (*letter == 'c') {
            filled->carry = true;
            status = carry_column(lowering);
            continue;
        }
        status = destination
                     ? fill_destination(lowering, instruction, operand++, *letter, filled)
                     : fill_source(lowering, instruction, operand++, *letter, filled);
        destination = false;
    }
    return status;
}

/* ---- Steps --------------------------------------------------------------------------------- */

static const struct {
    enum ptx_modifier modifier;
    enum ptx_rounding rounding;
} roundings[] = {
    { PTX_MOD_RN, PTX_ROUND_NEAREST },
    { PTX_MOD_RZ, PTX_ROUND_ZERO },
    { PTX_MOD_RM, PTX_ROUND_DOWN },
    { PTX_MOD_RP, PTX_ROUND_UP },
};

static rill_status set_rounding(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct ptx_form *form, struct ptx_step *step)
{
    unsigned said = 0;
    for (unsigned i = 0; i < sizeof roundings / sizeof *roundings; i++) {
        if (!ptx_has(&instruction->modifiers, roundings[i].modifier)) continue;
        said++;
        if (!ptx_has(&form->allows, roundings[i].modifier)) continue;
        step->rounding = (uint8_t)roundings[i].rounding;
        if (roundings[i].rounding != PTX_ROUND_NEAREST) step->flags |= PTX_STEP_ROUNDED;
    }
    if (said > 1)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there can be one rounding only");
    return RILL_SUCCESS;
}

/* Emits the step for .sat if the row leaves it to the lowering. */
static rill_status emit_clamp(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form, uint32_t column)
{
    if (!ptx_has(&instruction->modifiers, PTX_MOD_SAT) || ptx_has(&form->needs, PTX_MOD_SAT))
        return RILL_SUCCESS;
    ptx_run *run = ptx_clamp_step(instruction->types[0]);
    if (!run) return RILL_SUCCESS;
    struct ptx_step *step;
    rill_status status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = column;
    ptx_follow(lowering, step, ptx_affine_in_place);
    return RILL_SUCCESS;
}

static rill_status lower_plain(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    uint32_t count = ptx_signature_operands(form->signature);
    if (instruction->operand_count != count)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there are %u operands where there should be %u",
                              instruction->operand_count, count);
    const uint32_t no = PTX_NO_COLUMN;
    struct filled filled = { .d = no, .q = no, .sources = { no, no, no, no } };
    uint32_t before = lowering->step_count;
    rill_status status = fill_columns(lowering, instruction, form->signature, &filled);
    struct ptx_step *step;
    if (!status) status = ptx_emit(lowering, instruction, form->run, &step);
    if (status) return status;
    lowering->alone[lowering->at] = filled.q == no && lowering->step_count == before + 1;
    step->kind = form->kind;
    step->immediate = form->strips ? (intptr_t)form->strips : filled.immediate;
    step->d = filled.d;
    step->a = filled.sources[0];
    step->b = filled.sources[1];
    step->c = filled.sources[2];
    step->e = filled.carry ? lowering->carry : filled.q != no ? filled.q : filled.sources[3];
    ptx_follow(lowering, step, step->e == no ? ptx_affine_step_of(form, filled.source_count)
                                             : ptx_affine_lanewise_all);
    status = set_rounding(lowering, instruction, form, step);
    return status ? status : emit_clamp(lowering, instruction, form, filled.d);
}

/* ---- Instructions -------------------------------------------------------------------------- */

/* Returns true for an instruction that exists but is not supported, false for one that does
 * not exist. */
static bool is_unsupported(const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier unsupported[] = { PTX_MOD_ASYNC, PTX_MOD_BULK, PTX_MOD_CLUSTER,
                                                     PTX_MOD_MBARRIER_INIT, PTX_MOD_PROXY,
                                                     PTX_MOD_TENSORMAP_, PTX_MOD_OOB };
    if (ptx_opcode_fate(instruction->opcode) != PTX_RUNS) return true;
    for (unsigned i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (ptx_has(&instruction->modifiers, unsupported[i])) return true;
    for (uint32_t i = 0; i < instruction->type_count; i++)
        if (instruction->types[i] >= PTX_B1) return true;
    return false;
}

static rill_status no_form(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, const char *why)
{
    return ptx_lower_fail(lowering, &instruction->place,
                          is_unsupported(instruction) ? RILL_ERROR_NOT_SUPPORTED : INVALID, "%s",
                          why);
}

rill_status ptx_lower_instruction(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction)
{
    char why[120];
    instruction = renew_old(lowering, instruction);
    lowering->instruction = instruction;
    if (ptx_opcode_fate(instruction->opcode) == PTX_REFUSED)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_NOT_SUPPORTED,
                              "the simulator has no %s", ptx_opcode_word(instruction->opcode));
    if (instruction->unknown)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_NOT_SUPPORTED,
                              "the simulator has no such %s", ptx_opcode_word(instruction->opcode));
    if (ptx_lower_is_own_mov(instruction)) return ptx_lower_own_mov(lowering, instruction);
    const struct ptx_form *form = ptx_find_form(instruction, why);
    if (!form) return no_form(lowering, instruction, why);
    const char *wrong = ptx_broken_rule(instruction, lowering->module->target);
    if (wrong) return ptx_lower_fail(lowering, &instruction->place, INVALID, "%s", wrong);
    if (form->lower) return form->lower(lowering, instruction, form);
    if (instruction->space_count)
        return ptx_lower_fail(lowering, &instruction->place, INVALID, "%s is in no state space",
                              ptx_opcode_word(instruction->opcode));
    return lower_plain(lowering, instruction, form);
}
