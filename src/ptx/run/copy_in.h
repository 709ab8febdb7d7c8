/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies from memory that a kernel names by generic addresses, piece by piece: the bytes may lie in
 * several allocations.
 */
#ifndef PTX_RUN_COPY_IN_H
#define PTX_RUN_COPY_IN_H

#include "ptx/run/machine.h"

/* Copies `bytes` bytes from a generic address on behalf of `lane`, for instance a string of
 * printf.  Returns false if they are not all there; the lane has failed then. */
bool ptx_copy_in(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                 uint64_t address, void *to, size_t bytes);

/* Copies a string into `room` bytes at most, and ends it with a zero; what does not fit is
 * cut.  Returns its length, or SIZE_MAX if it is not all there; the lane has failed then. */
size_t ptx_copy_text(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                     uint64_t address, char *to, size_t room);

#endif
