/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/options.h"
#include "core/op/submit.h"
#include "core/stream/forks.h"

static const struct rill_stream_ops *stream_ops(const rill_stream *stream)
{
    return rl_stream_ops(stream);
}

/* ---- Lifetime ----------------------------------------------------------- */

rill_status rill_stream_create(rill_context *context, const rill_stream_options *options,
                               rill_stream **stream)
{
    rill_stream_options known;
    rill_stream *made = NULL;
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(stream, "stream");
    if (!status) status = rl_read_options(options, &known, sizeof known, "options->size");
    if (!status) {
        made = rl_object_new(RILL_OBJECT_STREAM, context, known.label);
        status = made ? stream_ops(made)->create(made, &known) : RILL_ERROR_OUT_OF_MEMORY;
    }
    if (!status)
        *stream = made;
    else if (made)
        rl_object_drop(made);
    return rl_finish(__func__, context, status);
}

rill_status rill_stream_destroy(rill_stream **stream)
{
    rill_stream *given = stream ? *stream : NULL;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_object_end(given, RILL_OBJECT_STREAM, "stream");
    if (status) return rl_finish(__func__, given, status);
    *stream = NULL;
    rl_forks_forget(given);
    status = rl_finish(__func__, given, stream_ops(given)->destroy(given));
    rl_release(given);
    return status;
}

rill_stream *rill_stream_legacy(rill_context *context)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    rill_stream *stream = status ? NULL : rl_backend(context)->stream->legacy(context);
    if (!status && !stream) status = rl_noted_status(RILL_ERROR_OUT_OF_MEMORY);
    rl_finish(__func__, context, status);
    return stream;
}

rill_stream *rill_stream_per_thread(rill_context *context)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    rill_stream *stream = status ? NULL : rl_backend(context)->stream->per_thread(context);
    if (!status && !stream) status = rl_noted_status(RILL_ERROR_OUT_OF_MEMORY);
    rl_finish(__func__, context, status);
    return stream;
}

/* ---- Waiting ------------------------------------------------------------ */

rill_status rill_stream_query(rill_stream *stream)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = stream_ops(stream)->query(stream);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_synchronize(rill_stream *stream)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = stream_ops(stream)->synchronize(stream);
    return rl_finish(__func__, stream, status);
}

/* ---- What a stream is --------------------------------------------------- */

rill_status rill_stream_id(rill_stream *stream, uint64_t *id)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(id, "id");
    if (!status) status = stream_ops(stream)->id(stream, id);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_flags(rill_stream *stream, uint32_t *flags)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(flags, "flags");
    if (!status) status = stream_ops(stream)->flags(stream, flags);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_priority(rill_stream *stream, int *priority)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(priority, "priority");
    if (!status) status = stream_ops(stream)->priority(stream, priority);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_device(rill_stream *stream, int *device)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(device, "device");
    if (!status) *device = rl_context_part(rill_object_of(stream)->context)->device;
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_context(rill_stream *stream, rill_context **context)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(context, "context");
    if (!status) *context = rill_object_of(stream)->context;
    return rl_finish(__func__, stream, status);
}

/* ---- Attributes --------------------------------------------------------- */

rill_status rill_stream_get_attribute(rill_stream *stream, rill_attribute *attribute)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(attribute, "attribute");
    if (!status) status = rl_need(stream, stream_ops(stream)->get_attribute != NULL, __func__);
    if (!status) status = stream_ops(stream)->get_attribute(stream, attribute);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_set_attribute(rill_stream *stream, const rill_attribute *attribute)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(attribute, "attribute");
    if (!status) status = rl_need(stream, stream_ops(stream)->set_attribute != NULL, __func__);
    if (!status) status = stream_ops(stream)->set_attribute(stream, attribute);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_copy_attributes(rill_stream *dst, rill_stream *src)
{
    rill_status status = rl_check(dst, RILL_OBJECT_STREAM, "dst");
    if (!status) status = rl_check_with(src, RILL_OBJECT_STREAM, "src", dst);
    if (!status) status = rl_need(dst, stream_ops(dst)->copy_attributes != NULL, __func__);
    if (!status) status = stream_ops(dst)->copy_attributes(dst, src);
    return rl_finish(__func__, dst, status);
}

/* ---- What is not an operation ------------------------------------------- */

rill_status rill_stream_add_callback(rill_stream *stream, rill_stream_callback callback, void *data,
                                     uint32_t flags)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required((const void *)(uintptr_t)callback, "callback");
    if (!status) status = rl_need(stream, stream_ops(stream)->add_callback != NULL, __func__);
    if (!status) status = stream_ops(stream)->add_callback(stream, callback, data, flags);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_attach(rill_stream *stream, rill_devptr address, size_t bytes,
                               uint32_t flags)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_need(stream, stream_ops(stream)->attach != NULL, __func__);
    if (!status) status = stream_ops(stream)->attach(stream, address, bytes, flags);
    return rl_finish(__func__, stream, status);
}
