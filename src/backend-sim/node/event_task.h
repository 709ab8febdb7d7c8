/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of events, and waits for them, as nodes.  The program carries them out; the task keeps
 * the state of the event, which may be destroyed.
 */
#ifndef SIM_EVENT_TASK_H
#define SIM_EVENT_TASK_H

#include "backend-sim/graph/task.h"

struct event_state;

/* A record or a wait. */
struct event_task {
    struct task task;
    struct event_state *state; /* retained: the event may be destroyed (event.h)    */
    uint64_t context;          /* the id of the event's context, which may be, too  */
};

#endif
