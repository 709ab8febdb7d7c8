/* SPDX-License-Identifier: Apache-2.0
 *
 * A window of addresses cut into extents, each free or used; two free ones are
 * never adjacent.  Finding a free extent, finding the extent around an address and
 * releasing an extent are O(log n).
 *
 * The owner of the extents has a lock that protects them.  What needs memory can
 * fail, with nothing changed; a release needs none.
 */
#ifndef SIM_EXTENT_H
#define SIM_EXTENT_H

#include <rill/status.h>

#include "base/range.h"

struct extent {
    struct range range; /* its weight: the bytes of a free extent, else 0 */
    struct range size;  /* of a free extent: its place among the sizes    */
    bool used;
    /* Of a free extent, or one in quarantine: the most bytes of it that may still be backed by
     * memory of the system. */
    uint64_t stale;
    struct extent *later; /* of one in quarantine: the one that was freed after it */
};

enum extents_order {
    EXTENTS_LOWEST,  /* takes the lowest free extent that is large enough    */
    EXTENTS_SMALLEST /* takes the smallest one, as measured of pools         */
};

struct extents {
    struct ranges ranges;
    struct ranges sizes; /* the free extents by their size; EXTENTS_SMALLEST */
    enum extents_order order;
    uint64_t grain; /* a power of two: all sizes and borders are multiples of it */
};

/* Begins with one free extent; `base` and `bytes` are multiples of `grain`. */
rill_status sim_extents_open(struct extents *extents, enum extents_order order, uint64_t base,
                             uint64_t bytes, uint64_t grain);
void sim_extents_close(struct extents *extents);

/* Rounds `bytes` up to the grain.  Returns 0 if that exceeds a uint64_t. */
uint64_t sim_extents_round(const struct extents *extents, uint64_t bytes);

/* Returns the free extent of at least `bytes` that comes first in the order, or NULL. */
struct extent *sim_extents_fit(const struct extents *extents, uint64_t bytes);

/* Makes a used extent out of a part of a free one.  `offset` and `bytes` are multiples of
 * the grain and lie within it.  Returns NULL if memory is short. */
struct extent *sim_extents_carve(struct extents *extents, struct extent *from, uint64_t offset,
                                 uint64_t bytes);

/* Leaves `bytes` to a used extent and returns a used extent made of the rest, or NULL if
 * memory is short. */
struct extent *sim_extents_split(struct extents *extents, struct extent *used, uint64_t bytes);

/* Frees a used extent, `stale` bytes of which may still be backed.  Returns the free extent
 * that it became part of. */
struct extent *sim_extents_release(struct extents *extents, struct extent *used, uint64_t stale);

/* Returns the extent around an address, or NULL if that is outside of the window. */
struct extent *sim_extents_at(const struct extents *extents, uint64_t address);

/* Iterate in the order of addresses; NULL follows the last extent. */
struct extent *sim_extents_first(const struct extents *extents);
struct extent *sim_extent_next(const struct extent *extent);

#endif
