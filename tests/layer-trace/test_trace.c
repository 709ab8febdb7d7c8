/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `trace` on the simulator: what is in the file.
 */
#include <rill/rill.h>
#include <rill/trace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer-trace/events.h"
#include "site/libdw.h"
#include "support/cmocka_all.h"

#define OK(call) assert_int_equal(call, RILL_SUCCESS)

enum { BYTES = 4096 };

static char path[64];

struct traced {
    rill_platform *platform;
    rill_context *context;
    rill_stream *s, *t;
    rill_devptr memory;
    rill_module *module;
    rill_kernel *kernel;
};

static void count(const rill_launch *launch)
{
    (void)launch;
}

static const rill_function functions[] = { { .name = "co\"unt", .over_grid = count } };
static const rill_image image = { .size = sizeof image, .functions = functions,
                                  .function_count = 1 };

static void start(struct traced *traced)
{
    const rill_trace_options options = { .size = sizeof options, .file = path };
    OK(rill_trace_start(traced->platform, &options));
}

static void open_traced(struct traced *traced)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "trace" };
    const rill_stream_options named = { .size = sizeof named, .flags = RILL_STREAM_NON_BLOCKING,
                                        .label = "copies" },
                              plain = { .size = sizeof plain, .flags = RILL_STREAM_NON_BLOCKING };
    OK(rill_open(&options, &traced->platform));
    OK(rill_context_create(traced->platform, NULL, &traced->context));
    start(traced);
    OK(rill_stream_create(traced->context, &named, &traced->s));
    OK(rill_stream_create(traced->context, &plain, &traced->t));
    OK(rill_mem_alloc(traced->context, BYTES, &traced->memory));
    OK(rill_module_load(traced->context, &image, &traced->module));
    OK(rill_module_kernel(traced->module, "co\"unt", &traced->kernel));
}

static void close_traced(struct traced *traced)
{
    OK(rill_context_synchronize(traced->context));
    OK(rill_module_unload(&traced->module));
    OK(rill_mem_free(traced->context, traced->memory));
    OK(rill_stream_destroy(&traced->s));
    OK(rill_stream_destroy(&traced->t));
    OK(rill_context_destroy(&traced->context));
    OK(rill_close(&traced->platform));
}

static struct events finish(struct traced *traced)
{
    close_traced(traced);
    struct events events = events_read(path);
    events_check(&events);
    return events;
}

static void launch(struct traced *traced, rill_stream *stream)
{
    const rill_dim3 grid = { 2, 1, 1 }, block = { 32, 1, 1 };
    OK(rill_launch_kernel(stream, traced->kernel, grid, block, 0, NULL));
}

static void nothing(void *data)
{
    (void)data;
}

/* ---- Streams --------------------------------------------------------------------------- */

static void each_operation_is_an_event_in_the_row_of_its_stream(void **state)
{
    struct traced traced;
    uint64_t stream;
    (void)state;
    open_traced(&traced);
    OK(rill_stream_id(traced.s, &stream));
    OK(rill_memset_d8_async(traced.s, traced.memory, 0, BYTES));
    launch(&traced, traced.s);
    OK(rill_launch_host(traced.s, nothing, NULL, NULL));
    OK(rill_memcpy_async(traced.s, traced.memory, traced.memory + 1024, 512));
    struct events events = finish(&traced);
    const struct event *fill = events_find(&events, 'X', "gpu_memset", "memset", 0);
    const struct event *kernel = events_find(&events, 'X', "kernel", "co\\", 0);
    const struct event *host = events_find(&events, 'X', "host_function", NULL, 0);
    const struct event *copy = events_find(&events, 'X', "gpu_memcpy", "memcpy", 0);
    assert_non_null(fill);
    assert_non_null(kernel);
    assert_non_null(host);
    assert_non_null(copy);
    assert_int_equal(fill->row, stream);
    assert_int_equal(fill->process, 0);
    assert_int_equal(fill->bytes, BYTES);
    assert_int_equal(copy->bytes, 512);
    assert_int_equal(fill->operation, 1);
    assert_int_equal(copy->operation, 4);
    assert_true(fill->end_ns <= kernel->begin_ns && kernel->end_ns <= host->begin_ns &&
                host->end_ns <= copy->begin_ns);
    events_free(&events);
}

