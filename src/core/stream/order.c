/* SPDX-License-Identifier: Apache-2.0
 *
 * Order between streams: events, and the forks, joins and waits made of them.
 */
#include "core/op/submit.h"
#include "core/stream/forks.h"

static rill_status submit_event(rill_op_kind kind, rill_stream *stream, rill_event *event,
                                uint32_t flags)
{
    rill_op op;
    op.kind = kind;
    op.event = (rill_event_op){ event, flags };
    return rl_submit(stream, &op);
}

rill_status rill_stream_wait_event(rill_stream *stream, rill_event *event, uint32_t flags)
{
    static const struct rl_pair pair = { RILL_OBJECT_STREAM, RILL_OBJECT_EVENT, "stream", "event" };
    rill_status status = rl_check_first(stream, event, &pair);
    if (!status)
        status = rl_check_in(event, RILL_OBJECT_EVENT, "event", stream, RILL_OP_EVENT_WAIT);
    if (!status) status = submit_event(RILL_OP_EVENT_WAIT, stream, event, flags);
    return rl_finish(__func__, stream, status);
}

rill_status rill_event_record(rill_event *event, rill_stream *stream, uint32_t flags)
{
    static const struct rl_pair pair = { RILL_OBJECT_EVENT, RILL_OBJECT_STREAM, "event", "stream" };
    rill_status status = rl_check_first(event, stream, &pair);
    if (!status)
        status = rl_check_with(stream, RILL_OBJECT_STREAM, "stream", event);
    else if (rl_usable(stream, RILL_OBJECT_STREAM))
        status = rl_refusal(stream, RILL_OP_EVENT_RECORD, status);
    if (!status) status = submit_event(RILL_OP_EVENT_RECORD, stream, event, flags);
    return rl_finish(__func__, event, status);
}

/* ---- From stream to stream ---------------------------------------------- */

/* Records a private event at the present place of `stream`. */
static rill_status mark_place(rill_stream *stream, rill_event **event)
{
    const struct rill_event_ops *ops = rl_backend(stream)->event;
    const rill_event_options options = { .size = sizeof options };
    rill_event *made = rl_object_new(RILL_OBJECT_EVENT, rill_object_of(stream)->context, NULL);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = ops->create(made, &options);
    if (status) {
        rl_object_drop(made);
        return status;
    }
    *event = made;
    return submit_event(RILL_OP_EVENT_RECORD, stream, made, 0);
}

/* Destroys the event of mark_place().  Returns `status`, or if that is RILL_SUCCESS the status
 * of the destruction. */
static rill_status end_mark(rill_event *event, rill_status status)
{
    if (!event) return status;
    rill_status last = rl_backend(event)->event->destroy(event);
    rl_release(event);
    return status ? status : last;
}

static rill_status wait_stream(rill_stream *stream, rill_stream *other)
{
    rill_event *event = NULL;
    rill_status status = mark_place(other, &event);
    if (!status) status = submit_event(RILL_OP_EVENT_WAIT, stream, event, 0);
    return end_mark(event, status);
}

rill_status rill_stream_wait_stream(rill_stream *stream, rill_stream *other)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_check_with(other, RILL_OBJECT_STREAM, "other", stream);
    if (!status) status = wait_stream(stream, other);
    return rl_finish(__func__, stream, status);
}

/* ---- Forks and joins ---------------------------------------------------- */

static rill_status check_streams(rill_stream *stream, rill_stream *const *others, size_t count)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required_array(others, count, "others", "count");
    for (size_t i = 0; !status && i < count; i++) {
        status = rl_check_with(others[i], RILL_OBJECT_STREAM, "others", stream);
        if (!status && others[i] == stream)
            status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "others",
                                       "others holds the stream itself; it is never out of itself");
    }
    return status;
}

