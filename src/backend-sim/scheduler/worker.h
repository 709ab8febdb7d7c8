/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker: a thread of the engine's own.  It takes strands as the chooser gives them,
 * helps with shared work, and when there is nothing it goes on watch, if nobody is, or to
 * sleep.
 */
#ifndef SIM_WORKER_H
#define SIM_WORKER_H

#include <pthread.h>
#include <stdalign.h>

#include "backend-sim/scheduler/engine.h"

struct worker {
    alignas(64) struct engine *engine;
    pthread_t thread;
    bool joined;               /* it is no more; theirs who end the engine */
    atomic_uint futex_word;    /* 1: look again                          */
    bool rested;               /* its watch found nothing: the worker's  */
    struct worker *idle_next;  /* engine's lock                          */
    bool idle;                 /* among the idle; engine's lock          */
    /* Of the series that it is in, from rest to rest; the worker's. */
    uint64_t ran;              /* operations so far                      */
    uint64_t since;            /* when it began                          */
};

/* Whether this thread is one of an engine's own, not the program's. */
extern _Thread_local bool sim_is_worker;

/* The life of a worker's thread, from its start to the engine's end. */
void *sim_worker_main(void *worker);

/* The worker looks again, soon; without the engine's lock. */
void sim_worker_wake(struct worker *worker);

/* ---- engine.c, under the engine's lock ---------------------------------------------- */

/* When something is listed and nobody is on watch: the worker to ring once the lock
 * is free, or NULL. */
struct worker *sim_engine_pick_worker(struct engine *engine);

/* Tells whether something is to be run, or looked at now and then: also shared work, which
 * may stand still until somebody takes a part of it. */
bool sim_engine_needs_watch(struct engine *engine);

/* The calling thread looks at nothing else from now on: returns the worker to ring in its
 * place once the lock is free, or NULL if nobody need come. */
struct worker *sim_engine_pick_relief(struct engine *engine);

#endif
