/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/touches.h"

#include "ptx/run/grid.h"
#include "ptx/run/races.h"

/* Beyond this a thread's own footprint is added to that of the launch at once. */
#define OWN_MOST ((size_t)8 << 20)

/* Rows of one step that are kept to grow.  If its lanes make more of them, they lie all over,
 * and the others are added at once. */
#define GROWING_MOST 2

/* So many rows of one step say that the rest of its lanes are better added one by one. */
#define GATHER_LEAST 4

void ptx_touches_begin(struct ptx_touches *touches, struct ptx_grid *grid)
{
    touches->grid = grid;
    touches->own = NULL;
    for (uint32_t i = 0; i < PTX_TOUCH_ROWS; i++) touches->rows[i].count = 0;
}

/* ---- Footprints ------------------------------------------------------------------------- */

static void add_row(struct rl_footprint *print, const struct ptx_touch_row *row)
{
    if (row->count <= 2)
        for (uint64_t i = 0; i < row->count; i++)
            rl_footprint_add(print, row->address + i * row->stride, row->bytes, row->how);
    else
        rl_footprint_add_stride(print, row->address, row->bytes, (int64_t)row->stride,
                                row->count, row->how);
}

/* Adds a row to the thread's own footprint, or to that of the launch if memory is short. */
static void put_row(struct ptx_touches *touches, const struct ptx_touch_row *row)
{
    if (!touches->own) touches->own = rl_footprint_create(2 * OWN_MOST);
    if (touches->own) {
        add_row(touches->own, row);
        return;
    }
    rl_lock(&touches->grid->lock);
    add_row(touches->grid->launch.footprint, row);
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
        return;
    }
    rl_lock(&touches->grid->lock);
    rl_footprint_add_each(touches->grid->launch.footprint, base, count, access->offset,
                          access->bytes, how);
    rl_unlock(&touches->grid->lock);
}

/* Keeps the thread's own footprint small. */
static void settle_own(struct ptx_touches *touches)
{
    if (!touches->own || rl_footprint_bytes(touches->own) < OWN_MOST) return;
    rl_lock(&touches->grid->lock);
    rl_footprint_absorb(touches->grid->launch.footprint, touches->own);
    rl_unlock(&touches->grid->lock);
}

void ptx_touches_end(struct ptx_touches *touches)
{
    struct rl_footprint *print = touches->grid->launch.footprint;
    if (touches->own) rl_footprint_absorb(print, touches->own);
    rl_footprint_destroy(touches->own);
    for (uint32_t i = 0; i < PTX_TOUCH_ROWS; i++)
        if (touches->rows[i].count) add_row(print, &touches->rows[i]);
}

/* ---- Rows that grow --------------------------------------------------------------------- */

/* Makes one row of two if they touch, both of one piece. */
static bool join_rows(struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    uint64_t end = row->address + row->bytes, next_end = next->address + next->bytes;
    if (next->address > end || row->address > next_end) return false;
    if (next->address < row->address) row->address = next->address;
    row->bytes = (next_end > end ? next_end : end) - row->address;
    return true;
}

/* Lets rows grow by others: the same ones, those that go on where they ended, or those that
 * widen each piece. */
static bool grow_row(struct ptx_touch_row *row, const struct ptx_touch_row *next)
{
    if (row->how != next->how) return false;
    if (row->count == 1 && next->count == 1) return join_rows(row, next);
    if (row->stride != next->stride) return false;
    uint64_t offset = next->address - row->address;
    if (row->count == next->count && offset <= row->bytes) {
        uint64_t bytes = offset + next->bytes;
        if (bytes > row->stride) return false;
        if (bytes > row->bytes) row->bytes = bytes;
        if (row->bytes == row->stride) {
            row->bytes *= row->count;
            row->count = 1;
        }
        return true;
    }
    if (row->bytes != next->bytes || offset != row->count * row->stride) return false;
    row->count += next->count;
    return true;
}

