/* SPDX-License-Identifier: Apache-2.0
 *
 * A running launch, as its nodes know it.  The launches of an exec run one at a time, so each
 * exec has one of these.
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
    struct point *awaited;     /* by the program's external waits, or NULL            */
    struct early_reads *early; /* early.h; may be NULL                                */
    uint64_t number;           /* among the exec's launches, from 1                   */
};

/* Returns the launch that this thread runs a part of.  Requires that there is one. */
static inline struct launch *sim_launch_here(void)
{
    return (struct launch *)sim_run_here;
}

#endif
