/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons: setp and set.
 *
 * For each type there are steps for a few questions; the others are those with the
 * sources exchanged or the answer negated.  f16 and bf16 are compared as f32, which has
 * all their values.  A further predicate comes in with a step of its own, through a
 * column for the comparison, so that p|q may be the predicates that are read.
 */
#include "ptx/half_float.h"
#include "ptx/lanes.h"
#include "ptx/lowering.h"

#define INVALID RILL_ERROR_INVALID_PTX

/* ---- Questions ------------------------------------------------------------------------- */

/* `value` of x and y, which are `read` of this lane's sources; the step's kind negates it. */
#define QUESTION(name, type, of, read, value) \
    static void name(struct ptx_front *front, const struct ptx_step *step) \
    { \
        uint8_t *d = PTX_COLUMN(front, step->d, uint8_t); \
        const type *a = PTX_COLUMN(front, step->a, type); \
        const type *b = PTX_COLUMN(front, step->b, type); \
        const uint8_t negated = step->kind; \
        PTX_EACH_LANE(front, i) { \
            of x = read(a[i]), y = read(b[i]); \
            d[i] = (uint8_t)((value) ^ negated); \
        } \
    }

/* Of two halves: the low ones into d, the high ones into e. */
#define QUESTION_2(name, of, read, value) \
    static inline uint8_t name##_half(of x, of y) \
    { \
        return (uint8_t)(value); \
    } \
    static void name(struct ptx_front *front, const struct ptx_step *step) \
    { \
        uint8_t *d = PTX_COLUMN(front, step->d, uint8_t); \
        uint8_t *e = PTX_COLUMN(front, step->e, uint8_t); \
        const uint32_t *a = PTX_COLUMN(front, step->a, uint32_t); \
        const uint32_t *b = PTX_COLUMN(front, step->b, uint32_t); \
        const uint8_t negated = step->kind; \
        PTX_EACH_LANE(front, i) { \
            d[i] = name##_half(read((uint16_t)a[i]), read((uint16_t)b[i])) ^ negated; \
            e[i] = name##_half(read((uint16_t)(a[i] >> 16)), read((uint16_t)(b[i] >> 16))) ^ \
                   negated; \
        } \
    }

