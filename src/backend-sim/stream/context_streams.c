/* SPDX-License-Identifier: Apache-2.0
 *
 * The streams of a context: the strands of all that live, those of destroyed ones that may still be
 * pending, and waiting for all of them.
 */
#include "backend-sim/scheduler/wait.h"
#include "backend-sim/stream/stream.h"
#include "base/alloc.h"

/* ---- Keeping track ------------------------------------------------------------------ */

static void push_strand(struct strand_list *list, struct strand *strand)
{
    strand->all_previous = NULL;
    strand->all_next = list->first;
    if (list->first) list->first->all_previous = strand;
    else list->last = strand;
    list->first = strand;
}

static void remove_strand(struct strand_list *list, struct strand *strand)
{
    if (strand->all_previous) strand->all_previous->all_next = strand->all_next;
    else list->first = strand->all_next;
    if (strand->all_next) strand->all_next->all_previous = strand->all_previous;
    else list->last = strand->all_previous;
    strand->all_next = strand->all_previous = NULL;
}

void sim_streams_add(struct sim_streams *streams, struct strand *strand)
{
    sim_strand_retain(strand);
    rl_lock(&streams->lock);
    push_strand(&streams->all, strand);
    rl_unlock(&streams->lock);
}

/* Forgets a strand that is done and whose stream is destroyed: no thread waits for it any more.
 * Requires streams->lock. */
static void forget_strand(struct sim_streams *streams, struct strand *strand)
{
    sim_streams_unlist(streams, strand);
    sim_strand_release(strand);
}

/* How many of the oldest orphans each new one sweeps, if they are done: none then stays for
 * long, and no call sweeps all. */
#define SWEEP 4

static void sweep_orphans(struct sim_streams *streams)
{
    for (int i = 0; i < SWEEP && streams->orphans.last; i++) {
        struct strand *oldest = streams->orphans.last;
        remove_strand(&streams->orphans, oldest);
        if (sim_strand_is_drained(oldest)) forget_strand(streams, oldest);
        else push_strand(&streams->orphans, oldest);
    }
}

void sim_streams_orphan(struct sim_streams *streams, struct strand *strand)
{
    rl_lock(&streams->lock);
    remove_strand(&streams->all, strand);
    sweep_orphans(streams);
    if (sim_strand_is_drained(strand)) forget_strand(streams, strand);
    else push_strand(&streams->orphans, strand);
    rl_unlock(&streams->lock);
}

static void forget_strands(struct sim_streams *streams, struct strand_list *list)
{
    while (list->first) {
        struct strand *strand = list->first;
        remove_strand(list, strand);
        forget_strand(streams, strand);
    }
}

/* Sweeps all orphans, after a wait for all of them. */
static void sweep_all_orphans(struct sim_streams *streams)
{
    rl_lock(&streams->lock);
    for (struct strand *strand = streams->orphans.first, *next; strand; strand = next) {
        next = strand->all_next;
        if (!sim_strand_is_drained(strand)) continue;
        remove_strand(&streams->orphans, strand);
        forget_strand(streams, strand);
    }
    rl_unlock(&streams->lock);
}

/* ---- Waiting for all --------------------------------------------------------------- */

/* Returns how many strands the list has, and sets `pending` if any has work. */
static size_t count_strands(const struct strand_list *list, bool *pending)
{
    size_t count = 0;
    for (struct strand *s = list->first; s; s = s->all_next) {
        if (!sim_strand_is_drained(s)) *pending = true;
        count++;
    }
    return count;
}

static size_t collect_pending(const struct strand_list *list, struct point *points, size_t room)
{
    size_t count = 0;
    for (struct strand *s = list->first; s && count < room; s = s->all_next) {
        if (sim_strand_is_drained(s)) continue;
        sim_strand_retain(s);
        points[count++] = (struct point){ s, sim_strand_submitted(s) };
    }
    return count;
}

rill_status sim_streams_drain(struct sim_context *context)
{
    struct sim_streams *streams = context->streams;
    bool pending = false;
    rl_lock(&streams->lock);
    /* Room for all: other threads submit while this counts, and no strand that is pending now
     * may be left out for one that becomes so. */
    size_t room = count_strands(&streams->all, &pending);
    room += count_strands(&streams->orphans, &pending);
    struct point *points = pending ? rl_alloc(room * sizeof *points) : NULL;
    size_t count = 0;
    if (points) {
        count = collect_pending(&streams->all, points, room);
        count += collect_pending(&streams->orphans, points + count, room - count);
    }
    rl_unlock(&streams->lock);
    if (pending && !points)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "no memory is left to list the pending streams");
    for (size_t i = 0; i < count; i++) {
        sim_engine_wait(context->platform->engine, points[i], false);
        sim_strand_release(points[i].strand);
    }
    rl_free(points);
    sweep_all_orphans(streams);
    return RILL_SUCCESS;
}

void sim_streams_drain_each(struct sim_context *context)
{
    struct sim_streams *streams = context->streams;
    for (;;) {
        struct point point;
        rl_lock(&streams->lock);
        bool found = collect_pending(&streams->all, &point, 1) ||
                     collect_pending(&streams->orphans, &point, 1);
        rl_unlock(&streams->lock);
        if (!found) return;
        sim_engine_wait(context->platform->engine, point, false);
        sim_strand_release(point.strand);
    }
}

/* ---- Making them ------------------------------------------------------------------- */

static rill_status make_default_stream(struct sim_context *context, enum stream_kind kind,
                                       struct sim_stream **out)
{
    void *object;
    rill_status status = rill_backend_own(RILL_OBJECT_STREAM, context->handle, context->handle,
                                          &object);
    if (status) return status;
    struct sim_stream *stream = sim_stream_of(object);
    sim_stream_init(stream, object, context);
    stream->kind = kind;
    *out = stream;
    return RILL_SUCCESS;
}

rill_status sim_streams_create(struct sim_context *context)
{
    struct sim_streams *streams = rl_zalloc(sizeof *streams);
    if (!streams) return RILL_ERROR_OUT_OF_MEMORY;
    context->streams = streams;
    rill_status status = make_default_stream(context, STREAM_LEGACY, &streams->legacy);
    if (!status) status = make_default_stream(context, STREAM_PER_THREAD, &streams->per_thread);
    if (!status) {
        struct sim_stream *legacy = streams->legacy;
        legacy->strand = sim_strand_create(context->platform->engine, context,
                                           rill_object_of(legacy->handle)->id,
                                           -context->platform->priority_greatest);
        if (!legacy->strand) status = RILL_ERROR_OUT_OF_MEMORY;
    }
    if (status) {
        sim_streams_destroy(context);
        return status;
    }
    sim_stream_lend_name(streams->legacy->handle, streams->legacy->strand);
    sim_streams_add(streams, streams->legacy->strand);
    return RILL_SUCCESS;
}

void sim_streams_destroy(struct sim_context *context)
{
    struct sim_streams *streams = context->streams;
    sim_thread_streams_forget(context);
    rl_lock(&context->end_lock);
    forget_strands(streams, &streams->all);
    forget_strands(streams, &streams->orphans);
    context->streams = NULL;
    rl_unlock(&context->end_lock);
    if (streams->legacy) {
        if (streams->legacy->strand) {
            sim_stream_lend_name(NULL, streams->legacy->strand);
            sim_strand_disown(streams->legacy->strand);
        }
        rill_backend_disown(streams->legacy->handle);
    }
    if (streams->per_thread) rill_backend_disown(streams->per_thread->handle);
    rl_free(streams);
}
