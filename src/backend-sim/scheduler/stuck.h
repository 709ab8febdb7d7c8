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
    atomic_bool rests;             /* sleeps, or has done nothing since          */
    atomic_bool gives_up;          /* what it waits for is proved never to come  */
    bool within;                   /* waits in a function that it runs, there too;
                                      engine->lock                               */
    struct waiting_thread *outer;  /* that this one is within; the thread's      */
    struct waiting_thread *next;
};

/* What is known of an engine on which nothing runs. */
struct standstill {
    uint64_t submitted, completed; /* operations of all strands         */
    int workers;                   /* that have begun                   */
};

void sim_stuck_enter(struct engine *engine, struct waiting_thread *thread);
void sim_stuck_leave(struct engine *engine, struct waiting_thread *thread);

/* Has all threads that wait now give up. */
void sim_stuck_give_up(struct engine *engine);

/* Notes that the calling thread is about to sleep until somebody wakes it, or no longer does.  From
 * a thread that rests nothing is to be expected that is not known already, also if it was woken and
 * has no processor yet. */
void sim_stuck_rest(bool rests);

/* Tells whether at some moment of this call each of the threads that wait, but for the calling one,
 * and each worker rests.  Those that only poll are waited for, for a moment. */
bool sim_stuck_all_rest(struct engine *engine);

/* Tells whether nothing runs or could run but for values that strands wait for, and no worker is at
 * work. */
bool sim_engine_stands_still(struct engine *engine, struct standstill *standstill);

/* Stores the numbers of the threads that wait and of the workers.  Returns how many, or `most` if
 * there may be more. */
int sim_stuck_threads(struct engine *engine, unsigned long *ids, int most);

#endif
