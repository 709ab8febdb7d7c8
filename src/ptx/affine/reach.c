/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/reach.h"

#include <string.h>

#include "ptx/run/touches.h"
#include "ptx/step/operand.h"

/* Rows shorter than this cost more than they save. */
#define ROW_LEAST 8

/* Slopes beyond this might wrap around the address space within a bundle. */
#define STEEPEST (INT64_C(1) << 40)

static const struct ptx_climb flat = { .line = true, .even = true };

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
    uint32_t column;             /* that has the addresses, or none                     */
    const struct ptx_climb *climb;
};

/* Finds the rows of a bundle: of blocks abreast those of all of them are one if each block goes on
 * where the one before ends. */
static void find_rows(const struct ptx_bundle *bundle, struct ptx_climb *climb)
{
    const uint32_t *size = bundle->block->launch->block;
    const int64_t *along = climb->slope.along;
    if (bundle->block->abreast == 1 || along[2] != along[0] * (int64_t)size[0]) {
        const unsigned next = bundle->block->abreast == 1 ? 1 : 2, last = 3 - next;
        climb->row = size[0];
        climb->pitch = along[next];
        climb->rows = next == 1 ? size[1] : bundle->across;
        climb->even = bundle->extent[last] == 0 || along[last] == climb->pitch * climb->rows;
    } else {
        climb->row = bundle->row_lanes;
        climb->pitch = along[1];
        climb->rows = size[1];
        climb->even = true;
    }
}

static __attribute__((noinline)) void make_climb(const struct ptx_bundle *bundle,
                                                 const struct ptx_slope *slope,
                                                 struct ptx_climb *climb)
{
    *climb = (struct ptx_climb){ .slope = *slope };
    for (unsigned k = 0; k < 3; k++) {
        const int64_t along = slope->along[k];
        climb->steep |= along > STEEPEST || along < -STEEPEST;
        climb->bits |= (uint32_t)along;
        if (along < 0) climb->below += (0 - (uint64_t)along) * bundle->extent[k];
        else climb->above += (uint64_t)along * bundle->extent[k];
    }
    climb->line = ptx_is_line(bundle, slope, &climb->stride);
    if (!climb->line) climb->stride = slope->along[0];
    if (!climb->steep) find_rows(bundle, climb);
}

/* Returns the climb of slopes, some of which are not 0: accesses in loops ask for it again and
 * again. */
static inline const struct ptx_climb *find_climb(struct ptx_bundle *bundle, uint32_t column,
                                                 const struct ptx_slope *slope)
{
    struct ptx_climb *climb = &bundle->climbs[column / 4 % PTX_CLIMBS];
    const int64_t *seen = climb->slope.along, *along = slope->along;
    if ((seen[0] ^ along[0]) | (seen[1] ^ along[1]) | (seen[2] ^ along[2]))
        make_climb(bundle, slope, climb);
    return climb;
}

/* Returns the climb of places in shared memory: of blocks abreast, each has its own behind that of
 * the one before.  What the kernel sees is the climb of the spot, the same addresses in each block:
 * whether lanes are inside is asked of those, so none reaches the memory of the next block. */
static inline const struct ptx_climb *find_shared_climb(struct ptx_bundle *bundle,
                                                        const struct ptx_spot *spot)
{
    if (bundle->block->abreast == 1 || !bundle->extent[2]) return spot->climb;
    struct ptx_slope slope = spot->climb->slope;
    slope.along[2] += bundle->block->shared_pitch;
    return find_climb(bundle, spot->column + 4 * (PTX_CLIMBS / 2), &slope);
}

/* Returns where the first lane of a group goes. */
static uint64_t find_first(const struct ptx_group *group, const struct ptx_spot *spot)
{
    return spot->address + ptx_rise(group->bundle, &spot->climb->slope, group->ranges[0].from);
}

/* Finds the window of an access: at once in memory that is small, and in allocations that were
 * found lately.  Others are looked for where a lane goes, for the host may tell the program of an
 * address at which it is asked: that of a lane that stays away means nothing. */
static inline bool find_window(struct ptx_group *group, const struct ptx_step *step,
                               const struct ptx_spot *spot, uint64_t address, bool write,
                               struct ptx_window *window)
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
    return ptx_find_window(group, step, find_first(group, spot), write, window);
}

