/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of ldmatrix, stmatrix and movmatrix.
 *
 * A matrix has eight rows of 16 bytes, each of which one lane has the address of.  `width` is
 * how many there are, `target` 1 if they are transposed, `more` lists the registers; a and
 * `immediate` are as those of ld (step/access.h).  stmatrix has a column of 16 bytes in b, for
 * the rows on their way.
 */
#ifndef PTX_MATRIX_LOAD_H
#define PTX_MATRIX_LOAD_H

#include "ptx/run/memory.h"

ptx_run ptx_matrix_load_step, ptx_matrix_store_step;

/* Moves the matrix in a, transposed, to d. */
ptx_run ptx_matrix_move_step;

#endif
