/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch that runs, as its nodes know it.  An exec has one: its launches run one at a time.
 */
#ifndef SIM_RUNNING_LAUNCH_H
#define SIM_RUNNING_LAUNCH_H

#include "backend-sim/scheduler/run_context.h"

struct conditional_values;
struct early_reads;
struct program;

struct launch {
    struct run_context context;
    const struct program *program;
    const struct conditional_values *values; /* of the exec                           */
    struct point *awaited;     /* by its event waits, by side (side.h); or NULL       */
    struct early_reads *early; /* what it brings along (early.h); or NULL             */
    uint64_t number;           /* of the exec's launches, from 1                      */
};

/* The launch that this thread runs a part of; there is one. */
static inline struct launch *sim_launch_here(void)
{
    return (struct launch *)sim_run_here;
}

#endif
