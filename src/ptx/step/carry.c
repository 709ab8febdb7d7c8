/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of many words: sums with a carry, which is a predicate's column of the frame,
 * in `e`.  And sums of products of the parts of a word: dp4a and dp2a.
 */
#include "base/wide.h"
#include "ptx/step/lanes.h"

/* ---- Carries --------------------------------------------------------------------------- */

/* What a form does with the carry: the step's `kind`. */
enum { READS = 1, WRITES = 2 };

/* There is one flag for sums and differences, as measured: a difference is x + ~y + 1, whose
 * carry is set if nothing was borrowed.  `unread` replaces it in forms that read none. */
#define SUM(name, type, of_y, unread) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        type *d = PTX_COLUMN(group, step->d, type); \
        const type *a = PTX_COLUMN(group, step->a, type); \
        const type *b = PTX_COLUMN(group, step->b, type); \
        uint8_t *carry = PTX_COLUMN(group, step->e, uint8_t); \
        const uint8_t reads = step->kind & READS, keeps = step->kind & WRITES ? 0 : 1; \
        const uint8_t fixed = reads ? 0 : unread; \
        PTX_EACH_LANE(group, i) { \
            type x = a[i], y = of_y b[i], carried = (carry[i] & reads) | fixed; \
            type result = x + y + carried; \
            type next = (result < x) | ((result == x) & carried); \
            d[i] = result; \
            carry[i] = (carry[i] & keeps) | (next & ~keeps & 1); \
        } \
    }

