/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/order/order.h"

#include "base/alloc.h"
#include "layer-check/order/caller.h"
#include "layer-check/order/line.h"

static const struct ck_point no_point = { .line = CK_HOST_LINE, .number = 0 };

bool ck_order_init(struct ck_order *order)
{
    *order = (struct ck_order){ .nothing = ck_clock_create(), .host = ck_clock_create(),
                                .host_version = 1, .line_count = CK_HOST_LINE + 1 };
    if (order->nothing && order->host) return true;
    ck_order_fini(order);
    return false;
}

void ck_order_fini(struct ck_order *order)
{
    while (order->callers) {
        struct ck_caller *caller = order->callers;
        order->callers = caller->next;
        ck_caller_release(caller);
    }
    ck_clock_release(order->nothing);
    ck_clock_release(order->host);
    rl_free(order->left);
}

static void join_clock(struct ck_order *order, struct ck_clock **clock, struct ck_clock *other,
                       struct ck_point point, uint32_t own)
{
    if (!ck_clock_join(clock, other, point, own)) order->failed = true;
}

/* ---- Streams ------------------------------------------------------------------------------- */

struct ck_stream *ck_stream_create(struct ck_order *order, struct ck_context_order *context,
                                   struct ck_who *who, bool blocking, bool legacy)
{
    struct ck_stream *stream = rl_zalloc(sizeof *stream);
    if (!stream) return NULL;
    stream->context = context;
    stream->who = who;
    stream->last = ck_line_take(order);
    stream->known = ck_clock_retain(order->nothing);
    stream->blocking = blocking;
    stream->legacy = legacy;
    stream->next = context->streams;
    context->streams = stream;
    stream->other = order->streams;
    order->streams = stream;
    if (legacy) context->legacy = stream;
    return stream;
}

static void keep_clock(struct ck_order *order, struct ck_clock **clock,
                       const struct ck_stream *stream)
{
    if (!*clock) *clock = ck_clock_retain(order->nothing);
    join_clock(order, clock, stream->known, stream->last, CK_HOST_LINE);
}

/* Has the context know what a stream leaves behind that the host need not know to be done. */
static void keep_work(struct ck_order *order, const struct ck_stream *stream)
{
    struct ck_context_order *context = stream->context;
    if (!ck_clock_lacks(order->host, stream->known, stream->last, CK_HOST_LINE)) return;
    keep_clock(order, &context->left, stream);
    if (stream->blocking) keep_clock(order, &context->left_blocking, stream);
}

void ck_context_order_fini(struct ck_context_order *context)
{
    ck_clock_release(context->left);
    ck_clock_release(context->left_blocking);
    context->left = context->left_blocking = NULL;
}

void ck_stream_destroy(struct ck_order *order, struct ck_stream *stream)
{
    keep_work(order, stream);
    struct ck_stream **link = &stream->context->streams;
    while (*link != stream) link = &(*link)->next;
    *link = stream->next;
    link = &order->streams;
    while (*link != stream) link = &(*link)->other;
    *link = stream->other;
    if (stream->legacy) stream->context->legacy = NULL;
    ck_line_leave(order, stream->last);
    ck_clock_release(stream->known);
    ck_who_release(stream->who);
    rl_free(stream);
}

void ck_stream_follow(struct ck_order *order, struct ck_stream *stream, struct ck_clock *clock,
                      struct ck_point point)
{
    join_clock(order, &stream->known, clock, point, stream->last.line);
}

/* Has a stream come after another one, as that is now. */
static void follow_stream(struct ck_order *order, struct ck_stream *stream,
                          const struct ck_stream *other)
{
    if (ck_clock_covers(stream->known, other->last) && !other->known->extra_count) return;
    ck_stream_follow(order, stream, other->known, other->last);
}

/* Has the stream come after what the caller knows, and after what default streams order. */
static void enter_stream(struct ck_order *order, struct ck_stream *stream)
{
    if (order->caller) {
        ck_stream_follow(order, stream, order->caller->known, no_point);
    } else if (stream->host_version != order->host_version) {
        stream->host_version = order->host_version;
        ck_stream_follow(order, stream, order->host,
                         (struct ck_point){ CK_HOST_LINE, order->host_number });
    }
    const struct ck_stream *legacy = stream->context->legacy;
    if (stream->legacy) {
        for (struct ck_stream *other = stream->context->streams; other; other = other->next)
            if (other->blocking && other != stream) follow_stream(order, stream, other);
        struct ck_clock *left = stream->context->left_blocking;
        if (left) ck_stream_follow(order, stream, left, no_point);
    } else if (stream->blocking && legacy) {
        follow_stream(order, stream, legacy);
    }
}

void ck_stream_follow_stream(struct ck_order *order, struct ck_stream *stream,
                             struct ck_stream *other)
{
    enter_stream(order, other);
    follow_stream(order, stream, other);
}