static void rows_have_the_labels_of_streams(void **state)
{
    struct traced traced;
    uint64_t named, plain;
    char name[64];
    (void)state;
    open_traced(&traced);
    OK(rill_stream_id(traced.s, &named));
    OK(rill_stream_id(traced.t, &plain));
    launch(&traced, traced.s);
    launch(&traced, traced.t);
    struct events events = finish(&traced);
    snprintf(name, sizeof name, "copies (stream %d)", (int)named);
    assert_string_equal(events_name(&events, "thread_name", 0, named), name);
    snprintf(name, sizeof name, "stream %d", (int)plain);
    assert_string_equal(events_name(&events, "thread_name", 0, plain), name);
    assert_int_equal(strncmp(events_name(&events, "process_name", 0, 0), "device 0: ", 10), 0);
    events_free(&events);
}

static void an_arrow_leads_from_a_record_to_each_wait_for_it(void **state)
{
    struct traced traced;
    rill_event *event;
    uint64_t s, t;
    (void)state;
    open_traced(&traced);
    OK(rill_stream_id(traced.s, &s));
    OK(rill_stream_id(traced.t, &t));
    OK(rill_event_create(traced.context, NULL, &event));
    launch(&traced, traced.s);
    OK(rill_event_record(event, traced.s, 0));
    OK(rill_stream_wait_event(traced.t, event, 0));
    OK(rill_stream_wait_event(traced.t, event, 0));
    OK(rill_context_synchronize(traced.context));
    OK(rill_event_destroy(&event));
    struct events events = finish(&traced);
    assert_int_equal(events_count(&events, 's', "wait", NULL), 2);
    const struct event *from = events_find(&events, 's', "wait", NULL, 1);
    const struct event *to = events_find(&events, 'f', "wait", NULL, 1);
    const struct event *record = events_find(&events, 'X', "record", NULL, 0);
    assert_int_equal(from->row, s);
    assert_int_equal(to->row, t);
    assert_true(record->begin_ns <= from->begin_ns && from->begin_ns < record->end_ns);
    events_free(&events);
}

/* ---- The host -------------------------------------------------------------------------- */

static void calls_are_in_the_rows_of_threads_with_arrows_to_what_they_submit(void **state)
{
    struct traced traced;
    (void)state;
    open_traced(&traced);
    launch(&traced, traced.s);
    struct events events = finish(&traced);
    const struct event *call = events_find(&events, 'X', "call", "launch kernel", 0);
    const struct event *kernel = events_find(&events, 'X', "kernel", NULL, 0);
    assert_non_null(call);
    assert_true(call->process >= 10000);
    assert_non_null(strstr(call->line, "\"grid\":[2,1,1],\"block\":[32,1,1]"));
    assert_non_null(strstr(call->line, "\"kernel\":\"co\\\"unt\""));
    const struct event *from = events_find(&events, 's', "submit", NULL, 0);
    const struct event *to = events_find(&events, 'f', "submit", NULL, 0);
    assert_int_equal(from->process, call->process);
    assert_int_equal(from->row, call->row);
    assert_int_equal(from->begin_ns, call->begin_ns);
    assert_int_equal(to->row, kernel->row);
    assert_int_equal(to->begin_ns, kernel->begin_ns);
    events_free(&events);
}

static void calls_have_their_line(void **state)
{
    struct traced traced;
    char words[64];
    (void)state;
    open_traced(&traced);
    OK(rill_launch_host(traced.s, nothing, NULL, NULL)); int line = __LINE__;
    struct events events = finish(&traced);
    const struct event *call = events_find(&events, 'X', "call", "launch host function", 0);
    assert_non_null(call);
    snprintf(words, sizeof words, "test_trace.c:%d\",\"function\":\"%s\"", line, __func__);
    if (!cs_libdw()) strcpy(words, "\"line\":\"test_trace+0x");
    assert_non_null(strstr(call->line, words));
    events_free(&events);
}

static void calls_that_block_are_in_a_row_of_their_own_as_well(void **state)
{
    struct traced traced;
    (void)state;
    open_traced(&traced);
    OK(rill_stream_synchronize(traced.s));
    struct events events = finish(&traced);
    const struct event *call = events_find(&events, 'X', "call", "synchronize stream", 0);
    const struct event *wait = events_find(&events, 'X', "blocked", "synchronize stream", 0);
    assert_non_null(call);
    assert_non_null(wait);
    assert_int_equal(wait->begin_ns, call->begin_ns);
    assert_int_not_equal(wait->row, call->row);
    assert_string_equal(events_name(&events, "thread_name", wait->process, wait->row), "blocked");
    events_free(&events);
}

