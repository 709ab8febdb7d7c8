/* SPDX-License-Identifier: Apache-2.0
 *
 * What an event is made of, for the nodes of graphs that record and wait.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "backend-sim/guard.h"

/* What outlives the event while its record is in a queue or a node of a graph
 * names it. */
struct event_state {
    atomic_uint references;
    struct rl_spin lock;
    struct point point;    /* of the last record, its strand retained; lock */
    bool recorded;         /* lock */
    uint64_t generation;   /* of the last record; lock                      */
    uint64_t time_ns;      /* when that was reached; lock                   */
};

/* The private bytes of a rill_event. */
struct sim_event {
    struct sim_context *context;
    struct event_state *state;
    uint32_t flags;
};

static inline struct sim_event *sim_event_of(const rill_event *event)
{
    return rill_private(event);
}

static inline void sim_event_retain(struct event_state *state)
{
    atomic_fetch_add_explicit(&state->references, 1, memory_order_relaxed);
}

void sim_event_release(struct event_state *state);

#endif
