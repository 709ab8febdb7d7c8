/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs with a size field, given and filled: today's, yesterday's and
 * tomorrow's, and what is none.
 */
#include "core/objects.h"

#include "core/object/error.h"
#include "core/object/options.h"

/* ---- Given -------------------------------------------------------------- */

struct options {
    size_t size;
    int number;
    const char *text;
};

/* What a newer header might have. */
struct newer {
    struct options old;
    int extra;
    char more[40];
};

static rill_status read(const void *given, struct options *known)
{
    memset(known, 0x77, sizeof *known);
    return rl_read_options(given, known, sizeof *known, "options->size");
}

static void nothing_given_is_all_zero(void **state)
{
    (void)state;
    struct options known;
    assert_int_equal(read(NULL, &known), RILL_SUCCESS);
    assert_int_equal(known.size, sizeof known);
    assert_int_equal(known.number, 0);
    assert_null(known.text);
}

static void what_is_known_is_copied(void **state)
{
    (void)state;
    const struct options given = { sizeof given, 7, "text" };
    struct options known;
    assert_int_equal(read(&given, &known), RILL_SUCCESS);
    assert_int_equal(known.size, sizeof known);
    assert_int_equal(known.number, 7);
    assert_ptr_equal(known.text, given.text);
}

static void a_larger_struct_is_fine_while_its_tail_is_zero(void **state)
{
    (void)state;
    struct newer given = { .old = { sizeof given, 7, "text" } };
    struct options known;
    assert_int_equal(read(&given, &known), RILL_SUCCESS);
    assert_int_equal(known.size, sizeof known); /* what a backend may rely on */
    assert_int_equal(known.number, 7);
    given.extra = 1;
    assert_int_equal(read(&given, &known), RILL_ERROR_INVALID_VALUE);
    rl_drop_note();
    given.extra = 0;
    given.more[39] = 1; /* to the last byte */
    assert_int_equal(read(&given, &known), RILL_ERROR_INVALID_VALUE);
    char sentence[RILL_ERROR_MESSAGE_MAX];
    rl_noted_message(sentence);
    assert_non_null(strstr(sentence, "options->size"));
    rl_drop_note();
}

static void a_wrong_size_is_refused(void **state)
{
    (void)state;
    struct options given = { 0, 7, "text" }, known;
    const size_t sizes[] = { 0, 1, sizeof given - 1, sizeof given + 100000, SIZE_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        given.size = sizes[i];
        assert_int_equal(read(&given, &known), RILL_ERROR_INVALID_VALUE);
        assert_int_equal(known.number, 0); /* nothing of it was taken */
    }
    rl_drop_note();
}

/* ---- Every call that is given one --------------------------------------- */

static unsigned char given[8192];

static const void *sized(size_t size)
{
    memset(given, 0, sizeof given);
    memcpy(given, &size, sizeof size);
    return given;
}

static void expect_size_refused(rill_status status, const char *operation, const char *argument)
{
    assert_int_equal(status, RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->operation, operation);
    assert_string_equal(rill_last_error()->argument, argument);
}

