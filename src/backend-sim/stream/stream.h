/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams over strands, and the order that the default streams add.  The header of the room's
 * files, but for events (event.h) and values (value_op.h).
 */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include "backend-sim/guard/call_guard.h"

enum stream_kind { STREAM_ORDINARY, STREAM_LEGACY, STREAM_PER_THREAD };

/* Attributes that are stored and reported but have no effect in the simulator. */
struct stream_attributes {
    rill_access_window window;
    int domain;
    rill_domain_map map;
};

/* The private bytes of a rill_stream.  Fields that name no lock, and are not atomic, do not change
 * until the stream is destroyed. */
struct sim_stream {
    rill_stream *handle;
    struct sim_context *context;
    struct participant *participant; /* in a capture, or NULL; platform->captures_lock */
    struct strand *strand; /* NULL in the per-thread handle: see sim_stream_enter() */
    enum stream_kind kind;
    bool non_blocking;     /* the default streams order nothing for it    */
    uint32_t flags;
    atomic_int priority;    /* as reported; its strand keeps the first one */
    atomic_int sync_policy; /* 0 if never set, which is reported as -1 */
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

/* Initializes a stream, in private bytes that are zero. */
void sim_stream_init(struct sim_stream *stream, rill_stream *handle, struct sim_context *context);

/* Lets the strand report the stream's label; NULL detaches it before the stream goes. */
void sim_stream_lend_name(const rill_stream *handle, struct strand *strand);

/* Checks a call on a stream and finds the stream that is meant: for the per-thread handle that of
 * the calling thread, which may be created for that. */
rill_status sim_stream_enter_carefully(rill_stream *handle, enum sim_call call,
                                       struct sim_stream **stream);

/* Does the same, mostly with one load. */
static inline rill_status sim_stream_enter(rill_stream *handle, enum sim_call call,
                                           struct sim_stream **stream)
{
    *stream = sim_stream_of(handle);
    if ((*stream)->kind == STREAM_ORDINARY && sim_call_is_clear((*stream)->context->platform, call))
        return RILL_SUCCESS;
    return sim_stream_enter_carefully(handle, call, stream);
}

/* ---- Submitting -------------------------------------------------------------- */

/* Adds the waits that the rules of default streams demand.  On failure the submission is over. */
rill_status sim_stream_order(struct sim_stream *stream, struct submission *submission);

/* Puts the stream's strand into the list for the next submission of the legacy stream. */
void sim_stream_list(struct sim_stream *stream);

/* Begins a submission that is ordered by the rules of default streams. */
static inline rill_status sim_stream_begin(struct sim_stream *stream, struct submission *submission)
{
    sim_submission_begin(submission, stream->strand);
    return stream->non_blocking ? RILL_SUCCESS : sim_stream_order(stream, submission);
}

/* Publishes the submission and ends it. */
static inline void sim_stream_commit(struct sim_stream *stream, struct submission *submission)
{
    /* Read under the submit lock, under which the legacy stream takes strands off its list. */
    bool unseen = submission->count > 0 && !stream->non_blocking &&
                  !atomic_load_explicit(&stream->strand->in_legacy_list, memory_order_relaxed);
    sim_submission_commit(submission);
    if (unseen) sim_stream_list(stream);
}

/* Ends a submission for which memory was short, and returns that error. */
rill_status sim_stream_abort(struct sim_stream *stream, struct submission *submission);

/* Stores the point at the stream's present end.  For the legacy stream, which comes after every
 * blocking stream, this may add operations. */
rill_status sim_stream_point(struct sim_stream *stream, struct point *point);

/* ---- What the host knows ------------------------------------------------------ */

/* Let the pools know that a thread waited for a point, for all blocking streams of the context, or
 * for all its streams.  Called without locks. */
void sim_synchronized_pools(struct sim_platform *platform, struct point point);
void sim_synchronized_blocking(struct sim_context *context);
void sim_synchronized_context(struct sim_context *context);

static inline void sim_synchronized_point(struct sim_platform *platform, struct point point)
{
    if (point.strand && sim_pools_dirty(platform)) sim_synchronized_pools(platform, point);
}

/* ---- Events that a launch records ----------------------------------------------- */

/* Checks that a launch in the stream can record the event, without a time. */
rill_status sim_event_check_launch(struct sim_stream *stream, const rill_attribute *attribute);

/* Sets the event to the submission's last operation. */
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

/* Submits an operation that fails the device (fault_op.c). */
rill_status sim_submit_fault(rill_stream *handle, rill_status status, const char *message);

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

/* Checks whether the attribute can have this value. */
rill_status sim_attribute_check(const rill_attribute *attribute);
rill_status sim_stream_get_attribute(rill_stream *handle, rill_attribute *attribute);
rill_status sim_stream_set_attribute(rill_stream *handle, const rill_attribute *attribute);
rill_status sim_stream_copy_attributes(rill_stream *dst, rill_stream *src);
rill_status sim_stream_add_callback(rill_stream *handle, rill_stream_callback callback, void *data,
                                    uint32_t flags);

/* ---- The streams of a context ------------------------------------------------- */

struct thread_stream;

/* Linked through all_next and all_previous. */
struct strand_list {
    struct strand *first, *last;
};

struct sim_streams {
    struct rl_lock lock;
    struct strand_list all;     /* strands of live streams; lock                    */
    struct strand_list orphans; /* strands of destroyed streams that may still be pending,
                                   the newest first; lock                           */
    struct strand *legacy_list; /* blocking strands with work since the last submission of
                                   the legacy stream, through legacy_next; lock     */
    struct sim_stream *legacy;     /* fixed                                         */
    struct sim_stream *per_thread; /* the handle that stands for each thread's own; fixed */
    struct thread_stream *threads; /* links_lock in thread_streams.c                */
};

rill_status sim_streams_create(struct sim_context *context);

/* Frees them; nothing may be pending.  Streams that the program has not destroyed yet keep their
 * strands. */
void sim_streams_destroy(struct sim_context *context);

/* Adds the strand of a stream, with a reference of the list's own; and moves it to the orphans,
 * since the stream is destroyed. */
void sim_streams_add(struct sim_streams *streams, struct strand *strand);
void sim_streams_orphan(struct sim_streams *streams, struct strand *strand);

/* Takes a strand off the list for the legacy stream, if the strand is there.  Requires
 * streams->lock. */
void sim_streams_unlist(struct sim_streams *streams, struct strand *strand);

/* Tells whether nothing is pending in any blocking stream. */
bool sim_streams_blocking_done(struct sim_streams *streams);

/* Waits for all that is in the context's streams now. */
rill_status sim_streams_drain(struct sim_context *context);

/* Does the same without memory for a list, until nothing is pending. */
void sim_streams_drain_each(struct sim_context *context);

/* Returns the calling thread's default stream in the context; creates it at the first use. */
rill_status sim_thread_stream_get(struct sim_context *context, struct sim_stream **stream);

/* Retires all threads' default streams in the context. */
void sim_thread_streams_forget(struct sim_context *context);

#endif
