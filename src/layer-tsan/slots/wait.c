/* SPDX-License-Identifier: Apache-2.0
 *
 * Events and contexts: what the host waits for.
 */
#include "layer-tsan/slots/teller.h"

/* ---- Events ------------------------------------------------------------------------------- */

static struct ts_front front_of(rill_event *handle)
{
    struct ts_front front = { .count = 0 };
    struct ts_teller *teller = ts_enter(handle);
    if (!teller) return front;
    const struct ts_event *event = ts_event_of(handle);
    if (event) ts_front_join(&teller->order, &front, &event->front);
    ts_leave(teller);
    return front;
}

static rill_status wait_for_event(rill_event *event, rill_status (*wait)(rill_event *event))
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    struct ts_front front = front_of(event);
    rill_status status = wait(event);
    ts_learn(event, &front, status);
    ts_call_end(&call);
    return status;
}

static rill_status tell_event_query(rill_event *event)
{
    return wait_for_event(event, ts_beneath(event)->event->query);
}

static rill_status tell_event_synchronize(rill_event *event)
{
    return wait_for_event(event, ts_beneath(event)->event->synchronize);
}

static rill_status tell_elapsed(rill_event *start, rill_event *end, float *milliseconds)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    struct ts_front before = front_of(start), after = front_of(end);
    rill_status status = ts_beneath(start)->event->elapsed(start, end, milliseconds);
    ts_learn(start, &before, status);
    ts_learn(end, &after, status);
    ts_call_end(&call);
    return status;
}

const struct rill_event_ops ts_event_slots = {
    .query = tell_event_query, .synchronize = tell_event_synchronize, .elapsed = tell_elapsed,
};

/* ---- Contexts ----------------------------------------------------------------------------- */

static rill_status wait_for_context(rill_context *context, rill_status (*wait)(rill_context *))
{
    struct ts_front front = { .count = 0 };
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    struct ts_teller *teller = ts_enter(context);
    if (teller) {
        const struct ts_context_word *word = ts_context_word(context);
        if (word) ts_context_join(&teller->order, &front, &word->context);
        ts_leave(teller);
    }
    rill_status status = wait(context);
    ts_learn(context, &front, status);
    ts_call_end(&call);
    return status;
}

static rill_status tell_context_synchronize(rill_context *context)
{
    return wait_for_context(context, ts_beneath(context)->context->synchronize);
}

static rill_status tell_context_destroy(rill_context *context)
{
    return wait_for_context(context, ts_beneath(context)->context->destroy);
}

static rill_status tell_context_create(rill_context *context, const rill_context_options *options)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_beneath(context)->context->create(context, options);
    ts_call_end(&call);
    return status;
}

const struct rill_context_ops ts_context_slots = {
    .create = tell_context_create, .synchronize = tell_context_synchronize,
    .destroy = tell_context_destroy,
};
