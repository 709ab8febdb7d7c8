/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs as they are built: nodes, what they depend on, and the orders in which
 * a graph lists what it holds.
 */
#include <string.h>

#include "conformance/graphs/drawing.h"

#define UNTOUCHED ((rill_node)(uintptr_t)0x5a5a)

/* graph.empty_graph */
static void an_empty_graph_lists_nothing(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_node nodes[2] = { UNTOUCHED, UNTOUCHED }, more[2] = { UNTOUCHED, UNTOUCHED };
    size_t count = 2;
    counts_are(g, "0/0/0");
    ok(rill_graph_nodes(g, nodes, &count));
    assert_int_equal(count, 0);
    assert_null(nodes[0]);
    assert_null(nodes[1]);
    count = 2;
    nodes[0] = UNTOUCHED;
    ok(rill_graph_edges(g, nodes, more, NULL, &count));
    assert_int_equal(count, 0);
    assert_null(nodes[0]);
    assert_null(more[1]);
}

/* graph.order_build */
static void nodes_are_listed_in_the_order_of_their_creation_and_roots_backwards(void **state)
{
    struct drawing d = draw(*state, "A B C D E:DA F:C");
    ok(join(&d, "F>A B>A"));
    nodes_are(&d, "ABCDEF");
    roots_are(&d, "DCB");
    edges_are(&d, "A>E B>A C>F D>E F>A");
    before_is(&d, 'E', "DA");
    before_is(&d, 'A', "FB");
}

/* H200, driver 580: roots are a list of their own. */
static void what_became_a_root_last_is_listed_first(void **state)
{
    struct drawing d = draw(*state, "A B C");
    roots_are(&d, "CBA");
    ok(join(&d, "C>A"));
    roots_are(&d, "CB");
    ok(part(&d, "C>A"));
    roots_are(&d, "ACB");
    ok(join(&d, "A>B"));
    ok(part(&d, "A>B"));
    roots_are(&d, "BAC");
    ok(join(&d, "B>C"));
    ok(part(&d, "B>C"));
    roots_are(&d, "CBA");
    draw_into(&d, "D");
    erase(&d, 'B');
    roots_are(&d, "DCA");
    nodes_are(&d, "ACD");
}

static void nodes_behind_one_that_goes_become_roots_one_by_one(void **state)
{
    struct drawing d = draw(*state, "A B:A C:A D:A");
    erase(&d, 'A');
    roots_are(&d, "CDB");
}

/* graph.get_roots_arrays */
static void a_list_is_cut_to_its_room_and_spare_entries_are_zero(void **state)
{
    static const struct {
        size_t room, count;
        const char *nodes;
    } asked[] = { { 1, 1, "C!!!" }, { 2, 2, "CA!!" }, { 4, 2, "CA--" } };
    struct drawing d = draw(*state, "A B:A C D:C");
    for (size_t i = 0; i < 3; i++) {
        rill_node nodes[4] = { UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED };
        size_t count = asked[i].room;
        ok(rill_graph_roots(d.graph, nodes, &count));
        assert_int_equal(count, asked[i].count);
        for (int k = 0; k < 4; k++) {
            char letter = asked[i].nodes[k];
            assert_ptr_equal(nodes[k], letter == '-'   ? NULL
                                       : letter == '!' ? UNTOUCHED
                                                       : node(&d, letter));
        }
    }
}

/* graph.get_edges_arrays */
static void an_array_without_room_is_refused(void **state)
{
    struct drawing d = draw(*state, "A B:A");
    rill_node nodes[1] = { UNTOUCHED }, more[1] = { UNTOUCHED };
    size_t count = 0;
    refuses(RILL_ERROR_INVALID_VALUE, "count",
            rill_graph_edges(d.graph, nodes, more, NULL, &count));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_nodes(d.graph, nodes, &count));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_roots(d.graph, nodes, &count));
    is(RILL_ERROR_INVALID_VALUE,
       rill_node_dependencies(d.graph, node(&d, 'B'), nodes, NULL, &count));
    is(RILL_ERROR_INVALID_VALUE,
       rill_node_dependents(d.graph, node(&d, 'B'), nodes, NULL, &count));
    assert_int_equal(count, 0);
    assert_ptr_equal(nodes[0], UNTOUCHED);
    assert_ptr_equal(more[0], UNTOUCHED);
}

