/* SPDX-License-Identifier: Apache-2.0
 *
 * How a strand becomes READY: it is listed for the workers, and one is woken; or it is HELD, if the
 * engine is steered.  (sim_submission_make_ready() and sim_strand_unpark() are among its uses.)
 */
#ifndef SIM_STRAND_READY_H
#define SIM_STRAND_READY_H

#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/watch/observe.h"

/* Makes a strand READY again that has operations pending. */
void sim_strand_make_ready(struct strand *strand);

/* Wakes threads that sleep until the strand reaches a point. */
void sim_strand_wake_all_sleepers(struct strand *strand);

/* Wakes threads that sleep until the strand reaches a point, since it stopped short: what the
 * strand waits for may be theirs to run. */
static inline void sim_strand_wake_sleepers(struct strand *strand)
{
    if (atomic_load(&strand->sleepers)) sim_strand_wake_all_sleepers(strand);
}

/* Notes since when the operation in front can run, for an observer. */
static inline void sim_strand_note_ready(struct strand *strand)
{
    if (sim_strand_observed(strand)) strand->ready_since = sim_engine_now(strand->engine);
}

#endif