static void calls_that_fail_have_their_status(void **state)
{
    struct traced traced;
    rill_devptr memory;
    (void)state;
    open_traced(&traced);
    assert_int_equal(rill_mem_alloc(traced.context, (size_t)1 << 60, &memory),
                     RILL_ERROR_OUT_OF_MEMORY);
    struct events events = finish(&traced);
    const struct event *call = events_find(&events, 'X', "call", "allocate", 1);
    assert_non_null(strstr(call->line, "\"status\":\"RILL_ERROR_OUT_OF_MEMORY\""));
    events_free(&events);
}

/* ---- Graphs ---------------------------------------------------------------------------- */

enum { WIDTH = 8, LAUNCHES = 20 };

static void nodes_of_launches_have_rows_of_their_own(void **state)
{
    struct traced traced;
    rill_graph *graph;
    rill_exec *exec;
    rill_node nodes[WIDTH];
    uint64_t stream;
    (void)state;
    open_traced(&traced);
    OK(rill_stream_id(traced.s, &stream));
    OK(rill_graph_create(traced.context, NULL, &graph));
    for (int i = 0; i < WIDTH; i++)
        OK(rill_graph_add_host(graph, NULL, 0, nothing, NULL, NULL, &nodes[i]));
    OK(rill_exec_create(graph, NULL, &exec));
    for (int i = 0; i < LAUNCHES; i++) OK(rill_exec_launch(exec, traced.s));
    OK(rill_context_synchronize(traced.context));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    struct events events = finish(&traced);
    assert_int_equal(events_count(&events, 'X', "graph", NULL), LAUNCHES);
    assert_int_equal(events_count(&events, 'X', "host_function", NULL), WIDTH * LAUNCHES);
    const struct event *node = events_find(&events, 'X', "host_function", NULL, 0);
    assert_int_not_equal(node->row, stream);
    assert_non_null(strstr(events_name(&events, "thread_name", 0, node->row), " nodes"));
    assert_int_equal(events_count(&events, 's', "submit", NULL), LAUNCHES);
    events_free(&events);
}

/* ---- Start and stop -------------------------------------------------------------------- */

static void a_trace_has_what_ends_while_it_goes_on(void **state)
{
    struct traced traced;
    (void)state;
    open_traced(&traced);
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    OK(rill_trace_stop(traced.platform));
    struct events events = events_read(path);
    events_check(&events);
    assert_int_equal(events_count(&events, 'X', "kernel", NULL), 1);
    events_free(&events);
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    start(&traced);
    launch(&traced, traced.s);
    launch(&traced, traced.s);
    events = finish(&traced);
    assert_int_equal(events_count(&events, 'X', "kernel", NULL), 2);
    assert_non_null(strstr(events_name(&events, "thread_name", 0,
                                       events_find(&events, 'X', "kernel", NULL, 0)->row),
                           "copies"));
    events_free(&events);
}

static void a_start_that_cannot_be_is_refused(void **state)
{
    struct traced traced;
    const rill_trace_options good = { .size = sizeof good, .file = path },
                             nowhere = { .size = sizeof nowhere, .file = "/nowhere/at/all" },
                             unnamed = { .size = sizeof unnamed };
    rill_platform *plain;
    (void)state;
    open_traced(&traced);
    assert_int_equal(rill_trace_start(traced.platform, &good), RILL_ERROR_ILLEGAL_STATE);
    OK(rill_trace_stop(traced.platform));
    OK(rill_trace_stop(traced.platform));
    assert_int_equal(rill_trace_start(traced.platform, &nowhere), RILL_ERROR_OPERATING_SYSTEM);
    assert_int_equal(rill_trace_start(traced.platform, &unnamed), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_trace_start(traced.platform, NULL), RILL_ERROR_INVALID_VALUE);
    OK(rill_open(&(rill_open_options){ .size = sizeof(rill_open_options), .backend = "sim" },
                 &plain));
    assert_int_not_equal(rill_trace_start(plain, &good), RILL_SUCCESS);
    OK(rill_close(&plain));
    start(&traced);
    struct events events = finish(&traced);
    events_free(&events);
}

