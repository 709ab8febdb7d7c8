/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: what is submitted to them, captured or not, and what the host waits for.
 */
#include "base/tsan.h"
#include "base/words/op_kind.h"
#include "layer-tsan/slots/function.h"
#include "site/site.h"

/* ---- Default streams ---------------------------------------------------------------------- */

static rill_stream *tell_legacy(rill_context *context)
{
    rill_stream *stream = ts_beneath(context)->stream->legacy(context);
    struct ts_teller *teller = stream ? ts_enter(context) : NULL;
    if (!teller) return stream;
    ts_hide();
    struct ts_context_word *word = ts_context_word(context);
    if (word) word->legacy = stream;
    ts_leave(teller);
    ts_show();
    return stream;
}

static rill_stream *tell_per_thread(rill_context *context)
{
    rill_stream *stream = ts_beneath(context)->stream->per_thread(context);
    struct ts_teller *teller = stream ? ts_enter(context) : NULL;
    if (!teller) return stream;
    ts_hide();
    struct ts_context_word *word = ts_context_word(context);
    if (word) word->per_thread = stream;
    ts_leave(teller);
    ts_show();
    return stream;
}

static rill_status tell_create(rill_stream *stream, const rill_stream_options *options)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_beneath(stream)->stream->create(stream, options);
    struct ts_teller *teller = status ? NULL : ts_enter(stream);
    if (teller) {
        ts_stream_here(teller, stream); /* now, so that the legacy stream knows of it */
        ts_leave(teller);
    }
    ts_call_end(&call);
    return status;
}

static rill_status tell_destroy(rill_stream *stream)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(stream)->stream->destroy(stream);
    ts_call_end(&call);
    return status;
}

/* ---- Functions ---------------------------------------------------------------------------- */

/* Adds the point of an operation, before it can run.  Returns a reference, or NULL if nothing is
 * told. */
static struct ts_point *add_point(rill_stream *handle)
{
    const void *site = cs_site_here();
    struct ts_teller *teller = ts_enter(handle);
    if (!teller) return NULL;
    struct ts_stream *stream = ts_stream_here(teller, handle);
    struct ts_point *point = stream ? ts_stream_add(&teller->order, stream, site) : NULL;
    if (point) ts_point_retain(point); /* for the caller: the first one is the maker's */
    ts_point_release(point);
    ts_leave(teller);
    return point;
}

static rill_status refuse_function(struct ts_teller *teller, rill_op *op, struct ts_point *point)
{
    rl_lock(&teller->order.lock);
    if (point) point->state = TS_PENDING;
    ts_point_release(point);
    rl_unlock(&teller->order.lock);
    rl_op_give_back(op);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "there is no memory to tell ThreadSanitizer of the function");
}

/* A function that is refused is destroyed by the backend, which sets its point. */
static rill_status submit_function(rill_stream *stream, const rill_op *given)
{
    rill_op op = *given;
    struct ts_point *point = op.host.fn && !ts_is_capturing(stream) ? add_point(stream) : NULL;
    if (op.host.fn && !ts_function_wrap(ts_teller_of(stream), &op, point))
        return refuse_function(ts_teller_of(stream), &op, point);
    return ts_beneath(stream)->stream->submit(stream, &op);
}

static rill_status tell_callback(rill_stream *stream, rill_stream_callback callback, void *data,
                                 uint32_t flags)
{
    const struct rill_stream_ops *streams = ts_beneath(stream)->stream;
    if (!callback || ts_is_capturing(stream))
        return streams->add_callback(stream, callback, data, flags);
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    struct ts_function *function =
        ts_callback_wrap(ts_teller_of(stream), callback, data, add_point(stream));
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    if (function) status = streams->add_callback(stream, ts_callback_run, function, flags);
    else rill_backend_fail(status, NULL, "there is no memory to tell ThreadSanitizer of it");
    if (status && function) ts_callback_refused(function);
    ts_call_end(&call);
    return status;
}

/* ---- Copies ------------------------------------------------------------------------------- */

static rill_status submit_copy(rill_stream *handle, rill_op *op)
{
    const void *site = cs_site_here();
    const struct ts_copy copy = ts_copy_of(rill_object_of(handle)->context, op, false);
    const bool captured = ts_is_capturing(handle);
    rill_status status = ts_beneath(handle)->stream->submit(handle, op);
    if (copy.reads && !captured && !status) ts_read_here(&copy.read);
    struct ts_teller *teller = status || captured ? NULL : ts_enter(handle);
    if (!teller) return status;
    ts_copy_add(teller, ts_stream_here(teller, handle), &copy, site);
    ts_leave(teller);
    return status;
}

