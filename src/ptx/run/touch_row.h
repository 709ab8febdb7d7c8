/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of global memory that one thread has touched: pieces at equal distances.  A row grows as
 * the blocks of a grid, or the rounds of a loop, go through memory: by more pieces, or by wider
 * ones, one piece after the other.  So a whole matrix is one row in the end, whether it is gone
 * through by rows, by columns or by squares.
 */
#ifndef PTX_RUN_TOUCH_ROW_H
#define PTX_RUN_TOUCH_ROW_H

#include "base/bytes/footprint.h"

/* `count` pieces of `bytes` bytes, `stride` apart, the first `ahead` of which are `wider` bytes
 * longer already; none if the count is 0. */
struct ptx_touch_row {
    uint64_t address, bytes;
    uint64_t stride;          /* more than `bytes`; of one piece, anything */
    uint64_t count;
    uint64_t ahead, wider;    /* `ahead` is less than the count            */
    uint32_t how;             /* RILL_TOUCH_*                              */
};

/* Lets a row grow by another one, which has no pieces ahead.  Returns false, and does nothing, if
 * they are not one row together. */
bool ptx_touch_row_grow(struct ptx_touch_row *row, const struct ptx_touch_row *next);

/* Makes a row of two single pieces of one length.  Returns false if they are not. */
bool ptx_touch_row_pair(struct ptx_touch_row *row, const struct ptx_touch_row *next);

void ptx_touch_row_add(const struct ptx_touch_row *row, struct rl_footprint *print);

#endif
