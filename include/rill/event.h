/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/event.h>: events.
 *
 * An event stands for what was in a stream when it was last recorded.  One
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

/* NULL options: no timing. */
RILL_API rill_status rill_event_create(rill_context *context, const rill_event_options *options,
                                       rill_event **event);

/* Allowed while pending; what waits for it still waits. */
RILL_API rill_status rill_event_destroy(rill_event **event);

/* From now on it stands for what is in `stream` now.  `flags`: 0 or
 * RILL_EVENT_EXTERNAL. */
RILL_API rill_status rill_event_record(rill_event *event, rill_stream *stream, uint32_t flags);

/* RILL_SUCCESS when what it stands for is done, else RILL_ERROR_NOT_READY. */
RILL_API rill_status rill_event_query(rill_event *event);

/* Waits for what it stands for now. */
RILL_API rill_status rill_event_synchronize(rill_event *event);

/* From `start` to `end`; negative when they completed the other way round. */
RILL_API rill_status rill_event_elapsed(rill_event *start, rill_event *end, float *milliseconds);

/* The context that it was made in. */
RILL_API rill_status rill_event_context(rill_event *event, rill_context **context);

/* What error records call the event; copied, and NULL for its number alone.  What was
 * asked for stays readable as long as the event is. */
RILL_API rill_status rill_event_set_label(rill_event *event, const char *label);
RILL_API const char *rill_event_label(const rill_event *event);

RILL_END_DECLS

#endif
