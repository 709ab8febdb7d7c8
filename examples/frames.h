/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stages of pipeline.c compute: pictures of bytes, and how often each brightness
 * is in them.
 */
#ifndef EXAMPLES_FRAMES_H
#define EXAMPLES_FRAMES_H

#include <rill/rill.h>

enum { FRAME_BYTES = 1 << 20, FRAME_BLOCKS = 32, FRAME_LEVELS = 256 };

/* What the camera sees. */
void frame_paint(uint8_t *pixels, int number);

/* Two kernels: `smooth` takes a frame and one to write to, in FRAME_BLOCKS blocks, and
 * `count` a frame and a table of FRAME_LEVELS. */
rill_module *frame_kernels(rill_context *context, rill_kernel **smooth, rill_kernel **count);

/* Of a smoothed frame and its table. */
uint64_t frame_digest(const uint8_t *pixels, const uint32_t *levels);

/* The same of frame `number`, by a plain loop. */
uint64_t frame_expected(int number);

#endif
