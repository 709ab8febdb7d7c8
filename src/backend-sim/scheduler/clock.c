/* SPDX-License-Identifier: Apache-2.0
 *
 * The one source of time: timing events, observers and fault records read it
 * here, so that it can be replaced as a whole.
 */
#include "backend-sim/scheduler/virtual_time.h"
#include "base/read_clock.h"

uint64_t sim_engine_real_now(struct engine *engine)
{
    (void)engine;
    return rl_read_clock(CLOCK_MONOTONIC);
}

static uint64_t virtual_now(struct engine *engine)
{
    return engine->virtual_time->now(engine->virtual_time);
}

void sim_engine_set_virtual_time(struct engine *engine, struct virtual_time *time)
{
    engine->virtual_time = time;
    engine->now = virtual_now;
    sim_engine_set_attention(engine, ATTEND_VIRTUAL, true);
}
