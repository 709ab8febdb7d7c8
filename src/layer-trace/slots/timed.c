/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/slots/timed.h"

#include <stdio.h>

#include "base/alloc.h"
#include "layer-trace/slots/words.h"

/* An event's time is told as a float of milliseconds: after so many, the next ones are measured
 * from a later event. */
#define REBASE_MS 2000.0f
enum { NAME_MAX_BYTES = 96, ASK_EACH = 64 };

struct tr_timed_op {
    struct tr_timed_op *next;
    struct tr_timed_queue *queue;
    rill_event *before, *after;
    rill_span span;
    char name[NAME_MAX_BYTES];
};

/* The operations of a stream that are not known to be done, the oldest first. */
struct tr_timed_queue {
    struct tr_timed_queue *next;
    struct tr_timed_context *context;
    uint64_t id;              /* of the stream */
    uint64_t submitted;       /* operations    */
    uint64_t end_ns;          /* of the last one that was done */
    struct tr_timed_op *first, *last;
    unsigned pending;
};

struct tr_timed_context {
    struct tr_timed_context *next;
    rill_context *context;
    int device;
    rill_event *base;         /* when it was reached is known: ... */
    uint64_t base_ns;
    struct tr_timed_op *spare; /* with their events */
    struct tr_timed_queue *queues;
};

struct tr_timed {
    struct rl_lock lock;      /* of all of it */
    struct tr_tracer *tracer;
    atomic_int captures;
    struct tr_timed_context *contexts;
};

/* ---- Events ---------------------------------------------------------------------------------- */

static rill_event *make_event(rill_context *context)
{
    const rill_event_options options = { .size = sizeof options, .flags = RILL_EVENT_TIMING };
    void *event;
    if (rill_backend_own(RILL_OBJECT_EVENT, context, context, &event)) return NULL;
    if (!tr_beneath(context)->event->create(event, &options)) return event;
    rill_backend_disown(event);
    return NULL;
}

static void drop_event(rill_event *event)
{
    if (!event) return;
    tr_beneath(event)->event->destroy(event);
    rill_backend_disown(event);
}

static rill_status record(rill_event *event, rill_stream *stream)
{
    rill_op op = { .kind = RILL_OP_EVENT_RECORD, .event = { .event = event } };
    return tr_beneath(stream)->stream->submit(stream, &op);
}

/* Records an event in a stream that has no other work, and waits for it. */
static bool record_base(struct tr_timed_context *context, rill_stream *stream)
{
    const struct rill_event_ops *events = tr_beneath(context->context)->event;
    if (record(context->base, stream) || events->synchronize(context->base)) return false;
    context->base_ns = rl_monotonic_ns();
    return true;
}

static bool make_base(struct tr_timed_context *context)
{
    const rill_stream_options options = { .size = sizeof options,
                                          .flags = RILL_STREAM_NON_BLOCKING };
    const struct rill_stream_ops *streams = tr_beneath(context->context)->stream;
    void *stream;
    context->base = make_event(context->context);
    if (!context->base ||
        rill_backend_own(RILL_OBJECT_STREAM, context->context, context->context, &stream))
        return false;
    bool done = !streams->create(stream, &options);
    if (done) {
        done = record_base(context, stream);
        streams->destroy(stream);
    }
    rill_backend_disown(stream);
    return done;
}

/* ---- Contexts and queues --------------------------------------------------------------------- */

static void free_op(struct tr_timed_op *op)
{
    drop_event(op->before);
    drop_event(op->after);
    rl_free(op);
}

/* Frees a context with all that it has. */
static void free_context(struct tr_timed_context *context)
{
    struct tr_timed_queue *queue;
    struct tr_timed_op *op;
    while ((queue = context->queues)) {
        context->queues = queue->next;
        while ((op = queue->first)) queue->first = op->next, free_op(op);
        rl_free(queue);
    }
    while ((op = context->spare)) context->spare = op->next, free_op(op);
    drop_event(context->base);
    rl_free(context);
}

/* Requires timed->lock, as do those that follow. */
static struct tr_timed_context *find_context(struct tr_timed *timed, rill_context *handle)
{
    struct tr_timed_context *context = timed->contexts;
    while (context && context->context != handle) context = context->next;
    if (context || atomic_load(&timed->captures)) return context;
    context = rl_zalloc(sizeof *context);
    if (!context) return NULL;
    context->context = handle;
    context->device = tr_context_device(handle);
    if (!make_base(context)) {
        free_context(context);
        return NULL;
    }
    context->next = timed->contexts;
    return timed->contexts = context;
}

