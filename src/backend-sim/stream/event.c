/* SPDX-License-Identifier: Apache-2.0
 *
 * Events: a point, and for timing the moment at which it was reached.
 *
 *     never recorded --record--> pending --reached--> complete
 *                                   ^                    |
 *                                   +------ record ------+
 */
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/scheduler/engine.h"
#include "backend-sim/stream/event.h"
#include "backend-sim/stream/stream.h"
#include "base/alloc.h"

void sim_event_release(struct event_state *state)
{
    if (atomic_fetch_sub_explicit(&state->references, 1, memory_order_acq_rel) != 1) return;
    if (state->point.strand) sim_strand_release(state->point.strand);
    sim_captured_point_release(atomic_load_explicit(&state->captured, memory_order_relaxed));
    rl_free(state);
}

struct point sim_event_snapshot(struct event_state *state)
{
    atomic_uchar *held = rl_biased_lock(&state->lock);
    struct point point = state->point;
    if (point.strand) sim_strand_retain(point.strand);
    rl_biased_unlock(&state->lock, held);
    return point;
}

static void release_point(struct point point)
{
    if (point.strand) sim_strand_release(point.strand);
}

/* ---- In captures ------------------------------------------------------------------ */

struct captured_point *sim_event_captured_point(struct event_state *state)
{
    atomic_uchar *held = rl_biased_lock(&state->lock);
    struct captured_point *captured = atomic_load_explicit(&state->captured, memory_order_relaxed);
    if (captured) atomic_fetch_add_explicit(&captured->references, 1, memory_order_relaxed);
    rl_biased_unlock(&state->lock, held);
    return captured;
}

/* Requires state->lock. */
static void set_captured(struct event_state *state, struct captured_point *captured)
{
    sim_captured_point_release(atomic_load_explicit(&state->captured, memory_order_relaxed));
    atomic_store_explicit(&state->captured, captured, memory_order_relaxed);
}

void sim_event_set_captured_point(struct event_state *state, struct captured_point *captured)
{
    atomic_uchar *held = rl_biased_lock(&state->lock);
    set_captured(state, captured);
    rl_biased_unlock(&state->lock, held);
}

/* Returns the status with which captures forbid a call on the event, or success.  While no stream
 * captures, only a call on an event that was recorded in a capture can be forbidden. */
static rill_status captures_permit(rill_event *handle, enum sim_call call)
{
    struct sim_event *event = sim_event_of(handle);
    if (!sim_capturing(event->context->platform) && !sim_event_is_captured(event->state))
        return RILL_SUCCESS;
    return event->context->platform->interceptor->permits_event(handle, call);
}

/* ---- Life ---------------------------------------------------------------------- */

static rill_status create_event(rill_event *handle, const rill_event_options *options)
{
    const uint32_t known = RILL_EVENT_TIMING | RILL_EVENT_BLOCKING_SYNC | RILL_EVENT_INTERPROCESS;
    struct sim_context *context = sim_context_of(rill_object_of(handle)->context);
    rill_status status = sim_enter(context->platform, CALL_MAKE);
    if (status) return status;
    if (options->flags & ~known)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds unknown bits", options->flags);
    if ((options->flags & RILL_EVENT_INTERPROCESS) && (options->flags & RILL_EVENT_TIMING))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "an interprocess event cannot have timing");
    struct sim_event *event = sim_event_of(handle);
    event->state = rl_zalloc(sizeof *event->state);
    if (!event->state)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for an event");
    atomic_init(&event->state->references, 1);
    atomic_init(&event->state->handle, handle);
    event->context = context;
    event->flags = options->flags;
    return RILL_SUCCESS;
}

static rill_status destroy_event(rill_event *handle)
{
    struct sim_event *event = sim_event_of(handle);
    atomic_store_explicit(&event->state->handle, NULL, memory_order_relaxed);
    sim_event_release(event->state);
    return sim_enter(event->context->platform, CALL_END);
}

/* ---- Recording ------------------------------------------------------------------- */

struct record_cell {
    struct event_state *state;
    uint64_t generation;
};

