/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine values: reading and writing what a frame knows of a column of 4 or 8 bytes.
 */
#ifndef PTX_AFFINE_VALUE_H
#define PTX_AFFINE_VALUE_H

#include "ptx/affine/known.h"

#include <string.h>

static inline uint64_t ptx_signed_32(uint64_t bits)
{
    return (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
}

/* Returns the value at the corner; of 32 bits, as a signed number. */
static inline uint64_t ptx_read_once(const struct ptx_frame *frame, uint32_t column, unsigned bytes)
{
    uint32_t word;
    uint64_t pair;
    if (bytes == 4) {
        memcpy(&word, frame->once + column, sizeof word);
        return ptx_signed_32(word);
    }
    memcpy(&pair, frame->once + column, sizeof pair);
    return pair;
}

static inline void ptx_write_once(const struct ptx_frame *frame, uint32_t column, unsigned bytes,
                                  uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    if (bytes == 4) memcpy(frame->once + column, &word, sizeof word);
    else memcpy(frame->once + column, &bits, sizeof bits);
}

static inline void ptx_write_same(const struct ptx_frame *frame, uint32_t column, unsigned bytes,
                                  uint64_t bits)
{
    ptx_write_once(frame, column, bytes, bits);
    frame->known[column] = PTX_SAME | PTX_STALE;
}

/* Writes a value with slopes, all of which may be 0. */
static inline void ptx_write_sloped(const struct ptx_frame *frame, uint32_t column, unsigned bytes,
                                    uint64_t first, const uint64_t slope[3])
{
    struct ptx_slope *to = &frame->slopes[column / 4];
    uint64_t any = 0;
    ptx_write_once(frame, column, bytes, first);
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t along = bytes == 4 ? ptx_signed_32(slope[k]) : slope[k];
        to->along[k] = (int64_t)along;
        any |= along;
    }
    frame->known[column] = (any ? PTX_SLOPED : PTX_SAME) | PTX_STALE;
}

/* The least and the largest value in a bundle, if nothing wraps around. */
struct ptx_bounds {
    int64_t least, most;
};

/* Returns the bounds of a value whose slopes have 32 bits. */
static inline struct ptx_bounds ptx_bounds_of(const struct ptx_bundle *bundle, uint64_t first,
                                              const struct ptx_slope *slope)
{
    struct ptx_bounds bounds = { (int64_t)first, (int64_t)first };
    for (unsigned k = 0; k < 3; k++) {
        const int64_t rise = slope->along[k] * (int64_t)bundle->extent[k];
        bounds.least += rise < 0 ? rise : 0;
        bounds.most += rise < 0 ? 0 : rise;
    }
    return bounds;
}

#endif
