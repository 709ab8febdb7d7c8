/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits: logic, shifts, lop3.
 *
 * Most shifts of programs go by a constant: those are steps of their own, since a CPU
 * shifts a vector by one number faster than by many.
 */
#include "ptx/step/bits.h"
#include "ptx/step/lanes.h"

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

/* Looks up the bits of a, b and c in the table: 4, 2 and 1 of its index. */
static void lop3(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t);
    const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t);
    const uint32_t *c = PTX_COLUMN(group, step->c, uint32_t);
    uint32_t t[8];
    for (int i = 0; i < 8; i++) t[i] = (uint32_t)-(step->immediate >> i & 1);
    const uint32_t t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
    const uint32_t t4 = t[4], t5 = t[5], t6 = t[6], t7 = t[7];
    PTX_EACH_LANE(group, i)
        d[i] = chosen(a[i], chosen(b[i], chosen(c[i], t7, t6), chosen(c[i], t5, t4)),
                      chosen(b[i], chosen(c[i], t3, t2), chosen(c[i], t1, t0)));
}

PTX_LANES_2(nonzero_or, uint8_t, uint32_t, uint8_t, (x != 0) | y)
PTX_LANES_2(nonzero_and, uint8_t, uint32_t, uint8_t, (x != 0) & y)

/* ---- Shifts ---------------------------------------------------------------------------- */

#define BY(name, type, value) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        type *d = PTX_COLUMN(group, step->d, type); \
        const type *a = PTX_COLUMN(group, step->a, type); \
        const int by = (int)step->immediate; \
        PTX_EACH_LANE(group, i) d[i] = (type)(value); \
    }

/* A shift by as many bits as there are, or more, leaves nothing, or copies of the sign. */
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

/* Returns two words as one of 64 bits.  A funnel shift is the high half after a shift to the
 * left, or the low one after a shift to the right. */
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
    ROW(SHF, B32, (L, CLAMP), "=000u", shf_l_clamp),
    ROW(SHF, B32, (L, WRAP), "=000u", shf_l_wrap),
    ROW(SHF, B32, (R, CLAMP), "=000u", shf_r_clamp),
    ROW(SHF, B32, (R, WRAP), "=000u", shf_r_wrap),
    ROW(LOP3, B32, (NOTHING), "=0000n", lop3),
};

const struct ptx_forms ptx_bits_forms = { rows, sizeof rows / sizeof *rows };

/* ---- For the lowering -------------------------------------------------------------------- */

#define BOTH_SHIFTS(name) { name, name##_by }

const struct ptx_bits_steps ptx_bits = {
    .shifts = {
        [PTX_SHL_16] = BOTH_SHIFTS(shl_16), [PTX_SHL_32] = BOTH_SHIFTS(shl_32),
        [PTX_SHL_64] = BOTH_SHIFTS(shl_64), [PTX_SHR_U16] = BOTH_SHIFTS(shr_u16),
        [PTX_SHR_U32] = BOTH_SHIFTS(shr_u32), [PTX_SHR_U64] = BOTH_SHIFTS(shr_u64),
        [PTX_SHR_S16] = BOTH_SHIFTS(shr_s16), [PTX_SHR_S32] = BOTH_SHIFTS(shr_s32),
        [PTX_SHR_S64] = BOTH_SHIFTS(shr_s64),
    },
    .lop3 = lop3,
    .nonzero_or = nonzero_or,
    .nonzero_and = nonzero_and,
};
