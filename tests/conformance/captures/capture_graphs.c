/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of a capture in progress: its dependencies changed by hand, edited,
 * given by the caller.
 */
#include "conformance/captures/capturing.h"
#include "conformance/nodes.h"

static const rill_op empty = { .kind = RILL_OP_EMPTY };

static rill_status update(rill_stream *stream, rill_node node, rill_capture_update how)
{
    return rill_stream_update_capture(stream, &node, NULL, 1, how);
}

static rill_status clear(rill_stream *stream)
{
    return rill_stream_update_capture(stream, NULL, NULL, 0, RILL_CAPTURE_SET);
}

/* ---- Dependencies by hand ------------------------------------------------------------- */

/* oracle capture.update_add */
static void dependencies_are_added_once(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    rill_node a = last_node(s), x = add(live_graph(s), NULL, empty);
    behind(s, "A");
    ok(update(s, x, RILL_CAPTURE_ADD));
    ok(update(s, x, RILL_CAPTURE_ADD));
    ok(update(s, a, RILL_CAPTURE_ADD));
    ok(rill_stream_update_capture(s, NULL, NULL, 0, RILL_CAPTURE_ADD));
    behind(s, "A,e");
    ok(letter(f, s, 'B'));
    ok(update(s, a, RILL_CAPTURE_ADD));
    behind(s, "A,B");
    ok(letter(f, s, 'C'));
    add(live_graph(s), NULL, empty);
    gives(s, "A B C e e | A>B A>C B>C e>B");
}

/* oracle capture.update_bad, capture.update_null */
static void what_is_refused_leaves_them_as_they_were(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_node foreign = add(new_graph(f), NULL, empty);
    is(RILL_ERROR_ILLEGAL_STATE, update(s, foreign, RILL_CAPTURE_ADD));
    is(RILL_ERROR_ILLEGAL_STATE, clear(s));
    is(RILL_ERROR_ILLEGAL_STATE, clear(f->legacy));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    is(RILL_ERROR_INVALID_VALUE, update(s, foreign, RILL_CAPTURE_ADD));
    is(RILL_ERROR_INVALID_VALUE, update(s, foreign, RILL_CAPTURE_SET));
    blames("rill_stream_update_capture", "dependencies");
    is(RILL_ERROR_INVALID_VALUE, rill_stream_update_capture(s, NULL, NULL, 0, 2));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_update_capture(s, NULL, NULL, 1, RILL_CAPTURE_ADD));
    behind(s, "A");
    gives(s, "A");
}

/* CP-36; oracle capture.update_unjoined */
static void what_a_stream_was_let_off_need_not_be_joined(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    ok(clear(side));
    behind(side, "");
    gives(s, "A B | A>B");
    idle(side);
}

static void a_dependency_or_an_edge_by_hand_joins(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    for (int by_edge = 0; by_edge < 2; by_edge++) {
        ok(begin(s, RILL_CAPTURE_GLOBAL));
        ok(letter(f, s, 'A'));
        follow(f, s, side);
        ok(letter(f, side, 'B'));
        rill_node b = last_node(side);
        if (!by_edge) ok(update(s, b, RILL_CAPTURE_ADD));
        ok(letter(f, s, 'C'));
        rill_node c = last_node(s);
        if (by_edge) ok(rill_graph_add_edges(live_graph(s), &b, &c, NULL, 1));
        gives(s, "A B C | A>B A>C B>C");
    }
}

/* Measured on an H200, driver 580: what follows a stream's last node joins it. */
static void a_node_by_hand_behind_the_last_one_joins(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    add(live_graph(s), last_node(side), empty);
    gives(s, "A B e | A>B B>e");
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    rill_node a = last_node(s);
    follow(f, s, side);
    ok(letter(f, side, 'B'));
    ok(update(side, a, RILL_CAPTURE_SET));
    gives(s, "A B | A>B");
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    follow(f, s, side);
    ok(clear(s));
    gives(s, "A");
}

/* oracle capture.update_manual_node */
static void a_node_put_in_by_hand_is_followed(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 2);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    ok(rill_memset_d32_async(s, p, 'A', 1));
    rill_node b = add(live_graph(s), last_node(s), fill_op(p, 'B', 1));
    behind(s, "A");
    ok(update(s, b, RILL_CAPTURE_SET));
    ok(rill_memcpy_dtod_async(s, p + 4, p, 4));
    ok(rill_memset_d32_async(s, p, 'C', 1));
    rill_graph *graph = ended(s);
    holds(graph, "A B C c | A>B B>c c>C");
    ok(run_once(f, graph));
    assert_int_equal(peek(f, p), 'C');
    assert_int_equal(peek(f, p + 4), 'B');
    ok(rill_graph_destroy(&graph));
}

