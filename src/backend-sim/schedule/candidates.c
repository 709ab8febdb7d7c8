/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/candidates.h"

#include <string.h>

#include "base/alloc.h"

/* Makes room for one more item of so many bytes.  Returns false if memory is short. */
static bool make_room(void **items, uint32_t count, uint32_t *room, size_t bytes)
{
    if (count < *room) return true;
    uint32_t more = *room ? 2 * *room : 16;
    void *larger = rl_alloc(more * bytes);
    if (!larger) return false;
    if (count) memcpy(larger, *items, count * bytes);
    rl_free(*items);
    *items = larger;
    *room = more;
    return true;
}

void sim_held_fini(struct held_strands *held)
{
    for (int d = 0; d < SIM_DEVICES_MAX; d++) {
        struct submission_order *order = &held->orders[d];
        for (size_t i = order->from; i < order->to; i++) sim_strand_release(order->items[i].strand);
        rl_free(order->items);
    }
    for (struct strand *strand = held->first, *next; strand; strand = next) {
        next = strand->ready_next;
        sim_strand_release(strand);
    }
    rl_free(held->candidates);
}

/* ---- Held strands --------------------------------------------------------------------- */

void sim_held_add(struct held_strands *held, struct strand *strand)
{
    rl_lock(&held->lock);
    if (!strand->ordinal) strand->ordinal = ++held->ordinals;
    strand->ready_next = NULL;
    if (held->last) held->last->ready_next = strand;
    else held->first = strand;
    held->last = strand;
    rl_unlock(&held->lock);
}

void sim_held_remove(struct held_strands *held, const struct strand *strand)
{
    struct strand **link = &held->first, *before = NULL;
    rl_lock(&held->lock);
    while (*link != strand) {
        before = *link;
        link = &before->ready_next;
    }
    *link = strand->ready_next;
    if (held->last == strand) held->last = before;
    rl_unlock(&held->lock);
}

bool sim_held_any(struct held_strands *held)
{
    rl_lock(&held->lock);
    bool any = held->first;
    rl_unlock(&held->lock);
    return any;
}

/* ---- The order of submission ------------------------------------------------------------ */

/* Forgets what is over, and makes room for `count` more.  Requires held->lock. */
static bool make_order_room(struct submission_order *order, uint64_t count)
{
    size_t left = order->to - order->from;
    if (order->from) {
        memmove(order->items, order->items + order->from, left * sizeof *order->items);
        order->from = 0;
        order->to = left;
    }
    if (left + count <= order->room) return true;
    size_t room = 2 * (left + count);
    struct submitted_op *more = rl_alloc(room * sizeof *more);
    if (!more) return false;
    if (left) memcpy(more, order->items, left * sizeof *more);
    rl_free(order->items);
    order->items = more;
    order->room = room;
    return true;
}

static struct submission_order *order_of(struct held_strands *held, const struct strand *strand)
{
    return &held->orders[strand->device->ordinal];
}

void sim_held_note_submitted(struct held_strands *held, const struct submission *submission)
{
    if (!held->keeps_order) return;
    struct submission_order *order = order_of(held, submission->strand);
    uint64_t last = sim_submission_number(submission);
    rl_lock(&held->lock);
    if (order->to + submission->count > order->room &&
        !make_order_room(order, submission->count)) {
        held->order_lost = true;
    } else {
        for (uint64_t number = last - submission->count + 1; number <= last; number++) {
            sim_strand_retain(submission->strand);
            order->items[order->to++] = (struct submitted_op){ submission->strand, number };
        }
    }
    rl_unlock(&held->lock);
}

/* Forgets what is over, and returns the first that is not, or NULL.  Requires held->lock. */
static const struct submitted_op *oldest_op(struct submission_order *order)
{
    for (; order->from < order->to; order->from++) {
        const struct submitted_op *op = &order->items[order->from];
        if (!sim_strand_reached(op->strand, op->number)) return op;
        sim_strand_release(op->strand);
    }
    return NULL;
}

/* Tells whether nothing else that is pending on the strand's device was submitted earlier.
 * Requires held->lock. */
static bool is_oldest(struct held_strands *held, const struct strand *strand)
{
    const struct submitted_op *op = oldest_op(order_of(held, strand));
    return !op || op->strand == strand;
}

struct point sim_held_oldest(struct held_strands *held, const struct strand *strand)
{
    struct point point = { NULL, 0 };
    rl_lock(&held->lock);
    const struct submitted_op *op = oldest_op(order_of(held, strand));
    if (op) point = (struct point){ op->strand, op->number };
    rl_unlock(&held->lock);
    return point;
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Follows what the point waits for, to a strand that does not wait for a point.  Returns NULL if
 * there is none. */
static const struct strand *bottom_of(struct point point)
{
    while (point.strand && !sim_point_reached(point)) {
        struct strand *strand = point.strand;
        rl_spin_lock(&strand->park_lock);
        bool further = sim_strand_state(strand) == STRAND_PARKED &&
                       (strand->parked == PARKED_ON_POINT || strand->parked == PARKED_ON_NODE);
        point = strand->parked_point;
        rl_spin_unlock(&strand->park_lock);
        if (!further) return strand;
    }
    return NULL;
}

/* Adds the steps of a strand.  Returns how many there are then. */
static uint32_t add_steps(struct held_strands *held, struct strand *strand, uint32_t count,
                          bool needed, bool oldest)
{
    struct cell *cell = sim_queue_front(&strand->queue);
    uint64_t completed = atomic_load_explicit(&strand->completed, memory_order_relaxed);
    struct candidate step = { strand, strand->ordinal, completed + 1, HOLD_ANY_PLACE, needed,
                              oldest };
    uint32_t choices = 1;
    const uint32_t *places = cell->type->choices ? cell->type->choices(cell, &choices) : NULL;
    for (uint32_t i = 0; i < choices; i++) {
        if (!make_room((void **)&held->candidates, count, &held->candidate_room,
                       sizeof *held->candidates))
            return count;
        step.place = places ? places[i] : HOLD_ANY_PLACE;
        held->candidates[count++] = step;
    }
    return count;
}

uint32_t sim_held_candidates(struct held_strands *held, struct point point)
{
    const struct strand *bottom = bottom_of(point);
    uint32_t count = 0;
    rl_lock(&held->lock);
    for (struct strand *strand = held->first; strand; strand = strand->ready_next)
        count = add_steps(held, strand, count, strand == bottom,
                          !held->keeps_order || held->order_lost || is_oldest(held, strand));
    rl_unlock(&held->lock);
    return count;
}
