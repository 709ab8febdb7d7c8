/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `trace` over a backend that does not tell when its operations run, as a driver does
 * not: the simulator, whose table `watch` is hidden.  Events around each operation tell it.
 */
#include <rill/backend.h>
#include <rill/rill.h>
#include <rill/trace.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "layer-trace/events.h"
#include "site/site.h"
#include "support/cmocka_all.h"
#include "support/shim_backend.h"

#define OK(call) assert_int_equal(call, RILL_SUCCESS)

extern const struct rill_backend rl_backend_sim;

static char path[64];

struct traced {
    rill_platform *platform;
    rill_context *context;
    rill_stream *s, *t;
    rill_event *event;
    rill_devptr memory;
};

static void open_traced(struct traced *traced)
{
    const rill_open_options options = { .size = sizeof options, .backend = "driver",
                                        .layers = "trace" };
    const rill_stream_options named = { .size = sizeof named, .flags = RILL_STREAM_NON_BLOCKING,
                                        .label = "copies" };
    OK(rill_open(&options, &traced->platform));
    OK(rill_context_create(traced->platform, NULL, &traced->context));
    OK(rill_trace_start(traced->platform, &(rill_trace_options){
        .size = sizeof(rill_trace_options), .file = path }));
    OK(rill_stream_create(traced->context, &named, &traced->s));
    OK(rill_stream_create(traced->context, &named, &traced->t));
    OK(rill_event_create(traced->context, NULL, &traced->event));
    OK(rill_mem_alloc(traced->context, 4096, &traced->memory));
}

static struct events finish(struct traced *traced)
{
    OK(rill_mem_free(traced->context, traced->memory));
    OK(rill_event_destroy(&traced->event));
    OK(rill_stream_destroy(&traced->s));
    OK(rill_stream_destroy(&traced->t));
    OK(rill_context_destroy(&traced->context));
    OK(rill_close(&traced->platform));
    struct events events = events_read(path);
    events_check(&events);
    return events;
}

static void nothing(void *data)
{
    (void)data;
}

static void operations_are_in_the_rows_of_their_streams(void **state)
{
    struct traced traced;
    uint64_t stream;
    (void)state;
    open_traced(&traced);
    OK(rill_stream_id(traced.s, &stream));
    for (int i = 0; i < 500; i++) {
        OK(rill_memset_d8_async(traced.s, traced.memory, 0, 4096));
        OK(rill_launch_host(traced.s, nothing, NULL, NULL));
    }
    OK(rill_stream_synchronize(traced.s));
    struct events events = finish(&traced);
    assert_int_equal(events_count(&events, 'X', "gpu_memset", "fill"), 500);
    assert_int_equal(events_count(&events, 'X', "host_function", "host"), 500);
    const struct event *fill = events_find(&events, 'X', "gpu_memset", "fill", 9);
    assert_int_equal(fill->row, stream);
    assert_int_equal(fill->bytes, 4096);
    assert_int_equal(fill->operation, 19);
    assert_int_equal(events_count(&events, 's', "submit", NULL), 1000);
    assert_non_null(strstr(events_name(&events, "thread_name", 0, stream), "copies"));
    events_free(&events);
}

static void waits_have_arrows(void **state)
{
    struct traced traced;
    (void)state;
    open_traced(&traced);
    OK(rill_event_record(traced.event, traced.s, 0));
    OK(rill_stream_wait_event(traced.t, traced.event, 0));
    OK(rill_context_synchronize(traced.context));
    struct events events = finish(&traced);
    assert_int_equal(events_count(&events, 's', "wait", NULL), 1);
    events_free(&events);
}

static void what_nobody_waited_for_is_there_once_the_context_ends(void **state)
{
    struct traced traced;
    (void)state;
    open_traced(&traced);
    OK(rill_launch_host(traced.s, nothing, NULL, NULL));
    struct events events = finish(&traced);
    assert_int_equal(events_count(&events, 'X', "host_function", NULL), 1);
    events_free(&events);
}

static void captures_are_left_alone_and_launches_are_one_event(void **state)
{
    struct traced traced;
    rill_graph *graph;
    rill_exec *exec;
    size_t nodes = 0;
    (void)state;
    open_traced(&traced);
    OK(rill_launch_host(traced.t, nothing, NULL, NULL));
    OK(rill_stream_begin_capture(traced.s, NULL));
    OK(rill_launch_host(traced.s, nothing, NULL, NULL));
    OK(rill_launch_host(traced.t, nothing, NULL, NULL));
    OK(rill_stream_end_capture(traced.s, &graph));
    OK(rill_graph_nodes(graph, NULL, &nodes));
    assert_int_equal(nodes, 1);
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_launch(exec, traced.s));
    OK(rill_stream_synchronize(traced.s));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    struct events events = finish(&traced);
    assert_int_equal(events_count(&events, 'X', "graph", "graph"), 1);
    events_free(&events);
}

static void each_failure_beneath_leaves_nothing_behind(void **state)
{
    cs_forget_sources();
    long live = rl_alloc_live();
    (void)state;
    for (long nth = 1; nth < 40; nth++) {
        struct traced traced;
        open_traced(&traced);
        shim_fail("backend->", nth, RILL_ERROR_OUT_OF_MEMORY);
        if (rill_launch_host(traced.s, nothing, NULL, NULL)) { /* may fail */ }
        if (rill_context_synchronize(traced.context)) { /* likewise */ }
        shim_fail("", 0, RILL_SUCCESS);
        struct events events = finish(&traced);
        events_free(&events);
        cs_forget_sources();
        assert_int_equal(rl_alloc_live(), live);
    }
}

static int register_driver(void **state)
{
    (void)state;
    return rill_backend_register(shim_backend(&rl_backend_sim, "driver")) ? -1 : 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_in_the_rows_of_their_streams),
        cmocka_unit_test(waits_have_arrows),
        cmocka_unit_test(what_nobody_waited_for_is_there_once_the_context_ends),
        cmocka_unit_test(captures_are_left_alone_and_launches_are_one_event),
        cmocka_unit_test(each_failure_beneath_leaves_nothing_behind),
    };
    unsetenv("RILL_TRACE");
    snprintf(path, sizeof path, "test_trace_timed.%ld.json", (long)getpid());
    return cmocka_run_group_tests(tests, register_driver, remove_file);
}
