/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order the threads of the host make their calls: noted, and, in a replay, imposed.
 *
 * A thread arrives when it makes a call, and when it goes on in a wait in which it was stuck.
 * Threads are numbered in the order in which they were created, from 1, the first one of the
 * process.  A string such as "1x4,2x3,1" has the first thread arrive four times, the second one
 * three times, and the first one from then on; a thread that comes too soon waits.
 */
#ifndef SIM_SCHEDULE_ARRIVALS_H
#define SIM_SCHEDULE_ARRIVALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend-sim/schedule/spec.h"
#include "base/thread.h"

/* How many threads have a number at most. */
#define ARRIVALS_THREADS_MOST 256

struct schedule;

struct arrivals {
    uint64_t serial;          /* of the schedule, unique in the process; fixed */

    /* Used by the thread that has the turn. */
    unsigned long threads[ARRIVALS_THREADS_MOST]; /* rl_thread_id() by number, from number 1 on */
    uint32_t thread_count;
    uint32_t last;            /* number of the thread that arrived last    */
    uint64_t again;           /* name of that thread; ARRIVALS_NOBODY while an order is wanted */
    uint64_t count;           /* of arrivals so far                        */
    const struct schedule_arrivals *wanted; /* the order, in a replay      */
    uint32_t at;              /* index of the next item in it              */
    uint32_t left;            /* arrivals that this item still wants       */
    bool lost;                /* the program went another way              */

    atomic_uint passed;       /* counts arrivals; a thread that is too early sleeps on it */
};

void sim_arrivals_init(struct arrivals *arrivals, const struct schedule_arrivals *wanted);

/* The name of the calling thread in the schedule that it arrived in last: its serial times
 * ARRIVALS_NAMES, and the thread's number; 0 before that. */
#define ARRIVALS_NAMES 512u
#define ARRIVALS_NOBODY UINT64_MAX
extern _Thread_local uint64_t sim_arrived_here RL_THREAD_WORD;

/* Notes that the calling thread arrives, if it arrived last, too, and no order is wanted.
 * Otherwise returns false.  Requires the turn. */
static inline bool sim_arrivals_again(struct arrivals *arrivals)
{
    if (sim_arrived_here != arrivals->again) return false;
    arrivals->count++;
    return true;
}

/* Waits until the calling thread may arrive, and notes that it does.  Requires the turn, which
 * other threads have during the wait. */
void sim_arrivals_wait(struct schedule *schedule);

/* Notes that the calling thread arrives, if it may do so now.  Otherwise returns false.  Requires
 * the turn. */
bool sim_arrivals_try(struct schedule *schedule);

#endif
