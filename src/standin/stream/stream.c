/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/stream/stream.h"
#include "standin/stream/event.h"

#include "standin/code/attribute.h"
#include "standin/context/settings.h"

/* ---- Making and ending ----------------------------------------------------------- */

/* Where no context can be used, the program gets a handle of all ones. */
static CUresult create_stream(CUstream *stream, unsigned flags, int priority)
{
    struct si_context *context;
    CUresult status = si_check_ready();
    if (status) return status;
    if (flags & ~(unsigned)CU_STREAM_NON_BLOCKING || !stream) return RILL_ERROR_INVALID_VALUE;
    status = si_current(&context);
    if (status) *stream = (CUstream)UINTPTR_MAX;
    if (status) return status;
    rill_stream_options options = { .size = sizeof options, .flags = flags, .priority = priority };
    rill_stream *made = NULL;
    status = rill_stream_create(context->slot.object, &options, &made);
    if (status) return status;
    CUstream handle = si_handle_new(SI_STREAM, context, made);
    if (!handle) {
        rill_stream_destroy(&made);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    si_wait_for_gate(context, made); /* fails only where nothing else works */
    *stream = handle;
    return RILL_SUCCESS;
}

ENTRY(cuStreamCreate, (CUstream *stream, unsigned flags), (stream, flags))
{
    return create_stream(stream, flags, 0);
}

ENTRY(cuStreamCreateWithPriority,
      (CUstream *stream, unsigned flags, int priority), (stream, flags, priority))
{
    return create_stream(stream, flags, priority);
}

static CUresult end_stream(struct si_slot *slot, void *object)
{
    rill_stream *stream = object;
    CUresult status = rill_stream_destroy(&stream);
    si_handle_free(SI_STREAM, slot);
    return status;
}

ENTRY(cuStreamDestroy_v2, (CUstream handle), (handle))
{
    rill_stream *stream = si_handle_take(SI_STREAM, handle);
    return stream ? si_end((struct si_slot *)handle, stream, end_stream)
                  : si_wrong(SI_STREAM, handle);
}

SAME_AS(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream), (stream))

struct si_slot *si_streams_take(struct si_context *context, struct si_slot *taken)
{
    return si_take_slots(SI_STREAM, context, taken, end_stream);
}

/* ---- Waiting --------------------------------------------------------------------- */