/* ---- The rest ----------------------------------------------------------------------------- */

/* A wait may have drawn the stream into a capture. */
static rill_status submit_event(rill_stream *handle, rill_op *op)
{
    const bool captured = ts_is_capturing(handle);
    rill_status status = ts_beneath(handle)->stream->submit(handle, op);
    if (status || captured || ts_is_capturing(handle)) return status;
    struct ts_teller *teller = ts_enter(handle);
    if (!teller) return status;
    struct ts_stream *stream = ts_stream_here(teller, handle);
    struct ts_event *event = ts_event_of(op->event.event);
    if (!stream || !event) teller->order.failed = true;
    else if (op->kind == RILL_OP_EVENT_RECORD) ts_event_record(&teller->order, event, stream);
    else ts_event_wait(&teller->order, event, stream);
    ts_leave(teller);
    return status;
}

/* The host sees nothing of what it does. */
static rill_status submit_plain(rill_stream *handle, rill_op *op)
{
    const bool captured = ts_is_capturing(handle);
    rill_status status = ts_beneath(handle)->stream->submit(handle, op);
    struct ts_teller *teller = status || captured ? NULL : ts_enter(handle);
    if (!teller) return status;
    struct ts_stream *stream = ts_stream_here(teller, handle);
    if (stream) ts_stream_enter(&teller->order, stream);
    ts_leave(teller);
    return status;
}

static rill_status submit_op(rill_stream *stream, rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_HOST: return submit_function(stream, op);
    case RILL_OP_MEMCPY:
    case RILL_OP_MEMSET: return submit_copy(stream, op);
    case RILL_OP_EVENT_RECORD:
    case RILL_OP_EVENT_WAIT: return submit_event(stream, op);
    default: return submit_plain(stream, op);
    }
}

static rill_status tell_submit(rill_stream *stream, rill_op *op)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = submit_op(stream, op);
    ts_call_end(&call);
    return status;
}

/* ---- What the host waits for -------------------------------------------------------------- */

static rill_status wait_for(rill_stream *handle, rill_status (*wait)(rill_stream *stream))
{
    struct ts_front front = { .count = 0 };
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    struct ts_teller *teller = ts_enter(handle);
    if (teller) {
        struct ts_stream *stream = ts_stream_here(teller, handle);
        if (stream) ts_stream_join(&teller->order, &front, stream);
        ts_leave(teller);
    }
    rill_status status = wait(handle);
    ts_learn(handle, &front, status);
    ts_call_end(&call);
    return status;
}

static rill_status tell_query(rill_stream *stream)
{
    return wait_for(stream, ts_beneath(stream)->stream->query);
}

static rill_status tell_synchronize(rill_stream *stream)
{
    return wait_for(stream, ts_beneath(stream)->stream->synchronize);
}

const struct rill_stream_ops ts_stream_slots = {
    .create = tell_create, .destroy = tell_destroy, .legacy = tell_legacy,
    .per_thread = tell_per_thread, .submit = tell_submit, .add_callback = tell_callback,
    .query = tell_query, .synchronize = tell_synchronize,
};

/* ---- Captures ----------------------------------------------------------------------------- */

static rill_status tell_begin(rill_stream *stream, const rill_capture_options *options)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    atomic_store_explicit(&ts_teller_of(stream)->captures, true, memory_order_relaxed);
    rill_status status = ts_beneath(stream)->capture->begin(stream, options);
    ts_call_end(&call);
    return status;
}

static rill_status hide_end(rill_stream *stream, rill_graph **graph)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_beneath(stream)->capture->end(stream, graph);
    ts_call_end(&call);
    return status;
}

static rill_status hide_update(rill_stream *stream, const rill_node *dependencies,
                               const rill_edge *edges, size_t count, rill_capture_update how)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status =
        ts_beneath(stream)->capture->update(stream, dependencies, edges, count, how);
    ts_call_end(&call);
    return status;
}

/* The array of the answer is the stream's. */
static rill_status tell_info(rill_stream *stream, rill_capture_info *info)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    struct ts_teller *teller = ts_teller_of(stream);
    rl_lock(&teller->order.lock);
    rill_status status = teller->beneath->capture->info(stream, info);
    rl_unlock(&teller->order.lock);
    ts_call_end(&call);
    return status;
}

const struct rill_capture_ops ts_capture_slots = {
    .begin = tell_begin, .end = hide_end, .info = tell_info, .update = hide_update,
};
