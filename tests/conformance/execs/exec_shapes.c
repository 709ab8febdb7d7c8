/* SPDX-License-Identifier: Apache-2.0
 *
 * Which node of a graph stands for which node of an exec, and which graphs are
 * of another shape.
 */
#include "conformance/execs/exec_work.h"

static void unlink_nodes(rill_graph *graph, rill_node from, rill_node to)
{
    ok(rill_graph_remove_edges(graph, &from, &to, NULL, 1));
}

/* ---- Pairs ------------------------------------------------------------------------ */

/* update.whole_pairing */
static void a_chain_may_be_built_back_to_front(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f), *h = new_graph(t.f);
    add_kernel(&t, g, add_kernel(&t, g, NULL, t.words, 10, 1), t.words, 10, 2);
    rill_exec *exec = new_exec(t.f, g);
    rill_node second = add_kernel(&t, h, NULL, t.words, 10, 4);
    rill_node first = add_kernel(&t, h, NULL, t.words, 10, 3);
    link_nodes(h, first, second);
    updates(exec, h);
    goes(&t, exec, 34);
}

/* update.whole_pairing */
static void nodes_without_edges_are_paired_in_their_order(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f), *h = new_graph(t.f);
    rill_node a = add_kernel(&t, g, NULL, t.words, 1, 1);
    add_kernel(&t, g, NULL, word(&t, 1), 1, 2);
    rill_exec *exec = new_exec(t.f, g);
    add_kernel(&t, h, NULL, word(&t, 1), 1, 30);
    add_kernel(&t, h, NULL, t.words, 1, 40);
    updates(exec, h);
    goes(&t, exec, 40, 30);
    ok(rill_exec_set_enabled(exec, a, 0)); /* it is the first of the others now */
    goes(&t, exec, 80, 30);
}

/* update.whole_pairing */
static void a_lone_node_in_another_place_is_another_shape(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f), *h = new_graph(t.f);
    add_kernel(&t, g, add_kernel(&t, g, NULL, t.words, 10, 1), t.words, 10, 2);
    add_kernel(&t, g, NULL, word(&t, 1), 10, 3);
    rill_exec *exec = new_exec(t.f, g);
    add_kernel(&t, h, NULL, word(&t, 1), 10, 6);
    rill_node last = add_kernel(&t, h, add_kernel(&t, h, NULL, t.words, 10, 4), t.words, 10, 5);
    update_refused(exec, h, RILL_UPDATE_TOPOLOGY_CHANGED, last);
    goes(&t, exec, 12, 3);
}

/* Both ends depend on the same two nodes, one of them in the other order. */
static void edges_are_paired_in_their_order(void **state)
{
    struct trial t = trial(state);
    rill_graph *graphs[2];
    rill_node nodes[2][4];
    for (int i = 0; i < 2; i++) {
        rill_graph *g = graphs[i] = new_graph(t.f);
        for (unsigned k = 0; k < 2; k++) nodes[i][k] = add_kernel(&t, g, NULL, word(&t, k), 1, 1);
        for (unsigned k = 2; k < 4; k++) {
            bool turned = i == 1 && k == 2;
            nodes[i][k] = add_kernel(&t, g, nodes[i][turned ? 1 : 0], word(&t, k), 1, 1);
            link_nodes(g, nodes[i][turned ? 0 : 1], nodes[i][k]);
        }
    }
    rill_exec *exec = new_exec(t.f, graphs[0]);
    trial_update(exec, graphs[1], RILL_UPDATE_TOPOLOGY_CHANGED, nodes[1][2], nodes[1][1], __FILE__,
                 __LINE__);
    goes(&t, exec, 1, 1, 1, 1);
}

/* Measured: of nodes that nothing depends on, those that lost what did come first,
 * the latest in front.  `gone` takes a node that stood behind the others away. */
