/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of what a simulated machine is made of: machines that are opened, and that are
 * refused.
 */
#ifndef OPENING_H
#define OPENING_H

#include <stdlib.h>
#include <string.h>

#include <rill/rill.h>
#include <rill/sim.h>

#include "base/alloc.h"
#include "support/cmocka_all.h"

#define GIB (UINT64_C(1) << 30)

/* That hold a number. */
static const char *const variables[] = {
    "RILL_SIM_DEVICES", "RILL_SIM_MEMORY", "RILL_SIM_WORKERS", "RILL_SIM_PRIORITY",
    "RILL_SIM_HOST_THREAD", "RILL_SIM_WATCHDOG", "RILL_SIM_WHIMS", "RILL_PTX_STEPS",
    "RILL_PTX_HEAP",
};
#define VARIABLES (sizeof variables / sizeof *variables)

static inline void say(const rill_error *last)
{
    print_error("    %s: %s\n", last->argument ? last->argument : "nothing", last->message);
}

/* ---- Asking --------------------------------------------------------------------------- */

struct machine {
    int devices, workers, greatest;
    uint64_t memory;
};

static inline rill_status try_open(const rill_sim_options *sim, struct machine *machine)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = sim };
    rill_platform *platform = NULL;
    rill_device_info info = { .size = sizeof info };
    rill_status status = rill_open(&options, &platform);
    assert_true(!status == (platform != NULL));
    if (status) return status;
    assert_int_equal(rill_device_count(platform, &machine->devices), RILL_SUCCESS);
    assert_int_equal(rill_device_get_info(platform, machine->devices - 1, &info), RILL_SUCCESS);
    machine->workers = info.workers;
    machine->greatest = info.priority_greatest;
    machine->memory = info.memory_bytes;
    return rill_close(&platform);
}

/* The machine that comes of these options, which must be fine. */
static inline struct machine open_with(rill_sim_options sim)
{
    struct machine machine = { 0 };
    sim.size = sizeof sim;
    rill_status status = try_open(&sim, &machine);
    if (status) say(rill_last_error());
    assert_int_equal(status, RILL_SUCCESS);
    return machine;
}

static inline struct machine open_with_nothing(void)
{
    return open_with((rill_sim_options){ .size = 0 });
}

/* These options are refused, and `argument` is to blame. */
static inline void refused(rill_sim_options sim, const char *argument)
{
    struct machine machine;
    sim.size = sizeof sim;
    long live = rl_alloc_live();
    rill_status status = try_open(&sim, &machine);
    const rill_error *last = rill_last_error();
    if (status != RILL_ERROR_INVALID_VALUE || !last->argument || strcmp(last->argument, argument)) {
        say(last);
        fail_msg("%s should be refused", argument);
    }
    assert_true(last->message[0] != 0);
    assert_int_equal(rl_alloc_live(), live);
}

static inline int clear_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIABLES; i++) unsetenv(variables[i]);
    rill_clear_error();
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, clear_environment, clear_environment)

#endif
