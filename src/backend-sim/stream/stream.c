/* SPDX-License-Identifier: Apache-2.0
 *
 * The backend's table for streams: their life, work that is submitted, queries and waits.
 */
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/stream/backlog.h"
#include "backend-sim/stream/stream.h"
#include "base/words/op_kind.h"

/* ---- Entering ---------------------------------------------------------------- */

rill_status sim_stream_enter_carefully(rill_stream *handle, enum sim_call call,
                                       struct sim_stream **out)
{
    struct sim_stream *stream = sim_stream_of(handle);
    struct sim_platform *platform = stream->context->platform;
    /* The default streams are those of the current context, and inside a host
     * function there is none. */
    rill_status status = sim_enter(platform, stream->kind == STREAM_ORDINARY ? call : CALL_MAKE);
    if (!status && stream->kind == STREAM_PER_THREAD)
        status = sim_thread_stream_get(stream->context, &stream);
    if (!status && sim_capturing(platform))
        status = platform->interceptor->permits_stream(stream, call);
    if (!status) *out = stream;
    return status;
}

/* ---- Life --------------------------------------------------------------------- */

void sim_stream_init(struct sim_stream *stream, rill_stream *handle, struct sim_context *context)
{
    stream->handle = handle;
    stream->context = context;
    stream->attributes.map.remote = 1;
}

void sim_stream_lend_name(const rill_stream *handle, struct strand *strand)
{
    rl_spin_lock(&strand->name_lock);
    strand->named_by = handle;
    rl_spin_unlock(&strand->name_lock);
}

static rill_status create_stream(rill_stream *handle, const rill_stream_options *options)
{
    struct sim_context *context = sim_context_of(rill_object_of(handle)->context);
    struct sim_platform *platform = context->platform;
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (status) return status;
    if (options->flags & ~RILL_STREAM_NON_BLOCKING)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds unknown bits; RILL_STREAM_NON_BLOCKING is the only "
                                 "flag", options->flags);
    int priority = sim_clamp_priority(platform, options->priority);

    struct sim_stream *stream = sim_stream_of(handle);
    stream->strand = sim_strand_create(platform->engine, context, rill_object_of(handle)->id,
                                       priority - platform->priority_greatest);
    if (!stream->strand)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for a stream");
    sim_stream_init(stream, handle, context);
    sim_stream_lend_name(handle, stream->strand);
    stream->strand->non_blocking = options->flags & RILL_STREAM_NON_BLOCKING;
    stream->flags = options->flags;
    stream->non_blocking = stream->strand->non_blocking;
    atomic_init(&stream->priority, priority);
    sim_streams_add(context->streams, stream->strand);
    return RILL_SUCCESS;
}

static rill_status destroy_stream(rill_stream *handle)
{
    struct sim_stream *stream = sim_stream_of(handle);
    struct sim_context *context = stream->context;
    context->platform->interceptor->forget_stream(stream);
    sim_stream_lend_name(NULL, stream->strand); /* the strand may run on */
    rl_lock(&context->end_lock);
    if (context->streams) sim_streams_orphan(context->streams, stream->strand);
    rl_unlock(&context->end_lock);
    sim_strand_disown(stream->strand);
    return sim_enter(context->platform, CALL_END);
}

static rill_stream *legacy_of(rill_context *context)
{
    return sim_context_of(context)->streams->legacy->handle;
}

static rill_stream *per_thread_of(rill_context *context)
{
    return sim_context_of(context)->streams->per_thread->handle;
}

/* ---- Work ---------------------------------------------------------------------- */

