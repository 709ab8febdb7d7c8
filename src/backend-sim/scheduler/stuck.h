/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of the program that wait, for the proof that they wait for ever (schedule/hang.h).  They
 * are only listed if somebody asked for that proof.
 */
#ifndef SIM_STUCK_H
#define SIM_STUCK_H

#include "backend-sim/scheduler/engine.h"

struct waiting_thread {
    unsigned long id;
    struct waiting_thread *next;
};

/* What is known of an engine on which nothing runs. */
struct standstill {
    uint64_t submitted, completed; /* operations of all strands         */
    int workers;                   /* that have begun                   */
};

void sim_stuck_enter(struct engine *engine, struct waiting_thread *thread);
void sim_stuck_leave(struct engine *engine, struct waiting_thread *thread);

/* Tells whether nothing runs or could run but for values that strands wait for, and no worker is at
 * work. */
bool sim_engine_stands_still(struct engine *engine, struct standstill *standstill);

/* Stores the numbers of the threads that wait and of the workers.  Returns how many, or `most` if
 * there may be more. */
int sim_stuck_threads(struct engine *engine, unsigned long *ids, int most);

#endif
