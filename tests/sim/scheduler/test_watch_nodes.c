/* SPDX-License-Identifier: Apache-2.0
 *
 * What a watcher is told of the nodes of launches, however they run.
 */
#include <sched.h>

#include "backend-sim/machine/machine.h"
#include "backend-sim/scheduler/engine.h"
#include "sim/scheduler/ledger.h"

/* ---- Launches --------------------------------------------------------------------------- */

static void nodes_of_a_line_are_told(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct web web = { .graph = new_graph(f) };
    for (int i = 0; i < 20; i++)
        add_to(&web, web.graph, i ? web.nodes[i - 1] : NULL, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, web.graph);
    each_node_is_told_once(&web, exec, new_stream(f));
    assert_int_equal(atomic_load(&calls), 20);
}

/* With whims, launches are run by one thread, by a gang that measures, and along plans. */
static void nodes_are_told_however_a_launch_runs(void **state)
{
    enum { LAUNCHES = 60 };
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct web web;
    make_wide(f, &web, &calls);
    rill_exec *exec = new_exec(f, web.graph);
    rill_stream *stream = new_stream(f);
    sim_platform_of(f->platform)->engine->whims = true;
    for (int i = 0; i < LAUNCHES; i++) each_node_is_told_once(&web, exec, stream);
    assert_int_equal(atomic_load(&calls), 80 * LAUNCHES);
}

struct meeting {
    atomic_uint arrived;
};

/* Returns when both nodes are there: one of them in a thread that takes the rest of the loop. */
static void meet(void *data)
{
    struct meeting *meeting = data;
    unsigned mine = atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) <= (mine | 1)) sched_yield();
}

static void nodes_are_told_when_a_launch_is_split(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct meeting meeting = { 0 };
    struct web web = { .graph = new_graph(f) };
    for (int i = 0; i < 40; i++)
        add_to(&web, web.graph, NULL, i % 20 == 5 ? host_op(meet, &meeting)
                                                  : host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, web.graph);
    rill_stream *stream = new_stream(f);
    for (int i = 0; i < 6; i++) each_node_is_told_once(&web, exec, stream);
}

static void nodes_of_child_graphs_have_numbers_of_their_own(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_graph *inner = new_graph(f), *placed = NULL;
    rill_node first = add(inner, NULL, host_op(count_call, &calls));
    add(inner, first, host_op(count_call, &calls));
    struct web web = { .graph = new_graph(f) };
    add_to(&web, web.graph, NULL, host_op(count_call, &calls));
    rill_node child = add(web.graph, web.nodes[0], child_op(inner, 0));
    add_to(&web, web.graph, child, host_op(count_call, &calls));
    ok(rill_node_child_graph(web.graph, child, &placed));
    size_t count = 2;
    ok(rill_graph_nodes(placed, web.nodes + web.count, &count));
    assert_int_equal(count, 2);
    web.count += 2;
    rill_exec *exec = new_exec(f, web.graph);
    for (int i = 0; i < web.count; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(number_of(exec, web.nodes[i]), number_of(exec, web.nodes[j]));
    each_node_is_told_once(&web, exec, new_stream(f));
    uint64_t number = 0;
    is(RILL_ERROR_INVALID_VALUE, rl_backend_sim.watch->node_number(exec, first, &number));
}

static void changed_nodes_are_told_and_disabled_ones_are_not(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0, others = 0;
    rill_kernel *kernel = new_kernel(f, f->context, &idle);
    struct web web = { .graph = new_graph(f) };
    add_to(&web, web.graph, NULL, host_op(count_call, &calls));
    add_to(&web, web.graph, NULL, kernel_op(kernel, NULL));
    rill_exec *exec = new_exec(f, web.graph);
    rill_stream *stream = new_stream(f);
    rill_op other = host_op(count_call, &others);
    ok(rill_exec_set_op(exec, web.nodes[0], &other));
    each_node_is_told_once(&web, exec, stream);
    assert_int_equal(atomic_load(&others), 1);
    ok(rill_exec_set_enabled(exec, web.nodes[1], 0));
    web.count = 1;
    each_node_is_told_once(&web, exec, stream);
}

/* ---- Conditionals ------------------------------------------------------------------------ */

static void set_down(const rill_launch *launch)
{
    atomic_uint *left = (void *)(uintptr_t)RILL_ARGUMENT(launch, 1, rill_devptr);
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional),
                             atomic_fetch_sub(left, 1) > 1);
}

