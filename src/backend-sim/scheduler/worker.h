/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker: a thread of the engine's own.  It takes strands from the ready list and helps with
 * shared work; when there is nothing to do it goes on watch, if no worker is, or to sleep.
 */
#ifndef SIM_WORKER_H
#define SIM_WORKER_H

#include <pthread.h>
#include <stdalign.h>

#include "backend-sim/scheduler/engine.h"

struct worker {
    alignas(64) struct engine *engine;
    pthread_t thread;
    atomic_ulong id;           /* rl_thread_id(), once it has begun    */
    bool joined;               /* the thread that ends the engine's    */
    atomic_uint futex_word;    /* 1: poll again                        */
    atomic_bool rests;         /* sleeps, or has done nothing since: stuck.h */
    bool rested;               /* its watch found nothing; the worker's */
    unsigned spins;            /* looks for more shared work that are left before it rests; the
                                  worker's                              */
    bool called;               /* it is the one of those that spin that looks at the list; the
                                  worker's                              */
    struct worker *idle_next;  /* engine->lock                         */
    bool idle;                 /* in the idle list; engine->lock       */
    /* Of the series between two rests that the worker is in; the worker's. */
    uint64_t ran;              /* operations so far                    */
    uint64_t since;            /* when the series began                */
};

/* True in threads of an engine, false in threads of the program. */
extern _Thread_local bool sim_is_worker;

/* Runs a worker, from the start of its thread to the engine's end. */
void *sim_worker_main(void *worker);

/* Stays awake for a moment after shared work, in case there is more of it: as long as the worker
 * has spins left, until there is any that `events` did not count, or a strand is listed and no
 * other worker looks.  Called by the worker. */
void sim_worker_spin(struct engine *engine, struct worker *worker, unsigned events);

/* Wakes the worker, so that it polls again.  Must not be called under engine->lock. */
void sim_worker_wake(struct worker *worker);

/* ---- Whom to wake: each requires engine->lock ---------------------------------------- */

/* Returns one more thread to wake for shared work that can use many at once, or NULL if all of
 * them run or it was just started. */
struct worker *sim_engine_pick_helper(struct engine *engine);

/* Tells whether something must be run or polled; shared work counts, too, since it may stand still
 * until a thread takes a part of it. */
bool sim_engine_needs_watch(struct engine *engine);

/* Called by a thread that will be busy from now on: returns the worker to wake in its place, or
 * NULL if none need come. */
struct worker *sim_engine_pick_relief(struct engine *engine);

#endif
