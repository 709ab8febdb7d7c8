/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits: logic, shifts, three inputs at once, counting and finding.
 *
 * Most shifts of programs go by a constant: those are steps of their own, since a CPU
 * shifts a vector by one number where it may not by many.
 */
#include "ptx/lanes.h"
#include "ptx/lowering.h"

/* ---- Logic ----------------------------------------------------------------------------- */

#define LOGIC(bits) \
    PTX_LANES_2(and_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, x & y) \
    PTX_LANES_2(or_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, x | y) \
    PTX_LANES_2(xor_##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, x ^ y) \
    PTX_LANES_1(not_##bits, uint##bits##_t, uint##bits##_t, ~x) \
    PTX_LANES_1(cnot_##bits, uint##bits##_t, uint##bits##_t, x == 0)
LOGIC(16)
LOGIC(32)
LOGIC(64)

/* Of predicates. */
PTX_LANES_2(and_8, uint8_t, uint8_t, uint8_t, x & y)
PTX_LANES_2(or_8, uint8_t, uint8_t, uint8_t, x | y)
PTX_LANES_2(xor_8, uint8_t, uint8_t, uint8_t, x ^ y)
PTX_LANES_1(not_8, uint8_t, uint8_t, x ^ 1)

static inline uint32_t chosen(uint32_t mask, uint32_t set, uint32_t clear)
{
    return clear ^ (mask & (set ^ clear));
}

/* What the table says of the bits of a, b and c: 4, 2 and 1 of its index. */
static void lop3(struct ptx_front *front, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(front, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(front, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(front, step->b, uint32_t);
    const uint32_t *c = PTX_COLUMN(front, step->c, uint32_t);
    uint32_t t[8];
    for (int i = 0; i < 8; i++) t[i] = (uint32_t)-(step->immediate >> i & 1);
    const uint32_t t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
    const uint32_t t4 = t[4], t5 = t[5], t6 = t[6], t7 = t[7];
    PTX_EACH_LANE(front, i)
        d[i] = chosen(a[i], chosen(b[i], chosen(c[i], t7, t6), chosen(c[i], t5, t4)),
                      chosen(b[i], chosen(c[i], t3, t2), chosen(c[i], t1, t0)));
}

PTX_LANES_2(nonzero_or, uint8_t, uint32_t, uint8_t, (x != 0) | y)
PTX_LANES_2(nonzero_and, uint8_t, uint32_t, uint8_t, (x != 0) & y)

/* lop3.or.b32 d|p, a, b, c, table, q: the lookup, and whether anything is in it. */
static rill_status lower_lop3_bool(struct ptx_lowering *lowering,
                                   const struct ptx_instruction *instruction,
                                   const struct ptx_form *form)
{
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
    if (!status) status = ptx_emit(lowering, instruction, lop3, &step);
    if (status) return status;
    step->d = d, step->a = source[0], step->b = source[1], step->c = source[2];
    step->immediate = table;
    status = ptx_emit(lowering, instruction, form->run, &step);
    if (status) return status;
    step->d = p, step->a = d, step->b = q;
    return RILL_SUCCESS;
}

/* ---- Shifts ---------------------------------------------------------------------------- */

#define BY(name, type, value) \
    static void name(struct ptx_front *front, const struct ptx_step *step) \
    { \
        type *d = PTX_COLUMN(front, step->d, type); \
        const type *a = PTX_COLUMN(front, step->a, type); \
        const int by = (int)step->immediate; \
        PTX_EACH_LANE(front, i) d[i] = (type)(value); \
    }

/* By as many bits as there are, or more: nothing is left, or copies of the sign. */
#define SHIFTS(bits) \
    PTX_LANES_2(shl_##bits, uint##bits##_t, uint##bits##_t, uint32_t, y < bits ? x << y : 0) \
    PTX_LANES_2(shr_u##bits, uint##bits##_t, uint##bits##_t, uint32_t, y < bits ? x >> y : 0) \
    PTX_LANES_2(shr_s##bits, int##bits##_t, int##bits##_t, uint32_t, \
                x >> (y < bits ? y : bits - 1)) \
    BY(shl_##bits##_by, uint##bits##_t, a[i] << by) \
    BY(shr_u##bits##_by, uint##bits##_t, a[i] >> by) \
    BY(shr_s##bits##_by, int##bits##_t, a[i] >> by)
SHIFTS(16)
SHIFTS(32)
SHIFTS(64)

static const struct {
    ptx_run *any, *by;
    int bits;
} shifts[] = {
    { shl_16, shl_16_by, 16 },   { shl_32, shl_32_by, 32 },   { shl_64, shl_64_by, 64 },
    { shr_u16, shr_u16_by, 16 }, { shr_u32, shr_u32_by, 32 }, { shr_u64, shr_u64_by, 64 },
    { shr_s16, shr_s16_by, 16 }, { shr_s32, shr_s32_by, 32 }, { shr_s64, shr_s64_by, 64 },
};

/* shl, shr: d, a, and how far, as a column or a number. */
static rill_status lower_shift(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form)
{
    const struct ptx_operand *operands = instruction->operands;
    if (instruction->operand_count != 3)
        return ptx_lower_fail(lowering, &instruction->place, RILL_ERROR_INVALID_PTX,
                              "a shift has three operands, this one has %u",
                              (unsigned)instruction->operand_count);
    size_t which = 0;
    while (shifts[which].any != form->run) which++;
    uint32_t d, a, b = PTX_NO_COLUMN;
    int64_t by = -1;
    rill_status status =
        ptx_source(lowering, instruction, &operands[1], form->types[0], false, &a);
    if (!status && operands[2].kind == PTX_OPERAND_INTEGER)
        status = ptx_constant(lowering, &operands[2], &by);
    bool known = by >= 0 && by < shifts[which].bits;
    if (!status && !known)
        status = ptx_source(lowering, instruction, &operands[2], PTX_U32, false, &b);
    if (!status)
        status = ptx_destination(lowering, instruction, &operands[0], form->types[0], false, &d);
    struct ptx_step *step;
    if (!status)
        status = ptx_emit(lowering, instruction, known ? shifts[which].by : form->run, &step);
    if (status) return status;
    step->d = d, step->a = a, step->b = b;
    step->immediate = known ? by : 0;
    return RILL_SUCCESS;
}

/* Two words as one of 64 bits, the first the low one, of which the high half is taken once
 * it was shifted to the left, or the low one after a shift to the right. */
static inline uint64_t both(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

#define FUNNEL(name, value) PTX_LANES_3(name, uint32_t, uint32_t, uint32_t, uint32_t, value)
FUNNEL(shf_l_clamp, both(x, y) << (z < 32 ? z : 32) >> 32)
FUNNEL(shf_l_wrap, both(x, y) << (z & 31) >> 32)
FUNNEL(shf_r_clamp, both(x, y) >> (z < 32 ? z : 32))
FUNNEL(shf_r_wrap, both(x, y) >> (z & 31))

/* ---- The table ------------------------------------------------------------------------- */

#define ROW(op, type, mods, like, step) \
    { .opcode = PTX_OP_##op, .types = { PTX_##type }, .needs = PTX_SET mods, \
      .signature = like, .run = step }
#define LOGIC_ROWS(op, like, step) \
    ROW(op, B16, (NOTHING), like, step##_16), ROW(op, B32, (NOTHING), like, step##_32), \
    ROW(op, B64, (NOTHING), like, step##_64)
#define SHIFT(op, type, step) \
    { .opcode = PTX_OP_##op, .types = { PTX_##type }, .run = step, .lower = lower_shift }

static const struct ptx_form rows[] = {
    LOGIC_ROWS(AND, "=000", and),
    LOGIC_ROWS(OR, "=000", or),
    LOGIC_ROWS(XOR, "=000", xor),
    LOGIC_ROWS(NOT, "=00", not),
    LOGIC_ROWS(CNOT, "=00", cnot),
    ROW(AND, PRED, (NOTHING), "=pPP", and_8),
    ROW(OR, PRED, (NOTHING), "=pPP", or_8),
    ROW(XOR, PRED, (NOTHING), "=pPP", xor_8),
    ROW(NOT, PRED, (NOTHING), "=pP", not_8),
    SHIFT(SHL, B16, shl_16), SHIFT(SHL, B32, shl_32), SHIFT(SHL, B64, shl_64),
    SHIFT(SHR, B16, shr_u16), SHIFT(SHR, B32, shr_u32), SHIFT(SHR, B64, shr_u64),
    SHIFT(SHR, U16, shr_u16), SHIFT(SHR, U32, shr_u32), SHIFT(SHR, U64, shr_u64),
    SHIFT(SHR, S16, shr_s16), SHIFT(SHR, S32, shr_s32), SHIFT(SHR, S64, shr_s64),
    ROW(SHF, B32, (L, CLAMP), "=000u", shf_l_clamp),
    ROW(SHF, B32, (L, WRAP), "=000u", shf_l_wrap),
    ROW(SHF, B32, (R, CLAMP), "=000u", shf_r_clamp),
    ROW(SHF, B32, (R, WRAP), "=000u", shf_r_wrap),
    ROW(LOP3, B32, (NOTHING), "=0000n", lop3),
    { .opcode = PTX_OP_LOP3, .types = { PTX_B32 }, .needs = PTX_SET(OR), .run = nonzero_or,
      .lower = lower_lop3_bool },
    { .opcode = PTX_OP_LOP3, .types = { PTX_B32 }, .needs = PTX_SET(AND), .run = nonzero_and,
      .lower = lower_lop3_bool },
};

const struct ptx_forms ptx_bits_forms = { rows, sizeof rows / sizeof *rows };
