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

struct ck_work;
struct ck_value_place;

/* The checker's lock protects all of it. */
struct ck_hole {
    uint32_t references;
    bool filled;
    struct ck_point at;      /* of the work that waits, ...                        */
    uint32_t node;           /* ... and its node if it is a launch                 */
    struct ck_clock *before; /* what is before the wait: older holes, too          */
    struct ck_clock *clock;  /* what lets it through, once it is filled            */
    struct ck_work *work;    /* the former, retained while the hole is open        */
    uint64_t value;
    uint32_t bytes, flags;   /* of the value, and RILL_WAIT_*                      */
    uint64_t newest;         /* of the writes when the wait was submitted          */
    struct ck_value_place *place;
    struct ck_hole *next;    /* of those that are open, see value_place.h          */
    struct ck_hole **link;   /* what points to it in there                         */
    struct ck_hole *behind;  /* open: those that are looked at once it is filled; retained */
    struct ck_hole *next_behind; /* of those, or of those that are ready           */
    struct ck_hole *listed;  /* of those that are given up; NULL: the last         */
    struct ck_hole *walked;  /* of a walk: those to be looked into                 */
    uint64_t walk;           /* the newest one that has seen it                    */
};

static inline void ck_hole_retain(struct ck_hole *hole)
{
    hole->references++;
}

void ck_hole_release(struct ck_hole *hole); /* which may be NULL; in clock.c */

/* A walk over the holes of a clock, and over those that are behind holes which are filled, each
 * once.  Nothing may be released meanwhile. */
struct ck_walk {
    struct ck_hole *left;
    uint64_t number;
};

struct ck_walk ck_walk_begin(void);

/* Adds the holes of a clock to the walk. */
void ck_walk_add(struct ck_walk *walk, const struct ck_clock *clock);

/* Returns the next hole, and adds those behind it if it is filled; or NULL. */
struct ck_hole *ck_walk_next(struct ck_walk *walk);

#endif
