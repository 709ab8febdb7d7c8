/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a tensor that a copy takes.
 *
 * Columns, as asked of an H200: a pixel goes along the second dimension from where the copy begins,
 * by the step of the dimension, to the upper corner; then on from the lower corner, in the next
 * line, and so on through the dimensions to the last one, which has no corners.  What is taken
 * lies away from there by the offsets.  A copy that begins outside of the corners is illegal, and
 * so is a store if they lie outside of the tensor.
 */
#include "ptx/async/tensor_box.h"

#include <string.h>

#include "ptx/run/copy_in.h"
#include "ptx/run/fault.h"

bool ptx_tensor_box_fail(const struct ptx_tensor_box *box, const char *why)
{
    ptx_fail(box->group, box->step, box->lane, RILL_ERROR_ILLEGAL_INSTRUCTION, 0, "%s", why);
    return false;
}

static bool read_map(struct ptx_tensor_box *box)
{
    struct ptx_group *group = box->group;
    const uint64_t address = ptx_bulk_operand(group, box->step, BULK_MAP, box->lane);
    if (address % 64)
        return ptx_tensor_box_fail(box, "a tensor map lies on a boundary of 64 bytes");
    if (!ptx_copy_in(group, box->step, box->lane, address, &box->map, sizeof box->map))
        return false;
    const char *wrong = ptx_tensor_map_wrong(&box->map);
    if (wrong) return ptx_tensor_box_fail(box, wrong);
    if (box->map.rank != box->step->width)
        return ptx_tensor_box_fail(box, "the tensor of the map has another number of dimensions");
    if (box->map.columns != (box->step->immediate == PTX_TENSOR_COLUMNS))
        return ptx_tensor_box_fail(box, box->map.columns ? "the map is one of columns (im2col)"
                                                         : "the map is not one of columns");
    return true;
}

/* ---- Tiles -------------------------------------------------------------------------------- */

static void measure_tile(struct ptx_tensor_box *box)
{
    const struct ptx_tensor_map *map = &box->map;
    for (uint32_t k = 0; k < PTX_TENSOR_DIMENSIONS; k++) {
        const bool there = k < map->rank;
        box->counts[k] = there ? (map->box[k] + map->steps[k] - 1u) / map->steps[k] : 1;
        if (k) box->rows *= box->counts[k];
    }
}

/* Finds where the elements of a row begin, without the first dimension.  Returns false if they are
 * outside. */
static bool find_tile_row(const struct ptx_tensor_box *box, uint32_t row, uint64_t *address)
{
    const struct ptx_tensor_map *map = &box->map;
    for (uint32_t k = 1; k < map->rank; k++) {
        const int64_t at = box->at[k] + (int64_t)(row % box->counts[k]) * map->steps[k];
        row /= box->counts[k];
        if (at < 0 || at > map->last[k]) return false;
        *address += (uint64_t)at * map->strides[k - 1];
    }
    return true;
}

/* ---- Columns ------------------------------------------------------------------------------ */

/* Returns the last place of a pixel in a dimension that has corners. */
static int64_t last_of(const struct ptx_tensor_box *box, uint32_t k)
{
    return (int64_t)box->map.last[k] + box->map.high[k - 1];
}

static bool measure_columns(struct ptx_tensor_box *box)
{
    const struct ptx_tensor_map *map = &box->map;
    const uint32_t *columns = box->group->frame->program->columns + box->step->more;
    const bool stores = columns[BULK_FROM] != PTX_NO_COLUMN;
    box->counts[0] = map->box[0];
    box->rows = map->box[1];
    for (uint32_t k = 1; k + 1 < map->rank; k++) {
        const uint32_t column = columns[BULK_COLUMNS + PTX_TENSOR_DIMENSIONS + k - 1];
        box->offsets[k - 1] =
            column == PTX_NO_COLUMN
                ? 0 : PTX_COLUMN(box->group, column, const uint16_t)[box->lane];
        if (box->at[k] < map->low[k - 1] || box->at[k] > last_of(box, k))
            return ptx_tensor_box_fail(box, "columns begin outside of their corners");
        if (stores && (map->low[k - 1] < 0 || map->high[k - 1] > 0))
            return ptx_tensor_box_fail(box, "columns are stored to where no pixel is");
    }
    return true;
}

/* Goes on to the next pixel. */
static void next_pixel(struct ptx_tensor_box *box)
{
    const struct ptx_tensor_map *map = &box->map;
    uint32_t k = 1;
    for (; k + 1 < map->rank; k++) {
        box->pixel[k] += map->steps[k];
        if (box->pixel[k] <= last_of(box, k)) return;
        box->pixel[k] = map->low[k - 1];
    }
    box->pixel[k]++;
}

static bool find_pixel(struct ptx_tensor_box *box, uint32_t row, uint64_t *address)
{
    const struct ptx_tensor_map *map = &box->map;
    if (row) next_pixel(box);
    else memcpy(box->pixel, box->at, sizeof box->pixel);
    for (uint32_t k = 1; k < map->rank; k++) {
        const int64_t at = box->pixel[k] + (k + 1 < map->rank ? box->offsets[k - 1] : 0);
        if (at < 0 || at > map->last[k]) return false;
        *address += (uint64_t)at * map->strides[k - 1];
    }
    return true;
}

/* ---- Both --------------------------------------------------------------------------------- */

bool ptx_tensor_box_open(struct ptx_tensor_box *box, struct ptx_group *group,
                         const struct ptx_step *step, uint32_t lane)
{
    const uint32_t *columns = group->frame->program->columns + step->more + BULK_COLUMNS;
    *box = (struct ptx_tensor_box){ .group = group, .step = step, .lane = lane, .rows = 1 };
    if (!read_map(box)) return false;
    for (uint32_t k = 0; k < box->map.rank; k++)
        box->at[k] = PTX_COLUMN(group, columns[k], const int32_t)[lane];
    if (!box->map.columns) measure_tile(box);
    else if (!measure_columns(box)) return false;
    box->bytes = ptx_tensor_bytes((enum ptx_tensor_type)box->map.type);
    if (box->at[0] * box->bytes % PTX_TENSOR_PIECE)
        return ptx_tensor_box_fail(box, "a row of a box does not begin at a multiple of 16 bytes "
                                        "of the tensor's row");
    box->row_bytes = box->pitch = box->counts[0] * box->bytes;
    if (box->map.swizzle) box->pitch = PTX_TENSOR_PIECE << box->map.swizzle;
    return true;
}

uint32_t ptx_tensor_box_row(struct ptx_tensor_box *box, uint32_t row, uint32_t *first,
                            uint64_t *address)
{
    const int64_t size = (int64_t)box->map.last[0] + 1;
    *address = box->map.address;
    if (!(box->map.columns ? find_pixel(box, row, address) : find_tile_row(box, row, address)))
        return 0;
    const int64_t from = box->at[0] < 0 ? 0 : box->at[0];
    const int64_t end = box->at[0] + box->counts[0];
    *first = (uint32_t)(from - box->at[0]);
    *address += (uint64_t)from * box->bytes;
    return from < size && from < end ? (uint32_t)((end < size ? end : size) - from) : 0;
}
