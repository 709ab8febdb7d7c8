/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that record an event, that wait for one, and that call a function.
 */
#include "conformance/nodes.h"

/* ---- Events ---------------------------------------------------------------------------- */

static const rill_op_kind both[] = { RILL_OP_EVENT_RECORD, RILL_OP_EVENT_WAIT };

/* node.event_params */
static void an_event_node_has_its_event_and_takes_another(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_event *a = new_event_in(f, f->context, RILL_EVENT_TIMING), *b = new_event(f);
    for (int i = 0; i < 2; i++) {
        rill_node node = add(g, NULL, event_op(both[i], a));
        rill_op got = op_of(g, node);
        assert_int_equal(got.kind, both[i]);
        assert_ptr_equal(got.event.event, a);
        rill_op other = event_op(both[i], b);
        ok(rill_node_set_op(g, node, &other));
        assert_ptr_equal(op_of(g, node).event.event, b);
        other.event.event = NULL;
        is(RILL_ERROR_INVALID_HANDLE, rill_node_set_op(g, node, &other));
        rill_op crossed = event_op(both[1 - i], a);
        is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, node, &crossed));
        assert_ptr_equal(op_of(g, node).event.event, b);
    }
}

static void an_event_node_knows_one_flag(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    for (int i = 0; i < 2; i++) {
        rill_op op = event_op(both[i], new_event(f));
        op.event.flags = RILL_EVENT_EXTERNAL;
        assert_int_equal(op_of(g, add(g, NULL, op)).event.flags, 0); /* all of them are */
        op.event.flags = 2;
        refused_for(RILL_ERROR_INVALID_VALUE, "flags", g, op);
    }
}

static void an_event_may_be_destroyed_while_nodes_name_it(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_event *event = new_event(f);
    rill_node nodes[2];
    for (int i = 0; i < 2; i++) nodes[i] = add(g, NULL, event_op(both[i], event));
    forget(f, event);
    ok(rill_event_destroy(&event));
    ok(rill_graph_remove_node(g, nodes[0]));
    rill_op other = event_op(RILL_OP_EVENT_WAIT, new_event(f));
    ok(rill_node_set_op(g, nodes[1], &other));
}

static rill_exec *exec_of(struct fixture *f, rill_op op)
{
    rill_graph *g = new_graph(f);
    add(g, NULL, op);
    return new_exec(f, g);
}

/* H200, driver 580.159.04 */
static void an_event_of_any_context_and_kind_is_recorded_and_waited_for(void **state)
{
    struct fixture *f = *state;
    rill_context *other = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_event *events[] = { new_event_in(f, other, 0),
                             new_event_in(f, f->context, RILL_EVENT_INTERPROCESS) };
    for (int i = 0; i < 2; i++) {
        rill_exec *record = exec_of(f, event_op(RILL_OP_EVENT_RECORD, events[i]));
        rill_exec *wait = exec_of(f, event_op(RILL_OP_EVENT_WAIT, events[i]));
        rill_stream *s = new_non_blocking(f), *t = new_non_blocking(f);
        struct gate *closed = gate(f, s);
        ok(rill_exec_launch(record, s));
        event_held(events[i]);
        ok(rill_exec_launch(wait, t));
        held(t);
        open_gate(closed);
        ok(rill_stream_synchronize(t));
        ok(rill_event_query(events[i]));
    }
}

/* ---- Host functions ---------------------------------------------------------------------- */

static void host_function(void *data)
{
    (void)data;
}

static rill_op with_destroy(atomic_int *count)
{
    return (rill_op){ .kind = RILL_OP_HOST,
                      .host = { .fn = host_function, .data = count, .destroy = count_up } };
}

static void a_host_node_keeps_its_destroy(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    atomic_int destroyed = 0;
    rill_op got = op_of(g, add(g, NULL, with_destroy(&destroyed)));
    assert_int_equal(got.kind, RILL_OP_HOST);
    assert_true(got.host.fn == host_function);
    assert_ptr_equal(got.host.data, &destroyed);
    assert_null((void *)(uintptr_t)got.host.destroy);
    assert_int_equal(atomic_load(&destroyed), 0);
    forget(f, g);
    ok(rill_graph_destroy(&g));
    comes_to(&destroyed, 1);
}

static void what_a_host_node_was_given_is_given_back_when_it_changes(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    atomic_int first = 0, second = 0;
    rill_node node = add(g, NULL, with_destroy(&first));
    rill_op op = with_destroy(&second);
    ok(rill_node_set_op(g, node, &op));
    comes_to(&first, 1);
    assert_int_equal(atomic_load(&second), 0);
    ok(rill_graph_remove_node(g, node));
    comes_to(&first, 1);
    comes_to(&second, 1);
}

static void a_refused_host_node_gives_back_at_once(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    atomic_int destroyed = 0;
    rill_op op = with_destroy(&destroyed);
    op.host.fn = NULL;
    refused(RILL_ERROR_INVALID_VALUE, g, op);
    comes_to(&destroyed, 1);
    rill_node empty = add(g, NULL, (rill_op){ .kind = RILL_OP_EMPTY });
    op = with_destroy(&destroyed);
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, empty, &op));
    comes_to(&destroyed, 2);
    rill_node gone = empty;
    ok(rill_graph_remove_node(g, empty));
    op = with_destroy(&destroyed);
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, gone, &op));
    comes_to(&destroyed, 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_event_node_has_its_event_and_takes_another),
    cmocka_unit_test(an_event_node_knows_one_flag),
    cmocka_unit_test(an_event_of_any_context_and_kind_is_recorded_and_waited_for),
    cmocka_unit_test(an_event_may_be_destroyed_while_nodes_name_it),
    cmocka_unit_test(a_host_node_keeps_its_destroy),
    cmocka_unit_test(what_a_host_node_was_given_is_given_back_when_it_changes),
    cmocka_unit_test(a_refused_host_node_gives_back_at_once),
};

SUITE_GROUP(node_events, 1);
