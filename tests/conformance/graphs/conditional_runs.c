/* SPDX-License-Identifier: Apache-2.0
 *
 * When the bodies of conditional nodes run.  A word of memory tells the order: each
 * kernel appends a digit.
 */
#include <rill/sim.h>

#include "conformance/nodes.h"

/* ---- Kernels that set a condition ---------------------------------------------------------- */

static void run_set(const rill_launch *launch)
{
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional),
                             RILL_ARGUMENT(launch, 1, uint32_t));
}

/* Counts down in memory; whether it is above zero is the condition. */
static void run_down(const rill_launch *launch)
{
    uint32_t *p = RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 1, rill_devptr), uint32_t);
    --*p;
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), *p > 0);
}

static const rill_param set_params[] = { RILL_PARAM(rill_conditional), RILL_PARAM(uint32_t) };
static const rill_param down_params[] = { RILL_PARAM(rill_conditional), RILL_PARAM(rill_devptr) };
static const rill_function set_function = {
    .name = "set", .over_grid = run_set, .params = set_params, .param_count = 2,
};
static const rill_function down_function = {
    .name = "down", .over_grid = run_down, .params = down_params, .param_count = 2,
};

struct scene {
    struct fixture *f;
    rill_graph *graph;
    rill_stream *stream;
    rill_devptr word;     /* of digits */
    rill_devptr counter;
    rill_kernel *mul_add, *set, *down;
};

static struct scene prepare(struct fixture *f)
{
    rill_devptr words = device_words(f, 2);
    return (struct scene){
        .f = f, .graph = new_graph(f), .stream = new_non_blocking(f), .word = words,
        .counter = words + 4, .mul_add = kernel(f, &mul_add_function),
        .set = kernel(f, &set_function), .down = kernel(f, &down_function),
    };
}

static rill_node digit(struct scene *s, rill_graph *graph, rill_node after, uint32_t value)
{
    uint32_t ten = 10;
    const void *params[] = { &s->word, &ten, &value };
    return add(graph, after, kernel_op(s->mul_add, params));
}

static rill_node set(struct scene *s, rill_graph *graph, rill_node after, rill_conditional handle,
                     uint32_t value)
{
    return add(graph, after, kernel_op(s->set, (const void *const[]){ &handle, &value }));
}

static rill_node down(struct scene *s, rill_graph *graph, rill_node after, rill_conditional handle)
{
    return add(graph, after, kernel_op(s->down, (const void *const[]){ &handle, &s->counter }));
}

static rill_conditional handle_of(rill_graph *graph, uint32_t initial)
{
    rill_conditional handle = 0;
    ok(rill_conditional_create(graph, initial, RILL_CONDITIONAL_ASSIGN, &handle));
    return handle;
}

static rill_node branch(rill_graph *graph, rill_node after, rill_conditional handle,
                        rill_conditional_kind kind, uint32_t count, rill_graph **bodies)
{
    rill_op op = {
        .kind = RILL_OP_CONDITIONAL,
        .conditional = { .handle = handle, .kind = kind, .body_count = count, .bodies = bodies },
    };
    return add(graph, after, op);
}

/* What one launch makes of a word that is 0. */
static uint32_t launched(struct scene *s, rill_exec *exec)
{
    poke(s->f, s->word, 0);
    ok(rill_exec_launch(exec, s->stream));
    ok(rill_stream_synchronize(s->stream));
    return peek(s->f, s->word);
}

/* ---- Which body runs ------------------------------------------------------------------------ */

/* cond.if_set */
static void an_if_runs_its_body_when_the_value_is_not_zero(void **state)
{
    static const uint32_t values[] = { 0, 1, 9, 0x7fffffff };
    for (uint32_t initial = 0; initial < 2; initial++)
        for (size_t i = 0; i < 4; i++) {
            struct scene s = prepare(*state);
            rill_conditional handle = handle_of(s.graph, initial);
            rill_graph *body;
            rill_node before = set(&s, s.graph, NULL, handle, values[i]);
            rill_node node = branch(s.graph, before, handle, RILL_CONDITIONAL_IF, 1, &body);
            digit(&s, body, NULL, 2);
            digit(&s, s.graph, node, 3);
            assert_int_equal(launched(&s, new_exec(s.f, s.graph)), values[i] ? 23 : 3);
        }
}

