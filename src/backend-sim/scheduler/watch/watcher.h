/* SPDX-License-Identifier: Apache-2.0
 *
 * What the watcher of <rill/backend.h> is told: of each kernel, host function, callback and launch
 * that is submitted and begins and ends.
 *
 * Other than an observer (observe.h), a watcher is installed once, changes nothing of what runs,
 * and is cheap.  With ATTEND_WATCHER the way of an operation through the scheduler goes by
 * `run_watched` of its type instead of `run`; the programs of graphs have other entries
 * (program/watched_node.h).  Without a watcher none of this costs anything.
 */
#ifndef SIM_WATCHER_H
#define SIM_WATCHER_H

#include "backend-sim/scheduler/engine.h"

/* An operation or a node that the watcher is told of. */
struct told {
    const struct rill_watcher *watcher;
    rill_running running;
};

/* Installs a copy of the watcher.  Returns false if there is one. */
bool sim_watcher_set(struct engine *engine, const struct rill_watcher *watcher);

/* Tells the watcher, if there is one, that what is pending will be discarded. */
void sim_watcher_tell_abandon(const struct engine *engine);

static inline bool sim_is_watched(const struct engine *engine)
{
    return atomic_load_explicit(&engine->attention, memory_order_relaxed) & ATTEND_WATCHER;
}

/* Describes an operation of a strand. */
struct told sim_watched_operation(const struct strand *strand, uint64_t number,
                                  rill_op_kind kind);

/* Runs the operation, or drops it, and tells the watcher. */
void sim_watch_operation(struct strand *strand, struct cell *cell, uint64_t number, bool drops);

/* Runs or drops an operation between `begins` and `ends`; for `run_watched`. */
void sim_watch_around(struct strand *strand, struct cell *cell, struct told *told);

/* Only runs or drops it. */
void sim_watch_silently(struct strand *strand, struct cell *cell, const struct told *told);

static inline void sim_watch_begins(const struct told *told)
{
    told->watcher->begins(told->watcher->data, &told->running);
}

/* Tell of a thread that runs blocks which another one has begun. */
static inline void sim_watch_joins(const struct told *told)
{
    if (told->watcher->joins) told->watcher->joins(told->watcher->data, &told->running);
}

static inline void sim_watch_leaves(const struct told *told)
{
    if (told->watcher->leaves) told->watcher->leaves(told->watcher->data, &told->running);
}

/* Tells of an end without saying what was touched. */
static inline void sim_watch_ends(const struct told *told)
{
    told->watcher->ends(told->watcher->data, &told->running, NULL);
}

#endif
