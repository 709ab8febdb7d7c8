/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/order/stream.h"

#include <string.h>

#include "base/alloc.h"

struct ts_stream *ts_stream_create(struct ts_order *order, struct ts_context *context,
                                   bool blocking, bool legacy)
{
    struct ts_stream *stream = rl_zalloc(sizeof *stream);
    if (!stream) {
        order->failed = true;
        return NULL;
    }
    stream->home = rl_zalloc(sizeof *stream->home);
    if (stream->home) {
        stream->home->references = 1;
        stream->home->home = ts_home_create();
    }
    stream->context = context;
    stream->line = ts_line_new();
    stream->blocking = blocking;
    stream->legacy = legacy;
    stream->next = context->streams;
    context->streams = stream;
    if (legacy) context->legacy = stream;
    return stream;
}

void ts_stream_destroy(struct ts_order *order, struct ts_stream *stream)
{
    struct ts_context *context = stream->context;
    struct ts_stream **link = &context->streams;
    while (*link != stream) link = &(*link)->next;
    *link = stream->next;
    if (stream->legacy) context->legacy = NULL;
    ts_front_join(order, &context->left, &stream->front);
    ts_front_fold(order, &context->left);
    if (stream->blocking) ts_front_join(order, &context->left_blocking, &stream->front);
    ts_front_fold(order, &context->left_blocking);
    ts_front_fini(&stream->front);
    ts_shared_home_release(stream->home);
    rl_free(stream);
}

void ts_context_fini(struct ts_context *context)
{
    ts_front_fini(&context->left);
    ts_front_fini(&context->left_blocking);
}

static void join_defaults(struct ts_order *order, struct ts_front *front,
                          const struct ts_stream *stream)
{
    const struct ts_context *context = stream->context;
    if (stream->legacy) {
        for (const struct ts_stream *other = context->streams; other; other = other->next)
            if (other->blocking) ts_front_join(order, front, &other->front);
        ts_front_join(order, front, &context->left_blocking);
    } else if (stream->blocking && context->legacy) {
        ts_front_join(order, front, &context->legacy->front);
    }
}

void ts_stream_join(struct ts_order *order, struct ts_front *front, const struct ts_stream *stream)
{
    ts_front_join(order, front, &stream->front);
    if (stream->legacy) join_defaults(order, front, stream);
}

void ts_stream_enter(struct ts_order *order, struct ts_stream *stream)
{
    struct ts_point *here = ts_point_here(order);
    ts_front_add(order, &stream->front, here);
    ts_point_release(here);
    join_defaults(order, &stream->front, stream);
    ts_front_fold(order, &stream->front);
}

struct ts_point *ts_stream_add(struct ts_order *order, struct ts_stream *stream, const void *site)
{
    ts_stream_enter(order, stream);
    struct ts_point *point = ts_point_create(order, stream->line, ++stream->number);
    if (!point) return NULL;
    memcpy(point->name, stream->name, sizeof point->name);
    point->site = site;
    point->home = ts_shared_home_retain(stream->home);
    ts_front_join(order, &point->before, &stream->front);
    ts_front_set(order, &stream->front, point);
    return point;
}

void ts_event_record(struct ts_order *order, struct ts_event *event, struct ts_stream *stream)
{
    ts_stream_enter(order, stream);
    ts_front_fini(&event->front);
    ts_front_join(order, &event->front, &stream->front);
    event->recorded = true;
}

void ts_event_wait(struct ts_order *order, const struct ts_event *event, struct ts_stream *stream)
{
    if (!event->recorded) return; /* orders nothing, not even default streams */
    ts_stream_enter(order, stream);
    ts_front_join(order, &stream->front, &event->front);
}

void ts_event_release(struct ts_event *event)
{
    if (!event || --event->references) return;
    ts_front_fini(&event->front);
    rl_free(event);
}

void ts_context_join(struct ts_order *order, struct ts_front *front,
                     const struct ts_context *context)
{
    for (const struct ts_stream *stream = context->streams; stream; stream = stream->next)
        ts_front_join(order, front, &stream->front);
    ts_front_join(order, front, &context->left);
}
