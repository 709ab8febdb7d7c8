/* SPDX-License-Identifier: Apache-2.0
 *
 * Child graphs: copied into their node, or moved.
 */
#include "conformance/graphs/drawing.h"

/* ---- Copies ------------------------------------------------------------------------- */

/* graph.child_is_copy */
static void a_child_is_a_copy_of_what_the_graph_was_then(void **state)
{
    struct fixture *f = *state;
    struct drawing child = draw(f, "A B:A");
    rill_graph *g = new_graph(f);
    rill_graph *copy = inside(g, add(g, NULL, child_op(child.graph, 0)));
    assert_ptr_not_equal(copy, child.graph);
    counts_are(copy, "2/1/1");
    draw_into(&child, "C:B D:A");
    counts_are(copy, "2/1/1");
    forget(f, child.graph);
    ok(rill_graph_destroy(&child.graph));
    counts_are(copy, "2/1/1");
    counts_are(g, "1/0/1");
}

/* graph.child_edit_embedded */
static void what_is_inside_may_be_edited(void **state)
{
    struct drawing child = draw(*state, "A");
    rill_graph *g = new_graph(*state);
    rill_node holder = add(g, NULL, child_op(child.graph, 0));
    rill_graph *copy = inside(g, holder);
    rill_node a = only(copy);
    assert_ptr_equal(inside(g, holder), copy);
    add(copy, a, empty_op());
    counts_are(copy, "2/1/1");
    counts_are(child.graph, "1/0/1");
    ok(rill_graph_remove_node(copy, a));
    counts_are(copy, "1/0/1");
    is(RILL_ERROR_INVALID_VALUE, rill_graph_remove_node(copy, node(&child, 'A')));
}

/* graph.child_twice */
static void a_graph_may_be_a_child_twice(void **state)
{
    struct drawing child = draw(*state, "A");
    rill_graph *g = new_graph(*state);
    rill_node first = add(g, NULL, child_op(child.graph, 0));
    rill_node second = add(g, first, child_op(child.graph, 0));
    rill_graph *one_copy = inside(g, first), *other_copy = inside(g, second);
    assert_ptr_not_equal(one_copy, other_copy);
    assert_ptr_not_equal(only(one_copy), only(other_copy));
    add(one_copy, NULL, empty_op());
    counts_are(other_copy, "1/0/1");
}

/* Also into a graph that is inside itself: the copy is made first. */
static void a_graph_may_hold_a_copy_of_itself(void **state)
{
    struct drawing d = draw(*state, "A B:A");
    rill_node holder = add(d.graph, node(&d, 'B'), child_op(d.graph, 0));
    rill_graph *copy = inside(d.graph, holder);
    counts_are(d.graph, "3/2/1");
    counts_are(copy, "2/1/1");
    rill_graph *deeper = inside(copy, add(copy, NULL, child_op(d.graph, 0)));
    counts_are(deeper, "3/2/1");
    counts_are(copy, "3/1/2");
}

/* graph.child_addnode_clone */
static void the_operation_names_the_graph_inside(void **state)
{
    struct drawing child = draw(*state, "A");
    rill_graph *g = new_graph(*state);
    rill_op op = child_op(child.graph, 0);
    rill_node holder = NULL;
    rill_op_kind kind = RILL_OP_EMPTY;
    ok(rill_graph_add_node(g, NULL, 0, &op, &holder));
    assert_ptr_equal(op.graph.graph, child.graph);
    ok(rill_node_kind(g, holder, &kind));
    assert_int_equal(kind, RILL_OP_GRAPH);
    op = op_of(g, holder);
    assert_int_equal(op.kind, RILL_OP_GRAPH);
    assert_ptr_equal(op.graph.graph, inside(g, holder));
    op = child_op(child.graph, 2);
    refuses(RILL_ERROR_INVALID_VALUE, "op->graph.flags",
            rill_graph_add_node(g, NULL, 0, &op, &holder));
    counts_are(g, "1/0/1");
}

/* graph.child_bad_args */
static void other_nodes_have_no_child(void **state)
{
    struct drawing d = draw(*state, "A");
    rill_graph *untouched = d.graph, *child = untouched;
    refuses(RILL_ERROR_INVALID_VALUE, "node",
            rill_node_child_graph(d.graph, node(&d, 'A'), &child));
    assert_ptr_equal(child, untouched);
}

/* graph.child_destroy_node */
static void a_child_goes_with_its_node(void **state)
{
    struct drawing child = draw(*state, "A B:A"), d = draw(*state, "A");
    rill_node holder = add(d.graph, node(&d, 'A'), child_op(child.graph, 0));
    add(d.graph, holder, empty_op());
    counts_are(d.graph, "3/2/1");
    ok(rill_graph_remove_node(d.graph, holder));
    counts_are(d.graph, "2/0/2");
    counts_are(child.graph, "2/1/1");
}

