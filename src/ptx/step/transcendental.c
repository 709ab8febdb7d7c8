/* SPDX-License-Identifier: Apache-2.0
 *
 * The instructions of f32 with .approx or .full, which need not be exact: to what PTX allows,
 * or better.
 */
#include "ptx/step/approximate.h"
#include "ptx/step/lanes.h"

#define UNARY(name, value) PTX_LANES_1(name, float, float, value)
#define BINARY(name, value) PTX_LANES_2(name, float, float, float, value)
#define RESULT(value) single_result(value)
#define FLUSHED(value) single_flushed(single_result(value))
#define ZERO(x) single_flushed(x)

/* A function without and with .ftz. */
#define BOTH(name, function)                                                      \
    UNARY(name, RESULT(function(x)))                                              \
    UNARY(name##_ftz, FLUSHED(function(ZERO(x))))

/* Infinities and NaNs are no angles. */
static inline float sine(float x)
{
    const float size = __builtin_fabsf(x), wave = single_wave(single_angle(size));
    const uint32_t sign = single_bits(x) & SINGLE_SIGN;
    return size < __builtin_inff() ? single_of(single_bits(wave) ^ sign) : x - x;
}

static inline float cosine(float x)
{
    const float size = __builtin_fabsf(x);
    return size < __builtin_inff() ? single_wave(single_angle(size) + QUARTER_TURN) : x - x;
}

static inline float root_of(float x)
{
    return __builtin_sqrtf(x);
}

static inline float reciprocal_of(float x)
{
    return 1 / x;
}

static inline float root_reciprocal_of(float x)
{
    return 1 / __builtin_sqrtf(x);
}

/* The reciprocal of a divisor above 2^126 counts as zero here. */
static inline float quotient_of(float x, float y)
{
    const bool vast = single_bits(y) << 1 > UINT32_C(0x7e800000) << 1;
    const float zero = single_of((single_bits(y) & SINGLE_SIGN));
    return vast && y == y ? x * zero : x / y;
}

BOTH(sin_of, sine)
BOTH(cos_of, cosine)
BOTH(lg2_of, single_lg2)
BOTH(ex2_of, single_ex2)
BOTH(approximate_root, root_of)
BOTH(approximate_reciprocal, reciprocal_of)
BOTH(rsqrt_of, root_reciprocal_of)
UNARY(tanh_of, RESULT(single_tanh(x)))
BINARY(quotient, RESULT(quotient_of(x, y)))
BINARY(quotient_ftz, FLUSHED(quotient_of(ZERO(x), ZERO(y))))
BINARY(full, RESULT(x / y))
BINARY(full_ftz, FLUSHED(ZERO(x) / ZERO(y)))

#define ROW(word, operands, function, ...)                                        \
    { .opcode = PTX_OP_##word, .types = { PTX_F32 }, .needs = PTX_SET(__VA_ARGS__), \
      .signature = operands, .run = function }
#define ROWS(word, operands, function, how)                                       \
    ROW(word, operands, function, how), ROW(word, operands, function##_ftz, how, FTZ)

static const struct ptx_form rows[] = {
    ROWS(SIN, "=00", sin_of, APPROX),
    ROWS(COS, "=00", cos_of, APPROX),
    ROWS(LG2, "=00", lg2_of, APPROX),
    ROWS(EX2, "=00", ex2_of, APPROX),
    ROWS(SQRT, "=00", approximate_root, APPROX),
    ROWS(RCP, "=00", approximate_reciprocal, APPROX),
    ROWS(RSQRT, "=00", rsqrt_of, APPROX),
    ROW(TANH, "=00", tanh_of, APPROX),
    ROWS(DIV, "=000", quotient, APPROX),
    ROWS(DIV, "=000", full, FULL),
};

const struct ptx_forms ptx_transcendental_forms = { rows, sizeof rows / sizeof *rows };