#define OF_INTEGERS(name, type) \
    QUESTION(less_##name, type, type, , x < y) \
    QUESTION(least_##name, type, type, , x <= y)
#define OF_BITS(bits) \
    QUESTION(equal_##bits, uint##bits##_t, uint##bits##_t, , x == y) \
    QUESTION(apart_##bits, uint##bits##_t, uint##bits##_t, , x != y)
OF_BITS(16)
OF_BITS(32)
OF_BITS(64)
OF_INTEGERS(u16, uint16_t)
OF_INTEGERS(u32, uint32_t)
OF_INTEGERS(u64, uint64_t)
OF_INTEGERS(s16, int16_t)
OF_INTEGERS(s32, int32_t)
OF_INTEGERS(s64, int64_t)

/* Numbers: neither of them is NaN; apart: less or greater. */
#define OF_FLOATS(name, type, of, read) \
    QUESTION(equal_##name, type, of, read, x == y) \
    QUESTION(less_##name, type, of, read, x < y) \
    QUESTION(least_##name, type, of, read, x <= y) \
    QUESTION(apart_##name, type, of, read, (x < y) | (x > y)) \
    QUESTION(numbers_##name, type, of, read, (x == x) & (y == y))
#define OF_PAIRS(name, read) \
    QUESTION_2(equal_##name, float, read, x == y) \
    QUESTION_2(less_##name, float, read, x < y) \
    QUESTION_2(least_##name, float, read, x <= y) \
    QUESTION_2(apart_##name, float, read, (x < y) | (x > y)) \
    QUESTION_2(numbers_##name, float, read, (x == x) & (y == y))

static inline float half_flushed(uint16_t half)
{
    return half_value(half & HALF_INFINITY ? half : half & HALF_SIGN);
}

OF_FLOATS(f32, float, float, )
OF_FLOATS(f32_ftz, float, float, single_flushed)
OF_FLOATS(f64, double, double, )
OF_FLOATS(f16, uint16_t, float, half_value)
OF_FLOATS(f16_ftz, uint16_t, float, half_flushed)
OF_FLOATS(bf16, uint16_t, float, bfloat_value)
OF_PAIRS(f16x2, half_value)
OF_PAIRS(f16x2_ftz, half_flushed)
OF_PAIRS(bf16x2, bfloat_value)

enum question { EQUAL, LESS, LEAST, APART, NUMBERS, QUESTIONS };

#define INTEGERS(name, bits) { equal_##bits, less_##name, least_##name, apart_##bits, NULL }
#define FLOATS(name) { equal_##name, less_##name, least_##name, apart_##name, numbers_##name }

static ptx_run *const questions[][QUESTIONS] = {
    [PTX_B16] = { equal_16, NULL, NULL, apart_16, NULL },
    [PTX_B32] = { equal_32, NULL, NULL, apart_32, NULL },
    [PTX_B64] = { equal_64, NULL, NULL, apart_64, NULL },
    [PTX_U16] = INTEGERS(u16, 16), [PTX_U32] = INTEGERS(u32, 32), [PTX_U64] = INTEGERS(u64, 64),
    [PTX_S16] = INTEGERS(s16, 16), [PTX_S32] = INTEGERS(s32, 32), [PTX_S64] = INTEGERS(s64, 64),
    [PTX_F16] = FLOATS(f16), [PTX_F16X2] = FLOATS(f16x2),
    [PTX_BF16] = FLOATS(bf16), [PTX_BF16X2] = FLOATS(bf16x2),
    [PTX_F32] = FLOATS(f32), [PTX_F64] = FLOATS(f64),
};

static ptx_run *const flushing_questions[][QUESTIONS] = {
    [PTX_F16] = FLOATS(f16_ftz), [PTX_F16X2] = FLOATS(f16x2_ftz), [PTX_F32] = FLOATS(f32_ftz),
};

/* How a comparison is asked for; those for unsigned numbers have words of their own, too. */
static const struct comparison {
    uint8_t word, question;
    bool exchanged, negated, unsigned_only;
} comparisons[] = {
    { PTX_MOD_EQ, EQUAL, 0, 0, 0 },   { PTX_MOD_NE, APART, 0, 0, 0 },
    { PTX_MOD_LT, LESS, 0, 0, 0 },    { PTX_MOD_LE, LEAST, 0, 0, 0 },
    { PTX_MOD_GT, LESS, 1, 0, 0 },    { PTX_MOD_GE, LEAST, 1, 0, 0 },
    { PTX_MOD_LO, LESS, 0, 0, 1 },    { PTX_MOD_LS, LEAST, 0, 0, 1 },
    { PTX_MOD_HI, LESS, 1, 0, 1 },    { PTX_MOD_HS, LEAST, 1, 0, 1 },
    { PTX_MOD_NUM, NUMBERS, 0, 0, 0 }, { PTX_MOD_NAN, NUMBERS, 0, 1, 0 },
    { PTX_MOD_EQU, APART, 0, 1, 0 },  { PTX_MOD_NEU, EQUAL, 0, 1, 0 },
    { PTX_MOD_LTU, LEAST, 1, 1, 0 },  { PTX_MOD_LEU, LESS, 1, 1, 0 },
    { PTX_MOD_GTU, LEAST, 0, 1, 0 },  { PTX_MOD_GEU, LESS, 0, 1, 0 },
};

/* ---- What is done with an answer ------------------------------------------------------- */

/* Of a and b, which may be the answers for two halves, with the predicate c. */
#define COMBINED(name, operator) \
    PTX_LANES_2(name, uint8_t, uint8_t, uint8_t, x operator y) \
    static void name##_both(struct ptx_front *front, const struct ptx_step *step) \
    { \
        uint8_t *d = PTX_COLUMN(front, step->d, uint8_t); \
        uint8_t *e = PTX_COLUMN(front, step->e, uint8_t); \
        const uint8_t *a = PTX_COLUMN(front, step->a, uint8_t); \
        const uint8_t *b = PTX_COLUMN(front, step->b, uint8_t); \
        const uint8_t *c = PTX_COLUMN(front, step->c, uint8_t); \
        PTX_EACH_LANE(front, i) { \
            const uint8_t further = c[i]; \
            d[i] = a[i] operator further; \
            e[i] = b[i] operator further; \
        } \
    }
COMBINED(with_and, &)
COMBINED(with_or, |)
COMBINED(with_xor, ^)

static const struct combination {
    uint8_t word;
    ptx_run *one, *both;
} combinations[] = {
    { PTX_MOD_AND, with_and, with_and_both },
    { PTX_MOD_OR, with_or, with_or_both },
    { PTX_MOD_XOR, with_xor, with_xor_both },
};

PTX_LANES_1(negated, uint8_t, uint8_t, x ^ 1)

static void both_answers(struct ptx_front *front, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(front, step->d, uint8_t);
    uint8_t *e = PTX_COLUMN(front, step->e, uint8_t);
    const uint8_t *a = PTX_COLUMN(front, step->a, uint8_t);
    PTX_EACH_LANE(front, i) {
        const uint8_t answer = a[i];
        d[i] = answer;
        e[i] = answer ^ 1;
    }
}

/* set: a number for yes, else 0; of pairs: one for each half. */
#define NUMBER(name, type) \
    static void name(struct ptx_front *front, const struct ptx_step *step) \
    { \
        type *d = PTX_COLUMN(front, step->d, type); \
        const uint8_t *a = PTX_COLUMN(front, step->a, uint8_t); \
        const type yes = (type)step->immediate; \
        PTX_EACH_LANE(front, i) d[i] = a[i] ? yes : 0; \
    }
NUMBER(number_16, uint16_t)
NUMBER(number_32, uint32_t)

static void number_pair(struct ptx_front *front, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(front, step->d, uint32_t);
    const uint8_t *a = PTX_COLUMN(front, step->a, uint8_t);
    const uint8_t *b = PTX_COLUMN(front, step->b, uint8_t);
    const uint32_t low = (uint32_t)step->immediate & 0xffff, high = low << 16;
    PTX_EACH_LANE(front, i) d[i] = (a[i] ? low : 0) | (b[i] ? high : 0);
}

/* ---- Lowering setp and set ------------------------------------------------------------- */

/* An instruction that compares. */
struct asked {
    const struct comparison *comparison;
    const struct combination *combination; /* NULL: there is no further predicate          */
    ptx_run *run;
    enum ptx_type type;                    /* of what is compared                          */
    bool pair;                             /* two answers                                  */
    uint32_t a, b, further;
};

static rill_status understand(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction, struct asked *asked)
{
    const struct ptx_modifiers *said = &instruction->modifiers;
    unsigned words = 0, operators = 0;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (ptx_has(said, comparisons[i].word)) words++, asked->comparison = &comparisons[i];
    for (size_t i = 0; i < sizeof combinations / sizeof *combinations; i++)
        if (ptx_has(said, combinations[i].word)) operators++, asked->combination = &combinations[i];
    if (words != 1 || operators > 1)
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there must be one comparison and at most one operator");
    ptx_run *const(*table)[QUESTIONS] = ptx_has(said, PTX_MOD_FTZ) ? flushing_questions : questions;
    asked->run = table[asked->type][asked->comparison->question];
    asked->pair = asked->type == PTX_F16X2 || asked->type == PTX_BF16X2;
    const bool unsigned_type = asked->type == PTX_U16 || asked->type == PTX_U32 ||
                               asked->type == PTX_U64;
    if (!asked->run || (asked->comparison->unsigned_only && !unsigned_type))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "numbers of .%s cannot be compared so",
                              ptx_type_word(asked->type));
    if (instruction->operand_count != (asked->combination ? 4 : 3))
        return ptx_lower_fail(lowering, &instruction->place, INVALID,
                              "there are %u operands where there should be %d",
                              (unsigned)instruction->operand_count, asked->combination ? 4 : 3);
    return RILL_SUCCESS;
}

static rill_status sources(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, struct asked *asked)
{
    const struct ptx_operand *operands = instruction->operands;
    rill_status status =
        ptx_source(lowering, instruction, &operands[1], asked->type, false, &asked->a);
    if (!status)
        status = ptx_source(lowering, instruction, &operands[2], asked->type, false, &asked->b);
    if (!status && asked->combination)
        status = ptx_source(lowering, instruction, &operands[3], PTX_PRED, false,
                            &asked->further);
    return status;
}

/* The step that compares, into p and, of pairs, q. */
static rill_status compare(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction, const struct asked *asked,
                           uint32_t p, uint32_t q)
{
    struct ptx_step *step;
    rill_status status = ptx_emit(lowering, instruction, asked->run, &step);
    if (status) return status;
    const bool exchanged = asked->comparison->exchanged;
    step->d = p, step->e = asked->pair ? q : PTX_NO_COLUMN;
    step->a = exchanged ? asked->b : asked->a;
    step->b = exchanged ? asked->a : asked->b;
    step->kind = asked->comparison->negated;
    return RILL_SUCCESS;
}

/* A step of predicates. */
static rill_status emit(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                        ptx_run *run, const uint32_t columns[5])
{
    struct ptx_step *step;
    rill_status status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = columns[0], step->e = columns[1];
    step->a = columns[2], step->b = columns[3], step->c = columns[4];
    return RILL_SUCCESS;
}

/* Compares into p, and into q where there is one (of a pair there is): what a single
 * comparison says no to is yes there.  The last step alone writes them. */
static rill_status answer(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                          const struct asked *asked, uint32_t p, uint32_t q)
{
    const uint32_t no = PTX_NO_COLUMN;
    const bool two = q != no;
    if (!asked->combination && (asked->pair || !two))
        return compare(lowering, instruction, asked, p, q);
    uint32_t first, second = no;
    rill_status status = ptx_new_column(lowering, 1, &first);
    if (!status && two) status = ptx_new_column(lowering, 1, &second);
    if (!status) status = compare(lowering, instruction, asked, first, second);
    if (status) return status;
    if (!asked->combination)
        return emit(lowering, instruction, both_answers, (uint32_t[]){ p, q, first, no, no });
    if (!two)
        return emit(lowering, instruction, asked->combination->one,
                    (uint32_t[]){ p, no, first, asked->further, no });
    if (!asked->pair)
        status = emit(lowering, instruction, negated, (uint32_t[]){ second, no, first, no, no });
    if (status) return status;
    return emit(lowering, instruction, asked->combination->both,
                (uint32_t[]){ p, q, first, second, asked->further });
}

static rill_status lower_setp(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_form *form)
{
    struct asked asked = { .type = form->types[0] };
    rill_status status = understand(lowering, instruction, &asked);
    if (status) return status;
    const struct ptx_operand *to = instruction->operands;
    const bool two = to->kind == PTX_OPERAND_PAIR && to->list_count == 2;
    uint32_t p, q = PTX_NO_COLUMN;
    status = sources(lowering, instruction, &asked);
    if (!status)
        status = ptx_destination(lowering, instruction, two ? &to->list[0] : to, PTX_PRED, false,
                                 &p);
    if (!status && two)
        status = ptx_destination(lowering, instruction, &to->list[1], PTX_PRED, false, &q);
    else if (!status && asked.pair)
        status = ptx_new_column(lowering, 1, &q);
    return status ? status : answer(lowering, instruction, &asked, p, q);
}

/* What yes is in a type. */
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
    rill_status status = understand(lowering, instruction, &asked);
    uint32_t d, p, q = PTX_NO_COLUMN;
    if (!status) status = sources(lowering, instruction, &asked);
    if (!status)
        status = ptx_destination(lowering, instruction, instruction->operands, form->types[0],
                                 false, &d);
    if (!status) status = ptx_new_column(lowering, 1, &p);
    if (!status && asked.pair) status = ptx_new_column(lowering, 1, &q);
    if (!status) status = answer(lowering, instruction, &asked, p, q);
    struct ptx_step *step;
    ptx_run *run = asked.pair ? number_pair
                   : ptx_type_bytes(form->types[0]) == 2 ? number_16 : number_32;
    if (!status) status = ptx_emit(lowering, instruction, run, &step);
    if (status) return status;
    step->d = d, step->a = p, step->b = q;
    step->immediate = yes_of(form->types[0]);
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
    SET_HALF(F16, OF_NUMBERS, FTZ), SET_PAIR(F16X2, OF_NUMBERS, FTZ),
    SET_HALF(BF16, OF_NUMBERS), SET_PAIR(BF16X2, OF_NUMBERS),
};

const struct ptx_forms ptx_compare_forms = { rows, sizeof rows / sizeof *rows };
