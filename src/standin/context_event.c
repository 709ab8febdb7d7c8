/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of a whole context: what all its streams hold, and what all of them wait for,
 * those included that are made later.
 *
 * Both go through a stream that nobody else knows, the meeting.  To record, it waits for
 * every stream.  To wait, it waits for the event, and its own point behind that is the
 * threshold that streams pass: those that are there at once, others when they are made.
 * The threads' own streams are blocking ones, so that the legacy stream stands for them.
 */
#include <rill/sim.h>

#include "standin/settings.h"

/* ---- The meeting ----------------------------------------------------------------- */

static CUresult make_parts(rill_context *context, struct si_settings *settings)
{
    static const rill_stream_options apart = { .size = sizeof apart,
                                               .flags = RILL_STREAM_NON_BLOCKING };
    rill_event *threshold = NULL;
    if (settings->meeting) return RILL_SUCCESS;
    rill_status status = rill_event_create(context, NULL, &threshold);
    if (!status) status = rill_event_create(context, NULL, &settings->passing);
    if (!status) status = rill_stream_create(context, &apart, &settings->meeting);
    if (!status) atomic_store(&settings->threshold, threshold);
    if (!status) return RILL_SUCCESS;
    rill_event_destroy(&settings->passing);
    rill_event_destroy(&threshold);
    return status;
}

/* One call on all streams of a context, until one fails. */
struct visit {
    struct si_context *context;
    struct si_settings *settings;
    CUresult (*call)(struct visit *visit, rill_stream *stream);
    CUresult status;
};

static void visit_one(void *slot, void *object, void *data)
{
    struct visit *visit = data;
    if (((struct si_slot *)slot)->context != visit->context || visit->status) return;
    visit->status = visit->call(visit, object);
}

static CUresult visit_all(struct si_context *context, struct si_settings *settings,
                          CUresult (*call)(struct visit *, rill_stream *))
{
    struct visit visit = { context, settings, call, RILL_SUCCESS };
    si_handle_each(SI_STREAM, visit_one, &visit);
    return visit.status;
}

/* ---- Entry points ---------------------------------------------------------------- */

static CUresult begin(CUcontext handle, CUevent event_handle, rill_event **event,
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

static CUresult gather(struct visit *visit, rill_stream *stream)
{
    struct si_settings *settings = visit->settings;
    CUresult status = rill_event_record(settings->passing, stream, 0);
    return status ? status : rill_stream_wait_event(settings->meeting, settings->passing, 0);
}

static CUresult record(struct si_context *context, rill_event *event,
                       struct si_settings *settings)
{
    struct visit legacy = { context, settings, NULL, RILL_SUCCESS };
    CUresult status = make_parts(context->slot.object, settings);
    if (!status) status = gather(&legacy, context->legacy);
    if (!status) status = visit_all(context, settings, gather);
    return status ? status : rill_event_record(event, settings->meeting, 0);
}

ENTRY(cuCtxRecordEvent, (CUcontext handle, CUevent event_handle), (handle, event_handle))
{
    struct si_settings *settings = NULL;
    rill_event *event = NULL;
    CUresult status = begin(handle, event_handle, &event, &settings);
    if (status) return status;
    rl_lock(&settings->meeting_lock);
    status = record((struct si_context *)handle, event, settings);
    rl_unlock(&settings->meeting_lock);
    return status;
}

static CUresult pass(struct visit *visit, rill_stream *stream)
{
    return rill_stream_wait_event(stream, atomic_load(&visit->settings->threshold), 0);
}

static CUresult wait(struct si_context *context, rill_event *event, struct si_settings *settings)
{
    struct visit legacy = { context, settings, NULL, RILL_SUCCESS };
    CUresult status = make_parts(context->slot.object, settings);
    if (!status) status = rill_stream_wait_event(settings->meeting, event, 0);
    if (!status)
        status = rill_event_record(atomic_load(&settings->threshold), settings->meeting, 0);
    if (!status) status = pass(&legacy, context->legacy);
    return status ? status : visit_all(context, settings, pass);
}

ENTRY(cuCtxWaitEvent, (CUcontext handle, CUevent event_handle), (handle, event_handle))
{
    struct si_settings *settings = NULL;
    rill_event *event = NULL;
    CUresult status = begin(handle, event_handle, &event, &settings);
    if (status) return status;
    rl_lock(&settings->meeting_lock);
    status = wait((struct si_context *)handle, event, settings);
    rl_unlock(&settings->meeting_lock);
    return status;
}

CUresult si_pass_threshold(struct si_context *context, rill_stream *stream)
{
    struct si_settings *settings = si_settings_of(context);
    rill_event *threshold = settings ? atomic_load(&settings->threshold) : NULL;
    return threshold ? rill_stream_wait_event(stream, threshold, 0) : RILL_SUCCESS;
}