/* graph.child_embedded_as_graph, graph.child_move_destroy */
static void what_is_inside_is_not_the_callers_to_end_or_give_away(void **state)
{
    struct fixture *f = *state;
    struct drawing child = draw(f, "A");
    rill_graph *g = new_graph(f), *h = new_graph(f), *clone = NULL;
    rill_graph *copy = inside(g, add(g, NULL, child_op(child.graph, 0))), *given = copy;
    is(RILL_ERROR_INVALID_VALUE, rill_graph_destroy(&given));
    refused(RILL_ERROR_NOT_SUPPORTED, h, child_op(copy, 0));
    refused_for(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph", h, child_op(copy, RILL_CHILD_MOVE));
    ok(rill_graph_clone(copy, &clone));
    keep_graph(f, clone);
    add(h, NULL, child_op(clone, 0));
    counts_are(clone, "1/0/1");
}

/* graph.child_deep, and deeper than anybody nests them */
static void children_may_nest(void **state)
{
    enum { DEPTH = 64 };
    rill_graph *g = new_graph(*state), *at;
    int depth = 0;
    add(g, NULL, empty_op());
    for (int i = 0; i < DEPTH; i++) {
        rill_graph *outer = new_graph(*state);
        add(outer, NULL, child_op(g, 0));
        g = outer;
    }
    for (at = g;; depth++) {
        rill_node child = only(at);
        rill_op_kind kind = RILL_OP_EMPTY;
        ok(rill_node_kind(at, child, &kind));
        if (kind != RILL_OP_GRAPH) break;
        at = inside(at, child);
    }
    assert_int_equal(depth, DEPTH);
}

/* ---- Moved in ------------------------------------------------------------------------- */

/* graph.child_move */
static void a_graph_that_moves_in_stays_the_same(void **state)
{
    struct fixture *f = *state;
    struct drawing child = draw(f, "A");
    rill_graph *g = new_graph(f), *h = new_graph(f), *given = child.graph;
    rill_node holder = add(g, NULL, child_op(child.graph, RILL_CHILD_MOVE));
    forget(f, child.graph);
    assert_ptr_equal(inside(g, holder), child.graph);
    assert_ptr_equal(op_of(g, holder).graph.graph, child.graph);
    draw_into(&child, "B:A");
    counts_are(child.graph, "2/1/1");
    is(RILL_ERROR_INVALID_VALUE, rill_graph_destroy(&given));
    refused(RILL_ERROR_NOT_SUPPORTED, h, child_op(child.graph, RILL_CHILD_MOVE));
    refused(RILL_ERROR_NOT_SUPPORTED, h, child_op(child.graph, 0));
    counts_are(h, "0/0/0");
    ok(rill_graph_remove_node(g, holder));
}

static void a_graph_whose_move_was_refused_stays_with_its_owner(void **state)
{
    struct fixture *f = *state;
    struct drawing child = draw(f, "A"), other = draw(f, "A");
    rill_graph *g = new_graph(f);
    rill_op op = child_op(child.graph, RILL_CHILD_MOVE);
    const rill_node foreign = node(&other, 'A');
    rill_node made = NULL;
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(g, &foreign, 1, &op, &made));
    draw_into(&child, "B:A");
    forget(f, child.graph);
    ok(rill_graph_destroy(&child.graph));
}

/* The driver lets a graph swallow itself (graph.child_move_self), after which
 * nobody can destroy it; here that is refused. */
static void a_graph_does_not_move_into_itself(void **state)
{
    struct fixture *f = *state;
    struct drawing d = draw(f, "A"), child = draw(f, "A");
    if (!suite->expects.refuses_swallowing) skip_since("the driver lets it, for good");
    refused_for(RILL_ERROR_INVALID_VALUE, "op->graph.graph", d.graph,
                child_op(d.graph, RILL_CHILD_MOVE));
    rill_graph *copy = inside(d.graph, add(d.graph, NULL, child_op(child.graph, 0)));
    refused(RILL_ERROR_INVALID_VALUE, copy, child_op(d.graph, RILL_CHILD_MOVE));
    counts_are(d.graph, "2/0/2");
}

static void a_clone_copies_what_moved_in(void **state)
{
    struct fixture *f = *state;
    struct drawing child = draw(f, "A B:A");
    rill_graph *g = new_graph(f), *clone = NULL;
    rill_node holder = add(g, NULL, child_op(child.graph, RILL_CHILD_MOVE)), found = NULL;
    forget(f, child.graph);
    ok(rill_graph_clone(g, &clone));
    keep_graph(f, clone);
    ok(rill_graph_find_in_clone(clone, holder, &found));
    assert_ptr_not_equal(inside(clone, found), child.graph);
    counts_are(inside(clone, found), "2/1/1");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_child_is_a_copy_of_what_the_graph_was_then),
    cmocka_unit_test(what_is_inside_may_be_edited),
    cmocka_unit_test(a_graph_may_be_a_child_twice),
    cmocka_unit_test(a_graph_may_hold_a_copy_of_itself),
    cmocka_unit_test(the_operation_names_the_graph_inside),
    cmocka_unit_test(other_nodes_have_no_child),
    cmocka_unit_test(a_child_goes_with_its_node),
    cmocka_unit_test(what_is_inside_is_not_the_callers_to_end_or_give_away),
    cmocka_unit_test(children_may_nest),
    cmocka_unit_test(a_graph_that_moves_in_stays_the_same),
    cmocka_unit_test(a_graph_whose_move_was_refused_stays_with_its_owner),
    cmocka_unit_test(a_graph_does_not_move_into_itself),
    cmocka_unit_test(a_clone_copies_what_moved_in),
};

SUITE_GROUP(graph_children, 1);
