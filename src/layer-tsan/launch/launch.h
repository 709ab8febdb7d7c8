/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches: which points a node comes after.
 *
 * A node's point is made when it runs, or is pending from the launch on for a copy.  What it comes
 * after is found by going back from its place to the nodes that have points, and in the end to what
 * the launch comes after.
 *
 * There are no functions in bodies of conditionals, and how often a copy runs there is not known:
 * those are not told.
 *
 * ts_order.lock protects all of it.
 */
#ifndef TS_LAUNCH_H
#define TS_LAUNCH_H

#include "layer-tsan/launch/model.h"

struct ts_launch {
    unsigned references;
    struct ts_order *order;
    struct ts_model *model;
    struct ts_point *point;  /* after which all of it is done; NULL once it is over */
    struct ts_front before;
    struct ts_point **ends;  /* of places, or NULL                                  */
    struct ts_front *waits;  /* of places that wait for events                      */
};

/* Makes a launch of what is modelled.  `point` stays pending until the launch is over, and has in
 * its `before` what the launch comes after.  Returns NULL if memory is short. */
struct ts_launch *ts_launch_create(struct ts_order *order, struct ts_model *model,
                                   struct ts_point *point);

static inline struct ts_launch *ts_launch_retain(struct ts_launch *launch)
{
    launch->references++;
    return launch;
}

void ts_launch_release(struct ts_launch *launch);

/* Lets nodes record events and wait for them. */
void ts_launch_events(struct ts_launch *launch);

/* Has the calling fiber come after all that is before a place. */
void ts_launch_acquire(struct ts_launch *launch, uint32_t place);

/* Notes that the function at a place has run, in the calling fiber. */
void ts_launch_ran(struct ts_launch *launch, uint32_t place);

/* Notes that the launch is over.  `ran`: else its nodes did not run. */
void ts_launch_end(struct ts_launch *launch, bool ran);

#endif
