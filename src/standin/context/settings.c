/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/context/settings.h"

#include "base/alloc.h"

static struct rl_lock all_lock;
static struct si_settings *all; /* all_lock */

static void enlist(struct si_settings *settings)
{
    rl_lock(&all_lock);
    settings->next = all;
    settings->link = &all;
    if (all) all->link = &settings->next;
    all = settings;
    rl_unlock(&all_lock);
}

static void unlist(struct si_settings *settings)
{
    rl_lock(&all_lock);
    *settings->link = settings->next;
    if (settings->next) settings->next->link = settings->link;
    rl_unlock(&all_lock);
}

/* Two threads may make them at once: the first one wins. */
struct si_settings *si_settings_make(struct si_context *context)
{
    struct si_settings *found = si_settings_of(context);
    if (found) return found;
    struct si_settings *made = rl_zalloc(sizeof *made);
    if (!made) return NULL;
    enlist(made);
    if (__atomic_compare_exchange_n(&context->settings, &found, made, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    unlist(made);
    rl_free(made);
    return found;
}

void si_settings_free(struct si_context *context)
{
    struct si_settings *settings = __atomic_exchange_n(&context->settings, NULL, __ATOMIC_ACQ_REL);
    if (!settings) return;
    rill_event *gate = atomic_load(&settings->gate);
    rill_event_destroy(&gate);
    rill_event_destroy(&settings->relayed);
    rill_stream_destroy(&settings->relay);
    unlist(settings);
    rl_free(settings);
}

CUresult si_wait_for_gate(struct si_context *context, rill_stream *stream)
{
    struct si_settings *settings = si_settings_of(context);
    rill_event *gate = settings ? atomic_load(&settings->gate) : NULL;
    return gate ? rill_stream_wait_event(stream, gate, 0) : RILL_SUCCESS;
}
