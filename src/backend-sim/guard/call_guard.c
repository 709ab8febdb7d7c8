/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/guard/call_guard.h"

#include <stdio.h>

#include "backend-sim/guard/interceptor.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/scheduler/wait.h"
#include "base/thread.h"

static rill_status refuse_failed(struct sim_platform *platform, rill_status fault)
{
    rill_backend_fail(fault, NULL,
                      "the device failed: %s; nothing works on this platform until it is closed "
                      "and opened again", platform->fault_message);
    rill_backend_fail_cause(&platform->fault_cause);
    return fault;
}

rill_status sim_refuse(struct sim_platform *platform, enum sim_call call)
{
    if (call >= CALL_MAKE && sim_host_depth)
        return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, NULL,
                                 "called from inside a host function or kernel, where only "
                                 "events, host functions, fills, value operations and launches of "
                                 "graphs in ordinary streams are permitted, and building graphs "
                                 "of what needs no context");
    /* Written before `fault` was stored, never again. */
    return refuse_failed(platform, (rill_status)atomic_load(&platform->fault));
}

/* Tells whether the call asks for work or waits for it; as measured, the call that asks how much
 * memory is left counts as one. */
static bool call_asks_for_work(enum sim_call call)
{
    switch ((int)call) {
    case CALL_ASK:
    case CALL_STREAM_QUERY:
    case CALL_STREAM_SYNCHRONIZE:
    case CALL_EVENT_QUERY:
    case CALL_EVENT_SYNCHRONIZE:
    case CALL_EVENT_ELAPSED:
    case CALL_CONTEXT_SYNCHRONIZE:
    case CALL_MEM_INFO: return true;
    default: return false;
    }
}

void sim_fault_set_reported(struct sim_platform *platform)
{
    atomic_fetch_or(&platform->alert, ALERT_REPORTED);
}

rill_status sim_check_call(struct sim_platform *platform, enum sim_call call)
{
    unsigned alert = atomic_load_explicit(&platform->alert, memory_order_acquire);
    if ((alert & (ALERT_FAULT | ALERT_REPORTED)) == ALERT_FAULT && call_asks_for_work(call)) {
        sim_fault_set_reported(platform);
        alert |= ALERT_REPORTED;
    }
    if ((alert & ALERT_REPORTED) || (call >= CALL_MAKE && sim_host_depth))
        return sim_refuse(platform, call);
    return alert & ALERT_CAPTURE ? platform->interceptor->permits(platform, call) : RILL_SUCCESS;
}

rill_status sim_check_call_failed(struct sim_platform *platform, enum sim_call call)
{
    if (call >= CALL_MAKE && sim_host_depth) return sim_refuse(platform, call);
    return sim_capturing(platform) ? platform->interceptor->permits(platform, call) : RILL_SUCCESS;
}

rill_status sim_wait(struct sim_platform *platform, struct point point, bool blocking_sync)
{
    bool waited = sim_engine_wait(platform->engine, point, blocking_sync);
    if (waited) return sim_enter(platform, CALL_ASK);
    return rill_backend_fail(RILL_ERROR_NOT_PERMITTED, NULL,
                             "a host function waits for work that comes after the function itself, "
                             "which would never end");
}

/* Tells the program of the fault before a call can return it.  That a platform was abandoned is
 * none.  Requires platform->fault_lock. */
static void tell_fault(struct sim_platform *platform)
{
    const rill_error_cause *cause = &platform->fault_cause;
    if (platform->fault_listener && cause->status != RILL_ERROR_DEINITIALIZED)
        platform->fault_listener(platform->fault_data, cause, platform->fault_message);
}

void sim_raise(struct sim_platform *platform, rill_status status, const char *operation,
               const char *object, const char *message)
{
    rl_lock(&platform->fault_lock);
    if (!atomic_load(&platform->fault)) {
        rill_error_cause *cause = &platform->fault_cause;
        cause->status = status;
        snprintf(cause->operation, sizeof cause->operation, "%s", operation);
        snprintf(cause->object, sizeof cause->object, "%s", object);
        cause->thread = rl_thread_id();
        cause->time_ns = sim_engine_now(platform->engine);
        snprintf(platform->fault_message, sizeof platform->fault_message, "%.*s",
                 SIM_FAULT_MAX - 1, message);
        tell_fault(platform);
        atomic_store(&platform->fault, (int)status);
        atomic_fetch_or(&platform->alert, ALERT_FAULT);
        sim_engine_set_attention(platform->engine, ATTEND_FAULT, true);
    }
    rl_unlock(&platform->fault_lock);
    sim_work_stop(platform->engine);
    sim_engine_poll(platform->engine);
}

void sim_raise_in(struct strand *strand, rill_status status, const char *operation,
                  const char *message)
{
    char object[RILL_LABEL_MAX], label[RILL_LABEL_MAX];
    if (sim_strand_label(strand, label)) snprintf(object, sizeof object, "stream '%.48s'", label);
    else snprintf(object, sizeof object, "stream %llu", (unsigned long long)strand->id);
    sim_raise(strand->engine->platform, status, operation, object, message);
}

void sim_raise_part(const void *part, struct sim_platform *platform, rill_status status,
                    const char *operation, const char *message)
{
    char object[RILL_LABEL_MAX] = "graph launch";
    if (sim_run_here) sim_run_here->type->describe(sim_run_here, part, object);
    sim_raise(platform, status, operation, object, message);
}
