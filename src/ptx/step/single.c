/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f32 that is exact up to one rounding.  Each step has two functions: one
 * as IEEE says, and one for .ftz, which takes subnormal operands and results for zero.
 */
#include "ptx/step/ieee.h"
#include "ptx/step/lanes.h"

#define UNARY(name, value) PTX_LANES_1(name, float, float, value)
#define BINARY(name, value) PTX_LANES_2(name, float, float, float, value)

/* A binary step that need not have both sources spread. */
#define MIXED(name, value)                                                                 \
    BINARY(name, value)                                                                    \
    static void name##_mixed(struct ptx_group *group, const struct ptx_step *step,         \
                             unsigned same)                                                \
    {                                                                                      \
        float *d = PTX_COLUMN(group, step->d, float);                                      \
        const float *a = PTX_COLUMN(group, step->a, float);                                \
        const float *b = PTX_COLUMN(group, step->b, float);                                \
        if (same & 1) {                                                                    \
            const float x = once_of(group, step->a);                                       \
            PTX_EACH_LANE(group, i) {                                                      \
                float y = b[i];                                                            \
                d[i] = (value);                                                            \
            }                                                                              \
        } else {                                                                           \
            const float y = once_of(group, step->b);                                       \
            PTX_EACH_LANE(group, i) {                                                      \
                float x = a[i];                                                            \
                d[i] = (value);                                                            \
            }                                                                              \
        }                                                                                  \
    }

static inline float once_of(const struct ptx_group *group, uint32_t column)
{
    float value;
    memcpy(&value, group->frame->once + column, sizeof value);
    return value;
}

/* A result, and the one of .ftz. */
#define RESULT(value) single_result(value)
#define FLUSHED(value) single_flushed(single_result(value))
#define ZERO(x) single_flushed(x)

/* A quotient that is too small before it is rounded to a subnormal number is zero, even if
 * rounding would make it a normal one.  Powers of two change no digits: the comparison is
 * exact wherever x and y are about that far apart. */
static inline float quotient_flushed(float x, float y)
{
    const float quotient = single_result(x / y);
    const bool small = __builtin_fabsf(x) * 0x1p100f < __builtin_fabsf(y) * 0x1p-26f;
    return single_of(single_bits(quotient) & (small ? SINGLE_SIGN : UINT32_MAX));
}

/* ---- Steps ------------------------------------------------------------------------- */

MIXED(add, RESULT(x + y))
MIXED(add_ftz, FLUSHED(ZERO(x) + ZERO(y)))
MIXED(sub, RESULT(x - y))
MIXED(sub_ftz, FLUSHED(ZERO(x) - ZERO(y)))
MIXED(mul, RESULT(x * y))
MIXED(mul_ftz, FLUSHED(ZERO(x) * ZERO(y)))
BINARY(quotient, RESULT(x / y))
BINARY(quotient_ftz, quotient_flushed(ZERO(x), ZERO(y)))

UNARY(negative, RESULT(-x))
UNARY(negative_ftz, FLUSHED(-x))
UNARY(magnitude, RESULT(__builtin_fabsf(x)))
UNARY(magnitude_ftz, FLUSHED(__builtin_fabsf(x)))
UNARY(root, RESULT(__builtin_sqrtf(x)))
UNARY(root_ftz, FLUSHED(__builtin_sqrtf(ZERO(x))))
UNARY(reciprocal, RESULT(1 / x))
UNARY(reciprocal_ftz, quotient_flushed(1, ZERO(x)))

/* Called only with constants for `nearest` and `flush`: makes four loops. */
static inline __attribute__((always_inline)) void fuse(struct ptx_group *group,
                                                       const struct ptx_step *step, bool nearest,
                                                       bool flush)
{
    float *d = PTX_COLUMN(group, step->d, float);
    const float *a = PTX_COLUMN(group, step->a, float);
    const float *b = PTX_COLUMN(group, step->b, float);
    const float *c = PTX_COLUMN(group, step->c, float);
    PTX_EACH_LANE(group, i)
        d[i] = flush ? FLUSHED(single_fma(ZERO(a[i]), ZERO(b[i]), ZERO(c[i]), nearest))
                     : RESULT(single_fma(a[i], b[i], c[i], nearest));
}

static void fused(struct ptx_group *group, const struct ptx_step *step)
{
    if (rounds_to_nearest(step)) fuse(group, step, true, false);
    else fuse(group, step, false, false);
}

static void fused_ftz(struct ptx_group *group, const struct ptx_step *step)
{
    if (rounds_to_nearest(step)) fuse(group, step, true, true);
    else fuse(group, step, false, true);
}

/* The same, rounded to nearest, with some of the sources known: `same` is a constant, too. */
static inline __attribute__((always_inline)) void fuse_mixed(struct ptx_group *group,
                                                             const struct ptx_step *step,
                                                             unsigned same, bool flush)
{
    float *d = PTX_COLUMN(group, step->d, float);
    const float *a = PTX_COLUMN(group, step->a, float);
    const float *b = PTX_COLUMN(group, step->b, float);
    const float *c = PTX_COLUMN(group, step->c, float);
    const float x = same & 1 ? once_of(group, step->a) : 0;
    const float y = same & 2 ? once_of(group, step->b) : 0;
    const float z = same & 4 ? once_of(group, step->c) : 0;
    PTX_EACH_LANE(group, i) {
        const float p = same & 1 ? x : a[i], q = same & 2 ? y : b[i], r = same & 4 ? z : c[i];
        d[i] = flush ? FLUSHED(single_fma(ZERO(p), ZERO(q), ZERO(r), true))
                     : RESULT(single_fma(p, q, r, true));
    }
}