/* cond.if_else */
static void an_if_with_two_bodies_runs_one_of_them(void **state)
{
    for (uint32_t initial = 0; initial < 3; initial++) {
        struct scene s = prepare(*state);
        rill_conditional handle = handle_of(s.graph, initial);
        rill_graph *bodies[2];
        rill_node node = branch(s.graph, NULL, handle, RILL_CONDITIONAL_IF, 2, bodies);
        digit(&s, bodies[0], NULL, 1);
        digit(&s, bodies[1], NULL, 2);
        digit(&s, s.graph, node, 3);
        assert_int_equal(launched(&s, new_exec(s.f, s.graph)), initial ? 13 : 23);
    }
}

/* cond.switch_default */
static void a_switch_runs_the_body_of_its_value(void **state)
{
    static const uint32_t values[] = { 0, 1, 2, 3, 4, 0x80000000u, 0xffffffffu };
    for (size_t i = 0; i < 7; i++) {
        struct scene s = prepare(*state);
        rill_graph *bodies[3];
        rill_conditional handle = handle_of(s.graph, values[i]);
        rill_node node = branch(s.graph, NULL, handle, RILL_CONDITIONAL_SWITCH, 3, bodies);
        for (uint32_t k = 0; k < 3; k++) digit(&s, bodies[k], NULL, k + 1);
        digit(&s, s.graph, node, 9);
        uint32_t wanted = values[i] < 3 ? 10 * (values[i] + 1) + 9 : 9;
        assert_int_equal(launched(&s, new_exec(s.f, s.graph)), wanted);
    }
}

/* cond.order */
static void a_while_runs_its_body_until_the_value_is_zero(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *body;
    rill_conditional handle = handle_of(s.graph, 1);
    rill_node before = digit(&s, s.graph, NULL, 1);
    rill_node node = branch(s.graph, before, handle, RILL_CONDITIONAL_WHILE, 1, &body);
    down(&s, body, digit(&s, body, NULL, 2), handle);
    digit(&s, s.graph, node, 3);
    rill_exec *exec = new_exec(s.f, s.graph);
    static const uint32_t wanted[] = { 123, 1223, 12223 };
    for (uint32_t i = 1; i <= 3; i++) {
        poke(s.f, s.counter, i);
        assert_int_equal(launched(&s, exec), wanted[i - 1]);
    }
}

/* cond.while_count: with the default 0 it does not begin */
static void a_while_whose_value_is_zero_does_not_begin(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *body;
    rill_node node = branch(s.graph, NULL, handle_of(s.graph, 0), RILL_CONDITIONAL_WHILE, 1, &body);
    digit(&s, body, NULL, 2);
    digit(&s, s.graph, node, 3);
    assert_int_equal(launched(&s, new_exec(s.f, s.graph)), 3);
}

/* cond.while_last_set */
static void the_last_value_of_an_iteration_counts(void **state)
{
    for (int stop_last = 0; stop_last < 2; stop_last++) {
        struct scene s = prepare(*state);
        rill_graph *body;
        rill_conditional handle = handle_of(s.graph, 1);
        branch(s.graph, NULL, handle, RILL_CONDITIONAL_WHILE, 1, &body);
        rill_node first = digit(&s, body, NULL, 1);
        if (stop_last) set(&s, body, down(&s, body, first, handle), handle, 0);
        else down(&s, body, set(&s, body, first, handle, 0), handle);
        poke(s.f, s.counter, 4);
        assert_int_equal(launched(&s, new_exec(s.f, s.graph)), stop_last ? 1 : 1111);
    }
}

