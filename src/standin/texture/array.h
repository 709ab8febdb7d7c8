/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays: memory of a device that programs reach by copies, textures and surfaces only.
 *
 * An array is an allocation of rill's whose rows lie at a pitch, the slices or layers one
 * after the other.  Its address is never told, and goes with the array.
 */
#ifndef SI_ARRAY_H
#define SI_ARRAY_H

#include "standin/context/current.h"

/* Nothing of it changes. */
struct si_array {
    CUDA_ARRAY3D_DESCRIPTOR told;   /* as it was made                                 */
    CUdeviceptr address;
    unsigned element_bytes;
    size_t row_bytes, pitch;        /* of what programs see; from one to the next     */
    size_t rows, slices;            /* at least 1                                     */
    bool level;                     /* of a mipmap, with which it goes                */
};

/* Finds an array, which stays until the call returns. */
static inline CUresult si_array(CUarray handle, const struct si_array **array)
{
    *array = si_object(SI_ARRAY, handle);
    return *array ? RILL_SUCCESS : si_wrong(SI_ARRAY, handle);
}

/* Makes an array, and ends one.  `level` tells whether it is one of a mipmap: what is said to be
 * one and is none, or the other way around, is not ended. */
CUresult si_array_create(const CUDA_ARRAY3D_DESCRIPTOR *told, bool level, CUarray *handle);
CUresult si_array_destroy(CUarray handle, bool level);

/* Returns the bytes of an element, or 0 if no array has such elements. */
unsigned si_element_bytes(int format, unsigned channels);

/* Returns the array whose memory begins there, or NULL. */
CUarray si_array_at(CUdeviceptr address);

/* Takes the arrays of a context (context.h). */
si_take_fn si_arrays_take;

#endif
