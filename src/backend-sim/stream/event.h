/* SPDX-License-Identifier: Apache-2.0
 *
 * What an event is made of, for the nodes of graphs that record and wait.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "backend-sim/guard/call_guard.h"
#include "base/biased.h"

/* What an event keeps that was recorded in a capture. */
struct captured {
    atomic_uint references;
    void (*free)(struct captured *captured); /* once there are none */
};

static inline void sim_captured_release(struct captured *captured)
{
    if (captured &&
        atomic_fetch_sub_explicit(&captured->references, 1, memory_order_acq_rel) == 1)
        captured->free(captured);
}

/* What outlives the event while its record is in a queue or a node of a graph
 * names it. */
struct event_state {
    atomic_uint references;
    rill_event *_Atomic handle; /* NULL once the event is destroyed */
    struct rl_biased lock; /* mostly one thread records the event and waits for it */
    /* Of a record in a capture, which the point does not know of: NULL else.  Written
     * under the lock; that it is NULL may be seen without (capture.h). */
    struct captured *_Atomic captured;
    struct point point;    /* of the last record, its strand retained; lock */
    atomic_bool recorded;  /* ever; written under the lock                  */
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

/* `flags` as record and wait take them, in a stream that does not capture. */
rill_status sim_event_check_flags(uint32_t flags);

/* Whether the last record was in a capture; and that, retained, or NULL. */
static inline bool sim_event_is_captured(struct event_state *state)
{
    return atomic_load_explicit(&state->captured, memory_order_relaxed);
}

struct captured *sim_event_captured(struct event_state *state);

/* The event is recorded in a capture; takes the reference over. */
void sim_event_capture(struct event_state *state, struct captured *captured);

/* What the event stands for now, retained. */
struct point sim_event_snapshot(struct event_state *state);

/* The event stands for a point that is not the end of a submission. */
void sim_event_stand_for(struct event_state *state, struct point point);

/* That point is about to be reached: at this time, if the event still stands for
 * it. */
void sim_event_stamp(struct event_state *state, struct point point, uint64_t time_ns);

#endif
