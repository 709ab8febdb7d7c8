/* SPDX-License-Identifier: Apache-2.0
 *
 * The watchdog checks whether the simulator keeps its own invariants.
 *
 * Where one is broken, a program would wait for ever, or run a node before those that the
 * node depends on.  With RILL_SIM_WATCHDOG=1 a sentence on stderr says what is wrong, with
 * numbers, and the process aborts.  A program cannot make that happen unless it writes into
 * memory that is not its own.
 *
 * There are two kinds of checks.  What must hold of a gang without members is checked under
 * engine->lock when the last member leaves (program/gang/check.h).  What must hold of a strand at
 * all times but for an instant is inspected now and then by a thread of the watchdog: it
 * aborts when what was wrong is still the same after all other threads made progress
 * (base/process/progress.h), twice.
 *
 * When the watchdog is off, all that is left of it is a test of `engine->watchdog` in cold
 * places.
 */
#ifndef SIM_WATCHDOG_H
#define SIM_WATCHDOG_H

#include "backend-sim/scheduler/engine.h"

struct watchdog;

rill_status sim_watchdog_start(struct engine *engine);

/* Ends its thread; must come before workers end, who may leave things as they are.  May be called
 * again. */
void sim_watchdog_stop(struct engine *engine);

/* Frees it; all workers must have ended. */
void sim_watchdog_free(struct engine *engine);

/* Prints what is wrong, and aborts. */
__attribute__((format(printf, 1, 2), noreturn))
void sim_watchdog_bark(const char *format, ...);

#endif
