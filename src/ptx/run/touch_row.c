/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/touch_row.h"

/* ---- Growing ------------------------------------------------------------------------------ */

/* Makes one row of two if they touch, both of one piece. */
static bool join_pieces(struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    uint64_t end = row->address + row->bytes, next_end = next->address + next->bytes;
    if (next->address > end || row->address > next_end) return false;
    if (next->address < row->address) row->address = next->address;
    row->bytes = (next_end > end ? next_end : end) - row->address;
    return true;
}

/* Returns true if all of a row is in another one of one piece. */
static bool is_inside_piece(const struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    uint64_t offset = next->address - row->address;
    uint64_t span = (next->count - 1) * next->stride + next->bytes;
    return offset < row->bytes && span <= row->bytes - offset;
}

/* Makes pieces that touch each other a single one. */
static void close_gaps(struct ptx_touch_row *row)
{
    if (row->bytes < row->stride) return;
    row->bytes = row->count * row->stride;
    row->count = 1;
}

/* Widens all pieces after those that are ahead, if they do not come to be as wide. */
static bool catch_up(struct ptx_touch_row *row, uint64_t count, uint64_t wider)
{
    if (row->ahead + count != row->count || wider > row->wider) return false;
    row->bytes += wider;
    row->wider -= wider;
    return true;
}

/* Adds pieces after the last one.  If they are narrower, the others are ahead of them: threads of
 * a block go through some rows of a matrix from left to right, then through the next ones. */
static bool add_pieces_after(struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    if (row->ahead || next->bytes > row->bytes) return false;
    if (next->bytes < row->bytes) {
        row->ahead = row->count;
        row->wider = row->bytes - next->bytes;
        row->bytes = next->bytes;
    }
    row->count += next->count;
    return true;
}

/* Widens the pieces that come next: those after the ones that are ahead. */
static bool widen_pieces(struct ptx_touch_row *row, const struct ptx_touch_row *next,
                         uint64_t column)
{
    uint64_t wider = column + next->bytes - row->bytes;
    if (column > row->bytes || column + next->bytes > row->stride ||
        row->ahead + next->count > row->count)
        return false;
    if (row->ahead && wider != row->wider) return catch_up(row, next->count, wider);
    row->wider = wider;
    row->ahead += next->count;
    if (row->ahead < row->count) return true;
    row->bytes += wider;
    row->ahead = 0;
    close_gaps(row);
    return true;
}

/* Lets a row of several pieces grow, by pieces that are at the same distances. */
static bool grow_pieces(struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    uint64_t offset = next->address - row->address;
    uint64_t piece = offset / row->stride, column = offset % row->stride;
    if (piece > row->count) return false;
    if (piece + next->count <= row->count && column + next->bytes <= row->bytes) return true;
    if (piece + next->count <= row->ahead && column + next->bytes <= row->bytes + row->wider)
        return true;
    if (piece == row->count) return column == 0 && add_pieces_after(row, next);
    return piece == row->ahead && widen_pieces(row, next, column);
}

bool ptx_touch_row_grow(struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    if (row->how != next->how) return false;
    if (row->count == 1)
        return next->count == 1 ? join_pieces(row, next) : is_inside_piece(row, next);
    return (next->count == 1 || next->stride == row->stride) && grow_pieces(row, next);
}

bool ptx_touch_row_pair(struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    if (row->how != next->how || row->count != 1 || next->count != 1 ||
        row->bytes != next->bytes || next->address < row->address + row->bytes)
        return false;
    row->stride = next->address - row->address;
    row->count = 2;
    return true;
}

/* ---- Footprints --------------------------------------------------------------------------- */

static void add_pieces(struct rl_footprint *print, const struct ptx_touch_row *row, uint64_t first,
                       uint64_t count, uint64_t bytes)
{
    uint64_t address = row->address + first * row->stride;
    if (count == 1) rl_footprint_add(print, address, bytes, row->how);
    else if (count)
        rl_footprint_add_stride(print, address, bytes, (int64_t)row->stride, count, row->how);
}

void ptx_touch_row_add(const struct ptx_touch_row *row, struct rl_footprint *print)
{
    add_pieces(print, row, 0, row->ahead, row->bytes + row->wider);
    add_pieces(print, row, row->ahead, row->count - row->ahead, row->bytes);
}