#define SUMS(bits) \
    SUM(add_##bits, uint##bits##_t, , 0) \
    SUM(sub_##bits, uint##bits##_t, ~, 1)
SUMS(32)
SUMS(64)

/* Half of a product, and z. */
#define PRODUCT(name, type, half) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        type *d = PTX_COLUMN(group, step->d, type); \
        const type *a = PTX_COLUMN(group, step->a, type); \
        const type *b = PTX_COLUMN(group, step->b, type); \
        const type *c = PTX_COLUMN(group, step->c, type); \
        uint8_t *carry = PTX_COLUMN(group, step->e, uint8_t); \
        const uint8_t reads = step->kind & READS, keeps = step->kind & WRITES ? 0 : 1; \
        PTX_EACH_LANE(group, i) { \
            type x = a[i], y = b[i], z = c[i], part = half, sum = part + z; \
            type result = sum + (carry[i] & reads); \
            d[i] = result; \
            carry[i] = (carry[i] & keeps) | (((sum < part) | (result < sum)) & ~keeps & 1); \
        } \
    }
PRODUCT(mad_lo_32, uint32_t, x * y)
PRODUCT(mad_lo_64, uint64_t, x * y)
PRODUCT(mad_hi_u32, uint32_t, (uint32_t)((uint64_t)x * y >> 32))
PRODUCT(mad_hi_u64, uint64_t, rl_multiply(x, y).high)
PRODUCT(mad_hi_s32, uint32_t, (uint32_t)((int64_t)(int32_t)x * (int32_t)y >> 32))
PRODUCT(mad_hi_s64, uint64_t, rl_multiply_signed((int64_t)x, (int64_t)y).high)

/* As measured, the upper half of a product of 16 bits is what lies above 32 bits of it. */
PRODUCT(mad_lo_16, uint16_t, (uint16_t)((uint32_t)x * y))
PRODUCT(mad_hi_u16, uint16_t, (uint16_t)((uint64_t)x * y >> 32))
PRODUCT(mad_hi_s16, uint16_t, (uint16_t)((int64_t)(int16_t)x * (int16_t)y >> 32))

/* ---- Products of parts ----------------------------------------------------------------- */

/* Byte or half n of a word. */
#define U8(x, n) ((int32_t)((x) >> (8 * (n)) & 255))
#define S8(x, n) ((int32_t)((x) << (24 - 8 * (n))) >> 24)
#define U16(x, n) ((int32_t)((x) >> (16 * (n)) & 65535))
#define S16(x, n) ((int32_t)((x) << (16 - 16 * (n))) >> 16)

#define DP4A(name, of_a, of_b) \
    PTX_LANES_3(name, uint32_t, uint32_t, uint32_t, uint32_t, \
                z + (uint32_t)(of_a(x, 0) * of_b(y, 0) + of_a(x, 1) * of_b(y, 1) + \
                               of_a(x, 2) * of_b(y, 2) + of_a(x, 3) * of_b(y, 3)))
DP4A(dp4a_uu, U8, U8)
DP4A(dp4a_us, U8, S8)
DP4A(dp4a_su, S8, U8)
DP4A(dp4a_ss, S8, S8)

/* The halves of a with the low or the high two bytes of b. */
#define DP2A(name, of_a, of_b) \
    PTX_LANES_3(name##_lo, uint32_t, uint32_t, uint32_t, uint32_t, \
                z + (uint32_t)(of_a(x, 0) * of_b(y, 0) + of_a(x, 1) * of_b(y, 1))) \
    PTX_LANES_3(name##_hi, uint32_t, uint32_t, uint32_t, uint32_t, \
                z + (uint32_t)(of_a(x, 0) * of_b(y, 2) + of_a(x, 1) * of_b(y, 3)))
DP2A(dp2a_uu, U16, U8)
DP2A(dp2a_us, U16, S8)
DP2A(dp2a_su, S16, U8)
DP2A(dp2a_ss, S16, S8)

/* ---- The table ------------------------------------------------------------------------- */

#define ROW(op, type, mods, uses, like, step) \
    { .opcode = PTX_OP_##op, .types = { PTX_##type }, .needs = PTX_SET mods, .kind = uses, \
      .signature = like, .run = step }
#define SUM_ROWS(op, mods, uses, step) \
    ROW(op, U32, mods, uses, "=000c", step##_32), ROW(op, S32, mods, uses, "=000c", step##_32), \
    ROW(op, U64, mods, uses, "=000c", step##_64), ROW(op, S64, mods, uses, "=000c", step##_64)
#define LOW_ROWS(op, mods, uses) \
    ROW(op, U32, mods, uses, "=0000c", mad_lo_32), ROW(op, S32, mods, uses, "=0000c", mad_lo_32), \
    ROW(op, U64, mods, uses, "=0000c", mad_lo_64), ROW(op, S64, mods, uses, "=0000c", mad_lo_64)
#define HIGH_ROWS(op, mods, uses) \
    ROW(op, U32, mods, uses, "=0000c", mad_hi_u32), \
    ROW(op, S32, mods, uses, "=0000c", mad_hi_s32), \
    ROW(op, U64, mods, uses, "=0000c", mad_hi_u64), \
    ROW(op, S64, mods, uses, "=0000c", mad_hi_s64)
#define DOT(op, of_a, of_b, mods, step) \
    { .opcode = PTX_OP_##op, .types = { PTX_##of_a, PTX_##of_b }, .needs = PTX_SET mods, \
      .signature = "=uuuu", .run = step }

static const struct ptx_form rows[] = {
    SUM_ROWS(ADD, (CC), WRITES, add),
    SUM_ROWS(ADDC, (NOTHING), READS, add),
    SUM_ROWS(ADDC, (CC), READS | WRITES, add),
    SUM_ROWS(SUB, (CC), WRITES, sub),
    SUM_ROWS(SUBC, (NOTHING), READS, sub),
    SUM_ROWS(SUBC, (CC), READS | WRITES, sub),
    LOW_ROWS(MAD, (LO, CC), WRITES),
    LOW_ROWS(MADC, (LO), READS),
    ROW(MADC, U16, (LO), READS, "=0000c", mad_lo_16),
    ROW(MADC, S16, (LO), READS, "=0000c", mad_lo_16),
    ROW(MADC, U16, (HI), READS, "=0000c", mad_hi_u16),
    ROW(MADC, S16, (HI), READS, "=0000c", mad_hi_s16),
    LOW_ROWS(MADC, (LO, CC), READS | WRITES),
    HIGH_ROWS(MAD, (HI, CC), WRITES),
    HIGH_ROWS(MADC, (HI), READS),
    HIGH_ROWS(MADC, (HI, CC), READS | WRITES),
    DOT(DP4A, U32, U32, (NOTHING), dp4a_uu), DOT(DP4A, U32, S32, (NOTHING), dp4a_us),
    DOT(DP4A, S32, U32, (NOTHING), dp4a_su), DOT(DP4A, S32, S32, (NOTHING), dp4a_ss),
    DOT(DP2A, U32, U32, (LO), dp2a_uu_lo), DOT(DP2A, U32, S32, (LO), dp2a_us_lo),
    DOT(DP2A, S32, U32, (LO), dp2a_su_lo), DOT(DP2A, S32, S32, (LO), dp2a_ss_lo),
    DOT(DP2A, U32, U32, (HI), dp2a_uu_hi), DOT(DP2A, U32, S32, (HI), dp2a_us_hi),
    DOT(DP2A, S32, U32, (HI), dp2a_su_hi), DOT(DP2A, S32, S32, (HI), dp2a_ss_hi),
};

const struct ptx_forms ptx_carry_forms = { rows, sizeof rows / sizeof *rows };
