/* SPDX-License-Identifier: Apache-2.0
 *
 * Clones, and which of their nodes stands for which of the original.
 */
#include "conformance/graphs/drawing.h"

static rill_graph *clone_of(struct fixture *f, rill_graph *graph)
{
    rill_graph *clone = NULL;
    ok(rill_graph_clone(graph, &clone));
    return keep_graph(f, clone);
}

/* The clone as a drawing with the letters of the original. */
static struct drawing trace(struct fixture *f, const struct drawing *d)
{
    struct drawing copy = { .graph = clone_of(f, d->graph) };
    for (int i = 0; i < 26; i++)
        if (d->nodes[i])
            ok(rill_graph_find_in_clone(copy.graph, d->nodes[i], &copy.nodes[i]));
    return copy;
}

static void finds_nothing(rill_graph *clone, rill_node original)
{
    rill_node untouched = (rill_node)(uintptr_t)0x5a5a, found = untouched;
    refuses(RILL_ERROR_INVALID_VALUE, "original",
            rill_graph_find_in_clone(clone, original, &found));
    assert_ptr_equal(found, untouched);
}

/* H200, driver 580: edges of a clone are added node by node, in the order of the
 * nodes that they lead to. */
static void a_clone_lists_what_the_original_lists(void **state)
{
    struct drawing d = draw(*state, "A B C D E:DA F:C G:BEF");
    ok(join(&d, "F>A B>A"));
    erase(&d, 'C');
    ok(part(&d, "B>G"));
    draw_into(&d, "H:GA");
    struct drawing copy = trace(*state, &d);
    nodes_are(&copy, "ABDEFGH");
    roots_are(&copy, "FDB");
    edges_are(&d, "A>E A>H B>A D>E E>G F>G F>A G>H");
    edges_are(&copy, "A>E A>H B>A D>E E>G F>A F>G G>H"); /* by where they lead */
    before_is(&copy, 'G', "FE");
    before_is(&copy, 'H', "GA");
    /* and goes on as a graph of its own */
    draw_into(&copy, "C:H I:C J");
    nodes_are(&copy, "ABDEFGHCIJ");
    counts_are(d.graph, "7/8/3");
}

/* graph.clone_independent */
static void a_clone_and_its_original_change_apart(void **state)
{
    struct fixture *f = *state;
    struct drawing d = draw(f, "A B:A"), copy = trace(f, &d);
    draw_into(&d, "C:B");
    counts_are(copy.graph, "2/1/1");
    erase(&copy, 'A');
    counts_are(copy.graph, "1/0/1");
    counts_are(d.graph, "3/2/1");
    forget(f, d.graph);
    ok(rill_graph_destroy(&d.graph));
    nodes_are(&copy, "B");
}

/* graph.find_in_clone_misses */
static void only_what_was_cloned_is_found(void **state)
{
    struct fixture *f = *state;
    struct drawing d = draw(f, "A B:A"), other = draw(f, "A");
    struct drawing copy = trace(f, &d), sibling = trace(f, &d);
    draw_into(&d, "C");
    draw_into(&copy, "C D");
    finds_nothing(copy.graph, node(&d, 'C'));
    finds_nothing(other.graph, node(&d, 'A'));
    finds_nothing(copy.graph, node(&other, 'A'));
    finds_nothing(d.graph, node(&d, 'A'));
    finds_nothing(copy.graph, node(&copy, 'A'));
    finds_nothing(sibling.graph, node(&copy, 'A'));
    rill_node gone = node(&copy, 'A'), found = NULL;
    erase(&copy, 'A');
    draw_into(&copy, "E"); /* may take its place */
    finds_nothing(copy.graph, node(&d, 'A'));
    if (suite->expects.nodes_stay_gone) assert_ptr_not_equal(node(&copy, 'E'), gone);
    ok(rill_graph_find_in_clone(copy.graph, node(&d, 'B'), &found));
    assert_ptr_equal(found, node(&copy, 'B'));
    ok(rill_graph_find_in_clone(sibling.graph, node(&d, 'A'), &found));
    assert_ptr_equal(found, node(&sibling, 'A'));
}

