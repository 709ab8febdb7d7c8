/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/candidates.h"

#include <string.h>

#include "base/alloc.h"

void sim_held_fini(struct held_strands *held)
{
    for (int d = 0; d < held->queue_count; d++) sim_one_queue_fini(&held->queues[d]);
    if (held->candidates != held->few) rl_free(held->candidates);
}

/* ---- Held strands --------------------------------------------------------------------- */

/* Returns the strand of the only possible step, or NULL.  Requires held->lock, and that one strand
 * is held. */
static inline struct strand *find_only(struct held_strands *held)
{
    struct strand *strand = held->first;
    if (!sim_held_is_oldest(held, strand)) return NULL;
    return sim_held_in_launch(strand) ? NULL : strand;
}

/* Stores how many strands are held, and the strand of the only possible step.  Requires
 * held->lock. */
static inline void store_count(struct held_strands *held, unsigned count)
{
    struct strand *only = count == 1 ? find_only(held) : NULL;
    atomic_store_explicit(&held->count, count, memory_order_relaxed);
    atomic_store_explicit(&held->only, only, memory_order_release);
}

/* Requires held->lock. */
static inline unsigned count_held(const struct held_strands *held)
{
    return atomic_load_explicit(&held->count, memory_order_relaxed);
}

void sim_held_add(struct held_strands *held, struct strand *strand)
{
    rl_lock(&held->lock);
    atomic_store(&strand->state, STRAND_HELD);
    if (!strand->ordinal) strand->ordinal = ++held->ordinals;
    strand->ready_next = NULL;
    if (held->last) held->last->ready_next = strand;
    else held->first = strand;
    held->last = strand;
    store_count(held, count_held(held) + 1);
    rl_unlock(&held->lock);
}

bool sim_held_any_for_certain(struct held_strands *held)
{
    rl_lock(&held->lock);
    const bool any = held->first;
    rl_unlock(&held->lock);
    return any;
}

/* Frees the room for candidates, if it has grown. */
static void give_room_back(struct held_strands *held)
{
    if (held->candidate_room <= FEW_CANDIDATES) return;
    if (held->candidates != held->few) rl_free(held->candidates);
    held->candidates = NULL;
    held->candidate_room = 0;
}

/* Requires held->lock. */
static void unlink_strand(struct held_strands *held, struct strand *strand)
{
    struct strand **link = &held->first, *before = NULL;
    while (*link != strand) {
        before = *link;
        link = &before->ready_next;
    }
    *link = strand->ready_next;
    if (held->last == strand) held->last = before;
    store_count(held, count_held(held) - 1);
}

bool sim_held_remove(struct held_strands *held, struct strand *strand)
{
    rl_lock(&held->lock);
    bool others = held->first != held->last;
    if (others) {
        unlink_strand(held, strand);
    } else {
        held->first = held->last = NULL;
        store_count(held, 0);
        give_room_back(held);
    }
    atomic_store_explicit(&strand->state, STRAND_RUNNING, memory_order_relaxed);
    rl_unlock(&held->lock);
    return others;
}

/* ---- The order of submission ------------------------------------------------------------ */

/* Requires held->lock. */
static struct one_queue *queue_of(struct held_strands *held, const struct strand *strand)
{
    int device = strand->device->ordinal;
    if (device >= held->queue_count) held->queue_count = device + 1;
    return &held->queues[device];
}

void sim_held_note_submitted(struct held_strands *held, const struct submission *submission)
{
    struct strand *strand = submission->strand;
    if (sim_one_queue_note(&held->queues[strand->device->ordinal], submission)) return; /* mostly */
    rl_lock(&held->lock);
    if (!sim_one_queue_add(queue_of(held, strand), strand)) held->order_lost = true;
    rl_unlock(&held->lock);
}

/* Tells whether nothing else that is pending on the strand's device was submitted earlier.
 * Requires held->lock. */
static bool is_oldest(struct held_strands *held, const struct strand *strand)
{
    struct point oldest = sim_one_queue_oldest(queue_of(held, strand));
    return !oldest.strand || oldest.strand == strand;
}

