/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events: which points an operation comes after, as its calls promise it.
 *
 *     submit        after what is in the stream, what the caller has done, and what default
 *                   streams add
 *     record, wait  the stream comes after what the event stood for when the wait was called
 *
 * ts_order.lock protects all of it.
 */
#ifndef TS_STREAM_H
#define TS_STREAM_H

#include "layer-tsan/order/point.h"

struct ts_context;

struct ts_stream {
    struct ts_stream *next; /* of the context's              */
    struct ts_context *context;
    struct ts_front front;  /* what its next operation is after */
    uint64_t line, number;  /* of its newest operation       */
    struct ts_shared_home *home;
    uint64_t thread;        /* of a per-thread stream; else 0 */
    bool blocking, legacy;
    char name[TS_NAME_MAX]; /* "stream 3"                    */
};

struct ts_context {
    struct ts_stream *streams;
    struct ts_stream *legacy; /* one of them, or NULL while nobody has used it  */
    struct ts_front left, left_blocking; /* of streams that were destroyed      */
};

struct ts_event {
    unsigned references;
    bool recorded;
    struct ts_front front; /* what it stands for */
};

/* Adds a stream to a context.  Returns NULL if memory is short. */
struct ts_stream *ts_stream_create(struct ts_order *order, struct ts_context *context,
                                   bool blocking, bool legacy);

/* Forgets a stream; who waits for its context goes on to wait for what was in it. */
void ts_stream_destroy(struct ts_order *order, struct ts_stream *stream);

void ts_context_fini(struct ts_context *context);

/* Adds what who waits for the stream waits for: the legacy stream stands for the blocking ones as
 * well. */
void ts_stream_join(struct ts_order *order, struct ts_front *front, const struct ts_stream *stream);

/* Has the stream come after the call that goes on, and what default streams order. */
void ts_stream_enter(struct ts_order *order, struct ts_stream *stream);

/* Enters the stream and adds a point of an operation, which stays there.  Returns NULL if memory is
 * short. */
struct ts_point *ts_stream_add(struct ts_order *order, struct ts_stream *stream, const void *site);

void ts_event_record(struct ts_order *order, struct ts_event *event, struct ts_stream *stream);
void ts_event_wait(struct ts_order *order, const struct ts_event *event, struct ts_stream *stream);
void ts_event_release(struct ts_event *event); /* which may be NULL */

/* Adds all that is in the streams of a context. */
void ts_context_join(struct ts_order *order, struct ts_front *front,
                     const struct ts_context *context);

#endif
