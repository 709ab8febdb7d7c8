/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f32 that is exact up to one rounding.  Each step has two functions: one
 * as IEEE says, and one for .ftz, which takes subnormal operands and results for zero.
 */
#include "base/unseen.h"
#include "ptx/step/ieee.h"
#include "ptx/step/lanes.h"

#define UNARY(name, value) PTX_LANES_1(name, float, float, value)
#define BINARY(name, value) PTX_LANES_2(name, float, float, float, value)

/* A binary step, and the same over strips and in a flow: by whether its result comes as x or y. */
#define STRIPS(name, way_x, way_y, value)                                                  \
    BINARY(name, value)                                                                    \
    STRIP(name##_strip, false, false, value)                                               \
    STRIP(name##_strip_a, true, false, value)                                              \
    STRIP(name##_strip_b, false, true, value)                                              \
    static const struct ptx_strips name##_strips = {                                       \
        { name##_strip, name##_strip_a, name##_strip_b }, { way_x, way_y }, ptx_take_flow  \
    };

/* `one_a` and `one_b` are constants. */
#define STRIP(name, one_a, one_b, value)                                                   \
    RL_UNSEEN static void name(const struct ptx_strip *strip)                              \
    {                                                                                      \
        for (uint32_t row = 0; row < strip->rows; row++) {                                 \
            float *d = row_of(strip, 0, row);                                              \
            const float *a = row_of(strip, 1, row), *b = row_of(strip, 2, row);            \
            const float p = one_a ? *a : 0, q = one_b ? *b : 0;                            \
            PTX_INDEPENDENT for (uint32_t i = 0, end = strip->width; i < end; i++) {       \
                const float x = one_a ? p : a[i], y = one_b ? q : b[i];                    \
                d[i] = (value);                                                            \
            }                                                                              \
        }                                                                                  \
    }

static inline void *row_of(const struct ptx_strip *strip, unsigned operand, uint32_t row)
{
    return strip->first[operand] + (ptrdiff_t)row * strip->pitch[operand];
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

STRIPS(add, PTX_FLOW_ADD, PTX_FLOW_ADD, RESULT(x + y))
STRIPS(add_ftz, PTX_FLOW_ADD | PTX_FLOW_FTZ, PTX_FLOW_ADD | PTX_FLOW_FTZ,
       FLUSHED(ZERO(x) + ZERO(y)))
STRIPS(sub, PTX_FLOW_SUB, PTX_FLOW_FROM, RESULT(x - y))
STRIPS(sub_ftz, PTX_FLOW_SUB | PTX_FLOW_FTZ, PTX_FLOW_FROM | PTX_FLOW_FTZ,
       FLUSHED(ZERO(x) - ZERO(y)))
STRIPS(mul, PTX_FLOW_MUL, PTX_FLOW_MUL, RESULT(x * y))
STRIPS(mul_ftz, PTX_FLOW_MUL | PTX_FLOW_FTZ, PTX_FLOW_MUL | PTX_FLOW_FTZ,
       FLUSHED(ZERO(x) * ZERO(y)))
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

/* The same over a strip, rounded to nearest: `same` is a constant, too. */
static inline __attribute__((always_inline)) void fuse_strip(const struct ptx_strip *strip,
                                                             unsigned same, bool flush)
{
    for (uint32_t row = 0; row < strip->rows; row++) {
        float *d = row_of(strip, 0, row);
        const float *a = row_of(strip, 1, row), *b = row_of(strip, 2, row);
        const float *c = row_of(strip, 3, row);
        const float x = same & 1 ? *a : 0, y = same & 2 ? *b : 0, z = same & 4 ? *c : 0;
        PTX_INDEPENDENT for (uint32_t i = 0, end = strip->width; i < end; i++) {
            const float p = same & 1 ? x : a[i], q = same & 2 ? y : b[i], r = same & 4 ? z : c[i];
            d[i] = flush ? FLUSHED(single_fma(ZERO(p), ZERO(q), ZERO(r), true))
                         : RESULT(single_fma(p, q, r, true));
        }
    }
}

#define FUSED_WAYS(flush)                                                                  \
    PTX_FLOW_SCALE | (flush), PTX_FLOW_SCALE | (flush), PTX_FLOW_MORE | (flush)

/* Vectors are fused by the processor, or not at all. */
#if defined __AVX__ && defined __FMA__
#define FUSED_FLOW ptx_take_flow
#else
#define FUSED_FLOW NULL
#endif

#define FUSED_STRIP(name, same, flush)                                                     \
    RL_UNSEEN static void name##same(const struct ptx_strip *strip)                        \
    {                                                                                      \
        fuse_strip(strip, same, flush);                                                    \
    }
#define FUSED_STRIPS(name, flush)                                                          \
    FUSED_STRIP(name, 0, flush) FUSED_STRIP(name, 1, flush) FUSED_STRIP(name, 2, flush)    \
    FUSED_STRIP(name, 3, flush) FUSED_STRIP(name, 4, flush) FUSED_STRIP(name, 5, flush)    \
    FUSED_STRIP(name, 6, flush)                                                            \
    static const struct ptx_strips name = {                                                \
        { name##0, name##1, name##2, name##3, name##4, name##5, name##6 },                 \
        { FUSED_WAYS(flush ? PTX_FLOW_FTZ : 0) }, FUSED_FLOW                               \
    };
FUSED_STRIPS(fused_strips, false)
FUSED_STRIPS(fused_ftz_strips, true)

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
#define ROW_STRIPS(word, needed, allowed, operands, function)                      \
    { .opcode = PTX_OP_##word, .types = { PTX_F32 }, .needs = needed, .allows = allowed, \
      .signature = operands, .run = function, .strips = &function##_strips }

/* Rounds to nearest if no rounding is given. */
#define LOOSE(word, operands, function)                                           \
    ROW_STRIPS(word, PTX_SET(FTZ), PTX_SET(RN, RZ, RM, RP, SAT), operands, function##_ftz), \
    ROW_STRIPS(word, PTX_SET(NOTHING), PTX_SET(RN, RZ, RM, RP, SAT), operands, function)

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
    ROW_STRIPS(word, PTX_SET(RN, FTZ), PTX_SET(RN, SAT), operands, function##_ftz), \
    ROW_STRIPS(word, PTX_SET(RN), PTX_SET(RN, SAT), operands, function)

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
