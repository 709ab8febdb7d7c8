/* SPDX-License-Identifier: Apache-2.0
 *
 * From a step to the operands of each of its warps.
 */
#include "ptx/matrix/product.h"

#include <fenv.h>
#include <string.h>

#include "ptx/run/warp/whole_warp.h"

/* ---- Fragments ---------------------------------------------------------------------------- */

static bool is_quad(const struct matrix_plan *plan)
{
    return plan->m == 8 && plan->a == PTX_F16;
}

/* Four products of 8 rows are one with 32 rows here, each eight of which have factors of
 * their own. */
static struct matrix_fragments quad_fragments(const struct matrix_plan *plan)
{
    bool a_by_column = plan->flags & MATRIX_A_BY_COLUMN, b_by_row = plan->flags & MATRIX_B_BY_ROW;
    struct matrix_fragments all;
    all.a = ptx_matrix_fragment_of(a_by_column ? MATRIX_QUAD_BY_COLUMN : MATRIX_QUAD_BY_ROW,
                                   PTX_F16, 32, 4);
    all.b = ptx_matrix_fragment_of(b_by_row ? MATRIX_QUAD_BY_COLUMN : MATRIX_QUAD_BY_ROW,
                                   PTX_F16, 32, 4);
    all.c = ptx_matrix_fragment_of(plan->c == PTX_F16 ? MATRIX_QUAD_BY_ROW : MATRIX_QUAD_SUM,
                                   (enum ptx_type)plan->c, 32, 8);
    all.d = ptx_matrix_fragment_of(plan->d == PTX_F16 ? MATRIX_QUAD_BY_ROW : MATRIX_QUAD_SUM,
                                   (enum ptx_type)plan->d, 32, 8);
    return all;
}

struct matrix_fragments ptx_matrix_fragments_of(const struct matrix_plan *plan)
{
    uint32_t k = matrix_depth(plan), kept = plan->flags & MATRIX_SPARSE ? k / 2 : k;
    struct matrix_fragments all;
    if (is_quad(plan)) return quad_fragments(plan);
    all.a = ptx_matrix_fragment_of(MATRIX_FACTOR, (enum ptx_type)plan->a, plan->m, kept);
    all.b = ptx_matrix_fragment_of(plan->n > 8 ? MATRIX_FACTOR_BY_K : MATRIX_FACTOR,
                                   (enum ptx_type)plan->b, plan->n, k);
    all.c = ptx_matrix_fragment_of(MATRIX_SUM, (enum ptx_type)plan->c, plan->m, plan->n);
    all.d = ptx_matrix_fragment_of(MATRIX_SUM, (enum ptx_type)plan->d, plan->m, plan->n);
    return all;
}

/* ---- Steps -------------------------------------------------------------------------------- */

/* Finds a warp's part of `count` columns; returns the next of the list. */
static const uint32_t *find_registers(struct ptx_group *group, const uint32_t *columns,
                                      const struct matrix_fragment *fragment, uint32_t warp,
                                      void **found)
{
    uint32_t bytes = fragment->bits == 64 ? 8 : 4;
    for (uint32_t n = 0; n < fragment->registers; n++)
        found[n] = PTX_COLUMN(group, *columns++, unsigned char) +
                   (size_t)warp * PTX_WARP * bytes;
    return columns;
}

/* Copies registers, since those of the result may be among them, in another order. */
static void keep_sums(const struct matrix_fragment *fragment, struct matrix_registers *registers,
                      uint64_t kept[MATRIX_REGISTERS][PTX_WARP])
{
    size_t bytes = (fragment->bits == 64 ? 8 : 4) * PTX_WARP;
    for (uint32_t n = 0; n < fragment->registers; n++)
        registers->words[n] = memcpy(kept[n], registers->words[n], bytes);
}

/* Reads the places of a warp's sparse factor.  Returns false if a lane has failed. */
static bool read_places(struct ptx_group *group, const struct ptx_step *step,
                        const struct matrix_plan *plan, uint32_t column, uint32_t warp,
                        struct matrix_places *places)
{
    const uint32_t *words = PTX_COLUMN(group, column, const uint32_t) + warp * PTX_WARP;
    const uint32_t wrong = ptx_matrix_find_places((enum ptx_type)plan->a, matrix_depth(plan),
                                                  plan->flags >> MATRIX_SELECTOR, words, places);
    if (wrong < PTX_WARP) ptx_matrix_fail_places(group, step, warp * PTX_WARP + wrong);
    return wrong == PTX_WARP;
}