static const rill_param down_params[] = { RILL_PARAM(rill_conditional), RILL_PARAM(rill_devptr) };
static const rill_function down_function = { .name = "down", .over_grid = set_down,
                                             .params = down_params, .param_count = 2 };

static rill_node add_while(rill_graph *graph, rill_node after, rill_conditional handle,
                           rill_graph **body)
{
    rill_node node = NULL;
    ok(rill_graph_add_conditional(graph, after ? &after : NULL, after != NULL, handle,
                                  RILL_CONDITIONAL_WHILE, 1, body, &node));
    return node;
}

static void reset_left(const rill_launch *launch)
{
    atomic_store((atomic_uint *)(uintptr_t)RILL_ARGUMENT(launch, 1, rill_devptr), 2);
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), 1);
}

static const rill_function reset_function = { .name = "reset", .over_grid = reset_left,
                                              .params = down_params, .param_count = 2 };

/* Three rounds of an outer body, in each of which an inner one has two. */
static void rounds_of_bodies_are_counted_in_each_launch(void **state)
{
    struct fixture *f = *state;
    rill_graph *graph = new_graph(f), *outer = NULL, *inner = NULL;
    rill_conditional outer_handle, inner_handle;
    atomic_uint *outer_left = new_word(f), *inner_left = new_word(f);
    rill_devptr outer_at = address_of(f, outer_left), inner_at = address_of(f, inner_left);
    rill_kernel *down = new_kernel(f, f->context, &down_function);
    rill_kernel *reset = new_kernel(f, f->context, &reset_function);
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &outer_handle));
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &inner_handle));
    const void *outer_params[] = { &outer_handle, &outer_at };
    const void *inner_params[] = { &inner_handle, &inner_at };
    add_while(graph, NULL, outer_handle, &outer);
    rill_node before = add(outer, NULL, kernel_op(reset, inner_params));
    rill_node loop = add_while(outer, before, inner_handle, &inner);
    rill_node step = add(inner, NULL, kernel_op(down, inner_params));
    rill_node last = add(outer, loop, kernel_op(down, outer_params));
    rill_exec *exec = new_exec(f, graph);
    rill_stream *stream = new_stream(f);
    assert_int_not_equal(number_of(exec, step), number_of(exec, last));
    for (int launch = 0; launch < 3; launch++) {
        uint32_t outer_round = 0, inner_round = 0;
        atomic_store(outer_left, 3);
        ledger.count = 0;
        ok(rill_exec_launch(exec, stream));
        ok(rill_stream_synchronize(stream));
        for (int i = 0; i < ledger.count; i++) {
            const struct entry *entry = &ledger.entries[i];
            if (entry->moment != BEGAN || !entry->running.node) continue;
            bool deep = entry->running.node == number_of(exec, step);
            assert_int_equal(entry->running.depth, deep ? 2 : 1);
            if (entry->running.node == number_of(exec, before)) outer_round++;
            if (deep) assert_int_equal(entry->rounds[1], ++inner_round);
            assert_int_equal(entry->rounds[0], outer_round);
        }
        assert_int_equal(outer_round, 3);
        assert_int_equal(inner_round, 6);
        all_told();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(nodes_of_a_line_are_told),
        ON_HOST_THREAD(nodes_of_a_line_are_told),
        WATCHED(nodes_are_told_however_a_launch_runs),
        ON_HOST_THREAD(nodes_are_told_however_a_launch_runs),
        WATCHED(nodes_are_told_when_a_launch_is_split),
        WATCHED(nodes_of_child_graphs_have_numbers_of_their_own),
        ON_HOST_THREAD(nodes_of_child_graphs_have_numbers_of_their_own),
        WATCHED(changed_nodes_are_told_and_disabled_ones_are_not),
        ON_HOST_THREAD(changed_nodes_are_told_and_disabled_ones_are_not),
        WATCHED(rounds_of_bodies_are_counted_in_each_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