static struct tr_timed_queue *find_queue(struct tr_timed *timed, rill_stream *stream)
{
    uint64_t id;
    struct tr_timed_context *context = find_context(timed, rill_object_of(stream)->context);
    if (!context || tr_beneath(stream)->stream->id(stream, &id)) return NULL;
    struct tr_timed_queue *queue = context->queues;
    while (queue && queue->id != id) queue = queue->next;
    if (queue) return queue;
    queue = rl_zalloc(sizeof *queue);
    if (!queue) return NULL;
    *queue = (struct tr_timed_queue){ .next = context->queues, .context = context, .id = id };
    return context->queues = queue;
}

static struct tr_timed_op *take_op(struct tr_timed *timed, struct tr_timed_queue *queue)
{
    struct tr_timed_context *context = queue->context;
    struct tr_timed_op *op = context->spare;
    if (op) {
        context->spare = op->next;
    } else {
        if (atomic_load(&timed->captures) || !(op = rl_zalloc(sizeof *op))) return NULL;
        op->before = make_event(context->context);
        op->after = make_event(context->context);
        if (!op->before || !op->after) {
            free_op(op);
            return NULL;
        }
    }
    op->next = NULL;
    op->queue = queue;
    return op;
}

/* ---- Operations ------------------------------------------------------------------------------ */

static bool is_capturing(const struct tr_timed *timed, rill_stream *stream)
{
    rill_capture_info info = { .size = sizeof info };
    if (!atomic_load(&timed->captures)) return false;
    const struct rill_capture_ops *captures = tr_beneath(stream)->capture;
    return !captures || captures->info(stream, &info) || info.state != RILL_CAPTURE_NONE;
}

static struct tr_timed_op *begin_op(struct tr_timed *timed, rill_stream *stream)
{
    if (is_capturing(timed, stream)) return NULL;
    rl_lock(&timed->lock);
    struct tr_timed_queue *queue = find_queue(timed, stream);
    struct tr_timed_op *op = queue ? take_op(timed, queue) : NULL;
    rl_unlock(&timed->lock);
    return op;
}

static void give_back(struct tr_timed *timed, struct tr_timed_op *op)
{
    rl_lock(&timed->lock);
    op->next = op->queue->context->spare;
    op->queue->context->spare = op;
    rl_unlock(&timed->lock);
}

struct tr_timed_op *tr_timed_begin(const struct tr_call *call, rill_stream *stream,
                                   rill_op_kind kind, const char *name, uint64_t bytes)
{
    struct tr_timed *timed = call->tracer ? call->tracer->timed : NULL;
    struct tr_timed_op *op = timed ? begin_op(timed, stream) : NULL;
    if (!op) return NULL;
    snprintf(op->name, sizeof op->name, "%s", name);
    op->span = (rill_span){ .queue = op->queue->id, .kind = kind, .bytes = bytes, .name = op->name,
                            .device = op->queue->context->device };
    if (!record(op->before, stream)) return op;
    give_back(timed, op);
    return NULL;
}

/* Appends the operation to its queue; it may be over and given up from then on.  Returns how many
 * are pending there. */
static unsigned add_op(struct tr_timed *timed, struct tr_timed_op *op, rill_event *event)
{
    struct tr_timed_queue *queue = op->queue;
    rl_lock(&timed->lock);
    struct tr_event_word *word = event ? tr_event_word(event) : NULL;
    op->span.point = ++queue->submitted;
    if (word && op->span.kind == RILL_OP_EVENT_RECORD) {
        word->queue = queue->id;
        word->point = op->span.point;
    } else if (word) {
        op->span.after_queue = word->queue;
        op->span.after_point = word->point;
    }
    if (queue->last) queue->last->next = op;
    else queue->first = op;
    queue->last = op;
    unsigned pending = ++queue->pending;
    tr_see_submitted(timed->tracer, queue->id, op->span.point, op->span.kind);
    rl_unlock(&timed->lock);
    return pending;
}

void tr_timed_end(struct tr_timed_op *op, rill_stream *stream, rill_event *event,
                  rill_status status)
{
    if (!op) return;
    struct tr_tracer *tracer = tr_tracer_of(stream);
    if (status || record(op->after, stream)) {
        give_back(tracer->timed, op);
        return;
    }
    if (add_op(tracer->timed, op, event) % ASK_EACH == 0) tr_timed_collect(tracer);
}

