/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated machine can be made of: options and their limits.
 */
#include "sim/opening.h"
#include "support/process.h"

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
    open_with((rill_sim_options){ .host_thread = 1 });
    open_with((rill_sim_options){ .host_thread = 2 });
    refused((rill_sim_options){ .host_thread = 3 }, "options->sim->host_thread");
    refused((rill_sim_options){ .host_thread = -1 }, "options->sim->host_thread");
    open_with((rill_sim_options){ .ptx_check = RILL_PTX_CHECK_RACES });
    refused((rill_sim_options){ .ptx_check = RILL_PTX_CHECK_BARRIERS << 1 },
            "options->sim->ptx_check");
    open_with((rill_sim_options){ .ptx_steps = UINT64_MAX, .ptx_heap_bytes = UINT64_MAX });
}

static void devices_are_of_the_models_that_are_named(void **state)
{
    (void)state;
    if (!process_has_addresses(256 * GIB)) skip();
    struct machine machine = open_with((rill_sim_options){ .device = "t4,a100" });
    assert_int_equal(machine.devices, 2);
    assert_int_equal(machine.memory, 80 * GIB); /* of the last one */
    machine = open_with((rill_sim_options){ .device = "t4,a100", .memory_bytes = 1 << 20 });
    assert_int_equal(machine.memory, 1 << 20);
    assert_int_equal(open_with((rill_sim_options){ .device = "t4", .devices = 3 }).devices, 3);
    assert_int_equal(open_with((rill_sim_options){ .device = "" }).devices, 1);
    refused((rill_sim_options){ .device = "T4" }, "options->sim->device");
    refused((rill_sim_options){ .device = "t4,a100", .devices = 1 }, "options->sim->device");
}

/* Programs that were compiled before there were models. */
static void options_may_end_before_the_models(void **state)
{
    const rill_sim_options sim = { .size = offsetof(rill_sim_options, device), .devices = 2,
                                   .device = "none" };
    struct machine machine;
    (void)state;
    assert_int_equal(try_open(&sim, &machine), RILL_SUCCESS);
    assert_int_equal(machine.devices, 2);
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

/* ---- Refusals ------------------------------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_any_wish_there_is_one_device_of_eight_gibibytes),
        TEST(no_options_are_all_defaults),
        TEST(zero_fields_take_the_default),
        TEST(all_streams_begin_alike_the_default_ones_too),
        TEST(every_option_is_heeded),
        TEST(each_option_goes_up_to_its_limits_and_not_beyond),
        TEST(devices_are_of_the_models_that_are_named),
        TEST(options_may_end_before_the_models),
        TEST(options_without_their_size_are_refused),
        TEST(a_device_has_the_memory_that_was_asked_for),
        TEST(the_greatest_priority_is_the_range_of_contexts_and_streams),
        TEST(a_machine_that_was_refused_leaves_the_next_one_alone),
        TEST(short_of_memory_opening_fails_cleanly),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
