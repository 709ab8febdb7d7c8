/* SPDX-License-Identifier: Apache-2.0
 *
 * From a step to the factors of each warpgroup, and the slices of its sum.
 */
#include "ptx/matrix/warpgroup.h"

#include <string.h>

#include "ptx/matrix/fragment.h"
#include "ptx/run/warp/whole_warp.h"

#define WARPS WARPGROUP_WARPS
#define WARP_M (WARPGROUP_M / WARPS)

/* A warpgroup at work. */
struct work {
    struct ptx_group *group;
    const struct ptx_step *step;
    const struct warpgroup_plan *plan;
    const uint32_t *columns;  /* of the step's list                                        */
    uint32_t lane;            /* the first of the warpgroup                                */
    unsigned char a[WARPGROUP_M][WARPGROUP_ROW], b[WARPGROUP_N][WARPGROUP_ROW];
    struct matrix_places places[WARPS];
    struct warpgroup_slice slice;
};

/* What a product needs lies behind it. */
#define PRODUCT_AT ((sizeof(struct work) + 63) / 64 * 64)

size_t ptx_warpgroup_bytes(const struct warpgroup_plan *plan)
{
    return PRODUCT_AT + ptx_warpgroup_product_bytes(plan);
}

static uint32_t *registers_of(const struct work *work, uint32_t column, uint32_t warp)
{
    return PTX_COLUMN(work->group, column, uint32_t) + work->lane + warp * PTX_WARP;
}

/* ---- Factors ------------------------------------------------------------------------------ */

/* Registers of the first factor are as those of mma: here rows of 32 bytes, of whatever. */
static void read_registers(struct work *work, const uint32_t *columns)
{
    const struct matrix_fragment fragment =
        ptx_matrix_fragment_of(MATRIX_FACTOR, PTX_U8, WARP_M, WARPGROUP_KEPT);
    for (uint32_t warp = 0; warp < WARPS; warp++)
        for (uint32_t n = 0; n < fragment.registers; n++) {
            const uint32_t *words = registers_of(work, columns[n], warp);
            for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
                const struct matrix_spot spot = ptx_matrix_spot_of(&fragment, lane, n, 0);
                memcpy(work->a[warp * WARP_M + spot.row] + spot.column, &words[lane],
                       sizeof *words);
            }
        }
}

static bool read_shared(struct work *work, uint32_t column, uint32_t rows, uint32_t bytes,
                        bool across, unsigned char (*to)[WARPGROUP_ROW])
{
    const struct warpgroup_factor factor = {
        .descriptor = PTX_COLUMN(work->group, column, const uint64_t)[work->lane],
        .rows = rows, .bytes = bytes, .across = across,
    };
    return ptx_warpgroup_gather(work->group, work->step, work->lane, &factor, to);
}

static bool read_places(struct work *work, uint32_t column)
{
    const enum ptx_type type = (enum ptx_type)work->plan->a;
    const uint32_t depth = ptx_warpgroup_depth(work->plan);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        const uint32_t wrong = ptx_matrix_find_places(type, depth, work->plan->selector,
                                                      registers_of(work, column, warp),
                                                      &work->places[warp]);
        if (wrong == PTX_WARP) continue;
        ptx_matrix_fail_places(work->group, work->step, work->lane + warp * PTX_WARP + wrong);
        return false;
    }
    return true;
}

/* Reads both factors; returns the predicate's column, or PTX_NO_COLUMN if a lane has failed. */
static uint32_t read_factors(struct work *work)
{
    const struct warpgroup_plan *plan = work->plan;
    const uint32_t n = plan->eighths * 8u;
    const uint32_t *at = work->columns + ptx_warpgroup_registers(plan, n);
    if (plan->flags & WARPGROUP_A_IN_REGISTERS) {
        read_registers(work, at);
        at += 4;
    } else if (!read_shared(work, *at++, WARPGROUP_M, WARPGROUP_KEPT,
                            plan->flags & WARPGROUP_A_ACROSS, work->a)) {
        return PTX_NO_COLUMN;
    }
    if (!read_shared(work, *at++, n, ptx_warpgroup_row(plan), plan->flags & WARPGROUP_B_ACROSS,
                     work->b))
        return PTX_NO_COLUMN;
    if (plan->flags & WARPGROUP_SPARSE && !read_places(work, at[1])) return PTX_NO_COLUMN;
    return *at;
}

/* ---- Sums --------------------------------------------------------------------------------- */

/* Copies the registers of a slice to it, or back. */
static void move_slice(const struct work *work, const uint32_t *columns,
                       struct warpgroup_slice *slice, bool back)
{
    const enum ptx_type type = work->plan->d == PTX_F16 ? PTX_F16 : PTX_F32;
    const struct matrix_fragment fragment =
        ptx_matrix_fragment_of(MATRIX_SUM, type, WARP_M, slice->columns);
    const uint32_t parts = matrix_parts(&fragment), mask = UINT32_MAX >> (32 - fragment.bits);
    for (uint32_t warp = 0; warp < WARPS; warp++)
        for (uint32_t n = 0; n < fragment.registers; n++) {
            uint32_t *words = registers_of(work, columns[n], warp);
            for (uint32_t lane = 0; lane < PTX_WARP; lane++) {
                uint32_t word = 0;
                for (uint32_t part = 0; part < parts; part++) {
                    const struct matrix_spot spot = ptx_matrix_spot_of(&fragment, lane, n, part);
                    uint32_t *d = &slice->d[warp * WARP_M + spot.row][spot.column];
                    if (back) word |= *d << part * fragment.bits;
                    else *d = words[lane] >> part * fragment.bits & mask;
                }
                if (back) words[lane] = word;
            }
        }
}

/* Begins with a slice of zeros, or of what is in registers. */
static void begin_slice(struct work *work, uint32_t from, uint32_t columns, bool adds)
{
    struct warpgroup_slice *slice = &work->slice;
    slice->b = work->b + from;
    slice->columns = columns;
    if (adds) move_slice(work, work->columns + ptx_warpgroup_registers(work->plan, from), slice,
                         false);
    else memset(slice->d, 0, sizeof slice->d);
}

static void multiply(struct work *work)
{
    const struct warpgroup_plan *plan = work->plan;
    struct warpgroup_slice *slice = &work->slice;
    const uint32_t n = plan->eighths * 8u, predicate = read_factors(work);
    if (predicate == PTX_NO_COLUMN) return;
    const bool adds = PTX_COLUMN(work->group, predicate, const uint8_t)[work->lane];
    slice->a = work->a;
    slice->places = plan->flags & WARPGROUP_SPARSE ? work->places : NULL;
    slice->scratch = (unsigned char *)work + PRODUCT_AT;
    for (uint32_t from = 0; from < n; from += WARPGROUP_SLICE) {
        begin_slice(work, from, n - from < WARPGROUP_SLICE ? n - from : WARPGROUP_SLICE, adds);
        ptx_warpgroup_multiply(plan, slice);
        move_slice(work, work->columns + ptx_warpgroup_registers(plan, from), slice, true);
    }
}

void ptx_warpgroup_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct warpgroup_plan plan;
    if (!ptx_whole_warpgroups(group, step)) return;
    memcpy(&plan, &step->immediate, sizeof plan);
    struct work *work = group->block->scratch;
    work->group = group;
    work->step = step;
    work->plan = &plan;
    work->columns = group->frame->program->columns + step->more;
    PTX_EACH_WARP(group, w) {
        if (w % WARPS) continue;
        work->lane = w * PTX_WARP;
        multiply(work);
    }
}
