/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of bits and bytes: extracting, inserting, counting, finding, permuting.
 */
#include "ptx/step/lanes.h"

/* Returns the low `count` bits. */
static inline uint32_t ones_32(uint32_t count)
{
    return count < 32 ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
}

static inline uint64_t ones_64(uint32_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* ---- bfe, bfi, bmsk, szext ------------------------------------------------------------- */

/* As measured, all that `mask` leaves of position and length counts: for 32 bits the low
 * byte, for 64 everything.  The bits above the number are 0, or its sign. */
#define FIELDS(bits, mask) \
    static inline uint##bits##_t field_u##bits(uint##bits##_t x, uint32_t at, uint32_t count) \
    { \
        return (at < bits ? x >> at : 0) & ones_##bits(count); \
    } \
    static inline uint##bits##_t field_s##bits(int##bits##_t x, uint32_t at, uint32_t count) \
    { \
        if (count == 0) return 0; \
        uint##bits##_t field = (uint##bits##_t)(x >> (at < bits ? at : bits - 1)); \
        uint32_t above = count < bits ? bits - count : 0; \
        return (uint##bits##_t)((int##bits##_t)(field << above) >> above); \
    } \
    static inline uint##bits##_t with_field_##bits(uint##bits##_t x, uint##bits##_t base, \
                                                   uint32_t at, uint32_t count) \
    { \
        if (at >= bits) return base; \
        uint##bits##_t field = ones_##bits(count) << at; \
        return (base & ~field) | (x << at & field); \
    } \
    PTX_LANES_3(bfe_u##bits, uint##bits##_t, uint##bits##_t, uint32_t, uint32_t, \
                field_u##bits(x, y & mask, z & mask)) \
    PTX_LANES_3(bfe_s##bits, uint##bits##_t, int##bits##_t, uint32_t, uint32_t, \
                field_s##bits(x, y & mask, z & mask)) \
    static void bfi_##bits(struct ptx_group *group, const struct ptx_step *step) \
    { \
        uint##bits##_t *d = PTX_COLUMN(group, step->d, uint##bits##_t); \
        const uint##bits##_t *a = PTX_COLUMN(group, step->a, uint##bits##_t); \
        const uint##bits##_t *b = PTX_COLUMN(group, step->b, uint##bits##_t); \
        const uint32_t *at = PTX_COLUMN(group, step->c, uint32_t); \
        const uint32_t *count = PTX_COLUMN(group, step->e, uint32_t); \
        PTX_EACH_LANE(group, i) \
            d[i] = with_field_##bits(a[i], b[i], at[i] & mask, count[i] & mask); \
    }
FIELDS(32, 255)
FIELDS(64, UINT32_MAX)

PTX_LANES_2(bmsk_clamp, uint32_t, uint32_t, uint32_t, x < 32 ? ones_32(y) << x : 0)
PTX_LANES_2(bmsk_wrap, uint32_t, uint32_t, uint32_t, ones_32(y & 31) << (x & 31))

/* The low bits of a number, extended to 32; 0 for none of its bits. */
PTX_LANES_2(szext_clamp_u32, uint32_t, uint32_t, uint32_t, x & ones_32(y))
PTX_LANES_2(szext_wrap_u32, uint32_t, uint32_t, uint32_t, x & ones_32(y & 31))
PTX_LANES_2(szext_clamp_s32, uint32_t, int32_t, uint32_t, field_s32(x, 0, y))
PTX_LANES_2(szext_wrap_s32, uint32_t, int32_t, uint32_t, field_s32(x, 0, y & 31))

/* ---- Counting and finding -------------------------------------------------------------- */

static inline uint32_t popc_of_32(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    x += x >> 8;
    return (x + (x >> 16)) & 0x3f;
}

static inline uint32_t popc_of_64(uint64_t x)
{
    return popc_of_32((uint32_t)x) + popc_of_32((uint32_t)(x >> 32));
}

static inline uint32_t clz_of_32(uint32_t x)
{
    return x ? (uint32_t)__builtin_clz(x) : 32;
}

static inline uint32_t clz_of_64(uint64_t x)
{
    return x ? (uint32_t)__builtin_clzll(x) : 64;
}

static inline uint32_t swapped_bytes(uint32_t x)
{
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

static inline uint32_t brev_of_32(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return swapped_bytes(x);
}

PTX_LANES_1(popc_32, uint32_t, uint32_t, popc_of_32(x))
PTX_LANES_1(popc_64, uint32_t, uint64_t, popc_of_64(x))
PTX_LANES_1(clz_32, uint32_t, uint32_t, clz_of_32(x))
PTX_LANES_1(clz_64, uint32_t, uint64_t, clz_of_64(x))
PTX_LANES_1(brev_32, uint32_t, uint32_t, brev_of_32(x))
PTX_LANES_1(brev_64, uint64_t, uint64_t,
            (uint64_t)brev_of_32((uint32_t)x) << 32 | brev_of_32((uint32_t)(x >> 32)))

/* The highest bit that differs from the sign (for unsigned numbers from 0), or the distance
 * by which it would have to be shifted to be the first; all bits set if there is none. */
#define FIND(bits) \
    static inline uint32_t highest_##bits(uint##bits##_t x) \
    { \
        return x ? bits - 1 - clz_of_##bits(x) : UINT32_MAX; \
    } \
    static inline uint32_t distance_##bits(uint##bits##_t x) \
    { \
        return x ? clz_of_##bits(x) : UINT32_MAX; \
    } \
    PTX_LANES_1(bfind_u##bits, uint32_t, uint##bits##_t, highest_##bits(x)) \
    PTX_LANES_1(bfind_s##bits, uint32_t, int##bits##_t, \
                highest_##bits((uint##bits##_t)(x ^ x >> (bits - 1)))) \
    PTX_LANES_1(bfind_shift_u##bits, uint32_t, uint##bits##_t, distance_##bits(x)) \
    PTX_LANES_1(bfind_shift_s##bits, uint32_t, int##bits##_t, \
                distance_##bits((uint##bits##_t)(x ^ x >> (bits - 1))))
FIND(32)
FIND(64)

/* Returns the n-th bit that is set, upwards or downwards from `base` on, which counts, too. */
static uint32_t nth_set(uint32_t mask, uint32_t base, int32_t n)
{
    if (base > 31) return UINT32_MAX;
    if (n == 0) return mask >> base & 1 ? base : UINT32_MAX;
    int direction = n > 0 ? 1 : -1;
    int64_t left = n > 0 ? n : -(int64_t)n;
    for (int at = (int)base; at >= 0 && at < 32; at += direction)
        if ((mask >> at & 1) && --left == 0) return (uint32_t)at;
    return UINT32_MAX;
}

PTX_LANES_3(fns, uint32_t, uint32_t, uint32_t, int32_t, nth_set(x, y, z))

/* ---- prmt ------------------------------------------------------------------------------ */

/* Picks four bytes out of eight by four bits each; the highest of the four asks for copies of
 * the byte's sign. */
static inline uint32_t permuted(uint32_t low, uint32_t high, uint32_t selector)
{
    uint64_t bytes = (uint64_t)high << 32 | low;
    uint32_t all = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t select = selector >> (4 * i);
        uint32_t byte = (uint32_t)(bytes >> (8 * (select & 7))) & 255;
        uint32_t sign = (uint32_t)-(byte >> 7) & 255;
        all |= (select & 8 ? sign : byte) << (8 * i);
    }
    return all;
}

/* The named modes have a selector for each value of the low two bits of c. */
static const uint16_t selectors[][4] = {
    { 0x3210, 0x4321, 0x5432, 0x6543 }, /* f4e: four bytes upwards    */
    { 0x5670, 0x6701, 0x7012, 0x0123 }, /* b4e: downwards             */
    { 0x0000, 0x1111, 0x2222, 0x3333 }, /* rc8: a byte four times     */
    { 0x3210, 0x3211, 0x3222, 0x3333 }, /* ecl: clamped to the left   */
    { 0x0000, 0x1110, 0x2210, 0x3210 }, /* ecr: and to the right      */
    { 0x1010, 0x3232, 0x1010, 0x3232 }, /* rc16: a half twice         */
};

#define PERMUTE(name, selector) \
    PTX_LANES_3(name, uint32_t, uint32_t, uint32_t, uint32_t, permuted(x, y, selector))
PERMUTE(prmt, z)
PERMUTE(prmt_f4e, selectors[0][z & 3])
PERMUTE(prmt_b4e, selectors[1][z & 3])
PERMUTE(prmt_rc8, selectors[2][z & 3])
PERMUTE(prmt_ecl, selectors[3][z & 3])
PERMUTE(prmt_ecr, selectors[4][z & 3])
PERMUTE(prmt_rc16, selectors[5][z & 3])

/* ---- cvt.pack --------------------------------------------------------------------------- */

static inline uint32_t packed(int32_t x, int32_t low, int32_t high, unsigned bits)
{
    return (uint32_t)(x < low ? low : x > high ? high : x) & ((UINT32_C(1) << bits) - 1);
}

/* Two numbers of few bits, x above y; z goes above both as far as there is room. */
#define PACK(type, low, high, bits)                                                        \
    PTX_LANES_3(pack_##type, uint32_t, int32_t, int32_t, uint32_t,                         \
                z << 2 * (bits) | packed(x, low, high, bits) << (bits) |                   \
                    packed(y, low, high, bits))
PACK(u8, 0, 255, 8)
PACK(s8, -128, 127, 8)
PACK(u4, 0, 15, 4)
PACK(s4, -8, 7, 4)
PACK(u2, 0, 3, 2)
PACK(s2, -2, 1, 2)
PTX_LANES_2(pack_u16, uint32_t, int32_t, int32_t,
            packed(x, 0, 65535, 16) << 16 | packed(y, 0, 65535, 16))
PTX_LANES_2(pack_s16, uint32_t, int32_t, int32_t,
            packed(x, -32768, 32767, 16) << 16 | packed(y, -32768, 32767, 16))

/* ---- The table ------------------------------------------------------------------------- */

#define ROW(op, type, mods, like, step) \
    { .opcode = PTX_OP_##op, .types = { PTX_##type }, .needs = PTX_SET mods, \
      .signature = like, .run = step }

#define PACK_ROW(type, third, like, step) \
    { .opcode = PTX_OP_CVT, .types = { PTX_##type, PTX_S32, third }, \
      .needs = PTX_SET(PACK, SAT), .signature = like, .run = step }

static const struct ptx_form rows[] = {
    ROW(BFE, U32, (NOTHING), "=00uu", bfe_u32),
    ROW(BFE, S32, (NOTHING), "=00uu", bfe_s32),
    ROW(BFE, U64, (NOTHING), "=00uu", bfe_u64),
    ROW(BFE, S64, (NOTHING), "=00uu", bfe_s64),
    ROW(BFI, B32, (NOTHING), "=000uu", bfi_32),
    ROW(BFI, B64, (NOTHING), "=000uu", bfi_64),
    ROW(BMSK, B32, (CLAMP), "=000", bmsk_clamp),
    ROW(BMSK, B32, (WRAP), "=000", bmsk_wrap),
    ROW(SZEXT, U32, (CLAMP), "=00u", szext_clamp_u32),
    ROW(SZEXT, S32, (CLAMP), "=00u", szext_clamp_s32),
    ROW(SZEXT, U32, (WRAP), "=00u", szext_wrap_u32),
    ROW(SZEXT, S32, (WRAP), "=00u", szext_wrap_s32),
    ROW(POPC, B32, (NOTHING), "=u0", popc_32),
    ROW(POPC, B64, (NOTHING), "=u0", popc_64),
    ROW(CLZ, B32, (NOTHING), "=u0", clz_32),
    ROW(CLZ, B64, (NOTHING), "=u0", clz_64),
    ROW(BREV, B32, (NOTHING), "=00", brev_32),
    ROW(BREV, B64, (NOTHING), "=00", brev_64),
    ROW(BFIND, U32, (NOTHING), "=u0", bfind_u32),
    ROW(BFIND, S32, (NOTHING), "=u0", bfind_s32),
    ROW(BFIND, U64, (NOTHING), "=u0", bfind_u64),
    ROW(BFIND, S64, (NOTHING), "=u0", bfind_s64),
    ROW(BFIND, U32, (SHIFTAMT), "=u0", bfind_shift_u32),
    ROW(BFIND, S32, (SHIFTAMT), "=u0", bfind_shift_s32),
    ROW(BFIND, U64, (SHIFTAMT), "=u0", bfind_shift_u64),
    ROW(BFIND, S64, (SHIFTAMT), "=u0", bfind_shift_s64),
    ROW(FNS, B32, (NOTHING), "=0000", fns),
    ROW(PRMT, B32, (NOTHING), "=0000", prmt),
    ROW(PRMT, B32, (F4E), "=0000", prmt_f4e),
    ROW(PRMT, B32, (B4E), "=0000", prmt_b4e),
    ROW(PRMT, B32, (RC8), "=0000", prmt_rc8),
    ROW(PRMT, B32, (ECL), "=0000", prmt_ecl),
    ROW(PRMT, B32, (ECR), "=0000", prmt_ecr),
    ROW(PRMT, B32, (RC16), "=0000", prmt_rc16),
    PACK_ROW(U16, PTX_NO_TYPE, "=u11", pack_u16), PACK_ROW(S16, PTX_NO_TYPE, "=u11", pack_s16),
    PACK_ROW(U8, PTX_B32, "=u112", pack_u8), PACK_ROW(S8, PTX_B32, "=u112", pack_s8),
    PACK_ROW(U4, PTX_B32, "=u112", pack_u4), PACK_ROW(S4, PTX_B32, "=u112", pack_s4),
    PACK_ROW(U2, PTX_B32, "=u112", pack_u2), PACK_ROW(S2, PTX_B32, "=u112", pack_s2),
};

const struct ptx_forms ptx_fields_forms = { rows, sizeof rows / sizeof *rows };
