/* SPDX-License-Identifier: Apache-2.0
 *
 * A point: a place on a strand's timeline.  It is reached when the strand has
 * completed that many operations.  Everything that waits, waits for a point.
 */
#ifndef SIM_POINT_H
#define SIM_POINT_H

#include <stdbool.h>
#include <stdint.h>

struct strand;

struct point {
    struct strand *strand; /* NULL if reached from the start */
    uint64_t number;
};

/* Gives back a reference of a strand; a point that is kept holds one (sim_strand_retain()). */
void sim_strand_release(struct strand *strand);

#endif
