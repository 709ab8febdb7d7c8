/* SPDX-License-Identifier: Apache-2.0
 *
 * The fixture of the conformance suite, for tests of the simulator alone.
 */
#ifndef SIM_ON_SIM_H
#define SIM_ON_SIM_H

#include <rill/sim.h>

#include "conformance/fixture.h"

static int on_sim_workers;

static inline rill_status on_sim_open(int devices, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = devices,
                                   .workers = on_sim_workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    return rill_open(&options, platform);
}

/* One device and so many workers; 0: one for each processor. */
static inline int on_sim(void **state, int workers)
{
    static const struct suite_backend backend = { .name = "sim", .open = on_sim_open };
    on_sim_workers = workers;
    suite = &backend;
    return fixture_setup(state, 1);
}

#endif
