/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters that functions are set to want, in which order a launch is refused, and how many
 * blocks there are with the shared memory that a function prefers: as an H200 answered (driver
 * 580.159.04).
 */
#include "standin/modules.h"

enum { CARVEOUT = 9, MUST_BE_SET = 10, WIDTH = 11, HEIGHT = 12, DEPTH = 13, LARGE = 14 };

static CUmodule module;
static CUfunction function;

static int begin_test(void **state)
{
    setup(state);
    module = load(image);
    function = function_of(module, "empty");
    return 0;
}

static CUresult set(int attribute, int value)
{
    return CALL(cuFuncSetAttribute, (CUfunction, int, int), (function, attribute, value));
}

static int get(int attribute)
{
    int value = -77;
    OK(CALL(cuFuncGetAttribute, (int *, int, CUfunction), (&value, attribute, function)));
    return value;
}

/* A launch with these attributes, of so many blocks of one thread. */
static CUresult launch_with(unsigned blocks, unsigned shared, CUlaunchAttribute *attributes,
                            unsigned count)
{
    const CUlaunchConfig config = { .grid = { blocks, 1, 1 }, .block = { 1, 1, 1 },
                                    .shared_bytes = shared, .attributes = attributes,
                                    .attribute_count = count };
    return CALL(cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **),
                (&config, function, NULL, NULL));
}

static CUresult launch_plain(unsigned blocks)
{
    return launch_with(blocks, 0, NULL, 0);
}

static CUlaunchAttribute cluster_of(unsigned x)
{
    return (CUlaunchAttribute){ .id = RILL_ATTRIBUTE_CLUSTER, .value.cluster = { x, 1, 1 } };
}

/* ---- What a function wants -------------------------------------------------------------- */

