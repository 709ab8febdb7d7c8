/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats of elements in the runtime's words and in the driver's.
 */
#ifndef RT_ARRAY_H
#define RT_ARRAY_H

#include "runtime/abi/texture.h"
#include "runtime/thread/thread.h"

/* Reads a format.  Returns a status if no array and no texture has it. */
cudaError_t rt_read_format(const struct cudaChannelFormatDesc *told, int *format,
                           unsigned *channels);

/* The way back. */
struct cudaChannelFormatDesc rt_tell_format(int format, unsigned channels);

/* Gives the bytes of an array's elements. */
cudaError_t rt_element_bytes(cudaArray_t array, size_t *bytes);

#endif
