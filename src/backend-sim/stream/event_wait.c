/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream that waits for an event.
 */
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/stream/event.h"
#include "backend-sim/stream/stream.h"

rill_status sim_submit_wait(struct sim_stream *stream, rill_op *op)
{
    struct sim_event *event = sim_event_of(op->event.event);
    const struct sim_interceptor *captures = stream->context->platform->interceptor;
    rill_status status = RILL_SUCCESS;
    if (op->event.flags == RILL_EVENT_EXTERNAL)
        status = captures->refuse_external(stream->context->platform, op->event.event);
    if (!status) status = sim_event_check_flags(op->event.flags);
    if (status) return status;
    if (sim_event_is_captured(event->state) &&
        captures->follow(stream, op->event.event, &status))
        return status;
    if (!atomic_load_explicit(&event->state->recorded, memory_order_acquire))
        return RILL_SUCCESS; /* no operation at all, not even for the legacy stream */
    struct submission submission;
    status = sim_stream_begin(stream, &submission);
    if (status) return status;
    atomic_uchar *held = rl_biased_lock(&event->state->lock);
    bool fits = sim_submission_wait(&submission, event->state->point);
    rl_biased_unlock(&event->state->lock, held);
    if (!fits) return sim_stream_abort(stream, &submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
