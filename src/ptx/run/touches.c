/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/touches.h"

#include "ptx/run/grid.h"
#include "ptx/run/checks.h"
#include "ptx/run/distances.h"

/* Beyond this a thread's own footprint is added to that of the launch at once. */
#define OWN_MOST ((size_t)8 << 20)

/* Rows of one step that are kept to grow.  If its lanes make more of them, they lie all over,
 * and the others are added at once. */
#define GROWING_MOST 2

/* So many rows of one step say that the rest of its lanes are better added one by one. */
#define GATHER_LEAST 2

void ptx_touches_begin(struct ptx_touches *touches, struct ptx_grid *grid)
{
    touches->grid = grid;
    touches->own = NULL;
    for (uint32_t i = 0; i < PTX_TOUCH_ROWS; i++) {
        touches->rows[i].count = 0;
        touches->last[i] = (uint8_t)i;
    }
}

/* ---- Footprints ------------------------------------------------------------------------- */

/* Keeps the thread's own footprint small. */
static void settle_own(struct ptx_touches *touches)
{
    if (rl_footprint_bytes(touches->own) < OWN_MOST) return;
    rl_lock(&touches->grid->lock);
    rl_footprint_absorb(touches->grid->launch.footprint, touches->own);
    rl_unlock(&touches->grid->lock);
}

/* Adds a row to the thread's own footprint, or to that of the launch if memory is short. */
static void put_row(struct ptx_touches *touches, const struct ptx_touch_row *row)
{
    if (!touches->own) touches->own = rl_footprint_create(2 * OWN_MOST);
    if (touches->own) {
        ptx_touch_row_add(row, touches->own);
        settle_own(touches);
        return;
    }
    rl_lock(&touches->grid->lock);
    ptx_touch_row_add(row, touches->grid->launch.footprint);
    rl_unlock(&touches->grid->lock);
}

/* Adds lanes one by one. */
static void put_lanes(struct ptx_touches *touches, const struct ptx_access *access,
                      const struct ptx_range *range, uint32_t how)
{
    const uint64_t *base = access->base + range->from;
    uint32_t count = range->to - range->from;
    if (touches->own) {
        rl_footprint_add_each(touches->own, base, count, access->offset, access->bytes, how);
        settle_own(touches);
        return;
    }
    rl_lock(&touches->grid->lock);
    rl_footprint_add_each(touches->grid->launch.footprint, base, count, access->offset,
                          access->bytes, how);
    rl_unlock(&touches->grid->lock);
}

void ptx_touches_end(struct ptx_touches *touches)
{
    struct rl_footprint *print = touches->grid->launch.footprint;
    if (touches->own) rl_footprint_absorb(print, touches->own);
    rl_footprint_destroy(touches->own);
    for (uint32_t i = 0; i < PTX_TOUCH_ROWS; i++)
        if (touches->rows[i].count) ptx_touch_row_add(&touches->rows[i], print);
}

/* ---- Rows that grow --------------------------------------------------------------------- */

/* Lets some row grow that other steps have made.  Returns false if none does. */
static bool grow_others(struct ptx_touches *touches, uint32_t number,
                        const struct ptx_touch_row *next)
{
    for (uint32_t i = 0; i < PTX_TOUCH_ROWS; i++) {
        struct ptx_touch_row *row = &touches->rows[i];
        if (row->count == 0 || !ptx_touch_row_grow(row, next)) continue;
        touches->last[number] = (uint8_t)i;
        return true;
    }
    return false;
}

/* Keeps a row of a step. */
static void keep_row(struct ptx_touches *touches, const struct ptx_step *step,
                     const struct ptx_touch_row *next)
{
    uint32_t number = (uintptr_t)step / sizeof *step % PTX_TOUCH_ROWS;
    struct ptx_touch_row *row = &touches->rows[number];
    struct ptx_touch_row *last = &touches->rows[touches->last[number]];
    if (last->count && ptx_touch_row_grow(last, next)) return;
    if (row->count && ptx_touch_row_pair(row, next)) return;
    if (grow_others(touches, number, next)) return;
    if (row->count) put_row(touches, row);
    *row = *next;
    touches->last[number] = (uint8_t)number;
}

