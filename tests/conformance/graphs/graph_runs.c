/* SPDX-License-Identifier: Apache-2.0
 *
 * That a launch runs what the graph was when its exec was made: edges, child
 * graphs, clones, and edits of any of them.  Kernels compute p = p * m + a, so
 * that a word shows which ran and in which order.
 */
#include "conformance/graphs/drawing.h"

struct board {
    struct fixture *f;
    rill_kernel *kernel;
    rill_devptr word;
};

static struct board lay_out(struct fixture *f)
{
    return (struct board){ f, kernel(f, &mul_add_function), device_words(f, 1) };
}

static rill_op step_op(const struct board *b, const uint32_t *by, const uint32_t *more,
                       const void *params[3])
{
    params[0] = &b->word;
    params[1] = by;
    params[2] = more;
    return kernel_op(b->kernel, params);
}

static rill_node step(const struct board *b, rill_graph *graph, rill_node after, uint32_t by,
                      uint32_t more)
{
    const void *params[3];
    return add(graph, after, step_op(b, &by, &more, params));
}

static void change(const struct board *b, rill_graph *graph, rill_node node, uint32_t by,
                   uint32_t more)
{
    const void *params[3];
    rill_op op = step_op(b, &by, &more, params);
    ok(rill_node_set_op(graph, node, &op));
}

static void launch_leaves(const struct board *b, rill_exec *exec, uint32_t value)
{
    rill_stream *s = new_non_blocking(b->f);
    poke(b->f, b->word, 0);
    ok(rill_exec_launch(exec, s));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(b->f, b->word), value);
}

/* Starting from 0, the graph leaves this. */
static void leaves(const struct board *b, rill_graph *graph, uint32_t value)
{
    poke(b->f, b->word, 0);
    ok(run_once(b->f, graph));
    assert_int_equal(peek(b->f, b->word), value);
}

static rill_node first_of(rill_graph *graph)
{
    rill_node found = NULL;
    size_t count = 1;
    ok(rill_graph_nodes(graph, &found, &count));
    return found;
}

/* graph.deps_order_edited */
static void an_edge_that_is_turned_turns_the_order(void **state)
{
    struct board b = lay_out(*state);
    rill_graph *g = new_graph(*state);
    const rill_node first = step(&b, g, NULL, 1, 3), second = step(&b, g, first, 2, 1);
    leaves(&b, g, 7);
    ok(rill_graph_remove_edges(g, &first, &second, NULL, 1));
    ok(rill_graph_add_edges(g, &second, &first, NULL, 1));
    leaves(&b, g, 4);
}

/* graph.destroy_node_exec_keeps, graph.exec_is_snapshot */
static void an_exec_keeps_what_the_graph_was(void **state)
{
    struct board b = lay_out(*state);
    rill_graph *g = new_graph(*state);
    rill_node a = step(&b, g, NULL, 1, 1), c = step(&b, g, a, 1, 10);
    rill_exec *exec = new_exec(*state, g);
    ok(rill_graph_remove_node(g, c));
    change(&b, g, a, 1, 5);
    step(&b, g, a, 1, 100);
    launch_leaves(&b, exec, 11);
    leaves(&b, g, 105);
}

/* graph.clone_independent */
static void a_clone_runs_apart_from_its_original(void **state)
{
    struct fixture *f = *state;
    struct board b = lay_out(f);
    rill_graph *g = new_graph(f), *clone = NULL;
    rill_node a = step(&b, g, NULL, 1, 1), second = step(&b, g, a, 2, 0), copied = NULL;
    ok(rill_graph_clone(g, &clone));
    keep_graph(f, clone);
    ok(rill_graph_find_in_clone(clone, a, &copied));
    change(&b, g, a, 1, 50);
    step(&b, g, second, 1, 1000);
    leaves(&b, clone, 2);
    leaves(&b, g, 1100);
    change(&b, clone, copied, 1, 3);
    leaves(&b, clone, 6);
    leaves(&b, g, 1100);
    ok(rill_graph_remove_node(clone, copied));
    forget(f, g);
    ok(rill_graph_destroy(&g));
    leaves(&b, clone, 0);
}