/* graph.get_edges_data */
static void spare_edge_data_is_zeroed_for_a_graph_and_kept_for_a_node(void **state)
{
    struct drawing d = draw(*state, "A B:A");
    static const rill_edge zero;
    rill_edge edges[2], filled;
    rill_node from[2], to[2];
    size_t count = 2;
    memset(&filled, 0x33, sizeof filled);
    edges[0] = edges[1] = filled;
    ok(rill_graph_edges(d.graph, from, to, edges, &count));
    assert_int_equal(count, 1);
    assert_memory_equal(&edges[0], &zero, sizeof zero);
    assert_memory_equal(&edges[1], &zero, sizeof zero);
    edges[0] = edges[1] = filled;
    count = 2;
    ok(rill_node_dependencies(d.graph, node(&d, 'B'), from, edges, &count));
    assert_memory_equal(&edges[0], &zero, sizeof zero);
    assert_memory_equal(&edges[1], &filled, sizeof zero);
    edges[0] = edges[1] = filled;
    count = 2;
    ok(rill_node_dependents(d.graph, node(&d, 'A'), from, edges, &count));
    assert_memory_equal(&edges[0], &zero, sizeof zero);
    assert_memory_equal(&edges[1], &filled, sizeof zero);
}

/* graph.add_deps_duplicate */
static void a_dependency_is_named_once(void **state)
{
    struct drawing d = draw(*state, "A B");
    const rill_node twice[] = { node(&d, 'A'), node(&d, 'A') };
    const rill_node between[] = { node(&d, 'A'), node(&d, 'B'), node(&d, 'A') };
    rill_node made = UNTOUCHED;
    rill_op op = empty_op();
    refuses(RILL_ERROR_INVALID_VALUE, "dependencies",
            rill_graph_add_node(d.graph, twice, 2, &op, &made));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(d.graph, between, 3, &op, &made));
    assert_ptr_equal(made, UNTOUCHED);
    counts_are(d.graph, "2/0/2");
    ok(rill_graph_add_node(d.graph, between, 2, &op, &made));
    counts_are(d.graph, "3/2/2");
}

/* graph.add_deps_foreign */
static void a_dependency_is_a_node_of_the_same_graph(void **state)
{
    struct drawing d = draw(*state, "A"), other = draw(*state, "A B");
    const rill_node mixed[] = { node(&d, 'A'), node(&other, 'B') };
    rill_node made = UNTOUCHED;
    rill_op op = empty_op();
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(d.graph, mixed + 1, 1, &op, &made));
    refuses(RILL_ERROR_INVALID_VALUE, "dependencies",
            rill_graph_add_node(d.graph, mixed, 2, &op, &made));
    assert_ptr_equal(made, UNTOUCHED);
    counts_are(d.graph, "1/0/1");
    behind_is(&d, 'A', "");
}

/* graph.add_deps_null */
static void without_a_count_dependencies_are_not_looked_at(void **state)
{
    struct drawing d = draw(*state, "A");
    const rill_node only = node(&d, 'A');
    rill_node made = UNTOUCHED;
    rill_op op = empty_op();
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(d.graph, NULL, 1, &op, &made));
    assert_ptr_equal(made, UNTOUCHED);
    ok(rill_graph_add_node(d.graph, &only, 0, &op, &made));
    counts_are(d.graph, "2/0/2");
}