/* Stores of vectors whose rows overlap are done lane by lane, each in its turn. */
static bool is_in_order(const struct ptx_step *step, const struct ptx_reach *reach, uint32_t bytes)
{
    uint64_t stride = (uint64_t)(reach->stride < 0 ? -reach->stride : reach->stride);
    return step->width == 1 || stride >= bytes;
}

static inline void note_box(const struct ptx_touch *touch, const struct ptx_window *window,
                            const struct ptx_box *box)
{
    const struct ptx_touch_box touched = { .step = box->stride, .pitch = box->pitch,
                                           .width = box->width, .rows = box->rows };
    ptx_touches_note_box(touch, window->base + (uint64_t)(box->first - window->host), &touched);
}

/* Returns how many rows from that of a lane on are as far from each other. */
static uint32_t rows_left(const struct ptx_reach *reach, uint32_t lane)
{
    const struct ptx_bundle *bundle = reach->bundle;
    const size_t axis = bundle->block->abreast == 1 ? 1 : 2;
    return reach->rows - bundle->places[axis * bundle->lanes + lane];
}

/* Finds the box of ranges that are the same lanes of rows which follow each other, as where all but
 * the edge of a block is left.  Returns how many ranges that are: a single one is no box. */
static uint32_t find_inner_box(const struct ptx_range *ranges, uint32_t count,
                               const struct ptx_reach *reach, struct ptx_box *box)
{
    const uint32_t from = ranges->from, width = ranges->to - from, row = reach->row;
    uint32_t n = 1;
    if (count < 2 || ranges[1].from - from != row ||
        width > row - (reach->bundle->first + from) % row)
        return 1;
    if (!reach->line && !reach->even && count > rows_left(reach, from))
        count = rows_left(reach, from);
    while (n < count && ranges[n].from - from == n * row && ranges[n].to - from == n * row + width)
        n++;
    ptx_line_box(reach, from, from + width, box);
    box->pitch = reach->line ? reach->stride * (ptrdiff_t)row : reach->pitch;
    box->rows = n;
    return n;
}

/* Notes what an access to global memory touches: the boxes of its lanes. */
static void note_boxes(const struct ptx_group *group, const struct ptx_step *step,
                       const struct ptx_window *window, uint32_t bytes, bool write,
                       const struct ptx_reach *reach)
{
    const struct ptx_touch touch = { group->block, step, bytes,
                                     write ? RILL_TOUCH_WRITE : RILL_TOUCH_READ };
    const struct ptx_range *range = group->ranges, *end = range + group->range_count;
    struct ptx_box box;
    if (window->where != PTX_TO_GLOBAL && window->where != PTX_TO_CONST) return;
    while (range < end) {
        const uint32_t alike = find_inner_box(range, (uint32_t)(end - range), reach, &box);
        if (alike > 1) {
            note_box(&touch, window, &box);
        } else {
            for (uint32_t at = range->from; at < range->to;) {
                at += ptx_next_box(reach, at, range->to, &box);
                note_box(&touch, window, &box);
            }
        }
        range += alike;
    }
}

/* Finds the address at the corner, and how it climbs.  Returns false if not all of that is known,
 * or lanes are not aligned. */
static inline bool find_spot(const struct ptx_group *group, const struct ptx_step *step,
                             uint32_t misaligned, struct ptx_spot *spot)
{
    const struct ptx_frame *frame = group->frame;
    const bool narrow = step->c != PTX_NO_COLUMN;
    const uint32_t column = narrow ? step->c : step->a;
    uint64_t first = 0;
    uint32_t word;
    spot->column = column;
    spot->climb = &flat;
    if (column != PTX_NO_COLUMN) {
        const uint8_t known = frame->known[column];
        if (!(known & (PTX_SAME | PTX_SLOPED))) return false;
        if (narrow) memcpy(&word, frame->once + column, sizeof word), first = word;
        else memcpy(&first, frame->once + column, sizeof first);
        if (known & PTX_SLOPED) {
            const struct ptx_climb *climb =
                find_climb(group->bundle, column, &frame->slopes[column / 4]);
            if (climb->steep || climb->bits & misaligned) return false;
            if (narrow && (first < climb->below || first + climb->above > UINT32_MAX))
                return false;
            spot->climb = climb;
        }
    }
    spot->address = first + (uint64_t)step->immediate;
    return !(spot->address & misaligned);
}

/* Where lanes are, seen from the corner: the first one, and the last. */
struct ptx_span {
    uint64_t least, most;
};