/* ---- Collecting ------------------------------------------------------------------------------ */

/* Returns the earliest moment at which the next operation of the queue can begin, for what rounding
 * has overlap, or threads that submit to one stream at the same time. */
static uint64_t earliest(const struct tr_timed_queue *queue)
{
    return queue->end_ns ? queue->end_ns : queue->context->base_ns;
}

/* Works out when an operation ran that is done.  What an event stands for is right behind `before`.
 * An operation whose times the backend does not tell, since the device failed, did not run. */
static void read_times(struct tr_timed_op *op)
{
    struct tr_timed_queue *queue = op->queue;
    struct tr_timed_context *context = queue->context;
    const struct rill_event_ops *events = tr_beneath(context->context)->event;
    float since = 0, took = 0;
    if (events->elapsed(context->base, op->before, &since) ||
        events->elapsed(op->before, op->after, &took)) {
        since = took = 0;
        op->span.dropped = 1;
    }
    if (op->span.kind == RILL_OP_EVENT_RECORD) took = 0;
    uint64_t begin = context->base_ns + (uint64_t)(since > 0 ? (double)since * 1e6 : 0);
    if (begin < earliest(queue)) begin = earliest(queue);
    op->span.begin_ns = begin;
    op->span.end_ns = queue->end_ns = begin + (uint64_t)(took > 0 ? (double)took * 1e6 : 0);
    if (since < REBASE_MS) return;
    rill_event *base = context->base;
    context->base_ns += (uint64_t)((double)since * 1e6);
    context->base = op->before;
    op->before = base;
}

/* Notes what is done of a queue, or that the rest never will be. */
static void collect_queue(struct tr_timed *timed, struct tr_timed_queue *queue, bool ends)
{
    struct tr_timed_context *context = queue->context;
    const struct rill_event_ops *events = tr_beneath(context->context)->event;
    struct tr_timed_op *op;
    while ((op = queue->first)) {
        rill_status status = events->query(op->after);
        if (status == RILL_ERROR_NOT_READY && !ends) return;
        op->span.dropped = status != RILL_SUCCESS;
        read_times(op);
        tr_see_ended(timed->tracer, &op->span);
        queue->first = op->next;
        if (!queue->first) queue->last = NULL;
        queue->pending--;
        op->next = context->spare;
        context->spare = op;
    }
}

static void collect_context(struct tr_timed *timed, struct tr_timed_context *context, bool ends)
{
    for (struct tr_timed_queue *queue = context->queues; queue; queue = queue->next)
        collect_queue(timed, queue, ends);
}

void tr_timed_collect(struct tr_tracer *tracer)
{
    struct tr_timed *timed = tracer->timed;
    if (!timed || atomic_load(&timed->captures)) return;
    rl_lock(&timed->lock);
    for (struct tr_timed_context *context = timed->contexts; context; context = context->next)
        collect_context(timed, context, false);
    rl_unlock(&timed->lock);
}

void tr_timed_end_context(struct tr_tracer *tracer, rill_context *handle)
{
    struct tr_timed *timed = tracer->timed;
    if (!timed) return;
    rl_lock(&timed->lock);
    struct tr_timed_context **link = &timed->contexts, *context;
    while (*link && (*link)->context != handle) link = &(*link)->next;
    if ((context = *link)) *link = context->next;
    rl_unlock(&timed->lock);
    if (!context) return;
    tr_beneath(handle)->context->synchronize(handle);
    collect_context(timed, context, true);
    free_context(context);
}

void tr_timed_count_capture(struct tr_tracer *tracer, int by)
{
    if (tracer->timed) atomic_fetch_add(&tracer->timed->captures, by);
}

/* ---- All of it ------------------------------------------------------------------------------- */

struct tr_timed *tr_timed_create(struct tr_tracer *tracer)
{
    struct tr_timed *timed = rl_zalloc(sizeof *timed);
    if (timed) timed->tracer = tracer;
    return timed;
}

void tr_timed_destroy(struct tr_timed *timed)
{
    while (timed && timed->contexts) {
        struct tr_timed_context *context = timed->contexts;
        timed->contexts = context->next;
        free_context(context);
    }
    rl_free(timed);
}
