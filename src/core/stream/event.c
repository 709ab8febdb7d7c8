/* SPDX-License-Identifier: Apache-2.0
 *
 * Events.  Recording an event and waiting for one in a stream are operations, see order.c.
 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

static const struct rill_event_ops *event_ops(const rill_event *event)
{
    return rl_backend(event)->event;
}

rill_status rill_event_create(rill_context *context, const rill_event_options *options,
                              rill_event **event)
{
    rill_event_options known;
    rill_event *made = NULL;
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(event, "event");
    if (!status) status = rl_read_options(options, &known, sizeof known, "options->size");
    if (!status) {
        made = rl_object_new(RILL_OBJECT_EVENT, context, known.label);
        status = made ? event_ops(made)->create(made, &known) : RILL_ERROR_OUT_OF_MEMORY;
    }
    if (!status)
        *event = made;
    else if (made)
        rl_object_drop(made);
    return rl_finish(__func__, context, status);
}

rill_status rill_event_destroy(rill_event **event)
{
    rill_event *given = event ? *event : NULL;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_object_end(given, RILL_OBJECT_EVENT, "event");
    if (status) return rl_finish(__func__, given, status);
    *event = NULL;
    status = rl_finish(__func__, given, event_ops(given)->destroy(given));
    rl_release(given);
    return status;
}

rill_status rill_event_query(rill_event *event)
{
    rill_status status = rl_check(event, RILL_OBJECT_EVENT, "event");
    if (!status) status = event_ops(event)->query(event);
    return rl_finish(__func__, event, status);
}

rill_status rill_event_synchronize(rill_event *event)
{
    rill_status status = rl_check(event, RILL_OBJECT_EVENT, "event");
    if (!status) status = event_ops(event)->synchronize(event);
    return rl_finish(__func__, event, status);
}

rill_status rill_event_elapsed(rill_event *start, rill_event *end, float *milliseconds)
{
    rill_status status = rl_check(start, RILL_OBJECT_EVENT, "start");
    if (!status) status = rl_check_with(end, RILL_OBJECT_EVENT, "end", start);
    if (!status) status = rl_required(milliseconds, "milliseconds");
    if (!status) status = rl_need(start, event_ops(start)->elapsed != NULL, __func__);
    if (!status) status = event_ops(start)->elapsed(start, end, milliseconds);
    return rl_finish(__func__, start, status);
}

rill_status rill_event_context(rill_event *event, rill_context **context)
{
    rill_status status = rl_check(event, RILL_OBJECT_EVENT, "event");
    if (!status) status = rl_required(context, "context");
    if (!status) *context = rill_object_of(event)->context;
    return rl_finish(__func__, event, status);
}
