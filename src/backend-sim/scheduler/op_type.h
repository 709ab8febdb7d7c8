/* SPDX-License-Identifier: Apache-2.0
 *
 * What the scheduler knows of an operation in a strand's queue: how it runs, and what keeps it
 * from running.  Each kind of operation has such a table in its own file.
 */
#ifndef SIM_OP_TYPE_H
#define SIM_OP_TYPE_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/scheduler/submission.h"

/* How far an operation got that works in steps. */
enum advance { ADVANCE_BLOCKED, ADVANCE_DONE };

struct demand;
struct told;

/* An operation that is simple has neither `park` nor `ready` nor `advance`: it runs when it is
 * in front.  All others have `park`, and one of the other two. */
struct op_type {
    rill_op_kind kind;
    /* For an operation that waits: tells whether it can run now.  Not asked once the device
     * failed. */
    bool (*ready)(struct strand *strand, struct cell *cell);
    /* For an operation that works in steps, as a launch does: does what it can, also on a failed
     * device, where it begins nothing.  Once it is done, `run` or `drop` concludes it. */
    enum advance (*advance)(struct strand *strand, struct cell *cell);
    /* Arranges for sim_strand_unpark(), since the operation is not ready or is blocked.  Returns
     * false if it can go on by now; after true another thread may already own the strand. */
    bool (*park)(struct strand *strand, struct cell *cell);
    void (*run)(struct strand *strand, struct cell *cell);
    /* In place of run, when the device has failed or the submission is taken
     * back: gives up what the cell holds. */
    void (*drop)(struct strand *strand, struct cell *cell);
    const char *(*name)(const struct cell *cell);
    bool shared; /* several threads may run it together */
    /* For copies and fills: returns how many bytes they write.  NULL for all others. */
    uint64_t (*bytes)(const struct cell *cell);

    /* For one that takes time where that is virtual (virtual_time.h): tells what it, or the node in
     * a place of the launch, demands.  `demand` holds only the platform and the strand's device
     * before. */
    void (*demand)(struct cell *cell, uint32_t place, struct demand *demand);

    /* For an operation that a watcher is told of (watch/watcher.h).  Runs it in place of `run`, or
     * drops it in place of `drop`, and tells the watcher. */
    void (*run_watched)(struct strand *strand, struct cell *cell, struct told *told);
    /* Prepares one that tells the watcher elsewhere, before it is published.  May be NULL. */
    void (*get_watched)(struct cell *cell);

    /* For a wait: returns the point that it waits for.  NULL for all others. */
    struct point (*after)(const struct cell *cell);

    /* For what may wait for something that no operation may ever bring: writes what it waits for,
     * or nothing. */
    void (*waits_for)(struct cell *cell, char *text, size_t bytes);

    /* Of a wait that is polled: returns the address of the value.  May be NULL. */
    rill_devptr (*awaits)(struct cell *cell);

    /* For an operation whose steps an engine that is steered chooses (steering.h): returns the
     * places of what can run next, whose memory stays until the next step, and says which one the
     * next `advance` runs.  The first step has no choice, and no place: NULL is returned. */
    const uint32_t *(*choices)(struct cell *cell, uint32_t *count);
    void (*choose)(struct cell *cell, uint32_t place);

    /* For an operation that parks its strand on work that others do (PARKED_ON_WORK); each of
     * these requires strand->park_lock.  The first one also for one whose steps are chosen. */

    /* Stores the point that a part of the work waits for, retained.  Returns false if there is no
     * such part. */
    bool (*held_up_by)(struct cell *cell, struct point *point);
    /* Tells whether the work waits for the thread that calls host functions. */
    bool (*needs_host_thread)(struct cell *cell);
    /* Tells whether nothing of the work is left, so that the strand should not be parked. */
    bool (*is_over)(struct cell *cell);
};

/* An operation that does nothing but hold a place. */
extern const struct op_type sim_op_empty;

#endif
