/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs do not mind in which order a graph was built; only edges that come in
 * another order make it another one.
 */
#include "conformance/execs/exec_work.h"

/* ---- Chains ----------------------------------------------------------------------- */

#define LINKS 5
#define ORDERS 4

static const int orders[ORDERS][LINKS] = {
    { 0, 1, 2, 3, 4 }, { 4, 3, 2, 1, 0 }, { 2, 0, 4, 1, 3 }, { 1, 0, 2, 3, 4 },
};

/* A chain that appends the digits from `first` on to the first word, its nodes
 * created in that order. */
static rill_graph *digits(const struct trial *t, const int *order, uint32_t first,
                          rill_node *nodes)
{
    rill_graph *g = new_graph(t->f);
    for (int i = 0; i < LINKS; i++)
        nodes[order[i]] = add_kernel(t, g, NULL, t->words, 10, first + (uint32_t)order[i]);
    for (int i = 0; i + 1 < LINKS; i++) link_nodes(g, nodes[i], nodes[i + 1]);
    return g;
}

static void nodes_may_come_before_what_they_depend_on(void **state)
{
    struct trial t = trial(state);
    for (int o = 0; o < ORDERS; o++) {
        rill_node nodes[LINKS];
        rill_exec *exec = new_exec(t.f, digits(&t, orders[o], 1, nodes));
        zero_words(&t);
        goes(&t, exec, 12345);
        ok(set_kernel(&t, exec, nodes[1], t.words, 10, 7));
        ok(rill_exec_set_enabled(exec, nodes[3], 0));
        zero_words(&t);
        goes(&t, exec, 1735);
    }
}

static void a_graph_in_any_order_is_taken_over_by_an_exec_in_any(void **state)
{
    struct trial t = trial(state);
    rill_node nodes[LINKS], others[LINKS];
    for (int ours = 0; ours < ORDERS; ours++)
        for (int theirs = 0; theirs < ORDERS; theirs++) {
            rill_exec *exec = new_exec(t.f, digits(&t, orders[ours], 1, nodes));
            updates(exec, digits(&t, orders[theirs], 4, others));
            zero_words(&t);
            goes(&t, exec, 45678);
            ok(set_kernel(&t, exec, nodes[4], t.words, 10, 1));
            zero_words(&t);
            goes(&t, exec, 45671);
        }
}

/* The node behind the child graph comes first, and inside it everything is back to
 * front. */
static rill_graph *around_child(const struct trial *t, uint32_t first, rill_node *inside)
{
    rill_graph *g = new_graph(t->f), *child;
    rill_node mine[LINKS];
    rill_node last = add_kernel(t, g, NULL, t->words, 10, first + LINKS);
    rill_op op = { .kind = RILL_OP_GRAPH, .graph = { digits(t, orders[1], first, mine), 0 } };
    rill_node node = add(g, NULL, op);
    size_t count = LINKS;
    link_nodes(g, node, last);
    ok(rill_node_child_graph(g, node, &child));
    ok(rill_graph_nodes(child, inside, &count));
    return g;
}

static void so_may_child_graphs(void **state)
{
    struct trial t = trial(state);
    rill_node inside[LINKS], others[LINKS];
    rill_exec *exec = new_exec(t.f, around_child(&t, 1, inside));
    goes(&t, exec, 123456);
    ok(set_kernel(&t, exec, inside[0], t.words, 10, 9)); /* created first, runs last */
    zero_words(&t);
    goes(&t, exec, 123496);
    updates(exec, around_child(&t, 3, others));
    zero_words(&t);
    goes(&t, exec, 345678);
}

/* A node takes the room of one that went. */
static void a_node_is_not_the_one_that_went_before_it(void **state)
{
    struct trial t = trial(state);
    rill_node nodes[LINKS];
    rill_graph *g = digits(&t, orders[0], 1, nodes);
    ok(rill_graph_remove_node(g, nodes[1]));
    rill_node last = add_kernel(&t, g, nodes[4], t.words, 10, 8);
    link_nodes(g, nodes[0], nodes[2]);
    rill_graph *clone;
    ok(rill_graph_clone(g, &clone));
    rill_exec *exec = new_exec(t.f, g), *copy = new_exec(t.f, keep_graph(t.f, clone));
    goes(&t, exec, 13458);
    if (suite->expects.nodes_stay_gone)
        is(RILL_ERROR_INVALID_VALUE, set_kernel(&t, exec, nodes[1], t.words, 10, 9));
    ok(set_kernel(&t, exec, last, t.words, 10, 9));
    zero_words(&t);
    goes(&t, exec, 13459);
    ok(rill_graph_find_in_clone(clone, last, &last));
    ok(set_kernel(&t, copy, last, t.words, 10, 7));
    zero_words(&t);
    goes(&t, copy, 13457);
    updates(copy, g);
    zero_words(&t);
    goes(&t, copy, 13458);
}

/* ---- The order of edges -------------------------------------------------------------- */

#define FAN 300

/* Many nodes before one; two of them have a word each, and `turned` comes at the
 * place of the other among the edges. */