/* graph.child_edit_embedded, graph.child_is_copy */
static void edits_inside_a_child_reach_its_parent_alone(void **state)
{
    struct fixture *f = *state;
    struct board b = lay_out(f);
    rill_graph *child = new_graph(f), *g = new_graph(f);
    rill_node a = step(&b, child, NULL, 1, 1), holder = add(g, NULL, child_op(child, 0));
    rill_graph *copy = inside(g, holder);
    rill_node copied = first_of(copy);
    rill_exec *old = new_exec(f, g);
    change(&b, copy, copied, 1, 5);
    leaves(&b, g, 5);
    rill_node second = step(&b, copy, copied, 2, 0);
    leaves(&b, g, 10);
    ok(rill_graph_remove_node(copy, copied));
    step(&b, copy, second, 1, 9);
    leaves(&b, g, 9);
    change(&b, child, a, 1, 20);
    leaves(&b, child, 20);
    leaves(&b, g, 9);
    launch_leaves(&b, old, 1);
}

/* graph.child_twice */
static void two_copies_of_a_child_are_two(void **state)
{
    struct board b = lay_out(*state);
    rill_graph *child = new_graph(*state), *g = new_graph(*state);
    step(&b, child, NULL, 2, 1);
    rill_node x = add(g, NULL, child_op(child, 0)), y = add(g, x, child_op(child, 0));
    leaves(&b, g, 3);
    change(&b, inside(g, y), first_of(inside(g, y)), 10, 0);
    leaves(&b, g, 10);
}

/* graph.child_empty */
static void an_empty_child_keeps_the_order(void **state)
{
    struct board b = lay_out(*state);
    rill_graph *child = new_graph(*state), *g = new_graph(*state);
    rill_node x = add(g, step(&b, g, NULL, 1, 3), child_op(child, 0));
    step(&b, g, x, 2, 0);
    leaves(&b, g, 6);
}

/* graph.child_deep */
static void children_of_children_run(void **state)
{
    enum { DEPTH = 10 };
    struct board b = lay_out(*state);
    rill_graph *g[DEPTH + 1], *at;
    for (int i = 0; i <= DEPTH; i++) {
        g[i] = new_graph(*state);
        step(&b, g[i], i ? add(g[i], NULL, child_op(g[i - 1], 0)) : NULL, 1, 1);
    }
    leaves(&b, g[DEPTH], 11);
    at = g[DEPTH];
    for (int i = 0; i < DEPTH; i++) at = inside(at, first_of(at));
    change(&b, at, first_of(at), 1, 100);
    leaves(&b, g[DEPTH], 110);
    leaves(&b, g[DEPTH - 1], 10);
}

/* graph.child_move, graph.child_embedded_as_graph */
static void a_child_runs_with_its_parent_alone(void **state)
{
    struct fixture *f = *state;
    struct board b = lay_out(f);
    rill_graph *child = new_graph(f), *g = new_graph(f), *clone = NULL;
    rill_exec *exec = NULL;
    rill_node a = step(&b, child, NULL, 1, 1);
    add(g, NULL, child_op(child, RILL_CHILD_MOVE));
    forget(f, child);
    change(&b, child, a, 1, 5);
    step(&b, child, a, 2, 0);
    leaves(&b, g, 10);
    is(RILL_ERROR_NOT_SUPPORTED, rill_exec_create(child, NULL, &exec));
    assert_null(exec);
    ok(rill_graph_clone(child, &clone));
    leaves(&b, keep_graph(f, clone), 10);
}

/* GR-4, EX-2 */
static void a_circle_is_found_when_the_exec_is_made(void **state)
{
    struct drawing d = draw(*state, "A B:A C:B D");
    rill_exec *exec = NULL;
    rill_exec_options options = { .size = sizeof options };
    ok(join(&d, "C>A"));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_create(d.graph, &options, &exec));
    assert_int_equal(options.result, RILL_EXEC_INVALID_STRUCTURE);
    assert_null(exec);
    ok(part(&d, "B>C"));
    ok(run_once(*state, d.graph));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_edge_that_is_turned_turns_the_order),
    cmocka_unit_test(an_exec_keeps_what_the_graph_was),
    cmocka_unit_test(a_clone_runs_apart_from_its_original),
    cmocka_unit_test(edits_inside_a_child_reach_its_parent_alone),
    cmocka_unit_test(two_copies_of_a_child_are_two),
    cmocka_unit_test(an_empty_child_keeps_the_order),
    cmocka_unit_test(children_of_children_run),
    cmocka_unit_test(a_child_runs_with_its_parent_alone),
    cmocka_unit_test(a_circle_is_found_when_the_exec_is_made),
};

SUITE_GROUP(graph_runs, 1);
