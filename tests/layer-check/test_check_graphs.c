/* SPDX-License-Identifier: Apache-2.0
 *
 * Order inside of launches, among them, and of captures.
 */
#include "layer-check/pairs.h"
#include "layer-check/slots/checker.h"

/* ---- Graphs -------------------------------------------------------------------------------- */

static rill_graph *new_graph(struct checked *c)
{
    rill_graph *graph;
    OK(rill_graph_create(c->context, NULL, &graph));
    return graph;
}

static rill_node add_fill(struct checked *c, rill_graph *graph, const rill_node *after)
{
    const rill_fill fill = { .dst = c->x, .value = 7, .element_bytes = 1, .width = BYTES,
                             .height = 1 };
    rill_node node;
    OK(rill_graph_add_memset(graph, after, after != NULL, &fill, &node));
    return node;
}

static rill_node add_copy(struct checked *c, rill_graph *graph, const rill_node *after)
{
    const rill_copy copy = { .dst = rill_device_place(c->y), .src = rill_device_place(c->x),
                             .width = BYTES, .height = 1, .depth = 1 };
    rill_node node;
    OK(rill_graph_add_memcpy(graph, after, after != NULL, &copy, &node));
    return node;
}

static rill_exec *make_exec(rill_graph *graph)
{
    rill_exec *exec;
    OK(rill_exec_create(graph, NULL, &exec));
    return exec;
}

/* Launches a graph once, and destroys it. */
static void launch_graph(rill_graph *graph, rill_stream *stream)
{
    rill_exec *exec = make_exec(graph);
    OK(rill_exec_launch(exec, stream));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}

static void assert_begins(const char *text, const char *words)
{
    if (strncmp(text, words, strlen(words))) fail_msg("the text is \"%s\"", text);
}

static void nodes_need_a_path_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c);
    rill_node fill = add_fill(c, graph, NULL);
    add_copy(c, graph, good ? &fill : NULL);
    launch_graph(graph, c->s);
}

static void nodes_need_a_path(void **state)
{
    (void)state;
    struct found found = expect_bug(nodes_need_a_path_program, RILL_FINDING_RACE);
    assert_int_equal(found.mend, RILL_MEND_EDGE);
    assert_int_equal(found.node[0], 2);
    assert_int_equal(found.node[1], 1);
}

static void a_child_graph_ends_as_a_whole_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c), *child = new_graph(c);
    rill_node inner;
    add_fill(c, child, NULL);
    OK(rill_graph_add_child(graph, NULL, 0, child, 0, &inner));
    add_copy(c, graph, good ? &inner : NULL);
    OK(rill_graph_destroy(&child));
    launch_graph(graph, c->s);
}

static void a_child_graph_ends_as_a_whole(void **state)
{
    (void)state;
    struct found found = expect_bug(a_child_graph_ends_as_a_whole_program, RILL_FINDING_RACE);
    assert_int_equal(found.within[0], 0);
    assert_int_equal(found.within[1], 1);
    assert_begins(found.advice, "add an edge from the node that has node 1, test_check_graphs");
    assert_non_null(strstr(found.advice, ", inside, to node 2, test_check_graphs"));
}

/* Whichever is listed first: an edge from the later one to the earlier one would mend nothing. */
static void nodes_of_a_body_stand_in_the_order_of_their_creation_program(struct checked *c,
                                                                         bool good)
{
    rill_graph *graph = new_graph(c), *body;
    rill_conditional handle;
    rill_node node;
    OK(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    OK(rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    rill_node fill = add_fill(c, body, NULL);
    add_copy(c, body, good ? &fill : NULL);
    launch_graph(graph, c->s);
}

static void nodes_of_a_body_stand_in_the_order_of_their_creation(void **state)
{
    (void)state;
    struct found found = expect_bug(
        nodes_of_a_body_stand_in_the_order_of_their_creation_program, RILL_FINDING_RACE);
    assert_int_equal(found.node[0], 2);
    assert_int_equal(found.node[1], 1);
    assert_int_equal(found.within[0], 1);
    assert_int_equal(found.within[1], 1);
    assert_begins(found.advice, "add an edge from node 1, test_check_graphs");
}

static void disabled_nodes_touch_nothing_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c);
    rill_node fill = add_fill(c, graph, NULL);
    add_copy(c, graph, NULL);
    rill_exec *exec = make_exec(graph);
    if (good) OK(rill_exec_set_enabled(exec, fill, 0));
    OK(rill_exec_launch(exec, c->s));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}
RACES(disabled_nodes_touch_nothing)

static void a_body_that_does_not_run_touches_nothing_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c), *body;
    rill_conditional handle;
    rill_node node;
    OK(rill_conditional_create(graph, !good, RILL_CONDITIONAL_ASSIGN, &handle));
    OK(rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    add_fill(c, body, NULL);
    add_copy(c, graph, NULL);
    launch_graph(graph, c->s);
}
RACES(a_body_that_does_not_run_touches_nothing)

