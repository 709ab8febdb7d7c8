/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams over strands, and the order that the default streams add.
 */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include "backend-sim/guard/call_guard.h"

enum stream_kind { STREAM_ORDINARY, STREAM_LEGACY, STREAM_PER_THREAD };

/* What a stream keeps for whoever asks, and what changes nothing here. */
struct stream_attributes {
    rill_access_window window;
    int domain;
    rill_domain_map map;
};

/* The private bytes of a rill_stream. */
struct sim_stream {
    rill_stream *handle;
    struct sim_context *context;
    struct participant *participant; /* in a capture, or NULL: capture.h, its lock */
    struct strand *strand; /* NULL for the per-thread handle: see sim_stream_enter */
    enum stream_kind kind;
    bool non_blocking;     /* the default streams order nothing for it    */
    uint32_t flags;
    atomic_int priority;    /* what the stream says; its strand keeps that of its creation */
    atomic_int sync_policy; /* 0: never set, reported as -1 */
    struct rl_lock attributes_lock;
    struct stream_attributes attributes; /* attributes_lock */
};

static inline struct sim_stream *sim_stream_of(const rill_stream *stream)
{
    return rill_private(stream);
}

static inline int sim_clamp_priority(const struct sim_platform *platform, int priority)
{
    if (priority > 0) return 0;
    return priority < platform->priority_greatest ? platform->priority_greatest : priority;
}

/* What every stream begins with, in private bytes that are zero. */
void sim_stream_init(struct sim_stream *stream, rill_stream *handle, struct sim_context *context);

/* The strand has the label of the stream; NULL: of none any more, since that goes. */
void sim_stream_lend_name(const rill_stream *handle, struct strand *strand);

/* Guards a call on a stream and finds the stream that is meant: for the
 * per-thread handle that of the calling thread, which may be made for it. */
rill_status sim_stream_enter_carefully(rill_stream *handle, enum sim_call call,
                                       struct sim_stream **stream);

static inline rill_status sim_stream_enter(rill_stream *handle, enum sim_call call,
                                           struct sim_stream **stream)
{
    *stream = sim_stream_of(handle);
    if ((*stream)->kind == STREAM_ORDINARY && sim_call_is_clear((*stream)->context->platform, call))
        return RILL_SUCCESS;
    return sim_stream_enter_carefully(handle, call, stream);
}

/* ---- Submitting -------------------------------------------------------------- */

/* The order that the default-stream rules add (default_streams.c). */
rill_status sim_stream_order(struct sim_stream *stream, struct submission *submission);
void sim_stream_list(struct sim_stream *stream); /* for the next of the legacy stream */

/* Begins a submission that is ordered as the default-stream rules say. */
static inline rill_status sim_stream_begin(struct sim_stream *stream, struct submission *submission)
{
    sim_submission_begin(submission, stream->strand);
    return stream->non_blocking ? RILL_SUCCESS : sim_stream_order(stream, submission);
}

static inline void sim_stream_commit(struct sim_stream *stream, struct submission *submission)
{
    /* Under the submit lock, as the legacy stream takes it off its list. */
    bool unseen = submission->count > 0 && !stream->non_blocking &&
                  !atomic_load_explicit(&stream->strand->in_legacy_list, memory_order_relaxed);
    sim_submission_commit(submission);
    if (unseen) sim_stream_list(stream);
}

/* The same for an operation that ends by itself, as host functions behind it want to know
 * where one thread calls them. */
static inline void sim_stream_commit_prompt(struct sim_stream *stream,
                                            struct submission *submission)
{
    if (stream->context->platform->host_thread) sim_submission_stay_prompt(submission);
    sim_stream_commit(stream, submission);
}

/* Memory was short: takes back what begin added. */
rill_status sim_stream_abort(struct sim_stream *stream, struct submission *submission);

/* What the stream holds now, as a point.  For the legacy stream, whose content
 * is that of every blocking stream, this may add an operation. */
rill_status sim_stream_point(struct sim_stream *stream, struct point *point);

