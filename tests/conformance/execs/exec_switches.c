/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of an exec that are switched off, and on again.
 */
#include "conformance/execs/exec_work.h"

/* update.enabled_args */
static void any_number_but_zero_switches_on(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_graph *g = one_kernel(&t, 1, 1, &node);
    rill_exec *x = new_exec(t.f, g), *y = new_exec(t.f, g);
    static const int values[] = { 2, 0, 0, -1, 0 };
    uint32_t runs = 0;
    int enabled = 9;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        ok(rill_exec_set_enabled(x, node, values[i]));
        ok(rill_exec_get_enabled(x, node, &enabled));
        assert_int_equal(enabled, values[i] != 0);
        runs += values[i] != 0;
        goes(&t, x, runs);
    }
    ok(rill_exec_get_enabled(y, node, &enabled));
    assert_int_equal(enabled, 1);
    goes(&t, y, runs + 1);
    ok(rill_exec_get_enabled(new_exec(t.f, g), node, &enabled));
    assert_int_equal(enabled, 1);
}

/* update.enabled_args */
static void only_nodes_of_the_exec_have_a_switch(void **state)
{
    struct trial t = trial(state);
    rill_node node, foreign, copied;
    rill_graph *g = one_kernel(&t, 1, 1, &node), *clone;
    one_kernel(&t, 1, 1, &foreign);
    ok(rill_graph_clone(g, &clone));
    keep_graph(t.f, clone);
    ok(rill_graph_find_in_clone(clone, node, &copied));
    rill_exec *exec = new_exec(t.f, g);
    rill_node late = add_kernel(&t, g, node, t.words, 1, 1);
    rill_node nodes[] = { NULL, foreign, copied, late };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        int enabled = 9;
        is(RILL_ERROR_INVALID_VALUE, rill_exec_set_enabled(exec, nodes[i], 0));
        refuses(RILL_ERROR_INVALID_VALUE, "node", rill_exec_get_enabled(exec, nodes[i], &enabled));
        assert_int_equal(enabled, 9);
    }
    is(RILL_ERROR_INVALID_VALUE, rill_exec_get_enabled(exec, node, NULL));
    goes(&t, exec, 1);
}

/* EX-12 */
static void only_kernels_copies_and_fills_have_a_switch(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f), *body;
    rill_event *event = new_event(t.f);
    rill_value item = { .kind = RILL_VALUE_WRITE_32, .address = t.words };
    rill_conditional handle;
    rill_devptr address;
    ok(rill_conditional_create(g, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    const rill_op ops[] = {
        host_op(nothing, NULL), { .kind = RILL_OP_EMPTY }, values_op(&item, 1),
        event_op(RILL_OP_EVENT_RECORD, event), event_op(RILL_OP_EVENT_WAIT, event),
        child_op(new_graph(t.f), 0),
        { .kind = RILL_OP_CONDITIONAL,
          .conditional = { .handle = handle, .body_count = 1, .bodies = &body } },
    };
    enum { OPS = sizeof ops / sizeof *ops };
    rill_node nodes[OPS + 2];
    for (size_t i = 0; i < OPS; i++) nodes[i] = add(g, NULL, ops[i]);
    nodes[OPS] = add_alloc(g, NULL, 64, &address);
    nodes[OPS + 1] = add(g, nodes[OPS], free_op(address));
    rill_exec *exec = new_exec(t.f, g);
    for (size_t i = 0; i < OPS + 2; i++) {
        int enabled = 9;
        refuses(RILL_ERROR_INVALID_VALUE, "node", rill_exec_set_enabled(exec, nodes[i], 0));
        is(RILL_ERROR_INVALID_VALUE, rill_exec_get_enabled(exec, nodes[i], &enabled));
        assert_int_equal(enabled, 9);
    }
    go(&t, exec);
}

/* update.enabled_effect */
static void what_is_off_is_as_if_it_were_empty(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f);
    rill_node nodes[4];
    nodes[0] = add_kernel(&t, g, NULL, t.words, 1, 1);
    nodes[1] = add(g, nodes[0], fill_op(word(&t, 1), 5, 1));
    nodes[2] = add(g, nodes[1], copy_op(rill_device_place(word(&t, 2)),
                                        rill_device_place(word(&t, 1)), 4));
    nodes[3] = add_kernel(&t, g, nodes[2], word(&t, 3), 1, 1);
    rill_exec *exec = new_exec(t.f, g);
    for (unsigned off = 0; off < 16; off++) {
        for (int i = 0; i < 4; i++) ok(rill_exec_set_enabled(exec, nodes[i], !(off >> i & 1)));
        zero_words(&t);
        uint32_t fill = off & 2 ? 0 : 5;
        goes(&t, exec, !(off & 1), fill, off & 4 ? 0 : fill, !(off & 8));
    }
}

/* The parameters come into force when the node is switched on. */
static void what_is_off_can_be_changed(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_graph *g = one_kernel(&t, 1, 1, &node);
    rill_exec *exec = new_exec(t.f, g);
    int enabled = 9;
    ok(rill_exec_set_enabled(exec, node, 0));
    ok(set_kernel(&t, exec, node, t.words, 1, 10));
    goes(&t, exec, 0);
    updates(exec, one_kernel(&t, 1, 100, NULL));
    ok(rill_exec_get_enabled(exec, node, &enabled));
    assert_int_equal(enabled, 0);
    goes(&t, exec, 0);
    ok(rill_exec_set_enabled(exec, node, 1));
    goes(&t, exec, 100);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_number_but_zero_switches_on),
    cmocka_unit_test(only_nodes_of_the_exec_have_a_switch),
    cmocka_unit_test(only_kernels_copies_and_fills_have_a_switch),
    cmocka_unit_test(what_is_off_is_as_if_it_were_empty),
    cmocka_unit_test(what_is_off_can_be_changed),
};

SUITE_GROUP(exec_switches, 1);