static rill_graph *fan(const struct trial *t, bool turned, rill_node *low)
{
    enum { LOW = 3, HIGH = LOW + 256 };
    rill_graph *g = new_graph(t->f);
    rill_node nodes[FAN], last = add(g, NULL, empty_op());
    for (int i = 0; i < FAN; i++) {
        bool known = i == LOW || i == HIGH;
        nodes[i] = known ? add_kernel(t, g, NULL, word(t, i == HIGH), 1, turned ? 10 : 1)
                         : add(g, NULL, empty_op());
    }
    for (int i = 0; i < FAN; i++) {
        int other = i == LOW ? HIGH : i == HIGH ? LOW : i;
        link_nodes(g, nodes[turned ? other : i], last);
    }
    *low = nodes[LOW];
    return g;
}

static void of_many_edges_each_keeps_its_place(void **state)
{
    struct trial t = trial(state);
    rill_node low, theirs;
    rill_exec *exec = new_exec(t.f, fan(&t, false, &low));
    goes(&t, exec, 1, 1);
    updates(exec, fan(&t, true, &theirs));
    goes(&t, exec, 11, 11);
    ok(rill_exec_set_enabled(exec, low, 0)); /* what it does now is on the other word */
    goes(&t, exec, 21, 11);
}

/* Two branches that end in one node, whose edges come last. */
static rill_graph *branches(const struct trial *t, uint32_t a, bool turned, rill_node nodes[5])
{
    rill_graph *g = new_graph(t->f);
    for (unsigned i = 0; i < 4; i++)
        nodes[i] = add_kernel(t, g, i < 2 ? NULL : nodes[i - 2], word(t, i % 2), 10, a + i);
    nodes[4] = add(g, NULL, empty_op());
    link_nodes(g, nodes[turned ? 3 : 2], nodes[4]);
    link_nodes(g, nodes[turned ? 2 : 3], nodes[4]);
    return g;
}

/* The first nodes look the same and yet stand for each other crosswise. */
static void what_looks_the_same_at_first_may_turn_out_crosswise(void **state)
{
    struct trial t = trial(state);
    rill_node nodes[5], others[5];
    rill_exec *exec = new_exec(t.f, branches(&t, 1, false, nodes));
    goes(&t, exec, 13, 24);
    rill_graph *g = branches(&t, 5, true, others);
    for (int again = 0; again < 2; again++) {
        updates(exec, g);
        zero_words(&t);
        goes(&t, exec, 57, 68);
        ok(rill_exec_set_enabled(exec, nodes[0], 0));
        zero_words(&t);
        goes(&t, exec, 57, 8);
        ok(rill_exec_set_enabled(exec, nodes[0], 1));
    }
    updates(exec, branches(&t, 1, false, others));
    zero_words(&t);
    goes(&t, exec, 13, 24);
}

/* The last node does not fit: those before it were already looked at. */
static void what_looks_the_same_but_for_the_last_node_changes_nothing(void **state)
{
    struct trial t = trial(state);
    rill_node nodes[5], others[5];
    rill_exec *exec = new_exec(t.f, branches(&t, 1, false, nodes));
    rill_graph *g = branches(&t, 5, false, others);
    ok(rill_graph_remove_node(g, others[4]));
    rill_node ends[] = { others[2], others[3] }, last;
    rill_op fill = fill_op(word(&t, 5), 1, 1);
    ok(rill_graph_add_node(g, ends, 2, &fill, &last));
    update_refused(exec, g, RILL_UPDATE_NODE_TYPE_CHANGED, last);
    goes(&t, exec, 13, 24);
    g = branches(&t, 5, false, others);
    link_nodes(g, others[0], others[4]);
    update_refused(exec, g, RILL_UPDATE_TOPOLOGY_CHANGED, others[4]);
    zero_words(&t);
    goes(&t, exec, 13, 24);
}

/* Makes two kernels that write a word each: an edge of the second type lets them overlap. */
static rill_graph *programmatic(const struct trial *t, uint8_t type, uint32_t a, rill_node nodes[2])
{
    rill_graph *g = new_graph(t->f);
    const rill_edge edge = { .from_port = type, .type = type };
    for (int i = 0; i < 2; i++) nodes[i] = add_kernel(t, g, NULL, word(t, i), 10, a + (uint32_t)i);
    ok(rill_graph_add_edges(g, &nodes[0], &nodes[1], &edge, 1));
    return g;
}

static void what_edges_carry_has_to_be_the_same(void **state)
{
    struct trial t = trial(state);
    for (uint8_t type = 0; type < 2; type++) {
        rill_node nodes[2], others[2];
        rill_exec *exec = new_exec(t.f, programmatic(&t, type, 1, nodes));
        rill_graph *g = programmatic(&t, !type, 3, others);
        trial_update(exec, g, RILL_UPDATE_TOPOLOGY_CHANGED, others[1], others[0], __FILE__,
                     __LINE__);
        zero_words(&t);
        goes(&t, exec, 1, 2);
        updates(exec, programmatic(&t, type, 5, others));
        zero_words(&t);
        goes(&t, exec, 5, 6);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nodes_may_come_before_what_they_depend_on),
    cmocka_unit_test(a_graph_in_any_order_is_taken_over_by_an_exec_in_any),
    cmocka_unit_test(so_may_child_graphs),
    cmocka_unit_test(a_node_is_not_the_one_that_went_before_it),
    cmocka_unit_test(of_many_edges_each_keeps_its_place),
    cmocka_unit_test(what_looks_the_same_at_first_may_turn_out_crosswise),
    cmocka_unit_test(what_looks_the_same_but_for_the_last_node_changes_nothing),
    cmocka_unit_test(what_edges_carry_has_to_be_the_same),
};

SUITE_GROUP(exec_orders, 1);