/* ---- What the host knows (order.c) ------------------------------------------- */

/* A thread has waited for a point; for the legacy stream, and so for all blocking
 * streams of the context; for all streams of the context.  Without locks. */
void sim_synchronized_pools(struct sim_platform *platform, struct point point);
void sim_synchronized_blocking(struct sim_context *context);
void sim_synchronized_context(struct sim_context *context);

static inline void sim_synchronized_point(struct sim_platform *platform, struct point point)
{
    if (point.strand && sim_pools_dirty(platform)) sim_synchronized_pools(platform, point);
}

/* ---- Events that a launch records (event.c) ------------------------------------ */

/* Whether the stream can record the event without a stamp. */
rill_status sim_event_check_launch(struct sim_stream *stream, rill_event *event);

/* The event stands for the submission's last operation, once it is committed. */
void sim_event_record_last(rill_event *event, struct submission *submission);

/* ---- One for each kind of operation ------------------------------------------- */

rill_status sim_submit_host(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_kernel(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_copy(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_fill(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_empty(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_wait(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_record(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_alloc(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_free(struct sim_stream *stream, rill_op *op);
rill_status sim_submit_values(struct sim_stream *stream, rill_op *op);

struct sim_row;
struct sim_fill;

/* A row and a fill that were checked. */
rill_status sim_submit_row(struct sim_stream *stream, const struct sim_row *row);
rill_status sim_submit_checked_fill(struct sim_stream *stream, const struct sim_fill *fill,
                                    struct point *point);

/* A synchronous copy or fill. */
rill_status sim_memory_run(rill_context *context, const rill_op *op);

extern const struct rill_stream_ops sim_stream_ops;
extern const struct rill_event_ops sim_event_ops;
extern const struct rill_context_ops sim_context_ops;
extern const struct rill_device_ops sim_device_ops;

/* Whether an attribute of streams can have this value. */
rill_status sim_attribute_check(const rill_attribute *attribute);
rill_status sim_stream_get_attribute(rill_stream *handle, rill_attribute *attribute);
rill_status sim_stream_set_attribute(rill_stream *handle, const rill_attribute *attribute);
rill_status sim_stream_copy_attributes(rill_stream *dst, rill_stream *src);
rill_status sim_stream_add_callback(rill_stream *handle, rill_stream_callback callback, void *data,
                                    uint32_t flags);

/* ---- The streams of a context (default_streams.c) ----------------------------- */

struct thread_stream;

/* Through all_next and all_previous. */
struct strand_list {
    struct strand *first, *last;
};

struct sim_streams {
    struct rl_lock lock;
    struct strand_list all;     /* strands of live streams; lock                    */
    struct strand_list orphans; /* of destroyed ones that may still be pending,
                                   the newest first; lock                           */
    struct strand *legacy_list; /* blocking strands with work since the legacy stream
                                   last looked, through legacy_next; lock           */
    struct sim_stream *legacy;
    struct sim_stream *per_thread; /* the handle that stands for each thread's own */
    struct thread_stream *threads; /* thread_streams.c's lock                      */
};

rill_status sim_streams_create(struct sim_context *context);

/* Nothing is pending any more.  Streams that their owners did not destroy yet
 * keep their strands. */
void sim_streams_destroy(struct sim_context *context);

/* The list holds a reference of its own. */
void sim_streams_add(struct sim_streams *streams, struct strand *strand);
void sim_streams_orphan(struct sim_streams *streams, struct strand *strand);

/* Whether nothing is pending in any blocking stream. */
bool sim_streams_blocking_done(struct sim_streams *streams);

/* Waits for what is in the context's streams now. */
rill_status sim_streams_drain(struct sim_context *context);

/* The same without memory for a list, until nothing is pending. */
void sim_streams_drain_each(struct sim_context *context);

/* The calling thread's default stream in the context. */
rill_status sim_thread_stream_get(struct sim_context *context, struct sim_stream **stream);
void sim_thread_streams_forget(struct sim_context *context);

#endif
