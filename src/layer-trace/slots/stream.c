/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events: what is submitted, and waits of the host.
 */
#include "base/words/op_kind.h"
#include "layer-trace/slots/timed.h"

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

/* Returns the name of an operation that is timed here. */
static const char *name_of(const rill_op *op)
{
    const char *kernel = op->kind == RILL_OP_KERNEL
        ? tr_beneath(op->kernel.kernel)->module->kernel_name(op->kernel.kernel) : NULL;
    return kernel ? kernel : rl_op_name(op->kind);
}

static rill_status trace_submit(rill_stream *stream, rill_op *op)
{
    struct tr_call call;
    tr_call_begin(&call, stream);
    if (!call.tracer) return tr_beneath(stream)->stream->submit(stream, op);
    tr_label_note(&call, stream);
    struct tr_told told = { .name = &submit_names[op->kind], .bytes = tr_op_bytes(op), .op = op };
    const bool is_event = op->kind == RILL_OP_EVENT_WAIT || op->kind == RILL_OP_EVENT_RECORD;
    struct tr_timed_op *timed = tr_timed_begin(&call, stream, op->kind, name_of(op), told.bytes);
    told.status = tr_beneath(stream)->stream->submit(stream, op);
    tr_timed_end(timed, stream, is_event ? op->event.event : NULL, told.status);
    return tr_call_end(&call, &told);
}

static rill_status trace_copy_row(rill_stream *stream, rill_memory_kind dst_kind, rill_devptr dst,
                                  rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    struct tr_call call;
    tr_call_begin(&call, stream);
    tr_label_note(&call, stream);
    struct tr_told told = { .name = &submit_names[RILL_OP_MEMCPY], .bytes = bytes };
    struct tr_timed_op *timed = tr_timed_begin(&call, stream, RILL_OP_MEMCPY, "copy", bytes);
    told.status = tr_beneath(stream)->stream->copy_row(stream, dst_kind, dst, src_kind, src, bytes);
    tr_timed_end(timed, stream, NULL, told.status);
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
    struct tr_timed_op *timed = tr_timed_begin(&call, stream, RILL_OP_MEMSET, "fill", told.bytes);
    told.status = tr_beneath(stream)->stream->fill_row(stream, dst, value, element_bytes, count);
    tr_timed_end(timed, stream, NULL, told.status);
    return tr_call_end(&call, &told);
}

static rill_status trace_add_callback(rill_stream *stream, rill_stream_callback callback,
                                      void *data, uint32_t flags)
{
    static const struct tr_name name = TR_CALL_NAME("add callback");
    struct tr_call call;
    tr_call_begin(&call, stream);
    tr_label_note(&call, stream);
    const struct rill_stream_ops *ops = tr_beneath(stream)->stream;
    struct tr_timed_op *timed = tr_timed_begin(&call, stream, RILL_OP_HOST, "callback", 0);
    rill_status status = ops->add_callback(stream, callback, data, flags);
    tr_timed_end(timed, stream, NULL, status);
    return tr_call_end_as(&call, &name, status);
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
    rill_status status = tr_beneath(stream)->stream->synchronize(stream);
    tr_timed_collect(tr_tracer_of(stream));
    return tr_call_end_wait(&call, &name, status);
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
    rill_status status = tr_beneath(event)->event->synchronize(event);
    tr_timed_collect(tr_tracer_of(event));
    return tr_call_end_wait(&call, &name, status);
}

const struct rill_event_ops tr_event_slots = {
    .query = trace_event_query, .synchronize = trace_event_synchronize,
};

/* ---- Captures -------------------------------------------------------------------------------- */

static rill_status trace_begin(rill_stream *stream, const rill_capture_options *options)
{
    rill_status status = tr_beneath(stream)->capture->begin(stream, options);
    if (!status) tr_timed_count_capture(tr_tracer_of(stream), 1);
    return status;
}

/* One that cannot end well has ended, unless the stream is not the one that began it. */
static rill_status trace_end(rill_stream *stream, rill_graph **graph)
{
    rill_status status = tr_beneath(stream)->capture->end(stream, graph);
    if (!status || status == RILL_ERROR_STREAM_CAPTURE_INVALIDATED ||
        status == RILL_ERROR_STREAM_CAPTURE_UNJOINED)
        tr_timed_count_capture(tr_tracer_of(stream), -1);
    return status;
}

const struct rill_capture_ops tr_capture_slots = { .begin = trace_begin, .end = trace_end };
