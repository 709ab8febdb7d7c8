/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: a synchronize and the end of a context let the host know of all its streams.
 */
#include "site/site.h"
#include "layer-check/slots/calls.h"
#include "layer-check/slots/objects.h"
#include "layer-check/slots/pinned.h"

static void give_up(struct ck_checker *checker, const struct ck_context_order *context)
{
    for (const struct ck_stream *stream = context->streams; stream; stream = stream->next)
        ck_values_give_up(&checker->values, &checker->order, stream->known);
    if (context->left) ck_values_give_up(&checker->values, &checker->order, context->left);
}

/* Returns whether that was news. */
static bool learn_context(rill_context *context)
{
    struct ck_checker *checker = ck_enter(context);
    bool news = true;
    if (!checker) return news;
    struct ck_context_word *word = ck_context_word(context);
    if (word) {
        give_up(checker, &word->order);
        news = ck_host_learns_context(&checker->order, &word->order);
        ck_pinned_release(checker);
    }
    ck_leave(checker);
    return news;
}

static rill_status check_synchronize(rill_context *context)
{
    const struct ck_waiting waiting = ck_waiting_begin(context);
    rill_status status = ck_beneath(context)->context->synchronize(context);
    bool news = status || learn_context(context);
    ck_waiting_end(&waiting, context, CK_CALL_CONTEXT_SYNCHRONIZE, news);
    if (status) ck_capture_mind(context, status, cs_site_here(), "rill_context_synchronize");
    return status;
}

/* A primary context has several users, each of which made it. */
static rill_status check_create(rill_context *context, const rill_context_options *options)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(context)->context->create(context, options);
    if (!status && (options->flags & RILL_CONTEXT_OWN))
        ck_object_made(context, RILL_OBJECT_CONTEXT, site);
    return status;
}

/* Forgets a context and its objects, which have gone with it. */
static void forget_objects(rill_context *context)
{
    struct ck_checker *checker = ck_checker_of(context);
    rl_lock(&checker->lock);
    ck_objects_forget(&checker->objects, context);
    ck_objects_forget_context(&checker->objects, context);
    rl_unlock(&checker->lock);
}

static rill_status check_destroy(rill_context *context)
{
    struct ck_checker *checker = ck_checker_of(context);
    ck_look_behind(checker); /* the memory goes with the context */
    ck_lock(checker);
    struct ck_pinned *pinned = ck_pinned_set_aside_all(checker, context);
    rl_unlock(&checker->lock);
    rill_status status = ck_beneath(context)->context->destroy(context);
    if (pinned) {
        ck_lock(checker);
        if (status) ck_pinned_put_back(checker, pinned);
        else ck_pinned_forget(checker, pinned);
        rl_unlock(&checker->lock);
    }
    learn_context(context);
    forget_objects(context);
    return status;
}

const struct rill_context_ops ck_context_slots = {
    .create = check_create, .synchronize = check_synchronize, .destroy = check_destroy,
};