/* cond.while_in_while: the inner default is not applied again */
static void defaults_are_for_launches_not_for_iterations(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *outer, *inner[2];
    rill_conditional ho = handle_of(s.graph, 1), hi = handle_of(s.graph, 1);
    branch(s.graph, NULL, ho, RILL_CONDITIONAL_WHILE, 1, &outer);
    rill_node node = branch(outer, NULL, hi, RILL_CONDITIONAL_IF, 2, inner);
    for (uint32_t i = 0; i < 2; i++) /* body 0 sets 0, body 1 sets 1 */
        set(&s, inner[i], digit(&s, inner[i], NULL, i + 1), hi, i);
    down(&s, outer, node, ho);
    rill_exec *exec = new_exec(s.f, s.graph);
    for (int i = 0; i < 2; i++) { /* cond.if_in_while_default */
        poke(s.f, s.counter, 4);
        assert_int_equal(launched(&s, exec), 1212);
    }
}

/* cond.deep */
static void conditionals_nest(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *at = s.graph;
    for (int i = 0; i < 32; i++)
        branch(at, NULL, handle_of(s.graph, 1), RILL_CONDITIONAL_IF, 1, &at);
    digit(&s, at, NULL, 7);
    assert_int_equal(launched(&s, new_exec(s.f, s.graph)), 7);
}

/* ---- Values that nobody set ------------------------------------------------------------ */

/* H200, driver 580: whatever its initial value says. */
static void a_value_without_a_default_begins_as_zero(void **state)
{
    for (uint32_t initial = 0; initial < 3; initial++) {
        struct scene s = prepare(*state);
        rill_graph *bodies[3];
        rill_conditional handle = 0;
        ok(rill_conditional_create(s.graph, initial, 0, &handle));
        branch(s.graph, NULL, handle, RILL_CONDITIONAL_SWITCH, 3, bodies);
        for (uint32_t i = 0; i < 3; i++) digit(&s, bodies[i], NULL, i + 1);
        rill_exec *exec = new_exec(s.f, s.graph);
        for (int i = 0; i < 2; i++) assert_int_equal(launched(&s, exec), 1);
    }
}

/* ---- Setting it elsewhere -------------------------------------------------------------- */

/* cond.outside_setter */
static void a_condition_set_from_another_graph_fails_the_device(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *body, *other = new_graph(s.f);
    rill_conditional handle = handle_of(s.graph, 0);
    branch(s.graph, NULL, handle, RILL_CONDITIONAL_IF, 1, &body);
    assert_int_equal(launched(&s, new_exec(s.f, s.graph)), 0);
    set(&s, other, NULL, handle, 1);
    is(RILL_ERROR_ILLEGAL_ADDRESS, run_once(s.f, other));
    is(RILL_ERROR_ILLEGAL_ADDRESS, rill_stream_synchronize(s.stream));
}

/* H200, driver 580: a number means a handle of the graph that is launched, and nothing
 * where that has fewer. */
static void a_kernel_sets_the_handle_that_its_graph_has_by_that_number(void **state)
{
    struct scene s = prepare(*state);
    rill_graph *other = new_graph(s.f), *bodies[2];
    rill_conditional ours = handle_of(s.graph, 0), first = handle_of(other, 0), beyond;
    handle_of(other, 0);
    beyond = handle_of(other, 0);
    rill_node node = branch(s.graph, set(&s, s.graph, NULL, first, 1), ours,
                            RILL_CONDITIONAL_IF, 2, bodies);
    digit(&s, bodies[0], NULL, 1);
    digit(&s, bodies[1], NULL, 2);
    set(&s, s.graph, node, beyond, 1);
    assert_int_equal(launched(&s, new_exec(s.f, s.graph)), 1);
}

/* ---- One exec at a time ----------------------------------------------------------------- */

static void has_an_exec_already(rill_graph *graph)
{
    rill_exec_options options = { .size = sizeof options };
    rill_exec *exec = NULL;
    refuses(RILL_ERROR_NOT_SUPPORTED, "graph", rill_exec_create(graph, &options, &exec));
    assert_null(exec);
    assert_int_equal(options.result, RILL_EXEC_ERROR);
    assert_null(options.failing_node);
}

static void destroy_exec(struct fixture *f, rill_exec *exec)
{
    forget(f, exec);
    ok(rill_exec_destroy(&exec));
}