/* ---- Accesses --------------------------------------------------------------------------- */

static uint32_t way_of(const struct ptx_access *access)
{
    if (access->atomic) return RILL_TOUCH_ATOMIC;
    return access->write ? RILL_TOUCH_WRITE : RILL_TOUCH_READ;
}

static bool is_global(enum ptx_where where)
{
    return where == PTX_TO_GLOBAL || where == PTX_TO_CONST;
}

/* Returns true for what is the grid's own, and no memory of the program. */
static bool is_workspace(const struct ptx_block *block, uint64_t address)
{
    const struct ptx_extent *extent = &block->tlb->workspace;
    return address - extent->base < extent->end - extent->base;
}

/* Returns true for what is to be noted. */
static bool is_noted(const struct ptx_access *access, uint64_t address)
{
    return is_global(ptx_meaning_of(access->where, address)) &&
           !is_workspace(access->group->block, address);
}

/* Returns true if the lanes are at equal distances: a box of a single row. */
static bool find_line(const struct ptx_access *access, const struct ptx_range *range,
                      struct ptx_touch_box *box)
{
    uint32_t from = range->from, last = range->to - 1;
    const uint64_t *base = access->base;
    uint64_t step = base && from < last ? base[from + 1] - base[from] : 0;
    if (base && last - from >= 2 &&
        (base[last] - base[last - 1] != step || !ptx_are_at(base, from, last, step)))
        return false;
    *box = (struct ptx_touch_box){ .step = (int64_t)step, .width = last + 1 - from, .rows = 1 };
    return true;
}

static bool find_box(const struct ptx_access *access, const struct ptx_range *range,
                     struct ptx_touch_box *box)
{
    const uint64_t *base = access->base + range->from;
    uint32_t lanes = range->to - range->from, width = 1;
    uint64_t step = base[1] - base[0];
    while (width < lanes && base[width] - base[width - 1] == step) width++;
    if (width < 2 || 2 * width > lanes) return false;
    uint64_t pitch = base[width] - base[0];
    if (base[lanes - 1] - base[lanes - 1 - width] != pitch ||
        !ptx_repeat_at(base, lanes, width, pitch))
        return false;
    *box = (struct ptx_touch_box){ .step = (int64_t)step, .pitch = (int64_t)pitch, .width = width,
                         .rows = lanes / width, .rest = lanes % width };
    return true;
}

/* Notes `count` pieces at equal distances: one piece if there are no gaps between them. */
static void note_pieces(const struct ptx_touch *touch, uint64_t address, uint64_t bytes,
                        int64_t stride, uint64_t count)
{
    uint64_t distance = (uint64_t)stride;
    if (stride < 0) {
        address += (count - 1) * distance;
        distance = -distance;
    }
    if (distance <= bytes) {
        bytes += (count - 1) * distance;
        count = 1;
    }
    const struct ptx_touch_row row = { .address = address, .bytes = bytes, .stride = distance,
                                       .count = count, .how = touch->how };
    keep_row(touch->block->touches, touch->step, &row);
}

static uint64_t size_of(int64_t distance)
{
    return distance < 0 ? -(uint64_t)distance : (uint64_t)distance;
}