/* ---- Launches ------------------------------------------------------------------------------ */

static void launches_of_one_exec_are_in_order_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c);
    add_fill(c, graph, NULL);
    rill_exec *first = make_exec(graph), *second = make_exec(graph);
    OK(rill_exec_launch(first, c->s));
    OK(rill_exec_launch(good ? first : second, c->t));
    OK(rill_exec_destroy(&first));
    OK(rill_exec_destroy(&second));
    OK(rill_graph_destroy(&graph));
}
RACES(launches_of_one_exec_are_in_order)

static void a_launch_keeps_what_its_nodes_did_program(struct checked *c, bool good)
{
    const rill_op op = { .kind = RILL_OP_MEMSET,
                         .memset = { .dst = c->y, .value = 1, .element_bytes = 1,
                                     .width = BYTES, .height = 1 } };
    rill_graph *graph = new_graph(c);
    rill_node node = add_fill(c, graph, NULL);
    rill_exec *exec = make_exec(graph);
    if (good) OK(rill_exec_set_op(exec, node, &op));
    OK(rill_exec_launch(exec, c->s));
    if (!good) OK(rill_exec_set_op(exec, node, &op));
    write_x(c, c->t);
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}
RACES(a_launch_keeps_what_its_nodes_did)

static void a_node_records_what_is_before_it_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c);
    rill_node fill = add_fill(c, graph, NULL), record;
    OK(rill_graph_add_event_record(graph, &fill, good, c->event, &record));
    launch_graph(graph, c->s);
    OK(rill_stream_wait_event(c->t, c->event, 0));
    read_x(c, c->t);
}
RACES(a_node_records_what_is_before_it)

static void a_node_waits_for_those_after_it_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c);
    rill_node wait;
    write_x(c, c->s);
    OK(rill_event_record(c->event, c->s, 0));
    OK(rill_graph_add_event_wait(graph, NULL, 0, c->event, &wait));
    add_copy(c, graph, good ? &wait : NULL);
    launch_graph(graph, c->t);
}
RACES(a_node_waits_for_those_after_it)

static void what_follows_a_launch_follows_its_waits_program(struct checked *c, bool good)
{
    rill_graph *graph = new_graph(c);
    rill_node wait;
    write_x(c, c->s);
    OK(rill_event_record(c->event, c->s, 0));
    if (good) OK(rill_graph_add_event_wait(graph, NULL, 0, c->event, &wait));
    launch_graph(graph, c->t);
    read_x(c, c->t);
}
RACES(what_follows_a_launch_follows_its_waits)

/* ---- Captures ------------------------------------------------------------------------------ */

static void forks_are_joined_before_their_results_are_used_program(struct checked *c, bool good)
{
    rill_graph *graph;
    OK(rill_stream_begin_capture(c->s, NULL));
    order(c, c->s, c->t);
    write_x(c, c->t);
    if (good) order(c, c->t, c->s);
    read_x(c, c->s);
    if (!good) order(c, c->t, c->s);
    OK(rill_stream_end_capture(c->s, &graph));
    launch_graph(graph, c->s);
}
RACES(forks_are_joined_before_their_results_are_used)

static void captured_memory_is_there_at_the_launch_program(struct checked *c, bool good)
{
    rill_graph *graph;
    rill_devptr z, again;
    OK(rill_mem_alloc(c->context, BYTES, &z));
    OK(rill_stream_begin_capture(c->s, NULL));
    OK(rill_memset_d8_async(c->s, z, 1, BYTES));
    OK(rill_stream_end_capture(c->s, &graph));
    if (!good) {
        OK(rill_mem_free(c->context, z));
        OK(rill_mem_alloc(c->context, BYTES, &again));
        assert_int_equal(again, z); /* another generation at the same place */
    }
    launch_graph(graph, c->s);
    OK(rill_mem_free(c->context, z));
}
LIVES(captured_memory_is_there_at_the_launch)

/* Of a copy, the second row: what it writes. */
static void all_that_a_node_names_is_there_at_the_launch_program(struct checked *c, bool good)
{
    rill_graph *graph;
    rill_devptr z, again;
    OK(rill_mem_alloc(c->context, BYTES, &z));
    OK(rill_stream_begin_capture(c->s, NULL));
    OK(rill_memcpy_dtod_async(c->s, z, c->x, BYTES));
    OK(rill_stream_end_capture(c->s, &graph));
    if (!good) {
        OK(rill_mem_free(c->context, z));
        OK(rill_mem_alloc(c->context, BYTES, &again));
        assert_int_equal(again, z);
    }
    launch_graph(graph, c->s);
    OK(rill_mem_free(c->context, z));
}
LIVES(all_that_a_node_names_is_there_at_the_launch)

