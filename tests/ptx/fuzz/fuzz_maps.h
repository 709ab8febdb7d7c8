/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor maps among the parameters of kernels.
 */
#ifndef PTX_FUZZ_MAPS_H
#define PTX_FUZZ_MAPS_H

#include <stdint.h>

/* Writes a map of a tensor in some memory, good or nearly so; `choice` says which. */
void fuzz_write_map(unsigned char *to, unsigned char *memory, uint64_t choice);

#endif
