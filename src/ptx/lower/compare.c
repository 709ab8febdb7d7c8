/* SPDX-License-Identifier: Apache-2.0
 *
 * setp and set.
 *
 * A further predicate comes in with a step of its own, through a column for the comparison,
 * so that p|q may be the predicates that are read.
 */
#include "ptx/lower/forms.h"
#include "ptx/lower/lowering.h"
#include "ptx/step/compare.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* How each comparison is asked for; unsigned numbers have words of their own, too. */
static const struct comparison {
    uint8_t word, question;
    bool exchanged, negated, unsigned_only;
} comparisons[] = {
    { PTX_MOD_EQ, PTX_EQUAL, 0, 0, 0 },   { PTX_MOD_NE, PTX_APART, 0, 0, 0 },
    { PTX_MOD_LT, PTX_LESS, 0, 0, 0 },    { PTX_MOD_LE, PTX_LEAST, 0, 0, 0 },
    { PTX_MOD_GT, PTX_LESS, 1, 0, 0 },    { PTX_MOD_GE, PTX_LEAST, 1, 0, 0 },
    { PTX_MOD_LO, PTX_LESS, 0, 0, 1 },    { PTX_MOD_LS, PTX_LEAST, 0, 0, 1 },
    { PTX_MOD_HI, PTX_LESS, 1, 0, 1 },    { PTX_MOD_HS, PTX_LEAST, 1, 0, 1 },
    { PTX_MOD_NUM, PTX_NUMBERS, 0, 0, 0 }, { PTX_MOD_NAN, PTX_NUMBERS, 0, 1, 0 },
    { PTX_MOD_EQU, PTX_APART, 0, 1, 0 },  { PTX_MOD_NEU, PTX_EQUAL, 0, 1, 0 },
    { PTX_MOD_LTU, PTX_LEAST, 1, 1, 0 },  { PTX_MOD_LEU, PTX_LESS, 1, 1, 0 },
    { PTX_MOD_GTU, PTX_LEAST, 0, 1, 0 },  { PTX_MOD_GEU, PTX_LESS, 0, 1, 0 },
};

/* In the order of the steps that combine. */
static const uint8_t operator_words[] = { PTX_MOD_AND, PTX_MOD_OR, PTX_MOD_XOR };

/* What an instruction asks. */
struct asked {
    const struct comparison *comparison;
    int combination;                       /* of the operators; -1: no further predicate   */
    ptx_run *run;
    enum ptx_type type;                    /* of what is compared                          */
    bool pair;                             /* two answers                                  */
    uint32_t a, b, further;
};

static rill_status read_question(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction, struct asked *asked)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    const struct ptx_compare_steps *steps = ptx_lane_steps()->compare;
    unsigned words = 0, operators = 0;
    asked->combination = -1;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (ptx_has(said, comparisons[i].word)) words++, asked->comparison = &comparisons[i];
    for (size_t i = 0; i < sizeof operator_words; i++)
        if (ptx_has(said, operator_words[i])) operators++, asked->combination = (int)i;
    if (words != 1 || operators > 1)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there must be one comparison and at most one operator");
    asked->run = (ptx_has(said, PTX_MOD_FTZ) ? steps->flushed : steps->compared)
        [asked->type][asked->comparison->question];
    asked->pair = asked->type == PTX_F16X2 || asked->type == PTX_BF16X2;
    const bool unsigned_type = asked->type == PTX_U16 || asked->type == PTX_U32 ||
                               asked->type == PTX_U64;
    if (!asked->run || (asked->comparison->unsigned_only && !unsigned_type))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "numbers of .%s cannot be compared so",
                              ptx_type_word(asked->type));
    if (instruction->operand_count != (asked->combination >= 0 ? 4 : 3))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there are %u operands where there should be %d",
                              (unsigned)instruction->operand_count, asked->combination >=
                                  0 ? 4 : 3);
    return RILL_SUCCESS;
}

static rill_status lower_sources(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction, struct asked *asked)
{
    const struct ptx_operand *operands = instruction->operands;
    rill_status status =
        ptx_source(lowering, instruction, &operands[1], asked->type, false, &asked->a);
    if (!status)
        status = ptx_source(lowering, instruction, &operands[2], asked->type, false, &asked->b);
    if (!status && asked->combination >= 0)
        status = ptx_source(lowering, instruction, &operands[3], PTX_PRED, false,
                            &asked->further);
    return status;
}

