/* SPDX-License-Identifier: Apache-2.0
 *
 * The one source of time: timing events, observers and fault records read it
 * here, so that it can be replaced as a whole.
 */
#include "backend-sim/scheduler/engine.h"
#include "base/thread.h"

uint64_t sim_engine_now(struct engine *engine)
{
    (void)engine;
    return rl_monotonic_ns();
}
