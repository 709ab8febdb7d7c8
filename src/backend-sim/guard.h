/* SPDX-License-Identifier: Apache-2.0
 *
 * What every call on the simulator must pass first: a failed device answers
 * nothing but its failure, and many calls are not permitted inside a host
 * function or a kernel.  Which ones was measured on hardware: those that need
 * nothing but an ordinary stream or event are, those that need the current
 * context, and launches, copies and allocations, are not.
 */
#ifndef SIM_GUARD_H
#define SIM_GUARD_H

#include "backend-sim/engine.h"

enum sim_call {
    CALL_ASK,   /* looks at a stream or event                              */
    CALL_ORDER, /* orders work, or waits                                   */
    CALL_MAKE,  /* needs the context: not permitted inside a host function */
    CALL_END    /* gives a handle back, in any case                        */
};

/* How deep this thread is in host functions and kernels; its own. */
extern _Thread_local int sim_inside;

rill_status sim_refuse(struct sim_platform *platform, enum sim_call call);

static inline rill_status sim_enter(struct sim_platform *platform, enum sim_call call)
{
    if (atomic_load_explicit(&platform->fault, memory_order_acquire) ||
        (call == CALL_MAKE && sim_inside))
        return sim_refuse(platform, call);
    return RILL_SUCCESS;
}

/* Waits for a point, then says how the device is.  RILL_ERROR_NOT_PERMITTED when
 * the point depends on the host function that asks. */
rill_status sim_wait(struct sim_platform *platform, struct point point, bool patient);

/* The device fails, for good.  Only the first fault counts. */
void sim_raise(struct sim_platform *platform, rill_status status, const char *operation,
               const char *object, const char *message);

#endif