struct point sim_held_oldest(struct held_strands *held, const struct strand *strand)
{
    rl_lock(&held->lock);
    struct point point = sim_one_queue_oldest(queue_of(held, strand));
    rl_unlock(&held->lock);
    return point;
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Stores the point that a launch waits for before it can take any step, retained.  Returns false if
 * it can take one, or waits for something else.  Requires held->lock. */
static bool launch_waits_for(struct strand *strand, struct point *point)
{
    uint32_t choices = 1;
    struct cell *cell = sim_queue_front(&strand->queue);
    if (cell->type->choices) cell->type->choices(cell, &choices);
    return !choices && cell->type->held_up_by(cell, point);
}

/* Stores the point that a parked strand waits for, retained.  Returns false if it waits for
 * something else.  The timeline of a node leads to the last launch that was submitted; from a point
 * of an earlier launch it is not followed, since the path could be a circle. */
static bool parked_waits_for(struct strand *strand, struct point *point)
{
    bool last = point->number >= sim_strand_submitted(strand);
    rl_spin_lock(&strand->park_lock);
    enum parked_on on = strand->parked;
    bool further = sim_strand_state(strand) == STRAND_PARKED &&
                   (on == PARKED_ON_POINT || (on == PARKED_ON_NODE && last));
    if (further) {
        *point = strand->parked_point;
        sim_strand_retain(point->strand);
    }
    rl_spin_unlock(&strand->park_lock);
    return further;
}

/* Requires held->lock. */
static bool follow(struct point *point)
{
    struct strand *strand = point->strand;
    bool held = sim_strand_state(strand) == STRAND_HELD;
    if (!(held ? launch_waits_for(strand, point) : parked_waits_for(strand, point))) return false;
    sim_strand_release(strand);
    return true;
}

bool sim_held_follow(struct held_strands *held, struct point *point)
{
    rl_lock(&held->lock);
    bool further = follow(point);
    rl_unlock(&held->lock);
    return further;
}

/* Follows what the point waits for, to a strand that does not wait for a point.  Returns NULL if
 * there is none.  Requires held->lock. */
static const struct strand *bottom_of(struct point point)
{
    if (!point.strand) return NULL;
    sim_strand_retain(point.strand);
    while (!sim_point_reached(point) && follow(&point)) continue;
    const struct strand *bottom = sim_point_reached(point) ? NULL : point.strand;
    sim_strand_release(point.strand);
    return bottom;
}

/* Makes room for one more candidate.  Returns false if memory is short. */
static bool make_more_room(struct held_strands *held, uint32_t count)
{
    if (!held->candidates) {
        held->candidates = held->few;
        held->candidate_room = FEW_CANDIDATES;
    }
    if (count < held->candidate_room) return true;
    uint32_t room = 2 * held->candidate_room;
    struct candidate *larger = rl_alloc(room * sizeof *larger);
    if (!larger) return false;
    memcpy(larger, held->candidates, count * sizeof *larger);
    if (held->candidates != held->few) rl_free(held->candidates);
    held->candidates = larger;
    held->candidate_room = room;
    return true;
}

static inline bool make_room(struct held_strands *held, uint32_t count)
{
    return (held->candidates && count < held->candidate_room) || make_more_room(held, count);
}

/* Adds the steps of a strand to the `count` candidates.  Returns how many candidates there are
 * then. */
static uint32_t add_steps(struct held_strands *held, struct strand *strand, uint32_t count,
                          bool needed, bool oldest)
{
    struct cell *cell = sim_queue_front(&strand->queue);
    const struct op_type *type = cell->type;
    uint64_t completed = atomic_load_explicit(&strand->completed, memory_order_relaxed);
    uint32_t choices = 1;
    const uint32_t *places = type->choices ? type->choices(cell, &choices) : NULL;
    for (uint32_t i = 0; i < choices && make_room(held, count); i++)
        held->candidates[count++] = (struct candidate){
            .strand = strand, .stream = strand->ordinal, .number = completed + 1,
            .place = places ? places[i] : HOLD_ANY_PLACE, .needed = needed, .oldest = oldest,
        };
    return count;
}

/* Lists the steps of all strands that are held.  Requires held->lock, and that one is held. */
static uint32_t list_steps(struct held_strands *held, struct point point)
{
    uint32_t count = 0;
    const bool alone = held->first == held->last;
    const struct strand *bottom = alone ? NULL : bottom_of(point);
    for (struct strand *strand = held->first; strand; strand = strand->ready_next)
        count = add_steps(held, strand, count, alone || strand == bottom,
                          !held->keeps_order || held->order_lost || is_oldest(held, strand));
    return count;
}

uint32_t sim_held_candidates(struct held_strands *held, struct point point)
{
    uint32_t count = 0;
    rl_lock(&held->lock);
    if (held->first) count = list_steps(held, point);
    else
        for (int d = 0; d < held->queue_count; d++) sim_one_queue_oldest(&held->queues[d]);
    rl_unlock(&held->lock);
    return count;
}