/* Each with a size of 0, one that is too small by one, and a tail that is set. */
#define EXPECT_SIZE_CHECKED(type, argument, call, ...)                          \
    do {                                                                        \
        const type *options = sized(0);                                         \
        expect_size_refused(call(__VA_ARGS__), #call, argument);                \
        options = sized(sizeof(type) - 1);                                      \
        expect_size_refused(call(__VA_ARGS__), #call, argument);                \
        options = sized(sizeof(type) + 8);                                      \
        given[sizeof(type) + 7] = 1;                                            \
        expect_size_refused(call(__VA_ARGS__), #call, argument);                \
    } while (0)

static rill_status create_exec(const rill_exec_options *options, rill_exec **exec)
{
    return rill_exec_create(world.graph, (rill_exec_options *)(uintptr_t)options, exec);
}

static rill_status step_of_nothing(rill_stream *stream, void *data)
{
    (void)stream;
    (void)data;
    return RILL_SUCCESS;
}

static void every_call_checks_its_options(void **state)
{
    (void)state;
    void *out = &world;
    EXPECT_SIZE_CHECKED(rill_open_options, "options->size", rill_open, options,
                        (rill_platform **)&out);
    EXPECT_SIZE_CHECKED(rill_context_options, "options->size", rill_context_create, world.platform,
                        options, (rill_context **)&out);
    EXPECT_SIZE_CHECKED(rill_stream_options, "options->size", rill_stream_create, world.context,
                        options, (rill_stream **)&out);
    EXPECT_SIZE_CHECKED(rill_event_options, "options->size", rill_event_create, world.context,
                        options, (rill_event **)&out);
    EXPECT_SIZE_CHECKED(rill_pool_options, "options->size", rill_pool_create, world.platform,
                        options, (rill_pool **)&out);
    EXPECT_SIZE_CHECKED(rill_image, "image->size", rill_module_load, world.context, options,
                        (rill_module **)&out);
    EXPECT_SIZE_CHECKED(rill_graph_options, "options->size", rill_graph_create, world.context,
                        options, (rill_graph **)&out);
    EXPECT_SIZE_CHECKED(rill_capture_options, "options->size", rill_stream_begin_capture,
                        world.stream, options);
    EXPECT_SIZE_CHECKED(rill_replay_options, "options->size", rill_replay_create, world.context,
                        options, step_of_nothing, NULL, NULL, (rill_replay **)&out);
    rill_graph *captured = NULL; /* which is NULL whatever becomes of the call */
    EXPECT_SIZE_CHECKED(rill_capture_options, "options->size", rill_capture, world.stream, options,
                        step_of_nothing, NULL, &captured);
    const rill_exec_options *options = sized(0);
    expect_size_refused(create_exec(options, (rill_exec **)&out), "rill_exec_create",
                        "options->size");
    assert_ptr_equal(out, &world); /* no output was touched */
}

static void options_with_bad_contents_are_refused(void **state)
{
    (void)state;
    rill_image image = { .size = sizeof image, .function_count = 1 };
    rill_module *module = NULL;
    assert_int_equal(rill_module_load(world.context, &image, &module), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "image->functions");

    rill_capture_options capture = { .size = sizeof capture, .dependency_count = 1 };
    assert_int_equal(rill_stream_begin_capture(world.stream, &capture), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "options->dependencies");
    capture.dependency_count = 0;
    capture.graph = (rill_graph *)world.event;
    assert_int_equal(rill_stream_begin_capture(world.stream, &capture), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->argument, "options->graph");

    rill_exec_options exec = { .size = sizeof exec, .upload_stream = (rill_stream *)world.event };
    rill_exec *made = NULL;
    assert_int_equal(rill_exec_create(world.graph, &exec, &made), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->argument, "options->upload_stream");
    assert_null(made);
}

/* ---- Given and filled --------------------------------------------------- */

static void exec_options_bring_back_why_it_failed(void **state)
{
    (void)state;
    rill_exec_options options = { .size = sizeof options,
                                  .flags = 0x100, /* the fake refuses these */
                                  .label = "exec" };
    rill_exec *exec = NULL;
    assert_int_equal(rill_exec_create(world.graph, &options, &exec), RILL_ERROR_INVALID_VALUE);
    assert_null(exec);
    assert_int_equal(options.result, RILL_EXEC_INVALID_STRUCTURE);
    assert_non_null(options.failing_node);
    assert_int_equal(options.flags, 0x100);
    options.flags = RILL_EXEC_UPLOAD;
    options.upload_stream = world.stream;
    assert_int_equal(rill_exec_create(world.graph, &options, &exec), RILL_SUCCESS);
    assert_int_equal(options.result, RILL_EXEC_OK);
    assert_null(options.failing_node);
    assert_string_equal(options.label, "exec");
    rill_exec_destroy(&exec);
}

static void updates_bring_back_why_they_failed(void **state)
{
    (void)state;
    rill_update_result result = { RILL_UPDATE_ERROR, world.node, world.node };
    assert_int_equal(rill_exec_update(world.exec, world.graph, &result), RILL_SUCCESS);
    assert_int_equal(result.reason, RILL_UPDATE_SUCCESS);
    assert_null(result.node);
    rill_op op = { .kind = RILL_OP_EMPTY };
    rill_node node = NULL;
    rill_graph_add_node(world.graph, NULL, 0, &op, &node);
    assert_int_equal(rill_exec_update(world.exec, world.graph, &result),
                     RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    assert_int_equal(result.reason, RILL_UPDATE_TOPOLOGY_CHANGED);
    assert_ptr_equal(result.node, node);
    assert_int_equal(rill_exec_update(world.exec, world.graph, NULL),
                     RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    rill_graph_remove_node(world.graph, node);
}

/* ---- Filled ------------------------------------------------------------- */

static void outputs_are_filled_as_far_as_they_go(void **state)
{
    (void)state;
    struct {
        rill_device_info info;
        unsigned char tail[16];
    } newer;
    memset(&newer, 0x77, sizeof newer);
    newer.info.size = sizeof newer;
    assert_int_equal(rill_device_get_info(world.platform, 0, &newer.info), RILL_SUCCESS);
    assert_int_equal(newer.info.size, sizeof newer); /* the caller's */
    assert_string_equal(newer.info.name, "fake device");
    assert_int_equal(newer.info.warp_size, 32);
    assert_int_equal(newer.info.workers, 0);
    for (size_t i = 0; i < sizeof newer.tail; i++) assert_int_equal(newer.tail[i], 0);

    rill_device_info info = { .size = sizeof info };
    assert_int_equal(rill_device_get_info(world.platform, 0, &info), RILL_SUCCESS);
    assert_int_equal(info.size, sizeof info);
    assert_string_equal(info.name, "fake device");

    rill_pointer_info pointer = { .size = sizeof pointer };
    assert_int_equal(rill_pointer_get_info(world.context, 77, &pointer), RILL_SUCCESS);
    assert_int_equal(pointer.size, sizeof pointer);
    assert_ptr_equal(pointer.context, world.context);
    assert_int_equal(pointer.base, 77);

    rill_capture_info capture = { .size = sizeof capture, .state = RILL_CAPTURE_INVALIDATED };
    assert_int_equal(rill_stream_capture_info(world.stream, &capture), RILL_SUCCESS);
    assert_int_equal(capture.size, sizeof capture);
    assert_int_equal(capture.state, RILL_CAPTURE_NONE);
}

/* A struct that is shorter than the library's, once the library has grown. */
static void a_shorter_output_is_not_overrun(void **state)
{
    (void)state;
    struct options full = { sizeof full, 7, "text" };
    struct {
        struct options output;
        int guard;
    } caller = { .output = { offsetof(struct options, text), 0, "mine" }, .guard = 5 };
    rl_write_output(&caller.output, &full, sizeof full);
    assert_int_equal(caller.output.size, offsetof(struct options, text));
    assert_int_equal(caller.output.number, 7);
    assert_string_equal(caller.output.text, "mine");
    assert_int_equal(caller.guard, 5);
}

static void an_output_of_the_wrong_size_is_refused(void **state)
{
    (void)state;
    rill_device_info device;
    rill_pointer_info pointer;
    rill_capture_info capture;
    rill_replay_info replay;
    const size_t sizes[] = { 0, 8, 1000000 };
    for (size_t i = 0; i < 3; i++) {
        memset(&device, 0x77, sizeof device);
        device.size = pointer.size = capture.size = replay.size = sizes[i];
        expect_size_refused(rill_device_get_info(world.platform, 0, &device),
                            "rill_device_get_info", "info->size");
        assert_int_equal(device.name[0], 0x77);
        expect_size_refused(rill_pointer_get_info(world.context, world.address, &pointer),
                            "rill_pointer_get_info", "info->size");
        expect_size_refused(rill_stream_capture_info(world.stream, &capture),
                            "rill_stream_capture_info", "info->size");
        expect_size_refused(rill_replay_get_info(world.replay, &replay), "rill_replay_get_info",
                            "info->size");
    }
}

static void a_failed_call_leaves_its_output(void **state)
{
    (void)state;
    rill_device_info device;
    memset(&device, 0x77, sizeof device);
    device.size = sizeof device;
    assert_int_equal(rill_device_get_info(world.platform, 9, &device), RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(device.name[0], 0x77);
}

static void either_of_two_outputs_may_be_null(void **state)
{
    (void)state;
    rill_devptr base = 0;
    size_t bytes = 0, offset = 1;
    int number = 1;
    assert_int_equal(rill_mem_range(world.context, world.address, &base, NULL), RILL_SUCCESS);
    assert_int_equal(base, world.address);
    assert_int_equal(rill_mem_range(world.context, world.address, NULL, &bytes), RILL_SUCCESS);
    assert_int_equal(bytes, 64);
    assert_int_equal(rill_mem_info(world.context, &bytes, NULL), RILL_SUCCESS);
    assert_true(bytes > 64);
    bytes = 0;
    assert_int_equal(rill_mem_info(world.context, NULL, &bytes), RILL_SUCCESS);
    assert_true(bytes > 64);
    assert_int_equal(rill_context_priority_range(world.context, NULL, &number), RILL_SUCCESS);
    assert_int_equal(number, -2);
    assert_int_equal(rill_context_priority_range(world.context, &number, NULL), RILL_SUCCESS);
    assert_int_equal(number, 0);
    assert_int_equal(rill_kernel_param(world.kernel, 0, &offset, NULL), RILL_SUCCESS);
    assert_int_equal(offset, 0);
    assert_int_equal(rill_kernel_param(world.kernel, 2, &offset, &bytes), RILL_SUCCESS);
    assert_int_equal(offset, 16);
    assert_int_equal(bytes, 8);
}

static void edges_need_both_ends_or_none(void **state)
{
    (void)state;
    rill_node nodes[1];
    size_t count = 1;
    assert_int_equal(rill_graph_edges(world.graph, NULL, NULL, NULL, &count), RILL_SUCCESS);
    assert_int_equal(count, 0);
    count = 1;
    assert_int_equal(rill_graph_edges(world.graph, nodes, nodes, NULL, &count), RILL_SUCCESS);
    assert_int_equal(count, 0);
    count = 1;
    assert_int_equal(rill_graph_edges(world.graph, nodes, NULL, NULL, &count),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "to");
    assert_int_equal(rill_graph_edges(world.graph, NULL, nodes, NULL, &count),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "from");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_is_all_zero),
        cmocka_unit_test(what_is_known_is_copied),
        cmocka_unit_test(a_larger_struct_is_fine_while_its_tail_is_zero),
        cmocka_unit_test(a_wrong_size_is_refused),
        cmocka_unit_test(every_call_checks_its_options),
        cmocka_unit_test(options_with_bad_contents_are_refused),
        cmocka_unit_test(exec_options_bring_back_why_it_failed),
        cmocka_unit_test(updates_bring_back_why_they_failed),
        cmocka_unit_test(outputs_are_filled_as_far_as_they_go),
        cmocka_unit_test(a_shorter_output_is_not_overrun),
        cmocka_unit_test(an_output_of_the_wrong_size_is_refused),
        cmocka_unit_test(a_failed_call_leaves_its_output),
        cmocka_unit_test(either_of_two_outputs_may_be_null),
        cmocka_unit_test(edges_need_both_ends_or_none),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
