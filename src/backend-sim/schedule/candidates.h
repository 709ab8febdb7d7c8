/* SPDX-License-Identifier: Apache-2.0
 *
 * What could run: the strands that are HELD, and the steps of each.
 */
#ifndef SIM_SCHEDULE_CANDIDATES_H
#define SIM_SCHEDULE_CANDIDATES_H

#include "backend-sim/schedule/policy.h"
#include "backend-sim/scheduler/op_type.h"
#include "base/lock.h"

#define FEW_CANDIDATES 16u

struct held_strands {
    struct rl_lock lock;
    struct strand *first, *last; /* in the order in which they were held, through
                                    `ready_next`; lock                                */
    atomic_uint count;           /* stored with the lock                              */
    uint32_t ordinals;           /* given to strands so far; lock                     */

    bool keeps_order;            /* the policy asks which is the oldest; fixed */
    bool order_lost;             /* memory was short; lock */
    struct submission_order {    /* all that is pending on a device, in the order in which it was
                                    submitted; lock */
        struct submitted_op {
            struct strand *strand; /* retained */
            uint64_t number;
        } *items;                /* from `from` to `to` */
        size_t from, to, room;
    } orders[SIM_DEVICES_MAX];

    /* The runner's. */
    struct candidate *candidates;
    uint32_t candidate_room;
    struct candidate few[FEW_CANDIDATES]; /* so that memory is never too short for a step */
};

void sim_held_fini(struct held_strands *held);

/* Adds a strand, whose reference it takes over. */
void sim_held_add(struct held_strands *held, struct strand *strand);

/* Notes what is about to be published. */
void sim_held_note_submitted(struct held_strands *held, const struct submission *submission);

/* Takes a strand out and makes it RUNNING, since it is about to take a step; its reference is the
 * caller's.  Returns whether others are held. */
bool sim_held_remove(struct held_strands *held, struct strand *strand);

/* Tells whether a strand is held. */
static inline bool sim_held_any(struct held_strands *held)
{
    return atomic_load_explicit(&held->count, memory_order_relaxed);
}

/* Stores the next step of a strand that just took one, is RUNNING and has more, if that is the only
 * step that is possible, and no launch.  Else returns false. */
bool sim_held_next_only(struct held_strands *held, struct strand *strand, struct candidate *step);

/* Returns what was submitted first of all that is pending on the strand's device, if the policy
 * keeps the order; else a point without a strand. */
struct point sim_held_oldest(struct held_strands *held, const struct strand *strand);

/* Goes on from what a point waits for to what keeps that from its next step, and takes the
 * reference along.  Returns false, and leaves the point, if no other point does. */
bool sim_held_follow(struct held_strands *held, struct point *point);

/* Lists all steps that are possible, or, if memory is short, some of them.  `point` is what the
 * host waits for, or has no strand. */
uint32_t sim_held_candidates(struct held_strands *held, struct point point);

#endif
