/* SPDX-License-Identifier: Apache-2.0
 *
 * The watchdog: whether the simulator keeps its promises to itself.
 *
 * Where one is broken, a program would wait for ever, or run a node before those that
 * it depends on.  With RILL_SIM_WATCHDOG=1 a sentence on stderr says what is wrong
 * instead, with numbers, and the process aborts.  There is nothing that a program can do
 * to make that happen, but by way of memory that is not its own.
 *
 * Two kinds of checks.  What must hold of a gang whenever nobody is a member is looked at
 * under the engine's lock, when the last one leaves (gang_check.h).  What must hold of a
 * strand but for an instant, a thread of the watchdog's own looks at now and then: it
 * barks when what was wrong is still the same after all other threads got on
 * (base/progress.h), twice.
 *
 * When it is off, all that is left of it is a look at `engine->watchdog` in places that are
 * cold.
 */
#ifndef SIM_WATCHDOG_H
#define SIM_WATCHDOG_H

#include "backend-sim/scheduler/engine.h"

struct watchdog;

rill_status sim_watchdog_start(struct engine *engine);

/* It looks no more: before workers end, and may leave things as they are; once or more. */
void sim_watchdog_stop(struct engine *engine);

/* Once no worker is there any more. */
void sim_watchdog_free(struct engine *engine);

/* Says what is wrong, and aborts. */
__attribute__((format(printf, 1, 2), noreturn))
void sim_watchdog_bark(const char *format, ...);

#endif
