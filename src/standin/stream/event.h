/* SPDX-License-Identifier: Apache-2.0
 *
 * Events, and what those have in common that several processes have (ipc_event.c).
 */
#ifndef SI_EVENT_H
#define SI_EVENT_H

#include "standin/context/current.h"

/* What programs hold as CUevent. */
struct si_event_slot {
    struct si_slot slot;
    uint32_t flags;             /* CU_EVENT_*, as it was made                              */
    bool opened;                /* it was made in another process                          */
    _Atomic(CUdeviceptr) words; /* of all processes; 0 unless it has a handle or is opened */
};

_Static_assert(sizeof(struct si_event_slot) <= SI_SLOT_BYTES - sizeof(struct si_last),
               "an event's slot has room for its end");

/* Makes the handle of an event, which it ends if it fails. */
CUresult si_event_publish(struct si_context *context, rill_event *event, uint32_t flags,
                          CUdeviceptr words, bool opened, CUevent *handle);

static inline CUdeviceptr si_event_words(CUevent handle)
{
    return atomic_load_explicit(&((struct si_event_slot *)(void *)handle)->words,
                                memory_order_acquire);
}

/* Do, for an event of several processes, what the calls do for others.  A record is told to them
 * once it was made here. */
CUresult si_shared_event_record(CUdeviceptr words, rill_stream *stream);
CUresult si_shared_event_wait(CUdeviceptr words, rill_stream *stream);
CUresult si_shared_event_query(CUdeviceptr words);
CUresult si_shared_event_synchronize(CUdeviceptr words);

#endif
