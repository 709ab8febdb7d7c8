/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine values: reading and writing what a frame knows of a column of 4 or 8 bytes.
 */
#ifndef PTX_AFFINE_VALUE_H
#define PTX_AFFINE_VALUE_H

#include "ptx/affine/known.h"

#include <string.h>

/* Of 32 bits: as signed numbers.  All of it wraps around. */
struct ptx_value {
    uint64_t first, slope[3];
    bool sloped;
};

static inline uint64_t ptx_signed_32(uint64_t bits)
{
    return (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
}

static inline void ptx_read_value(const struct ptx_frame *frame, uint32_t column, unsigned bytes,
                                  struct ptx_value *value)
{
    uint32_t word;
    if (bytes == 4) {
        memcpy(&word, frame->once + column, sizeof word);
        value->first = ptx_signed_32(word);
    } else {
        memcpy(&value->first, frame->once + column, sizeof value->first);
    }
    value->sloped = frame->known[column] & PTX_SLOPED;
    const struct ptx_slope *slope = &frame->slopes[column / 4];
    for (unsigned k = 0; k < 3; k++)
        value->slope[k] = value->sloped ? (uint64_t)slope->along[k] : 0;
}

static inline void ptx_write_value(const struct ptx_frame *frame, uint32_t column, unsigned bytes,
                                   const struct ptx_value *value)
{
    struct ptx_slope *slope = &frame->slopes[column / 4];
    uint32_t word = (uint32_t)value->first;
    uint64_t any = 0;
    if (bytes == 4) memcpy(frame->once + column, &word, sizeof word);
    else memcpy(frame->once + column, &value->first, sizeof value->first);
    for (unsigned k = 0; k < 3; k++) {
        uint64_t along = bytes == 4 ? ptx_signed_32(value->slope[k]) : value->slope[k];
        slope->along[k] = (int64_t)along;
        any |= along;
    }
    frame->known[column] = (any ? PTX_SLOPED : PTX_SAME) | PTX_STALE;
}

/* The least and the largest value in a bundle, if nothing wraps around. */
struct ptx_bounds {
    int64_t least, most;
};

/* Returns the bounds of a value whose slopes have 32 bits. */
static inline struct ptx_bounds ptx_bounds_of(const struct ptx_bundle *bundle,
                                              const struct ptx_value *value)
{
    struct ptx_bounds bounds = { (int64_t)value->first, (int64_t)value->first };
    for (unsigned k = 0; k < 3; k++) {
        int64_t rise = (int64_t)value->slope[k] * (int64_t)bundle->extent[k];
        if (rise < 0) bounds.least += rise;
        else bounds.most += rise;
    }
    return bounds;
}

#endif