static void ends_turn_when_they_lose_what_is_behind_them(void **state)
{
    struct trial t = trial(state);
    static const unsigned pairs[2][3] = { { 1, 2, 0 }, { 0, 2, 1 } };
    for (int gone = 0; gone < 2; gone++) {
        rill_graph *g = new_graph(t.f), *h = new_graph(t.f), *clone;
        rill_node ours[3], theirs[3];
        for (unsigned i = 0; i < 3; i++) {
            ours[i] = add_kernel(&t, g, NULL, word(&t, i), 1, 1);
            theirs[i] = add_kernel(&t, h, NULL, word(&t, i), 1, 1);
        }
        if (gone) {
            rill_node behind = add_kernel(&t, h, theirs[0], word(&t, 9), 1, 1);
            link_nodes(h, theirs[1], behind);
            link_nodes(h, theirs[2], behind);
            ok(rill_graph_remove_node(h, behind));
        } else {
            link_nodes(h, theirs[0], theirs[2]);
            unlink_nodes(h, theirs[0], theirs[2]);
        }
        rill_exec *exec = new_exec(t.f, g);
        updates(exec, h);
        for (unsigned off = 0; off < 3; off++) {
            unsigned instead = pairs[gone][off];
            zero_words(&t);
            ok(rill_exec_set_enabled(exec, ours[off], 0));
            goes(&t, exec, instead != 0, instead != 1, instead != 2);
            ok(rill_exec_set_enabled(exec, ours[off], 1));
        }
        ok(rill_graph_clone(h, &clone));
        updates(new_exec(t.f, h), keep_graph(t.f, clone));
        updates(exec, h);
    }
}

/* ---- Other shapes ----------------------------------------------------------------- */