/* A function may use memory that was allocated after its node was made. */
static void read_pinned(void *data)
{
    int *volatile *pinned = data;
    rill_touch_host(*pinned, sizeof **pinned, RILL_TOUCH_READ);
}

static void what_a_node_finds_may_be_new(void **state)
{
    struct checked c;
    void *pinned = NULL;
    rill_graph *graph;
    rill_exec *exec;
    (void)state;
    begin_pair(&c);
    OK(rill_stream_begin_capture(c.s, NULL));
    OK(rill_launch_host(c.s, read_pinned, &pinned, NULL));
    OK(rill_stream_end_capture(c.s, &graph));
    exec = make_exec(graph);
    OK(rill_host_alloc(c.context, 64, 0, &pinned));
    memset(pinned, 0, 64);
    OK(rill_exec_launch(exec, c.s));
    OK(rill_stream_synchronize(c.s));
    OK(rill_host_free(c.context, pinned));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
    OK(rill_context_synchronize(c.context));
    expect_nothing(&c); /* hints are told at the end */
    end_pair(&c);
}

static void what_breaks_a_capture_is_told_program(struct checked *c, bool good)
{
    rill_graph *graph = NULL;
    OK(rill_event_record(c->event, c->t, 0));
    if (good) OK(rill_stream_wait_event(c->s, c->event, 0));
    OK(rill_stream_begin_capture(c->s, NULL));
    if (!good)
        assert_int_equal(rill_stream_wait_event(c->s, c->event, 0),
                         RILL_ERROR_STREAM_CAPTURE_ISOLATION);
    rill_stream_end_capture(c->s, &graph);
    OK(rill_graph_destroy(&graph));
}

static void what_breaks_a_capture_is_told(void **state)
{
    (void)state;
    struct found found = expect_bug(what_breaks_a_capture_is_told_program, RILL_FINDING_CAPTURE);
    assert_int_equal(found.places, 2);
    assert_string_equal(found.what[1], "event record");
}

static void a_fork_that_is_not_joined_is_told_program(struct checked *c, bool good)
{
    rill_graph *graph = NULL;
    OK(rill_stream_begin_capture(c->s, NULL));
    order(c, c->s, c->t);
    write_x(c, c->t);
    if (good) order(c, c->t, c->s);
    rill_status status = rill_stream_end_capture(c->s, &graph);
    assert_int_equal(status, good ? RILL_SUCCESS : RILL_ERROR_STREAM_CAPTURE_UNJOINED);
    OK(rill_graph_destroy(&graph));
}

static void a_fork_that_is_not_joined_is_told(void **state)
{
    (void)state;
    struct found found = expect_bug(a_fork_that_is_not_joined_is_told_program,
                                      RILL_FINDING_CAPTURE);
    assert_string_equal(found.what[1], "memset");
}

/* Else each call would ask whether its stream captures, for ever. */
static void a_capture_ends_with_its_stream(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    struct ck_checker *checker = ck_checker_of(c.platform);
    rill_stream *stream = new_stream(&c, RILL_STREAM_NON_BLOCKING);
    OK(rill_stream_begin_capture(stream, NULL));
    write_x(&c, stream);
    assert_int_equal(atomic_load(&checker->captures), 1);
    OK(rill_stream_destroy(&stream));
    assert_int_equal(atomic_load(&checker->captures), 0);
    rill_graph *graph;
    OK(rill_stream_begin_capture(c.s, NULL));
    OK(rill_stream_end_capture(c.s, &graph));
    assert_int_equal(atomic_load(&checker->captures), 0);
    OK(rill_graph_destroy(&graph));
    end_pair(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_need_a_path),
        cmocka_unit_test(a_child_graph_ends_as_a_whole),
        cmocka_unit_test(nodes_of_a_body_stand_in_the_order_of_their_creation),
        cmocka_unit_test(disabled_nodes_touch_nothing),
        cmocka_unit_test(a_body_that_does_not_run_touches_nothing),
        cmocka_unit_test(launches_of_one_exec_are_in_order),
        cmocka_unit_test(a_launch_keeps_what_its_nodes_did),
        cmocka_unit_test(a_node_records_what_is_before_it),
        cmocka_unit_test(a_node_waits_for_those_after_it),
        cmocka_unit_test(what_follows_a_launch_follows_its_waits),
        cmocka_unit_test(forks_are_joined_before_their_results_are_used),
        cmocka_unit_test(captured_memory_is_there_at_the_launch),
        cmocka_unit_test(all_that_a_node_names_is_there_at_the_launch),
        cmocka_unit_test(what_a_node_finds_may_be_new),
        cmocka_unit_test(what_breaks_a_capture_is_told),
        cmocka_unit_test(a_fork_that_is_not_joined_is_told),
        cmocka_unit_test(a_capture_ends_with_its_stream),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
