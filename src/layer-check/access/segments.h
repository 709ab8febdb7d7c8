/* SPDX-License-Identifier: Apache-2.0
 *
 * The segments of an allocation.
 */
#ifndef CK_SEGMENTS_H
#define CK_SEGMENTS_H

#include "layer-check/access/segment.h"

/* The bytes of an allocation, by segments in the order of addresses; what was never touched is
 * in none.  The checker's lock protects it. */
struct ck_segments {
    struct ck_segment *items;
    size_t count, room;
    size_t swept;           /* how many were left when dead marks were removed last */
};

/* Puts what a step does to some rows, sorted and apart from each other, into the segments.
 * Returns false if memory is short; then the segments may have forgotten some of it. */
bool ck_segments_touch(struct ck_segments *segments, const struct ck_access *touch,
                       const rill_touched *rows, size_t count);

/* Forgets all of it. */
void ck_segments_clear(struct ck_segments *segments);

#endif
