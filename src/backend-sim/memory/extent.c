/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/extent.h"

#include "base/alloc.h"

static struct extent *extent_of(struct range *range)
{
    return (struct extent *)range; /* its first member */
}

static struct extent *make_extent(uint64_t base, uint64_t bytes, bool used)
{
    struct extent *extent = rl_zalloc(sizeof *extent);
    if (!extent) return NULL;
    extent->range.base = base;
    extent->range.bytes = bytes;
    extent->range.weight = used ? 0 : bytes;
    extent->used = used;
    return extent;
}

/* ---- Sizes -------------------------------------------------------------------------- */

/* Adds the size of a free extent, as a range of one "address".  Of several equal sizes, any
 * will do. */
static void add_size(struct extents *extents, struct extent *free)
{
    if (extents->order != EXTENTS_SMALLEST) return;
    free->size.base = free->range.bytes;
    free->size.bytes = 1;
    rl_ranges_add(&extents->sizes, &free->size);
}

static void remove_size(struct extents *extents, struct extent *free)
{
    if (extents->order == EXTENTS_SMALLEST) rl_ranges_remove(&extents->sizes, &free->size);
}

/* Sets the place and the backing of a free extent, which must keep the order of the extents. */
static void resize_free(struct extents *extents, struct extent *free, uint64_t base, uint64_t bytes,
                        uint64_t stale)
{
    free->range.base = base;
    free->range.bytes = bytes;
    free->stale = stale < bytes ? stale : bytes;
    rl_range_weigh(&free->range, bytes);
    add_size(extents, free);
}

static void drop_free(struct extents *extents, struct extent *free)
{
    remove_size(extents, free);
    rl_ranges_remove(&extents->ranges, &free->range);
    rl_free(free);
}

/* ---- Life --------------------------------------------------------------------------- */

rill_status sim_extents_open(struct extents *extents, enum extents_order order, uint64_t base,
                             uint64_t bytes, uint64_t grain)
{
    *extents = (struct extents){ .order = order, .grain = grain };
    struct extent *all = make_extent(base, bytes, false);
    if (!all) return RILL_ERROR_OUT_OF_MEMORY;
    rl_ranges_add(&extents->ranges, &all->range);
    add_size(extents, all);
    return RILL_SUCCESS;
}

/* Frees leaf by leaf, without balancing what remains. */
void sim_extents_close(struct extents *extents)
{
    struct range *range = extents->ranges.root;
    while (range) {
        if (range->left) {
            range = range->left;
        } else if (range->right) {
            range = range->right;
        } else {
            struct range *parent = range->parent;
            if (parent && parent->left == range) parent->left = NULL;
            else if (parent) parent->right = NULL;
            rl_free(extent_of(range));
            range = parent;
        }
    }
    extents->ranges.root = extents->sizes.root = NULL;
}

/* ---- Finding ------------------------------------------------------------------------ */

uint64_t sim_extents_round(const struct extents *extents, uint64_t bytes)
{
    uint64_t mask = extents->grain - 1;
    return bytes > UINT64_MAX - mask ? 0 : (bytes + mask) & ~mask;
}

struct extent *sim_extents_fit(const struct extents *extents, uint64_t bytes)
{
    if (extents->order == EXTENTS_LOWEST)
        return extent_of(rl_ranges_heavy(&extents->ranges, bytes));
    struct range *size = rl_ranges_from(&extents->sizes, bytes);
    return size ? (struct extent *)((char *)size - offsetof(struct extent, size)) : NULL;
}

struct extent *sim_extents_at(const struct extents *extents, uint64_t address)
{
    return extent_of(rl_ranges_at(&extents->ranges, address));
}

struct extent *sim_extents_first(const struct extents *extents)
{
    return extent_of(rl_ranges_from(&extents->ranges, 0));
}

struct extent *sim_extent_next(const struct extent *extent)
{
    return extent_of(rl_range_next(&extent->range));
}

/* ---- Taking ------------------------------------------------------------------------- */

struct extent *sim_extents_carve(struct extents *extents, struct extent *from, uint64_t offset,
                                 uint64_t bytes)
{
    uint64_t base = from->range.base, rest_bytes = from->range.bytes - offset - bytes;
    struct extent *rest = NULL, *used = from;
    if (offset) used = make_extent(base + offset, bytes, true);
    if (!used) return NULL;
    if (rest_bytes) {
        rest = make_extent(base + offset + bytes, rest_bytes, false);
        if (!rest) {
            if (offset) rl_free(used);
            return NULL;
        }
        rest->stale = from->stale < rest_bytes ? from->stale : rest_bytes;
    }
    remove_size(extents, from);
    if (offset) {
        resize_free(extents, from, base, offset, from->stale);
        rl_ranges_add(&extents->ranges, &used->range);
    } else {
        used->used = true;
        used->stale = 0;
        used->range.bytes = bytes;
        rl_range_weigh(&used->range, 0);
    }
    if (!rest) return used;
    rl_ranges_add(&extents->ranges, &rest->range);
    add_size(extents, rest);
    return used;
}

struct extent *sim_extents_split(struct extents *extents, struct extent *used, uint64_t bytes)
{
    struct extent *rest = make_extent(used->range.base + bytes, used->range.bytes - bytes, true);
    if (!rest) return NULL;
    used->range.bytes = bytes;
    rl_ranges_add(&extents->ranges, &rest->range);
    return rest;
}

/* ---- Giving back -------------------------------------------------------------------- */

struct extent *sim_extents_release(struct extents *extents, struct extent *used, uint64_t stale)
{
    struct extent *before = extent_of(rl_range_previous(&used->range));
    struct extent *after = sim_extent_next(used);
    struct extent *free = used;
    uint64_t base = used->range.base, bytes = used->range.bytes;
    if (after && !after->used) {
        bytes += after->range.bytes;
        stale += after->stale;
        drop_free(extents, after);
    }
    if (before && !before->used) {
        base = before->range.base;
        bytes += before->range.bytes;
        stale += before->stale;
        remove_size(extents, before);
        rl_ranges_remove(&extents->ranges, &used->range);
        rl_free(used);
        free = before;
    }
    free->used = false;
    resize_free(extents, free, base, bytes, stale);
    return free;
}
