/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events: what is submitted, and waits of the host.
 */
#include "layer-trace/slots/calls.h"

/* ---- Streams --------------------------------------------------------------------------------- */

static rill_stream *trace_legacy(rill_context *context)
{
    rill_stream *stream = tr_beneath(context)->stream->legacy(context);
    if (stream) tr_label_set(stream, "legacy");
    return stream;
}

static rill_status trace_create(rill_stream *stream, const rill_stream_options *options)
{
    static const struct tr_name name = TR_CALL_NAME("create stream");
    struct tr_call call;
    tr_call_begin(&call, stream);
    rill_status status = tr_beneath(stream)->stream->create(stream, options);
    if (!status) tr_label_watch(stream);
    if (!status) tr_label_note(&call, stream);
    return tr_call_end_as(&call, &name, status);
}

static rill_status trace_destroy(rill_stream *stream)
{
    static const struct tr_name name = TR_CALL_NAME("destroy stream");
    struct tr_call call;
    tr_call_begin(&call, stream);
    tr_label_note(&call, stream);
    return tr_call_end_as(&call, &name, tr_beneath(stream)->stream->destroy(stream));
}

static const struct tr_name submit_names[] = {
    [RILL_OP_KERNEL] = TR_CALL_NAME("launch kernel"),
    [RILL_OP_MEMCPY] = TR_CALL_NAME("copy"),
    [RILL_OP_MEMSET] = TR_CALL_NAME("fill"),
    [RILL_OP_HOST] = TR_CALL_NAME("launch host function"),
    [RILL_OP_GRAPH] = TR_CALL_NAME("launch graph"),
    [RILL_OP_EMPTY] = TR_CALL_NAME("submit nothing"),
    [RILL_OP_EVENT_WAIT] = TR_CALL_NAME("have stream wait for event"),
    [RILL_OP_EVENT_RECORD] = TR_CALL_NAME("record event"),
    [RILL_OP_SEMAPHORE_SIGNAL] = TR_CALL_NAME("signal semaphore"),
    [RILL_OP_SEMAPHORE_WAIT] = TR_CALL_NAME("have stream wait for semaphore"),
    [RILL_OP_ALLOC] = TR_CALL_NAME("allocate in stream"),
    [RILL_OP_FREE] = TR_CALL_NAME("free in stream"),
    [RILL_OP_VALUES] = TR_CALL_NAME("write or await values"),
    [RILL_OP_CONDITIONAL] = TR_CALL_NAME("submit conditional"),
};

static rill_status trace_submit(rill_stream *stream, rill_op *op)
{
    struct tr_call call;
    tr_call_begin(&call, stream);
    if (!call.tracer) return tr_beneath(stream)->stream->submit(stream, op);
    tr_label_note(&call, stream);
    struct tr_told told = { .name = &submit_names[op->kind], .bytes = tr_op_bytes(op), .op = op };
    told.status = tr_beneath(stream)->stream->submit(stream, op);
    return tr_call_end(&call, &told);
}

static rill_status trace_copy_row(rill_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                                  rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    struct tr_call call;
    tr_call_begin(&call, stream);
    tr_label_note(&call, stream);
    struct tr_told told = { .name = &submit_names[RILL_OP_MEMCPY], .bytes = bytes };
    told.status = tr_beneath(stream)->stream->copy_row(stream, dst_kind, dst, src_kind, src, bytes);
    return tr_call_end(&call, &told);
}

static rill_status trace_fill_row(rill_stream *stream, rill_devptr dst, uint32_t value,
                                  uint32_t element_bytes, size_t count)
{
    struct tr_call call;
    tr_call_begin(&call, stream);
    tr_label_note(&call, stream);
    struct tr_told told = { .name = &submit_names[RILL_OP_MEMSET],
                            .bytes = (uint64_t)element_bytes * count };
    told.status = tr_beneath(stream)->stream->fill_row(stream, dst, value, element_bytes, count);
    return tr_call_end(&call, &told);
}

static rill_status trace_add_callback(rill_stream *stream, rill_stream_callback callback,
                                      void *data, uint32_t flags)
{
    static const struct tr_name name = TR_CALL_NAME("add callback");
    struct tr_call call;
    tr_call_begin(&call, stream);
    tr_label_note(&call, stream);
    return tr_call_end_as(&call, &name,
                          tr_beneath(stream)->stream->add_callback(stream, callback, data, flags));
}

static rill_status trace_query(rill_stream *stream)
{
    static const struct tr_name name = TR_CALL_NAME("query stream");
    struct tr_call call;
    tr_call_begin(&call, stream);
    return tr_call_end_as(&call, &name, tr_beneath(stream)->stream->query(stream));
}

static rill_status trace_synchronize(rill_stream *stream)
{
    static const struct tr_name name = TR_CALL_NAME("synchronize stream");
    struct tr_call call;
    tr_call_begin(&call, stream);
    return tr_call_end_wait(&call, &name, tr_beneath(stream)->stream->synchronize(stream));
}

const struct rill_stream_ops tr_stream_slots = {
    .create = trace_create, .destroy = trace_destroy, .legacy = trace_legacy,
    .submit = trace_submit, .copy_row = trace_copy_row, .fill_row = trace_fill_row,
    .add_callback = trace_add_callback, .query = trace_query, .synchronize = trace_synchronize,
};

/* ---- Events ---------------------------------------------------------------------------------- */

static rill_status trace_event_query(rill_event *event)
{
    static const struct tr_name name = TR_CALL_NAME("query event");
    struct tr_call call;
    tr_call_begin(&call, event);
    return tr_call_end_as(&call, &name, tr_beneath(event)->event->query(event));
}

static rill_status trace_event_synchronize(rill_event *event)
{
    static const struct tr_name name = TR_CALL_NAME("synchronize event");
    struct tr_call call;
    tr_call_begin(&call, event);
    return tr_call_end_wait(&call, &name, tr_beneath(event)->event->synchronize(event));
}

const struct rill_event_ops tr_event_slots = {
    .query = trace_event_query, .synchronize = trace_event_synchronize,
};
