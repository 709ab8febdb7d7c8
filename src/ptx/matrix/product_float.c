/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of floating-point numbers: from fragments to sums, and back.
 */
#include "ptx/matrix/float_sum.h"
#include "ptx/matrix/product.h"

#include <stddef.h>

static struct float_rule rule_of(const struct matrix_plan *plan, uint32_t depth)
{
    return (struct float_rule){
        .depth = plan->flags & MATRIX_IN_FOURS ? 4 : depth,
        .fraction = 25,
        .half = plan->d == PTX_F16 && plan->c == PTX_F16,
    };
}

static void unpack_factor(const struct matrix_fragment *fragment, enum ptx_type type,
                          const struct matrix_registers *from, struct float_factor *to)
{
    struct float_format format = float_format_of(type);
    for (uint32_t i = 0; i < fragment->rows; i++) to->special[i] = false;
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t part = 0; part < matrix_parts(fragment); part++) {
            const struct matrix_spot first = ptx_matrix_spot_of(fragment, 0, n, part);
            for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
                struct matrix_spot spot = ptx_matrix_spot_after(fragment, first, lane);
                struct float_number number =
                    float_number_of(format, from->words[n][lane] >> part * fragment->bits);
                ptx_float_put(to, spot.row, spot.column, number);
            }
        }
}

/* The bits of c, and then of the sums, by rows. */
struct addends {
    uint32_t at[FLOAT_ROWS][FLOAT_ROWS];
};

/* What a product is made of; `chosen` is of the second factor, for a row of a sparse one. */
struct parts {
    struct addends c;
    struct float_factor a, b, chosen;
};

size_t ptx_matrix_floats_bytes(bool sparse)
{
    return sparse ? sizeof(struct parts) : offsetof(struct parts, chosen);
}

/* Those of f16 become f32 if the sums are. */
static void unpack_addends(const struct matrix_fragment *fragment,
                           const struct matrix_registers *from, bool widen, struct addends *to)
{
    uint32_t bits = fragment->bits, mask = UINT32_MAX >> (32 - bits);
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t part = 0; part < matrix_parts(fragment); part++) {
            const struct matrix_spot first = ptx_matrix_spot_of(fragment, 0, n, part);
            for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
                struct matrix_spot spot = ptx_matrix_spot_after(fragment, first, lane);
                uint32_t value = from->words[n][lane] >> part * bits & mask;
                to->at[spot.row][spot.column] = widen ? ptx_matrix_half_to_single(value) : value;
            }
        }
}

static void pack_sums(const struct matrix_fragment *fragment, const struct addends *from,
                      bool narrow, void *const *to)
{
    for (uint32_t n = 0; n < fragment->registers; n++)
        for (uint32_t part = 0; part < matrix_parts(fragment); part++) {
            const struct matrix_spot first = ptx_matrix_spot_of(fragment, 0, n, part);
            uint32_t *words = to[n];
            for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
                struct matrix_spot spot = ptx_matrix_spot_after(fragment, first, lane);
                uint32_t sum = from->at[spot.row][spot.column];
                if (narrow) sum = ptx_matrix_single_to_half(sum);
                words[lane] = (part ? words[lane] : 0) | sum << part * fragment->bits;
            }
        }
}

void ptx_matrix_multiply_floats(const struct matrix_plan *plan,
                                const struct matrix_fragments *fragments,
                                const struct matrix_operands *operands)
{
    const uint32_t depth = fragments->a.columns;
    const struct float_rule rule = rule_of(plan, depth);
    struct parts *parts = operands->scratch;
    struct float_factor *a = &parts->a, *b = &parts->b, *chosen = &parts->chosen;
    struct addends *c = &parts->c;
    unpack_factor(&fragments->a, (enum ptx_type)plan->a, &operands->a, a);
    unpack_factor(&fragments->b, (enum ptx_type)plan->b, &operands->b, b);
    unpack_addends(&fragments->c, &operands->c, plan->c == PTX_F16 && !rule.half, c);
    for (uint32_t row = 0; row < plan->m; row++) {
        const uint8_t *places = matrix_places_of(operands, row);
        if (places) ptx_float_choose(b, plan->n, places, depth, chosen);
        for (uint32_t column = 0; column < plan->n; column++)
            c->at[row][column] = ptx_float_sum(&rule, a, row, places ? chosen : b, column, depth,
                                               c->at[row][column]);
    }
    pack_sums(&fragments->d, c, plan->d == PTX_F16 && !rule.half, operands->d);
}
