/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of integers and of single bits, and sums of 32 bits.
 */
#include "ptx/matrix/product.h"

#define ROWS 32
#define DEPTH 128

/* A factor, its elements as numbers. */
struct factor {
    int16_t at[ROWS][DEPTH];
};

struct factors {
    struct factor a, b;
};

size_t ptx_matrix_integers_bytes(void)
{
    return sizeof(struct factors);
}

static int32_t extracted(uint32_t word, uint32_t part, uint32_t bits, bool is_signed)
{
    uint32_t high = word << (32 - bits * (part + 1)), empty = 32 - bits;
    return is_signed ? (int32_t)high >> empty : (int32_t)(high >> empty);
}

static void unpack_factor(const struct matrix_fragment *fragment, enum ptx_type type,
                          const struct matrix_registers *from, struct factor *to)
{
    bool is_signed = type == PTX_S8 || type == PTX_S4;
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            for (uint32_t part = 0; part < matrix_parts(fragment); part++) {
                struct matrix_spot spot = ptx_matrix_spot_of(fragment, lane, n, part);
                to->at[spot.row][spot.column] =
                    (int16_t)extracted(from->words[n][lane], part, fragment->bits, is_signed);
            }
}

/* Adds a sum of products to c: it wraps around, or stays at the ends. */
static int32_t added(int64_t sum, int32_t c, bool saturates)
{
    sum += c;
    if (saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (int32_t)(uint32_t)(uint64_t)sum;
}

void ptx_matrix_multiply_integers(const struct matrix_plan *plan,
                                  const struct matrix_fragments *fragments,
                                  const struct matrix_operands *operands)
{
    struct factors *factors = operands->scratch;
    uint32_t depth = fragments->a.columns;
    unpack_factor(&fragments->a, (enum ptx_type)plan->a, &operands->a, &factors->a);
    unpack_factor(&fragments->b, (enum ptx_type)plan->b, &operands->b, &factors->b);
    for (uint32_t n = 0; n < fragments->d.registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            struct matrix_spot spot = ptx_matrix_spot_of(&fragments->d, lane, n, 0);
            const int16_t *row = factors->a.at[spot.row], *column = factors->b.at[spot.column];
            const uint8_t *places = matrix_places_of(operands, spot.row);
            int32_t sum = 0;
            for (uint32_t k = 0; k < depth; k++) sum += row[k] * column[places ? places[k] : k];
            ((int32_t *)operands->d[n])[lane] = added(sum, (int32_t)operands->c.words[n][lane],
                                                      plan->flags & MATRIX_SATURATES);
        }
}

/* ---- Bits --------------------------------------------------------------------------------- */

/* A row's bits, 32 in a word. */
struct bits {
    uint32_t at[ROWS][8];
};

static void unpack_bits(const struct matrix_fragment *fragment,
                        const struct matrix_registers *from, struct bits *to)
{
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            struct matrix_spot spot = ptx_matrix_spot_of(fragment, lane, n, 0);
            to->at[spot.row][spot.column / 32] = from->words[n][lane];
        }
}

void ptx_matrix_multiply_bits(const struct matrix_plan *plan,
                              const struct matrix_fragments *fragments,
                              const struct matrix_operands *operands)
{
    struct bits a, b;
    bool ands = plan->flags & MATRIX_ANDS;
    unpack_bits(&fragments->a, &operands->a, &a);
    unpack_bits(&fragments->b, &operands->b, &b);
    for (uint32_t n = 0; n < fragments->d.registers; n++)
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
            struct matrix_spot spot = ptx_matrix_spot_of(&fragments->d, lane, n, 0);
            const uint32_t *row = a.at[spot.row], *column = b.at[spot.column];
            uint32_t sum = operands->c.words[n][lane];
            for (uint32_t k = 0; k < matrix_depth(plan) / 32; k++)
                sum += (uint32_t)__builtin_popcount(ands ? row[k] & column[k] : row[k] ^ column[k]);
            ((uint32_t *)operands->d[n])[lane] = sum;
        }
}