static void record_run(struct strand *strand, struct cell *cell)
{
    struct record_cell *record = cell_payload(cell);
    uint64_t now = sim_engine_now(strand->engine);
    atomic_uchar *held = rl_biased_lock(&record->state->lock);
    if (record->state->generation == record->generation) record->state->time_ns = now;
    rl_biased_unlock(&record->state->lock, held);
    sim_event_release(record->state);
}

static void record_drop(struct strand *strand, struct cell *cell)
{
    (void)strand;
    struct record_cell *record = cell_payload(cell);
    sim_event_release(record->state);
}

static const char *record_name(const struct cell *cell)
{
    (void)cell;
    return "event record";
}

static const struct op_type record_op = {
    .kind = RILL_OP_EVENT_RECORD, .run = record_run, .drop = record_drop, .name = record_name,
};

rill_status sim_event_check_flags(uint32_t flags)
{
    if (flags & ~RILL_EVENT_EXTERNAL)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags", "0x%x holds unknown bits",
                                 flags);
    if (flags & RILL_EVENT_EXTERNAL)
        return rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "flags",
                                 "RILL_EVENT_EXTERNAL has a meaning only in a stream that is "
                                 "capturing");
    return RILL_SUCCESS;
}

/* Tells whether a record needs an operation of its own: only one of an event with timing, or any
 * that is observed.  For others the number of what was submitted so far is enough. */
static inline bool needs_stamp(const struct sim_event *event, const struct strand *strand)
{
    return (event->flags & RILL_EVENT_TIMING) || sim_strand_shows_all(strand);
}

static bool add_stamp(struct sim_event *event, struct submission *submission)
{
    if (!needs_stamp(event, submission->strand)) return true;
    struct cell *cell = sim_submission_add(submission, &record_op, sizeof(struct record_cell));
    if (!cell) return false;
    sim_event_retain(event->state);
    *(struct record_cell *)cell_payload(cell) =
        (struct record_cell){ event->state, event->state->generation + 1 };
    if (event->context->platform->host_thread) sim_submission_stay_prompt(submission);
    return true;
}

/* Requires state->lock. */
static inline void set_state_point(struct event_state *state, struct point point)
{
    struct strand *before = state->point.strand;
    if (before != point.strand) sim_strand_retain(point.strand);
    state->point = point;
    atomic_store_explicit(&state->recorded, true, memory_order_release);
    state->generation++;
    if (sim_event_is_captured(state)) set_captured(state, NULL);
    if (before && before != point.strand) sim_strand_release(before);
}

/* Does what sim_event_stand_for() does, inline for records in streams. */
static inline void set_point(struct event_state *state, struct point point)
{
    atomic_uchar *held = rl_biased_lock(&state->lock);
    set_state_point(state, point);
    rl_biased_unlock(&state->lock, held);
}

void sim_event_stand_for(struct event_state *state, struct point point)
{
    set_point(state, point);
}

void sim_event_stamp(struct event_state *state, struct point point, uint64_t time_ns)
{
    atomic_uchar *held = rl_biased_lock(&state->lock);
    if (state->point.strand == point.strand && state->point.number == point.number)
        state->time_ns = time_ns;
    rl_biased_unlock(&state->lock, held);
}

static rill_status check_context(struct sim_stream *stream, const struct sim_event *event)
{
    if (event->context == stream->context) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "event",
                             "the event belongs to another context than the stream");
}

rill_status sim_submit_record(struct sim_stream *stream, rill_op *op)
{
    struct sim_event *event = sim_event_of(op->event.event);
    rill_status status = sim_event_check_flags(op->event.flags);
    if (!status) status = check_context(stream, event);
    if (status) return status;
    struct strand *strand = stream->strand;
    if (stream->non_blocking && !needs_stamp(event, strand)) { /* nothing is submitted */
        set_point(event->state, (struct point){ strand, sim_strand_submitted(strand) });
        return RILL_SUCCESS;
    }
    struct submission submission;
    status = sim_stream_begin(stream, &submission);
    if (status) return status;
    atomic_uchar *held = rl_biased_lock(&event->state->lock);
    bool fits = add_stamp(event, &submission);
    if (fits) set_state_point(event->state, sim_submission_end(&submission));
    rl_biased_unlock(&event->state->lock, held);
    if (!fits) return sim_stream_abort(stream, &submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}

rill_status sim_event_check_launch(struct sim_stream *stream, const rill_attribute *attribute)
{
    rill_event *handle = attribute->event.event;
    if (attribute->event.flags)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attributes",
                                 "there are no flags 0x%x of an event that a launch records",
                                 (unsigned)attribute->event.flags);
    if (!handle)
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "attributes",
                                 "the attribute's event is NULL");
    struct sim_event *event = sim_event_of(handle);
    if (event->flags & (RILL_EVENT_TIMING | RILL_EVENT_INTERPROCESS))
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "attributes",
                                 "an event that a launch records can have neither timing nor "
                                 "the interprocess flag");
    return check_context(stream, event);
}