/* Notes a box as rows of pieces, or as one row if either way there are no gaps. */
void ptx_touches_note_box(const struct ptx_touch *touch, uint64_t address,
                          const struct ptx_touch_box *box)
{
    uint64_t bytes = touch->bytes, step = size_of(box->step), pitch = size_of(box->pitch);
    uint64_t back = box->step < 0 ? (box->width - 1) * step : 0;
    uint64_t up = box->pitch < 0 ? (box->rows - 1) * pitch : 0;
    if (is_workspace(touch->block, address)) return;
    if (step <= bytes) {
        note_pieces(touch, address - back, (box->width - 1) * step + bytes, box->pitch,
                    box->rows);
    } else if (pitch <= bytes) {
        note_pieces(touch, address - up, (box->rows - 1) * pitch + bytes, box->step,
                    box->width);
    } else {
        for (uint32_t row = 0; row < box->rows; row++)
            note_pieces(touch, address + row * (uint64_t)box->pitch, bytes, box->step,
                        box->width);
    }
    if (box->rest)
        note_pieces(touch, address + box->rows * (uint64_t)box->pitch, bytes, box->step,
                    box->rest);
}

/* Lanes that lie anywhere: pieces, and rows of these. */
struct scatter {
    const struct ptx_access *access;
    struct ptx_touch_row row;
    uint32_t found;
};

static void end_rows(struct scatter *scatter)
{
    struct ptx_touches *touches = scatter->access->group->block->touches;
    if (scatter->row.count == 0) return;
    if (scatter->found++ < GROWING_MOST)
        keep_row(touches, scatter->access->step, &scatter->row);
    else
        put_row(touches, &scatter->row);
}

static void add_piece(struct scatter *scatter, uint64_t address, uint64_t bytes)
{
    struct ptx_touch_row *row = &scatter->row;
    uint64_t offset = address - row->address;
    if (row->count == 1 && offset == row->bytes) {
        row->bytes += bytes;
        return;
    }
    if (row->count && row->bytes == bytes) {
        if (offset == (row->count - 1) * row->stride) return;
        if (row->count == 1 && offset > bytes && offset >> 63 == 0) row->stride = offset;
        if (offset == row->count * row->stride) {
            row->count++;
            return;
        }
    }
    if (!is_noted(scatter->access, address)) return;
    end_rows(scatter);
    *row = (struct ptx_touch_row){ .address = address, .bytes = bytes, .count = 1,
                                   .how = row->how };
}

/* Returns true if all lanes lie in memory of the program. */
static bool are_programs(const struct ptx_access *access, const struct ptx_range *range)
{
    if (access->group->block->launch->cooperative) return false;
    if (is_global(access->where)) return true;
    const uint64_t all = ptx_bits_at(access->base, range->from, range->to, access->offset);
    return is_global(ptx_meaning_of(access->where, all)) && all >> 48 == 0;
}

static void note_scattered(const struct ptx_access *access, const struct ptx_range *range)
{
    struct scatter scatter = { .access = access, .row = { .how = way_of(access) } };
    struct ptx_touches *touches = access->group->block->touches;
    const uint64_t *base = access->base, bytes = access->bytes;
    for (uint32_t i = range->from, to = range->to; i < to;) {
        if (scatter.found == GATHER_LEAST && touches->own) {
            const struct ptx_range left = { i, to };
            if (are_programs(access, &left)) {
                put_lanes(touches, access, &left, scatter.row.how);
                break;
            }
        }
        uint64_t first = base[i], last = first;
        uint64_t distance = ++i < to ? base[i] - first : 1;
        if (distance == bytes || distance == 0)
            for (; i < to && base[i] - last == distance; i++) last = base[i];
        add_piece(&scatter, first + access->offset, last - first + bytes);
    }
    end_rows(&scatter);
}

/* Tells whether an access may tell threads of other blocks, or the host, what is done. */
static bool is_signal(const struct ptx_access *access)
{
    const unsigned kind = access->step->kind;
    return (kind & PTX_STRONG) && !(kind & PTX_NARROW);
}

static void put_signal(struct ptx_touches *touches, const rill_touched *word)
{
    if (touches->own) {
        rl_footprint_signal(touches->own, word);
        return;
    }
    rl_lock(&touches->grid->lock);
    rl_footprint_signal(touches->grid->launch.footprint, word);
    rl_unlock(&touches->grid->lock);
}

