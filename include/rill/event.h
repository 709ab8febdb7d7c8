/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/event.h>: events.
 *
 * An event stands for what was in a stream when the event was last recorded.  An event
 * that was never recorded stands for nothing, which is always complete.
 */
#ifndef RILL_EVENT_H
#define RILL_EVENT_H

#include <rill/op.h>

RILL_BEGIN_DECLS

enum {
    RILL_EVENT_TIMING = 0x1,        /* can be asked for elapsed time              */
    RILL_EVENT_BLOCKING_SYNC = 0x2, /* a waiting host thread sleeps, never spins  */
    RILL_EVENT_INTERPROCESS = 0x4   /* excludes timing                            */
};

typedef struct rill_event_options {
    size_t size;
    uint32_t flags;
    const char *label;
} rill_event_options;

/* Creates an event.  NULL options stand for an event without timing. */
RILL_API rill_status rill_event_create(rill_context *context, const rill_event_options *options,
                                       rill_event **event);

/* Destroys the event, which may still be pending.  Work that waits for the event still
 * waits. */
RILL_API rill_status rill_event_destroy(rill_event **event);

/* Makes the event stand for what is in `stream` now.  `flags` is 0 or
 * RILL_EVENT_EXTERNAL. */
RILL_API rill_status rill_event_record(rill_event *event, rill_stream *stream, uint32_t flags);

/* Returns RILL_SUCCESS if what the event stands for is done, else RILL_ERROR_NOT_READY. */
RILL_API rill_status rill_event_query(rill_event *event);

/* Waits for what the event stands for at the time of the call. */
RILL_API rill_status rill_event_synchronize(rill_event *event);

/* Measures the time from `start` to `end`.  The time is negative if `end` completed
 * first. */
RILL_API rill_status rill_event_elapsed(rill_event *start, rill_event *end, float *milliseconds);

/* Returns the context in which the event was created. */
RILL_API rill_status rill_event_context(rill_event *event, rill_context **context);

/* Sets, or returns, the name that error records use for the event.  The label is
 * copied; after NULL, records use the event's number.  A label that was returned stays
 * readable for as long as the event exists. */
RILL_API rill_status rill_event_set_label(rill_event *event, const char *label);
RILL_API const char *rill_event_label(const rill_event *event);

RILL_END_DECLS

#endif
