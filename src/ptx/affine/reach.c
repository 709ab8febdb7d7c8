/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/reach.h"

#include <string.h>

#include "ptx/run/touches.h"
#include "ptx/step/operand.h"

/* Rows shorter than this cost more than they save. */
#define ROW_LEAST 8

/* Slopes beyond this might wrap around the address space within a bundle. */
#define STEEPEST (INT64_C(1) << 40)

static const struct ptx_slope flat;

void ptx_ready_address(struct ptx_group *group, const struct ptx_step *step)
{
    const uint8_t *known = group->frame->known;
    if (step->a == PTX_NO_COLUMN) return;
    if (step->c != PTX_NO_COLUMN && known[step->c] & (PTX_SAME | PTX_SLOPED)) {
        const struct ptx_step widen = { .d = step->a, .a = step->c };
        ptx_settle(group, step->c);
        ptx_forget(group, step->a);
        ptx_widen_step(group, &widen);
    } else {
        ptx_settle(group, step->a);
    }
}

/* Where an access goes to. */
struct ptx_spot {
    uint64_t address;            /* at the corner                                       */
    uint64_t below, above;       /* that lanes may be                                   */
    const struct ptx_slope *slope;
};

/* Finds how far the lanes may be below and above the corner.  Returns false if a slope is too
 * steep, or leads to addresses that are no multiple. */
static inline bool find_span(const struct ptx_bundle *bundle, const struct ptx_slope *slope,
                             uint32_t misaligned, uint64_t *below, uint64_t *above)
{
    bool steep = false;
    int64_t bits = 0;
    const unsigned axes = bundle->extent[1] | bundle->extent[2] ? 3 : 1;
    for (unsigned k = 0; k < axes; k++) {
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
    if (!(bundle->extent[1] | bundle->extent[2])) {
        reach->line = true;
        reach->stride = (ptrdiff_t)(slope->along[0] + (int64_t)lane_bytes);
        return true;
    }
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

/* Finds the address at the corner, its slopes, and how far the lanes are below and above it.
 * Returns false if not all of that is known, or lanes are not aligned. */
static inline bool find_place(const struct ptx_group *group, const struct ptx_step *step,
                              uint32_t misaligned, struct ptx_spot *place)
{
    const struct ptx_frame *frame = group->frame;
    const bool narrow = step->c != PTX_NO_COLUMN;
    const uint32_t column = narrow ? step->c : step->a;
    uint64_t first = 0;
    uint32_t word;
    *place = (struct ptx_spot){ .slope = &flat };
    if (column != PTX_NO_COLUMN) {
        const uint8_t known = frame->known[column];
        if (!(known & (PTX_SAME | PTX_SLOPED))) return false;
        if (narrow) memcpy(&word, frame->once + column, sizeof word), first = word;
        else memcpy(&first, frame->once + column, sizeof first);
        if (known & PTX_SLOPED) {
            place->slope = &frame->slopes[column / 4];
            if (!find_span(group->bundle, place->slope, misaligned, &place->below, &place->above))
                return false;
        }
        if (narrow && (first < place->below || first + place->above > UINT32_MAX)) return false;
    }
    place->address = first + (uint64_t)step->immediate;
    return !(place->address & misaligned);
}

bool ptx_find_reach(struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                    bool write, struct ptx_reach *reach)
{
    struct ptx_spot place;
    struct ptx_window window;
    if (group->block->by_lane || !find_place(group, step, bytes - 1, &place)) return false;
    const uint64_t least = place.address - place.below;
    if (!find_window(group, step, least, write, &window)) return false;
    const uint64_t offset = least - window.base;
    if (window.bytes < bytes || offset > window.bytes - bytes ||
        place.below + place.above > window.bytes - bytes - offset)
        return false;
    reach->bundle = group->bundle;
    reach->slope = place.slope;
    reach->lane_bytes = window.lane_bytes;
    reach->corner = window.host + (place.address - window.base);
    reach->same = place.slope == &flat && window.lane_bytes == 0;
    if (!arrange(group->bundle, write, reach) || (write && !is_in_order(step, reach, bytes)))
        return false;
    if (group->block->touches) note_boxes(group, step, &window, bytes, write, reach);
    return true;
}

uint32_t ptx_next_box(const struct ptx_reach *reach, uint32_t lane, uint32_t to,
                      struct ptx_box *box)
{
    const struct ptx_bundle *bundle = reach->bundle;
    const uint32_t size = bundle->block->launch->block[0];
    ptx_line_box(reach, lane, to, box);
    if (reach->line) return to - lane;
    box->pitch = reach->pitch;
    box->width = ptx_row_lanes(bundle, lane, to);
    if (box->width == size && reach->even) box->rows = (to - lane) / size;
    return box->width * box->rows;
}
