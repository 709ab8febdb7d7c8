/* SPDX-License-Identifier: Apache-2.0
 *
 * The context in which a thread runs functions of the program: how deep it is in them, and the
 * operation that they are parts of, if that has many parts (a launch of a graph).  All threads
 * that work on one operation have the same context.
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

/* The context of this thread, or NULL if it runs no part of an operation. */
extern _Thread_local struct run_context *sim_run_here RL_THREAD_WORD;

/* How deep this thread is in host functions and kernels of the program; 0 if it is in none. */
extern _Thread_local int sim_host_depth RL_THREAD_WORD;

/* Tells whether the device failed while this thread runs a part of an operation; nothing more of
 * the operation is to be run then. */
static inline bool sim_run_failed(void)
{
    const struct run_context *here = sim_run_here;
    return here &&
           (atomic_load_explicit(here->strand->attention, memory_order_relaxed) & ATTEND_FAULT);
}

/* Tells whether the point comes after the context's operation, which runs now and cannot end
 * while this is asked; NULL comes after all operations.  A thread that waits for a point helps
 * with nothing else, since other work may wait for that very thread. */
static inline bool sim_run_comes_before(const struct run_context *context,
                                        const struct point *point)
{
    return !point || (context->strand == point->strand && !sim_point_reached(*point));
}

#endif
