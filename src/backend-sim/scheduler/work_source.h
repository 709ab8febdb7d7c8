/* SPDX-License-Identifier: Apache-2.0
 *
 * Work that several threads may do together: a launch of a graph, the blocks of a kernel.
 *
 * The scheduler knows no kind of it.  The engine is given a list of sources when it is
 * created; workers that have nothing to run, threads that wait, and the watch ask each of
 * them in turn, in the order of the list.  All of that happens on idle and slow paths.
 * A slot that is NULL says that there is nothing of the kind.
 */
#ifndef SIM_WORK_SOURCE_H
#define SIM_WORK_SOURCE_H

#include <stdbool.h>

#include "backend-sim/scheduler/point.h"

struct engine;

struct work_source {
    /* Tells whether any of its work runs, so that somebody must look now and then whether
     * it is due.  Requires engine->lock. */
    bool (*runs)(struct engine *engine);
    /* The work calls for help by itself (sim_engine_wake_helper()): the watch may look rarely. */
    bool wakes_helpers;
    /* Tells whether work that runs can use one more thread at once.  Requires
     * engine->lock. */
    bool (*wants)(struct engine *engine);
    /* Tells whether some of it ran for so long, or stands still for so long, that a thread
     * with nothing else to do should take a part of it. */
    bool (*due)(struct engine *engine);
    /* Takes part in work that wants it or is due, until none of it is left to begin.  With
     * a point, only in work that the point comes after.  Returns false if there is none. */
    bool (*help)(struct engine *engine, const struct point *until);
    /* The device failed: ends what can be ended early. */
    void (*stop)(struct engine *engine);
};

/* What runs, in all sources of an engine. */
enum work_runs {
    WORK_NONE,
    WORK_WAKES_HELPERS,   /* only what calls by itself             */
    WORK_WATCHED  /* something that must be watched closely */
};

/* Each asks all sources.  The first two require engine->lock. */
enum work_runs sim_work_runs(struct engine *engine);
bool sim_work_wants(struct engine *engine);
bool sim_work_is_due(struct engine *engine);

/* Helps with the first that there is. */
bool sim_work_help(struct engine *engine, const struct point *until);

void sim_work_stop(struct engine *engine);

#endif
