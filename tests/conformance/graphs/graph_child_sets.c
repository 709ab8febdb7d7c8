/* SPDX-License-Identifier: Apache-2.0
 *
 * Child graph nodes that get another graph.  Measured on an H200, driver 580: the node
 * holds a copy of any shape, and what was inside it before is gone.
 */
#include "conformance/graphs/drawing.h"

static rill_status set_child(rill_graph *graph, rill_node node, rill_graph *child, uint32_t flags)
{
    const rill_op op = child_op(child, flags);
    return rill_node_set_op(graph, node, &op);
}

/* A graph that writes a word, or two. */
static rill_graph *writer(struct fixture *f, rill_devptr word, uint32_t value, int words)
{
    rill_graph *graph = new_graph(f);
    for (int i = 0; i < words; i++)
        add(graph, NULL, fill_op(word + 4 * (rill_devptr)i, value + (uint32_t)i, 1));
    return graph;
}

static void runs(struct fixture *f, rill_exec *exec, rill_devptr word, uint32_t first,
                 uint32_t second)
{
    rill_stream *stream = new_stream(f);
    poke(f, word, 0);
    poke(f, word + 4, 0);
    ok(rill_exec_launch(exec, stream));
    assert_int_equal(peek(f, word), first);
    assert_int_equal(peek(f, word + 4), second);
}

/* ---- What the node does then -------------------------------------------------------------- */

static void the_node_holds_a_copy_of_any_shape(void **state)
{
    struct fixture *f = *state;
    rill_devptr d = device_words(f, 2);
    rill_graph *g = new_graph(f), *second = writer(f, d, 2, 2);
    rill_node node = add(g, NULL, child_op(writer(f, d, 1, 1), 0));
    rill_exec *before = new_exec(f, g);
    ok(set_child(g, node, second, 0));
    counts_are(inside(g, node), "2/0/2");
    assert_ptr_not_equal(inside(g, node), second);
    rill_exec *after = new_exec(f, g);
    runs(f, before, d, 1, 0);
    runs(f, after, d, 2, 3);
    add(second, NULL, empty_op());
    counts_are(inside(g, node), "2/0/2");
    forget(f, second);
    ok(rill_graph_destroy(&second));
    runs(f, new_exec(f, g), d, 2, 3);
}

static void an_exec_that_was_made_before_keeps_the_shape_that_it_has(void **state)
{
    struct fixture *f = *state;
    rill_devptr d = device_words(f, 2);
    rill_graph *g = new_graph(f), *first = writer(f, d, 1, 1), *second = writer(f, d, 2, 2);
    rill_node node = add(g, NULL, child_op(first, 0));
    rill_exec *exec = new_exec(f, g);
    rill_update_result result;
    ok(set_child(g, node, second, 0));
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, rill_exec_update(exec, g, &result));
    assert_int_equal(result.reason, RILL_UPDATE_TOPOLOGY_CHANGED);
    rill_op op = child_op(second, 0);
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, rill_exec_set_op(exec, node, &op));
    op = child_op(writer(f, d, 7, 1), 0);
    ok(rill_exec_set_op(exec, node, &op));
    runs(f, exec, d, 7, 0);
}

static void clones_that_were_made_before_do_not_change(void **state)
{
    struct fixture *f = *state;
    struct drawing single = draw(f, "A"), two = draw(f, "A B:A");
    rill_graph *g = new_graph(f), *clone = NULL;
    rill_node node = add(g, NULL, child_op(single.graph, 0)), found = NULL;
    ok(rill_graph_clone(g, &clone));
    keep_graph(f, clone);
    ok(set_child(g, node, two.graph, 0));
    ok(rill_graph_find_in_clone(clone, node, &found));
    counts_are(inside(clone, found), "1/0/1");
    counts_are(inside(g, node), "2/1/1");
}

/* The driver takes the flag and leaves a node that nothing can be made of. */
static void a_set_hands_nothing_over(void **state)
{
    struct fixture *f = *state;
    struct drawing single = draw(f, "A"), two = draw(f, "A B:A");
    rill_graph *g = new_graph(f);
    rill_node node = add(g, NULL, child_op(single.graph, 0));
    ok(set_child(g, node, two.graph, RILL_CHILD_MOVE));
    draw_into(&two, "C");
    forget(f, two.graph);
    ok(rill_graph_destroy(&two.graph));
    ok(set_child(g, node, single.graph, 7)); /* other flags are no more looked at */
    assert_int_equal(op_of(g, node).graph.flags, 0);
}

/* ---- What was inside -------------------------------------------------------------------- */

/* What handles are worth that name nothing any more is the backend's to say. */
static void is_gone(rill_status status)
{
    if (status != RILL_ERROR_INVALID_HANDLE) is(RILL_ERROR_INVALID_VALUE, status);
}

static void handles_inside_are_gone(rill_graph *old, rill_graph *older, rill_node inner)
{
    size_t count = 0;
    rill_node node;
    rill_graph *clone = NULL;
    if (!suite->expects.execs_keep_handles) return;
    is_gone(rill_graph_nodes(old, NULL, &count));
    is_gone(rill_graph_add_empty(old, NULL, 0, &node));
    is_gone(rill_graph_add_empty(older, NULL, 0, &node));
    blames("rill_graph_add_empty", "graph");
    is_gone(rill_graph_clone(old, &clone));
    is_gone(rill_node_child_graph(old, inner, &clone));
}

