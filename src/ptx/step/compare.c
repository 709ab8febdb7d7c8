/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons.
 *
 * For each type there are steps for a few questions; the others are those with the
 * sources exchanged or the answer negated.  f16 and bf16 are compared as f32, which has
 * all their values.
 */
#include "ptx/step/compare.h"
#include "ptx/step/half_float.h"
#include "ptx/step/lanes.h"

/* ---- Questions ------------------------------------------------------------------------- */

/* Asks `value` of x and y, which are `read` of this lane's sources; the step's kind negates
 * it. */
#define QUESTION(name, type, of, read, value) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        uint8_t *d = PTX_COLUMN(group, step->d, uint8_t); \
        const type *a = PTX_COLUMN(group, step->a, type); \
        const type *b = PTX_COLUMN(group, step->b, type); \
        const uint8_t negated = step->kind; \
        PTX_EACH_LANE(group, i) { \
            of x = read(a[i]), y = read(b[i]); \
            d[i] = (uint8_t)((value) ^ negated); \
        } \
    }

/* Asks two halves: the low ones into d, the high ones into e. */
#define QUESTION_2(name, of, read, value) \
    static inline uint8_t name##_half(of x, of y) \
    { \
        return (uint8_t)(value); \
    } \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        uint8_t *d = PTX_COLUMN(group, step->d, uint8_t); \
        uint8_t *e = PTX_COLUMN(group, step->e, uint8_t); \
        const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t); \
        const uint32_t *b = PTX_COLUMN(group, step->b, uint32_t); \
        const uint8_t negated = step->kind; \
        PTX_EACH_LANE(group, i) { \
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

/* "numbers": neither of them is NaN; "apart": less or greater. */
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

/* ---- What is done with an answer ------------------------------------------------------- */

/* Combines a and b, which may be the answers for two halves, with the predicate c. */
#define COMBINED(name, operator) \
    PTX_LANES_2(name, uint8_t, uint8_t, uint8_t, x operator y) \
    static void name##_both(struct ptx_group *group, const struct ptx_step *step) \
    { \
        uint8_t *d = PTX_COLUMN(group, step->d, uint8_t); \
        uint8_t *e = PTX_COLUMN(group, step->e, uint8_t); \
        const uint8_t *a = PTX_COLUMN(group, step->a, uint8_t); \
        const uint8_t *b = PTX_COLUMN(group, step->b, uint8_t); \
        const uint8_t *c = PTX_COLUMN(group, step->c, uint8_t); \
        PTX_EACH_LANE(group, i) { \
            const uint8_t further = c[i]; \
            d[i] = a[i] operator further; \
            e[i] = b[i] operator further; \
        } \
    }
COMBINED(with_and, &)
COMBINED(with_or, |)
COMBINED(with_xor, ^)

PTX_LANES_1(negated, uint8_t, uint8_t, x ^ 1)

static void both_answers(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *d = PTX_COLUMN(group, step->d, uint8_t);
    uint8_t *e = PTX_COLUMN(group, step->e, uint8_t);
    const uint8_t *a = PTX_COLUMN(group, step->a, uint8_t);
    PTX_EACH_LANE(group, i) {
        const uint8_t answer = a[i];
        d[i] = answer;
        e[i] = answer ^ 1;
    }
}

/* set: writes a number for yes, or 0; for pairs one for each half. */
#define NUMBER(name, type) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        type *d = PTX_COLUMN(group, step->d, type); \
        const uint8_t *a = PTX_COLUMN(group, step->a, uint8_t); \
        const type yes = (type)step->immediate; \
        PTX_EACH_LANE(group, i) d[i] = a[i] ? yes : 0; \
    }
NUMBER(number_16, uint16_t)
NUMBER(number_32, uint32_t)

static void number_pair(struct ptx_group *group, const struct ptx_step *step)
{
    uint32_t *d = PTX_COLUMN(group, step->d, uint32_t);
    const uint8_t *a = PTX_COLUMN(group, step->a, uint8_t);
    const uint8_t *b = PTX_COLUMN(group, step->b, uint8_t);
    const uint32_t low = (uint32_t)step->immediate & 0xffff, high = low << 16;
    PTX_EACH_LANE(group, i) d[i] = (a[i] ? low : 0) | (b[i] ? high : 0);
}

/* ---- For the lowering -------------------------------------------------------------------- */

#define INTEGERS(name, bits) { equal_##bits, less_##name, least_##name, apart_##bits, NULL }
#define FLOATS(name) { equal_##name, less_##name, least_##name, apart_##name, numbers_##name }

const struct ptx_compare_steps ptx_compare = {
    .compared = {
        [PTX_B16] = { equal_16, NULL, NULL, apart_16, NULL },
        [PTX_B32] = { equal_32, NULL, NULL, apart_32, NULL },
        [PTX_B64] = { equal_64, NULL, NULL, apart_64, NULL },
        [PTX_U16] = INTEGERS(u16, 16), [PTX_U32] = INTEGERS(u32, 32), [PTX_U64] = INTEGERS(u64, 64),
        [PTX_S16] = INTEGERS(s16, 16), [PTX_S32] = INTEGERS(s32, 32), [PTX_S64] = INTEGERS(s64, 64),
        [PTX_F16] = FLOATS(f16), [PTX_F16X2] = FLOATS(f16x2),
        [PTX_BF16] = FLOATS(bf16), [PTX_BF16X2] = FLOATS(bf16x2),
        [PTX_F32] = FLOATS(f32), [PTX_F64] = FLOATS(f64),
    },
    .flushed = {
        [PTX_F16] = FLOATS(f16_ftz), [PTX_F16X2] = FLOATS(f16x2_ftz), [PTX_F32] = FLOATS(f32_ftz),
    },
    .combined = { { with_and, with_and_both }, { with_or, with_or_both },
                  { with_xor, with_xor_both } },
    .negated = negated,
    .both_answers = both_answers,
    .number_16 = number_16,
    .number_32 = number_32,
    .number_pair = number_pair,
};
