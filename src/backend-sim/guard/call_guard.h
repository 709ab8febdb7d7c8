/* SPDX-License-Identifier: Apache-2.0
 *
 * What every call on the simulator must pass first.
 *
 * A failed device answers nothing but its failure, from the first call on that asks for work
 * or waits for it; calls before that one do not notice, as with a device that fails while the
 * host goes on.  Many calls are not permitted inside a host function or a kernel, and many are
 * not while a stream captures.  Each call names itself; what captures object to is asked
 * through a table (interceptor.h).  While all is well that costs one load.
 */
#ifndef SIM_CALL_GUARD_H
#define SIM_CALL_GUARD_H

#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/run_context.h"
#include "base/thread.h"

/* The calls.  Which of them are permitted inside a host function was measured: those that need
 * nothing but an ordinary stream or event are, launches of graphs and captures among them; those
 * that need the current context, and launches of kernels, copies and allocations, are not.  Nodes
 * can be added to most graphs there, but graphs cannot be read (sim_check_outside()). */
enum sim_call {
    CALL_ASK,   /* reads the state of a stream or event */
    CALL_ORDER, /* orders work, or waits             */
    CALL_END,   /* gives a handle back, in any case  */

    /* The same, by name, since captures have something to say about them. */
    CALL_STREAM_QUERY,
    CALL_STREAM_SYNCHRONIZE,
    CALL_STREAM_CALLBACK,
    CALL_STREAM_ID,
    CALL_STREAM_FLAGS,
    CALL_STREAM_PRIORITY,
    CALL_STREAM_GET_ATTRIBUTE,
    CALL_STREAM_SET_ATTRIBUTE,
    CALL_STREAM_COPY_ATTRIBUTES,
    CALL_EVENT_QUERY,
    CALL_EVENT_SYNCHRONIZE,
    CALL_EVENT_ELAPSED,
    CALL_SUBMIT,
    CALL_EXEC_LAUNCH,
    CALL_EXEC_UPLOAD,
    CALL_MODULE_UNLOAD,
    CALL_CAPTURE_BEGIN,
    CALL_CAPTURE_END,
    CALL_CAPTURE_INFO,
    CALL_CAPTURE_UPDATE,

    /* From here on the context is needed: not permitted inside a host function. */
    CALL_MAKE,
    CALL_SUBMIT_WORK,  /* kernels and copies      */
    CALL_SUBMIT_ALLOC,
    CALL_STREAM_ATTACH,
    CALL_MEMORY_RUN,   /* synchronous copies and fills */
    CALL_EXEC_CREATE,
    CALL_EXEC_DESTROY,
    CALL_CONTEXT_SYNCHRONIZE,
    CALL_MEM_INFO,
    CALL_MEM_ALLOC,
    CALL_MEM_ALLOC_PITCH,
    CALL_MEM_ALLOC_MANAGED,
    CALL_MEM_FREE,
    CALL_HOST_ALLOC,
    CALL_HOST_FREE,
    CALL_HOST_REGISTER,
    CALL_HOST_UNREGISTER,
    CALL_SYNC_MEMOPS,
    CALL_POOL_CREATE,
    CALL_POOL_DESTROY,
    CALL_POOL_TRIM,
    CALL_POOL_GET,
    CALL_POOL_SET,
    CALL_POOL_GET_ACCESS,
    CALL_POOL_SET_ACCESS,
    CALL_POOL_SET_CURRENT,
    CALL_OTHER_UNSAFE, /* the program's own */
    CALL_OTHER_ORDERS,
    CALL_COUNT
};

/* Flags of sim_platform.alert, which every call must heed. */
enum alert {
    ALERT_FAULT = 1,   /* the device failed, for good              */
    ALERT_CAPTURE = 2, /* some stream captures                     */
    ALERT_REPORTED = 4 /* the program was told of the failure, or the next call tells it */
};

/* Tells whether any stream of the platform captures. */
static inline bool sim_capturing(const struct sim_platform *platform)
{
    return atomic_load_explicit(&platform->alert, memory_order_relaxed) & ALERT_CAPTURE;
}

/* Checks a call.  Returns the refusal, or RILL_SUCCESS. */
rill_status sim_check_call(struct sim_platform *platform, enum sim_call call);

/* Does the same for a call that a failed device still answers. */
rill_status sim_check_call_failed(struct sim_platform *platform, enum sim_call call);

/* Refuses a call: inside a host function because of that, otherwise because of the failure. */
rill_status sim_refuse(struct sim_platform *platform, enum sim_call call);

/* Checks calls that work on a failed device and during captures, such as those on graphs: they may
 * not be made inside a host function. */
static inline rill_status sim_check_outside(struct sim_platform *platform)
{
    return __builtin_expect(sim_host_depth, 0) ? sim_refuse(platform, CALL_MAKE) : RILL_SUCCESS;
}

/* Tells whether nothing can object to the call.  What captures object to in calls on a stream,
 * event or context is asked later, when it is known which one is meant (interceptor.h). */
static inline bool sim_call_is_clear(struct sim_platform *platform, enum sim_call call)
{
    return !atomic_load_explicit(&platform->alert, memory_order_acquire) &&
           !(call >= CALL_MAKE && sim_host_depth);
}

/* Checks a call, mostly with one load. */
static inline rill_status sim_enter(struct sim_platform *platform, enum sim_call call)
{
    return sim_call_is_clear(platform, call) ? RILL_SUCCESS : sim_check_call(platform, call);
}

/* Does the same for a call that a failed device still answers. */
static inline rill_status sim_enter_failed(struct sim_platform *platform, enum sim_call call)
{
    return sim_call_is_clear(platform, call) ? RILL_SUCCESS : sim_check_call_failed(platform, call);
}

/* Waits for a point.  Returns the state of the device then, or RILL_ERROR_NOT_PERMITTED if the
 * point depends on the host function that asks. */
rill_status sim_wait(struct sim_platform *platform, struct point point, bool blocking_sync);

/* How much is told of a fault; calls that it refuses say more around it. */
#define SIM_FAULT_MAX (RILL_ERROR_MESSAGE_MAX - 96)

/* Makes the device fail, for good.  Only the first fault counts. */
void sim_raise(struct sim_platform *platform, rill_status status, const char *operation,
               const char *object, const char *message);

/* Does the same for an operation of a stream, which the record names. */
void sim_raise_in(struct strand *strand, rill_status status, const char *operation,
                  const char *message);

/* Does the same for `part` of the operation that this thread runs (run_context.h), and which names
 * the part for the record. */
void sim_raise_part(const void *part, struct sim_platform *platform, rill_status status,
                    const char *operation, const char *message);

/* Has every call answer with the failure from now on. */
void sim_fault_set_reported(struct sim_platform *platform);

#endif
