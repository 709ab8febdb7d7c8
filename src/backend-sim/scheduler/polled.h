/* SPDX-License-Identifier: Apache-2.0
 *
 * Strands that are polled: each waits for what memory holds, which may change by a host
 * thread's plain store that nobody announces.
 *
 * The engine keeps these strands and asks whether their operations are ready when an
 * operation ended, when a waiting thread has nothing better to do, and from the watch.
 * ATTEND_POLLED says that there are some.
 */
#ifndef SIM_POLLED_H
#define SIM_POLLED_H

#include "backend-sim/scheduler/engine.h"

/* Parks the strand until its operation is ready; `park` of an op_type. */
bool sim_strand_park_polled(struct strand *strand, struct cell *cell);

/* Lets strands go on whose operations are ready by now, or all of them if the device failed.
 * Returns false if there was none. */
bool sim_engine_poll(struct engine *engine);

#endif