#define FUSED_MIXED(name, flush)                                                           \
    static void name(struct ptx_group *group, const struct ptx_step *step, unsigned same)  \
    {                                                                                      \
        switch (same) {                                                                    \
        case 1: fuse_mixed(group, step, 1, flush); break;                                  \
        case 2: fuse_mixed(group, step, 2, flush); break;                                  \
        case 3: fuse_mixed(group, step, 3, flush); break;                                  \
        case 4: fuse_mixed(group, step, 4, flush); break;                                  \
        case 5: fuse_mixed(group, step, 5, flush); break;                                  \
        default: fuse_mixed(group, step, 6, flush); break;                                 \
        }                                                                                  \
    }
FUSED_MIXED(fused_mixed, false)
FUSED_MIXED(fused_ftz_mixed, true)

/* ---- Bits -------------------------------------------------------------------------- */

/* The sign of a, the rest of b. */
PTX_LANES_2(copysign_f32, uint32_t, uint32_t, uint32_t, (x & SINGLE_SIGN) | (y & ~SINGLE_SIGN))

/* testp looks at the bits without their sign.  Zero is a normal number. */
#define SIZE (x & ~SINGLE_SIGN)
#define TEST(name, condition) PTX_LANES_1(name, uint8_t, uint32_t, condition)

#define LEAST_NORMAL UINT32_C(0x00800000)

TEST(is_finite, SIZE < SINGLE_INFINITY)
TEST(is_infinite, SIZE == SINGLE_INFINITY)
TEST(is_number, SIZE <= SINGLE_INFINITY)
TEST(is_not_a_number, SIZE > SINGLE_INFINITY)
TEST(is_normal, SIZE == 0 || SIZE - LEAST_NORMAL < SINGLE_INFINITY - LEAST_NORMAL)
TEST(is_subnormal, SIZE - 1 < LEAST_NORMAL - 1)

/* ---- Forms ------------------------------------------------------------------------- */

#define ROW(word, needed, allowed, operands, function)                            \
    { .opcode = PTX_OP_##word, .types = { PTX_F32 }, .needs = needed, .allows = allowed, \
      .signature = operands, .run = function }
#define ROW_MIXED(word, needed, allowed, operands, function)                      \
    { .opcode = PTX_OP_##word, .types = { PTX_F32 }, .needs = needed, .allows = allowed, \
      .signature = operands, .run = function, .mixed = function##_mixed }

/* Rounds to nearest if no rounding is given. */
#define LOOSE(word, operands, function)                                           \
    ROW_MIXED(word, PTX_SET(FTZ), PTX_SET(RN, RZ, RM, RP, SAT), operands, function##_ftz), \
    ROW_MIXED(word, PTX_SET(NOTHING), PTX_SET(RN, RZ, RM, RP, SAT), operands, function)

/* Needs a rounding. */
#define ROUNDED(word, mode, operands, function, ...)                              \
    ROW(word, PTX_SET(mode, FTZ), PTX_SET(mode, __VA_ARGS__), operands, function##_ftz), \
    ROW(word, PTX_SET(mode), PTX_SET(mode, __VA_ARGS__), operands, function)
#define STRICT(word, operands, function, ...)                                     \
    ROUNDED(word, RN, operands, function, __VA_ARGS__),                           \
    ROUNDED(word, RZ, operands, function, __VA_ARGS__),                           \
    ROUNDED(word, RM, operands, function, __VA_ARGS__),                           \
    ROUNDED(word, RP, operands, function, __VA_ARGS__)

#define NEAREST(word, operands, function)                                         \
    ROW_MIXED(word, PTX_SET(RN, FTZ), PTX_SET(RN, SAT), operands, function##_ftz), \
    ROW_MIXED(word, PTX_SET(RN), PTX_SET(RN, SAT), operands, function)

static const struct ptx_form rows[] = {
    LOOSE(ADD, "=000", add),
    LOOSE(SUB, "=000", sub),
    LOOSE(MUL, "=000", mul),
    NEAREST(FMA, "=0000", fused),
    NEAREST(MAD, "=0000", fused),
    STRICT(FMA, "=0000", fused, SAT),
    STRICT(MAD, "=0000", fused, SAT),
    STRICT(DIV, "=000", quotient, NOTHING),
    STRICT(SQRT, "=00", root, NOTHING),
    STRICT(RCP, "=00", reciprocal, NOTHING),
    ROW(NEG, PTX_SET(FTZ), PTX_SET(NOTHING), "=00", negative_ftz),
    ROW(NEG, PTX_SET(NOTHING), PTX_SET(NOTHING), "=00", negative),
    ROW(ABS, PTX_SET(FTZ), PTX_SET(NOTHING), "=00", magnitude_ftz),
    ROW(ABS, PTX_SET(NOTHING), PTX_SET(NOTHING), "=00", magnitude),
    ROW(COPYSIGN, PTX_SET(NOTHING), PTX_SET(NOTHING), "=000", copysign_f32),
    ROW(TESTP, PTX_SET(FINITE), PTX_SET(NOTHING), "=p0", is_finite),
    ROW(TESTP, PTX_SET(INFINITE), PTX_SET(NOTHING), "=p0", is_infinite),
    ROW(TESTP, PTX_SET(NUMBER), PTX_SET(NOTHING), "=p0", is_number),
    ROW(TESTP, PTX_SET(NOTANUMBER), PTX_SET(NOTHING), "=p0", is_not_a_number),
    ROW(TESTP, PTX_SET(NORMAL), PTX_SET(NOTHING), "=p0", is_normal),
    ROW(TESTP, PTX_SET(SUBNORMAL), PTX_SET(NOTHING), "=p0", is_subnormal),
};

const struct ptx_forms ptx_single_forms = { rows, sizeof rows / sizeof *rows };