void sim_event_record_last(rill_event *handle, struct submission *submission)
{
    sim_event_stand_for(sim_event_of(handle)->state, sim_submission_end(submission));
}

/* ---- Waiting on the host -------------------------------------------------------------- */

static rill_status query_event(rill_event *handle)
{
    struct sim_event *event = sim_event_of(handle);
    struct sim_platform *platform = event->context->platform;
    rill_status status = sim_enter(platform, CALL_EVENT_QUERY);
    if (!status) status = captures_permit(handle, CALL_EVENT_QUERY);
    if (status) return status;
    struct point point = sim_event_snapshot(event->state);
    bool reached = sim_point_reached(point);
    if (!reached && sim_strand_state(point.strand) == STRAND_READY)
        sim_engine_wake_worker(platform->engine);
    release_point(point);
    return reached ? sim_enter(platform, CALL_ASK) : RILL_ERROR_NOT_READY;
}

static rill_status synchronize_event(rill_event *handle)
{
    struct sim_event *event = sim_event_of(handle);
    struct sim_platform *platform = event->context->platform;
    rill_status status = sim_enter(platform, CALL_EVENT_SYNCHRONIZE);
    if (!status) status = captures_permit(handle, CALL_EVENT_SYNCHRONIZE);
    if (status) return status;
    struct point point = sim_event_snapshot(event->state);
    status = sim_wait(platform, point, event->flags & RILL_EVENT_BLOCKING_SYNC);
    if (!status) sim_synchronized_point(platform, point);
    release_point(point);
    return status;
}

static rill_status check_timed(rill_event *handle, const char *argument, bool *reached,
                               uint64_t *time_ns)
{
    struct sim_event *event = sim_event_of(handle);
    rill_status status = captures_permit(handle, CALL_EVENT_ELAPSED);
    if (status) return status;
    if (!(event->flags & RILL_EVENT_TIMING))
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, argument,
                                 "the event was created without RILL_EVENT_TIMING");
    bool recorded = atomic_load_explicit(&event->state->recorded, memory_order_acquire);
    struct point point = sim_event_snapshot(event->state);
    *reached = sim_point_reached(point);
    release_point(point);
    atomic_uchar *held = rl_biased_lock(&event->state->lock);
    *time_ns = event->state->time_ns;
    rl_biased_unlock(&event->state->lock, held);
    if (!recorded)
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, argument,
                                 "the event was never recorded");
    return RILL_SUCCESS;
}

static rill_status elapsed_between(rill_event *start, rill_event *end, float *milliseconds)
{
    rill_status status = sim_enter(sim_event_of(start)->context->platform, CALL_EVENT_ELAPSED);
    bool start_reached, end_reached;
    uint64_t start_ns, end_ns;
    if (!status) status = check_timed(start, "start", &start_reached, &start_ns);
    if (!status) status = check_timed(end, "end", &end_reached, &end_ns);
    if (!status && sim_event_of(start)->context != sim_event_of(end)->context)
        status = rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "end",
                                   "the events belong to different contexts");
    if (status) return status;
    if (!start_reached || !end_reached) return RILL_ERROR_NOT_READY;
    *milliseconds = (float)((double)(int64_t)(end_ns - start_ns) / 1e6);
    return RILL_SUCCESS;
}

const struct rill_event_ops sim_event_ops = {
    .private_bytes = sizeof(struct sim_event),
    .create = create_event,
    .destroy = destroy_event,
    .query = query_event,
    .synchronize = synchronize_event,
    .elapsed = elapsed_between,
};