/* cond.two_execs */
static void a_graph_with_conditionals_has_one_exec_at_a_time(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *body;
    rill_stream *s = new_non_blocking(f);
    rill_devptr d = device_words(f, 1);
    branch(g, NULL, handle_of(g, 1), RILL_CONDITIONAL_IF, 1, &body);
    add(body, NULL, fill_op(d, 7, 1));
    if (!suite->expects.loads_beside_work) skip_since("the driver waits for what is held");
    rill_exec *first = new_exec(f, g);
    has_an_exec_already(g);
    struct gate *closed = gate(f, s);
    ok(rill_exec_launch(first, s));
    has_an_exec_already(g);
    destroy_exec(f, first); /* its launch goes on */
    rill_exec *second = new_exec(f, g);
    has_an_exec_already(g);
    open_gate(closed);
    ok(rill_exec_launch(second, s));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, d), 7);
    forget(f, g);
    ok(rill_graph_destroy(&g));
    poke(f, d, 0);
    ok(rill_exec_launch(second, s));
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, d), 7);
}

/* H200, driver 580: copies that were made before there were conditionals.  Copies of a
 * copy do not count, nor what was made of one that is gone. */
static void a_graph_with_conditionals_has_no_exec_while_there_is_a_copy(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *parent = new_graph(f), *clone = NULL, *again = NULL, *body;
    ok(rill_graph_clone(g, &clone));
    ok(rill_graph_clone(clone, &again));
    rill_node child = add(parent, NULL, (rill_op){ .kind = RILL_OP_GRAPH, .graph = { g, 0 } });
    rill_exec *of_clone = new_exec(f, clone), *of_parent = new_exec(f, parent);
    branch(g, NULL, handle_of(g, 1), RILL_CONDITIONAL_IF, 1, &body);
    has_an_exec_already(g);
    ok(rill_graph_remove_node(parent, child));
    has_an_exec_already(g);
    ok(rill_graph_destroy(&clone));
    destroy_exec(f, new_exec(f, g));
    branch(again, NULL, handle_of(again, 1), RILL_CONDITIONAL_IF, 1, &body);
    destroy_exec(f, new_exec(f, again));
    ok(rill_graph_destroy(&again));
    destroy_exec(f, of_clone);
    destroy_exec(f, of_parent);
}

/* H200, driver 580. */
static void a_graph_with_conditionals_does_not_move(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *handle_only = new_graph(f), *parent = new_graph(f), *body;
    rill_op op = { .kind = RILL_OP_GRAPH, .graph = { g, RILL_CHILD_MOVE } };
    branch(g, NULL, handle_of(g, 1), RILL_CONDITIONAL_IF, 1, &body);
    refused_for(RILL_ERROR_NOT_SUPPORTED, "op->graph.graph", parent, op);
    handle_of(handle_only, 1);
    op.graph.graph = handle_only;
    refused(RILL_ERROR_NOT_SUPPORTED, parent, op);
    ok(run_once(f, g));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_if_runs_its_body_when_the_value_is_not_zero),
    cmocka_unit_test(an_if_with_two_bodies_runs_one_of_them),
    cmocka_unit_test(a_switch_runs_the_body_of_its_value),
    cmocka_unit_test(a_while_runs_its_body_until_the_value_is_zero),
    cmocka_unit_test(a_while_whose_value_is_zero_does_not_begin),
    cmocka_unit_test(the_last_value_of_an_iteration_counts),
    cmocka_unit_test(defaults_are_for_launches_not_for_iterations),
    cmocka_unit_test(conditionals_nest),
    cmocka_unit_test(a_value_without_a_default_begins_as_zero),
    cmocka_unit_test(a_kernel_sets_the_handle_that_its_graph_has_by_that_number),
    cmocka_unit_test(a_condition_set_from_another_graph_fails_the_device),
    cmocka_unit_test(a_graph_with_conditionals_has_one_exec_at_a_time),
    cmocka_unit_test(a_graph_with_conditionals_has_no_exec_while_there_is_a_copy),
    cmocka_unit_test(a_graph_with_conditionals_does_not_move),
};

SUITE_GROUP(conditional_runs, 1);
