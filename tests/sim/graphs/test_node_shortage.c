/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that are made and changed while memory is short.
 */
#include "sim/graphs/node_scene.h"

static void count_up(void *data)
{
    ++*(int *)data;
}

static size_t count_of(rill_graph *graph)
{
    size_t count = 0;
    ok(rill_graph_nodes(graph, NULL, &count));
    return count;
}

/* Adds a node, or changes one, with each allocation failing in turn.  While a slab has room
 * for its task nothing may have to be allocated, so the first is tried for a while. */
static void short_of_memory(rill_graph *graph, rill_node node, rill_op op, int *destroyed)
{
    int room = op.kind == RILL_OP_EMPTY ? 0 : 200;
    for (long nth = 0;; nth++) {
        size_t before = count_of(graph);
        long live = rl_alloc_live();
        rill_node made = NULL;
        rill_op given = op;
        *destroyed = 0;
        rl_alloc_fail_after(nth);
        rill_status status = node ? rill_node_set_op(graph, node, &given)
                                  : rill_graph_add_node(graph, NULL, 0, &given, &made);
        rl_alloc_fail_after(-1);
        if (!status && !nth && room--) {
            nth--;
            continue;
        }
        if (!status) {
            assert_true(nth > 0 || op.kind == RILL_OP_EMPTY);
            return;
        }
        is(RILL_ERROR_OUT_OF_MEMORY, status);
        assert_int_equal(rill_last_error()->status, RILL_ERROR_OUT_OF_MEMORY);
        assert_null(made);
        assert_int_equal(count_of(graph), before);
        assert_true(rl_alloc_live() <= live + 3); /* what the graph keeps for the next node */
        assert_int_equal(*destroyed, op.kind == RILL_OP_HOST);
    }
}

static void a_node_that_memory_was_short_for_is_not_made(void **state)
{
    (void)state;
    static const rill_function function = { .name = "add_up", .over_grid = add_up,
                                            .params = two_params, .param_count = 2 };
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_devptr d = words(&m, 0, 4);
    uint32_t by = 1;
    int destroyed = 0;
    rill_event *event = NULL;
    rill_conditional handle;
    rill_graph *bodies[4] = { NULL };
    ok(rill_event_create(m.context[0], NULL, &event));
    ok(rill_conditional_create(graph, 0, 0, &handle));
    const rill_value value = { .kind = RILL_VALUE_WRITE_32, .address = d };
    const void *params[] = { &d, &by };
    rill_op ops[] = {
        kernel_op(kernel_of(&m, &function), params),
        copy_op(d, rill_device_place(d + 4), 4),
        fill_op(d, 1, 1),
        { .kind = RILL_OP_HOST, .host = { count_up, &destroyed, count_up } },
        { .kind = RILL_OP_EVENT_RECORD, .event = { .event = event } },
        { .kind = RILL_OP_EVENT_WAIT, .event = { .event = event } },
        write_op(&value),
        { .kind = RILL_OP_CONDITIONAL,
          .conditional = { .handle = handle, .kind = RILL_CONDITIONAL_SWITCH, .body_count = 4,
                           .bodies = bodies } },
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        short_of_memory(graph, NULL, ops[i], &destroyed);
        if (ops[i].kind == RILL_OP_CONDITIONAL) continue;
        rill_node node = add(graph, ops[i]);
        short_of_memory(graph, node, ops[i], &destroyed);
    }
    assert_non_null(bodies[3]);
    ok(rill_event_destroy(&event));
    finish(&m, graph);
}

static void do_nothing(const rill_launch *launch)
{
    (void)launch;
}

static void attributes_that_memory_was_short_for_are_not_set(void **state)
{
    (void)state;
    static const rill_function function = { .name = "nop", .over_grid = do_nothing };
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_node node = add(graph, kernel_op(kernel_of(&m, &function), NULL)), other;
    other = add(graph, kernel_op(kernel_of(&m, &function), NULL));
    rill_attribute attribute = { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 };
    rl_alloc_fail_after(0);
    rill_status set = rill_node_set_attribute(graph, node, &attribute);
    rl_alloc_fail_after(-1);
    is(RILL_ERROR_OUT_OF_MEMORY, set);
    ok(rill_node_get_attribute(graph, node, &attribute));
    assert_int_equal(attribute.priority, 0);
    attribute.priority = -1;
    ok(rill_node_set_attribute(graph, node, &attribute));
    rl_alloc_fail_after(0);
    rill_status copied = rill_node_copy_attributes(graph, other, node);
    rl_alloc_fail_after(-1);
    is(RILL_ERROR_OUT_OF_MEMORY, copied);
    ok(rill_node_get_attribute(graph, other, &attribute));
    assert_int_equal(attribute.priority, 0);
    rill_conditional handle = 0;
    rl_alloc_fail_after(0);
    rill_status created = rill_conditional_create(graph, 0, 0, &handle);
    rl_alloc_fail_after(-1);
    is(RILL_ERROR_OUT_OF_MEMORY, created);
    assert_int_equal(handle, 0);
    finish(&m, graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_that_memory_was_short_for_is_not_made),
        cmocka_unit_test(attributes_that_memory_was_short_for_are_not_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
