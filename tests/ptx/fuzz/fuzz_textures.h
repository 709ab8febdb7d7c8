/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces for the references of a module whose kernels are run.
 */
#ifndef PTX_FUZZ_TEXTURES_H
#define PTX_FUZZ_TEXTURES_H

#include <stdint.h>

/* Makes what is bound to `count` references: textures to the even ones, surfaces to the others, all
 * of them in the same 4,096 bytes; `choice` says which.  They are to be dropped. */
void fuzz_bind_textures(unsigned char *memory, uint64_t choice, uint64_t *handles, uint32_t count);
void fuzz_drop_textures(const uint64_t *handles, uint32_t count);

#endif
