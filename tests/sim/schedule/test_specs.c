/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be said about a schedule, and what is refused, with which words.
 */
#include "sim/schedule/steered.h"

static rill_status open_with(const char *spec, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .schedule = spec };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    *platform = NULL;
    return rill_open(&options, platform);
}

static void specs_that_are_read(void **state)
{
    static const char *const specs[] = {
        "early", "late", "serial", "random:0", "random:18446744073709551615", "pct:1:1",
        "pct:1:100", "starve:3", "replay", "replay:", "replay:1.1", "replay:1.1.0",
        "replay:1.1@7",
        "replay:2.3.4@5,1.1,1.2,7.1.1", "order", "order:", "order:2.1,1.1", "order:2.1.0,1.1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rill_platform *platform;
        ok(open_with(specs[i], &platform));
        ok(rill_close(&platform));
    }
}

static void specs_that_are_refused(void **state)
{
    static const struct {
        const char *spec, *why;
    } specs[] = {
        { "soon", "there are early, late, serial" },
        { "earl", "there are early, late, serial" },
        { "Early", "there are early, late, serial" },
        { " early", "there are early, late, serial" },
        { "early:1", "nothing follows early" },
        { "late:", "nothing follows late" },
        { "serial,", "there are early, late, serial" },
        { "random", "random:SEED" },
        { "random:", "random:SEED" },
        { "random:x", "random:SEED" },
        { "random:-1", "random:SEED" },
        { "random:1:2", "random:SEED" },
        { "random:18446744073709551616", "random:SEED" },
        { "pct:1", "pct:SEED:DEPTH" },
        { "pct:1:2:3:4", "pct:SEED:DEPTH" },
        { "starve:", "starve:STREAM" },
        { "starve:one", "starve:STREAM" },
        { "replay:1", "STREAM.OPERATION" },
        { "order:1", "STREAM.OPERATION" },
        { "order:1.1@2", "steps of an order are named" },
        { "order:1.1~", "steps of an order are named" },
        { "replay:0.1", "STREAM.OPERATION" },
        { "replay:1.0", "STREAM.OPERATION" },
        { "replay:1.1@", "STREAM.OPERATION" },
        { "replay:1.1@0", "STREAM.OPERATION" },
        { "replay:1.1.4294967295", "STREAM.OPERATION" },
        { "replay:1.1;1.2", "STREAM.OPERATION" },
        { "replay:1.1,", "STREAM.OPERATION" },
        { "replay:,1.1", "STREAM.OPERATION" },
        { "replay:4294967296.1", "STREAM.OPERATION" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        rill_platform *platform;
        long live = rl_alloc_live();
        rill_status status = open_with(specs[i].spec, &platform);
        if (!status) print_error("%s is taken\n", specs[i].spec);
        assert_int_equal(status, INVALID);
        assert_null(platform);
        blames("options->sim->schedule", specs[i].spec, specs[i].why);
        assert_true(comes_down_to(live));
    }
}

static void the_environment_gives_one_where_the_program_does_not(void **state)
{
    rill_platform *platform;
    (void)state;
    setenv("RILL_SIM_SCHEDULE", "nonsense", 1);
    is(INVALID, open_with(NULL, &platform));
    blames("RILL_SIM_SCHEDULE", "nonsense", "is no schedule");
    ok(open_with("late", &platform));
    ok(rill_close(&platform));
    setenv("RILL_SIM_SCHEDULE", "", 1);
    ok(open_with(NULL, &platform));
    ok(rill_close(&platform));
    unsetenv("RILL_SIM_SCHEDULE");
}

static void a_trail_that_cannot_be_written_is_said(void **state)
{
    rill_platform *platform;
    (void)state;
    setenv("RILL_SIM_SCHEDULE_TRAIL", "/nonexistent/trail", 1);
    is(INVALID, open_with("early", &platform));
    blames("RILL_SIM_SCHEDULE_TRAIL", "/nonexistent/trail", "cannot be written");
    unsetenv("RILL_SIM_SCHEDULE_TRAIL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_that_are_read),
        cmocka_unit_test(specs_that_are_refused),
        cmocka_unit_test(the_environment_gives_one_where_the_program_does_not),
        cmocka_unit_test(a_trail_that_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
