/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: handles, bodies, what is refused.
 */
#include "conformance/nodes.h"

static rill_conditional handle_of(rill_graph *graph)
{
    rill_conditional handle = 0;
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    return handle;
}

static rill_op conditional(rill_conditional handle, int kind, uint32_t count, rill_graph **bodies)
{
    return (rill_op){
        .kind = RILL_OP_CONDITIONAL,
        .conditional = { .handle = handle, .kind = (rill_conditional_kind)kind,
                         .body_count = count, .bodies = bodies },
    };
}

/* ---- Handles ---------------------------------------------------------------------------- */

/* cond.handle_bad_args */
static void a_handle_knows_one_flag(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    static const uint32_t flags[] = { 2, 3, 4, 0x80000000u, 0xffffffffu };
    rill_conditional handle = 77;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        is(RILL_ERROR_INVALID_VALUE, rill_conditional_create(g, 1, flags[i], &handle));
    blames("rill_conditional_create", "flags");
    assert_int_equal(handle, 77);
    ok(rill_conditional_create(g, 1, 0, &handle));
    assert_int_not_equal(handle, 0);
    assert_int_not_equal(handle_of(g), handle);
}

/* cond.handle_other_graph */
static void a_handle_is_of_its_graph_alone(void **state)
{
    struct fixture *f = *state;
    rill_graph *a = new_graph(f), *b = new_graph(f), *body = NULL;
    refused_for(RILL_ERROR_INVALID_VALUE, "handle", b,
                conditional(handle_of(a), RILL_CONDITIONAL_IF, 1, &body));
    refused(RILL_ERROR_INVALID_VALUE, b, conditional(0, RILL_CONDITIONAL_IF, 1, &body));
    refused(RILL_ERROR_INVALID_VALUE, b, conditional(12345, RILL_CONDITIONAL_IF, 1, &body));
    assert_null(body);
}

/* H200, driver 580: from 1 on, those of bodies among them, and no number comes again. */
static void handles_are_numbered_for_each_graph(void **state)
{
    struct fixture *f = *state;
    rill_graph *a = new_graph(f), *b = new_graph(f), *body;
    rill_conditional first = handle_of(a), second = handle_of(a);
    rill_node node = add(a, NULL, conditional(second, RILL_CONDITIONAL_IF, 1, &body));
    rill_conditional third = handle_of(body);
    ok(rill_graph_remove_node(a, node));
    rill_conditional fourth = handle_of(a);
    assert_int_equal(handle_of(b), first);
    assert_int_equal(handle_of(b), second);
    assert_int_equal(handle_of(b), third);
    assert_int_equal(handle_of(b), fourth);
    assert_true(first < second && second < third && third < fourth);
    /* One's first is good in the other. */
    add(b, NULL, conditional(first, RILL_CONDITIONAL_IF, 1, &body));
}

/* As measured; the handle is free again when its node is gone. */
static void a_handle_is_for_one_node(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *body;
    rill_conditional handle = handle_of(g);
    rill_node node;
    ok(rill_graph_add_conditional(g, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    refused(RILL_ERROR_INVALID_VALUE, g, conditional(handle, RILL_CONDITIONAL_IF, 1, &body));
    refused(RILL_ERROR_INVALID_VALUE, body, conditional(handle, RILL_CONDITIONAL_IF, 1, &body));
    ok(rill_graph_remove_node(g, node));
    ok(rill_graph_add_conditional(g, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
}

/* cond.handle_levels */
static void a_handle_may_be_of_any_level(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 4; i++) {
        rill_graph *g = new_graph(f), *bodies[2], *inner;
        rill_node outer = add(g, NULL, conditional(handle_of(g), RILL_CONDITIONAL_IF, 2, bodies));
        rill_graph *owner = i == 0 ? g : i == 2 ? bodies[1] : bodies[0];
        rill_op op = conditional(handle_of(owner), RILL_CONDITIONAL_IF, 1, &inner);
        if (i == 3) add(g, outer, op);
        else add(bodies[0], NULL, op);
    }
}

/* ---- Nodes ------------------------------------------------------------------------------- */

/* cond.sizes */
static void a_kind_has_so_many_bodies(void **state)
{
    struct fixture *f = *state;
    static const struct {
        int kind;
        uint32_t count;
        bool good;
    } sizes[] = {
        { RILL_CONDITIONAL_IF, 0, false },     { RILL_CONDITIONAL_IF, 1, true },
        { RILL_CONDITIONAL_IF, 2, true },      { RILL_CONDITIONAL_IF, 3, false },
        { RILL_CONDITIONAL_WHILE, 0, false },  { RILL_CONDITIONAL_WHILE, 1, true },
        { RILL_CONDITIONAL_WHILE, 2, false },  { RILL_CONDITIONAL_SWITCH, 0, false },
        { RILL_CONDITIONAL_SWITCH, 1, true },  { RILL_CONDITIONAL_SWITCH, 64, true },
        { 3, 1, false },                       { -1, 1, false },
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rill_graph *g = new_graph(f), *bodies[64] = { NULL };
        rill_conditional handle = handle_of(g);
        rill_op op = conditional(handle, sizes[i].kind, sizes[i].count, bodies);
        if (sizes[i].good) {
            add(g, NULL, op);
            for (uint32_t k = 0; k < sizes[i].count; k++) {
                assert_non_null(bodies[k]);
                assert_int_equal(node_count(bodies[k]), 0);
                for (uint32_t j = 0; j < k; j++) assert_ptr_not_equal(bodies[j], bodies[k]);
            }
        } else {
            refused(RILL_ERROR_INVALID_VALUE, g, op);
            assert_null(bodies[0]);
            add(g, NULL, conditional(handle, RILL_CONDITIONAL_IF, 1, bodies));
        }
    }
}

/* cond.shape */
static void the_nodes_of_a_body_are_its_own(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *bodies[2];
    rill_op nop = kernel_op(kernel(f, &nop_function), NULL);
    rill_node before = add(g, NULL, nop);
    rill_node node = add(g, before, conditional(handle_of(g), RILL_CONDITIONAL_IF, 2, bodies));
    add(g, node, (rill_op){ .kind = RILL_OP_EMPTY });
    rill_node inside = add(bodies[0], NULL, nop);
    add(bodies[0], inside, fill_op(device_words(f, 4), 7, 1));
    assert_int_equal(node_count(g), 3);
    assert_int_equal(node_count(bodies[0]), 2);
    assert_int_equal(node_count(bodies[1]), 0);
    rill_op_kind kind;
    ok(rill_node_kind(g, node, &kind));
    assert_int_equal(kind, RILL_OP_CONDITIONAL);
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_edges(g, &node, &inside, NULL, 1));
    rill_node never = NULL; /* cond.edges */
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(bodies[0], &node, 1, &nop, &never));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(g, &inside, 1, &nop, &never));
}

