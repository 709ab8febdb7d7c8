/* SPDX-License-Identifier: Apache-2.0
 *
 * Holes: what a wait for a value orders, while nobody has written that value yet.
 *
 * A program may submit the wait first and the write later.  What is submitted after the
 * wait has a clock with the hole; the write fills the hole with what was before it.
 */
#ifndef CK_HOLE_H
#define CK_HOLE_H

#include "layer-check/order/clock.h"

/* The checker's lock protects all of it. */
struct ck_hole {
    uint32_t references;
    bool filled;
    bool all;               /* filled by somebody unknown: everything is promised */
    struct ck_clock *clock; /* once it is filled, unless by somebody unknown      */
    uint64_t address, value;
    uint32_t bytes, flags;  /* of the value, and RILL_WAIT_*                      */
    struct ck_hole *next;   /* of those that are open, see values.h               */
};

static inline void ck_hole_retain(struct ck_hole *hole)
{
    hole->references++;
}

void ck_hole_release(struct ck_hole *hole); /* which may be NULL */

#endif