/* Keeps a row of a step. */
static void keep_row(struct ptx_touches *touches, const struct ptx_step *step,
                     const struct ptx_touch_row *next)
{
    struct ptx_touch_row *row = &touches->rows[(uintptr_t)step / sizeof *step % PTX_TOUCH_ROWS];
    if (row->count) {
        if (grow_row(row, next)) return;
        put_row(touches, row);
    }
    *row = *next;
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

/* Returns true if neighbouring lanes are at equal distances. */
static bool find_stride(const struct ptx_access *access, const struct ptx_range *range,
                        int64_t *stride)
{
    uint32_t from = range->from, last = range->to - 1;
    const uint64_t *base = access->base;
    *stride = base && from < last ? (int64_t)(base[from + 1] - base[from]) : 0;
    return !base || last - from < 2 || ptx_are_at(base, from, last, (uint64_t)*stride);
}

/* Notes lanes at equal distances: one piece if there are no gaps between them. */
static void note_stride(const struct ptx_access *access, const struct ptx_range *range,
                        int64_t stride)
{
    uint64_t address = ptx_access_address(access, range->from), bytes = access->bytes;
    uint64_t count = range->to - range->from, distance = (uint64_t)stride;
    if (!is_global(ptx_meaning_of(access->where, address)) ||
        is_workspace(access->group->block, address))
        return;
    if (stride < 0) {
        address += (count - 1) * distance;
        distance = -distance;
    }
    if (distance <= bytes) {
        bytes += (count - 1) * distance;
        count = 1;
    }
    const struct ptx_touch_row row = { address, bytes, distance, count, way_of(access) };
    keep_row(access->group->block->touches, access->step, &row);
}

/* Lanes that lie anywhere, as in a block of two dimensions: pieces, and rows of these. */
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
    if (!is_global(ptx_meaning_of(scatter->access->where, address)) ||
        is_workspace(scatter->access->group->block, address))
        return;
    end_rows(scatter);
    *row = (struct ptx_touch_row){ address, bytes, 0, 1, row->how };
}

/* Returns true if the lanes that are left may be added as they are: there were many rows, and
 * all of them lie in memory of the program. */
static bool is_gather(const struct scatter *scatter)
{
    const struct ptx_access *access = scatter->access;
    return scatter->found >= GATHER_LEAST && is_global(access->where) &&
           !access->group->block->launch->cooperative;
}

static void note_scattered(const struct ptx_access *access, const struct ptx_range *range)
{
    struct scatter scatter = { .access = access, .row = { .how = way_of(access) } };
    struct ptx_touches *touches = access->group->block->touches;
    const uint64_t *base = access->base, bytes = access->bytes;
    for (uint32_t i = range->from, to = range->to; i < to;) {
        if (is_gather(&scatter)) {
            put_lanes(touches, access, &(struct ptx_range){ i, to }, scatter.row.how);
            break;
        }
        uint64_t first = base[i], last = first;
        uint64_t distance = ++i < to ? base[i] - first : 1;
        if (distance == bytes || distance == 0)
            for (; i < to && base[i] - last == distance; i++) last = base[i];
        add_piece(&scatter, first + access->offset, last - first + bytes);
    }
    end_rows(&scatter);
    settle_own(touches);
}

/* Notes an access.  Its step looks at the addresses again: nothing of this is on its way while
 * nobody wants to know. */
static void note_access(const struct ptx_access *access)
{
    const struct ptx_group *group = access->group;
    int64_t stride;
    if (!is_global(access->where) && access->where != PTX_TO_ANY) return;
    for (uint32_t r = 0; r < group->range_count; r++) {
        const struct ptx_range *range = &group->ranges[r];
        if (find_stride(access, range, &stride)) note_stride(access, range, stride);
        else note_scattered(access, range);
    }
}

void ptx_touches_note_bytes(const struct ptx_access *access, uint64_t address, uint64_t bytes)
{
    const struct ptx_touch_row row = { .address = address, .bytes = bytes, .count = 1,
                                       .how = RILL_TOUCH_READ };
    if (bytes && is_global(access->window.where))
        keep_row(access->group->block->touches, access->step, &row);
}

/* ---- Watched accesses ------------------------------------------------------------------- */

void ptx_watch_load(struct ptx_access *access)
{
    const struct ptx_block *block = access->group->block;
    if (block->touches) note_access(access);
    if (block->races) ptx_races_load(access);
}

void ptx_watch_store(struct ptx_access *access, size_t memory, size_t reg)
{
    const struct ptx_block *block = access->group->block;
    if (block->touches) note_access(access);
    if (block->races) ptx_races_store(access, memory, reg);
}

void ptx_watch_atomic(struct ptx_access *access)
{
    const struct ptx_block *block = access->group->block;
    if (block->touches) note_access(access);
    if (block->races) ptx_races_atomic(access);
}
