/* SPDX-License-Identifier: Apache-2.0
 *
 * What the environment says of a simulated machine where the program says nothing.
 */
#include "sim/opening.h"

static void refused_by_environment(const char *variable, const char *value)
{
    setenv(variable, value, 1);
    rill_clear_error();
    struct machine machine;
    const rill_sim_options sim = { .size = sizeof sim };
    rill_status status = try_open(&sim, &machine);
    const rill_error *last = rill_last_error();
    if (status != RILL_ERROR_INVALID_VALUE || !last->argument || strcmp(last->argument, variable)) {
        say(last);
        fail_msg("%s='%s' should be refused", variable, value);
    }
    unsetenv(variable);
}

static void each_variable_is_heeded(void **state)
{
    (void)state;
    setenv("RILL_SIM_DEVICES", "4", 1);
    setenv("RILL_SIM_MEMORY", "33554432", 1);
    setenv("RILL_SIM_WORKERS", "7", 1);
    setenv("RILL_SIM_PRIORITY", "-3", 1);
    struct machine machine = open_with_nothing();
    assert_int_equal(machine.devices, 4);
    assert_int_equal(machine.memory, 32 << 20);
    assert_int_equal(machine.workers, 7);
    assert_int_equal(machine.greatest, -3);
}

static void an_option_beats_its_variable(void **state)
{
    (void)state;
    setenv("RILL_SIM_DEVICES", "4", 1);
    setenv("RILL_SIM_WORKERS", "garbage", 1);
    struct machine machine = open_with((rill_sim_options){ .devices = 2, .workers = 5 });
    assert_int_equal(machine.devices, 2);
    assert_int_equal(machine.workers, 5);
}

static void an_empty_variable_is_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIABLES; i++) setenv(variables[i], "", 1);
    struct machine machine = open_with_nothing();
    assert_int_equal(machine.devices, 1);
    assert_int_equal(machine.memory, 8 * GIB);
    assert_int_equal(machine.greatest, -5);
}

static void memory_takes_suffixes(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } taken[] = {
        { "1048576", 1 << 20 }, { "1024K", 1 << 20 }, { "2048k", 2 << 20 }, { "3M", 3 << 20 },
        { "5m", 5 << 20 }, { "2G", 2 * GIB }, { "1g", GIB },
    };
    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        setenv("RILL_SIM_MEMORY", taken[i].text, 1);
        assert_int_equal(open_with_nothing().memory, taken[i].bytes);
    }
}

/* Where the address space is another's (a sanitizer's, say) there may be none. */
static void memory_takes_terabytes_where_they_can_be_had(void **state)
{
    static const char *const texts[] = { "1T", "1t", "16T" };
    static const uint64_t bytes[] = { 1024 * GIB, 1024 * GIB, 16 * 1024 * GIB };
    const rill_sim_options sim = { .size = sizeof sim };
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct machine machine = { 0 };
        setenv("RILL_SIM_MEMORY", texts[i], 1);
        rill_status status = try_open(&sim, &machine);
        if (status) assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        else assert_int_equal(machine.memory, bytes[i]);
    }
}

static void garbage_in_a_variable_is_refused(void **state)
{
    static const char *const garbage[] = {
        "x", "K", "3x", "1.5", "1e3", "0x10", "3 4", "3 ", "--3", "-", "+", "1KB", "1KK", "1P",
        "99999999999999999999", "-99999999999999999999", "9223372036854775807K", "-1K", "8388608T",
        "\t", "\xff",
    };
    (void)state;
    for (size_t i = 0; i < VARIABLES; i++)
        for (size_t k = 0; k < sizeof garbage / sizeof *garbage; k++)
            refused_by_environment(variables[i], garbage[k]);
}

static void garbage_is_called_no_number(void **state)
{
    static const char *const garbage[] = { "x", "3x", "3 ", "1.5", "1KB" };
    struct machine machine;
    const rill_sim_options sim = { .size = sizeof sim };
    (void)state;
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        setenv("RILL_SIM_DEVICES", garbage[i], 1);
        assert_int_equal(try_open(&sim, &machine), RILL_ERROR_INVALID_VALUE);
        const char *message = rill_last_error()->message;
        if (!strstr(message, "is not a number")) fail_msg("'%s': %s", garbage[i], message);
        assert_non_null(strstr(message, "RILL_SIM_DEVICES"));
        assert_non_null(strstr(message, garbage[i]));
    }
}

static void what_is_out_of_range_is_refused_with_the_range(void **state)
{
    static const struct {
        const char *variable, *value, *range;
    } wrong[] = {
        { "RILL_SIM_DEVICES", "0", "1 to 64" }, { "RILL_SIM_DEVICES", "65", "1 to 64" },
        { "RILL_SIM_DEVICES", "-1", "1 to 64" }, { "RILL_SIM_DEVICES", "1K", "1 to 64" },
        { "RILL_SIM_WORKERS", "0", "1 to 1024" }, { "RILL_SIM_WORKERS", "1025", "1 to 1024" },
        { "RILL_SIM_MEMORY", "1023K", "1048576 to 17592186044416" },
        { "RILL_SIM_MEMORY", "17T", "1048576 to 17592186044416" },
        { "RILL_SIM_MEMORY", "0", "1048576 to 17592186044416" },
        { "RILL_SIM_PRIORITY", "1", "-31 to 0" }, { "RILL_SIM_PRIORITY", "-32", "-31 to 0" },
        { "RILL_SIM_HOST_THREAD", "3", "0 to 2" }, { "RILL_SIM_HOST_THREAD", "-1", "0 to 2" },
        { "RILL_PTX_STEPS", "-1", "0 to " }, { "RILL_PTX_HEAP", "-1", "0 to " },
    };
    struct machine machine;
    const rill_sim_options sim = { .size = sizeof sim };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv(wrong[i].variable, wrong[i].value, 1);
        assert_int_equal(try_open(&sim, &machine), RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, wrong[i].variable);
        const char *message = rill_last_error()->message;
        if (!strstr(message, wrong[i].range)) fail_msg("%s: %s", wrong[i].value, message);
        assert_non_null(strstr(message, wrong[i].variable));
        unsetenv(wrong[i].variable);
    }
}

static void a_priority_of_zero_leaves_one_priority(void **state)
{
    (void)state;
    setenv("RILL_SIM_PRIORITY", "0", 1);
    assert_int_equal(open_with_nothing().greatest, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_variable_is_heeded),
        TEST(an_option_beats_its_variable),
        TEST(an_empty_variable_is_none),
        TEST(memory_takes_suffixes),
        TEST(memory_takes_terabytes_where_they_can_be_had),
        TEST(garbage_in_a_variable_is_refused),
        TEST(garbage_is_called_no_number),
        TEST(what_is_out_of_range_is_refused_with_the_range),
        TEST(a_priority_of_zero_leaves_one_priority),
    };
    return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
