/* SPDX-License-Identifier: Apache-2.0
 *
 * Factors of wgmma in shared memory, as a matrix descriptor says.
 *
 * A factor has rows of 32 bytes, or of 64 if the other one is sparse: the numbers of one row along
 * k.  Shared memory has it in pieces of
 * 16 bytes, of a row along k or, across, of neighbouring rows at one k.  Eight pieces lie
 * one after the other, as far apart as the swizzle is wide; where the next ones are say two
 * distances of the descriptor.
 */
#ifndef PTX_MATRIX_DESCRIPTOR_H
#define PTX_MATRIX_DESCRIPTOR_H

#include "ptx/run/machine.h"

#define WARPGROUP_ROW 64  /* bytes, at most */
#define WARPGROUP_M 64    /* rows of the first factor */
#define WARPGROUP_N 256   /* of the second one, at most */

/* Copies a factor of `rows` rows; `across` is for numbers of 16 bits.  Returns false if some of it
 * is not in shared memory of the block; the lane has failed then. */
struct warpgroup_factor {
    uint64_t descriptor;
    uint32_t rows, bytes; /* of a row                                                      */
    bool across;
};
bool ptx_warpgroup_gather(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                          const struct warpgroup_factor *factor,
                          unsigned char (*to)[WARPGROUP_ROW]);

#endif