/* Emits the step that compares, into p and, for pairs, q. */
static rill_status emit_comparison(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct asked *asked, uint32_t p, uint32_t q)
{
    struct ptx_step *step;
    rill_status status = ptx_emit(lowering, instruction, asked->run, &step);
    if (status) return status;
    const bool exchanged = asked->comparison->exchanged;
    step->d = p, step->e = asked->pair ? q : PTX_NO_COLUMN;
    step->a = exchanged ? asked->b : asked->a;
    step->b = exchanged ? asked->a : asked->b;
    step->kind = asked->comparison->negated;
    step->target = PTX_ASKED(asked->type, asked->comparison->question);
    ptx_follow(lowering, step, asked->pair ? ptx_affine_lanewise_all : ptx_affine_compare);
    return RILL_SUCCESS;
}

/* Emits a step on predicates. */
static rill_status emit_predicates(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   ptx_run *run, const uint32_t columns[5])
{
    struct ptx_step *step;
    rill_status status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = columns[0], step->e = columns[1];
    step->a = columns[2], step->b = columns[3], step->c = columns[4];
    ptx_follow(lowering, step, ptx_affine_lanewise_all);
    return RILL_SUCCESS;
}

/* Compares into p, and into q if there is one: for a pair the second answer, otherwise the
 * opposite of the first.  Only the last step writes them. */
static rill_status lower_answer(struct ptx_lowering *lowering,
                                const struct ptx_instruction *instruction,
                                const struct asked *asked, uint32_t p, uint32_t q)
{
    const uint32_t no = PTX_NO_COLUMN;
    const bool two = q != no, combines = asked->combination >= 0;
    const struct ptx_compare_steps *steps = ptx_lane_steps()->compare;
    if (!combines && (asked->pair || !two))
        return emit_comparison(lowering, instruction, asked, p, q);
    uint32_t first, second = no;
    rill_status status = ptx_new_column(lowering, 1, &first);
    if (!status && two) status = ptx_new_column(lowering, 1, &second);
    if (!status) status = emit_comparison(lowering, instruction, asked, first, second);
    if (status) return status;
    if (!combines)
        return emit_predicates(lowering, instruction, steps->both_answers,
                               (uint32_t[]){ p, q, first, no, no });
    if (!two)
        return emit_predicates(lowering, instruction, steps->combined[asked->combination].one,
                               (uint32_t[]){ p, no, first, asked->further, no });
    if (!asked->pair)
        status = emit_predicates(lowering, instruction, steps->negated,
                                 (uint32_t[]){ second, no, first, no, no });
    if (status) return status;
    return emit_predicates(lowering, instruction, steps->combined[asked->combination].both,
                           (uint32_t[]){ p, q, first, second, asked->further });
}

static rill_status lower_setp(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    struct asked asked = { .type = form->types[0] };
    rill_status status = read_question(lowering, instruction, &asked);
    if (status) return status;
    const struct ptx_operand *to = instruction->operands;
    const bool two = to->kind == PTX_OPERAND_PAIR && to->list_count == 2;
    uint32_t p, q = PTX_NO_COLUMN;
    status = lower_sources(lowering, instruction, &asked);
    if (!status)
        status = ptx_destination(lowering, instruction, two ? &to->list[0] : to, PTX_PRED, false,
                                 &p);
    if (!status && two)
        status = ptx_destination(lowering, instruction, &to->list[1], PTX_PRED, false, &q);
    else if (!status && asked.pair)
        status = ptx_new_column(lowering, 1, &q);
    return status ? status : lower_answer(lowering, instruction, &asked, p, q);
}

/* Returns what "yes" is in a type. */
static int64_t yes_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F32: return 0x3f800000;
    case PTX_F16: case PTX_F16X2: return 0x3c00;
    case PTX_BF16: case PTX_BF16X2: return 0x3f80;
    default: return UINT32_MAX;
    }
}