static void a_disk_that_is_full_is_told_by_the_stop(void **state)
{
    struct traced traced;
    const rill_trace_options full = { .size = sizeof full, .file = "/dev/full" };
    (void)state;
    if (access("/dev/full", W_OK)) skip();
    open_traced(&traced);
    OK(rill_trace_stop(traced.platform));
    OK(rill_trace_start(traced.platform, &full));
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    assert_int_equal(rill_trace_stop(traced.platform), RILL_ERROR_OPERATING_SYSTEM);
    close_traced(&traced);
}

/* ---- The environment ------------------------------------------------------------------- */

static void platforms_that_follow_each_other_are_in_one_file(void **state)
{
    char setting[80];
    (void)state;
    snprintf(setting, sizeof setting, "file=%s", path);
    setenv("RILL_TRACE", setting, 1);
    for (int i = 0; i < 3; i++) {
        const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                            .layers = "trace" };
        rill_platform *platform;
        rill_context *context;
        OK(rill_open(&options, &platform));
        OK(rill_context_create(platform, NULL, &context));
        OK(rill_context_destroy(&context));
        OK(rill_close(&platform));
        struct events events = events_read(path);
        events_check(&events);
        assert_int_equal(events_count(&events, 'X', "call", "create context"), i + 1);
        events_free(&events);
    }
    unsetenv("RILL_TRACE");
}

static void a_trace_of_the_programs_own_goes_first(void **state)
{
    char setting[120], other[80];
    struct traced traced;
    (void)state;
    snprintf(other, sizeof other, "%s.other", path);
    snprintf(setting, sizeof setting, "file=%s", other);
    setenv("RILL_TRACE", setting, 1);
    open_traced(&traced);
    launch(&traced, traced.s);
    OK(rill_context_synchronize(traced.context));
    OK(rill_trace_stop(traced.platform));
    OK(rill_memset_d8_async(traced.s, traced.memory, 0, BYTES));
    close_traced(&traced);
    unsetenv("RILL_TRACE");
    struct events own = events_read(path), others = events_read(other);
    events_check(&own);
    events_check(&others);
    assert_int_equal(events_count(&own, 'X', "kernel", NULL), 1);
    assert_int_equal(events_count(&own, 'X', "gpu_memset", NULL), 0);
    assert_int_equal(events_count(&others, 'X', "kernel", NULL), 0);
    assert_int_equal(events_count(&others, 'X', "gpu_memset", NULL), 1);
    events_free(&own);
    events_free(&others);
    unlink(other);
}

static void a_setting_that_is_none_is_refused(void **state)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "trace" };
    rill_platform *platform = NULL;
    (void)state;
    setenv("RILL_TRACE", "fiel=x", 1);
    assert_int_equal(rill_open(&options, &platform), RILL_ERROR_INVALID_VALUE);
    assert_non_null(strstr(rill_last_error()->message, "fiel=x"));
    unsetenv("RILL_TRACE");
}

/* ---- All ------------------------------------------------------------------------------- */

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation_is_an_event_in_the_row_of_its_stream),
        cmocka_unit_test(rows_have_the_labels_of_streams),
        cmocka_unit_test(an_arrow_leads_from_a_record_to_each_wait_for_it),
        cmocka_unit_test(calls_are_in_the_rows_of_threads_with_arrows_to_what_they_submit),
        cmocka_unit_test(calls_have_their_line),
        cmocka_unit_test(calls_that_block_are_in_a_row_of_their_own_as_well),
        cmocka_unit_test(calls_that_fail_have_their_status),
        cmocka_unit_test(nodes_of_launches_have_rows_of_their_own),
        cmocka_unit_test(a_trace_has_what_ends_while_it_goes_on),
        cmocka_unit_test(a_start_that_cannot_be_is_refused),
        cmocka_unit_test(a_disk_that_is_full_is_told_by_the_stop),
        cmocka_unit_test(platforms_that_follow_each_other_are_in_one_file),
        cmocka_unit_test(a_trace_of_the_programs_own_goes_first),
        cmocka_unit_test(a_setting_that_is_none_is_refused),
    };
    unsetenv("RILL_TRACE");
    snprintf(path, sizeof path, "test_trace.%ld.json", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