/* A refused node gives its data back, once. */
static void a_refused_host_node_destroys_its_data(void **state)
{
    struct drawing d = draw(*state, "A");
    const rill_node twice[] = { node(&d, 'A'), node(&d, 'A') };
    atomic_int destroyed = 0;
    rill_node made = UNTOUCHED;
    rill_op op = { .kind = RILL_OP_HOST };
    op.host = (rill_host_op){ count_up, &destroyed, count_up };
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(d.graph, twice, 2, &op, &made));
    assert_int_equal(destroyed, 1);
    ok(rill_graph_add_node(d.graph, twice, 1, &op, &made));
    assert_int_equal(destroyed, 1);
    ok(rill_graph_remove_node(d.graph, made));
    assert_int_equal(destroyed, 2);
}

/* ---- Removing nodes ----------------------------------------------------------------- */

/* graph.destroy_node_middle */
static void a_node_goes_with_its_edges(void **state)
{
    struct drawing d = draw(*state, "A B:A C:B");
    erase(&d, 'B');
    counts_are(d.graph, "2/0/2");
    behind_is(&d, 'A', "");
    before_is(&d, 'C', "");
    roots_are(&d, "CA");
    draw_into(&d, "D:CA");
    nodes_are(&d, "ACD");
    edges_are(&d, "A>D C>D");
}

static void what_was_removed_is_no_node_any_more(void **state)
{
    struct drawing d = draw(*state, "A B:A");
    rill_node gone = node(&d, 'B'), made = UNTOUCHED;
    rill_op_kind kind = RILL_OP_HOST;
    rill_op op = empty_op();
    size_t count = 0;
    erase(&d, 'B');
    if (suite->expects.nodes_stay_gone) draw_into(&d, "C"); /* may take its place */
    refuses(RILL_ERROR_INVALID_VALUE, "node", rill_graph_remove_node(d.graph, gone));
    is(RILL_ERROR_INVALID_VALUE, rill_node_kind(d.graph, gone, &kind));
    is(RILL_ERROR_INVALID_VALUE, rill_node_dependencies(d.graph, gone, NULL, NULL, &count));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(d.graph, &gone, 1, &op, &made));
    assert_int_equal(kind, RILL_OP_HOST);
    assert_ptr_equal(made, UNTOUCHED);
    nodes_are(&d, suite->expects.nodes_stay_gone ? "AC" : "A");
}

/* A fan that is taken down from either end, or from the middle. */
static void edges_of_a_fan_change_places_when_others_go(void **state)
{
    struct drawing d = draw(*state, "A B:A C:A D:A E:A F:A G:A H:A I:A");
    erase(&d, 'B');
    erase(&d, 'I');
    behind_is(&d, 'A', "HCDEFG"); /* the last takes the place of one that goes */
    erase(&d, 'E');
    behind_is(&d, 'A', "HCDGF");
    erase(&d, 'G');
    behind_is(&d, 'A', "HCDF");
    draw_into(&d, "J:A K:A");
    behind_is(&d, 'A', "HCDFJK");
    erase(&d, 'C');
    erase(&d, 'D');
    erase(&d, 'F');
    erase(&d, 'H');
    draw_into(&d, "L:A M:A N:A O:A P:A Q:A R:A");
    behind_is(&d, 'A', "JKLMNOPQR");
    edges_are(&d, "A>J A>K A>L A>M A>N A>O A>P A>Q A>R");
}