static rill_status lower_set(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_form *form)
{
    struct asked asked = { .type = form->types[1] };
    rill_status status = read_question(lowering, instruction, &asked);
    uint32_t d, p, q = PTX_NO_COLUMN;
    if (!status) status = lower_sources(lowering, instruction, &asked);
    if (!status)
        status = ptx_destination(lowering, instruction, instruction->operands, form->types[0],
                                 false, &d);
    if (!status) status = ptx_new_column(lowering, 1, &p);
    if (!status && asked.pair) status = ptx_new_column(lowering, 1, &q);
    if (!status) status = lower_answer(lowering, instruction, &asked, p, q);
    struct ptx_step *step;
    const struct ptx_compare_steps *steps = ptx_lane_steps()->compare;
    ptx_run *run = asked.pair ? steps->number_pair
                   : ptx_type_bytes(form->types[0]) == 2 ? steps->number_16 : steps->number_32;
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = d, step->a = p, step->b = q;
    step->immediate = yes_of(form->types[0]);
    ptx_follow(lowering, step, asked.pair ? ptx_affine_lanewise_2 : ptx_affine_lanewise_1);
    return RILL_SUCCESS;
}

/* ---- The table ------------------------------------------------------------------------- */

#define OPERATORS AND, OR, XOR
#define OF_ALL EQ, NE, LT, LE, GT, GE
#define OF_UNSIGNED OF_ALL, LO, LS, HI, HS
#define OF_NUMBERS OF_ALL, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN

#define SETP(type, ...) \
    { .opcode = PTX_OP_SETP, .types = { PTX_##type }, .allows = PTX_SET(OPERATORS, __VA_ARGS__), \
      .lower = lower_setp }
#define SET(to, type, ...) \
    { .opcode = PTX_OP_SET, .types = { PTX_##to, PTX_##type }, \
      .allows = PTX_SET(OPERATORS, __VA_ARGS__), .lower = lower_set }
#define SET_32(type, ...) \
    SET(U32, type, __VA_ARGS__), SET(S32, type, __VA_ARGS__), SET(F32, type, __VA_ARGS__)
#define SET_16(type, ...) SET(F16, type, __VA_ARGS__), SET(BF16, type, __VA_ARGS__)
#define SET_HALF(type, ...) \
    SET(type, type, __VA_ARGS__), SET(U16, type, __VA_ARGS__), SET(S16, type, __VA_ARGS__), \
    SET(U32, type, __VA_ARGS__), SET(S32, type, __VA_ARGS__)
#define SET_PAIR(type, ...) \
    SET(type, type, __VA_ARGS__), SET(U32, type, __VA_ARGS__), SET(S32, type, __VA_ARGS__)

static const struct ptx_form rows[] = {
    SETP(B16, EQ, NE), SETP(B32, EQ, NE), SETP(B64, EQ, NE),
    SETP(U16, OF_UNSIGNED), SETP(U32, OF_UNSIGNED), SETP(U64, OF_UNSIGNED),
    SETP(S16, OF_ALL), SETP(S32, OF_ALL), SETP(S64, OF_ALL),
    SETP(F32, OF_NUMBERS, FTZ), SETP(F64, OF_NUMBERS),
    SETP(F16, OF_NUMBERS, FTZ), SETP(F16X2, OF_NUMBERS, FTZ),
    SETP(BF16, OF_NUMBERS), SETP(BF16X2, OF_NUMBERS),
    SET_32(B16, EQ, NE), SET_32(B32, EQ, NE), SET_32(B64, EQ, NE),
    SET_32(U16, OF_UNSIGNED), SET_32(U32, OF_UNSIGNED), SET_32(U64, OF_UNSIGNED),
    SET_32(S16, OF_ALL), SET_32(S32, OF_ALL), SET_32(S64, OF_ALL),
    SET_32(F32, OF_NUMBERS, FTZ), SET_32(F64, OF_NUMBERS),
    SET_16(B16, EQ, NE), SET_16(B32, EQ, NE), SET_16(B64, EQ, NE),
    SET_16(U16, OF_UNSIGNED), SET_16(U32, OF_UNSIGNED), SET_16(U64, OF_UNSIGNED),
    SET_16(S16, OF_ALL), SET_16(S32, OF_ALL), SET_16(S64, OF_ALL),
    SET(F16, F32, OF_NUMBERS, FTZ), SET(BF16, F32, OF_NUMBERS), SET_16(F64, OF_NUMBERS),
    SET(BF16, F16, OF_NUMBERS),
    SET_HALF(F16, OF_NUMBERS, FTZ), SET_PAIR(F16X2, OF_NUMBERS, FTZ),
    SET_HALF(BF16, OF_NUMBERS), SET_PAIR(BF16X2, OF_NUMBERS),
};

const struct ptx_forms ptx_compare_forms = { rows, sizeof rows / sizeof *rows };
