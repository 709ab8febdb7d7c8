/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/sim.h> on platforms, and the one for calls that the program offers itself.
 */
#include "backend-sim/platform/public.h"

#include "backend-sim/capture/capture.h"
#include "backend-sim/platform/sleeps.h"
#include "backend-sim/schedule/schedule.h"
#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/scheduler/watch/observe.h"
#include "backend-sim/scheduler/watch/watcher.h"

rill_status sim_check_platform(rill_platform *platform)
{
    return rill_backend_check(&rl_backend_sim, platform, RILL_OBJECT_PLATFORM, "platform");
}

rill_status sim_check_context(rill_platform *platform, const rill_context *context)
{
    rill_status status =
        rill_backend_check(&rl_backend_sim, context, RILL_OBJECT_CONTEXT, "context");
    if (status || rill_object_of(context)->platform == platform) return status;
    return rill_backend_fail(RILL_ERROR_INVALID_CONTEXT, "context",
                             "context is of another platform");
}

rill_status rill_sim_observe(rill_platform *platform, const rill_sim_observer *observer)
{
    rill_status status = sim_check_platform(platform);
    if (!status) sim_observer_set(sim_platform_of(platform)->engine, observer);
    return rill_backend_finish(__func__, platform, status);
}

rill_status rill_sim_clock(rill_platform *platform, uint64_t *time_ns)
{
    rill_status status = sim_check_platform(platform);
    if (!status && !time_ns)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "time_ns", "the output is NULL");
    if (!status) *time_ns = sim_engine_now(sim_platform_of(platform)->engine);
    return rill_backend_finish(__func__, platform, status);
}

static rill_status abandon_platform(struct sim_platform *platform, uint64_t patience_ns)
{
    sim_watcher_tell_abandon(platform->engine);
    sim_raise(platform, RILL_ERROR_DEINITIALIZED, "rill_sim_abandon", "", "it was abandoned");
    sim_fault_set_reported(platform);
    struct host_thread *host = platform->host_thread;
    bool ended = !host || sim_host_thread_abandon(host, patience_ns);
    sim_sleeps_detach(platform);
    if (platform->schedule && !sim_schedule_stop(platform->schedule, patience_ns)) ended = false;
    if (!sim_engine_abandon(platform->engine, patience_ns)) ended = false;
    return ended ? RILL_SUCCESS : RILL_ERROR_NOT_READY;
}

rill_status rill_sim_abandon(rill_platform *platform, uint64_t patience_ns)
{
    rill_status status = sim_check_platform(platform);
    if (!status) status = abandon_platform(sim_platform_of(platform), patience_ns);
    return rill_backend_finish(__func__, platform, status);
}

static void read_counters(struct engine *engine, rill_sim_counters *counters)
{
    struct strand_counters sum = sim_engine_count(engine);
    counters->operations = sum.operations;
    counters->helped = sum.helped;
    counters->parks = sum.parks;
    counters->wakes = atomic_load_explicit(&engine->wakes, memory_order_relaxed);
    counters->queue_bytes = atomic_load_explicit(&engine->held, memory_order_relaxed);
    rl_lock(&engine->lock);
    counters->workers = engine->started;
    rl_unlock(&engine->lock);
}

rill_status rill_sim_get_counters(rill_platform *platform, rill_sim_counters *counters)
{
    rill_status status = sim_check_platform(platform);
    if (!status && (!counters || counters->size != sizeof *counters))
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "counters",
                                   "pass a struct whose size field is sizeof(rill_sim_counters)");
    if (!status) read_counters(sim_platform_of(platform)->engine, counters);
    return rill_backend_finish(__func__, platform, status);
}

static rill_status check_program_call(rill_platform *on, rill_context *handle, rill_sim_call call)
{
    struct sim_platform *platform = sim_platform_of(on);
    switch ((int)call) {
    case RILL_SIM_CALL_PLAIN: return sim_check_outside(platform);
    case RILL_SIM_CALL_UNSAFE: return sim_enter(platform, CALL_OTHER_UNSAFE);
    case RILL_SIM_CALL_ORDERS: break;
    default: return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "call", "there is no such kind");
    }
    rill_status status = sim_check_context(on, handle);
    if (!status) status = sim_enter(platform, CALL_OTHER_ORDERS);
    if (status || !sim_capturing(platform)) return status;
    return sim_capture_permits_context(sim_context_of(handle), CALL_OTHER_ORDERS);
}

rill_status rill_sim_permits(rill_platform *platform, rill_context *context, rill_sim_call call)
{
    rill_status status = sim_check_platform(platform);
    if (!status) status = check_program_call(platform, context, call);
    return rill_backend_finish(__func__, platform, status);
}
