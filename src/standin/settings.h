/* SPDX-License-Identifier: Apache-2.0
 *
 * What few contexts have: made when it is needed first, gone with the context.
 */
#ifndef SI_SETTINGS_H
#define SI_SETTINGS_H

#include "standin/context.h"

struct si_settings {
    /* limit.c; what was not set is 0 */
    atomic_size_t limits[CU_LIMIT_COUNT]; /* the value and 1 more */
    atomic_int cache;

    /* context_uses.c; by cuCtxAttach(), that no cuCtxDetach() matched */
    atomic_uint uses;

    /* context_event.c */
    struct rl_lock meeting_lock;    /* one call at a time                            */
    rill_stream *meeting;           /* meeting_lock; NULL: not made yet              */
    rill_event *passing;            /* meeting_lock; recorded in one stream after the other */
    _Atomic(rill_event *) threshold; /* that new streams pass first; NULL: none      */
};

/* NULL: the context has none. */
static inline struct si_settings *si_settings_of(struct si_context *context)
{
    return __atomic_load_n(&context->settings, __ATOMIC_ACQUIRE);
}

/* NULL: no memory. */
struct si_settings *si_settings_make(struct si_context *context);

#endif