struct ck_work *ck_stream_add(struct ck_order *order, struct ck_stream *stream,
                              const struct ck_what *what, bool overlaps)
{
    enter_stream(order, stream);
    struct ck_point at = { stream->last.line, stream->last.number + 1 };
    struct ck_clock *before = ck_clock_retain(stream->known);
    struct ck_work *work = ck_work_create(at, before, stream->who, what);
    if (!work) {
        ck_clock_release(before);
        order->failed = true;
        return NULL;
    }
    work->serial = ++order->serial;
    if (order->caller) work->caller = ck_caller_retain(order->caller);
    if (overlaps && stream->last_kernel && stream->last_kernel == stream->last.number)
        work->own_before = at.number - 2;
    stream->last = at;
    if (what->kind == RILL_OP_KERNEL) stream->last_kernel = at.number;
    return work;
}

void ck_stream_take_back(struct ck_stream *stream, struct ck_work *work)
{
    work->dead = true;
    if (stream->last.number == work->at.number) stream->last.number--;
}

/* ---- Events -------------------------------------------------------------------------------- */

static void set_event(struct ck_event *event, struct ck_clock *clock, struct ck_point point,
                      const struct ck_what *what)
{
    ck_event_fini(event);
    *event = (struct ck_event){ .recorded = true, .clock = clock, .point = point, .what = *what };
}

void ck_event_record(struct ck_order *order, struct ck_event *event, struct ck_stream *stream,
                     const struct ck_what *what)
{
    enter_stream(order, stream);
    stream->last.number++;
    set_event(event, ck_clock_retain(stream->known), stream->last, what);
}

enum ck_wait ck_event_wait(struct ck_order *order, struct ck_stream *stream,
                           const struct ck_event *event)
{
    stream->last.number++;
    if (!event->recorded) return CK_WAIT_NEVER; /* orders nothing, not even default streams */
    enter_stream(order, stream);
    bool part = event->part.launch != NULL;
    if (!part && !ck_clock_lacks(stream->known, event->clock, event->point, stream->last.line))
        return CK_WAIT_REPEATS;
    ck_stream_follow(order, stream, event->clock, event->point);
    if (part && !ck_clock_join_extra(&stream->known, &event->part)) order->failed = true;
    return CK_WAIT_ORDERS;
}

/* Returns what is promised to be done when a node of a launch begins, but for other nodes. */
static struct ck_clock *clock_before_node(struct ck_order *order, const struct ck_work *launch,
                                          uint32_t node)
{
    struct ck_clock *clock = ck_clock_retain(launch->before);
    for (struct ck_node_wait *wait = launch->waits; wait; wait = wait->next)
        if (ck_node_reaches(launch, wait->node, node))
            join_clock(order, &clock, wait->clock, no_point, launch->at.line);
    return clock;
}

struct ck_clock *ck_order_clock_after(struct ck_order *order, const struct ck_step *step)
{
    struct ck_work *work = step->work;
    struct ck_clock *clock = clock_before_node(order, work, step->node);
    const struct ck_extra part = { .launch = work, .node = step->node };
    const struct ck_point done = { work->at.line, step->node ? work->own_before : work->at.number };
    join_clock(order, &clock, order->nothing, done, UINT32_MAX);
    if (step->node && !ck_clock_join_extra(&clock, &part)) order->failed = true;
    return clock;
}

void ck_event_record_node(struct ck_order *order, struct ck_event *event, struct ck_work *launch,
                          uint32_t node, const struct ck_what *what)
{
    struct ck_clock *clock = clock_before_node(order, launch, node);
    set_event(event, clock, (struct ck_point){ launch->at.line, launch->own_before }, what);
    event->part = (struct ck_extra){ .launch = ck_work_retain(launch), .node = node };
}

void ck_event_wait_node(struct ck_order *order, struct ck_work *launch, uint32_t node,
                        const struct ck_event *event)
{
    if (!event->recorded) return;
    struct ck_node_wait *wait = rl_zalloc(sizeof *wait);
    struct ck_clock *clock = ck_clock_retain(event->clock);
    join_clock(order, &clock, order->nothing, event->point, launch->at.line);
    if (event->part.launch && !ck_clock_join_extra(&clock, &event->part)) order->failed = true;
    if (!wait) {
        ck_clock_release(clock);
        order->failed = true;
        return;
    }
    *wait = (struct ck_node_wait){ .next = launch->waits, .node = node, .clock = clock };
    launch->waits = wait;
}

void ck_event_fini(struct ck_event *event)
{
    ck_clock_release(event->clock);
    ck_work_release(event->part.launch);
    *event = (struct ck_event){ .recorded = false };
}

/* ---- Callers ------------------------------------------------------------------------------- */

