/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of bits and bytes, one at a time.
 */
#include "ptx/answers.h"

static bool bit(uint64_t x, unsigned at)
{
    return x >> at & 1;
}

/* ---- bfe, bfi, bmsk, szext ------------------------------------------------------------- */

/* What counts of a position or a length: of 32 bits its low byte, of 64 all. */
static uint64_t counted(const struct answers_row *row, uint64_t x)
{
    return row->bits == 32 ? x & 255 : x;
}

static uint64_t extracted(const struct answers_row *row, bool sign)
{
    const uint64_t at = counted(row, row->x[1]), count = counted(row, row->x[2]);
    const unsigned last = row->bits - 1;
    const unsigned top = at + count <= last ? (unsigned)(at + count) - 1 : last;
    const bool fill = sign && count && bit(row->x[0], top);
    uint64_t result = 0;
    for (unsigned i = 0; i <= last; i++) {
        const bool is = i < count && at + i <= last ? bit(row->x[0], (unsigned)at + i) : fill;
        result |= (uint64_t)is << i;
    }
    return result;
}

static uint64_t bfe_u(const struct answers_row *row)
{
    return extracted(row, false);
}

static uint64_t bfe_s(const struct answers_row *row)
{
    return extracted(row, true);
}

/* Into the bits of 0x123456789abcdef: a at b, c bits of it. */
static uint64_t bfi(const struct answers_row *row)
{
    const uint64_t at = counted(row, row->x[1]), count = counted(row, row->x[2]);
    uint64_t result = UINT64_C(0x123456789abcdef);
    for (unsigned i = 0; i < count && at + i < row->bits; i++) {
        result &= ~(UINT64_C(1) << (at + i));
        result |= (uint64_t)bit(row->x[0], i) << (at + i);
    }
    return result;
}

static uint64_t mask(uint64_t at, uint64_t count)
{
    uint64_t result = 0;
    for (uint64_t i = at; i < 32 && i - at < count; i++) result |= UINT64_C(1) << i;
    return result;
}

static uint64_t bmsk_clamp(const struct answers_row *row)
{
    return mask(row->x[0], row->x[1]);
}

static uint64_t bmsk_wrap(const struct answers_row *row)
{
    return mask(row->x[0] % 32, row->x[1] % 32);
}

static uint64_t szext(uint64_t x, uint64_t count, bool sign)
{
    if (count == 0) return 0;
    if (count >= 32) return x;
    return sign ? (uint64_t)answers_signed(x, (unsigned)count) : x & mask(0, count);
}

static uint64_t szext_clamp_u(const struct answers_row *row)
{
    return szext(row->x[0], row->x[1], false);
}

static uint64_t szext_clamp_s(const struct answers_row *row)
{
    return szext(row->x[0], row->x[1], true);
}

static uint64_t szext_wrap_u(const struct answers_row *row)
{
    return szext(row->x[0], row->x[1] % 32, false);
}

static uint64_t szext_wrap_s(const struct answers_row *row)
{
    return szext(row->x[0], row->x[1] % 32, true);
}

static void fields_are_taken_out_and_put_in(void **state)
{
    static const struct answers_case cases[] = {
        { "bfe.u32", "u32 u32 u32 u32", bfe_u }, { "bfe.s32", "s32 s32 u32 u32", bfe_s },
        { "bfe.u64", "u64 u64 u32 u32", bfe_u }, { "bfe.s64", "s64 s64 u32 u32", bfe_s },
        { "bfi.b32 %d, %a, 0x89abcdef, %b, %c;", "b32 b32 u32 u32", bfi },
        { "bfi.b64 %d, %a, 0x123456789abcdef, %b, %c;", "b64 b64 u32 u32", bfi },
        { "mov.b64 %d, 0x123456789abcdef; bfi.b64 %d, %a, %d, %b, %c;", "b64 b64 u32 u32", bfi },
        { "bmsk.clamp.b32", "b32 b32 b32", bmsk_clamp },
        { "bmsk.wrap.b32", "b32 b32 b32", bmsk_wrap },
        { "szext.clamp.u32", "u32 u32 u32", szext_clamp_u },
        { "szext.clamp.s32", "s32 s32 u32", szext_clamp_s },
        { "szext.wrap.u32", "u32 u32 u32", szext_wrap_u },
        { "szext.wrap.s32", "s32 s32 u32", szext_wrap_s },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

/* ---- Counting and finding -------------------------------------------------------------- */

static uint64_t popc(const struct answers_row *row)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < row->bits; i++) count += bit(row->x[0], i);
    return count;
}

static uint64_t clz(const struct answers_row *row)
{
    unsigned count = 0;
    while (count < row->bits && !bit(row->x[0], row->bits - 1 - count)) count++;
    return count;
}

static uint64_t brev(const struct answers_row *row)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < row->bits; i++)
        result |= (uint64_t)bit(row->x[0], i) << (row->bits - 1 - i);
    return result;
}

/* From the top: the first bit that is not like the sign. */
static uint64_t found(const struct answers_row *row, bool sign, bool distance)
{
    const bool usual = sign && bit(row->x[0], row->bits - 1);
    for (unsigned i = row->bits; i-- > 0;)
        if (bit(row->x[0], i) != usual) return distance ? row->bits - 1 - i : i;
    return UINT32_MAX;
}