/* Makes `other` wait for the event, and lists it as a fork of `from`. */
static rill_status fork_one(const struct rl_place *from, rill_event *event, rill_stream *other)
{
    uint64_t id;
    rill_status status = rl_stream_ops(other)->id(other, &id);
    struct rl_fork *fork = status ? NULL : rl_fork_new();
    if (!status && !fork) status = RILL_ERROR_OUT_OF_MEMORY;
    if (!status) status = submit_event(RILL_OP_EVENT_WAIT, other, event, 0);
    if (!status)
        rl_fork_list(fork, from, other, id);
    else
        rl_fork_drop(fork);
    return status;
}

static rill_status fork_all(rill_stream *stream, rill_stream *const *others, size_t count)
{
    rill_event *event = NULL;
    struct rl_place from;
    rill_status status = rl_place(stream, &from);
    if (!status) status = mark_place(stream, &event);
    for (size_t i = 0; !status && i < count; i++) status = fork_one(&from, event, others[i]);
    return end_mark(event, status);
}

rill_status rill_stream_fork(rill_stream *stream, rill_stream *const *others, size_t count)
{
    rill_status status = check_streams(stream, others, count);
    if (!status && count) status = fork_all(stream, others, count);
    return rl_finish(__func__, stream, status);
}

/* Checks that `other` is out of `from`.  Passes a stream in a broken capture, which the backend
 * will refuse. */
static rill_status check_out(const struct rl_place *from, rill_stream *other, uint64_t *id)
{
    char one[RILL_LABEL_MAX], origin[RILL_LABEL_MAX];
    rill_status status = rl_stream_ops(other)->id(other, id);
    if (status || from->capture == RL_BROKEN_CAPTURE || rl_is_out(from, other, *id)) return status;
    rl_describe(other, one);
    rl_describe(from->stream, origin);
    return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "others",
                             "others holds %s, which is not out of %s; fork it off first, or use "
                             "rill_stream_wait_stream()",
                             one, origin);
}

static rill_status join_one(const struct rl_place *from, rill_stream *other, uint64_t id)
{
    rill_status status = wait_stream(from->stream, other);
    if (!status) rl_fork_joined(from, other, id);
    return status;
}

rill_status rill_stream_join(rill_stream *stream, rill_stream *const *others, size_t count)
{
    uint64_t id;
    struct rl_place from;
    rill_status status = check_streams(stream, others, count);
    if (!status && count) status = rl_place(stream, &from);
    for (size_t i = 0; !status && i < count; i++) status = check_out(&from, others[i], &id);
    for (size_t i = 0; !status && i < count; i++) {
        status = rl_stream_ops(others[i])->id(others[i], &id);
        if (!status) status = join_one(&from, others[i], id);
    }
    return rl_finish(__func__, stream, status);
}

/* Checks that the handle still stands for the stream that is out. */
static rill_status check_fork(const rill_fork *fork, uint64_t id)
{
    uint64_t now = 0;
    if (!fork->stream)
        return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNJOINED, "stream",
                                 "stream cannot be joined by %s, which was destroyed while it was "
                                 "out; destroy streams behind their join",
                                 fork->name);
    rill_status status = rl_stream_ops(fork->stream)->id(fork->stream, &now);
    if (!status && now != id)
        status = rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "stream",
                                   "stream cannot be joined by %s here, which was forked off on "
                                   "another thread; join it there",
                                   fork->name);
    return status;
}

/* Joins all forks.  Each join removes one, whose own forks are then out of `from`. */
static rill_status join_all(const struct rl_place *from)
{
    rill_fork fork;
    uint64_t id;
    rill_status status = RILL_SUCCESS;
    while (!status && rl_first_fork(from, &fork, &id)) {
        status = check_fork(&fork, id);
        if (!status) status = join_one(from, fork.stream, id);
    }
    return status;
}

rill_status rill_stream_join_all(rill_stream *stream)
{
    struct rl_place from;
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_place(stream, &from);
    if (!status) status = join_all(&from);
    return rl_finish(__func__, stream, status);
}

rill_status rill_stream_unjoined(rill_stream *stream, rill_fork *forks, size_t *count)
{
    struct rl_place from;
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(count, "count");
    if (!status) status = rl_place(stream, &from);
    if (!status) rl_list_forks(&from, forks, count);
    return rl_finish(__func__, stream, status);
}
