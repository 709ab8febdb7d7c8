/* SPDX-License-Identifier: Apache-2.0
 *
 * What every call on the simulator must pass first.  A failed device answers
 * nothing but its failure, from the first call on that asks for work or waits for
 * it: those before it do not notice, as with a device that fails while the host goes
 * on.  Many calls are not permitted inside a host function or a kernel; and many are
 * not while a stream captures.  Each call says by its name which one it is; what
 * captures have against it is asked through a table (interceptor.h).  While all is well
 * that costs one load.
 */
#ifndef SIM_CALL_GUARD_H
#define SIM_CALL_GUARD_H

#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/run_context.h"
#include "base/thread.h"

/* Which ones are permitted inside a host function was measured on hardware:
 * those that need nothing but an ordinary stream or event are, launches of graphs
 * and captures among them; those that need the current context, and launches of
 * kernels, copies and allocations, are not.  Of graphs most can be added to, but
 * not looked at (sim_check_outside()). */
enum sim_call {
    CALL_ASK,   /* looks at a stream or event        */
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
    CALL_MEMORY_RUN,   /* synchronous copies and fills */
    CALL_EXEC_CREATE,
    CALL_EXEC_DESTROY,
    CALL_CONTEXT_SYNCHRONIZE,
    CALL_MEM_INFO,
    CALL_MEM_ALLOC,
    CALL_MEM_ALLOC_PITCH,
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

/* Bits of sim_platform.alert: what every call must heed. */
enum alert {
    ALERT_FAULT = 1,   /* the device failed, for good              */
    ALERT_CAPTURE = 2, /* somebody captures, somewhere (capture.h) */
    ALERT_REPORTED = 4     /* the program was told of the failure, or is meant to be by the
                          next call whatever it is                 */
};

/* Whether somebody captures, somewhere. */
static inline bool sim_capturing(const struct sim_platform *platform)
{
    return atomic_load_explicit(&platform->alert, memory_order_relaxed) & ALERT_CAPTURE;
}

/* The whole question: the refusal, or RILL_SUCCESS. */
rill_status sim_check_call(struct sim_platform *platform, enum sim_call call);

/* The same for a call that a failed device still answers. */
rill_status sim_check_call_failed(struct sim_platform *platform, enum sim_call call);

/* For such a call: what is said inside a host function, else the failure. */
rill_status sim_refuse(struct sim_platform *platform, enum sim_call call);

/* For calls that a failed device answers and captures have nothing against, as those on
 * graphs: whether they are made outside of host functions. */
static inline rill_status sim_check_outside(struct sim_platform *platform)
{
    return __builtin_expect(sim_host_depth, 0) ? sim_refuse(platform, CALL_MAKE) : RILL_SUCCESS;
}

/* What a capture has against a call on a stream, event or context is asked
 * apart, when it is known which one is meant (interceptor.h). */
static inline bool sim_call_is_clear(struct sim_platform *platform, enum sim_call call)
{
    return !atomic_load_explicit(&platform->alert, memory_order_acquire) &&
           !(call >= CALL_MAKE && sim_host_depth);
}

static inline rill_status sim_enter(struct sim_platform *platform, enum sim_call call)
{
    return sim_call_is_clear(platform, call) ? RILL_SUCCESS : sim_check_call(platform, call);
}

/* The same for a call that a failed device still answers. */
static inline rill_status sim_enter_failed(struct sim_platform *platform, enum sim_call call)
{
    return sim_call_is_clear(platform, call) ? RILL_SUCCESS : sim_check_call_failed(platform, call);
}

/* Waits for a point, then says how the device is.  RILL_ERROR_NOT_PERMITTED when
 * the point depends on the host function that asks. */
rill_status sim_wait(struct sim_platform *platform, struct point point, bool blocking_sync);

/* So much is told of a fault: calls that it refuses say more around it. */
#define SIM_FAULT_MAX (RILL_ERROR_MESSAGE_MAX - 96)

/* The device fails, for good.  Only the first fault counts. */
void sim_raise(struct sim_platform *platform, rill_status status, const char *operation,
               const char *object, const char *message);

/* The same for an operation of a stream, which the record names. */
void sim_raise_in(struct strand *strand, rill_status status, const char *operation,
                  const char *message);

/* The same for `part` of what this thread runs (run_context.h): the record names it as
 * the operation does that it is a part of. */
void sim_raise_part(const void *part, struct sim_platform *platform, rill_status status,
                    const char *operation, const char *message);

/* From now on every call answers with the failure. */
void sim_fault_set_reported(struct sim_platform *platform);

#endif
