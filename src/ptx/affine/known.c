/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/known.h"

#include <string.h>

#include "ptx/run/lane_group.h"
#include "ptx/run/vectorize.h"

bool ptx_is_line(const struct ptx_bundle *bundle, const struct ptx_slope *slope, int64_t *distance)
{
    const uint32_t *size = bundle->block->launch->block;
    const bool alone = bundle->block->abreast == 1;
    const unsigned axes[] = { 0, alone ? 1 : 2, alone ? 2 : 1 };
    const uint32_t sizes[] = { size[0], alone ? size[1] : bundle->across, 1 };
    uint64_t apart = 0, lanes = 1;
    bool first = true;
    if (!(bundle->extent[1] | bundle->extent[2])) {
        *distance = slope->along[0];
        return true;
    }
    for (unsigned i = 0; i < 3; lanes *= sizes[i++]) {
        const uint64_t along = (uint64_t)slope->along[axes[i]];
        if (bundle->extent[axes[i]] == 0) continue;
        if (first) apart = along;
        else if (along != apart * lanes) return false;
        if (first) lanes = 1;
        first = false;
    }
    *distance = (int64_t)apart;
    return true;
}

/* ---- All lanes the same ------------------------------------------------------------------- */

#define FILL(bits) \
    static void fill_##bits(uint##bits##_t *to, uint##bits##_t value, uint32_t lanes) \
    { \
        PTX_INDEPENDENT for (uint32_t i = 0; i < lanes; i++) to[i] = value; \
    }
FILL(16)
FILL(32)
FILL(64)

static void fill(void *to, const unsigned char *once, unsigned size, uint32_t lanes)
{
    uint16_t half;
    uint32_t word;
    uint64_t pair;
    switch (size) {
    case 0: memset(to, *once, lanes); break;
    case 1: memcpy(&half, once, sizeof half); fill_16(to, half, lanes); break;
    case 2: memcpy(&word, once, sizeof word); fill_32(to, word, lanes); break;
    case 3: memcpy(&pair, once, sizeof pair); fill_64(to, pair, lanes); break;
    default:
        for (uint32_t i = 0; i < lanes; i++)
            memcpy((unsigned char *)to + ((size_t)i << size), once, (size_t)1 << size);
    }
}

/* ---- Slopes ------------------------------------------------------------------------------- */

/* Write a row: the first value, and what each further lane adds. */
#define CLIMB(bits) \
    static void climb_##bits(uint##bits##_t *to, uint##bits##_t first, uint##bits##_t more, \
                             uint32_t lanes) \
    { \
        PTX_INDEPENDENT for (uint32_t i = 0; i < lanes; i++) to[i] = first + i * more; \
    }
CLIMB(32)
CLIMB(64)

static void climb(const struct ptx_group *group, uint32_t column, unsigned size, void *to)
{
    const struct ptx_bundle *bundle = group->bundle;
    const struct ptx_slope *slope = &group->frame->slopes[column / 4];
    int64_t more;
    bool line = ptx_is_line(bundle, slope, &more);
    uint64_t corner = 0;
    memcpy(&corner, group->frame->once + column, (size_t)1 << size);
    if (!line) more = slope->along[0];
    for (uint32_t at = 0, lanes; at < group->lanes; at += lanes) {
        uint64_t first = corner + ptx_rise(bundle, slope, at);
        lanes = line ? group->lanes : ptx_row_lanes(bundle, at, group->lanes);
        if (size == 2) climb_32((uint32_t *)to + at, (uint32_t)first, (uint32_t)more, lanes);
        else climb_64((uint64_t *)to + at, first, (uint64_t)more, lanes);
    }
}

/* ---- Boxes -------------------------------------------------------------------------------- */

static void fill_boxed(const struct ptx_group *group, uint32_t column, uint8_t *to)
{
    const struct ptx_lane_box *box = &group->frame->boxes[column];
    const uint8_t outside = group->frame->once[column];
    memset(to, outside, group->lanes);
    for (uint32_t y = box->y[0]; y < box->y[1]; y++) {
        const struct ptx_range lanes = ptx_box_row(group->bundle, box, y);
        if (lanes.from < lanes.to) memset(to + lanes.from, !outside, lanes.to - lanes.from);
    }
}

void ptx_spread(const struct ptx_group *group, uint32_t column)
{
    const struct ptx_frame *frame = group->frame;
    const unsigned size = frame->program->sizes[column];
    void *lanes = PTX_COLUMN(group, column, unsigned char);
    ptx_catch_up(group);
    if (!(frame->known[column] & PTX_STALE)) return; /* it was owed */
    if (frame->known[column] & PTX_SLOPED) climb(group, column, size, lanes);
    else if (frame->known[column] & PTX_BOXED) fill_boxed(group, column, lanes);
    else fill(lanes, frame->once + column, size, group->lanes);
    frame->known[column] &= (uint8_t)~PTX_STALE;
}
