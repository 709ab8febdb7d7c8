/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/matrix/float_sum.h"

#define LEAST (-126)       /* the exponent of a subnormal f32                               */
#define LEAST_GRID (-133)  /* of what numbers are brought to, whatever their own            */

void ptx_float_put(struct float_factor *factor, uint32_t row, uint32_t column,
                   struct float_number number)
{
    factor->value[row][column] = number.value;
    factor->exponent[row][column] = number.exponent;
    factor->kind[row][column] = (uint8_t)number.kind;
    factor->special[row] |= number.kind != FLOAT_FINITE;
}

void ptx_float_choose(const struct float_factor *from, uint32_t rows, const uint8_t *columns,
                      uint32_t count, struct float_factor *to)
{
    for (uint32_t row = 0; row < rows; row++) {
        to->special[row] = false;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t k = columns[i];
            ptx_float_put(to, row, i, (struct float_number){
                .value = from->value[row][k], .exponent = from->exponent[row][k],
                .kind = (enum float_kind)from->kind[row][k] });
        }
    }
}

/* ---- Sums --------------------------------------------------------------------------------- */

/* A sum: value * 2^(exponent - fraction). */
struct sum {
    int64_t value;
    int32_t exponent, fraction;
};

static inline int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Adds `rule->depth` products, from the k-th on, and a number.  A conversion to an integer cuts
 * toward zero, as it should; nothing is larger than 2^(fraction + 2). */
static struct sum add_up(const struct float_rule *rule, const struct float_factor *a, uint32_t row,
                         const struct float_factor *b, uint32_t column, uint32_t k,
                         struct float_number c)
{
    const double *x = a->value[row] + k, *y = b->value[column] + k;
    const int32_t *ae = a->exponent[row] + k, *be = b->exponent[column] + k;
    struct sum sum = { .exponent = larger(LEAST_GRID, c.exponent), .fraction = rule->fraction };
    for (uint32_t i = 0; i < rule->depth; i++)
        sum.exponent = larger(sum.exponent, ae[i] + be[i]);
    const double scale = float_power(rule->fraction - sum.exponent);
    sum.value = (int64_t)(c.value * scale);
    for (uint32_t i = 0; i < rule->depth; i++) sum.value += (int64_t)(x[i] * y[i] * scale);
    return sum;
}

/* ---- Results ------------------------------------------------------------------------------ */

/* Cuts a sum to f32, to a number that has zeros where `unused` has bits.  What is cut to nothing
 * is a zero without a sign. */
static uint32_t single_of(const struct sum *sum, uint32_t unused)
{
    if (!sum->value) return 0;
    uint32_t sign = sum->value < 0 ? UINT32_C(1) << 31 : 0;
    uint64_t magnitude = (uint64_t)(sum->value < 0 ? -sum->value : sum->value);
    int32_t high = 63 - __builtin_clzll(magnitude);
    int32_t exponent = high - sum->fraction + sum->exponent; /* of the first bit */
    if (exponent > 127) return sign | UINT32_C(0x7f800000);
    int32_t right = high - 23 + (exponent < LEAST ? LEAST - exponent : 0);
    uint32_t mantissa = right > 63 ? 0 : (uint32_t)(right >= 0 ? magnitude >> right
                                                              : magnitude << -right);
    uint32_t biased = exponent < LEAST ? 0 : (uint32_t)(exponent + 127);
    if (!mantissa) return 0;
    return sign | (biased << 23) | (mantissa & 0x7fffff & ~unused);
}

/* Rounds a sum to the nearest f16. */
static uint32_t half_of(const struct sum *sum)
{
    if (!sum->value) return 0;
    uint32_t sign = sum->value < 0 ? 0x8000 : 0;
    uint64_t magnitude = (uint64_t)(sum->value < 0 ? -sum->value : sum->value);
    int32_t high = 63 - __builtin_clzll(magnitude);
    int32_t exponent = high - sum->fraction + sum->exponent;
    if (exponent > 15) return sign | 0x7c00;
    int32_t right = high - 10 + (exponent < -14 ? -14 - exponent : 0);
    uint64_t mantissa = 0;
    if (right <= 0) {
        mantissa = magnitude << -right;
    } else if (right < 63) {
        uint64_t rest = magnitude & ((UINT64_C(1) << right) - 1), tie = UINT64_C(1) << (right - 1);
        mantissa = magnitude >> right;
        mantissa += rest > tie || (rest == tie && (mantissa & 1));
    }
    if (!mantissa) return 0;
    /* What carries out of the mantissa goes into the exponent. */
    uint32_t biased = exponent < -14 ? 0 : (uint32_t)(exponent + 14);
    return sign | (uint32_t)(((uint64_t)biased << 10) + mantissa);
}

/* Returns NaN or an infinity of f32, or 0 if `count` products, from the k-th on, and c are all
 * finite. */
static uint32_t special_sum(const struct float_factor *a, uint32_t row,
                            const struct float_factor *b, uint32_t column, uint32_t k,
                            uint32_t count, struct float_number c)
{
    bool nan = c.kind == FLOAT_NAN, plus = c.kind == FLOAT_INFINITE && c.value > 0,
         minus = c.kind == FLOAT_INFINITE && c.value < 0;
    for (uint32_t end = k + count; k < end; k++) {
        uint8_t x = a->kind[row][k], y = b->kind[column][k];
        const double left = a->value[row][k], right = b->value[column][k];
        if (x == FLOAT_FINITE && y == FLOAT_FINITE) continue;
        if (x == FLOAT_NAN || y == FLOAT_NAN || left == 0 || right == 0) nan = true;
        else if ((left < 0) == (right < 0)) plus = true;
        else minus = true;
    }
    if (nan || (plus && minus)) return 0x7fffffff;
    return plus ? 0x7f800000 : minus ? 0xff800000 : 0;
}

uint32_t ptx_float_sum(const struct float_rule *rule, const struct float_factor *a, uint32_t row,
                       const struct float_factor *b, uint32_t column, uint32_t depth,
                       uint32_t bits)
{
    const struct float_format format = float_format_of(rule->half ? PTX_F16 : PTX_F32);
    for (uint32_t k = 0; k < depth; k += rule->depth) {
        struct float_number c = float_number_of(format, bits);
        uint32_t special = 0;
        if (a->special[row] || b->special[column] || c.kind != FLOAT_FINITE)
            special = special_sum(a, row, b, column, k, rule->depth, c);
        struct sum sum = add_up(rule, a, row, b, column, k, c);
        bits = rule->half ? half_of(&sum) : single_of(&sum, rule->unused);
        if (special) bits = rule->half ? special >> 16 & 0xfc00 : special;
        if (special == 0x7fffffff && rule->half) bits = 0x7fff;
    }
    return bits;
}
