/* SPDX-License-Identifier: Apache-2.0
 *
 * The operation that waits for a point of another strand.
 */
#include "backend-sim/scheduler/op_type.h"
#include "backend-sim/scheduler/strand_refs.h"

struct wait_cell {
    struct point point; /* its strand retained */
};

static bool wait_ready(struct strand *strand, struct cell *cell)
{
    (void)strand;
    return sim_point_reached(((struct wait_cell *)cell_payload(cell))->point);
}

static void wait_reached(struct waiter *waiter)
{
    sim_strand_unpark((struct strand *)(void *)((char *)waiter - offsetof(struct strand, waiter)));
}

static bool wait_park(struct strand *strand, struct cell *cell)
{
    struct point point = ((struct wait_cell *)cell_payload(cell))->point;
    sim_strand_set_parked(strand, point);
    strand->waiter.number = point.number;
    strand->waiter.reached = wait_reached;
    if (sim_strand_add_waiter(point.strand, &strand->waiter)) return true;
    sim_strand_set_parked(strand, (struct point){ NULL, 0 });
    return false;
}

static void wait_drop(struct strand *strand, struct cell *cell)
{
    (void)strand;
    sim_strand_return(((struct wait_cell *)cell_payload(cell))->point.strand, 1);
}

static void wait_run(struct strand *strand, struct cell *cell)
{
    sim_strand_refs_return(strand, ((struct wait_cell *)cell_payload(cell))->point.strand);
}

static const char *wait_name(const struct cell *cell)
{
    (void)cell;
    return "event wait";
}

static struct point wait_after(const struct cell *cell)
{
    return ((const struct wait_cell *)(const void *)(cell + 1))->point;
}

static const struct op_type wait_op = {
    .kind = RILL_OP_EVENT_WAIT, .ready = wait_ready, .park = wait_park, .run = wait_run,
    .drop = wait_drop, .name = wait_name, .after = wait_after,
};

/* Tells whether the point may lie ahead.  While another thread runs the strand this says yes
 * without reading how far it is: that is on a line that the other thread writes all the time,
 * and one more operation costs less than to read it. */
static inline bool may_be_ahead(struct point point)
{
    return !sim_strand_is_idle(point.strand) || !sim_point_reached(point);
}

bool sim_submission_wait_for(struct submission *submission, struct point point)
{
    struct strand *strand = submission->strand;
    if (may_be_ahead(point) || sim_strand_shows_all(strand)) {
        struct cell *cell = sim_submission_add(submission, &wait_op, sizeof(struct wait_cell));
        if (!cell) return false;
        sim_strand_refs_take(strand, point.strand);
        ((struct wait_cell *)cell_payload(cell))->point = point;
    }
    sim_strand_note_wait(strand, sim_submission_number(submission), point);
    return true;
}
