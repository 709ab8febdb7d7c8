/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse factors: of each few numbers of a row every other one is kept, and places say which.
 *
 * Four bits of the places are for two of four columns, the number of one in each two bits.  Of
 * numbers of 4 bits, a column of those is two neighbours; one of 32 bits is two such columns, so
 * that there are two places only.
 *
 * PTX leaves open what places that repeat themselves, or come in another order than was said, are
 * good for: they count as they are, as on an H200.  Others of 32 bits were not understood.
 */
#ifndef PTX_MATRIX_SPARSE_H
#define PTX_MATRIX_SPARSE_H

#include "ptx/run/machine.h"

#define SPARSE_ROWS 16
#define SPARSE_MOST 64 /* numbers of a row that are kept, at most */

/* Which column each number of a row has. */
struct matrix_places {
    uint8_t at[SPARSE_ROWS][SPARSE_MOST];
};

/* Returns how many selectors there are for a factor with `columns` columns: which lanes of four
 * have the places. */
uint32_t ptx_matrix_selectors(enum ptx_type type, uint32_t columns);

/* Reads the places in a register of a warp's lanes.  Returns PTX_WARP, or a lane that has places
 * which are none. */
uint32_t ptx_matrix_find_places(enum ptx_type type, uint32_t columns, uint32_t selector,
                                const uint32_t *words, struct matrix_places *places);

/* Fails the launch for such a lane. */
void ptx_matrix_fail_places(struct ptx_group *group, const struct ptx_step *step, uint32_t lane);

#endif
