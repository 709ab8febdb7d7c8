/* SPDX-License-Identifier: Apache-2.0
 *
 * A window of addresses cut into extents, each free or used; two free ones never
 * lie side by side.  The free extent to take, the extent around an address, and
 * giving an extent back are O(log n).
 *
 * The extents belong to somebody who has a lock.  What needs memory can fail,
 * with nothing changed; giving back needs none.
 */
#ifndef SIM_EXTENT_H
#define SIM_EXTENT_H

#include <rill/status.h>

#include "backend-sim/memory/range.h"

struct extent {
    struct range range; /* its weight: the bytes of a free extent, else 0 */
    struct range size;  /* of a free extent: its place among the sizes    */
    bool used;
    /* Of a free extent: at most so many of its bytes are still backed by memory
     * of the system (heap.c). */
    uint64_t stale;
};

enum extents_order {
    EXTENTS_LOWEST,  /* takes the lowest free extent that is large enough    */
    EXTENTS_SMALLEST /* takes the smallest one, as pools do on hardware      */
};

struct extents {
    struct ranges ranges;
    struct ranges sizes; /* the free extents by their size; EXTENTS_SMALLEST */
    enum extents_order order;
    uint64_t grain; /* a power of two: all sizes and borders are multiples of it */
};

/* One free extent; `base` and `bytes` are multiples of `grain`. */
rill_status sim_extents_open(struct extents *extents, enum extents_order order, uint64_t base,
                             uint64_t bytes, uint64_t grain);
void sim_extents_close(struct extents *extents);

/* `bytes` rounded up to the grain; 0 when there is no such number. */
uint64_t sim_extents_round(const struct extents *extents, uint64_t bytes);

/* The free extent of at least `bytes` that comes first in the order, or NULL. */
struct extent *sim_extents_fit(const struct extents *extents, uint64_t bytes);

/* Makes a used extent out of a part of a free one; NULL when memory is short.
 * `offset` and `bytes` are multiples of the grain and lie within it. */
struct extent *sim_extents_carve(struct extents *extents, struct extent *from, uint64_t offset,
                                 uint64_t bytes);

/* Leaves `bytes` to a used extent and makes a used one of the rest, which is
 * returned; NULL when memory is short. */
struct extent *sim_extents_split(struct extents *extents, struct extent *used, uint64_t bytes);

/* Gives a used extent back, of which `stale` bytes may still be backed; returns
 * the free one that it became part of. */
struct extent *sim_extents_release(struct extents *extents, struct extent *used, uint64_t stale);

/* The extent around an address of the window, or NULL outside of it. */
struct extent *sim_extents_at(const struct extents *extents, uint64_t address);

/* In the order of addresses; NULL past the last. */
struct extent *sim_extents_first(const struct extents *extents);
struct extent *sim_extent_next(const struct extent *extent);

#endif
