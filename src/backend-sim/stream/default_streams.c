/* SPDX-License-Identifier: Apache-2.0
 *
 * The implicit order among the streams of a context: an operation of the legacy stream runs after
 * what is in every blocking stream, and what comes to a blocking stream later runs after that
 * operation.
 *
 * Both are waits for points.  A blocking stream compares one number, how much was submitted to
 * the legacy stream.  The legacy stream takes the blocking strands that were used since its
 * last submission; they put themselves on a list for that.  Submissions read the numbers of
 * other strands before they publish their own, so the waits of two threads never form a circle.
 */
#include "backend-sim/stream/stream.h"

/* ---- The list of the legacy stream --------------------------------------------- */

/* Requires streams->lock, as does unlink_legacy().  The flag and the list change together, so a
 * thread with the lock that sees the flag finds the strand on the list. */
static void link_legacy(struct sim_streams *streams, struct strand *strand)
{
    sim_strand_retain(strand);
    atomic_store(&strand->in_legacy_list, true);
    strand->legacy_previous = NULL;
    strand->legacy_next = streams->legacy_list;
    if (streams->legacy_list) streams->legacy_list->legacy_previous = strand;
    streams->legacy_list = strand;
}

static void unlink_legacy(struct sim_streams *streams, struct strand *strand)
{
    atomic_store(&strand->in_legacy_list, false);
    if (strand->legacy_previous) strand->legacy_previous->legacy_next = strand->legacy_next;
    else streams->legacy_list = strand->legacy_next;
    if (strand->legacy_next) strand->legacy_next->legacy_previous = strand->legacy_previous;
    sim_strand_release(strand);
}

void sim_streams_unlist(struct sim_streams *streams, struct strand *strand)
{
    if (atomic_load(&strand->in_legacy_list)) unlink_legacy(streams, strand);
}

/* ---- The order ------------------------------------------------------------------ */

/* Orders the submission after all that was submitted to the legacy stream. */
static bool order_after_legacy(struct sim_stream *stream, struct submission *submission)
{
    struct strand *strand = stream->strand, *legacy = stream->context->streams->legacy->strand;
    uint64_t submitted = sim_strand_submitted(legacy);
    if (submitted == strand->legacy_seen) return true;
    if (!sim_submission_wait(submission, (struct point){ legacy, submitted })) return false;
    strand->legacy_seen = submitted;
    return true;
}

/* Orders the submission after all that is in the blocking streams.  On failure the strands that
 * are left stay on the list. */
static bool order_after_blocking(struct sim_streams *streams, struct submission *submission)
{
    bool fits = true;
    rl_lock(&streams->lock);
    while (fits && streams->legacy_list) {
        struct strand *strand = streams->legacy_list;
        sim_strand_retain(strand);
        /* What the strand submits is either counted here or lists the strand again. */
        rl_spin_lock(&strand->submit_lock);
        unlink_legacy(streams, strand);
        struct point point = { strand, sim_strand_submitted(strand) };
        rl_spin_unlock(&strand->submit_lock);
        fits = sim_submission_wait(submission, point);
        if (!fits) link_legacy(streams, strand);
        sim_strand_release(strand);
    }
    rl_unlock(&streams->lock);
    return fits;
}

rill_status sim_stream_order(struct sim_stream *stream, struct submission *submission)
{
    bool fits = stream->kind == STREAM_LEGACY
                    ? order_after_blocking(stream->context->streams, submission)
                    : order_after_legacy(stream, submission);
    return fits ? RILL_SUCCESS : sim_stream_abort(stream, submission);
}

void sim_stream_list(struct sim_stream *stream)
{
    struct strand *strand = stream->strand;
    struct sim_streams *streams = stream->context->streams;
    if (stream->kind == STREAM_LEGACY) return;
    rl_lock(&streams->lock);
    if (!atomic_load(&strand->in_legacy_list)) link_legacy(streams, strand);
    rl_unlock(&streams->lock);
}

rill_status sim_stream_abort(struct sim_stream *stream, struct submission *submission)
{
    /* Waits that were added stay: they order more than was asked for, which is allowed, and the
     * strands that they wait for are off the list. */
    sim_stream_commit(stream, submission);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "no memory is left for the stream's queue");
}

rill_status sim_stream_point(struct sim_stream *stream, struct point *point)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    *point = sim_submission_end(&submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}

bool sim_streams_blocking_done(struct sim_streams *streams)
{
    bool done = true;
    rl_lock(&streams->lock);
    for (struct strand *s = streams->legacy_list; s && done; s = s->legacy_next)
        done = sim_strand_is_drained(s);
    rl_unlock(&streams->lock);
    return done;
}