/* Notes where the lanes do so.  Each is at another place, or they are where the first one is. */
static void note_signals(const struct ptx_access *access)
{
    const struct ptx_group *group = access->group;
    uint32_t left = RL_SIGNALS_MOST;
    for (uint32_t r = 0; r < group->range_count; r++)
        for (uint32_t i = group->ranges[r].from; i < group->ranges[r].to && left; i++, left--) {
            const rill_touched word = { ptx_access_address(access, i), access->bytes,
                                        way_of(access) };
            if (is_noted(access, word.address)) put_signal(group->block->touches, &word);
        }
}

/* Notes an access.  Its step looks at the addresses again: nothing of this is on its way while
 * nobody wants to know. */
static void note_access(const struct ptx_access *access)
{
    const struct ptx_group *group = access->group;
    const struct ptx_touch touch = { group->block, access->step, access->bytes, way_of(access) };
    struct ptx_touch_box box;
    if (!is_global(access->where) && access->where != PTX_TO_ANY) return;
    if (is_signal(access)) note_signals(access);
    for (uint32_t r = 0; r < group->range_count; r++) {
        const struct ptx_range *range = &group->ranges[r];
        uint64_t address = ptx_access_address(access, range->from);
        if (!find_line(access, range, &box) && !find_box(access, range, &box))
            note_scattered(access, range);
        else if (is_global(ptx_meaning_of(access->where, address)))
            ptx_touches_note_box(&touch, address, &box);
    }
}

void ptx_touches_note_bytes(const struct ptx_access *access, uint64_t address, uint64_t bytes)
{
    const struct ptx_touch_row row = { .address = address, .bytes = bytes, .count = 1,
                                       .how = way_of(access) };
    if (bytes && is_global(access->window.where))
        keep_row(access->group->block->touches, access->step, &row);
}

/* ---- Watched accesses ------------------------------------------------------------------- */

void ptx_watch_load(struct ptx_access *access)
{
    const struct ptx_block *block = access->group->block;
    if (block->touches) note_access(access);
    if (block->checks) ptx_checks_load(access);
}

/* Lets others go on, once in a launch, before something is stored that may have been worked out
 * from what they change. */
static void pause_once(const struct ptx_access *access)
{
    struct ptx_grid *grid = access->group->block->grid;
    if (!is_global(access->where) && access->where != PTX_TO_ANY) return;
    if (grid->paused) return;
    grid->paused = true;
    grid->launch.host->pause(grid->launch.host->data);
}

void ptx_watch_store(struct ptx_access *access, size_t memory, size_t reg)
{
    const struct ptx_block *block = access->group->block;
    if (block->launch->pauses) pause_once(access);
    if (block->touches) note_access(access);
    if (block->checks) ptx_checks_store(access, memory, reg);
}

void ptx_watch_wide_store(struct ptx_access *access, size_t bytes)
{
    const struct ptx_step *step = access->step;
    struct ptx_step one = *step;
    one.width = 1;
    access->step = &one;
    ptx_watch_store(access, bytes, bytes);
    access->step = step;
}

void ptx_watch_atomic(struct ptx_access *access)
{
    const struct ptx_block *block = access->group->block;
    if (block->touches) note_access(access);
    if (block->checks) ptx_checks_atomic(access);
}

void ptx_watch_mbarrier(struct ptx_access *access, bool makes)
{
    const struct ptx_block *block = access->group->block;
    if (block->touches) note_access(access);
    if (block->checks) ptx_checks_mbarrier(access, makes);
}

void ptx_watch_bytes(const struct ptx_access *access, uint32_t lane, uint64_t address,
                     uint64_t bytes)
{
    const struct ptx_block *block = access->group->block;
    if (block->touches) ptx_touches_note_bytes(access, address, bytes);
    if (block->checks && access->write) ptx_checks_note_written(access, lane, address, bytes);
}
