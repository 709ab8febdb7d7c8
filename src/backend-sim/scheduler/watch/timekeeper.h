/* SPDX-License-Identifier: Apache-2.0
 *
 * What the timekeeper of <rill/watch.h> is told: when each operation and node began and ended.
 *
 * Unlike an observer (observe.h), a timekeeper is installed once, and told of each operation once
 * it is over, with all that is known of it.
 */
#ifndef SIM_TIMEKEEPER_H
#define SIM_TIMEKEEPER_H

#include "backend-sim/scheduler/engine.h"

/* Installs a copy of the timekeeper.  Returns false if there is one. */
bool sim_timekeeper_set(struct engine *engine, const struct rill_timekeeper *timekeeper);

/* Tells of what was added, before it is published. */
void sim_timekeeper_submitted(const struct submission *submission);

/* Returns what is known of an operation that begins now, since its cell may be freed by the
 * end. */
rill_span sim_timekeeper_begin(struct strand *strand, const struct cell *cell, uint64_t number);

/* Tells of an operation or node that ends now. */
void sim_timekeeper_end(struct engine *engine, rill_span *span);

#endif