/* ---- Editing ------------------------------------------------------------------------------ */

/* oracle capture.edit_edges_live, capture.node_destroy_live */
static void edges_may_be_edited_but_no_node_removed(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    ok(begin(s, RILL_CAPTURE_RELAXED));
    follow(f, s, side);
    ok(letter(f, s, 'A'));
    rill_node a = last_node(s);
    ok(letter(f, side, 'B'));
    rill_node b = last_node(side);
    follow(f, side, s);
    ok(letter(f, s, 'C'));
    rill_node c = last_node(s);
    ok(rill_graph_add_edges(live_graph(s), &a, &b, NULL, 1));
    ok(rill_graph_remove_edges(live_graph(s), &a, &c, NULL, 1));
    is(RILL_ERROR_ILLEGAL_STATE, rill_graph_remove_node(live_graph(s), a));
    active(s);
    gives(s, "A B C | A>B B>C");
}

/* oracle capture.graph_used_live */
static void the_graph_may_be_cloned_nested_and_made_ready(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *clone = NULL, *parent = new_graph(f);
    rill_exec *exec = NULL;
    ok(begin(s, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(rill_graph_clone(live_graph(s), &clone));
    holds(clone, "A");
    rill_op op = { .kind = RILL_OP_GRAPH };
    op.graph.graph = live_graph(s);
    add(parent, NULL, op);
    ok(rill_exec_create(live_graph(s), NULL, &exec));
    active(s);
    ok(letter(f, s, 'B'));
    gives(s, "A B | A>B");
    holds(clone, "A");
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&clone));
}

/* ---- Into a graph that is there already ------------------------------------------------------ */

/* CP-32; oracle capture.to_graph_empty */
static void a_capture_may_fill_a_graph_of_the_caller_s(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = new_graph(f), *out = NULL;
    ok(begin_into(s, graph, NULL, 0, RILL_CAPTURE_GLOBAL));
    assert_ptr_equal(live_graph(s), graph);
    behind(s, "");
    ok(letter(f, s, 'A'));
    ok(letter(f, s, 'B'));
    ok(rill_stream_end_capture(s, &out));
    assert_ptr_equal(out, graph);
    holds(graph, "A B | A>B");
    ok(run_once(f, graph));
    ok(rill_graph_remove_node(graph, add(graph, NULL, empty)));
}

/* CP-32; oracle capture.to_graph_unjoined */
static void it_begins_behind_the_nodes_that_are_given(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    rill_graph *graph = new_graph(f), *out = NULL;
    rill_node x = add(graph, NULL, empty);
    add(graph, NULL, empty); /* a loose end of the graph's own is none of the capture's */
    ok(begin_into(s, graph, &x, 1, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    behind(side, "e");
    ok(letter(f, side, 'A'));
    ok(letter(f, s, 'B'));
    follow(f, side, s);
    ok(letter(f, s, 'C'));
    ok(rill_stream_end_capture(s, &out));
    holds(graph, "A B C e e | A>C B>C e>A e>B");
}

static void nodes_of_another_graph_are_refused(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = new_graph(f);
    rill_node foreign = add(new_graph(f), NULL, empty);
    is(RILL_ERROR_INVALID_VALUE, begin_into(s, graph, &foreign, 1, RILL_CAPTURE_GLOBAL));
    blames("rill_stream_begin_capture", "options->dependencies");
    is(RILL_ERROR_INVALID_VALUE, begin_into(s, NULL, &foreign, 1, RILL_CAPTURE_GLOBAL));
    idle(s);
}

/* Measured on an H200, driver 580. */
static void edges_behind_what_is_no_kernel_carry_nothing(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = new_graph(f);
    const rill_node node = add(graph, NULL, empty), twice[] = { node, node };
    const rill_edge programmatic = { .from_port = 1, .type = 1 };
    rill_capture_options options = { .size = sizeof options, .graph = graph,
                                     .dependencies = twice, .edges = &programmatic,
                                     .dependency_count = 1 };
    is(RILL_ERROR_INVALID_VALUE, rill_stream_begin_capture(s, &options));
    idle(s);
    options.dependencies = NULL;
    is(RILL_ERROR_INVALID_VALUE, rill_stream_begin_capture(s, &options));
    idle(s);
    ok(begin_into(s, graph, twice, 2, RILL_CAPTURE_RELAXED));
    behind(s, "e");
    ok(rill_stream_end_capture(s, NULL));
    holds(graph, "e");
}

/* oracle capture.to_graph_instantiate */
static void the_graph_goes_on_being_the_caller_s(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = new_graph(f), *clone = NULL, *out = NULL;
    rill_exec *exec = NULL;
    add(graph, NULL, empty);
    ok(begin_into(s, graph, NULL, 0, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_clone(graph, &clone));
    ok(rill_graph_destroy(&clone));
    add(graph, NULL, empty);
    active(s);
    ok(rill_stream_end_capture(s, &out));
    holds(graph, "A e e");
}

static int swallow(void *data, const char *text, size_t bytes)
{
    (void)data, (void)text, (void)bytes;
    return 0;
}

/* oracle capture.to_graph_unjoined */
static void a_capture_that_fails_takes_the_graph_with_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f), *side = new_non_blocking(f);
    rill_graph *graph = new_graph(f), *clone = NULL;
    rill_exec *exec = NULL, *other = new_exec(f, new_graph(f));
    rill_node node = add(graph, NULL, empty);
    rill_op op = empty;
    rill_update_result result = { .reason = RILL_UPDATE_SUCCESS };
    rill_conditional conditional;
    size_t count;
    ok(begin_into(s, graph, NULL, 0, RILL_CAPTURE_GLOBAL));
    follow(f, s, side);
    ok(letter(f, side, 'D'));
    fails(RILL_ERROR_STREAM_CAPTURE_UNJOINED, s);
    idle(side);
    is(RILL_ERROR_INVALID_VALUE, rill_graph_nodes(graph, NULL, &count));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_edges(graph, NULL, NULL, NULL, &count));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(graph, NULL, 0, &op, &node));
    is(RILL_ERROR_INVALID_VALUE, rill_node_get_op(graph, node, &op));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_clone(graph, &clone));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_create(graph, NULL, &exec));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_update(other, graph, &result));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_write_dot(graph, 0, swallow, NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_conditional_create(graph, 0, 0, &conditional));
    is(RILL_ERROR_INVALID_VALUE, begin_into(s, graph, NULL, 0, RILL_CAPTURE_GLOBAL));
}