static const struct submitter {
    rill_status (*submit)(struct sim_stream *stream, rill_op *op);
    enum sim_call call;
} submitters[] = {
    [RILL_OP_KERNEL] = { sim_submit_kernel, CALL_SUBMIT_WORK },
    [RILL_OP_MEMCPY] = { sim_submit_copy, CALL_SUBMIT_WORK },
    [RILL_OP_MEMSET] = { sim_submit_fill, CALL_SUBMIT },
    [RILL_OP_HOST] = { sim_submit_host, CALL_SUBMIT },
    [RILL_OP_EMPTY] = { sim_submit_empty, CALL_SUBMIT },
    [RILL_OP_EVENT_WAIT] = { sim_submit_wait, CALL_SUBMIT },
    [RILL_OP_EVENT_RECORD] = { sim_submit_record, CALL_SUBMIT },
    [RILL_OP_ALLOC] = { sim_submit_alloc, CALL_SUBMIT_ALLOC },
    [RILL_OP_FREE] = { sim_submit_free, CALL_SUBMIT_ALLOC },
    [RILL_OP_VALUES] = { sim_submit_values, CALL_SUBMIT },
};

/* Submits to a default stream, while some stream captures, on a failed device, or inside a host
 * function. */
__attribute__((noinline))
static rill_status submit_op_carefully(rill_stream *handle, rill_op *op)
{
    const struct submitter *submitter = &submitters[op->kind];
    struct sim_stream *stream;
    rill_status status = sim_stream_enter_carefully(handle, submitter->call, &stream);
    if (status) {
        rl_op_give_back(op);
        return status;
    }
    const struct sim_platform *platform = stream->context->platform;
    if (sim_capturing(platform) && platform->interceptor->takes(stream, op, &status))
        return status;
    if (sim_backlog_is_due(stream->strand)) sim_backlog_wait(stream->strand);
    return submitter->submit(stream, op);
}

/* Tells whether work can be submitted to a stream without further checks. */
static inline bool takes_at_once(const struct sim_stream *stream, enum sim_call call)
{
    return stream->kind == STREAM_ORDINARY && !sim_backlog_is_due(stream->strand) &&
           sim_call_is_clear(stream->context->platform, call);
}

static rill_status submit_op(rill_stream *handle, rill_op *op)
{
    size_t kind = (size_t)op->kind;
    struct sim_stream *stream = sim_stream_of(handle);
    if (kind >= sizeof submitters / sizeof *submitters || !submitters[kind].submit)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "the simulator does not run operations of kind %d in a stream",
                                 (int)op->kind);
    if (takes_at_once(stream, submitters[kind].call)) return submitters[kind].submit(stream, op);
    return submit_op_carefully(handle, op);
}

static rill_status copy_row(rill_stream *handle, rill_memory_kind dst_kind, rill_devptr dst,
                            rill_memory_kind src_kind, rill_devptr src, size_t bytes)
{
    struct sim_stream *stream = sim_stream_of(handle);
    const struct sim_row row = { dst, src, bytes };
    if (takes_at_once(stream, CALL_SUBMIT_WORK) &&
        sim_row_is_ready(stream->context, dst_kind, src_kind, &row))
        return sim_submit_row(stream, &row);
    rill_op op = { .kind = RILL_OP_MEMCPY };
    op.memcpy = (rill_copy){
        .dst = { .kind = dst_kind, .address = dst },
        .src = { .kind = src_kind, .address = src },
        .width = bytes, .height = 1, .depth = 1,
    };
    return submit_op(handle, &op);
}

static rill_status fill_row(rill_stream *handle, rill_devptr dst, uint32_t value,
                            uint32_t element_bytes, size_t count)
{
    struct sim_stream *stream = sim_stream_of(handle);
    struct sim_fill fill;
    struct point point;
    if (takes_at_once(stream, CALL_SUBMIT) &&
        sim_fill_row_prepare(stream->context, dst, value, element_bytes, count, &fill))
        return sim_submit_checked_fill(stream, &fill, &point);
    rill_op op = { .kind = RILL_OP_MEMSET };
    op.memset = (rill_fill){ .dst = dst, .value = value, .element_bytes = element_bytes,
                             .width = count, .height = 1 };
    return submit_op(handle, &op);
}

