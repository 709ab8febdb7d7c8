/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/reach.h"

#include <string.h>

#include "ptx/run/touches.h"

/* Rows shorter than this cost more than they save. */
#define ROW_LEAST 8

/* Slopes beyond this might wrap around the address space within a bundle. */
#define STEEPEST (INT64_C(1) << 40)

static const struct ptx_slope flat;

/* Finds how far the lanes may be below and above the corner.  Returns false if a slope is too
 * steep, or leads to addresses that are no multiple. */
static inline bool find_span(const struct ptx_bundle *bundle, const struct ptx_slope *slope,
                             uint32_t misaligned, uint64_t *below, uint64_t *above)
{
    bool steep = false;
    int64_t bits = 0;
    *below = *above = 0;
    for (unsigned k = 0; k < 3; k++) {
        const int64_t along = slope->along[k];
        const int64_t far = (int64_t)((uint64_t)along * bundle->extent[k]);
        steep |= along > STEEPEST || along < -STEEPEST;
        bits |= along;
        *below -= far < 0 ? (uint64_t)far : 0;
        *above += far < 0 ? 0 : (uint64_t)far;
    }
    return !steep && !(bits & misaligned);
}

/* Finds the window of an access: at once in memory that is small, and in allocations that were
 * found lately. */
static inline bool find_window(struct ptx_group *group, const struct ptx_step *step,
                               uint64_t address, bool write, struct ptx_window *window)
{
    const struct ptx_block *block = group->block;
    const struct ptx_extent *seen;
    window->base = window->lane_bytes = 0;
    window->where = (enum ptx_where)(step->kind & PTX_WHERE);
    switch (window->where) {
    case PTX_TO_SHARED:
        window->host = block->shared;
        window->bytes = block->shared_bytes;
        return true;
    case PTX_TO_PARAM:
        window->host = (unsigned char *)(uintptr_t)block->params;
        window->bytes = write ? 0 : block->kernel->param_bytes;
        return true;
    case PTX_TO_GLOBAL:
        seen = ptx_tlb_look(block->tlb, address);
        if (!seen || (write && seen->read_only)) break;
        window->base = seen->base;
        window->bytes = seen->end - seen->base;
        window->host = seen->host;
        return true;
    default: break;
    }
    return ptx_find_window(group, step, address, write, window);
}

static bool is_even(const struct ptx_bundle *bundle, const struct ptx_slope *slope)
{
    int64_t rows = bundle->block->launch->block[1];
    return bundle->extent[2] == 0 || slope->along[2] == slope->along[1] * rows;
}

/* Stores of vectors whose rows overlap are done lane by lane, each in its turn. */
static bool is_in_order(const struct ptx_step *step, const struct ptx_reach *reach, uint32_t bytes)
{
    uint64_t stride = (uint64_t)(reach->stride < 0 ? -reach->stride : reach->stride);
    return step->width == 1 || stride >= bytes;
}

/* Finds how the lanes lie to each other.  Returns false if that is not worth it. */
static bool find_rows(const struct ptx_bundle *bundle, const struct ptx_slope *slope,
                      size_t lane_bytes, struct ptx_reach *reach)
{
    const uint32_t size = bundle->block->launch->block[0];
    int64_t distance;
    reach->line = ptx_is_line(bundle, slope, &distance);
    if (!reach->line) distance = slope->along[0];
    reach->stride = (ptrdiff_t)(distance + (int64_t)lane_bytes);
    reach->pitch = (ptrdiff_t)(slope->along[1] + (int64_t)(lane_bytes * size));
    reach->even = is_even(bundle, slope);
    return reach->line || size >= ROW_LEAST;
}

/* Does the same for what all lanes load from one place, which is always worth it. */
static bool arrange(const struct ptx_bundle *bundle, bool write, struct ptx_reach *reach)
{
    if (write || !reach->same) return find_rows(bundle, reach->slope, reach->lane_bytes, reach);
    reach->line = true;
    reach->even = false;
    reach->stride = reach->pitch = 0;
    return true;
}

/* Notes what an access to global memory touches: the boxes of its lanes. */
static void note_boxes(const struct ptx_group *group, const struct ptx_step *step,
                       const struct ptx_window *window, uint32_t bytes, bool write,
                       const struct ptx_reach *reach)
{
    const struct ptx_touch touch = { group->block, step, bytes,
                                     write ? RILL_TOUCH_WRITE : RILL_TOUCH_READ };
    struct ptx_box box;
    if (window->where != PTX_TO_GLOBAL && window->where != PTX_TO_CONST) return;
    PTX_EACH_BOX(group, reach, at, &box) {
        const struct ptx_touch_box touched = { .step = box.stride, .pitch = box.pitch,
                                               .width = box.width, .rows = box.rows };
        ptx_touches_note_box(&touch, window->base + (uint64_t)(box.first - window->host),
                             &touched);
    }
}

bool ptx_find_reach(struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                    bool write, struct ptx_reach *reach)
{
    const struct ptx_frame *frame = group->frame;
    const struct ptx_bundle *bundle = group->bundle;
    uint64_t address = (uint64_t)step->immediate, first, below = 0, above = 0;
    struct ptx_window window;
    reach->slope = &flat;
    if (step->a != PTX_NO_COLUMN) {
        const uint8_t known = frame->known[step->a];
        if (!(known & (PTX_SAME | PTX_SLOPED))) return false;
        memcpy(&first, frame->once + step->a, sizeof first);
        address += first;
        if (known & PTX_SLOPED) reach->slope = &frame->slopes[step->a / 4];
    }
    const bool sloped = reach->slope != &flat;
    if (group->block->by_lane || address & (bytes - 1) ||
        (sloped && !find_span(bundle, reach->slope, bytes - 1, &below, &above)) ||
        !find_window(group, step, address - below, write, &window))
        return false;
    const uint64_t offset = address - below - window.base;
    if (window.bytes < bytes || offset > window.bytes - bytes ||
        below + above > window.bytes - bytes - offset)
        return false;
    reach->bundle = bundle;
    reach->lane_bytes = window.lane_bytes;
    reach->corner = window.host + (address - window.base);
    reach->same = !sloped && window.lane_bytes == 0;
    if (!arrange(bundle, write, reach) || (write && !is_in_order(step, reach, bytes)))
        return false;
    if (group->block->touches) note_boxes(group, step, &window, bytes, write, reach);
    return true;
}

uint32_t ptx_next_box(const struct ptx_reach *reach, uint32_t lane, uint32_t to,
                      struct ptx_box *box)
{
    const struct ptx_bundle *bundle = reach->bundle;
    const uint32_t size = bundle->block->launch->block[0];
    box->first = reach->corner + lane * reach->lane_bytes;
    if (lane || !bundle->upright) box->first += (ptrdiff_t)ptx_rise(bundle, reach->slope, lane);
    box->stride = reach->stride;
    box->pitch = reach->pitch;
    box->rows = 1;
    box->width = reach->line ? to - lane : ptx_row_lanes(bundle, lane, to);
    if (box->width == size && reach->even) box->rows = (to - lane) / size;
    return box->width * box->rows;
}
