/* SPDX-License-Identifier: Apache-2.0
 *
 * The step of wgmma.mma_async: `immediate` is a plan, `more` lists the columns of d, then those of
 * a, four registers or one descriptor, of b's descriptor, of the predicate that says
 * whether the product is added to d, and of the places of a if it is sparse.
 *
 * It is done at once, when all four warps are there.  So there is nothing to wait for, and who
 * forgets to wait notices nothing.
 */
#ifndef PTX_MATRIX_WARPGROUP_H
#define PTX_MATRIX_WARPGROUP_H

#include "ptx/matrix/descriptor.h"
#include "ptx/matrix/sparse.h"

#define WARPGROUP_D 128     /* registers, at most */
#define WARPGROUP_SLICE 32u /* columns of d that are worked on at once, at most */
#define WARPGROUP_KEPT 32u  /* bytes of a row of the first factor */
#define WARPGROUP_WARPS 4u

enum warpgroup_flag {
    WARPGROUP_A_IN_REGISTERS = 1,
    WARPGROUP_A_ACROSS = 2, WARPGROUP_B_ACROSS = 4, /* halves lie along m and n, not k     */
    WARPGROUP_NEGATES = 8,                          /* the product                         */
    WARPGROUP_SATURATES = 16,                       /* sums of integers                    */
    WARPGROUP_SPARSE = 32                           /* the first factor                    */
};

struct warpgroup_plan {
    uint8_t d, a, b;  /* enum ptx_type of the elements                                     */
    uint8_t eighths;  /* of n                                                              */
    uint8_t flags;
    uint8_t selector; /* of a sparse factor                                                */
    uint8_t unused[2];
};

_Static_assert(sizeof(struct warpgroup_plan) == sizeof(int64_t), "a plan is a step's immediate");

/* Returns how many registers of a thread hold a part of d with so many columns. */
static inline uint32_t ptx_warpgroup_registers(const struct warpgroup_plan *plan, uint32_t columns)
{
    return columns / (plan->d == PTX_F16 ? 4 : 2);
}

/* Returns the bytes of a row of the second factor. */
static inline uint32_t ptx_warpgroup_row(const struct warpgroup_plan *plan)
{
    return plan->flags & WARPGROUP_SPARSE ? 2 * WARPGROUP_KEPT : WARPGROUP_KEPT;
}

/* Returns the numbers of a row of the second factor. */
static inline uint32_t ptx_warpgroup_depth(const struct warpgroup_plan *plan)
{
    const uint32_t bytes = ptx_warpgroup_row(plan);
    switch ((enum ptx_type)plan->b) {
    case PTX_TF32: return bytes / 4;
    case PTX_F16:
    case PTX_BF16: return bytes / 2;
    case PTX_B1: return bytes * 8;
    default: return bytes;
    }
}

ptx_run ptx_warpgroup_step;

/* Returns the bytes of scratch memory that the step needs. */
size_t ptx_warpgroup_bytes(const struct warpgroup_plan *plan);

/* ---- Products (warpgroup_product.c) ------------------------------------------------------- */

/* The factors of a product, and a slice of it: `columns` of d from the first of b's rows on. */
struct warpgroup_slice {
    unsigned char (*a)[WARPGROUP_ROW], (*b)[WARPGROUP_ROW];
    const struct matrix_places *places; /* of a sparse factor, for each warp; else NULL     */
    uint32_t columns;
    void *scratch;                      /* ptx_warpgroup_product_bytes() of it              */
    uint32_t d[WARPGROUP_M][WARPGROUP_SLICE]; /* bits                                      */
};

/* Returns the columns of the second factor that the numbers of a row meet, or NULL if the n-th
 * meets the n-th. */
static inline const uint8_t *ptx_warpgroup_places(const struct warpgroup_slice *slice, uint32_t row)
{
    return slice->places ? slice->places[row / SPARSE_ROWS].at[row % SPARSE_ROWS] : NULL;
}

void ptx_warpgroup_multiply(const struct warpgroup_plan *plan, struct warpgroup_slice *slice);
size_t ptx_warpgroup_product_bytes(const struct warpgroup_plan *plan);

#endif