/* The original's node took the place of one that the clone still has. */
static void a_node_that_took_a_place_later_is_not_found(void **state)
{
    struct fixture *f = *state;
    struct drawing d = draw(f, "A B"), copy = trace(f, &d);
    erase(&d, 'A');
    draw_into(&d, "C");
    finds_nothing(copy.graph, node(&d, 'C'));
}

/* graph.clone_of_clone */
static void a_clone_of_a_clone_knows_its_parent_alone(void **state)
{
    struct fixture *f = *state;
    struct drawing d = draw(f, "A"), copy = trace(f, &d), second = trace(f, &copy);
    finds_nothing(second.graph, node(&d, 'A'));
    forget(f, copy.graph);
    ok(rill_graph_destroy(&copy.graph));
    nodes_are(&second, "A");
}

/* graph.clone_with_child */
static void children_are_cloned_with_their_graph(void **state)
{
    struct fixture *f = *state;
    struct drawing child = draw(f, "A");
    rill_graph *g = new_graph(f), *inner = NULL, *cloned_inner = NULL;
    rill_node holder = add(g, NULL, child_op(child.graph, 0)), found = NULL;
    rill_graph *c = clone_of(f, g);
    ok(rill_graph_find_in_clone(c, holder, &found));
    ok(rill_node_child_graph(g, holder, &inner));
    ok(rill_node_child_graph(c, found, &cloned_inner));
    assert_ptr_not_equal(inner, cloned_inner);
    ok(rill_graph_find_in_clone(inner, node(&child, 'A'), &found));
    assert_ptr_equal(found, only(inner));
    ok(rill_graph_find_in_clone(cloned_inner, only(inner), &found));
    assert_ptr_equal(found, only(cloned_inner));
    finds_nothing(cloned_inner, node(&child, 'A'));
    finds_nothing(c, only(inner));
    finds_nothing(g, node(&child, 'A'));
}

/* A node and its clone share what the user gave with it. */
static void data_of_a_host_node_lives_as_long_as_any_clone(void **state)
{
    struct fixture *f = *state;
    struct drawing d = { .graph = new_graph(f) };
    atomic_int destroyed = 0;
    rill_op op = host_op(count_up, &destroyed);
    op.host.destroy = count_up;
    d.nodes[0] = add(d.graph, NULL, op);
    struct drawing copy = trace(f, &d);
    erase(&d, 'A');
    assert_int_equal(destroyed, 0);
    erase(&copy, 'A');
    assert_int_equal(destroyed, 1);
}

/* CN-9 */
static void conditional_nodes_are_not_cloned(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *body = NULL, *untouched = g, *clone = untouched;
    rill_conditional handle = 0;
    ok(rill_conditional_create(g, 0, 0, &handle));
    rill_op op = { .kind = RILL_OP_CONDITIONAL };
    op.conditional = (rill_conditional_op){ handle, RILL_CONDITIONAL_IF, 1, &body };
    rill_node holder = add(g, NULL, op);
    refuses(RILL_ERROR_NOT_SUPPORTED, "graph", rill_graph_clone(g, &clone));
    assert_ptr_equal(clone, untouched);
    refused(RILL_ERROR_NOT_SUPPORTED, new_graph(f), child_op(g, 0));
    refused(RILL_ERROR_NOT_SUPPORTED, new_graph(f), child_op(g, RILL_CHILD_MOVE));
    ok(rill_graph_remove_node(g, holder));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_clone(g, &clone)); /* the handle is there yet */
    refused(RILL_ERROR_NOT_SUPPORTED, new_graph(f), child_op(g, RILL_CHILD_MOVE));
    refused(RILL_ERROR_NOT_SUPPORTED, new_graph(f), child_op(g, 0));
    assert_ptr_equal(clone, untouched);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_clone_lists_what_the_original_lists),
    cmocka_unit_test(a_clone_and_its_original_change_apart),
    cmocka_unit_test(only_what_was_cloned_is_found),
    cmocka_unit_test(a_node_that_took_a_place_later_is_not_found),
    cmocka_unit_test(a_clone_of_a_clone_knows_its_parent_alone),
    cmocka_unit_test(children_are_cloned_with_their_graph),
    cmocka_unit_test(data_of_a_host_node_lives_as_long_as_any_clone),
    cmocka_unit_test(conditional_nodes_are_not_cloned),
};

SUITE_GROUP(graph_clones, 1);
