/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `trace` on the simulator: what is in the file.
 */
#include "layer-trace/traced.h"

#include "site/libdw.h"

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
    };
    unsetenv("RILL_TRACE");
    snprintf(path, sizeof path, "test_trace.%ld.json", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