/* With and without the graph that it was in; an exec goes on running it. */
static void the_graph_that_was_inside_is_gone(void **state)
{
    struct fixture *f = *state;
    rill_devptr d = device_words(f, 2);
    for (int i = 0; i < 4; i++) {
        rill_graph *g = new_graph(f), *deep = new_graph(f);
        add(deep, NULL, child_op(writer(f, d, 1, 1), 0));
        rill_node inner = NULL;
        add(deep, NULL, empty_op());
        rill_node node = add(g, NULL, child_op(deep, 0));
        rill_graph *old = inside(g, node);
        size_t count = 1;
        ok(rill_graph_nodes(old, &inner, &count));
        rill_graph *older = inside(old, inner);
        rill_exec *exec = new_exec(f, g);
        if (i % 2) ok(rill_graph_remove_node(g, node));
        else ok(set_child(g, node, writer(f, d, 2, 1), 0));
        if (i / 2) forget(f, g);
        if (i / 2) ok(rill_graph_destroy(&g));
        handles_inside_are_gone(old, older, inner);
        runs(f, exec, d, 1, 0);
    }
}

static void a_capture_into_it_is_broken_or_keeps_it(void **state)
{
    struct fixture *f = *state;
    struct drawing single = draw(f, "A");
    rill_devptr d = device_words(f, 1);
    for (int i = 0; i < 2; i++) {
        rill_graph *g = new_graph(f), *captured = NULL;
        rill_stream *s = new_non_blocking(f);
        rill_node node = add(g, NULL, child_op(single.graph, 0));
        rill_capture_options options = { .size = sizeof options, .mode = RILL_CAPTURE_RELAXED,
                                         .graph = inside(g, node) };
        ok(rill_stream_begin_capture(s, &options));
        ok(rill_memset_d32_async(s, d, 1, 1));
        rill_status status = i ? rill_graph_remove_node(g, node)
                               : set_child(g, node, single.graph, 0);
        bool breaks = suite->expects.breaks_captures_inside;
        is(breaks ? RILL_SUCCESS : RILL_ERROR_ILLEGAL_STATE, status);
        status = breaks ? RILL_ERROR_STREAM_CAPTURE_INVALIDATED : RILL_SUCCESS;
        is(status, rill_memset_d32_async(s, d, 1, 1));
        is(status, rill_stream_end_capture(s, &captured));
    }
}

/* ---- What cannot be put in ---------------------------------------------------------------- */

static void what_cannot_be_copied_cannot_be_set(void **state)
{
    struct fixture *f = *state;
    struct drawing single = draw(f, "A"), memory = draw(f, ""), conditional = draw(f, ""),
                   two = draw(f, "A");
    rill_graph *g = new_graph(f);
    rill_devptr address;
    rill_conditional handle;
    rill_node node = add(g, NULL, child_op(single.graph, 0));
    rill_node sibling = add(g, NULL, child_op(two.graph, 0));
    add_alloc(memory.graph, NULL, 64, &address);
    ok(rill_conditional_create(conditional.graph, 0, 0, &handle));
    for (uint32_t flags = 0; flags < 2; flags++) {
        is(RILL_ERROR_NOT_SUPPORTED, set_child(g, node, memory.graph, flags));
        is(RILL_ERROR_NOT_SUPPORTED, set_child(g, node, conditional.graph, flags));
        is(RILL_ERROR_NOT_SUPPORTED, set_child(g, node, inside(g, node), flags));
        is(RILL_ERROR_NOT_SUPPORTED, set_child(g, node, inside(g, sibling), flags));
        blames("rill_node_set_op", "op->graph.graph");
    }
    counts_are(inside(g, node), "1/0/1");
}

static void a_graph_may_be_set_to_hold_a_copy_of_itself(void **state)
{
    struct drawing d = draw(*state, "A"), child = draw(*state, "A B");
    rill_node node = add(d.graph, NULL, child_op(child.graph, 0));
    ok(set_child(d.graph, node, d.graph, 0));
    counts_are(inside(d.graph, node), "2/0/2");
    counts_are(d.graph, "2/0/2");
}

static void memory_that_moved_in_stays(void **state)
{
    struct fixture *f = *state;
    struct drawing single = draw(f, "A");
    rill_graph *g = new_graph(f), *memory = new_graph(f);
    rill_devptr address;
    rill_node alloc = add_alloc(memory, NULL, 64, &address);
    add(memory, alloc, free_op(address));
    rill_node node = add(g, NULL, child_op(memory, RILL_CHILD_MOVE));
    forget(f, memory);
    is(RILL_ERROR_NOT_SUPPORTED, set_child(g, node, single.graph, 0));
    assert_ptr_equal(inside(g, node), memory);
    ok(run_once(f, g));
}

static void other_nodes_stay_what_they_are(void **state)
{
    struct drawing d = draw(*state, "A"), child = draw(*state, "A");
    rill_node node = add(d.graph, NULL, child_op(child.graph, 0));
    rill_op empty = empty_op();
    is(RILL_ERROR_INVALID_VALUE, set_child(d.graph, d.nodes[0], child.graph, 0));
    refuses(RILL_ERROR_INVALID_VALUE, "op->kind", rill_node_set_op(d.graph, node, &empty));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_node_holds_a_copy_of_any_shape),
    cmocka_unit_test(an_exec_that_was_made_before_keeps_the_shape_that_it_has),
    cmocka_unit_test(clones_that_were_made_before_do_not_change),
    cmocka_unit_test(a_set_hands_nothing_over),
    cmocka_unit_test(the_graph_that_was_inside_is_gone),
    cmocka_unit_test(a_capture_into_it_is_broken_or_keeps_it),
    cmocka_unit_test(what_cannot_be_copied_cannot_be_set),
    cmocka_unit_test(a_graph_may_be_set_to_hold_a_copy_of_itself),
    cmocka_unit_test(memory_that_moved_in_stays),
    cmocka_unit_test(other_nodes_stay_what_they_are),
};

SUITE_GROUP(graph_child_sets, 1);
