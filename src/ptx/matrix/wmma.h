/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of wmma.load and wmma.store.
 *
 * a and `immediate` are as those of ld (step/access.h): each lane's address of the matrix.  b is
 * the distance of its rows (or columns) in elements, or none; `target` holds a plan, `more`
 * lists the registers.  c of a store is a column of 8 bytes for elements on their way.
 */
#ifndef PTX_MATRIX_WMMA_H
#define PTX_MATRIX_WMMA_H

#include "ptx/matrix/fragment.h"

/* A matrix in memory.  Its fragment counts rows and columns as the product does, which need
 * not be as the text does (fragment.h). */
struct wmma_plan {
    uint8_t type;          /* enum ptx_type                                                  */
    uint8_t rows, style;   /* enum matrix_style                                              */
    uint8_t columns : 7;   /* 0 stands for 128                                               */
    uint8_t by_column : 1; /* a column's elements lie next to each other                     */
};

_Static_assert(sizeof(struct wmma_plan) == sizeof(uint32_t), "a plan is a step's target");

struct matrix_fragment ptx_wmma_fragment_of(const struct wmma_plan *plan);

/* `width` of the step is how many registers there are: some hold the same as others. */
ptx_run ptx_wmma_load_step, ptx_wmma_store_step;

#endif
