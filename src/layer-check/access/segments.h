/* SPDX-License-Identifier: Apache-2.0
 *
 * The segments of an allocation.
 */
#ifndef CK_SEGMENTS_H
#define CK_SEGMENTS_H

#include "layer-check/access/page.h"

/* The bytes of an allocation, by segments in the order of addresses; what was never touched is
 * in none.  The checker's lock protects it. */
struct ck_segments {
    struct ck_segment *items;
    size_t count, room;
    size_t swept;           /* how many were left when dead marks were removed last */
    size_t after;           /* the number of the one after the page that was touched last: pages
                               mostly follow each other                             */
};

/* Puts what a step does to some rows, sorted and apart from each other, into the segments.
 * Returns false if memory is short; then the segments may have forgotten some of it. */
bool ck_segments_touch(struct ck_segments *segments, const struct ck_access *touch,
                       const rill_touched *rows, size_t count);

/* Does the same to bytes of one page, all of which lie in the allocation: those from `from` up to
 * `to` that are in the map. */
bool ck_segments_touch_page(struct ck_segments *segments, const struct ck_access *touch,
                            uint64_t page, uint64_t from, uint64_t to, struct ck_map *map);

/* Returns the part of a segment with a number, from 0 on: bytes with one history.  Returns NULL if
 * there are no more. */
const struct ck_segment *ck_segment_part(const struct ck_segment *segment, uint32_t number);

/* Returns the segment, or the part of one, that has the byte at an address, or NULL. */
const struct ck_segment *ck_segments_at(const struct ck_segments *segments, uint64_t address);

/* Forgets all of it. */
void ck_segments_clear(struct ck_segments *segments);

#endif
