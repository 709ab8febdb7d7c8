/* SPDX-License-Identifier: Apache-2.0
 *
 * Events.  Recording and waiting for one are operations of streams (kind/event.c).
 */
#ifndef CUDA_OBJECT_EVENT_H
#define CUDA_OBJECT_EVENT_H

#include "backend-cuda/context/context.h"

extern const struct rill_event_ops cuda_event_ops;

struct cuda_event {
    struct cuda_part part;
    CUevent raw; /* NULL once the context ended */
    struct cuda_context *context;
    uint32_t flags;
    bool borrowed; /* the driver's event stays, see <rill/cuda.h> */
    atomic_bool recorded; /* at least once through rill */
};

static inline struct cuda_event *cuda_event_of(const rill_event *event)
{
    return rill_private(event);
}

/* Makes an event out of the driver's, which stays in the end if it is `borrowed`. */
void cuda_take_event(rill_event *event, struct cuda_context *context, CUevent raw, bool borrowed);

/* Returns the event with this handle of the driver's, or NULL if none of rill's that live has
 * it. */
rill_event *cuda_find_event(struct cuda_platform *platform, CUevent raw);

#endif
