/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions of integers: to others, to floats and from them.
 */
#include "ptx/step/convert.h"
#include "ptx/step/ieee.h"
#include "ptx/step/lanes.h"

#define LEAST_u8 0
#define LEAST_u16 0
#define LEAST_u32 0
#define LEAST_u64 0
#define LEAST_s8 INT8_MIN
#define LEAST_s16 INT16_MIN
#define LEAST_s32 INT32_MIN
#define LEAST_s64 INT64_MIN
#define MOST_u8 UINT8_MAX
#define MOST_u16 UINT16_MAX
#define MOST_u32 UINT32_MAX
#define MOST_u64 UINT64_MAX
#define MOST_s8 INT8_MAX
#define MOST_s16 INT16_MAX
#define MOST_s32 INT32_MAX
#define MOST_s64 INT64_MAX

/* ---- Integers to integers -------------------------------------------------------------- */

#define KEPT(to, to_type, from, from_type) \
    PTX_LANES_1(to##_kept_##from, to_type, from_type, x)

/* The limits are those that both types have. */
#define CLAMPED(to, to_type, from, from_type) \
    static void to##_clamped_##from(struct ptx_group *group, const struct ptx_step *step) \
    { \
        to_type *d = PTX_COLUMN(group, step->d, to_type); \
        const from_type *a = PTX_COLUMN(group, step->a, from_type); \
        const int64_t low = LEAST_##to, low_from = LEAST_##from; \
        const uint64_t high = MOST_##to, high_from = MOST_##from; \
        const from_type least = (from_type)(low > low_from ? low : low_from); \
        const from_type most = (from_type)(high < high_from ? high : high_from); \
        PTX_EACH_LANE(group, i) { \
            from_type x = a[i]; \
            x = x < least ? least : x; \
            d[i] = (to_type)(x > most ? most : x); \
        } \
    }

#define OF_EACH(step, to, to_type) \
    step(to, to_type, u8, uint8_t) \
    step(to, to_type, u16, uint16_t) \
    step(to, to_type, u32, uint32_t) \
    step(to, to_type, u64, uint64_t) \
    step(to, to_type, s8, int8_t) \
    step(to, to_type, s16, int16_t) \
    step(to, to_type, s32, int32_t) \
    step(to, to_type, s64, int64_t)
#define TO_EACH(step) \
    OF_EACH(step, u8, uint8_t) \
    OF_EACH(step, u16, uint16_t) \
    OF_EACH(step, u32, uint32_t) \
    OF_EACH(step, u64, uint64_t) \
    OF_EACH(step, s8, int8_t) \
    OF_EACH(step, s16, int16_t) \
    OF_EACH(step, s32, int32_t) \
    OF_EACH(step, s64, int64_t)
TO_EACH(KEPT)
TO_EACH(CLAMPED)

/* ---- Integers to floats ---------------------------------------------------------------- */

#define FLOAT(to, to_type, from, from_type) \
    PTX_LANES_1(to##_of_##from, to_type, from_type, x)
OF_EACH(FLOAT, single, float)
OF_EACH(FLOAT, double, double)

/* ---- Floats to integers ---------------------------------------------------------------- */

/* `through` is a signed type, or one as wide, that the CPU converts to.  Numbers that are too
 * small or too large become the nearest one; `nan` is, as measured, what becomes of a NaN:
 * the highest bit alone, but from f32 only in 64 bits. */
#define WHOLE(to, to_type, from, from_type, through, top, nan) \
    static void to##_of_##from(struct ptx_group *group, const struct ptx_step *step) \
    { \
        to_type *d = PTX_COLUMN(group, step->d, to_type); \
        const from_type *a = PTX_COLUMN(group, step->a, from_type); \
        const from_type low = (from_type)LEAST_##to; \
        PTX_EACH_LANE(group, i) { \
            const from_type x = a[i]; \
            const through whole = (through)(x >= low && x < top ? x : 0); \
            const through above = x >= top ? (through)MOST_##to : whole; \
            const through below = x < low ? (through)LEAST_##to : above; \
            d[i] = (to_type)(x != x ? (through)(nan) : below); \
        } \
    }

#define HIGHEST(bits) (UINT64_C(1) << ((bits) - 1))
WHOLE(u8, uint8_t, single, float, int32_t, 0x1p8f, 0)
WHOLE(u16, uint16_t, single, float, int32_t, 0x1p16f, 0)
WHOLE(u32, uint32_t, single, float, uint32_t, 0x1p32f, 0)
WHOLE(u64, uint64_t, single, float, uint64_t, 0x1p64f, HIGHEST(64))
WHOLE(s8, int8_t, single, float, int32_t, 0x1p7f, 0)
WHOLE(s16, int16_t, single, float, int32_t, 0x1p15f, 0)
WHOLE(s32, int32_t, single, float, int32_t, 0x1p31f, 0)
WHOLE(s64, int64_t, single, float, int64_t, 0x1p63f, HIGHEST(64))
WHOLE(u8, uint8_t, double, double, int32_t, 0x1p8, HIGHEST(8))
WHOLE(u16, uint16_t, double, double, int32_t, 0x1p16, HIGHEST(16))
WHOLE(u32, uint32_t, double, double, uint32_t, 0x1p32, HIGHEST(32))
WHOLE(u64, uint64_t, double, double, uint64_t, 0x1p64, HIGHEST(64))
WHOLE(s8, int8_t, double, double, int32_t, 0x1p7, HIGHEST(8))
WHOLE(s16, int16_t, double, double, int32_t, 0x1p15, HIGHEST(16))
WHOLE(s32, int32_t, double, double, int32_t, 0x1p31, HIGHEST(32))
WHOLE(s64, int64_t, double, double, int64_t, 0x1p63, HIGHEST(64))

/* ---- The tables ------------------------------------------------------------------------ */

#define EACH(before, after) \
    { before##u8##after,  before##u16##after, before##u32##after, before##u64##after, \
      before##s8##after,  before##s16##after, before##s32##after, before##s64##after }
#define SQUARE(how) \
    { EACH(u8_##how##_, ),  EACH(u16_##how##_, ), EACH(u32_##how##_, ), EACH(u64_##how##_, ), \
      EACH(s8_##how##_, ),  EACH(s16_##how##_, ), EACH(s32_##how##_, ), EACH(s64_##how##_, ) }

const struct ptx_integer_conversions ptx_convert_integers = {
    .kept = SQUARE(kept),
    .clamped = SQUARE(clamped),
    .to_single = EACH(single_of_, ),
    .to_double = EACH(double_of_, ),
    .of_single = EACH(, _of_single),
    .of_double = EACH(, _of_double),
};
