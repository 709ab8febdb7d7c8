/* SPDX-License-Identifier: Apache-2.0
 *
 * What an event is made of, for the nodes of graphs that record and wait.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "backend-sim/guard/call_guard.h"
#include "base/biased.h"

/* What an event stands for that was recorded in a capture. */
struct captured_point {
    atomic_uint references;
    void (*free)(struct captured_point *captured); /* once there are none */
};

static inline void sim_captured_point_release(struct captured_point *captured)
{
    if (captured &&
        atomic_fetch_sub_explicit(&captured->references, 1, memory_order_acq_rel) == 1)
        captured->free(captured);
}

/* The part of an event that outlives it while its record is in a queue or a node of a graph names
 * the event. */
struct event_state {
    atomic_uint references;
    rill_event *_Atomic handle; /* NULL once the event is destroyed */
    struct rl_biased lock; /* mostly one thread records the event and waits for it */
    /* What the last record stands for if it was in a capture, otherwise NULL.  Written under the
     * lock; whether it is NULL may be read without. */
    struct captured_point *_Atomic captured;
    struct point point;    /* of the last record, its strand retained; lock */
    atomic_bool recorded;  /* ever; written under the lock                  */
    uint64_t generation;   /* of the last record; lock                      */
    uint64_t time_ns;      /* when that was reached; lock                   */
};

/* The private bytes of a rill_event.  They do not change until the event is destroyed. */
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

/* Checks the flags of a record or wait in a stream that does not capture. */
rill_status sim_event_check_flags(uint32_t flags);

/* Tells whether the last record was in a capture. */
static inline bool sim_event_is_captured(struct event_state *state)
{
    return atomic_load_explicit(&state->captured, memory_order_relaxed);
}

/* Returns what the last record stands for if it was in a capture, retained, else NULL. */
struct captured_point *sim_event_captured_point(struct event_state *state);

/* Records the event in a capture; takes the reference over. */
void sim_event_set_captured_point(struct event_state *state, struct captured_point *captured);

/* Returns the point of the last record, retained; it has no strand if there was none. */
struct point sim_event_snapshot(struct event_state *state);

/* Sets the event to a point that need not be the end of a submission. */
void sim_event_stand_for(struct event_state *state, struct point point);

/* Stamps the event with the time at which `point` is reached, if the event still stands for it. */
void sim_event_stamp(struct event_state *state, struct point point, uint64_t time_ns);

#endif
