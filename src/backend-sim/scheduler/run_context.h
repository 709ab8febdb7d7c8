/* SPDX-License-Identifier: Apache-2.0
 *
 * What the calling thread is in the middle of: functions of the program, and the operation of
 * a strand that they are a part of, when that is one of many parts (a launch of a graph).
 * Threads that take a part in the work of another stand in the same context as that one.
 */
#ifndef SIM_RUN_CONTEXT_H
#define SIM_RUN_CONTEXT_H

#include "backend-sim/scheduler/strand.h"

struct run_context;

/* What the parts of an operation may ask, whatever it is. */
struct run_context_type {
    /* Writes how a message names `part`, a part of the operation. */
    void (*describe)(const struct run_context *context, const void *part,
                     char text[RILL_LABEL_MAX]);
    /* Sets the value of a conditional, for a kernel of that context.  Returns false if the
     * operation has no conditionals for it. */
    bool (*set_conditional)(const struct run_context *context, uint64_t kernel_context,
                            rill_conditional handle, uint32_t value);
};

struct run_context {
    const struct run_context_type *type;
    struct strand *strand;
    uint64_t point; /* of the operation, on the strand's timeline */
};

/* The context of this thread, or NULL. */
extern _Thread_local struct run_context *sim_run_here RL_THREAD_WORD;

/* How deep this thread is in functions of the program: host functions and kernels. */
extern _Thread_local int sim_host_depth RL_THREAD_WORD;

/* Tells whether the device failed on which this thread runs a part: then nothing more of it
 * is to be run. */
static inline bool sim_run_failed(void)
{
    const struct run_context *here = sim_run_here;
    return here &&
           (atomic_load_explicit(here->strand->attention, memory_order_relaxed) & ATTEND_FAULT);
}

/* Tells whether the point comes after the context's operation, which runs now and cannot end
 * while this is asked; NULL comes after all.  A thread that waits for a point helps with
 * nothing else: what else there is may wait for that thread. */
static inline bool sim_run_comes_before(const struct run_context *context,
                                        const struct point *point)
{
    return !point || (context->strand == point->strand && !sim_point_reached(*point));
}

#endif
