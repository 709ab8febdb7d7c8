/* SPDX-License-Identifier: Apache-2.0
 *
 * What an operation in a strand's queue can be, and how each kind runs.
 */
#ifndef SIM_OPS_H
#define SIM_OPS_H

#include "backend-sim/sim.h"
#include "backend-sim/submission.h"

enum op_code {
    OP_NEXT_CHUNK = 0, /* queue.h */
    OP_HOST,
    OP_CALLBACK,
    OP_HOST_AWAY,  /* either, in a thread of their own (host_away.c)          */
    OP_KERNEL,
    OP_COPY,
    OP_COPY_ROW,
    OP_FILL,
    OP_WAIT,       /* for a point: an event, or the legacy stream's order     */
    OP_RECORD,     /* stamps an event with the time, or only holds its place  */
    OP_VALUE_WAIT,
    OP_VALUE_WRITE,
    OP_ALLOC,      /* holds the place of an allocation                        */
    OP_FREE,
    OP_EMPTY,
    OP_LAUNCH,     /* of an exec                                              */
    OP_LAUNCH_PLAIN,
    OP_RESUME,     /* lets a node go on that waited (side.c)                  */
    OP_CODES
};

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
    /* EVENT_WAIT: what it waits for. */
    struct point (*after)(const struct cell *cell);
};

/* By code. */
extern const struct op_type *const sim_op_types[OP_CODES];

/* One each in the file of its kind. */
extern const struct op_type sim_op_host, sim_op_callback, sim_op_kernel, sim_op_copy,
    sim_op_copy_row, sim_op_fill, sim_op_wait, sim_op_record, sim_op_value_wait,
    sim_op_value_write, sim_op_alloc, sim_op_free, sim_op_empty, sim_op_launch, sim_op_launch_plain,
    sim_op_resume, sim_op_host_away;

#endif
