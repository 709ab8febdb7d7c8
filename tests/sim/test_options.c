/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated machine can be made of: options, environment, limits.
 */
#include <stdlib.h>
#include <string.h>

#include <rill/rill.h>
#include <rill/sim.h>

#include "base/alloc.h"
#include "support/cmocka_all.h"

#define GIB (UINT64_C(1) << 30)

static const char *const variables[] = {
    "RILL_SIM_DEVICES", "RILL_SIM_MEMORY", "RILL_SIM_WORKERS", "RILL_SIM_PRIORITY",
    "RILL_SIM_HOST_THREAD",
};

static void say(const rill_error *last)
{
    print_error("    %s: %s\n", last->argument ? last->argument : "nothing", last->message);
}

/* ---- Asking --------------------------------------------------------------------------- */

struct machine {
    int devices, workers, greatest;
    uint64_t memory;
};

static rill_status try_open(const rill_sim_options *sim, struct machine *machine)
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
static struct machine open_with(rill_sim_options sim)
{
    struct machine machine = { 0 };
    sim.size = sizeof sim;
    rill_status status = try_open(&sim, &machine);
    if (status) say(rill_last_error());
    assert_int_equal(status, RILL_SUCCESS);
    return machine;
}

static struct machine open_with_nothing(void)
{
    return open_with((rill_sim_options){ .size = 0 });
}

/* These options are refused, and `argument` is to blame. */
static void refused(rill_sim_options sim, const char *argument)
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

static int clear_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) unsetenv(variables[i]);
    rill_clear_error();
    return 0;
}

/* ---- Defaults --------------------------------------------------------------------------- */

static void without_any_wish_there_is_one_device_of_eight_gibibytes(void **state)
{
    (void)state;
    struct machine machine = open_with_nothing();
    assert_int_equal(machine.devices, 1);
    assert_int_equal(machine.memory, 8 * GIB);
    assert_int_equal(machine.greatest, -5);
    assert_in_range(machine.workers, 1, 1024);
}

static void no_options_are_all_defaults(void **state)
{
    struct machine machine = { 0 }, same = open_with_nothing();
    (void)state;
    assert_int_equal(try_open(NULL, &machine), RILL_SUCCESS);
    assert_memory_equal(&machine, &same, sizeof same);
}

static void zero_fields_take_the_default(void **state)
{
    (void)state;
    struct machine machine = open_with((rill_sim_options){ .devices = 3 });
    assert_int_equal(machine.devices, 3);
    assert_int_equal(machine.memory, 8 * GIB);
    assert_int_equal(machine.greatest, -5);
}

static void begins_with_its_own_domains(rill_stream *stream)
{
    rill_attribute domain = { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN };
    rill_attribute map = { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP };
    assert_int_equal(rill_stream_get_attribute(stream, &domain), RILL_SUCCESS);
    assert_int_equal(domain.domain, 0);
    assert_int_equal(rill_stream_get_attribute(stream, &map), RILL_SUCCESS);
    assert_int_equal(map.domain_map.local, 0);
    assert_int_equal(map.domain_map.remote, 1);
}

static void all_streams_begin_alike_the_default_ones_too(void **state)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    (void)state;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(platform, NULL, &context), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(context, NULL, &stream), RILL_SUCCESS);
    begins_with_its_own_domains(stream);
    begins_with_its_own_domains(rill_stream_legacy(context));
    begins_with_its_own_domains(rill_stream_per_thread(context));
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

/* ---- Options ----------------------------------------------------------------------------- */

static void every_option_is_heeded(void **state)
{
    (void)state;
    struct machine machine = open_with((rill_sim_options){
        .devices = 2, .memory_bytes = 64 << 20, .workers = 3, .priority_greatest = -2 });
    assert_int_equal(machine.devices, 2);
    assert_int_equal(machine.memory, 64 << 20);
    assert_int_equal(machine.workers, 3);
    assert_int_equal(machine.greatest, -2);
}

static void each_option_goes_up_to_its_limits_and_not_beyond(void **state)
{
    (void)state;
    const rill_sim_options most = { .devices = 64, .memory_bytes = 1 << 20 };
    assert_int_equal(open_with(most).devices, 64);
    refused((rill_sim_options){ .devices = 65 }, "options->sim->devices");
    refused((rill_sim_options){ .devices = -1 }, "options->sim->devices");
    refused((rill_sim_options){ .devices = INT32_MIN }, "options->sim->devices");
    assert_int_equal(open_with((rill_sim_options){ .memory_bytes = 1 << 20 }).memory, 1 << 20);
    refused((rill_sim_options){ .memory_bytes = (1 << 20) - 1 }, "options->sim->memory_bytes");
    refused((rill_sim_options){ .memory_bytes = 1 }, "options->sim->memory_bytes");
    refused((rill_sim_options){ .memory_bytes = (UINT64_C(1) << 44) + 1 },
            "options->sim->memory_bytes");
    refused((rill_sim_options){ .memory_bytes = UINT64_MAX }, "options->sim->memory_bytes");
    refused((rill_sim_options){ .memory_bytes = UINT64_C(1) << 63 }, "options->sim->memory_bytes");
    assert_int_equal(open_with((rill_sim_options){ .workers = 1 }).workers, 1);
    assert_int_equal(open_with((rill_sim_options){ .workers = 1024 }).workers, 1024);
    refused((rill_sim_options){ .workers = 1025 }, "options->sim->workers");
    refused((rill_sim_options){ .workers = -1 }, "options->sim->workers");
    assert_int_equal(open_with((rill_sim_options){ .priority_greatest = -31 }).greatest, -31);
    refused((rill_sim_options){ .priority_greatest = -32 }, "options->sim->priority_greatest");
    refused((rill_sim_options){ .priority_greatest = 1 }, "options->sim->priority_greatest");
}

