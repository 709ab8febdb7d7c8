/* SPDX-License-Identifier: Apache-2.0
 *
 * What few contexts have: made when it is needed first, gone with the context.
 */
#ifndef SI_SETTINGS_H
#define SI_SETTINGS_H

#include "standin/context/current.h"

/* What pieces of pinned memory are cut from (memory/host_block.h). */
struct si_host_block {
    size_t pieces, bytes;
    bool portable;
};

struct si_settings {
    /* In a list of all, which nobody goes through: contexts are not in memory where a program's
     * leak checker looks for pointers. */
    struct si_settings *next, **link; /* the list's lock */

    /* Limits; what was not set is 0. */
    atomic_size_t limits[CU_LIMIT_COUNT]; /* the value plus 1 */
    atomic_int cache;

    /* Calls of cuCtxAttach() that no cuCtxDetach() matched. */
    atomic_uint uses;

    /* Pinned memory. */
    struct rl_lock blocks_lock;             /* for moments, in calls that wait anyway */
    struct si_host_block host_blocks[2];    /* blocks_lock; the second one's writes are combined */

    /* Events of the whole context go through a stream of their own. */
    struct rl_lock relay_lock; /* held by the call that uses the relay              */
    rill_stream *relay;        /* relay_lock; NULL until it is made                 */
    rill_event *relayed;       /* relay_lock; recorded in one stream after another  */
    _Atomic(rill_event *) gate; /* that new streams wait for first, or NULL          */
};

/* Returns NULL if the context has none. */
static inline struct si_settings *si_settings_of(struct si_context *context)
{
    return __atomic_load_n(&context->settings, __ATOMIC_ACQUIRE);
}

/* Returns the context's settings, made if need be; NULL if there is no memory. */
struct si_settings *si_settings_make(struct si_context *context);

/* Frees them with their context. */
void si_settings_free(struct si_context *context);

/* Lets a new stream wait for what the whole context was told to wait for. */
CUresult si_wait_for_gate(struct si_context *context, rill_stream *stream);

#endif
