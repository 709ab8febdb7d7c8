/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/settings.h"

#include "base/alloc.h"

/* Two threads may make it at once. */
struct si_settings *si_settings_make(struct si_context *context)
{
    struct si_settings *found = si_settings_of(context);
    if (found) return found;
    struct si_settings *made = rl_zalloc(sizeof *made);
    if (!made) return NULL;
    if (__atomic_compare_exchange_n(&context->settings, &found, made, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    rl_free(made);
    return found;
}

void si_settings_free(struct si_context *context)
{
    struct si_settings *settings = __atomic_exchange_n(&context->settings, NULL, __ATOMIC_ACQ_REL);
    if (!settings) return;
    rill_event *threshold = atomic_load(&settings->threshold);
    rill_event_destroy(&threshold);
    rill_event_destroy(&settings->passing);
    rill_stream_destroy(&settings->meeting);
    rl_free(settings);
}