static void any_size_can_be_set_and_launches_refuse_it(void **state)
{
    (void)state;
    assert_int_equal(set(WIDTH, -1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(set(MUST_BE_SET, 1), RILL_ERROR_INVALID_VALUE);
    OK(set(WIDTH, 1024));
    assert_int_equal(get(WIDTH), 1024);
    assert_int_equal(launch_plain(1024), RILL_ERROR_INVALID_CLUSTER_SIZE);
    OK(set(WIDTH, 0));
    OK(launch_plain(3));
    OK(set(LARGE, 100));
    assert_int_equal(get(LARGE), 1);
}

static void a_size_needs_the_others(void **state)
{
    (void)state;
    OK(set(WIDTH, 2));
    assert_int_equal(launch_plain(2), RILL_ERROR_INVALID_CLUSTER_SIZE);
    OK(set(HEIGHT, 1));
    OK(set(DEPTH, 1));
    OK(launch_plain(2));
    assert_int_equal(launch_plain(3), RILL_ERROR_INVALID_CLUSTER_SIZE);
}

static void a_launch_gives_the_sizes_that_the_function_leaves_open(void **state)
{
    (void)state;
    CUlaunchAttribute two = cluster_of(2), four = cluster_of(4);
    OK(set(WIDTH, 2));
    OK(launch_with(4, 0, &two, 1));
    assert_int_equal(launch_with(4, 0, &four, 1), RILL_ERROR_INVALID_CLUSTER_SIZE);
}

/* ---- In which order a launch is refused --------------------------------------------------- */

static void values_of_attributes_come_before_the_grid(void **state)
{
    (void)state;
    CUlaunchAttribute both[] = { cluster_of(3), { .id = RILL_ATTRIBUTE_DEVICE_UPDATABLE } };
    assert_int_equal(launch_with(0, 0, both, 2), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(launch_with(0, 0, both, 1), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(launch_with(4, 0, both, 1), RILL_ERROR_INVALID_CLUSTER_SIZE);
    assert_int_equal(launch_with(4, 1u << 20, both, 1), RILL_ERROR_INVALID_CLUSTER_SIZE);
}

static void policies_and_flags_of_events_are_looked_at(void **state)
{
    (void)state;
    CUevent event;
    CUlaunchAttribute policy = { .id = RILL_ATTRIBUTE_CLUSTER_SCHEDULING };
    CUlaunchAttribute record = { .id = RILL_ATTRIBUTE_PROGRAMMATIC_EVENT };
    *(int *)(void *)&policy.value = 3;
    assert_int_equal(launch_with(1, 0, &policy, 1), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, 0)));
    record.value.event.event = event;
    assert_int_equal(launch_with(1, 0, &record, 1), RILL_ERROR_NOT_SUPPORTED); /* it has a time */
    record.value.event.flags = 7;
    assert_int_equal(launch_with(1, 0, &record, 1), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuEventDestroy_v2, (CUevent), (event)));
}

static void too_much_shared_memory_is_too_large_for_a_cooperative_launch(void **state)
{
    (void)state;
    assert_int_equal(launch_with(1, 49153, NULL, 0), RILL_ERROR_INVALID_VALUE);
    CUlaunchAttribute cooperative = { .id = RILL_ATTRIBUTE_COOPERATIVE };
    *(int *)(void *)&cooperative.value = 1;
    assert_int_equal(launch_with(1, 49153, &cooperative, 1),
                     RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

/* ---- Occupancy ---------------------------------------------------------------------------- */

static int blocks_of(int threads, size_t dynamic)
{
    int blocks = -77;
    OK(CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t),
            (&blocks, function, threads, dynamic)));
    return blocks;
}

static void blocks_share_what_the_function_prefers(void **state)
{
    (void)state;
    assert_int_equal(blocks_of(64, 1024), 32);
    OK(set(CARVEOUT, 8));
    assert_int_equal(blocks_of(64, 1024), 16);
    OK(set(CARVEOUT, 3));
    assert_int_equal(blocks_of(64, 1024), 4);
    assert_int_equal(blocks_of(512, 49152), 1); /* one block always fits */
    OK(set(CARVEOUT, -1));
    OK(CALL(cuFuncSetCacheConfig, (CUfunction, int), (function, CU_FUNC_CACHE_PREFER_L1)));
    assert_int_equal(blocks_of(64, 0), 8);
    OK(CALL(cuFuncSetCacheConfig, (CUfunction, int), (function, CU_FUNC_CACHE_PREFER_EQUAL)));
    assert_int_equal(blocks_of(128, 16384), 7);
}

static void what_is_left_for_a_block_counts_nothing_reserved(void **state)
{
    (void)state;
    size_t dynamic = 0;
    OK(CALL(cuOccupancyAvailableDynamicSMemPerBlock, (size_t *, CUfunction, int, int),
            (&dynamic, function, 14, 33)));
    assert_int_equal(dynamic, 16640);
}

static void clusters_that_do_not_fit_come_before_the_block(void **state)
{
    (void)state;
    CUlaunchAttribute three = cluster_of(3);
    const CUlaunchConfig config = { .grid = { 16, 1, 1 }, .block = { 0, 1, 1 },
                                    .attributes = &three, .attribute_count = 1 };
    int count = -77;
    assert_int_equal(CALL(cuOccupancyMaxActiveClusters,
                          (int *, CUfunction, const CUlaunchConfig *),
                          (&count, function, &config)),
                     RILL_ERROR_INVALID_CLUSTER_SIZE);
    assert_int_equal(count, -77);
}

#define IN_CONTEXT(test) cmocka_unit_test_setup_teardown(test, begin_test, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_CONTEXT(any_size_can_be_set_and_launches_refuse_it),
        IN_CONTEXT(a_size_needs_the_others),
        IN_CONTEXT(a_launch_gives_the_sizes_that_the_function_leaves_open),
        IN_CONTEXT(values_of_attributes_come_before_the_grid),
        IN_CONTEXT(policies_and_flags_of_events_are_looked_at),
        IN_CONTEXT(too_much_shared_memory_is_too_large_for_a_cooperative_launch),
        IN_CONTEXT(blocks_share_what_the_function_prefers),
        IN_CONTEXT(what_is_left_for_a_block_counts_nothing_reserved),
        IN_CONTEXT(clusters_that_do_not_fit_come_before_the_block),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
