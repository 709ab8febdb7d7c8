/* SPDX-License-Identifier: Apache-2.0
 *
 * Events.
 */
#include "standin/stream/event.h"
#include "standin/stream/stream.h"

/* ---- Making and ending ---------------------------------------------------------------- */

/* Events have timing unless the flags say no. */
static CUresult read_flags(unsigned flags, uint32_t *known)
{
    const unsigned all = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    if (flags & ~all) return RILL_ERROR_INVALID_VALUE;
    *known = flags & CU_EVENT_DISABLE_TIMING ? 0 : RILL_EVENT_TIMING;
    if (flags & CU_EVENT_BLOCKING_SYNC) *known |= RILL_EVENT_BLOCKING_SYNC;
    if (flags & CU_EVENT_INTERPROCESS) *known |= RILL_EVENT_INTERPROCESS;
    return RILL_SUCCESS;
}

CUresult si_event_publish(struct si_context *context, rill_event *event, uint32_t flags,
                          CUdeviceptr words, bool opened, CUevent *handle)
{
    struct si_event_slot *slot = si_handle_reserve(SI_EVENT, context);
    if (!slot) {
        rill_event_destroy(&event);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    slot->flags = flags;
    slot->opened = opened;
    atomic_init(&slot->words, words);
    si_handle_publish(slot, event);
    *handle = (CUevent)(void *)slot;
    return RILL_SUCCESS;
}

ENTRY(cuEventCreate, (CUevent *event, unsigned flags), (event, flags))
{
    struct si_context *context;
    rill_event_options options = { .size = sizeof options };
    rill_event *made = NULL;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!event) return RILL_ERROR_INVALID_VALUE;
    status = read_flags(flags, &options.flags);
    if (!status) status = rill_event_create(context->slot.object, &options, &made);
    if (status) return status;
    return si_event_publish(context, made, flags, 0, false, event);
}

static CUresult end_event(struct si_slot *slot, void *object)
{
    rill_event *event = object;
    CUresult status = rill_event_destroy(&event);
    si_handle_free(SI_EVENT, slot);
    return status;
}

ENTRY(cuEventDestroy_v2, (CUevent handle), (handle))
{
    rill_event *event = si_handle_take(SI_EVENT, handle);
    return event ? si_end((struct si_slot *)handle, event, end_event)
                 : si_wrong(SI_EVENT, handle);
}

SAME_AS(cuEventDestroy, cuEventDestroy_v2, (CUevent event), (event))

struct si_slot *si_events_take(struct si_context *context, struct si_slot *taken)
{
    return si_take_slots(SI_EVENT, context, taken, end_event);
}

/* ---- Recording ------------------------------------------------------------------------ */

ENTRY(cuEventRecordWithFlags,
      (CUevent handle, CUstream stream_handle, unsigned flags), (handle, stream_handle, flags))
{
    rill_event *event;
    rill_stream *stream;
    CUresult wrong = si_event(handle, &event), status = si_stream(stream_handle, &stream);
    if (status) return wrong ? wrong : status;
    status = rill_event_record(event, stream, flags);
    if (!status && si_event_words(handle))
        status = si_shared_event_record(si_event_words(handle), stream);
    return si_wrong_in(status, wrong);
}

ENTRY(cuEventRecord, (CUevent event, CUstream stream), (event, stream))
{
    return cuEventRecordWithFlags(event, stream, 0);
}

PER_THREAD_FORM(cuEventRecordWithFlags, _ptsz, (CUevent event, CUstream stream, unsigned flags),
                (event, stream, flags))
PER_THREAD_FORM(cuEventRecord, _ptsz, (CUevent event, CUstream stream), (event, stream))

/* ---- Questions ------------------------------------------------------------------------ */

ENTRY(cuEventQuery, (CUevent handle), (handle))
{
    rill_event *event;
    CUresult status = si_event(handle, &event);
    if (!status && si_event_words(handle)) return si_shared_event_query(si_event_words(handle));
    return status ? status : rill_event_query(event);
}

ENTRY(cuEventSynchronize, (CUevent handle), (handle))
{
    rill_event *event;
    CUresult status = si_event(handle, &event);
    if (!status && si_event_words(handle))
        return si_shared_event_synchronize(si_event_words(handle));
    return status ? status : rill_event_synchronize(event);
}

/* A missing output is refused, unless an event is wrong, which comes first. */
ENTRY(cuEventElapsedTime_v2,
      (float *milliseconds, CUevent from, CUevent to), (milliseconds, from, to))
{
    float nowhere;
    rill_event *start, *end;
    CUresult status = si_check_ready();
    if (status) return status;
    status = si_event(from, &start);
    if (!status) status = si_event(to, &end);
    if (!status) status = rill_event_elapsed(start, end, milliseconds ? milliseconds : &nowhere);
    if (milliseconds) return status;
    const bool wrong = status == RILL_ERROR_INVALID_HANDLE ||
                       status == RILL_ERROR_CONTEXT_IS_DESTROYED;
    return wrong ? RILL_ERROR_INVALID_HANDLE : RILL_ERROR_INVALID_VALUE;
}

SAME_AS(cuEventElapsedTime, cuEventElapsedTime_v2,
        (float *milliseconds, CUevent start, CUevent end), (milliseconds, start, end))
