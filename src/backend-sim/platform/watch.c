/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/platform/watch.h"

#include "backend-sim/exec/exec.h"
#include "backend-sim/kernel/module.h"
#include "backend-sim/memory/guard_bytes.h"
#include "backend-sim/memory/heap.h"
#include "backend-sim/memory/views.h"
#include "backend-sim/platform/settings.h"
#include "backend-sim/schedule/hang.h"
#include "backend-sim/schedule/schedule.h"
#include "backend-sim/scheduler/watch/timekeeper.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "backend-sim/stream/stream.h"

/* ---- What runs, when, and in which memory ----------------------------------------------- */

static rill_status set_watcher(rill_platform *handle, const struct rill_watcher *watcher)
{
    struct engine *engine = sim_platform_of(handle)->engine;
    if (!sim_watcher_set(engine, watcher))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "watcher",
                                 "the platform has one already");
    if (watcher->hangs) engine->look_for_hang = sim_hang_look;
    return RILL_SUCCESS;
}

static rill_status keep_time(rill_platform *handle, const struct rill_timekeeper *timekeeper)
{
    if (sim_timekeeper_set(sim_platform_of(handle)->engine, timekeeper)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "timekeeper",
                             "the platform has one already");
}

static uint64_t read_clock(rill_platform *handle)
{
    return sim_engine_now(sim_platform_of(handle)->engine);
}

static rill_status split_views(rill_platform *handle)
{
    return sim_views_open(sim_platform_of(handle));
}

static rill_status lay_guards(rill_platform *handle)
{
    return sim_guards_lay(sim_platform_of(handle));
}

static rill_status find_broken_guard(rill_platform *handle, rill_devptr base, rill_devptr *broken)
{
    *broken = sim_guard_broken(sim_platform_of(handle), base);
    return RILL_SUCCESS;
}

static rill_status set_quarantine(rill_platform *handle, uint64_t bytes)
{
    struct sim_platform *platform = sim_platform_of(handle);
    for (int i = 0; i < platform->device_count; i++)
        sim_heap_quarantine(platform->devices[i].heap, bytes);
    return RILL_SUCCESS;
}

const struct rill_watch_ops sim_watch_ops = {
    .set = set_watcher,
    .node_number = sim_exec_node_number,
    .split_views = split_views,
    .guard = lay_guards, .guard_broken = find_broken_guard,
    .fault = sim_submit_fault,
    .keep_time = keep_time, .now = read_clock, .awaits_kernel = sim_kernel_awaits,
    .quarantine = set_quarantine,
};

/* ---- A given schedule ------------------------------------------------------------------- */

static int is_schedule_given(const rill_open_options *options)
{
    return sim_settings_have_schedule(options->sim);
}

static void enter_call(rill_platform *handle, int asks)
{
    sim_schedule_enter(sim_platform_of(handle)->schedule, asks);
}

static void leave_call(rill_platform *handle)
{
    sim_schedule_leave(sim_platform_of(handle)->schedule);
}

static void listen_to_steps(rill_platform *handle, rill_taken_fn taken, void *data)
{
    sim_schedule_listen(sim_platform_of(handle)->schedule, taken, data);
}

/* Returns no number if the stream has none, or had no work in this thread. */
static uint64_t name_newest(rill_stream *handle, uint32_t *number_of_stream)
{
    struct sim_stream *stream = NULL;
    if (sim_stream_enter(handle, CALL_ASK, &stream)) return 0;
    *number_of_stream = stream->strand->ordinal;
    return sim_strand_submitted(stream->strand);
}

const struct rill_schedule_ops sim_schedule_ops = {
    is_schedule_given, enter_call, leave_call, listen_to_steps, name_newest,
};
