/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that a machine answers only if it was opened with a layer, or with virtual time.
 */
#include <rill/check.h>
#include <rill/sim.h>
#include <rill/trace.h>

#include <stdlib.h>
#include <unistd.h>

#include "reference/own_calls.h"

/* ---- Checked */

static rill_status choose_check(void)
{
    return setenv("RILL_LAYERS", "check", 1) ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS;
}

AS(rill_check_report, a->w.platform, NULL, NULL)
AS(rill_check_count, a->w.platform, a->out)

static const struct call checked[] = {
    OWN_CALL(rill_check_report, NULL),
    OWN_CALL(rill_check_count, NULL),
};
const struct call_set checked_calls = {
    CALL_SET(checked), .backend = "sim", .prepare = choose_check
};

/* ---- Traced */

static rill_status choose_trace(void)
{
    return setenv("RILL_LAYERS", "trace", 1) ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS;
}

/* To a file that is gone as soon as the trace has begun. */
static rill_status start(rill_platform *platform)
{
    char name[] = "/tmp/rill-reference-XXXXXX";
    const rill_trace_options options = { .size = sizeof options, .file = name };
    int file = mkstemp(name);
    if (file < 0) return RILL_ERROR_OPERATING_SYSTEM;
    rill_status status = rill_trace_start(platform, &options);
    close(file);
    unlink(name);
    return status;
}

static void start_trace(struct arguments *a)
{
    PREPARE(start(a->w.platform));
}

static rill_status as_rill_trace_start(struct arguments *a)
{
    return start(a->w.platform);
}
AS(rill_trace_stop, a->w.platform)

static const struct call traced[] = {
    OWN_CALL(rill_trace_start, NULL),
    OWN_CALL(rill_trace_stop, start_trace),
};
const struct call_set traced_calls = {
    CALL_SET(traced), .backend = "sim", .prepare = choose_trace
};

/* ---- On a virtual clock, with which costs are the schedule */

static rill_status choose_virtual(void)
{
    unsetenv("RILL_SIM_SCHEDULE");
    return setenv("RILL_SIM_CLOCK", "virtual", 1) ? RILL_ERROR_OPERATING_SYSTEM : RILL_SUCCESS;
}

static rill_sim_history *history;

static void ask_history(struct arguments *a)
{
    PREPARE(rill_sim_timeline(a->w.platform, &history));
}
AS(rill_sim_timeline, a->w.platform, &history)
AS(rill_sim_timeline_clear, a->w.platform)
AS(rill_sim_pass_time, a->w.platform, 1)
ASK(rill_sim_history_free, &history)
ASK(rill_sim_stream_busy, history, 1)
ASK(rill_sim_device_busy, history, 0)
ASK(rill_sim_overlap, history, 1, 2)

static const struct call timed[] = {
    OWN_CALL(rill_sim_timeline, NULL),
    OWN_CALL(rill_sim_timeline_clear, NULL),
    OWN_CALL(rill_sim_pass_time, NULL),
    OWN_CALL(rill_sim_history_free, ask_history),
    OWN_CALL(rill_sim_stream_busy, ask_history),
    OWN_CALL(rill_sim_device_busy, ask_history),
    OWN_CALL(rill_sim_overlap, ask_history),
};
const struct call_set timed_calls = {
    CALL_SET(timed), .backend = "sim", .prepare = choose_virtual
};
