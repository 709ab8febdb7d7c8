/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: a synchronize and the end of a context let the host know of all its streams.
 */
#include "layer-check/site/site.h"
#include "layer-check/slots/checker.h"
#include "layer-check/slots/pinned.h"

static void learn_context(rill_context *context)
{
    struct ck_checker *checker = ck_enter(context);
    if (!checker) return;
    struct ck_context_word *word = ck_context_word(context);
    if (word) {
        ck_values_give_up(&checker->order);
        ck_host_learns_context(&checker->order, &word->order);
        ck_pinned_release(checker);
    }
    ck_leave(checker);
}

static rill_status check_synchronize(rill_context *context)
{
    rill_status status = ck_beneath(context)->context->synchronize(context);
    if (!status) learn_context(context);
    else ck_capture_mind(context, status, ck_site_here(), "rill_context_synchronize");
    return status;
}

static rill_status check_destroy(rill_context *context)
{
    rill_status status = ck_beneath(context)->context->destroy(context);
    learn_context(context);
    return status;
}

const struct rill_context_ops ck_context_slots = {
    .synchronize = check_synchronize, .destroy = check_destroy,
};

const struct rill_module_ops ck_module_slots = { .load = NULL };
