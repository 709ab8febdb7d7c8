/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting by helping: a host thread that waits for a point runs the strand itself if no other
 * thread does, and before that whatever the strand is parked on.  The thread sleeps only while
 * other threads have all of it.
 */
#ifndef SIM_WAIT_H
#define SIM_WAIT_H

#include "backend-sim/scheduler/engine.h"

/* Runs a READY strand up to the point. */
static inline void sim_strand_run_ready(struct point point)
{
    if (!sim_strand_claim(point.strand)) return;
    sim_count(&point.strand->helped);
    sim_strand_run(point.strand, point.number, UINT32_MAX);
}

/* Sleeps until the strand's point `number` is reached, the strand stops short of it, or
 * `timeout_ns` is over. */
void sim_strand_sleep_until(struct strand *strand, uint64_t number, uint64_t timeout_ns);

/* Waits as sim_engine_wait() does, for a point that more keeps from being reached than the lack
 * of a thread. */
bool sim_engine_wait_along_path(struct engine *engine, struct point point, bool blocking_sync);

/* Waits until the point is reached, and runs what the point depends on where no other thread
 * does.  With `blocking_sync` it sleeps at once where it cannot help.  Returns false if the point
 * depends on an operation that this very thread is running. */
static inline bool sim_engine_wait(struct engine *engine, struct point point, bool blocking_sync)
{
    if (sim_point_reached(point)) return true;
    /* Mostly no thread has begun yet, and nothing is in the way. */
    sim_strand_run_ready(point);
    return sim_point_reached(point) || sim_engine_wait_along_path(engine, point, blocking_sync);
}

#endif
