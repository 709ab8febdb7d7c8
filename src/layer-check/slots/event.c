/* SPDX-License-Identifier: Apache-2.0
 *
 * Events: what the host learns of them.
 */
#include "site/site.h"
#include "layer-check/slots/calls.h"
#include "layer-check/slots/objects.h"
#include "layer-check/slots/pinned.h"

static rill_status check_create(rill_event *event, const rill_event_options *options)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(event)->event->create(event, options);
    if (!status) ck_object_made(event, RILL_OBJECT_EVENT, site);
    return status;
}

static rill_status check_destroy(rill_event *event)
{
    ck_object_gone(event);
    return ck_beneath(event)->event->destroy(event);
}

/* Returns whether that was news. */
static bool learn_event(rill_event *event)
{
    struct ck_checker *checker = ck_enter(event);
    bool news = false;
    if (!checker) return true;
    const struct ck_event_state *state = ck_event_state(event);
    if (state && state->event.recorded) {
        ck_values_give_up(&checker->values, &checker->order, state->event.clock);
        news = ck_host_learns_event(&checker->order, &state->event);
        ck_pinned_release(checker);
    }
    ck_leave(checker);
    return news;
}

static rill_status check_query(rill_event *event)
{
    rill_status status = ck_beneath(event)->event->query(event);
    if (!status) learn_event(event);
    else if (status != RILL_ERROR_NOT_READY)
        ck_capture_mind_event(event, status, cs_site_here(), "rill_event_query");
    return status;
}

static rill_status check_synchronize(rill_event *event)
{
    const struct ck_waiting waiting = ck_waiting_begin(event);
    rill_status status = ck_beneath(event)->event->synchronize(event);
    bool news = status || learn_event(event);
    ck_waiting_end(&waiting, event, CK_CALL_EVENT_SYNCHRONIZE, news);
    if (status) ck_capture_mind_event(event, status, cs_site_here(), "rill_event_synchronize");
    return status;
}

static rill_status check_elapsed(rill_event *start, rill_event *end, float *milliseconds)
{
    rill_status status = ck_beneath(start)->event->elapsed(start, end, milliseconds);
    if (status && status != RILL_ERROR_NOT_READY)
        ck_capture_mind_event(end, status, cs_site_here(), "rill_event_elapsed");
    if (status) return status;
    learn_event(start);
    learn_event(end);
    return status;
}

const struct rill_event_ops ck_event_slots = {
    .create = check_create, .destroy = check_destroy, .query = check_query,
    .synchronize = check_synchronize, .elapsed = check_elapsed,
};