static void a_conditional_node_gives_back_what_it_has(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *bodies[3];
    rill_conditional handle = handle_of(g);
    rill_node node = add(g, NULL, conditional(handle, RILL_CONDITIONAL_SWITCH, 3, bodies));
    rill_op got = op_of(g, node);
    assert_int_equal(got.kind, RILL_OP_CONDITIONAL);
    assert_int_equal(got.conditional.handle, handle);
    assert_int_equal(got.conditional.kind, RILL_CONDITIONAL_SWITCH);
    assert_int_equal(got.conditional.body_count, 3);
    for (int i = 0; i < 3; i++) assert_ptr_equal(got.conditional.bodies[i], bodies[i]);
}

/* cond.node_params */
static void a_conditional_node_cannot_be_set(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *body, *other = NULL, *child = NULL;
    rill_conditional handle = handle_of(g);
    rill_node node = add(g, NULL, conditional(handle, RILL_CONDITIONAL_IF, 1, &body));
    rill_op op = conditional(handle, RILL_CONDITIONAL_IF, 1, &other);
    is(RILL_ERROR_NOT_SUPPORTED, rill_node_set_op(g, node, &op));
    op = conditional(handle, RILL_CONDITIONAL_SWITCH, 1, &other);
    is(RILL_ERROR_NOT_SUPPORTED, rill_node_set_op(g, node, &op));
    assert_null(other);
    rill_op empty = { .kind = RILL_OP_EMPTY };
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(g, node, &empty));
    rill_node nop = add(body, NULL, kernel_op(kernel(f, &nop_function), NULL));
    is(RILL_ERROR_INVALID_VALUE, rill_node_set_op(body, nop, &op));
    is(RILL_ERROR_INVALID_VALUE, rill_node_child_graph(g, node, &child));
    assert_null(child);
}

static void a_body_is_not_the_callers_to_destroy(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *body;
    add(g, NULL, conditional(handle_of(g), RILL_CONDITIONAL_IF, 1, &body));
    rill_graph *borrowed = body;
    assert_int_not_equal(rill_graph_destroy(&borrowed), RILL_SUCCESS);
    add(body, NULL, (rill_op){ .kind = RILL_OP_EMPTY });
}

/* What is in a body goes with the node. */
static void a_removed_conditional_takes_its_bodies_along(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *body, *inner;
    atomic_int destroyed = 0;
    rill_op host = { .kind = RILL_OP_HOST,
                     .host = { .fn = count_up, .data = &destroyed, .destroy = count_up } };
    rill_node node = add(g, NULL, conditional(handle_of(g), RILL_CONDITIONAL_WHILE, 1, &body));
    add(body, NULL, conditional(handle_of(g), RILL_CONDITIONAL_WHILE, 1, &inner));
    add(inner, NULL, host);
    ok(rill_graph_remove_node(g, node));
    assert_int_equal(atomic_load(&destroyed), 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_handle_knows_one_flag),
    cmocka_unit_test(a_handle_is_of_its_graph_alone),
    cmocka_unit_test(handles_are_numbered_for_each_graph),
    cmocka_unit_test(a_handle_is_for_one_node),
    cmocka_unit_test(a_handle_may_be_of_any_level),
    cmocka_unit_test(a_kind_has_so_many_bodies),
    cmocka_unit_test(the_nodes_of_a_body_are_its_own),
    cmocka_unit_test(a_conditional_node_gives_back_what_it_has),
    cmocka_unit_test(a_conditional_node_cannot_be_set),
    cmocka_unit_test(a_body_is_not_the_callers_to_destroy),
    cmocka_unit_test(a_removed_conditional_takes_its_bodies_along),
};

SUITE_GROUP(node_conditionals, 1);
