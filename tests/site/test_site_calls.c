/* SPDX-License-Identifier: Apache-2.0
 *
 * From a slot of a layer, the site is the line of the program that called the library, through
 * whichever public function.
 */
#include "support/cmocka_all.h"

#include <rill/layer.h>
#include <rill/rill.h>

#include <string.h>

#include "site/libdw.h"
#include "site/site.h"
#include "site/site_layer.h"

static struct {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_devptr memory;
} world;

static void must(rill_status status)
{
    if (status) fail_msg("%s", rill_last_error()->message);
}

static void *nothing[4];

static void host_function(void *data)
{
    (void)data;
}

/* Fails unless the layer saw a call of this line. */
static void expect_line(int line, const char *function)
{
    struct cs_source source;
    const void *site = site_layer_last();
    assert_non_null(site);
    assert_true(cs_find_source(site, &source));
    assert_string_equal(source.module, "test_site_calls");
    if (!cs_libdw()) return;
    assert_non_null(source.file);
    const char *base = strrchr(source.file, '/');
    assert_string_equal(base ? base + 1 : source.file, "test_site_calls.c");
    assert_int_equal(source.line, line);
    assert_string_equal(source.function, function);
}

/* As programs have it. */
#define OK(call) must(call)

static void one_line_one_call(void **state)
{
    (void)state;
    rill_devptr memory = 0;
    OK(rill_mem_alloc(world.context, 64, &memory)); int line = __LINE__;
    expect_line(line, __func__);
    OK(rill_memset_d8_async(world.stream, memory, 1, 64)); line = __LINE__;
    expect_line(line, __func__);
    OK(rill_memcpy_async(world.stream, world.memory, memory, 64)); line = __LINE__;
    expect_line(line, __func__);
    OK(rill_launch_host(world.stream, host_function, nothing, NULL)); line = __LINE__;
    expect_line(line, __func__);
    OK(rill_stream_synchronize(world.stream));
    OK(rill_mem_free(world.context, memory));
}

static rill_status capture_one(rill_stream *stream, void *data)
{
    rill_status status = rill_launch_host(stream, host_function, nothing, NULL);
    *(int *)data = __LINE__ - 1;
    expect_line(*(int *)data, __func__);
    return status;
}

static void a_function_that_the_library_calls_is_the_program(void **state)
{
    (void)state;
    rill_graph *graph = NULL;
    rill_exec *exec = NULL;
    int line = 0;
    OK(rill_capture(world.stream, NULL, capture_one, &line, &graph));
    expect_line(line, "capture_one");
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_launch(exec, world.stream)); line = __LINE__;
    expect_line(line, __func__);
    OK(rill_stream_synchronize(world.stream));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}

static void a_step_is_called_where_the_program_takes_it(void **state)
{
    (void)state;
    rill_replay *replay = NULL;
    int inner = 0;
    OK(rill_replay_create(world.context, NULL, capture_one, &inner, NULL, &replay));
    OK(rill_replay_step(replay, world.stream)); int line = __LINE__;
    expect_line(line, __func__); /* its launch */
    OK(rill_stream_synchronize(world.stream));
    OK(rill_replay_destroy(&replay));
}

static inline __attribute__((always_inline)) void clear_all(void)
{
    OK(rill_memset_d8_async(world.stream, world.memory, 0, 64));
}

static void an_inlined_function_is_told_as_its_own_line(void **state)
{
    (void)state;
    clear_all();
    expect_line(__LINE__ - 7, "clear_all");
    OK(rill_stream_synchronize(world.stream));
}

static void call_through_pointers(void **state)
{
    (void)state;
    rill_status (*volatile function)(rill_stream *, rill_host_fn, void *, rill_destroy_fn) =
        rill_launch_host;
    OK(function(world.stream, host_function, nothing, NULL)); int line = __LINE__;
    expect_line(line, __func__);
    OK(rill_stream_synchronize(world.stream));
}

static int open_world(void **state)
{
    (void)state;
    rill_open_options options = { .size = sizeof options, .backend = "sim",
                                  .layers = SITE_LAYER };
    site_layer_register();
    must(rill_open(&options, &world.platform));
    must(rill_context_create(world.platform, NULL, &world.context));
    must(rill_stream_create(world.context, NULL, &world.stream));
    must(rill_mem_alloc(world.context, 4096, &world.memory));
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    must(rill_mem_free(world.context, world.memory));
    must(rill_stream_destroy(&world.stream));
    must(rill_context_destroy(&world.context));
    must(rill_close(&world.platform));
    cs_forget_sources();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_one_call),
        cmocka_unit_test(a_function_that_the_library_calls_is_the_program),
        cmocka_unit_test(a_step_is_called_where_the_program_takes_it),
        cmocka_unit_test(an_inlined_function_is_told_as_its_own_line),
        cmocka_unit_test(call_through_pointers),
    };
    if (!cs_libdw()) print_message("# no libdw.so.1: lines are not compared\n");
    return cmocka_run_group_tests(tests, open_world, close_world);
}
