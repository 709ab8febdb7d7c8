/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs: what is said of them, and their proof where no schedule is given.
 */
#ifndef SIM_HANG_H
#define SIM_HANG_H

#include "backend-sim/scheduler/engine.h"

/* Tells the watcher, if there is one, that the program waits for ever, and fails all devices with
 * these words. */
void sim_hang_tell(struct engine *engine, const char *words);

/* Called by a thread that waits for a value in memory to change, or for a function that the host
 * thread calls, now and then: does so if nothing will ever do that.  Proved when no operation runs
 * or could run, and all threads of the program wait for operations or for each other. */
void sim_hang_look(struct engine *engine);

#endif