static uint64_t bfind_u(const struct answers_row *row)
{
    return found(row, false, false);
}

static uint64_t bfind_s(const struct answers_row *row)
{
    return found(row, true, false);
}

static uint64_t bfind_shift_u(const struct answers_row *row)
{
    return found(row, false, true);
}

static uint64_t bfind_shift_s(const struct answers_row *row)
{
    return found(row, true, true);
}

static uint64_t fns(const struct answers_row *row)
{
    const int64_t n = answers_signed(row->x[2], 32);
    const uint64_t base = row->x[1];
    uint64_t places[32], count = 0, before = 0;
    if (base > 31) return UINT32_MAX;
    for (unsigned i = 0; i < 32; i++) {
        if (!bit(row->x[0], i)) continue;
        if (i < base) before++;
        places[count++] = i;
    }
    const bool set = bit(row->x[0], (unsigned)base);
    if (n == 0) return set ? base : UINT32_MAX;
    const int64_t at = n > 0 ? (int64_t)before + n - 1 : (int64_t)before + set + n;
    return at >= 0 && at < (int64_t)count ? places[at] : UINT32_MAX;
}

static void bits_are_counted_and_found(void **state)
{
    static const struct answers_case cases[] = {
        { "popc.b32", "u32 b32", popc }, { "popc.b64", "u32 b64", popc },
        { "clz.b32", "u32 b32", clz }, { "clz.b64", "u32 b64", clz },
        { "brev.b32", "b32 b32", brev }, { "brev.b64", "b64 b64", brev },
        { "bfind.u32", "u32 u32", bfind_u }, { "bfind.s32", "u32 s32", bfind_s },
        { "bfind.u64", "u32 u64", bfind_u }, { "bfind.s64", "u32 s64", bfind_s },
        { "bfind.shiftamt.u32", "u32 u32", bfind_shift_u },
        { "bfind.shiftamt.s32", "u32 s32", bfind_shift_s },
        { "bfind.shiftamt.u64", "u32 u64", bfind_shift_u },
        { "bfind.shiftamt.s64", "u32 s64", bfind_shift_s },
        { "fns.b32", "b32 b32 b32 b32", fns },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

/* ---- prmt ------------------------------------------------------------------------------ */

static uint64_t byte_of(const struct answers_row *row, int at)
{
    return row->x[(at & 7) / 4] >> (at & 3) * 8 & 255;
}

static uint64_t four(const struct answers_row *row, int d, int c, int b, int a)
{
    return byte_of(row, a) | byte_of(row, b) << 8 | byte_of(row, c) << 16 | byte_of(row, d) << 24;
}

static uint64_t prmt(const struct answers_row *row)
{
    uint64_t result = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned select = row->x[2] >> (4 * i) & 15;
        const uint64_t byte = byte_of(row, (int)(select & 7));
        result |= (select < 8 ? byte : byte >= 128 ? 255u : 0u) << (8 * i);
    }
    return result;
}

static uint64_t prmt_f4e(const struct answers_row *row)
{
    const int n = row->x[2] & 3;
    return four(row, n + 3, n + 2, n + 1, n);
}

static uint64_t prmt_b4e(const struct answers_row *row)
{
    const int n = row->x[2] & 3;
    return four(row, n + 5, n + 6, n + 7, n);
}

static uint64_t prmt_rc8(const struct answers_row *row)
{
    const int n = row->x[2] & 3;
    return four(row, n, n, n, n);
}

static uint64_t prmt_ecl(const struct answers_row *row)
{
    const int n = row->x[2] & 3;
    return four(row, 3, n > 2 ? n : 2, n > 1 ? n : 1, n);
}

static uint64_t prmt_ecr(const struct answers_row *row)
{
    const int n = row->x[2] & 3;
    return four(row, n, n < 2 ? n : 2, n < 1 ? n : 1, 0);
}

static uint64_t prmt_rc16(const struct answers_row *row)
{
    const int n = row->x[2] & 1 ? 2 : 0;
    return four(row, n + 1, n, n + 1, n);
}

static void bytes_are_permuted(void **state)
{
    static const struct answers_case cases[] = {
        { "prmt.b32", "b32 b32 b32 b32", prmt },
        { "prmt.b32.f4e", "b32 b32 b32 b32", prmt_f4e },
        { "prmt.b32.b4e", "b32 b32 b32 b32", prmt_b4e },
        { "prmt.b32.rc8", "b32 b32 b32 b32", prmt_rc8 },
        { "prmt.b32.ecl", "b32 b32 b32 b32", prmt_ecl },
        { "prmt.b32.ecr", "b32 b32 b32 b32", prmt_ecr },
        { "prmt.b32.rc16", "b32 b32 b32 b32", prmt_rc16 },
    };
    (void)state;
    ANSWERS_CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_taken_out_and_put_in),
        cmocka_unit_test(bits_are_counted_and_found),
        cmocka_unit_test(bytes_are_permuted),
    };
    return cmocka_run_group_tests_name("ptx fields", tests, NULL, NULL);
}
