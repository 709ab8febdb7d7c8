/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/platform/sleeps.h"

#include <dlfcn.h>
#include <string.h>

#include "backend-sim/clock/clock.h"
#include "backend-sim/machine/machine.h"
#include "backend-sim/schedule/schedule.h"
#include "base/charge.h"

static uint64_t read_time(void *data)
{
    struct sim_platform *platform = data;
    struct virtual_clock *clock = platform->clock;
    uint64_t now = clock->time.now(&clock->time);
    return sim_schedule_steps_here(platform->schedule) ? now + rl_charge.ns : now;
}

/* A function of the program takes longer by what it sleeps. */
static void pass_time(void *data, uint64_t ns)
{
    struct sim_platform *platform = data;
    if (sim_schedule_steps_here(platform->schedule)) rl_charge.ns += ns;
    else sim_clock_let_pass(platform->clock, platform->schedule, ns);
}

static rl_sleep_attach_fn *find_library(void)
{
    void *function = dlsym(RTLD_DEFAULT, RL_SLEEP_ATTACH);
    rl_sleep_attach_fn *attach = NULL;
    memcpy(&attach, &function, sizeof attach);
    return attach;
}

void sim_sleeps_attach(struct sim_platform *platform)
{
    rl_sleep_attach_fn *attach = platform->clock ? find_library() : NULL;
    if (!attach) return;
    platform->sleeps = (struct rl_time_source){ platform, read_time, pass_time };
    platform->has_sleeps = attach(&platform->sleeps);
}

void sim_sleeps_detach(struct sim_platform *platform)
{
    if (platform->has_sleeps) find_library()(NULL);
    platform->has_sleeps = false;
}