/* Finds the window of an access by lanes of a span.  Returns false if it is not all inside. */
static inline bool find_inside(struct ptx_group *group, const struct ptx_step *step,
                               uint32_t bytes, bool write, const struct ptx_spot *spot,
                               const struct ptx_span *span, struct ptx_window *window)
{
    const uint64_t least = spot->address + span->least;
    if (!find_window(group, step, spot, least, write, window)) return false;
    const uint64_t offset = least - window->base;
    return window->bytes >= bytes && offset <= window->bytes - bytes &&
           span->most - span->least <= window->bytes - bytes - offset;
}

/* Adds places from `first` to `last` of an axis to a span. */
static void add_axis(struct ptx_span *span, int64_t along, uint32_t first, uint32_t last)
{
    span->least += (uint64_t)(along * (along < 0 ? last : first));
    span->most += (uint64_t)(along * (along < 0 ? first : last));
}

/* Finds the span of the lanes of a group alone: others have exited, such as those at the edges of
 * the data.  Returns false if it would be no smaller. */
static __attribute__((noinline)) bool find_narrower(const struct ptx_group *group,
                                                    const struct ptx_climb *climb,
                                                    struct ptx_span *span)
{
    const struct ptx_bundle *bundle = group->bundle;
    const uint32_t width = bundle->row_lanes, last = group->range_count - 1;
    const struct ptx_range *ranges = group->ranges;
    uint32_t first_x = width - 1, last_x = 0;
    if (!bundle->in_rows || climb->line || !climb->even || climb->row != width) return false;
    for (uint32_t i = 0; i <= last; i++) {
        const uint32_t x = ranges[i].from % width, lanes = ranges[i].to - ranges[i].from;
        const bool cut = x + lanes > width; /* it goes on in the next row */
        if (cut || x < first_x) first_x = cut ? 0 : x;
        if (cut || x + lanes - 1 > last_x) last_x = cut ? width - 1 : x + lanes - 1;
    }
    *span = (struct ptx_span){ 0, 0 };
    add_axis(span, climb->stride, first_x, last_x);
    add_axis(span, climb->pitch, ranges[0].from / width, (ranges[last].to - 1) / width);
    return true;
}

bool ptx_find_reach(struct ptx_group *group, const struct ptx_step *step, uint32_t bytes,
                    bool write, struct ptx_reach *reach)
{
    struct ptx_spot spot;
    struct ptx_window window;
    if (group->block->by_lane || !find_spot(group, step, bytes - 1, &spot)) return false;
    const struct ptx_climb *climb = spot.climb;
    struct ptx_span span = { 0 - climb->below, climb->above };
    if (!find_inside(group, step, bytes, write, &spot, &span, &window) &&
        !(find_narrower(group, climb, &span) &&
          find_inside(group, step, bytes, write, &spot, &span, &window)))
        return false;
    if (window.where == PTX_TO_SHARED) climb = find_shared_climb(group->bundle, &spot);
    reach->bundle = group->bundle;
    reach->slope = &climb->slope;
    reach->lane_bytes = window.lane_bytes;
    reach->corner = window.host + (spot.address - window.base);
    reach->line = climb->line;
    reach->even = climb->even;
    reach->row = climb->row;
    reach->rows = climb->rows;
    reach->stride = (ptrdiff_t)(climb->stride + (int64_t)window.lane_bytes);
    reach->pitch = (ptrdiff_t)(climb->pitch + (int64_t)(window.lane_bytes * climb->row));
    reach->same = climb == &flat && window.lane_bytes == 0;
    if (!(climb->line || climb->row >= ROW_LEAST) || (write && !is_in_order(step, reach, bytes)))
        return false;
    if (group->block->touches) note_boxes(group, step, &window, bytes, write, reach);
    return true;
}

uint32_t ptx_next_box(const struct ptx_reach *reach, uint32_t lane, uint32_t to,
                      struct ptx_box *box)
{
    ptx_line_box(reach, lane, to, box);
    if (reach->line) return to - lane;
    const uint32_t left = reach->row - (reach->bundle->first + lane) % reach->row;
    box->pitch = reach->pitch;
    box->width = left < to - lane ? left : to - lane;
    if (box->width == reach->row) box->rows = (to - lane) / reach->row;
    if (!reach->even && box->rows > 1) {
        const uint32_t rows = rows_left(reach, lane);
        if (box->rows > rows) box->rows = rows;
    }
    return box->width * box->rows;
}