/* update.whole_counts */
static void another_number_of_nodes_is_another_shape(void **state)
{
    struct trial t = trial(state);
    rill_graph *none = new_graph(t.f);
    rill_exec *three = new_exec(t.f, chain(&t, 3, 1, 1, NULL)), *empty = new_exec(t.f, none);
    for (int count = 0; count < 5; count++) {
        rill_graph *g = chain(&t, count, 1, 1, NULL);
        if (count == 3) updates(three, g);
        else update_refused(three, g, RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    }
    updates(empty, none);
    update_refused(empty, chain(&t, 1, 1, 1, NULL), RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    goes(&t, three, 3);
    goes(&t, empty, 3);
}

/* update.whole_self_edited */
static void a_graph_may_be_edited_and_taken_over_again(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f);
    rill_node a = add_kernel(&t, g, NULL, t.words, 1, 1);
    rill_node b = add_kernel(&t, g, a, word(&t, 1), 1, 1);
    rill_exec *exec = new_exec(t.f, g);
    ok(edit_kernel(&t, g, b, word(&t, 1), 1, 10));
    goes(&t, exec, 1, 1);
    updates(exec, g);
    goes(&t, exec, 2, 11);
    unlink_nodes(g, a, b);
    update_refused(exec, g, RILL_UPDATE_TOPOLOGY_CHANGED, b);
    ok(set_kernel(&t, exec, b, word(&t, 1), 1, 100));
    goes(&t, exec, 3, 111);
    link_nodes(g, a, b);
    rill_node more = add_kernel(&t, g, NULL, word(&t, 2), 1, 1);
    update_refused(exec, g, RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    ok(rill_graph_remove_node(g, more));
    updates(exec, g);
    goes(&t, exec, 4, 121, 0);
}

static void a_cycle_is_another_shape(void **state)
{
    struct trial t = trial(state);
    rill_node nodes[2], n[3];
    rill_exec *exec = new_exec(t.f, chain(&t, 2, 10, 1, NULL));
    rill_graph *g = chain(&t, 2, 10, 2, nodes);
    link_nodes(g, nodes[1], nodes[0]);
    update_refused(exec, g, RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    goes(&t, exec, 11);
    /* The end fits, what is on the cycle does not. */
    rill_graph *apart = new_graph(t.f), *circle = new_graph(t.f);
    add_kernel(&t, apart, add_kernel(&t, apart, NULL, t.words, 1, 1), t.words, 1, 1);
    add_kernel(&t, apart, NULL, t.words, 1, 1);
    exec = new_exec(t.f, apart);
    for (int i = 0; i < 3; i++) n[i] = add_kernel(&t, circle, NULL, t.words, 1, 1);
    link_nodes(circle, n[0], n[1]);
    link_nodes(circle, n[1], n[0]);
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, rill_exec_update(exec, circle, NULL));
}

/* Slots of removed nodes are used again; the order of creation counts. */
static void removed_nodes_do_not_matter(void **state)
{
    struct trial t = trial(state);
    rill_exec *exec = new_exec(t.f, chain(&t, 3, 10, 1, NULL));
    rill_graph *g = new_graph(t.f);
    rill_node gone = add_kernel(&t, g, NULL, word(&t, 9), 1, 1);
    rill_node first = add_kernel(&t, g, NULL, t.words, 10, 2);
    ok(rill_graph_remove_node(g, gone));
    rill_node second = add_kernel(&t, g, first, t.words, 10, 3);
    add_kernel(&t, g, second, t.words, 10, 4);
    updates(exec, g);
    goes(&t, exec, 234);
}

/* update.whole_large */
static void large_graphs_are_taken_over(void **state)
{
    struct trial t = trial(state);
    enum { N = 100 };
    for (int fan = 0; fan < 2; fan++) {
        rill_graph *graphs[2];
        zero_words(&t);
        for (int i = 0; i < 2; i++) {
            rill_node nodes[N], behind = NULL;
            graphs[i] = new_graph(t.f);
            for (unsigned k = 0; k < N; k++) {
                nodes[k] = add_kernel(&t, graphs[i], behind, word(&t, k), 1, i ? k : 1);
                if (!fan) behind = nodes[k];
            }
            rill_node join = add_kernel(&t, graphs[i], NULL, word(&t, N), 1, i ? 10 : 1);
            for (int k = fan ? 0 : N - 1; k < N; k++) link_nodes(graphs[i], nodes[k], join);
        }
        rill_exec *exec = new_exec(t.f, graphs[0]);
        go(&t, exec);
        updates(exec, graphs[1]);
        goes(&t, exec, 1, 2, 3, 4, 5);
        assert_int_equal(peek(t.f, word(&t, N - 1)), N);
        assert_int_equal(peek(t.f, word(&t, N)), 11);
    }
}

/* ---- Graphs inside ---------------------------------------------------------------- */

static rill_graph *with_child(const struct trial *t, rill_graph *child, rill_graph **embedded)
{
    rill_graph *g = new_graph(t->f);
    rill_node node = add(g, NULL, child_op(child, 0));
    ok(rill_node_child_graph(g, node, embedded));
    add_kernel(t, g, node, word(t, 1), 10, 1);
    return g;
}

static rill_node node_of(rill_graph *graph, size_t index)
{
    rill_node nodes[8];
    size_t count = 8;
    ok(rill_graph_nodes(graph, nodes, &count));
    assert_true(index < count);
    return nodes[index];
}

static void child_graphs_are_taken_over(void **state)
{
    struct trial t = trial(state);
    rill_graph *inside;
    rill_graph *g = with_child(&t, chain(&t, 2, 10, 1, NULL), &inside);
    rill_exec *exec = new_exec(t.f, g);
    goes(&t, exec, 11, 1);
    zero_words(&t);
    updates(exec, with_child(&t, chain(&t, 2, 10, 2, NULL), &inside));
    goes(&t, exec, 22, 1);
    rill_graph *longer = with_child(&t, chain(&t, 3, 10, 2, NULL), &inside);
    update_refused(exec, longer, RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    rill_graph *odd = chain(&t, 1, 10, 2, NULL);
    add(odd, node_of(odd, 0), empty_op());
    odd = with_child(&t, odd, &inside);
    update_refused(exec, odd, RILL_UPDATE_NODE_TYPE_CHANGED, node_of(inside, 1));
    rill_graph *apart = new_graph(t.f);
    for (int i = 0; i < 2; i++) add_kernel(&t, apart, NULL, t.words, 10, 1);
    apart = with_child(&t, apart, &inside);
    update_refused(exec, apart, RILL_UPDATE_TOPOLOGY_CHANGED, node_of(inside, 0));
    zero_words(&t);
    goes(&t, exec, 22, 1);
    is(RILL_ERROR_INVALID_VALUE, rill_exec_update(exec, inside, NULL));
}

/* ---- Conditionals ----------------------------------------------------------------- */

/* IF (or what else) { digit; digit } digit */
static rill_graph *branch(const struct trial *t, rill_conditional_kind kind, uint32_t count,
                          uint32_t value, uint32_t digit, rill_node *node, rill_graph **body)
{
    rill_graph *g = new_graph(t->f), *bodies[2];
    rill_conditional handle;
    ok(rill_conditional_create(g, value, RILL_CONDITIONAL_ASSIGN, &handle));
    *node = add(g, NULL, (rill_op){ .kind = RILL_OP_CONDITIONAL,
                                    .conditional = { handle, kind, count, bodies } });
    *body = bodies[0];
    add_kernel(t, bodies[0], add_kernel(t, bodies[0], NULL, t->words, 10, digit), t->words, 10, 2);
    add_kernel(t, g, *node, t->words, 10, 4);
    return g;
}

/* cond.update_equal */
static void bodies_and_values_are_taken_over(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_graph *body, *other;
    rill_graph *g = branch(&t, RILL_CONDITIONAL_IF, 1, 1, 1, &node, &body);
    rill_exec *exec = new_exec(t.f, g);
    goes(&t, exec, 124);
    ok(edit_kernel(&t, body, node_of(body, 0), t.words, 10, 5));
    updates(exec, g);
    zero_words(&t);
    goes(&t, exec, 524);
    updates(exec, branch(&t, RILL_CONDITIONAL_IF, 1, 1, 6, &node, &other));
    zero_words(&t);
    goes(&t, exec, 624);
    ok(set_kernel(&t, exec, node_of(body, 0), t.words, 10, 7));
    is(RILL_ERROR_INVALID_VALUE, set_kernel(&t, exec, node_of(other, 0), t.words, 10, 8));
    zero_words(&t);
    goes(&t, exec, 724);
    updates(exec, branch(&t, RILL_CONDITIONAL_IF, 1, 0, 6, &node, &other));
    zero_words(&t);
    goes(&t, exec, 4);
}

/* cond.update_differs */
static void another_conditional_is_refused(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_graph *body, *g;
    rill_exec *exec = new_exec(t.f, branch(&t, RILL_CONDITIONAL_IF, 1, 1, 1, &node, &body));
    g = branch(&t, RILL_CONDITIONAL_SWITCH, 1, 1, 1, &node, &body);
    update_refused(exec, g, RILL_UPDATE_NOT_SUPPORTED, node);
    g = branch(&t, RILL_CONDITIONAL_WHILE, 1, 1, 1, &node, &body);
    update_refused(exec, g, RILL_UPDATE_NOT_SUPPORTED, node);
    g = branch(&t, RILL_CONDITIONAL_IF, 2, 1, 1, &node, &body);
    update_refused(exec, g, RILL_UPDATE_NOT_SUPPORTED, node);
    g = branch(&t, RILL_CONDITIONAL_IF, 1, 1, 1, &node, &body);
    add_kernel(&t, body, NULL, t.words, 10, 1);
    update_refused(exec, g, RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    g = branch(&t, RILL_CONDITIONAL_IF, 1, 1, 1, &node, &body);
    ok(rill_graph_remove_node(body, node_of(body, 1)));
    node = add(body, node_of(body, 0), fill_op(word(&t, 1), 7, 1));
    update_refused(exec, g, RILL_UPDATE_NODE_TYPE_CHANGED, node);
    g = chain(&t, 2, 10, 4, NULL);
    update_refused(exec, g, RILL_UPDATE_NODE_TYPE_CHANGED, node_of(g, 0));
    goes(&t, exec, 124);
    rill_conditional unused;
    g = branch(&t, RILL_CONDITIONAL_IF, 1, 1, 3, &node, &body);
    ok(rill_conditional_create(g, 1, RILL_CONDITIONAL_ASSIGN, &unused));
    updates(exec, g);
    zero_words(&t);
    goes(&t, exec, 324);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_chain_may_be_built_back_to_front),
    cmocka_unit_test(nodes_without_edges_are_paired_in_their_order),
    cmocka_unit_test(a_lone_node_in_another_place_is_another_shape),
    cmocka_unit_test(edges_are_paired_in_their_order),
    cmocka_unit_test(ends_turn_when_they_lose_what_is_behind_them),
    cmocka_unit_test(another_number_of_nodes_is_another_shape),
    cmocka_unit_test(a_graph_may_be_edited_and_taken_over_again),
    cmocka_unit_test(a_cycle_is_another_shape),
    cmocka_unit_test(removed_nodes_do_not_matter),
    cmocka_unit_test(large_graphs_are_taken_over),
    cmocka_unit_test(child_graphs_are_taken_over),
    cmocka_unit_test(bodies_and_values_are_taken_over),
    cmocka_unit_test(another_conditional_is_refused),
};

SUITE_GROUP(exec_shapes, 1);
