/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the schedule is given: who decides what runs next, in place of chance.
 *
 * Nothing of an engine that is steered is ever READY.  What could run is HELD, and the steering is
 * told; it has one strand at a time take one step (sim_strand_step()), in one thread, when it
 * chooses.  The schedule (schedule/schedule.h) is what there is of it; the scheduler knows only
 * this table.
 */
#ifndef SIM_STEERING_H
#define SIM_STEERING_H

#include <stdbool.h>
#include <stdint.h>

#include "backend-sim/scheduler/point.h"
#include "backend-sim/scheduler/submission.h"

/* How a kernel runs, as far as nobody promised anything about it. */
struct kernel_manner {
    uint64_t order; /* of its blocks: base/shuffle.h                    */
    bool pauses;    /* others go on before the first thing that it stores */
};

struct steering {
    /* Told that a strand can take a step, and makes it HELD, or RUNNING if the calling thread is
     * about to have it take one.  Until it is IDLE it needs no reference.  Returns true. */
    bool (*hold)(struct steering *steering, struct strand *strand);
    /* Told of operations that are about to be published, if it asked for that by ATTEND_ORDER.
     * Requires strand->submit_lock. */
    void (*submitted)(struct steering *steering, const struct submission *submission);
    /* Waits until the point is reached.  Returns false if it depends on an operation that this
     * very thread is running. */
    bool (*wait)(struct steering *steering, struct point point);
    /* Returns how a kernel of so many blocks runs, which the calling thread is about to run. */
    struct kernel_manner (*begin_kernel)(struct steering *steering, uint64_t blocks);
    /* Has others go on, in the middle of that kernel. */
    void (*pause_kernel)(struct steering *steering);
};

#endif
