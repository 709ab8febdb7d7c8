/* SPDX-License-Identifier: Apache-2.0
 *
 * Events in captures.  A record makes no node: the event stands for the dependencies of the
 * stream's next node.  A wait makes none either: it adds these dependencies to those of the
 * waiting stream, which is how streams fork off and join again.  Only external records and
 * waits become nodes.
 */
#include "backend-sim/capture/capture.h"
#include "backend-sim/stream/event.h"
#include "base/alloc.h"

/* ---- Recording ---------------------------------------------------------------------- */

static void free_captured_nodes(struct captured_point *captured)
{
    sim_capture_release(((struct captured_nodes *)captured)->capture);
    rl_free(captured);
}

bool sim_capture_record(struct capture *capture, rill_event *event, const struct link *nodes,
                        uint32_t count)
{
    struct captured_nodes *captured = rl_alloc(sizeof *captured + count * sizeof *nodes);
    if (!captured) return false;
    captured->point.free = free_captured_nodes;
    atomic_init(&captured->point.references, 1);
    atomic_fetch_add_explicit(&capture->references, 1, memory_order_relaxed);
    captured->capture = capture;
    captured->count = count;
    for (uint32_t i = 0; i < count; i++) captured->nodes[i] = nodes[i];
    sim_event_set_captured_point(sim_event_of(event)->state, &captured->point);
    return true;
}

/* Requires captures_lock. */
static rill_status record_event(struct sim_stream *stream, rill_event *event)
{
    struct participant *participant = stream->participant;
    if (!participant) return sim_capture_refuse_left();
    struct capture *capture = participant->capture;
    if (capture->state != RILL_CAPTURE_ACTIVE) return sim_capture_refuse_broken(capture);
    if (sim_event_of(event)->context != stream->context)
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "event",
                                 "the event belongs to another context than the stream");
    const struct links *dependencies = &participant->dependencies;
    if (sim_capture_record(capture, event, sim_links(dependencies), dependencies->count))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to record an event");
}

/* ---- Waiting: the states of stream and event ------------------------------------------- */

static rill_status refuse_ended(void)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "event",
                             "the event was last recorded in a capture that has ended or was "
                             "broken, and stands for nothing; record it anew");
}

static rill_status out_of_memory_for_wait(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for a captured wait");
}

/* Makes the stream's next node depend on the nodes of the event. */
static rill_status take_dependencies(struct participant *participant,
                                     const struct captured_nodes *captured)
{
    if (!sim_participant_reserve(participant, captured->count)) return out_of_memory_for_wait();
    for (uint32_t i = 0; i < captured->count; i++)
        sim_participant_add_dependency(participant, captured->nodes[i]);
    return RILL_SUCCESS;
}

static rill_status refuse_merge(struct participant *participant, struct capture *other,
                                uint64_t call)
{
    char stream[RILL_LABEL_MAX], mine[RILL_LABEL_MAX], origin[RILL_LABEL_MAX];
    sim_describe_object("stream", participant->stream->handle, stream);
    sim_describe_object("stream", participant->capture->first->stream->handle, mine);
    sim_describe_object("stream", other->first->stream->handle, origin);
    rill_status status = rill_backend_fail(
        RILL_ERROR_STREAM_CAPTURE_MERGE, "event",
        "the event was recorded in the capture begun in %s, and the wait would merge that with the "
        "one begun in %s; both are broken", origin, mine);
    sim_capture_break(other, call, status, "rill_stream_wait_event", stream);
    return status;
}

/* A stream that captures waits for something captured. */
static rill_status wait_inside(struct participant *participant,
                               const struct captured_nodes *captured, uint64_t call)
{
    struct capture *capture = captured->capture;
    if (capture == participant->capture) return take_dependencies(participant, captured);
    if (capture->state != RILL_CAPTURE_ACTIVE) return refuse_ended();
    return refuse_merge(participant, capture, call);
}

/* A stream that captures waits for something that is not. */
static rill_status wait_outside(const struct participant *participant, struct event_state *state)
{
    atomic_uchar *held = rl_biased_lock(&state->lock);
    bool recorded = state->recorded;
    rl_biased_unlock(&state->lock, held);
    if (!recorded) return RILL_SUCCESS;
    char origin[RILL_LABEL_MAX];
    sim_describe_object("stream", participant->capture->first->stream->handle, origin);
    return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_ISOLATION, "event",
                             "the event was recorded outside the capture begun in %s, which cannot "
                             "depend on it; wait for it before the capture begins, or with "
                             "RILL_EVENT_EXTERNAL", origin);
}

