/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of mma and wmma.mma: `immediate` is a plan, `more` lists the columns of d, a, b
 * and c, in this order, and of the places of a sparse factor.
 */
#ifndef PTX_MATRIX_PRODUCT_H
#define PTX_MATRIX_PRODUCT_H

#include "ptx/matrix/fragment.h"
#include "ptx/matrix/sparse.h"

enum matrix_flag {
    MATRIX_SATURATES = 1, /* sums of integers                                               */
    MATRIX_ANDS = 2,      /* of single bits: and, not xor                                   */
    MATRIX_IN_FOURS = 16, /* tf32: four products are added up at once, and then the next     */
    MATRIX_A_BY_COLUMN = 4, MATRIX_B_BY_ROW = 8, /* of m8n8k4 with halves                   */
    MATRIX_SPARSE = 32    /* the first factor, half of whose numbers are there; the bits above
                             are the selector                                               */
};

#define MATRIX_SELECTOR 6 /* where it is in the flags */

struct matrix_plan {
    uint8_t d, a, b, c;   /* enum ptx_type of the elements                                  */
    uint8_t m, n, flags;
    uint8_t k;            /* 0 stands for 256                                               */
};

_Static_assert(sizeof(struct matrix_plan) == sizeof(int64_t), "a plan is a step's immediate");

static inline uint32_t matrix_depth(const struct matrix_plan *plan)
{
    return plan->k ? plan->k : 256;
}

/* The fragments of a product. */
struct matrix_fragments {
    struct matrix_fragment d, a, b, c;
};

struct matrix_fragments ptx_matrix_fragments_of(const struct matrix_plan *plan);

/* Returns the step of a product, or NULL if there is none with such types. */
ptx_run *ptx_matrix_product_step(const struct matrix_plan *plan);

/* Returns the bytes of scratch memory that it needs. */
size_t ptx_matrix_product_bytes(const struct matrix_plan *plan);

/* ---- One warp's product (product_*.c) ------------------------------------------------------ */

/* The registers of a warp's operands; those of d may be among a and b. */
struct matrix_operands {
    struct matrix_registers a, b, c;
    const struct matrix_places *places; /* of a; NULL if it is not sparse                    */
    void *d[MATRIX_REGISTERS];
    void *scratch;                      /* as many bytes as the product needs                */
};

typedef void matrix_multiply(const struct matrix_plan *plan,
                             const struct matrix_fragments *fragments,
                             const struct matrix_operands *operands);

matrix_multiply ptx_matrix_multiply_integers, ptx_matrix_multiply_bits, ptx_matrix_multiply_floats,
    ptx_matrix_multiply_doubles, ptx_matrix_multiply_quads, ptx_matrix_multiply_bytes;

size_t ptx_matrix_integers_bytes(void), ptx_matrix_doubles_bytes(void);
size_t ptx_matrix_quads_bytes(void);
size_t ptx_matrix_floats_bytes(bool sparse), ptx_matrix_emulated_bytes(bool sparse);

/* Returns the columns of the second factor that the numbers of a row of the first one meet, or
 * NULL if the n-th meets the n-th. */
static inline const uint8_t *matrix_places_of(const struct matrix_operands *operands, uint32_t row)
{
    return operands->places ? operands->places->at[row] : NULL;
}

/* Convert the bits of numbers; there is one NaN (product_emulated.c). */
uint32_t ptx_matrix_half_to_single(uint32_t half);
uint32_t ptx_matrix_single_to_half(uint32_t single);

#endif
