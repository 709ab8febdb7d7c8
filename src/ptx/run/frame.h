/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: the columns of one activation of a function, for all lanes of a bundle.
 */
#ifndef PTX_RUN_FRAME_H
#define PTX_RUN_FRAME_H

#include "ptx/run/machine.h"

/* Begins an activation of a program, with its constants and cleared registers in place.
 * Returns NULL if there is no memory. */
struct ptx_frame *ptx_frame_begin(struct ptx_bundle *bundle, const struct ptx_program *program);

/* Make a free frame in memory of ptx_frame_bytes(). */
size_t ptx_frame_bytes(const struct ptx_program *program, uint32_t lanes);
struct ptx_frame *ptx_frame_place(void *memory, size_t bytes);

/* Releases one reference; the frame is free for another activation with the last. */
void ptx_frame_leave(struct ptx_bundle *bundle, struct ptx_frame *frame);

#endif
