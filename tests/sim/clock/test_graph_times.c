/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs on a virtual clock: nodes begin when their edges let them.
 */
#include "sim/clock/timed.h"

struct drawn {
    rill_graph *graph;
    rill_exec *exec;
};

static rill_node add_work(struct timed *t, rill_graph *graph, uint64_t ns, const rill_node *after,
                          size_t count)
{
    const rill_dim3 one = { 1, 1, 1 };
    const void *params[] = { &ns };
    rill_node node;
    ok(rill_graph_add_kernel(graph, after, count, t->work, one, one, 0, params, &node));
    return node;
}

/* a -> b, c -> d: 100, 400, 250, 30. */
static struct drawn draw_diamond(struct timed *t)
{
    struct drawn d = { .graph = machine_graph(t->contexts[0]) };
    rill_node a = add_work(t, d.graph, 100, NULL, 0);
    const rill_node both[] = { add_work(t, d.graph, 400, &a, 1), add_work(t, d.graph, 250, &a, 1) };
    add_work(t, d.graph, 30, both, 2);
    ok(rill_exec_create(d.graph, NULL, &d.exec));
    return d;
}

static void erase(struct drawn *d)
{
    ok(rill_exec_destroy(&d->exec));
    ok(rill_graph_destroy(&d->graph));
}

static void the_longest_way_decides(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 8; workers *= 2) {
        struct timed t;
        open_timed_with(&t, PLAIN_COSTS, workers);
        struct drawn d = draw_diamond(&t);
        ok(rill_exec_launch(d.exec, t.streams[0][0]));
        const rill_sim_history *history = wait_and_look(&t);
        assert_int_equal(history->count, 4);
        span_is(&history->spans[0], 0, 100);
        span_is(&history->spans[1], 100, 500);
        span_is(&history->spans[2], 100, 350);
        span_is(&history->spans[3], 500, 530);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(history->spans[i].node, i + 1);
            assert_int_equal(history->spans[i].critical, i != 2);
        }
        assert_int_equal(history->critical_ns, 530);
        erase(&d);
        close_timed(&t);
    }
}

static void launches_cost_and_take_turns(void **state)
{
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "graph 50ns\n", 2);
    struct drawn d = draw_diamond(&t);
    rill_event *events[2] = { timing_event(&t), timing_event(&t) };
    ok(rill_event_record(events[0], t.streams[0][0], 0));
    for (int i = 0; i < 2; i++) ok(rill_exec_launch(d.exec, t.streams[0][i]));
    work_for(&t, t.streams[0][0], 1000);
    ok(rill_event_record(events[1], t.streams[0][1], 0));
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->count, 9);
    assert_int_equal(history->makespan_ns, 1580 - 50);
    float ms = 0;
    ok(rill_event_elapsed(events[0], events[1], &ms));
    assert_true(ms == 0.00116f); /* one launch after the other */
    for (int i = 0; i < 2; i++) ok(rill_event_destroy(&events[i]));
    erase(&d);
    close_timed(&t);
}

/* Nodes of several launches share the engines. */
static void engines_are_shared_by_nodes(void **state)
{
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "engines kernels 1\n", 2);
    struct drawn d = draw_diamond(&t);
    ok(rill_exec_launch(d.exec, t.streams[0][0]));
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->makespan_ns, history->serial_ns);
    erase(&d);
    close_timed(&t);
}

/* Sets the conditional of which a copy is its argument to what is left of its rounds. */
static void count_down(const rill_launch *launch)
{
    static int rounds = 3;
    rill_sim_charge(launch, 10);
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), --rounds > 0);
}

/* Each round of its body is as long as the nodes of that take. */
static void a_conditional_costs_what_its_bodies_do(void **state)
{
    static const rill_param params[] = { RILL_PARAM(rill_conditional) };
    static const rill_function function = { .name = "count", .over_grid = count_down,
                                            .params = params, .param_count = 1 };
    const rill_image image = { .size = sizeof image, .functions = &function,
                               .function_count = 1 };
    const rill_dim3 one = { 1, 1, 1 };
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    rill_graph *body = NULL;
    rill_conditional handle;
    rill_node node;
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "conditional 1ns\n", 2);
    ok(rill_module_load(t.contexts[0], &image, &module));
    ok(rill_module_kernel(module, "count", &kernel));
    struct drawn d = { .graph = machine_graph(t.contexts[0]) };
    ok(rill_conditional_create(d.graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_graph_add_conditional(d.graph, NULL, 0, handle, RILL_CONDITIONAL_WHILE, 1, &body,
                                  &node));
    const void *arguments[] = { &handle };
    ok(rill_graph_add_kernel(body, NULL, 0, kernel, one, one, 0, arguments, &node));
    ok(rill_exec_create(d.graph, NULL, &d.exec));
    ok(rill_exec_launch(d.exec, t.streams[0][0]));
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->count, 4);
    assert_int_equal(history->spans[0].kind, RILL_OP_CONDITIONAL);
    span_is(&history->spans[0], 0, 1);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(history->spans[i + 1].after, i);
        assert_int_not_equal(history->spans[i + 1].node, history->spans[0].node);
        span_is(&history->spans[i + 1], 10 * i + 1, 10 * i + 11);
    }
    erase(&d);
    ok(rill_module_unload(&module));
    close_timed(&t);
}

/* They go on together with nodes beside the conditional one, and what comes after it waits for
 * the last of them. */
static void nodes_of_bodies_overlap(void **state)
{
    rill_graph *body = NULL;
    rill_conditional handle;
    rill_node conditional;
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "conditional 1ns\n", 2);
    struct drawn d = { .graph = machine_graph(t.contexts[0]) };
    ok(rill_conditional_create(d.graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_graph_add_conditional(d.graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body,
                                  &conditional));
    add_work(&t, body, 100, NULL, 0);
    rill_node first = add_work(&t, body, 50, NULL, 0);
    add_work(&t, body, 80, &first, 1);
    add_work(&t, d.graph, 120, NULL, 0);
    add_work(&t, d.graph, 10, &conditional, 1);
    ok(rill_exec_create(d.graph, NULL, &d.exec));
    ok(rill_exec_launch(d.exec, t.streams[0][0]));
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->count, 6);
    assert_int_equal(history->serial_ns, 1 + 100 + 50 + 80 + 120 + 10);
    span_is(&history->spans[5], 131, 141);
    assert_int_equal(history->makespan_ns, 141);
    assert_int_equal(history->critical_ns, 141);
    erase(&d);
    close_timed(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_way_decides),
        cmocka_unit_test(launches_cost_and_take_turns),
        cmocka_unit_test(engines_are_shared_by_nodes),
        cmocka_unit_test(a_conditional_costs_what_its_bodies_do),
        cmocka_unit_test(nodes_of_bodies_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