static void options_without_their_size_are_refused(void **state)
{
    const size_t sizes[] = { 0, 1, sizeof(rill_sim_options) - 1,
                             sizeof(rill_sim_options) + 4096 * 2 };
    struct machine machine;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const rill_sim_options sim = { .size = sizes[i] };
        assert_int_equal(try_open(&sim, &machine), RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, "options->sim->size");
    }
}

static void a_device_has_the_memory_that_was_asked_for(void **state)
{
    const rill_sim_options sim = { .size = sizeof sim, .memory_bytes = 32 << 20 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_devptr address;
    size_t total = 0;
    (void)state;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(platform, NULL, &context), RILL_SUCCESS);
    assert_int_equal(rill_mem_info(context, NULL, &total), RILL_SUCCESS);
    assert_int_equal(total, 32 << 20);
    assert_int_equal(rill_mem_alloc(context, 33 << 20, &address), RILL_ERROR_OUT_OF_MEMORY);
    assert_int_equal(rill_mem_alloc(context, 16 << 20, &address), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

static void the_greatest_priority_is_the_range_of_contexts_and_streams(void **state)
{
    const rill_sim_options sim = { .size = sizeof sim, .priority_greatest = -31 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_stream_options urgent = { .size = sizeof urgent, .priority = -100 };
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    int least = 99, greatest = 99, priority = 99;
    (void)state;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(platform, NULL, &context), RILL_SUCCESS);
    assert_int_equal(rill_context_priority_range(context, &least, &greatest), RILL_SUCCESS);
    assert_int_equal(least, 0);
    assert_int_equal(greatest, -31);
    assert_int_equal(rill_stream_create(context, &urgent, &stream), RILL_SUCCESS);
    assert_int_equal(rill_stream_priority(stream, &priority), RILL_SUCCESS);
    assert_int_equal(priority, -31);
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

/* ---- The environment ----------------------------------------------------------------------- */

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
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) setenv(variables[i], "", 1);
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
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
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

static void a_machine_that_was_refused_leaves_the_next_one_alone(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        refused((rill_sim_options){ .devices = 65 }, "options->sim->devices");
        assert_int_equal(open_with_nothing().devices, 1);
    }
}

/* Whatever allocation fails, opening says so and leaves nothing behind. */
static void short_of_memory_opening_fails_cleanly(void **state)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .memory_bytes = 1 << 20 };
    struct machine machine;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    (void)state;
    open_with_nothing(); /* what is made once */
    long live = rl_alloc_live();
    int after = 0;
    for (; status; after++) {
        assert_in_range(after, 0, 1000);
        rl_alloc_fail_after(after);
        status = try_open(&sim, &machine);
        rl_alloc_fail_after(-1);
        if (status) assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        assert_int_equal(rl_alloc_live(), live);
    }
    assert_true(after > 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, clear_environment, clear_environment)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_any_wish_there_is_one_device_of_eight_gibibytes),
        TEST(no_options_are_all_defaults),
        TEST(zero_fields_take_the_default),
        TEST(all_streams_begin_alike_the_default_ones_too),
        TEST(every_option_is_heeded),
        TEST(each_option_goes_up_to_its_limits_and_not_beyond),
        TEST(options_without_their_size_are_refused),
        TEST(a_device_has_the_memory_that_was_asked_for),
        TEST(the_greatest_priority_is_the_range_of_contexts_and_streams),
        TEST(each_variable_is_heeded),
        TEST(an_option_beats_its_variable),
        TEST(an_empty_variable_is_none),
        TEST(memory_takes_suffixes),
        TEST(memory_takes_terabytes_where_they_can_be_had),
        TEST(garbage_in_a_variable_is_refused),
        TEST(garbage_is_called_no_number),
        TEST(what_is_out_of_range_is_refused_with_the_range),
        TEST(a_priority_of_zero_leaves_one_priority),
        TEST(a_machine_that_was_refused_leaves_the_next_one_alone),
        TEST(short_of_memory_opening_fails_cleanly),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
