/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges: how they are added and removed, and what they carry.
 */
#include <string.h>

#include "conformance/graphs/drawing.h"

#define PROGRAMMATIC 1
#define LAUNCH_ORDER 2

static rill_edge edge_of(uint8_t from_port, uint8_t to_port, uint8_t type)
{
    return (rill_edge){ .from_port = from_port, .to_port = to_port, .type = type };
}

/* ---- Adding ------------------------------------------------------------------------- */

/* graph.deps_duplicate: what is named twice is noticed when the first is there. */
static void an_edge_is_there_once(void **state)
{
    struct drawing d = draw(*state, "A B:A C");
    is(RILL_ERROR_INVALID_VALUE, join(&d, "A>B"));
    blames("rill_graph_add_edges", "from");
    counts_are(d.graph, "3/1/2");
    is(RILL_ERROR_INVALID_VALUE, join(&d, "A>C A>C"));
    blames("rill_graph_add_edges", "from");
    edges_are(&d, "A>B A>C");
    is(RILL_ERROR_INVALID_VALUE, join(&d, "A>C"));
    edges_are(&d, "A>B A>C");
}

/* graph.deps_self */
static void no_node_waits_for_itself(void **state)
{
    struct drawing d = draw(*state, "A B");
    is(RILL_ERROR_INVALID_VALUE, join(&d, "A>A"));
    blames("rill_graph_add_edges", "from");
    is(RILL_ERROR_INVALID_VALUE, join(&d, "A>B B>B"));
    counts_are(d.graph, "2/0/2");
    before_is(&d, 'A', "");
    behind_is(&d, 'A', "");
}

/* graph.deps_duplicate; H200, driver 580 */
static void edges_are_added_up_to_the_one_that_is_there(void **state)
{
    struct drawing d = draw(*state, "A B C D:AB"), other = draw(*state, "A");
    const rill_node from[] = { node(&d, 'A'), node(&d, 'C'), node(&other, 'A') };
    const rill_node to[] = { node(&d, 'B'), node(&d, 'D'), node(&d, 'C') };
    refuses(RILL_ERROR_INVALID_VALUE, "from", rill_graph_add_edges(d.graph, from, to, NULL, 3));
    refuses(RILL_ERROR_INVALID_VALUE, "to", rill_graph_add_edges(d.graph, to, from, NULL, 3));
    edges_are(&d, "A>D B>D");
    is(RILL_ERROR_INVALID_VALUE, join(&d, "A>B A>C B>D B>C C>D"));
    edges_are(&d, "A>D A>B A>C B>D");
    ok(join(&d, "B>C C>D"));
    edges_are(&d, "A>D A>B A>C B>D B>C C>D");
    before_is(&d, 'D', "ABC");
}

/* GR-4: a circle is found when the graph is made ready to launch. */
static void a_circle_may_be_drawn(void **state)
{
    struct drawing d = draw(*state, "A B:A C:B");
    ok(join(&d, "C>A"));
    counts_are(d.graph, "3/3/0");
    roots_are(&d, "");
    ok(part(&d, "C>A"));
    roots_are(&d, "A");
}

static void no_edges_are_no_failure(void **state)
{
    struct drawing d = draw(*state, "A B:A");
    ok(rill_graph_add_edges(d.graph, NULL, NULL, NULL, 0));
    ok(rill_graph_remove_edges(d.graph, NULL, NULL, NULL, 0));
    edges_are(&d, "A>B");
}

/* ---- Removing ----------------------------------------------------------------------- */

/* graph.deps_remove */
static void only_an_edge_that_is_there_is_removed(void **state)
{
    struct drawing d = draw(*state, "A B:A C:B");
    is(RILL_ERROR_INVALID_VALUE, part(&d, "B>A"));
    blames("rill_graph_remove_edges", "from");
    is(RILL_ERROR_INVALID_VALUE, part(&d, "A>C"));
    is(RILL_ERROR_INVALID_VALUE, part(&d, "A>A"));
    counts_are(d.graph, "3/2/1");
    ok(part(&d, "A>B"));
    counts_are(d.graph, "3/1/2");
    is(RILL_ERROR_INVALID_VALUE, part(&d, "A>B"));
    edges_are(&d, "B>C");
    is(RILL_ERROR_INVALID_VALUE, part(&d, "B>C B>C")); /* the first is gone by then */
    blames("rill_graph_remove_edges", "from");
    counts_are(d.graph, "3/0/3");
}