/* A stream that does not capture yet joins. */
static rill_status join_capture(struct sim_stream *stream, const struct captured_nodes *captured)
{
    struct capture *capture = captured->capture;
    if (capture->state != RILL_CAPTURE_ACTIVE) return refuse_ended();
    if (stream->kind == STREAM_LEGACY) {
        char object[RILL_LABEL_MAX];
        sim_describe_object("stream", stream->handle, object);
        rill_status status = rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_IMPLICIT, "stream",
                                               "the legacy stream cannot take part in a capture, "
                                               "which its wait for a captured event broke");
        sim_capture_break(capture, sim_capture_call(), status, "rill_stream_wait_event", object);
        return status;
    }
    struct participant *participant =
        sim_capture_join(capture, stream, captured->nodes, captured->count);
    if (!participant) return out_of_memory_for_wait();
    if (captured->count) participant->forked_at = captured->nodes[captured->count - 1].slot;
    return RILL_SUCCESS;
}

/* ---- Waiting ---------------------------------------------------------------------------- */

/* Lets a stream wait; `captured` is NULL if the event was not recorded in a capture.  Requires
 * captures_lock. */
static rill_status wait_for_event(struct sim_stream *stream, rill_event *event,
                                  const struct captured_nodes *captured)
{
    struct participant *participant = stream->participant;
    if (!participant) return captured ? join_capture(stream, captured) : sim_capture_refuse_left();
    if (participant->capture->state != RILL_CAPTURE_ACTIVE)
        return sim_capture_refuse_broken(participant->capture);
    const uint64_t call = sim_capture_call();
    rill_status status = captured ? wait_inside(participant, captured, call)
                                  : wait_outside(participant, sim_event_of(event)->state);
    if (status) {
        char object[RILL_LABEL_MAX];
        sim_describe_object("stream", stream->handle, object);
        sim_capture_break(participant->capture, call, status, "rill_stream_wait_event", object);
    }
    return status;
}

bool sim_capture_follow(struct sim_stream *stream, rill_event *event, rill_status *status)
{
    struct sim_platform *platform = stream->context->platform;
    struct captured_nodes *captured = sim_captured_nodes(sim_event_of(event)->state);
    if (!captured) return false;
    sim_captures_lock(platform);
    *status = wait_for_event(stream, event, captured);
    sim_captures_unlock(platform);
    sim_captured_nodes_release(captured);
    return true;
}

rill_status sim_capture_refuse_external(struct sim_platform *platform, rill_event *event)
{
    struct event_state *state = sim_event_of(event)->state;
    struct captured_nodes *captured =
        sim_event_is_captured(state) ? sim_captured_nodes(state) : NULL;
    if (!captured) return RILL_SUCCESS;
    sim_captures_lock(platform);
    bool ended = captured->capture->state != RILL_CAPTURE_ACTIVE;
    sim_captures_unlock(platform);
    sim_captured_nodes_release(captured);
    return ended ? refuse_ended() : RILL_SUCCESS;
}

/* Captures an external wait or record as a node. */
static rill_status capture_external(struct sim_stream *stream, rill_op *op)
{
    rill_status status = op->kind == RILL_OP_EVENT_WAIT
                             ? sim_capture_refuse_external(stream->context->platform,
                                                           op->event.event)
                             : RILL_SUCCESS;
    if (!status) return sim_capture_node(stream, op);
    char object[RILL_LABEL_MAX];
    sim_describe_object("stream", stream->handle, object);
    sim_captures_lock(stream->context->platform);
    if (stream->participant)
        sim_capture_break(stream->participant->capture, sim_capture_call(), status,
                          "rill_stream_wait_event", object);
    sim_captures_unlock(stream->context->platform);
    return status;
}

rill_status sim_capture_event(struct sim_stream *stream, rill_op *op)
{
    struct sim_platform *platform = stream->context->platform;
    rill_event *event = op->event.event;
    if (op->event.flags) return capture_external(stream, op);
    rill_status status;
    if (op->kind == RILL_OP_EVENT_WAIT) {
        struct captured_nodes *captured = sim_captured_nodes(sim_event_of(event)->state);
        sim_captures_lock(platform);
        status = wait_for_event(stream, event, captured);
        sim_captures_unlock(platform);
        sim_captured_nodes_release(captured);
        return status;
    }
    sim_captures_lock(platform);
    status = record_event(stream, event);
    sim_captures_unlock(platform);
    return status;
}
