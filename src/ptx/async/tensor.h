/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor maps, and the steps of cp.async.bulk.tensor: boxes of tensors of one to five dimensions
 * that are copied between global memory and shared memory of a block.
 */
#ifndef PTX_ASYNC_TENSOR_H
#define PTX_ASYNC_TENSOR_H

#include "ptx/async/bulk.h"

#define PTX_TENSOR_DIMENSIONS 5
#define PTX_TENSOR_SPACES 3 /* dimensions with corners, of columns */
#define PTX_TENSOR_MAP_BYTES 128

/* The driver's numbers. */
enum ptx_tensor_type {
    PTX_TENSOR_U8, PTX_TENSOR_U16, PTX_TENSOR_U32, PTX_TENSOR_S32, PTX_TENSOR_U64, PTX_TENSOR_S64,
    PTX_TENSOR_F16, PTX_TENSOR_F32, PTX_TENSOR_F64, PTX_TENSOR_BF16, PTX_TENSOR_F32_FTZ,
    PTX_TENSOR_TF32, PTX_TENSOR_TF32_FTZ, PTX_TENSOR_TYPES
};

/* A map as a program holds it, in the first of its 128 bytes.  What is in them is up to the
 * driver; kernels hand them on. */
struct ptx_tensor_map {
    uint64_t mark;          /* PTX_TENSOR_MARK                                          */
    uint64_t address;       /* of the first element                                     */
    uint64_t strides[PTX_TENSOR_DIMENSIONS - 1]; /* bytes, of the second dimension and on */
    uint32_t last[PTX_TENSOR_DIMENSIONS]; /* elements of each dimension, less 1         */
    uint16_t box[PTX_TENSOR_DIMENSIONS];  /* elements that a box spans                  */
    uint8_t steps[PTX_TENSOR_DIMENSIONS]; /* from one of them to the next that is taken */
    uint8_t rank, type;     /* dimensions, enum ptx_tensor_type                         */
    uint8_t swizzle;        /* 0, or the logarithm of the bytes of a row, less 4        */
    bool nan;               /* fills with NaN what is outside, rather than with 0       */
    bool columns;           /* (im2col): a box is so many channels of so many pixels    */
    int16_t low[PTX_TENSOR_SPACES], high[PTX_TENSOR_SPACES]; /* corners, of the second
                               dimension and on: from the first element and the last    */
};

_Static_assert(sizeof(struct ptx_tensor_map) <= PTX_TENSOR_MAP_BYTES, "a map fits");

#define PTX_TENSOR_MARK UINT64_C(0x70616d2e6c6c6972)

/* Returns what is wrong with a map, which a kernel may have made of anything, or NULL. */
const char *ptx_tensor_map_wrong(const struct ptx_tensor_map *map);

/* Returns the bytes of an element. */
uint32_t ptx_tensor_bytes(enum ptx_tensor_type type);

/* What `immediate` says of a copy. */
enum ptx_tensor_mode { PTX_TENSOR_TILE, PTX_TENSOR_COLUMNS };

/* `more` lists the columns of enum bulk_column, after them PTX_TENSOR_DIMENSIONS of coordinates, of
 * which there are as many as `width`, and PTX_TENSOR_SPACES of offsets, if there are any. */
ptx_run ptx_tensor_load_step;

/* The other way; or, if `kind` is an enum reduction, reduces what is in global memory. */
ptx_run ptx_tensor_store_step;

/* ---- tensormap.replace (tensor_map.c) ----------------------------------------------------- */

/* Fields of a map.  Those from the type on get constants. */
enum tensor_field {
    TENSOR_ADDRESS, TENSOR_RANK, TENSOR_BOX, TENSOR_SIZE, TENSOR_STRIDE, TENSOR_STEP,
    TENSOR_ELEMTYPE, TENSOR_INTERLEAVE, TENSOR_SWIZZLE, TENSOR_ATOMICITY, TENSOR_FILL, TENSOR_FIELDS
};

/* How many values there are for a field that gets constants. */
extern const uint32_t ptx_tensor_field_values[TENSOR_FIELDS];

/* Replaces the field `kind`, of dimension `target`, in the map at the generic address in `a` by
 * what is in `b`, which has `width` bytes. */
ptx_run ptx_tensor_replace_step;

#endif