static void it_takes_no_user_objects_then(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = new_graph(f);
    rill_user_object *object = NULL;
    ok(rill_user_object_create(f->platform, NULL, nothing, 2, &object));
    ok(rill_graph_retain_user_object(graph, object, 1, 0));
    ok(begin_into(s, graph, NULL, 0, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_query(s));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    refuses(RILL_ERROR_INVALID_VALUE, "graph", rill_graph_retain_user_object(graph, object, 1, 0));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_release_user_object(graph, object, 1));
    ok(rill_user_object_release(&object, 2));
}

/* Measured on an H200, driver 580. */
static void a_graph_that_is_captured_into_cannot_be_destroyed(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_graph *graph = NULL, *same, *own, *out;
    ok(rill_graph_create(f->context, NULL, &graph));
    same = graph;
    ok(begin_into(s, graph, NULL, 0, RILL_CAPTURE_RELAXED));
    ok(letter(f, s, 'A'));
    refuses(RILL_ERROR_ILLEGAL_STATE, "graph", rill_graph_destroy(&graph));
    assert_ptr_equal(graph, same);
    active(s);
    ok(letter(f, s, 'B'));
    ok(rill_stream_end_capture(s, &out));
    assert_ptr_equal(out, graph);
    holds(graph, "A B | A>B");
    ok(rill_graph_destroy(&graph));

    ok(begin(s, RILL_CAPTURE_RELAXED));
    own = live_graph(s);
    is(RILL_ERROR_ILLEGAL_STATE, rill_graph_destroy(&own));
    ok(letter(f, s, 'A'));
    ok(rill_stream_end_capture(s, &out));
    assert_ptr_equal(own, out);
    ok(rill_graph_destroy(&out));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(dependencies_are_added_once),
    cmocka_unit_test(what_is_refused_leaves_them_as_they_were),
    cmocka_unit_test(what_a_stream_was_let_off_need_not_be_joined),
    cmocka_unit_test(a_dependency_or_an_edge_by_hand_joins),
    cmocka_unit_test(a_node_by_hand_behind_the_last_one_joins),
    cmocka_unit_test(a_node_put_in_by_hand_is_followed),
    cmocka_unit_test(edges_may_be_edited_but_no_node_removed),
    cmocka_unit_test(the_graph_may_be_cloned_nested_and_made_ready),
    cmocka_unit_test(a_capture_may_fill_a_graph_of_the_caller_s),
    cmocka_unit_test(it_begins_behind_the_nodes_that_are_given),
    cmocka_unit_test(nodes_of_another_graph_are_refused),
    cmocka_unit_test(edges_behind_what_is_no_kernel_carry_nothing),
    cmocka_unit_test(the_graph_goes_on_being_the_caller_s),
    cmocka_unit_test(a_capture_that_fails_takes_the_graph_with_it),
    cmocka_unit_test(it_takes_no_user_objects_then),
    cmocka_unit_test(a_graph_that_is_captured_into_cannot_be_destroyed),
};

SUITE_GROUP(capture_graphs, 1);