/* graph.deps_remove_atomic */
static void edges_are_removed_up_to_the_one_that_is_not_there(void **state)
{
    struct drawing d = draw(*state, "A B C D:ABC E:ABC F:BA");
    is(RILL_ERROR_INVALID_VALUE, part(&d, "A>D B>E C>F"));
    is(RILL_ERROR_INVALID_VALUE, part(&d, "B>D C>E A>E B>F A>A"));
    is(RILL_ERROR_INVALID_VALUE, part(&d, "A>D A>B"));
    edges_are(&d, "A>F A>E B>D B>F C>D C>E");
    before_is(&d, 'F', "BA");
    ok(part(&d, "B>D C>E A>E B>F"));
    edges_are(&d, "A>F C>D");
    before_is(&d, 'D', "C");
}

/* H200, driver 580, as are the other rules here that name no case. */
static void the_last_edge_takes_the_place_of_one_that_goes(void **state)
{
    struct drawing d = draw(*state, "A B C D E F:ABCDE");
    ok(part(&d, "B>F"));
    before_is(&d, 'F', "AECD");
    ok(join(&d, "B>F"));
    before_is(&d, 'F', "AECDB");
    erase(&d, 'A');
    before_is(&d, 'F', "BECD");
    ok(part(&d, "D>F"));
    before_is(&d, 'F', "BEC");
}

static void the_last_edge_takes_the_place_on_the_other_side_too(void **state)
{
    struct drawing d = draw(*state, "A B C D E F");
    ok(join(&d, "A>F A>E A>D A>C A>B"));
    edges_are(&d, "A>F A>E A>D A>C A>B");
    ok(part(&d, "A>E"));
    edges_are(&d, "A>F A>B A>D A>C");
    ok(join(&d, "A>E"));
    behind_is(&d, 'A', "FBDCE");
    erase(&d, 'F');
    edges_are(&d, "A>E A>B A>D A>C");
}

/* graph.deps_order_edited */
static void an_edge_may_be_turned(void **state)
{
    struct drawing d = draw(*state, "A B:A");
    ok(part(&d, "A>B"));
    ok(join(&d, "B>A"));
    edges_are(&d, "B>A");
    roots_are(&d, "B");
}

/* ---- What edges carry ---------------------------------------------------------------- */

static struct drawing draw_kernels(struct fixture *f)
{
    struct drawing d = { .graph = new_graph(f) };
    rill_kernel *nop = kernel(f, &nop_function);
    for (int i = 0; i < 3; i++) d.nodes[i] = add(d.graph, NULL, kernel_op(nop, NULL));
    return d;
}

/* graph.edge_data_lossy */
static void edges_with_data_are_not_listed_without(void **state)
{
    struct drawing d = draw_kernels(*state);
    const rill_node a = node(&d, 'A'), b = node(&d, 'B');
    const rill_edge programmatic = edge_of(PROGRAMMATIC, 0, 1);
    rill_node from[2], to[2];
    rill_edge edges[2];
    size_t count = 9;
    ok(rill_graph_add_edges(d.graph, &a, &b, &programmatic, 1));
    ok(rill_graph_edges(d.graph, NULL, NULL, NULL, &count));
    assert_int_equal(count, 1);
    ok(rill_node_dependencies(d.graph, b, NULL, NULL, &count));
    assert_int_equal(count, 1);
    count = 2;
    refuses(RILL_ERROR_LOSSY_QUERY, "edges", rill_graph_edges(d.graph, from, to, NULL, &count));
    is(RILL_ERROR_LOSSY_QUERY, rill_node_dependencies(d.graph, b, from, NULL, &count));
    is(RILL_ERROR_LOSSY_QUERY, rill_node_dependents(d.graph, a, from, NULL, &count));
    assert_int_equal(count, 2);
    memset(edges, 0x33, sizeof edges);
    ok(rill_graph_edges(d.graph, from, to, edges, &count));
    assert_int_equal(count, 1);
    assert_memory_equal(&edges[0], &programmatic, sizeof programmatic);
    count = 2;
    memset(edges, 0x33, sizeof edges);
    ok(rill_node_dependents(d.graph, a, to, edges, &count));
    assert_memory_equal(&edges[0], &programmatic, sizeof programmatic);
    /* Other nodes are not concerned. */
    count = 2;
    ok(rill_node_dependents(d.graph, b, to, NULL, &count));
    assert_int_equal(count, 0);
}

