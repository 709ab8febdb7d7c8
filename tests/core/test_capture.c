/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures around a function: what the core does of its own around the slots of a
 * backend.
 */
#include "core/recording.h"

static size_t nodes_of(rill_graph *of)
{
    size_t count = 0;
    assert_int_equal(rill_graph_nodes(of, NULL, &count), RILL_SUCCESS);
    return count;
}

/* ---- rill_capture ------------------------------------------------------- */

static rill_status two_functions(rill_stream *into, void *data)
{
    rill_status status = rill_launch_host(into, run, data, destroy);
    return status ? status : rill_launch_host(into, run, data, destroy);
}

static void a_function_is_captured(void **state)
{
    (void)state;
    rill_exec *exec = NULL;
    assert_int_equal(rill_capture(stream, NULL, two_functions, NULL, &graph), RILL_SUCCESS);
    assert_int_equal(nodes_of(graph), 2);
    assert_int_equal(runs, 0);
    assert_int_equal(state_of(stream), RILL_CAPTURE_NONE);
    assert_int_equal(rill_exec_create(graph, NULL, &exec), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
    assert_int_equal(rill_exec_launch(exec, stream), RILL_SUCCESS);
    assert_int_equal(runs, 2);
    assert_int_equal(destroys, 0);
    assert_int_equal(rill_exec_destroy(&exec), RILL_SUCCESS);
    assert_int_equal(destroys, 2);
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

static void a_capture_without_an_output_leaves_no_graph(void **state)
{
    (void)state;
    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(two_functions(stream, NULL), RILL_SUCCESS);
    assert_int_equal(fake_record.graphs, 1);
    assert_int_equal(rill_stream_end_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(fake_record.graphs, 0);
    assert_int_equal(destroys, 2);
}

static rill_status fail_in_the_middle(rill_stream *into, void *data)
{
    two_functions(into, data);
    return rill_launch_host(into, NULL, NULL, NULL);
}

static void a_function_that_fails_leaves_nothing(void **state)
{
    (void)state;
    graph = (rill_graph *)stream;
    assert_int_equal(rill_capture(stream, NULL, fail_in_the_middle, NULL, &graph),
                     RILL_ERROR_INVALID_VALUE);
    assert_null(graph);
    assert_int_equal(state_of(stream), RILL_CAPTURE_NONE);
    assert_int_equal(destroys, 2);
    const rill_error *error = rill_last_error();
    assert_string_equal(error->operation, "rill_capture");
    assert_string_equal(error->object, "stream 'main'");
    assert_non_null(strstr(error->message, "rill_launch_host failed in the function"));
    assert_non_null(strstr(error->message, "fn is NULL"));
    assert_int_equal(error->cause.status, RILL_ERROR_INVALID_VALUE);
    assert_string_equal(error->cause.operation, "rill_launch_host");
    assert_string_equal(error->cause.object, "stream 'main'");
    assert_true(error->cause.thread != 0);
}

static rill_status return_number(rill_stream *into, void *data)
{
    (void)into;
    return (rill_status)(intptr_t)data;
}

/* An older failure of the thread's is not the function's. */
static void a_function_may_fail_without_a_call(void **state)
{
    (void)state;
    assert_int_equal(rill_stream_query(NULL), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(rill_capture(stream, NULL, return_number,
                                  (void *)(intptr_t)RILL_ERROR_INVALID_HANDLE, &graph),
                     RILL_ERROR_INVALID_HANDLE);
    assert_non_null(strstr(rill_last_error()->message, "the function returned"));
    assert_int_equal(rill_last_error()->cause.status, RILL_SUCCESS);
    assert_int_equal(rill_capture(stream, NULL, return_number, (void *)(intptr_t)7777, &graph),
                     7777);
    assert_non_null(strstr(rill_last_error()->message, "7777"));
    assert_int_equal(state_of(stream), RILL_CAPTURE_NONE);
}

static rill_status break_it(rill_stream *into, void *data)
{
    two_functions(into, NULL);
    rill_status status = rill_stream_synchronize(into);
    return data ? status : RILL_SUCCESS;
}

static void both_failures_are_told(void **state)
{
    (void)state;
    assert_int_equal(rill_capture(stream, NULL, break_it, stream, &graph),
                     RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    const rill_error *error = rill_last_error();
    assert_non_null(strstr(error->message, "rill_stream_synchronize failed"));
    assert_non_null(strstr(error->message, "STREAM_CAPTURE_INVALIDATED"));
    assert_string_equal(error->cause.operation, "rill_stream_synchronize");
    assert_int_equal(state_of(stream), RILL_CAPTURE_NONE);
    assert_int_equal(destroys, 2);
}

static void a_number_that_is_no_status_is_told_as_such(void **state)
{
    (void)state;
    shim_fail("backend->capture->end", 1, (rill_status)7777);
    assert_int_equal(rill_capture(stream, NULL, return_number,
                                  (void *)(intptr_t)RILL_ERROR_UNKNOWN, &graph),
                     RILL_ERROR_UNKNOWN);
    shim_fail("", 0, RILL_SUCCESS);
    assert_non_null(strstr(rill_last_error()->message, "then the capture ended with 7777"));
}

static void a_capture_that_broke_unseen_fails(void **state)
{
    (void)state;
    assert_int_equal(rill_capture(stream, NULL, break_it, NULL, &graph),
                     RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    assert_null(graph);
    assert_string_equal(rill_last_error()->argument, "stream");
    assert_int_equal(state_of(stream), RILL_CAPTURE_NONE);
}

/* What the function does to the capture itself. */
static rill_graph *taken;

static rill_status end_it(rill_stream *into, void *data)
{
    (void)data;
    two_functions(into, NULL);
    return rill_stream_end_capture(into, &taken);
}

static rill_status begin_another(rill_stream *into, void *data)
{
    rill_status status = end_it(into, NULL);
    if (!status) status = rill_stream_begin_capture(into, NULL);
    if (!status) status = two_functions(into, NULL);
    return status ? status : (rill_status)(intptr_t)data;
}

static void a_function_that_ends_the_capture_is_told_so(void **state)
{
    (void)state;
    assert_int_equal(rill_capture(stream, NULL, end_it, NULL, &graph), RILL_ERROR_ILLEGAL_STATE);
    assert_null(graph);
    assert_int_equal(nodes_of(taken), 2); /* what it took is its own */
    assert_int_equal(rill_graph_destroy(&taken), RILL_SUCCESS);
    assert_string_equal(rill_last_error()->argument, "fn");
}

static void another_capture_is_ended_too(void **state)
{
    (void)state;
    for (intptr_t status = 0; status < 2; status++) {
        assert_int_equal(rill_capture(stream, NULL, begin_another, (void *)status, &graph),
                         status ? RILL_ERROR_INVALID_VALUE : RILL_ERROR_ILLEGAL_STATE);
        assert_null(graph);
        assert_int_equal(state_of(stream), RILL_CAPTURE_NONE);
        assert_int_equal(rill_graph_destroy(&taken), RILL_SUCCESS);
        assert_int_equal(destroys, 4 * (status + 1));
    }
}

static rill_status destroy_stream(rill_stream *into, void *data)
{
    (void)data;
    two_functions(into, NULL);
    return rill_stream_destroy(&stream);
}

static void a_function_may_destroy_the_stream(void **state)
{
    (void)state;
    assert_int_equal(rill_capture(stream, NULL, destroy_stream, NULL, &graph),
                     RILL_ERROR_ILLEGAL_STATE);
    assert_null(graph);
    assert_null(stream);
    assert_non_null(strstr(rill_last_error()->message, "destroyed"));
    assert_int_equal(destroys, 2);
}

static rill_status destroy_context(rill_stream *into, void *data)
{
    (void)into;
    (void)data;
    return rill_context_destroy(&context);
}

static void a_function_may_destroy_the_context(void **state)
{
    (void)state;
    rill_stream *borrowed = rill_stream_per_thread(context);
    assert_int_equal(rill_capture(borrowed, NULL, destroy_context, NULL, &graph),
                     RILL_ERROR_ILLEGAL_STATE);
    assert_null(graph);
    assert_null(context);
}

static void a_capture_into_a_graph_leaves_it_to_its_owner(void **state)
{
    (void)state;
    rill_graph *into = NULL;
    assert_int_equal(rill_graph_create(context, NULL, &into), RILL_SUCCESS);
    const rill_capture_options options = { .size = sizeof options, .graph = into };
    assert_int_equal(rill_capture(stream, &options, two_functions, NULL, &graph), RILL_SUCCESS);
    assert_ptr_equal(graph, into);
    assert_int_equal(rill_capture(stream, &options, fail_in_the_middle, NULL, &graph),
                     RILL_ERROR_INVALID_VALUE);
    assert_null(graph);
    assert_int_equal(nodes_of(into), 4);
    assert_int_equal(rill_graph_destroy(&into), RILL_SUCCESS);
}

static rill_status count_calls(rill_stream *into, void *data)
{
    (void)into;
    ++*(int *)data;
    return RILL_SUCCESS;
}

static void a_capture_that_cannot_begin_does_not_call(void **state)
{
    (void)state;
    int calls = 0;
    assert_int_equal(rill_stream_begin_capture(stream, NULL), RILL_SUCCESS);
    assert_int_equal(rill_capture(stream, NULL, count_calls, &calls, &graph),
                     RILL_ERROR_ILLEGAL_STATE);
    assert_int_equal(calls, 0);
    assert_int_equal(state_of(stream), RILL_CAPTURE_ACTIVE); /* somebody else's */
    assert_int_equal(rill_stream_end_capture(stream, &graph), RILL_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_function_is_captured),
        TEST(a_capture_without_an_output_leaves_no_graph),
        TEST(a_function_that_fails_leaves_nothing),
        TEST(a_function_may_fail_without_a_call),
        TEST(both_failures_are_told),
        TEST(a_number_that_is_no_status_is_told_as_such),
        TEST(a_capture_that_broke_unseen_fails),
        TEST(a_function_that_ends_the_capture_is_told_so),
        TEST(another_capture_is_ended_too),
        TEST(a_function_may_destroy_the_stream),
        TEST(a_function_may_destroy_the_context),
        TEST(a_capture_into_a_graph_leaves_it_to_its_owner),
        TEST(a_capture_that_cannot_begin_does_not_call),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
