/* SPDX-License-Identifier: Apache-2.0
 *
 * What the scheduler knows of an operation in a strand's queue: how it runs, and what keeps it
 * from running.  Each kind of operation has a table of these in its own file.
 */
#ifndef SIM_OP_TYPE_H
#define SIM_OP_TYPE_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/scheduler/submission.h"

struct op_type {
    rill_op_kind kind;
    /* NULL: can always run.  Else whether it can now; a launch does most of its
     * work here. */
    bool (*ready)(struct strand *strand, struct cell *cell);
    bool persists; /* `ready` counts on a failed device, too */
    /* After `ready` said no: arranges for sim_strand_unpark().  False when it could
     * run by now; when true another thread may already own the strand. */
    bool (*park)(struct strand *strand, struct cell *cell);
    void (*run)(struct strand *strand, struct cell *cell);
    /* In place of run, when the device has failed or the submission is taken
     * back: gives up what the cell holds. */
    void (*drop)(struct strand *strand, struct cell *cell);
    const char *(*name)(const struct cell *cell);
    bool shared; /* several threads may run it together */
    /* For a wait: what it waits for.  NULL for all others. */
    struct point (*after)(const struct cell *cell);

    /* For an operation that parks its strand on work that others do (PARKED_ON_WORK);
     * each requires the strand's park_lock.  What a part of the work waits for, retained; false
     * if there is no such part. */
    bool (*held_up_by)(struct cell *cell, struct point *point);
    /* Tells whether the work waits for the thread that calls host functions. */
    bool (*needs_host_thread)(struct cell *cell);
    /* Tells whether nothing of the work is left, so that the strand should not be parked. */
    bool (*is_over)(struct cell *cell);
};

/* Does nothing, but holds a place. */
extern const struct op_type sim_op_empty;

#endif