/* graph.edge_data_parallel */
static void between_two_nodes_there_is_one_edge_whatever_it_carries(void **state)
{
    struct drawing d = draw_kernels(*state);
    const rill_node a = node(&d, 'A'), b = node(&d, 'B');
    const rill_edge programmatic = edge_of(PROGRAMMATIC, 0, 1);
    const rill_edge order_only = edge_of(LAUNCH_ORDER, 0, 1);
    ok(join(&d, "A>B"));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_edges(d.graph, &a, &b, &programmatic, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_edges(d.graph, &a, &b, &order_only, 1));
    counts_are(d.graph, "3/1/2");
}

static void an_edge_without_data_within_the_room_is_listed(void **state)
{
    struct drawing d = draw_kernels(*state);
    const rill_node b = node(&d, 'B'), c = node(&d, 'C');
    const rill_edge programmatic = edge_of(PROGRAMMATIC, 0, 1);
    rill_node from[2], to[2];
    size_t count = 1;
    ok(join(&d, "A>C"));
    ok(rill_graph_add_edges(d.graph, &b, &c, &programmatic, 1));
    ok(rill_node_dependencies(d.graph, c, from, NULL, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(from[0], node(&d, 'A'));
    ok(rill_graph_edges(d.graph, from, to, NULL, &count));
    assert_ptr_equal(to[0], c);
    count = 2;
    is(RILL_ERROR_LOSSY_QUERY, rill_node_dependencies(d.graph, c, from, NULL, &count));
    is(RILL_ERROR_LOSSY_QUERY, rill_graph_edges(d.graph, from, to, NULL, &count));
}

/* Which ports and types go together: all others are refused. */
static void edges_go_from_these_ports(void **state)
{
    static const uint8_t kernels[][2] = { { 0, 0 }, { 1, 1 }, { 2, 0 }, { 2, 1 } };
    static const uint8_t others[][2] = { { 0, 0 }, { 2, 0 } }; /* kernel to empty */
    struct fixture *f = *state;
    for (int i = 0; i < 4 * 2 * 3 * 2; i++) {
        uint8_t port = (uint8_t)(i % 4), to = i / 4 % 2, type = (uint8_t)(i / 8 % 3);
        bool kernel_to_kernel = i / 24;
        struct drawing d = draw_kernels(f);
        const rill_node a = node(&d, 'A');
        const rill_node b = kernel_to_kernel ? node(&d, 'B') : add(d.graph, NULL, empty_op());
        const rill_edge edge = edge_of(port, to, type);
        bool good = false;
        for (int k = 0; !to && k < (kernel_to_kernel ? 4 : 2); k++) {
            const uint8_t *may = kernel_to_kernel ? kernels[k] : others[k];
            good |= may[0] == port && may[1] == type;
        }
        is(good ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE,
           rill_graph_add_edges(d.graph, &a, &b, &edge, 1));
    }
}

static void a_programmatic_edge_goes_from_kernel_to_kernel(void **state)
{
    struct drawing d = draw_kernels(*state);
    const rill_edge programmatic = edge_of(PROGRAMMATIC, 0, 1);
    const rill_node a = node(&d, 'A'), e = add(d.graph, NULL, empty_op());
    rill_op op = empty_op();
    rill_node made = NULL;
    refuses(RILL_ERROR_INVALID_VALUE, "edges",
            rill_graph_add_edges(d.graph, &a, &e, &programmatic, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_edges(d.graph, &e, &a, &programmatic, 1));
    is(RILL_ERROR_INVALID_VALUE,
       rill_graph_add_node_with_edges(d.graph, &a, &programmatic, 1, &op, &made));
    assert_null(made);
    counts_are(d.graph, "4/0/4");
}

static void an_edge_carries_nothing_unknown(void **state)
{
    struct drawing d = draw_kernels(*state);
    const rill_node a = node(&d, 'A'), b = node(&d, 'B');
    rill_edge reserved = edge_of(0, 0, 0);
    reserved.reserved[4] = 1;
    const rill_edge bad[] = {
        edge_of(3, 0, 1), edge_of(PROGRAMMATIC, 0, 2), edge_of(0, 1, 0), reserved,
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refuses(RILL_ERROR_INVALID_VALUE, "edges",
                rill_graph_add_edges(d.graph, &a, &b, &bad[i], 1));
    }
    counts_are(d.graph, "3/0/3");
}

static void dependencies_of_a_new_node_may_carry_data(void **state)
{
    struct fixture *f = *state;
    struct drawing d = draw_kernels(f);
    const rill_node before[] = { node(&d, 'A'), node(&d, 'B') };
    const rill_edge edges[] = { edge_of(0, 0, 0), edge_of(PROGRAMMATIC, 0, 1) };
    rill_op op = kernel_op(kernel(f, &nop_function), NULL);
    rill_node made = NULL, listed[2];
    rill_edge carried[2];
    size_t count = 2;
    ok(rill_graph_add_node_with_edges(d.graph, before, edges, 2, &op, &made));
    ok(rill_node_dependencies(d.graph, made, listed, carried, &count));
    assert_int_equal(count, 2);
    assert_memory_equal(carried, edges, sizeof edges);
    /* A node that goes takes the data along. */
    erase(&d, 'B');
    count = 2;
    ok(rill_node_dependencies(d.graph, made, listed, NULL, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(listed[0], before[0]);
}

static void an_edge_is_removed_whatever_it_carries(void **state)
{
    struct drawing d = draw_kernels(*state);
    const rill_node a = node(&d, 'A'), b = node(&d, 'B');
    const rill_edge programmatic = edge_of(PROGRAMMATIC, 0, 1);
    rill_node from, to;
    size_t count = 1;
    ok(rill_graph_add_edges(d.graph, &a, &b, &programmatic, 1));
    ok(rill_graph_remove_edges(d.graph, &a, &b, &programmatic, 1));
    ok(rill_graph_add_edges(d.graph, &a, &b, &programmatic, 1));
    ok(part(&d, "A>B"));
    counts_are(d.graph, "3/0/3");
    ok(join(&d, "A>B"));
    ok(rill_graph_edges(d.graph, &from, &to, NULL, &count));
    ok(rill_graph_remove_edges(d.graph, &a, &b, &programmatic, 1));
    counts_are(d.graph, "3/0/3");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_edge_is_there_once),
    cmocka_unit_test(no_node_waits_for_itself),
    cmocka_unit_test(edges_are_added_up_to_the_one_that_is_there),
    cmocka_unit_test(a_circle_may_be_drawn),
    cmocka_unit_test(no_edges_are_no_failure),
    cmocka_unit_test(only_an_edge_that_is_there_is_removed),
    cmocka_unit_test(edges_are_removed_up_to_the_one_that_is_not_there),
    cmocka_unit_test(the_last_edge_takes_the_place_of_one_that_goes),
    cmocka_unit_test(the_last_edge_takes_the_place_on_the_other_side_too),
    cmocka_unit_test(an_edge_may_be_turned),
    cmocka_unit_test(edges_with_data_are_not_listed_without),
    cmocka_unit_test(between_two_nodes_there_is_one_edge_whatever_it_carries),
    cmocka_unit_test(an_edge_without_data_within_the_room_is_listed),
    cmocka_unit_test(edges_go_from_these_ports),
    cmocka_unit_test(a_programmatic_edge_goes_from_kernel_to_kernel),
    cmocka_unit_test(an_edge_carries_nothing_unknown),
    cmocka_unit_test(dependencies_of_a_new_node_may_carry_data),
    cmocka_unit_test(an_edge_is_removed_whatever_it_carries),
};

SUITE_GROUP(graph_edges, 1);
