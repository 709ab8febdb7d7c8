/* SPDX-License-Identifier: Apache-2.0
 *
 * What one copy of a tensor takes: rows, each of which is a part of the first dimension.  Those of
 * a tile are a box; those of columns (im2col) are pixels, one after the other.
 */
#ifndef PTX_ASYNC_TENSOR_BOX_H
#define PTX_ASYNC_TENSOR_BOX_H

#include "ptx/async/tensor.h"

#define PTX_TENSOR_PIECE 16u /* bytes that a swizzle moves, and of which rows are multiples */

struct ptx_tensor_box {
    struct ptx_group *group;
    const struct ptx_step *step;
    uint32_t lane, bytes;          /* of an element                                    */
    struct ptx_tensor_map map;
    int64_t at[PTX_TENSOR_DIMENSIONS]; /* coordinates of the first element             */
    uint32_t counts[PTX_TENSOR_DIMENSIONS]; /* elements that are taken; of columns those
                                               of the first dimension alone            */
    uint32_t rows;
    uint32_t row_bytes, pitch;     /* in shared memory                                 */
    int64_t offsets[PTX_TENSOR_SPACES];     /* of columns: from a pixel to what is taken */
    int64_t pixel[PTX_TENSOR_DIMENSIONS];   /* of columns: that of the row that comes    */
};

/* Finds what a lane copies.  Returns false if the lane has failed. */
bool ptx_tensor_box_open(struct ptx_tensor_box *box, struct ptx_group *group,
                         const struct ptx_step *step, uint32_t lane);

/* Fails a lane, and returns false. */
bool ptx_tensor_box_fail(const struct ptx_tensor_box *box, const char *why);

/* Finds the elements of a row that are inside the tensor: from *first on.  Returns how many there
 * are, and in *address where they begin.  Rows are asked for one after the other, from 0 on. */
uint32_t ptx_tensor_box_row(struct ptx_tensor_box *box, uint32_t row, uint32_t *first,
                            uint64_t *address);

#endif
