/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts that no array can have: those that were never set, and the negative ones.  The
 * call says which argument it was, and does not look at the array.
 */
#include "core/object/check.h"
#include "core/objects.h"

/* What lies here must not be read. */
static void *const nowhere = (void *)(uintptr_t)8;

static const size_t counts[] = { SIZE_MAX, SIZE_MAX - 7, SIZE_MAX / 2 + 1, RL_COUNT_MAX + 1 };

static rill_status load_functions(size_t count)
{
    const rill_image image = { .size = sizeof image, .functions = nowhere,
                               .function_count = count };
    rill_module *module = NULL;
    return rill_module_load(world.context, &image, &module);
}

static rill_status add_nodes(size_t count)
{
    rill_op op = { .kind = RILL_OP_EMPTY };
    rill_node node;
    return rill_graph_add_node(world.graph, nowhere, count, &op, &node);
}

static rill_status add_edges(size_t count)
{
    return rill_graph_add_edges(world.graph, nowhere, nowhere, nowhere, count);
}

static rill_status remove_edges(size_t count)
{
    return rill_graph_remove_edges(world.graph, nowhere, nowhere, nowhere, count);
}

static rill_status add_values(size_t count)
{
    rill_node node;
    return rill_graph_add_values(world.graph, NULL, 0, nowhere, count, 0, &node);
}

static rill_status batch(size_t count)
{
    return rill_stream_batch_values(world.stream, nowhere, count, 0);
}

static rill_status fork_streams(size_t count)
{
    return rill_stream_fork(world.stream, nowhere, count);
}

static rill_status join_streams(size_t count)
{
    return rill_stream_join(world.stream, nowhere, count);
}

static rill_status capture_into(size_t count)
{
    const rill_capture_options options = { .size = sizeof options, .graph = world.graph,
                                           .dependencies = nowhere, .dependency_count = count };
    return rill_stream_begin_capture(world.stream, &options);
}

static rill_status update_capture(size_t count)
{
    return rill_stream_update_capture(world.stream, nowhere, NULL, count, RILL_CAPTURE_SET);
}

static rill_status give_attributes(size_t count)
{
    rill_op op = { .kind = RILL_OP_KERNEL,
                   .kernel = { .kernel = world.kernel, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
                               .attributes = nowhere, .attribute_count = count } };
    return rill_stream_submit(world.stream, &op);
}

static const struct {
    const char *argument;
    rill_status (*call)(size_t count);
} calls[] = {
    { "image->function_count", load_functions }, { "dependency_count", add_nodes },
    { "count", add_edges },                  { "count", remove_edges },
    { "count", add_values },                { "count", batch },
    { "count", fork_streams },             { "count", join_streams },
    { "options->dependency_count", capture_into }, { "count", update_capture },
    { "op->kernel.attribute_count", give_attributes },
};

static void impossible_counts_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            shim_forget();
            assert_int_equal(calls[i].call(counts[k]), RILL_ERROR_INVALID_VALUE);
            assert_string_equal(rill_last_error()->argument, calls[i].argument);
            assert_non_null(strstr(rill_last_error()->message, "so many"));
            assert_null(shim_last());
        }
    }
}

/* The size of an image cannot go beyond the last address either. */
static void impossible_sizes_of_images_are_refused(void **state)
{
    (void)state;
    static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n";
    const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 64, SIZE_MAX / 2 + 1, (size_t)PTRDIFF_MAX + 1 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const rill_image image = { .size = sizeof image, .code = text, .code_bytes = sizes[i] };
        rill_module *module = NULL;
        shim_forget();
        assert_int_equal(rill_module_load(world.context, &image, &module),
                         RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, "image->code_bytes");
        assert_null(shim_last());
        assert_null(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(impossible_counts_are_refused),
        TEST(impossible_sizes_of_images_are_refused),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
