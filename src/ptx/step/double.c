/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f64 that is exact up to one rounding.
 */
#include "ptx/step/ieee.h"
#include "ptx/step/lanes.h"

#define UNARY(name, value) PTX_LANES_1(name, double, double, value)
#define BINARY(name, value) PTX_LANES_2(name, double, double, double, value)
#define TERNARY(name, value) PTX_LANES_3(name, double, double, double, double, value)

BINARY(add, double_result(x + y, x, y, 0))
BINARY(sub, double_result(x - y, x, y, 0))
BINARY(mul, double_result(x * y, x, y, 0))
BINARY(quotient, double_result(x / y, x, y, 0))
UNARY(root, double_result(__builtin_sqrt(x), x, 0, 0))
UNARY(reciprocal, double_result(1 / x, x, 0, 0))
TERNARY(fused, double_result(double_fma(x, y, z), x, y, z))

/* ---- Bits -------------------------------------------------------------------------- */

#define SIZE (x & ~DOUBLE_SIGN)
#define BITS(name, value) PTX_LANES_1(name, uint64_t, uint64_t, value)
/* A NaN keeps its sign. */
BITS(negative, SIZE > DOUBLE_INFINITY ? x | DOUBLE_QUIET : x ^ DOUBLE_SIGN)
BITS(magnitude, SIZE > DOUBLE_INFINITY ? x | DOUBLE_QUIET : SIZE)

/* The sign of a, the rest of b. */
PTX_LANES_2(copysign_f64, uint64_t, uint64_t, uint64_t, (x & DOUBLE_SIGN) | (y & ~DOUBLE_SIGN))

/* testp looks at the bits without their sign.  Zero is a normal number. */
#define TEST(name, condition) PTX_LANES_1(name, uint8_t, uint64_t, condition)
#define LEAST_NORMAL (UINT64_C(1) << 52)

TEST(is_finite, SIZE < DOUBLE_INFINITY)
TEST(is_infinite, SIZE == DOUBLE_INFINITY)
TEST(is_number, SIZE <= DOUBLE_INFINITY)
TEST(is_not_a_number, SIZE > DOUBLE_INFINITY)
TEST(is_normal, SIZE == 0 || SIZE - LEAST_NORMAL < DOUBLE_INFINITY - LEAST_NORMAL)
TEST(is_subnormal, SIZE - 1 < LEAST_NORMAL - 1)

/* ---- Approximations ------------------------------------------------------------------ */

/* Instructions with .ftz look at the upper half of a number only, and give an upper half. */
#define UPPER UINT64_C(0xffffffff00000000)

static inline double upper_of(double x)
{
    return x != x ? x : double_of(double_bits(x) & UPPER);
}

/* Rounds to nearest. */
static inline double rounded_to_upper(double x)
{
    return double_of((double_bits(x) + UINT64_C(0x80000000)) & UPPER);
}

/* Applies .ftz: a subnormal number becomes the zero of its sign. */
static inline double double_flushed(double x)
{
    const uint64_t bits = double_bits(x);
    return double_of(bits & DOUBLE_INFINITY ? bits : bits & DOUBLE_SIGN);
}

/* Returns a result with the one NaN, as f32 has. */
static inline double upper_result(double x)
{
    return x != x ? double_of((uint64_t)SINGLE_NAN << 32) : double_flushed(rounded_to_upper(x));
}

UNARY(rough_reciprocal, upper_result(1 / double_flushed(upper_of(x))))
UNARY(rough_root_reciprocal, upper_result(1 / __builtin_sqrt(double_flushed(upper_of(x)))))

/* A GPU iterates until all bits are right: one step does that, after two roundings. */
static inline double root_reciprocal_of(double x)
{
    const double y = 1 / __builtin_sqrt(x), product = x * y;
    const double lack = double_fma(x, y, -product);
    const double rest = double_fma(-product, y, 1) - lack * y;
    const double right = double_fma(rest / 2, y, y);
    return right == right ? right : y; /* of zeros and infinities there is no rest */
}

UNARY(root_reciprocal, double_result(root_reciprocal_of(x), x, 0, 0))

/* ---- Forms ------------------------------------------------------------------------- */

#define ROW(word, needed, allowed, operands, function)                            \
    { .opcode = PTX_OP_##word, .types = { PTX_F64 }, .needs = needed, .allows = allowed, \
      .signature = operands, .run = function }

/* Rounds to nearest if no rounding is given, ... */
#define LOOSE(word, operands, function)                                           \
    ROW(word, PTX_SET(NOTHING), PTX_SET(RN, RZ, RM, RP), operands, function)
/* ... or needs one. */
#define STRICT(word, operands, function)                                          \
    ROW(word, PTX_SET(RN), PTX_SET(RN), operands, function),                      \
    ROW(word, PTX_SET(RZ), PTX_SET(RZ), operands, function),                      \
    ROW(word, PTX_SET(RM), PTX_SET(RM), operands, function),                      \
    ROW(word, PTX_SET(RP), PTX_SET(RP), operands, function)
/* What compilers take, too: there .ftz changes nothing. */
#define RECIPROCAL(direction)                                                     \
    ROW(RCP, PTX_SET(direction, FTZ), PTX_SET(direction), "=00", reciprocal)
#define PLAIN(word, operands, function)                                           \
    ROW(word, PTX_SET(NOTHING), PTX_SET(NOTHING), operands, function)
#define TESTS(property, function)                                                 \
    ROW(TESTP, PTX_SET(property), PTX_SET(NOTHING), "=p0", function)

static const struct ptx_form rows[] = {
    LOOSE(ADD, "=000", add),
    LOOSE(SUB, "=000", sub),
    LOOSE(MUL, "=000", mul),
    STRICT(FMA, "=0000", fused),
    STRICT(MAD, "=0000", fused),
    STRICT(DIV, "=000", quotient),
    STRICT(SQRT, "=00", root),
    STRICT(RCP, "=00", reciprocal),
    RECIPROCAL(RN), RECIPROCAL(RZ), RECIPROCAL(RM), RECIPROCAL(RP),
    PLAIN(NEG, "=00", negative),
    PLAIN(ABS, "=00", magnitude),
    PLAIN(COPYSIGN, "=000", copysign_f64),
    ROW(RCP, PTX_SET(APPROX, FTZ), PTX_SET(NOTHING), "=00", rough_reciprocal),
    ROW(RSQRT, PTX_SET(APPROX, FTZ), PTX_SET(NOTHING), "=00", rough_root_reciprocal),
    ROW(RSQRT, PTX_SET(APPROX), PTX_SET(NOTHING), "=00", root_reciprocal),
    TESTS(FINITE, is_finite),
    TESTS(INFINITE, is_infinite),
    TESTS(NUMBER, is_number),
    TESTS(NOTANUMBER, is_not_a_number),
    TESTS(NORMAL, is_normal),
    TESTS(SUBNORMAL, is_subnormal),
};

const struct ptx_forms ptx_double_forms = { rows, sizeof rows / sizeof *rows };
