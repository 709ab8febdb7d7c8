/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of a whole context: what all its streams hold, and what all of them wait for,
 * including those that are made later.
 *
 * Both go through a stream that no program knows, the relay.  To record, the relay waits
 * for every stream.  To wait, it waits for the event; the point that it then reaches is the
 * gate, for which all streams wait: existing ones at once, others when they are made.  The
 * threads' own streams are blocking, so the legacy stream stands for them.
 */
#include <rill/sim.h>

#include "standin/context/settings.h"

/* ---- The relay ------------------------------------------------------------------- */

/* Makes the relay and its events, unless they exist.  Requires settings->relay_lock. */
static CUresult make_relay(rill_context *context, struct si_settings *settings)
{
    static const rill_stream_options non_blocking = { .size = sizeof non_blocking,
                                                      .flags = RILL_STREAM_NON_BLOCKING };
    rill_event *gate = NULL;
    if (settings->relay) return RILL_SUCCESS;
    rill_status status = rill_event_create(context, NULL, &gate);
    if (!status) status = rill_event_create(context, NULL, &settings->relayed);
    if (!status) status = rill_stream_create(context, &non_blocking, &settings->relay);
    if (!status) atomic_store(&settings->gate, gate);
    if (!status) return RILL_SUCCESS;
    rill_event_destroy(&settings->relayed);
    rill_event_destroy(&gate);
    return status;
}

/* One call on all streams of a context, until one fails. */
struct visit {
    struct si_context *context;
    struct si_settings *settings;
    CUresult (*call)(struct visit *visit, rill_stream *stream);
    CUresult status;
};

static void visit_stream(void *slot, void *object, void *data)
{
    struct visit *visit = data;
    if (((struct si_slot *)slot)->context != visit->context || visit->status) return;
    visit->status = visit->call(visit, object);
}

static CUresult visit_streams(struct si_context *context, struct si_settings *settings,
                              CUresult (*call)(struct visit *, rill_stream *))
{
    struct visit visit = { context, settings, call, RILL_SUCCESS };
    si_handle_each(SI_STREAM, visit_stream, &visit);
    return visit.status;
}

/* ---- Entry points ---------------------------------------------------------------- */

static CUresult read_arguments(CUcontext handle, CUevent event_handle, rill_event **event,
                               struct si_settings **settings)
{
    rill_context *context;
    CUresult status = si_context(handle, &context);
    if (!status) status = si_event(event_handle, event);
    if (!status) status = rill_sim_permits(si_platform, context, RILL_SIM_CALL_ORDERS);
    if (status) return status;
    *settings = si_settings_make((struct si_context *)handle);
    return *settings ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

/* Lets the relay wait for a stream. */
static CUresult relay_stream(struct visit *visit, rill_stream *stream)
{
    struct si_settings *settings = visit->settings;
    CUresult status = rill_event_record(settings->relayed, stream, 0);
    return status ? status : rill_stream_wait_event(settings->relay, settings->relayed, 0);
}

/* Requires settings->relay_lock. */
static CUresult record_all(struct si_context *context, rill_event *event,
                           struct si_settings *settings)
{
    struct visit legacy = { context, settings, NULL, RILL_SUCCESS };
    CUresult status = make_relay(context->slot.object, settings);
    if (!status) status = relay_stream(&legacy, context->legacy);
    if (!status) status = visit_streams(context, settings, relay_stream);
    return status ? status : rill_event_record(event, settings->relay, 0);
}

ENTRY(cuCtxRecordEvent, (CUcontext handle, CUevent event_handle), (handle, event_handle))
{
    struct si_settings *settings = NULL;
    rill_event *event = NULL;
    CUresult status = read_arguments(handle, event_handle, &event, &settings);
    if (status) return status;
    rl_lock(&settings->relay_lock);
    status = record_all((struct si_context *)handle, event, settings);
    rl_unlock(&settings->relay_lock);
    return status;
}

/* Lets a stream wait for the gate. */
static CUresult gate_stream(struct visit *visit, rill_stream *stream)
{
    return rill_stream_wait_event(stream, atomic_load(&visit->settings->gate), 0);
}

/* Requires settings->relay_lock. */
static CUresult wait_in_all(struct si_context *context, rill_event *event,
                            struct si_settings *settings)
{
    struct visit legacy = { context, settings, NULL, RILL_SUCCESS };
    CUresult status = make_relay(context->slot.object, settings);
    if (!status) status = rill_stream_wait_event(settings->relay, event, 0);
    if (!status) status = rill_event_record(atomic_load(&settings->gate), settings->relay, 0);
    if (!status) status = gate_stream(&legacy, context->legacy);
    return status ? status : visit_streams(context, settings, gate_stream);
}

ENTRY(cuCtxWaitEvent, (CUcontext handle, CUevent event_handle), (handle, event_handle))
{
    struct si_settings *settings = NULL;
    rill_event *event = NULL;
    CUresult status = read_arguments(handle, event_handle, &event, &settings);
    if (status) return status;
    rl_lock(&settings->relay_lock);
    status = wait_in_all((struct si_context *)handle, event, settings);
    rl_unlock(&settings->relay_lock);
    return status;
}
