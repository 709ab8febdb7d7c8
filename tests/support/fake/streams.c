/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's streams and events.
 */
#include "base/thread.h"
#include "support/fake/parts.h"

/* ---- Streams ------------------------------------------------------------ */

static rill_status fake_stream_create(rill_stream *stream, const rill_stream_options *options)
{
    struct fake_stream *own = rill_private(stream);
    if (options->flags & ~RILL_STREAM_NON_BLOCKING)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "options->flags can be 0 or RILL_STREAM_NON_BLOCKING");
    own->flags = options->flags;
    own->priority = options->priority > 0 ? 0
                    : options->priority < FAKE_PRIORITY_GREATEST ? FAKE_PRIORITY_GREATEST
                                                                 : options->priority;
    return RILL_SUCCESS;
}

/* Everything has happened, so that there is nothing to wait for. */
static rill_status stream_is_done(rill_stream *stream)
{
    return RILL_SUCCESS;
}

static rill_stream *fake_legacy(rill_context *context)
{
    return ((const struct fake_context *)rill_private(context))->legacy;
}

static rill_stream *fake_per_thread(rill_context *context)
{
    return ((const struct fake_context *)rill_private(context))->per_thread;
}

static rill_status do_host(const rill_host_op *op)
{
    op->fn(op->data);
    if (op->destroy) op->destroy(op->data); /* once, whatever happens */
    return RILL_SUCCESS;
}

static rill_status do_record(rill_event *event)
{
    struct fake_event *own = rill_private(event);
    own->recorded = 1;
    own->time_ns = rl_monotonic_ns();
    return RILL_SUCCESS;
}

/* A real backend puts the operation into a queue; here it happens at once, which
 * keeps every promise about order. */
static rill_status fake_submit(rill_stream *stream, rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_KERNEL: return fake_launch_kernel(&op->kernel);
    case RILL_OP_MEMCPY:
    case RILL_OP_MEMSET: return fake_run_memory(rill_object_of(stream)->context, op);
    case RILL_OP_HOST: return do_host(&op->host);
    case RILL_OP_EMPTY: return RILL_SUCCESS;
    case RILL_OP_EVENT_WAIT: return RILL_SUCCESS;
    case RILL_OP_EVENT_RECORD: return do_record(op->event.event);
    default:
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "the fake backend does not run operations of kind %d",
                                 (int)op->kind);
    }
}

static rill_status fake_stream_id(rill_stream *stream, uint64_t *id)
{
    *id = rill_object_of(stream)->id;
    return RILL_SUCCESS;
}

static rill_status fake_stream_flags(rill_stream *stream, uint32_t *flags)
{
    *flags = ((const struct fake_stream *)rill_private(stream))->flags;
    return RILL_SUCCESS;
}

static rill_status fake_stream_priority(rill_stream *stream, int *priority)
{
    *priority = ((const struct fake_stream *)rill_private(stream))->priority;
    return RILL_SUCCESS;
}

/* ---- Events ------------------------------------------------------------- */

static rill_status fake_event_create(rill_event *event, const rill_event_options *options)
{
    ((struct fake_event *)rill_private(event))->flags = options->flags;
    return RILL_SUCCESS;
}

static rill_status event_is_done(rill_event *event)
{
    return RILL_SUCCESS;
}

static rill_status fake_elapsed(rill_event *start, rill_event *end, float *milliseconds)
{
    const struct fake_event *a = rill_private(start), *b = rill_private(end);
    if (!a->recorded || !b->recorded || !(a->flags & b->flags & RILL_EVENT_TIMING))
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, NULL,
                                 "both events need RILL_EVENT_TIMING, and a record");
    *milliseconds = (float)((int64_t)(b->time_ns - a->time_ns) / 1e6);
    return RILL_SUCCESS;
}

/* ---- The tables --------------------------------------------------------- */

const struct rill_stream_ops fake_stream_ops = {
    .private_bytes = sizeof(struct fake_stream),
    .create = fake_stream_create,
    .destroy = stream_is_done,
    .legacy = fake_legacy,
    .per_thread = fake_per_thread,
    .submit = fake_submit,
    .query = stream_is_done,
    .synchronize = stream_is_done,
    .id = fake_stream_id,
    .flags = fake_stream_flags,
    .priority = fake_stream_priority,
};

const struct rill_event_ops fake_event_ops = {
    .private_bytes = sizeof(struct fake_event),
    .create = fake_event_create,
    .destroy = event_is_done,
    .query = event_is_done,
    .synchronize = event_is_done,
    .elapsed = fake_elapsed,
};
