/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/sim.h> on time that is virtual.
 */
#include "backend-sim/clock/clock.h"
#include "backend-sim/machine/machine.h"
#include "backend-sim/platform/public.h"
#include "backend-sim/schedule/schedule.h"

/* Returns the platform's clock, or NULL and why there is none. */
static struct virtual_clock *find_clock(rill_platform *handle, rill_status *status)
{
    *status = sim_check_platform(handle);
    if (*status) return NULL;
    struct virtual_clock *clock = sim_platform_of(handle)->clock;
    if (!clock)
        *status = rill_backend_fail(RILL_ERROR_ILLEGAL_STATE, "platform",
                                    "its time is real: options->sim->clock or RILL_SIM_CLOCK has "
                                    "to be virtual");
    return clock;
}

rill_status rill_sim_timeline(rill_platform *platform, rill_sim_history **history)
{
    rill_status status;
    struct virtual_clock *clock = find_clock(platform, &status);
    if (!status && !history)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "history", "the output is NULL");
    if (!status) {
        rl_lock(&clock->lock);
        *history = sim_history_copy(&clock->history);
        rl_unlock(&clock->lock);
        if (!*history) status = rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                                  "no memory for the timeline");
    }
    return rill_backend_finish(__func__, platform, status);
}

rill_status rill_sim_timeline_clear(rill_platform *platform)
{
    rill_status status;
    struct virtual_clock *clock = find_clock(platform, &status);
    if (!status) {
        rl_lock(&clock->lock);
        sim_history_clear(&clock->history);
        rl_unlock(&clock->lock);
    }
    return rill_backend_finish(__func__, platform, status);
}

rill_status rill_sim_pass_time(rill_platform *platform, uint64_t ns)
{
    rill_status status;
    struct virtual_clock *clock = find_clock(platform, &status);
    if (!status) {
        sim_clock_let_pass(clock, sim_platform_of(platform)->schedule, ns);
    }
    return rill_backend_finish(__func__, platform, status);
}