struct ck_caller *ck_order_add_caller(struct ck_order *order, const struct ck_step *step)
{
    struct ck_clock *known = ck_order_clock_after(order, step);
    if (!ck_clock_follow_callers(&known, CK_HOST_LINE, 0, order->callers)) order->failed = true;
    struct ck_caller *caller = ck_caller_create(step, known);
    if (!caller) {
        ck_clock_release(known);
        order->failed = true;
        return NULL;
    }
    caller->next = caller->past = order->callers;
    while (caller->past && ck_clock_covers_step(known, &caller->past->step))
        caller->past = caller->past->past;
    return order->callers = caller;
}

/* Has the host know what callers have waited for that it knows to be done. */
static bool learn_from_callers(struct ck_order *order)
{
    bool news = false;
    for (struct ck_caller *caller = order->callers; caller; caller = caller->next) {
        if (!ck_clock_covers_step(order->host, &caller->step)) continue;
        if (caller->learned == UINT64_MAX) {
            caller->learned = order->serial;
            order->learned_callers++;
        }
        if (!ck_clock_lacks(order->host, caller->known, no_point, CK_HOST_LINE)) continue;
        join_clock(order, &order->host, caller->known, no_point, CK_HOST_LINE);
        news = true;
    }
    return news;
}

void ck_order_forget_callers(struct ck_order *order, uint64_t oldest)
{
    if (!order->learned_callers) return;
    for (struct ck_caller *caller = order->callers; caller; caller = caller->next)
        while (caller->past && caller->past->learned < oldest) caller->past = caller->past->next;
    for (struct ck_caller **link = &order->callers; *link;) {
        struct ck_caller *caller = *link;
        if (caller->learned >= oldest) {
            link = &caller->next;
            continue;
        }
        *link = caller->next;
        order->learned_callers--;
        ck_caller_release(caller);
    }
}

/* ---- The host ------------------------------------------------------------------------------ */

static bool caller_learns(struct ck_order *order, struct ck_clock *clock, struct ck_point point)
{
    struct ck_caller *caller = order->caller;
    bool news = ck_clock_lacks(caller->known, clock, point, CK_HOST_LINE);
    join_clock(order, &caller->known, clock, point, CK_HOST_LINE);
    return news;
}

/* Has the host, or the caller, know a clock and a point.  Returns whether that was news. */
static bool host_learns(struct ck_order *order, struct ck_clock *clock, struct ck_point point)
{
    if (order->caller) return caller_learns(order, clock, point);
    if (!ck_clock_lacks(order->host, clock, point, CK_HOST_LINE)) return false;
    join_clock(order, &order->host, clock, point, CK_HOST_LINE);
    while (order->callers && learn_from_callers(order)) {}
    order->host_version++;
    return true;
}

/* The legacy stream stands for the blocking ones as well; those come after it only once something
 * is submitted to them. */
bool ck_host_learns_stream(struct ck_order *order, struct ck_stream *stream)
{
    if (stream->legacy) enter_stream(order, stream);
    return host_learns(order, stream->known, stream->last);
}

bool ck_host_learns_context(struct ck_order *order, struct ck_context_order *context)
{
    bool news = false;
    for (struct ck_stream *stream = context->streams; stream; stream = stream->next)
        if (host_learns(order, stream->known, stream->last)) news = true;
    if (context->left && host_learns(order, context->left, no_point)) news = true;
    if (!order->caller) ck_context_order_fini(context);
    return news;
}

bool ck_host_learns_event(struct ck_order *order, const struct ck_event *event)
{
    if (!event->recorded) return false;
    bool part = event->part.launch != NULL;
    bool news = host_learns(order, event->clock, event->point) || part;
    struct ck_clock **known = order->caller ? &order->caller->known : &order->host;
    if (part && !ck_clock_join_extra(known, &event->part)) order->failed = true;
    return news;
}

bool ck_host_learns_work(struct ck_order *order, const struct ck_work *work)
{
    return host_learns(order, work->before, work->at);
}

bool ck_host_learns_before(struct ck_order *order, const struct ck_work *work)
{
    return host_learns(order, work->before, (struct ck_point){ work->at.line, work->own_before });
}

void ck_work_wait(struct ck_order *order, struct ck_work *work,
                  const struct ck_context_order *context)
{
    for (const struct ck_stream *stream = context->streams; stream; stream = stream->next)
        join_clock(order, &work->before, stream->known, stream->last, CK_HOST_LINE);
    if (context->left) join_clock(order, &work->before, context->left, no_point, CK_HOST_LINE);
}

struct ck_work *ck_host_add(struct ck_order *order, const struct ck_what *what)
{
    struct ck_point at = { CK_HOST_LINE, order->host_number + 1 };
    struct ck_clock *before = ck_clock_retain(order->host);
    struct ck_work *work = ck_work_create(at, before, NULL, what);
    if (!work) {
        ck_clock_release(before);
        order->failed = true;
        return NULL;
    }
    work->serial = ++order->serial;
    order->host_number++;
    order->host_version++;
    return work;
}
