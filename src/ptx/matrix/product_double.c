/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of doubles: a chain of fused multiply-adds in the order of k.
 */
#include "ptx/matrix/product.h"

#include <math.h>
#include <string.h>

#define ROWS 16
#define DEPTH 16

struct factor {
    double at[ROWS][DEPTH];
};

struct factors {
    struct factor a, b;
};

size_t ptx_matrix_doubles_bytes(void)
{
    return sizeof(struct factors);
}

static void unpack_factor(const struct matrix_fragment *fragment,
                          const struct matrix_registers *from, struct factor *to)
{
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            struct matrix_spot spot = ptx_matrix_spot_of(fragment, lane, n, 0);
            to->at[spot.row][spot.column] = ((const double *)from->doubles[n])[lane];
        }
}

/* Returns a quiet NaN's bits as a double. */
static double quiet(double nan)
{
    uint64_t bits;
    memcpy(&bits, &nan, sizeof bits);
    bits |= UINT64_C(1) << 51;
    memcpy(&nan, &bits, sizeof nan);
    return nan;
}

/* The first NaN of b, c and a is the result, as measured; otherwise there is one NaN. */
static double multiplied_and_added(double a, double b, double c)
{
    static const uint64_t not_a_number = UINT64_C(0xfff8000000000000);
    double result = fma(a, b, c);
    if (result == result) return result;
    if (b != b) return quiet(b);
    if (c != c) return quiet(c);
    if (a != a) return quiet(a);
    memcpy(&result, &not_a_number, sizeof result);
    return result;
}

void ptx_matrix_multiply_doubles(const struct matrix_plan *plan,
                                 const struct matrix_fragments *fragments,
                                 const struct matrix_operands *operands)
{
    struct factors *factors = operands->scratch;
    const struct factor *a = &factors->a, *b = &factors->b;
    unpack_factor(&fragments->a, &operands->a, &factors->a);
    unpack_factor(&fragments->b, &operands->b, &factors->b);
    for (uint32_t n = 0; n < fragments->d.registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            struct matrix_spot spot = ptx_matrix_spot_of(&fragments->d, lane, n, 0);
            double sum = ((const double *)operands->c.doubles[n])[lane];
            for (uint32_t k = 0; k < matrix_depth(plan); k++)
                sum = multiplied_and_added(a->at[spot.row][k], b->at[spot.column][k], sum);
            ((double *)operands->d[n])[lane] = sum;
        }
}
