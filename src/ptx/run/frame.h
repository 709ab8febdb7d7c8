/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: the columns of one activation of a function, for all lanes of a bundle.
 */
#ifndef PTX_RUN_FRAME_H
#define PTX_RUN_FRAME_H

#include "ptx/run/machine.h"

/* Of a program, its constants and cleared registers in place; NULL: there is no memory. */
struct ptx_frame *ptx_frame_begin(struct ptx_bundle *bundle, const struct ptx_program *program);

/* One that is made beforehand, in memory of so many bytes. */
size_t ptx_frame_bytes(const struct ptx_program *program, uint32_t lanes);
struct ptx_frame *ptx_frame_place(void *memory, size_t bytes);

/* One group or frame less holds it. */
void ptx_frame_leave(struct ptx_bundle *bundle, struct ptx_frame *frame);

#endif