/* What is kept of a warp's operands; what the product needs lies behind it. */
struct warp {
    uint64_t sums[MATRIX_REGISTERS][PTX_WARP];
    struct matrix_places places;
};

#define PRODUCT_AT ((sizeof(struct warp) + 63) / 64 * 64)

static void multiply(struct ptx_group *group, const struct ptx_step *step,
                     matrix_multiply *product)
{
    if (!ptx_whole_warps(group, step)) return;
    struct warp *warp = group->block->scratch;
    struct matrix_plan plan;
    memcpy(&plan, &step->immediate, sizeof plan);
    const struct matrix_fragments fragments = ptx_matrix_fragments_of(&plan);
    PTX_EACH_WARP(group, w) {
        struct matrix_operands operands = { .places = NULL };
        operands.scratch = (unsigned char *)warp + PRODUCT_AT;
        const uint32_t *at = group->frame->program->columns + step->more;
        at = find_registers(group, at, &fragments.d, w, operands.d);
        at = find_registers(group, at, &fragments.a, w, (void **)operands.a.words);
        at = find_registers(group, at, &fragments.b, w, (void **)operands.b.words);
        at = find_registers(group, at, &fragments.c, w, (void **)operands.c.words);
        if (plan.flags & MATRIX_SPARSE) {
            if (!read_places(group, step, &plan, *at, w, &warp->places)) return;
            operands.places = &warp->places;
        }
        keep_sums(&fragments.c, &operands.c, warp->sums);
        product(&plan, &fragments, &operands);
    }
}

static void multiply_integers(struct ptx_group *group, const struct ptx_step *step)
{
    multiply(group, step, ptx_matrix_multiply_integers);
}

static void multiply_bits(struct ptx_group *group, const struct ptx_step *step)
{
    multiply(group, step, ptx_matrix_multiply_bits);
}

static void multiply_floats(struct ptx_group *group, const struct ptx_step *step)
{
    multiply(group, step, ptx_matrix_multiply_floats);
}

static void multiply_quads(struct ptx_group *group, const struct ptx_step *step)
{
    multiply(group, step, ptx_matrix_multiply_quads);
}

static void multiply_bytes(struct ptx_group *group, const struct ptx_step *step)
{
    multiply(group, step, ptx_matrix_multiply_bytes);
}

static void multiply_doubles(struct ptx_group *group, const struct ptx_step *step)
{
    static const int roundings[] = {
        [PTX_ROUND_NEAREST] = FE_TONEAREST, [PTX_ROUND_ZERO] = FE_TOWARDZERO,
        [PTX_ROUND_DOWN] = FE_DOWNWARD, [PTX_ROUND_UP] = FE_UPWARD
    };
    fesetround(roundings[step->rounding]);
    multiply(group, step, ptx_matrix_multiply_doubles);
    fesetround(FE_TONEAREST);
}

ptx_run *ptx_matrix_product_step(const struct matrix_plan *plan)
{
    switch ((enum ptx_type)plan->a) {
    case PTX_B1: return multiply_bits;
    case PTX_S4:
    case PTX_U4:
    case PTX_S8:
    case PTX_U8: return multiply_integers;
    case PTX_F64: return multiply_doubles;
    case PTX_E4M3:
    case PTX_E5M2: return multiply_bytes;
    default: return is_quad(plan) ? multiply_quads : multiply_floats;
    }
}

size_t ptx_matrix_product_bytes(const struct matrix_plan *plan)
{
    ptx_run *const step = ptx_matrix_product_step(plan);
    const bool sparse = plan->flags & MATRIX_SPARSE;
    size_t bytes = 0;
    if (step == multiply_integers) bytes = ptx_matrix_integers_bytes();
    else if (step == multiply_doubles) bytes = ptx_matrix_doubles_bytes();
    else if (step == multiply_quads) bytes = ptx_matrix_quads_bytes();
    else if (step == multiply_bytes) bytes = ptx_matrix_emulated_bytes(sparse);
    else if (step == multiply_floats) bytes = ptx_matrix_floats_bytes(sparse);
    return PRODUCT_AT + bytes;
}
