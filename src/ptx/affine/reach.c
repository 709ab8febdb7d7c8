/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/reach.h"

#include <string.h>

/* Rows shorter than this cost more than they save. */
#define ROW_LEAST 8

/* Slopes beyond this might wrap around the address space within a bundle. */
#define STEEPEST (INT64_C(1) << 40)

static const struct ptx_slope flat;

/* Finds how far the lanes may be below and above the corner.  Returns false if a slope is too
 * steep, or leads to addresses that are no multiple. */
static bool find_span(const struct ptx_bundle *bundle, const struct ptx_slope *slope,
                      uint32_t misaligned, uint64_t *below, uint64_t *above)
{
    *below = *above = 0;
    for (unsigned k = 0; k < 3; k++) {
        int64_t along = slope->along[k];
        if (along > STEEPEST || along < -STEEPEST || along & misaligned) return false;
        if (along < 0) *below += (uint64_t)-along * bundle->extent[k];
        else *above += (uint64_t)along * bundle->extent[k];
    }
    return true;
}

/* Stores of vectors whose rows overlap are done lane by lane, each in its turn. */
static bool is_in_order(const struct ptx_step *step, const struct ptx_reach *reach, uint32_t bytes)
{
    uint64_t stride = (uint64_t)(reach->stride < 0 ? -reach->stride : reach->stride);
    return step->width == 1 || stride >= bytes;
}

static const struct ptx_slope *slope_of(const struct ptx_frame *frame, uint32_t column)
{
    return frame->known[column] & PTX_SLOPED ? &frame->slopes[column / 4] : &flat;
}

bool ptx_find_reach(struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                    bool write, struct ptx_reach *reach)
{
    const struct ptx_frame *frame = group->frame;
    const struct ptx_bundle *bundle = group->bundle;
    uint64_t address = (uint64_t)step->immediate, first = 0, below, above;
    struct ptx_window window;
    int64_t distance;
    reach->slope = &flat;
    if (step->a != PTX_NO_COLUMN) {
        if (!(frame->known[step->a] & (PTX_SAME | PTX_SLOPED))) return false;
        memcpy(&first, frame->once + step->a, sizeof first);
        address += first;
        reach->slope = slope_of(frame, step->a);
    }
    if (group->block->watched || address & (bytes - 1) ||
        !find_span(bundle, reach->slope, bytes - 1, &below, &above) ||
        !ptx_find_window(group, step, address - below, write, &window))
        return false;
    uint64_t offset = address - below - window.base;
    if (window.bytes < bytes || offset > window.bytes - bytes ||
        below + above > window.bytes - bytes - offset)
        return false;
    reach->bundle = bundle;
    reach->lane_bytes = window.lane_bytes;
    reach->corner = window.host + (address - window.base);
    reach->line = ptx_is_line(bundle, reach->slope, &distance);
    if (!reach->line) distance = reach->slope->along[0];
    reach->stride = (ptrdiff_t)(distance + (int64_t)window.lane_bytes);
    reach->same = below + above + window.lane_bytes == 0;
    if (!reach->line && bundle->block->launch->block[0] < ROW_LEAST) return false;
    return !write || is_in_order(step, reach, bytes);
}
