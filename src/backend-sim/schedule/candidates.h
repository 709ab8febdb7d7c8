/* SPDX-License-Identifier: Apache-2.0
 *
 * What could run: the strands that are HELD, and the steps of each.
 */
#ifndef SIM_SCHEDULE_CANDIDATES_H
#define SIM_SCHEDULE_CANDIDATES_H

#include "backend-sim/schedule/one_queue.h"
#include "backend-sim/schedule/policy.h"
#include "backend-sim/scheduler/op_type.h"
#include "base/lock.h"

#define FEW_CANDIDATES 16u

struct held_strands {
    struct rl_lock lock;
    struct strand *first, *last; /* in the order in which they were held, through
                                    `ready_next`; lock                                */
    atomic_uint count;           /* stored with the lock                              */
    _Atomic(struct strand *) only; /* the strand of the only possible step, or NULL; stored
                                    with the lock                                     */
    uint32_t ordinals;           /* given to strands so far; lock                     */

    bool keeps_order;            /* the policy asks which is the oldest; fixed */
    bool order_lost;             /* memory was short; lock */
    struct one_queue queues[SIM_DEVICES_MAX]; /* lock */
    int queue_count;             /* how many of them were used; lock */

    /* Used by the thread that chooses. */
    struct candidate *candidates;
    uint32_t candidate_room;
    struct candidate few[FEW_CANDIDATES]; /* so that memory is never too short for a step */
};

void sim_held_fini(struct held_strands *held);

/* Adds a strand, which is HELD from now on: it has more to do, and so it is kept. */
void sim_held_add(struct held_strands *held, struct strand *strand);

/* Notes what is about to be published. */
void sim_held_note_submitted(struct held_strands *held, const struct submission *submission);

/* Takes a strand out and makes it RUNNING, since it is about to take a step.  Returns whether
 * others are held. */
bool sim_held_remove(struct held_strands *held, struct strand *strand);

/* Tells whether a strand is held. */
static inline bool sim_held_any(struct held_strands *held)
{
    return atomic_load_explicit(&held->count, memory_order_relaxed);
}

/* Tells the same for certain: a thread that adds a strand after this sees what this one stored
 * before. */
bool sim_held_any_for_certain(struct held_strands *held);

/* Stores the next operation of a strand, which is the only step that is possible, as a step. */
static inline void sim_describe_next(struct strand *strand, struct candidate *step)
{
    uint64_t completed = atomic_load_explicit(&strand->completed, memory_order_relaxed);
    *step = (struct candidate){ .strand = strand, .stream = strand->ordinal,
                                .number = completed + 1, .place = HOLD_ANY_PLACE,
                                .needed = true, .oldest = true };
}

/* Tells whether the strand's next step is surely the oldest, if the policy asks for that. */
static inline bool sim_held_is_oldest(struct held_strands *held, const struct strand *strand)
{
    return !held->keeps_order ||
           sim_one_queue_has_only(&held->queues[strand->device->ordinal], strand);
}

/* Returns the strand of the only step that is possible, or NULL if there are more, or none, or it
 * is one of a launch, or another may be older.  Called by a thread that may choose. */
static inline struct strand *sim_held_only(struct held_strands *held)
{
    return atomic_load_explicit(&held->only, memory_order_acquire);
}

/* Tells whether no strand but this one, which is RUNNING, could take the next step. */
static inline bool sim_held_none_beside(struct held_strands *held, const struct strand *strand)
{
    return !sim_held_any(held) && sim_held_is_oldest(held, strand);
}

/* Tells whether the next operation of the strand is a launch, whose nodes are steps. */
static inline bool sim_held_in_launch(struct strand *strand)
{
    return sim_queue_front(&strand->queue)->type->choices;
}

/* Returns what was submitted first of all that is pending on the strand's device, if the policy
 * keeps the order; else a point without a strand. */
struct point sim_held_oldest(struct held_strands *held, const struct strand *strand);

/* Replaces a point by the one that its strand waits for, with the reference to the strand.  Returns
 * false, and leaves the point, if the strand waits for no other point. */
bool sim_held_follow(struct held_strands *held, struct point *point);

/* Lists all steps that are possible in held->candidates, or some of them if memory is short.
 * Returns how many there are.  `point` is what the host waits for, or has no strand. */
uint32_t sim_held_candidates(struct held_strands *held, struct point point);

#endif
