/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of floating-point numbers, as tensor cores add them up.
 *
 * The products are exact.  They and c are brought to the largest exponent among them, cut
 * toward zero at a few bits below it, and added exactly; the sum is cut, or rounded, once.
 * As measured on an H100; PTX leaves all of this open.
 */
#include "ptx/matrix/float_format.h"
#include "ptx/matrix/product.h"

#define ROWS 32
#define DEPTH 32
#define LEAST (-126) /* no sum has an exponent below this                                   */

/* A factor, its elements as numbers. */
struct factor {
    int32_t mantissa[ROWS][DEPTH];
    int32_t exponent[ROWS][DEPTH];
    uint8_t kind[ROWS][DEPTH];
    bool special[ROWS];       /* a row with anything but finite numbers                    */
};

/* How sums are made. */
struct rule {
    uint32_t depth;           /* products that are added up at once                        */
    int32_t fraction;         /* bits below the largest exponent                           */
    int32_t bits;             /* of the fraction of a product                              */
    bool half;                /* sums are f16, rounded to the nearest; else f32, cut       */
};

static struct rule rule_of(const struct matrix_plan *plan)
{
    struct float_format a = float_format_of((enum ptx_type)plan->a),
                        b = float_format_of((enum ptx_type)plan->b);
    return (struct rule){
        .depth = plan->flags & MATRIX_IN_FOURS ? 4 : matrix_depth(plan),
        .fraction = 25,
        .bits = a.mantissa + b.mantissa,
        .half = plan->d == PTX_F16 && plan->c == PTX_F16,
    };
}

/* ---- Factors ------------------------------------------------------------------------------ */