ENTRY(cuStreamQuery, (CUstream handle), (handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_stream_query(stream);
}

ENTRY(cuStreamSynchronize, (CUstream handle), (handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_stream_synchronize(stream);
}

/* That the stream's capture is broken comes before wrong flags. */
static CUresult refuse_flags(rill_stream *stream)
{
    rill_capture_info info = { .size = sizeof info };
    bool known = !rill_stream_capture_info(stream, &info);
    return known && info.state == RILL_CAPTURE_INVALIDATED ? RILL_ERROR_STREAM_CAPTURE_INVALIDATED
                                                           : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuStreamWaitEvent,
      (CUstream handle, CUevent event_handle, unsigned flags), (handle, event_handle, flags))
{
    rill_stream *stream;
    rill_event *event;
    CUresult status = si_stream(handle, &stream);
    if (status) return status;
    if (flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL) return refuse_flags(stream);
    CUresult wrong = si_event(event_handle, &event);
    if (!wrong && si_event_words(event_handle))
        return si_shared_event_wait(si_event_words(event_handle), stream);
    return si_wrong_in(rill_stream_wait_event(stream, event, flags), wrong);
}

PER_THREAD_FORM(cuStreamQuery, _ptsz, (CUstream stream), (stream))
PER_THREAD_FORM(cuStreamSynchronize, _ptsz, (CUstream stream), (stream))
PER_THREAD_FORM(cuStreamWaitEvent, _ptsz, (CUstream stream, CUevent event, unsigned flags),
                (stream, event, flags))

/* ---- What a stream is ------------------------------------------------------------ */

/* Finds a stream that is asked for something.  A missing output comes before what is wrong with
 * the stream, or with the current context. */
static CUresult stream_to_ask(CUstream handle, const void *out, rill_stream **stream)
{
    CUresult status = si_check_ready();
    if (status) return status;
    return out ? si_stream(handle, stream) : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuStreamGetPriority, (CUstream handle, int *priority), (handle, priority))
{
    rill_stream *stream;
    CUresult status = stream_to_ask(handle, priority, &stream);
    return status ? status : rill_stream_priority(stream, priority);
}

ENTRY(cuStreamGetFlags, (CUstream handle, unsigned *flags), (handle, flags))
{
    rill_stream *stream;
    CUresult status = stream_to_ask(handle, flags, &stream);
    return status ? status : rill_stream_flags(stream, flags);
}

/* Asks rill for the flags as well: as with the driver, that breaks the stream's capture. */
ENTRY(cuStreamGetId, (CUstream handle, uint64_t *id), (handle, id))
{
    rill_stream *stream;
    uint32_t flags;
    CUresult status = stream_to_ask(handle, id, &stream);
    if (!status) status = rill_stream_flags(stream, &flags);
    return status ? status : rill_stream_id(stream, id);
}

ENTRY(cuStreamGetDevice, (CUstream handle, CUdevice *device), (handle, device))
{
    rill_stream *stream;
    CUresult status = stream_to_ask(handle, device, &stream);
    return status ? status : rill_stream_device(stream, device);
}

ENTRY(cuStreamGetCtx, (CUstream handle, CUcontext *out), (handle, out))
{
    rill_stream *stream;
    rill_context *alive;
    struct si_context *context;
    CUresult status = stream_to_ask(handle, out, &stream);
    if (!status) status = si_stream_context(handle, &context);
    if (status) return status;
    status = rill_stream_context(stream, &alive);
    if (!status) status = rill_context_status(alive); /* a failed context is not answered */
    if (!status) *out = si_context_handle(context);
    return status;
}

/* No stream here belongs to a green context. */
ENTRY(cuStreamGetCtx_v2,
      (CUstream stream, CUcontext *context, CUgreenCtx *green), (stream, context, green))
{
    CUresult status = cuStreamGetCtx(stream, green ? context : NULL);
    if (!status) *green = NULL;
    return status;
}

PER_THREAD_FORM(cuStreamGetPriority, _ptsz, (CUstream stream, int *priority), (stream, priority))
PER_THREAD_FORM(cuStreamGetFlags, _ptsz, (CUstream stream, unsigned *flags), (stream, flags))
PER_THREAD_FORM(cuStreamGetId, _ptsz, (CUstream stream, uint64_t *id), (stream, id))
PER_THREAD_FORM(cuStreamGetDevice, _ptsz, (CUstream stream, CUdevice *device), (stream, device))
PER_THREAD_FORM(cuStreamGetCtx, _ptsz, (CUstream stream, CUcontext *context), (stream, context))
PER_THREAD_FORM(cuStreamGetCtx_v2, _ptsz, (CUstream stream, CUcontext *context, CUgreenCtx *green),
                (stream, context, green))

/* ---- Attributes ------------------------------------------------------------------ */

ENTRY(cuStreamCopyAttributes, (CUstream to, CUstream from), (to, from))
{
    rill_stream *dst, *src;
    struct si_context *there, *here;
    CUresult status = si_stream(to, &dst);
    if (!status) status = si_stream(from, &src);
    if (!status) status = si_stream_context(to, &there);
    if (!status) status = si_stream_context(from, &here);
    if (status) return status;
    return there == here ? rill_stream_copy_attributes(dst, src) : RILL_ERROR_INVALID_VALUE;
}

SI_EXPORT CUresult cuStreamCopyAttributes_ptsz(CUstream to, CUstream from);
SI_EXPORT CUresult cuStreamCopyAttributes_ptsz(CUstream to, CUstream from)
{
    return cuStreamCopyAttributes(to ? to : CU_STREAM_PER_THREAD,
                                  from ? from : CU_STREAM_PER_THREAD);
}

ENTRY(cuStreamGetAttribute,
      (CUstream handle, int id, CUstreamAttrValue *value), (handle, id, value))
{
    rill_stream *stream;
    rill_attribute attribute = { .id = (rill_attribute_id)id };
    CUresult status = si_stream(handle, &stream);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    status = rill_stream_get_attribute(stream, &attribute);
    if (!status) si_attribute_write(&attribute, value);
    return status;
}

ENTRY(cuStreamSetAttribute,
      (CUstream handle, int id, const CUstreamAttrValue *value), (handle, id, value))
{
    rill_stream *stream;
    rill_attribute attribute;
    CUresult status = si_stream(handle, &stream);
    if (status) return status;
    if (!value || si_attribute_has_event(id)) return RILL_ERROR_INVALID_VALUE;
    status = si_attribute_read(id, value, &attribute);
    return status ? status : rill_stream_set_attribute(stream, &attribute);
}

PER_THREAD_FORM(cuStreamGetAttribute, _ptsz, (CUstream stream, int id, CUstreamAttrValue *value),
                (stream, id, value))
PER_THREAD_FORM(cuStreamSetAttribute, _ptsz,
                (CUstream stream, int id, const CUstreamAttrValue *value), (stream, id, value))