/* graph.null_node, of other graphs and of none */
static void a_node_belongs_to_its_graph(void **state)
{
    struct drawing d = draw(*state, "A"), other = draw(*state, "A");
    const rill_node nodes[] = { NULL, node(&other, 'A'), UNTOUCHED, (rill_node)(intptr_t)-1 };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        rill_op_kind kind = RILL_OP_HOST;
        rill_graph *child = NULL;
        rill_op op, empty = empty_op();
        size_t count = 0;
        refuses(RILL_ERROR_INVALID_VALUE, "node", rill_node_kind(d.graph, nodes[i], &kind));
        is(RILL_ERROR_INVALID_VALUE, rill_node_get_op(d.graph, nodes[i], &op));
        refuses(RILL_ERROR_INVALID_VALUE, "node", rill_node_set_op(d.graph, nodes[i], &empty));
        is(RILL_ERROR_INVALID_VALUE,
           rill_node_dependencies(d.graph, nodes[i], NULL, NULL, &count));
        refuses(RILL_ERROR_INVALID_VALUE, "node",
                rill_node_dependents(d.graph, nodes[i], NULL, NULL, &count));
        is(RILL_ERROR_INVALID_VALUE, rill_node_child_graph(d.graph, nodes[i], &child));
        is(RILL_ERROR_INVALID_VALUE, rill_node_set_label(d.graph, nodes[i], "x"));
        is(RILL_ERROR_INVALID_VALUE, rill_graph_remove_node(d.graph, nodes[i]));
        assert_int_equal(kind, RILL_OP_HOST);
    }
    counts_are(d.graph, "1/0/1");
    counts_are(other.graph, "1/0/1");
}

/* Handles of 32 bits tell fewer graphs apart than may live here.  The next one is refused then, and
 * has its place once another goes. */
static void a_graph_that_handles_cannot_tell_from_others_is_refused(void **state)
{
    enum { MOST = 5000 };
    static rill_graph *graphs[MOST];
    struct fixture *f = *state;
    rill_status status = RILL_SUCCESS;
    size_t count = 0;
    while (count < MOST && !status)
        if (!(status = rill_graph_create(f->context, NULL, &graphs[count]))) count++;
    if (sizeof(void *) > 4) {
        ok(status);
    } else {
        is(RILL_ERROR_OUT_OF_MEMORY, status);
        assert_in_range(count, 4000, MOST - 1);
        ok(rill_graph_destroy(&graphs[count / 2]));
        ok(rill_graph_create(f->context, NULL, &graphs[count / 2]));
        is(RILL_ERROR_OUT_OF_MEMORY, rill_graph_create(f->context, NULL, &graphs[count]));
    }
    for (size_t i = 0; i < count; i++) ok(rill_graph_destroy(&graphs[i]));
}

/* hostfn.calls_that_create */
static void make_a_graph(void *data)
{
    struct fixture *f = data;
    rill_graph *graph = NULL;
    if (rill_graph_create(f->context, NULL, &graph) == RILL_ERROR_NOT_PERMITTED) note(f, 'n');
    rill_graph_destroy(&graph);
}

static void host_functions_make_no_graphs(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    ok(rill_launch_host(s, make_a_graph, f, NULL));
    ok(rill_stream_synchronize(s));
    order(f, "n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_graph_lists_nothing),
    cmocka_unit_test(nodes_are_listed_in_the_order_of_their_creation_and_roots_backwards),
    cmocka_unit_test(what_became_a_root_last_is_listed_first),
    cmocka_unit_test(nodes_behind_one_that_goes_become_roots_one_by_one),
    cmocka_unit_test(a_list_is_cut_to_its_room_and_spare_entries_are_zero),
    cmocka_unit_test(an_array_without_room_is_refused),
    cmocka_unit_test(spare_edge_data_is_zeroed_for_a_graph_and_kept_for_a_node),
    cmocka_unit_test(a_dependency_is_named_once),
    cmocka_unit_test(a_dependency_is_a_node_of_the_same_graph),
    cmocka_unit_test(without_a_count_dependencies_are_not_looked_at),
    cmocka_unit_test(a_refused_host_node_destroys_its_data),
    cmocka_unit_test(a_node_goes_with_its_edges),
    cmocka_unit_test(what_was_removed_is_no_node_any_more),
    cmocka_unit_test(edges_of_a_fan_change_places_when_others_go),
    cmocka_unit_test(a_node_belongs_to_its_graph),
    cmocka_unit_test(a_graph_that_handles_cannot_tell_from_others_is_refused),
    cmocka_unit_test(host_functions_make_no_graphs),
};

SUITE_GROUP(graphs, 1);
