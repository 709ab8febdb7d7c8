/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes: rows for what may overlap.  Viewers drop what overlaps on one row.
 */
#ifndef TR_LANES_H
#define TR_LANES_H

#include <stdbool.h>
#include <stdint.h>

struct tr_lane {
    uint64_t end_ns; /* of the last one on it */
    uint64_t tid;
};

struct tr_lanes {
    struct tr_lane *items;
    uint32_t count;
};

/* Returns the number, from 0, of the first lane that is free from `begin_ns` on, and has it taken
 * until `end_ns`.  A new one gets `tid` 0.  Returns UINT32_MAX if memory is short. */
uint32_t tr_lane_take(struct tr_lanes *lanes, uint64_t begin_ns, uint64_t end_ns);

void tr_lanes_fini(struct tr_lanes *lanes);

#endif
