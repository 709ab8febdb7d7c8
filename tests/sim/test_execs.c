/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs from the inside: what is said of graphs that cannot become one.
 */
#include "sim/machine.h"

static rill_graph *new_graph(struct machine *m)
{
    rill_graph *graph = NULL;
    ok(rill_graph_create(m->context[0], NULL, &graph));
    return graph;
}

static rill_node add_empty(rill_graph *graph, const rill_node *before)
{
    rill_node node = NULL;
    ok(rill_graph_add_empty(graph, before, before ? 1 : 0, &node));
    return node;
}

static rill_node add_child(rill_graph *graph, rill_graph *child)
{
    rill_node node = NULL;
    ok(rill_graph_add_child(graph, NULL, 0, child, 0, &node));
    return node;
}

static void join(rill_graph *graph, rill_node from, rill_node to)
{
    ok(rill_graph_add_edges(graph, &from, &to, NULL, 1));
}

/* ---- Cycles ------------------------------------------------------------------------------- */

/* A cycle goes through the end of a child graph, too, which is no node of anybody's.  How
 * many others there are decides where the search for it ends. */
static void a_cycle_through_a_child_graph_names_a_node_on_it(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    for (int others = 0; others < 5; others++) {
        rill_graph *graph = new_graph(&m), *inside = new_graph(&m);
        rill_exec_options options = { .size = sizeof options };
        rill_exec *exec = NULL;
        rill_node child = add_child(graph, inside), node = add_empty(graph, &child);
        join(graph, node, child);
        for (int i = 0; i < others; i++) add_empty(graph, NULL);
        is(INVALID, rill_exec_create(graph, &options, &exec));
        assert_int_equal(options.result, RILL_EXEC_INVALID_STRUCTURE);
        assert_true(options.failing_node == child || options.failing_node == node);
        ok(rill_graph_destroy(&graph));
        ok(rill_graph_destroy(&inside));
    }
    machine_close(&m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_through_a_child_graph_names_a_node_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