/* Tells whether the legacy stream and all blocking streams are done.  Takes the submit lock,
 * since a submission takes strands off their list before it publishes that it waits for them. */
static bool legacy_done(struct sim_stream *stream)
{
    struct strand *strand = stream->strand;
    rl_spin_lock(&strand->submit_lock);
    bool done = sim_strand_is_drained(strand) &&
                sim_streams_blocking_done(stream->context->streams);
    rl_spin_unlock(&strand->submit_lock);
    return done;
}

static rill_status query_stream(rill_stream *handle)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_STREAM_QUERY, &stream);
    if (status) return status;
    struct strand *strand = stream->strand;
    bool done = stream->kind == STREAM_LEGACY ? legacy_done(stream)
                                              : sim_strand_is_drained(strand);
    if (done) return sim_enter(stream->context->platform, CALL_ASK);
    if (sim_strand_state(strand) == STRAND_READY)
        sim_engine_wake_worker(strand->engine);
    return RILL_ERROR_NOT_READY;
}

static rill_status synchronize_stream(rill_stream *handle)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_STREAM_SYNCHRONIZE, &stream);
    if (status) return status;
    struct point point = { stream->strand, sim_strand_submitted(stream->strand) };
    if (stream->kind == STREAM_LEGACY) {
        status = sim_stream_point(stream, &point);
        if (status) return status;
    }
    bool blocking_sync = atomic_load(&stream->sync_policy) == RILL_SYNC_BLOCK;
    status = sim_wait(stream->context->platform, point, blocking_sync);
    if (status) return status;
    if (stream->kind == STREAM_LEGACY) sim_synchronized_blocking(stream->context);
    else sim_synchronized_point(stream->context->platform, point);
    return RILL_SUCCESS;
}

/* ---- Properties ------------------------------------------------------------------ */

static rill_status stream_id(rill_stream *handle, uint64_t *value)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_STREAM_ID, &stream);
    if (!status) *value = stream->strand->id;
    return status;
}

/* Checks a call that the handle answers, whichever thread's stream it stands for. */
static rill_status enter_handle(struct sim_stream *stream, enum sim_call call)
{
    struct sim_platform *platform = stream->context->platform;
    rill_status status = sim_enter(platform, call);
    if (!status && sim_capturing(platform))
        status = platform->interceptor->permits_stream(stream, call);
    return status;
}

static rill_status stream_flags(rill_stream *handle, uint32_t *value)
{
    struct sim_stream *stream = sim_stream_of(handle);
    rill_status status = enter_handle(stream, CALL_STREAM_FLAGS);
    if (!status) *value = stream->flags;
    return status;
}

static rill_status stream_priority(rill_stream *handle, int *value)
{
    struct sim_stream *stream = sim_stream_of(handle);
    rill_status status = enter_handle(stream, CALL_STREAM_PRIORITY);
    if (!status) *value = atomic_load(&stream->priority);
    return status;
}

static rill_status attach_memory(rill_stream *handle, rill_devptr address, size_t bytes,
                                 uint32_t value)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(handle, CALL_STREAM_ATTACH, &stream);
    if (status) return status;
    return sim_attachment_check(stream->context->platform, address, bytes, value,
                                stream->kind == STREAM_LEGACY);
}

const struct rill_stream_ops sim_stream_ops = {
    .private_bytes = sizeof(struct sim_stream),
    .create = create_stream,
    .destroy = destroy_stream,
    .legacy = legacy_of,
    .per_thread = per_thread_of,
    .submit = submit_op,
    .copy_row = copy_row,
    .fill_row = fill_row,
    .query = query_stream,
    .synchronize = synchronize_stream,
    .id = stream_id,
    .flags = stream_flags,
    .priority = stream_priority,
    .get_attribute = sim_stream_get_attribute,
    .set_attribute = sim_stream_set_attribute,
    .copy_attributes = sim_stream_copy_attributes,
    .add_callback = sim_stream_add_callback,
    .attach = attach_memory,
};
