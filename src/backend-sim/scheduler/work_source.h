/* SPDX-License-Identifier: Apache-2.0
 *
 * Work that several threads may do together: a launch of a graph, the blocks of a kernel.
 *
 * The scheduler knows no kind of it.  The engine is given a list of sources when it is
 * created; workers that have nothing to run, threads that wait, and the watch ask each source
 * in turn, in the order of the list.  All of that happens on idle and slow paths.  A slot may
 * be NULL: there is never anything of the kind.
 */
#ifndef SIM_WORK_SOURCE_H
#define SIM_WORK_SOURCE_H

#include <stdbool.h>

#include "backend-sim/scheduler/point.h"

struct engine;

struct work_source {
    /* Tells whether any of its work runs, so that a thread must check now and then whether it is
     * due.  Requires engine->lock. */
    bool (*runs)(struct engine *engine);
    /* The work wakes helpers by itself (sim_engine_wake_helper()), so the watch may poll slowly. */
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
    /* Ends what can be ended early, since the device failed. */
    void (*stop)(struct engine *engine);
};

/* What runs, in all sources of an engine. */
enum work_runs {
    WORK_NONE,
    WORK_WAKES_HELPERS, /* only work that wakes helpers by itself */
    WORK_WATCHED        /* something that must be watched closely */
};

/* Ask all sources.  The first two require engine->lock. */
enum work_runs sim_work_runs(struct engine *engine);
bool sim_work_wants(struct engine *engine);
bool sim_work_is_due(struct engine *engine);

/* Helps with the first work that there is.  Returns false if there is none. */
bool sim_work_help(struct engine *engine, const struct point *until);

void sim_work_stop(struct engine *engine);

#endif
