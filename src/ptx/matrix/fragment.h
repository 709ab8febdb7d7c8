/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the elements of a matrix lie in the registers of a warp.
 *
 * A fragment is a lane's part of a matrix.  Factors are kept by rows of their inner dimension:
 * row i of the first one is row i of the matrix, row j of the second one is column j of it,
 * and the columns of both count along k.
 */
#ifndef PTX_MATRIX_FRAGMENT_H
#define PTX_MATRIX_FRAGMENT_H

#include "ptx/run/machine.h"

#define MATRIX_REGISTERS 8 /* of a fragment, at most */

enum matrix_style {
    MATRIX_FACTOR,      /* of mma: a group of four lanes has a row, or two eight rows apart  */
    MATRIX_FACTOR_BY_K, /* of wmma: a lane's registers follow k first, and then the rows     */
    MATRIX_SUM,         /* c and d                                                           */
    MATRIX_QUAD_BY_ROW, /* of mma.m8n8k4 with halves: eight lanes for each of four products, */
    MATRIX_QUAD_BY_COLUMN, /* whose rows are 8 apart here: each lane a row, or a column of 4 */
    MATRIX_QUAD_SUM     /* ... c and d of .f32; those of .f16 are by row                     */
};

struct matrix_fragment {
    uint8_t style;      /* enum matrix_style                                                 */
    uint8_t bits;       /* of an element                                                     */
    uint8_t registers;  /* of a lane, each of 32 bits, or 64 if an element has as many       */
    uint8_t rows;
    uint16_t columns;
};

/* Returns a fragment of so many elements in all registers of a warp. */
struct matrix_fragment ptx_matrix_fragment_of(enum matrix_style style, enum ptx_type type,
                                              uint32_t rows, uint32_t columns);

struct matrix_spot {
    uint32_t row, column;
};

/* Returns where part `part` of a lane's register belongs. */
struct matrix_spot ptx_matrix_spot_of(const struct matrix_fragment *fragment, uint32_t lane,
                                      uint32_t reg, uint32_t part);

/* Returns where a lane has what lane 0 has at a place, in a fragment that is not of m8n8k4: four
 * lanes have a row. */
static inline struct matrix_spot ptx_matrix_spot_after(const struct matrix_fragment *fragment,
                                                       struct matrix_spot first, uint32_t lane)
{
    const uint32_t distance = fragment->style == MATRIX_SUM ? 2 : 32u / fragment->bits;
    return (struct matrix_spot){ first.row + lane / 4, first.column + lane % 4 * distance };
}

static inline uint32_t matrix_parts(const struct matrix_fragment *fragment)
{
    return fragment->bits >= 32 ? 1 : 32u / fragment->bits;
}

/* The registers of a warp: register n of lane i is words[n][i], or doubles[n][i]. */
struct matrix_registers {
    union {
        const uint32_t *words[MATRIX_REGISTERS];
        const uint64_t *doubles[MATRIX_REGISTERS];
    };
};

#endif
