/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/matrix/load.h"

#include <string.h>

#include "ptx/run/fault.h"
#include "ptx/run/touches.h"
#include "ptx/run/warp/whole_warp.h"

#define SIDE 8         /* rows, and elements of one */
#define ROW_BYTES 16

struct matrix {
    uint16_t at[SIDE][SIDE];
};

/* Returns what a lane has of a matrix: two neighbours of a row, or of a column. */
static uint32_t pair_of(const struct matrix *matrix, uint32_t lane, bool transposed)
{
    uint32_t i = lane / 4, j = lane % 4 * 2;
    if (transposed) return matrix->at[j][i] | (uint32_t)matrix->at[j + 1][i] << 16;
    return matrix->at[i][j] | (uint32_t)matrix->at[i][j + 1] << 16;
}

static void put_pair(struct matrix *matrix, uint32_t lane, bool transposed, uint32_t pair)
{
    uint32_t i = lane / 4, j = lane % 4 * 2;
    uint16_t *first = transposed ? &matrix->at[j][i] : &matrix->at[i][j];
    uint16_t *second = transposed ? &matrix->at[j + 1][i] : &matrix->at[i][j + 1];
    *first = (uint16_t)pair;
    *second = (uint16_t)(pair >> 16);
}

static uint32_t *matrix_column(struct ptx_group *group, const struct ptx_step *step, uint32_t n,
                               uint32_t warp)
{
    uint32_t column = group->frame->program->columns[step->more + n];
    return PTX_COLUMN(group, column, uint32_t) + (size_t)warp * PTX_WARP;
}

/* ---- Rows in memory ----------------------------------------------------------------------- */

/* Returns where a lane's row is in shared memory, or NULL if it is not there; the lane has
 * failed then. */
static unsigned char *find_row(struct ptx_access *access, uint32_t lane)
{
    unsigned char *place = ptx_access_place(access, lane);
    if (place && access->window.where != PTX_TO_SHARED) {
        ptx_fail(access->group, access->step, lane, RILL_ERROR_INVALID_ADDRESS_SPACE,
                 ptx_access_address(access, lane), "%s of a matrix that is not in shared memory",
                 access->verb);
        return NULL;
    }
    return place;
}

/* Lets the group be those lanes of its warps that have addresses, while `watch` looks. */
static void watch_rows(struct ptx_access *access, void (*watch)(struct ptx_access *access))
{
    struct ptx_group *group = access->group;
    struct ptx_range some[PTX_BUNDLE / PTX_WARP];
    uint32_t count = 0, lanes = access->step->width * SIDE;
    PTX_EACH_WARP(group, w)
        some[count++] = (struct ptx_range){ w * PTX_WARP, w * PTX_WARP + lanes };
    group->ranges = some;
    group->range_count = count;
    watch(access);
    group->ranges = group->own;
    group->range_count = group->own_count;
}

static void load_matrices(struct ptx_access *access, uint32_t warp)
{
    struct ptx_group *group = access->group;
    const struct ptx_step *step = access->step;
    struct matrix matrices[4];
    for (uint32_t i = 0; i < step->width * (uint32_t)SIDE; i++) {
        const unsigned char *row = find_row(access, warp * PTX_WARP + i);
        if (!row) return;
        memcpy(matrices[i / SIDE].at[i % SIDE], row, ROW_BYTES);
    }
    for (uint32_t n = 0; n < step->width; n++) {
        uint32_t *d = matrix_column(group, step, n, warp);
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            d[lane] = pair_of(&matrices[n], lane, step->target);
    }
}

void ptx_matrix_load_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_access access;
    if (!ptx_whole_warps(group, step)) return;
    ptx_access_open(&access, group, step, ROW_BYTES, false, "load");
    if (group->block->watched) watch_rows(&access, ptx_watch_load);
    PTX_EACH_WARP(group, w) load_matrices(&access, w);
}

/* ---- stmatrix ----------------------------------------------------------------------------- */

/* Makes rows of the registers, for the lanes that have their addresses. */
static void make_rows(struct ptx_group *group, const struct ptx_step *step, uint32_t warp)
{
    unsigned char *rows = PTX_COLUMN(group, step->b, unsigned char) +
                          (size_t)warp * PTX_WARP * ROW_BYTES;
    for (uint32_t n = 0; n < step->width; n++) {
        struct matrix matrix;
        const uint32_t *from = matrix_column(group, step, n, warp);
        for (uint32_t lane = 0; lane < PTX_WARP; lane++)
            put_pair(&matrix, lane, step->target, from[lane]);
        memcpy(rows + n * sizeof matrix, &matrix, sizeof matrix);
    }
}

static void watch_row_store(struct ptx_access *access)
{
    ptx_watch_wide_store(access, ROW_BYTES);
}

void ptx_matrix_store_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_access access;
    if (!ptx_whole_warps(group, step)) return;
    ptx_access_open(&access, group, step, ROW_BYTES, true, "store");
    PTX_EACH_WARP(group, w) make_rows(group, step, w);
    if (group->block->watched) watch_rows(&access, watch_row_store);
    const unsigned char *rows = PTX_COLUMN(group, step->b, unsigned char);
    PTX_EACH_WARP(group, w)
        for (uint32_t i = 0; i < step->width * (uint32_t)SIDE; i++) {
            uint32_t lane = w * PTX_WARP + i;
            unsigned char *to = find_row(&access, lane);
            if (!to) return;
            memcpy(to, rows + (size_t)lane * ROW_BYTES, ROW_BYTES);
        }
}

/* ---- movmatrix ---------------------------------------------------------------------------- */

void ptx_matrix_move_step(struct ptx_group *group, const struct ptx_step *step)
{
    if (!ptx_whole_warps(group, step)) return;
    PTX_EACH_WARP(group, w) {
        struct matrix matrix;
        const uint32_t *a = PTX_COLUMN(group, step->a, uint32_t) + (size_t)w * PTX_WARP;
        uint32_t *d = PTX_COLUMN(group, step->d, uint32_t) + (size_t)w * PTX_WARP;
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) put_pair(&matrix, lane, false, a[lane]);
        for (uint32_t lane = 0; lane < PTX_WARP; lane++) d[lane] = pair_of(&matrix, lane, true);
    }
}