static void unpack_factor(const struct matrix_fragment *fragment, enum ptx_type type,
                          const struct matrix_registers *from, struct factor *to)
{
    struct float_format format = float_format_of(type);
    for (uint32_t i = 0; i < fragment->rows; i++) to->special[i] = false;
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            for (uint32_t part = 0; part < matrix_parts(fragment); part++) {
                struct matrix_spot spot = ptx_matrix_spot_of(fragment, lane, n, part);
                struct float_number number =
                    float_number_of(format, from->words[n][lane] >> part * fragment->bits);
                to->mantissa[spot.row][spot.column] = number.mantissa;
                to->exponent[spot.row][spot.column] = number.exponent;
                to->kind[spot.row][spot.column] = (uint8_t)number.kind;
                to->special[spot.row] |= number.kind != FLOAT_FINITE;
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

/* Shifts a magnitude right or left, and gives it the sign of `signed_by`. */
static inline int64_t aligned(int32_t number, int32_t left)
{
    uint64_t magnitude = (uint64_t)(number < 0 ? -(int64_t)number : number);
    magnitude = left >= 0 ? magnitude << left : left > -64 ? magnitude >> -left : 0;
    return number < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

/* Adds `rule->depth` products, from the k-th on, and a number with `bits` bits of fraction. */
static struct sum add_up(const struct rule *rule, const struct factor *a, uint32_t row,
                         const struct factor *b, uint32_t column, uint32_t k,
                         struct float_number c, int32_t bits)
{
    const int32_t *am = a->mantissa[row] + k, *bm = b->mantissa[column] + k;
    const int32_t *ae = a->exponent[row] + k, *be = b->exponent[column] + k;
    struct sum sum = { .exponent = larger(LEAST, c.exponent), .fraction = rule->fraction };
    for (uint32_t i = 0; i < rule->depth; i++)
        sum.exponent = larger(sum.exponent, ae[i] + be[i]);
    const int32_t left = rule->fraction - rule->bits - sum.exponent;
    sum.value = aligned(c.mantissa, rule->fraction - bits + c.exponent - sum.exponent);
    for (uint32_t i = 0; i < rule->depth; i++)
        sum.value += aligned(am[i] * bm[i], left + ae[i] + be[i]);
    return sum;
}

/* ---- Results ------------------------------------------------------------------------------ */

/* Cuts a sum to f32. */
static uint32_t single_of(const struct sum *sum)
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
    return sign | (biased << 23) | (mantissa & 0x7fffff);
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
static uint32_t special_sum(const struct factor *a, uint32_t row, const struct factor *b,
                            uint32_t column, uint32_t k, uint32_t count, struct float_number c)
{
    bool nan = c.kind == FLOAT_NAN, plus = c.kind == FLOAT_INFINITE && c.mantissa > 0,
         minus = c.kind == FLOAT_INFINITE && c.mantissa < 0;
    for (uint32_t end = k + count; k < end; k++) {
        uint8_t x = a->kind[row][k], y = b->kind[column][k];
        int32_t left = a->mantissa[row][k], right = b->mantissa[column][k];
        if (x == FLOAT_FINITE && y == FLOAT_FINITE) continue;
        if (x == FLOAT_NAN || y == FLOAT_NAN || !left || !right) nan = true;
        else if ((left < 0) == (right < 0)) plus = true;
        else minus = true;
    }
    if (nan || (plus && minus)) return 0x7fffffff;
    return plus ? 0x7f800000 : minus ? 0xff800000 : 0;
}

static uint32_t element_of(const struct rule *rule, const struct factor *a, uint32_t row,
                           const struct factor *b, uint32_t column, uint32_t depth, uint32_t bits)
{
    const struct float_format format = float_format_of(rule->half ? PTX_F16 : PTX_F32);
    for (uint32_t k = 0; k < depth; k += rule->depth) {
        struct float_number c = float_number_of(format, bits);
        uint32_t special = 0;
        if (a->special[row] || b->special[column] || c.kind != FLOAT_FINITE)
            special = special_sum(a, row, b, column, k, rule->depth, c);
        struct sum sum = add_up(rule, a, row, b, column, k, c, format.mantissa);
        bits = rule->half ? half_of(&sum) : single_of(&sum);
        if (special) bits = rule->half ? special >> 16 & 0xfc00 : special;
        if (special == 0x7fffffff && rule->half) bits = 0x7fff;
    }
    return bits;
}

/* The bits of c, by rows. */
struct addends {
    uint32_t at[ROWS][ROWS];
};

/* Those of f16 become f32 if the sums are. */
static void unpack_addends(const struct matrix_fragment *fragment,
                           const struct matrix_registers *from, bool widen, struct addends *to)
{
    uint32_t bits = fragment->bits, mask = UINT32_MAX >> (32 - bits);
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            for (uint32_t part = 0; part < matrix_parts(fragment); part++) {
                struct matrix_spot spot = ptx_matrix_spot_of(fragment, lane, n, part);
                uint32_t value = from->words[n][lane] >> part * bits & mask;
                to->at[spot.row][spot.column] = widen ? ptx_matrix_half_to_single(value) : value;
            }
}

void ptx_matrix_multiply_floats(const struct matrix_plan *plan,
                            const struct matrix_fragments *fragments,
                            const struct matrix_operands *operands)
{
    const struct matrix_fragment *to = &fragments->d;
    const struct rule rule = rule_of(plan);
    struct factor a, b;
    struct addends c;
    uint32_t depth = fragments->a.columns;
    unpack_factor(&fragments->a, (enum ptx_type)plan->a, &operands->a, &a);
    unpack_factor(&fragments->b, (enum ptx_type)plan->b, &operands->b, &b);
    unpack_addends(&fragments->c, &operands->c, plan->c == PTX_F16 && !rule.half, &c);
    for (uint32_t n = 0; n < to->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            uint32_t word = 0;
            for (uint32_t part = 0; part < matrix_parts(to); part++) {
                struct matrix_spot spot = ptx_matrix_spot_of(to, lane, n, part);
                uint32_t sum = element_of(&rule, &a, spot.row, &b, spot.column, depth,
                                          c.at[spot.row][spot.column]);
                if (plan->d == PTX_F16 && !rule.half) sum = ptx_matrix_single_to_half(sum);
                word |= sum << part * to->bits;
            }
            ((uint32_t *)operands->d[n])[lane] = word;
        }
}
