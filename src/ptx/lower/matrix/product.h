/* SPDX-License-Identifier: Apache-2.0
 *
 * What mma and wmma.mma have in common: a plan, columns of a and b and c, and d.
 */
#ifndef PTX_LOWER_MATRIX_PRODUCT_H
#define PTX_LOWER_MATRIX_PRODUCT_H

#include "ptx/lower/lowering.h"
#include "ptx/matrix/product.h"

/* Returns the type of the registers that hold elements of a type. */
enum ptx_type ptx_matrix_register_type(enum ptx_type element);

/* Emits the step of a product.  Its sources are in `columns`, behind room for the registers of
 * d, which it finds; `count` is that of all of them. */
rill_status ptx_emit_product(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct matrix_plan *plan, uint32_t *columns, uint32_t count);

#endif
