/* SPDX-License-Identifier: Apache-2.0
 *
 * What <rill/sim.h> says of graphs that a driver's interface needs: whose a node is, of
 * which context a conditional's bodies are, and what a kernel may call.  And what is said
 * first where a call has more than one thing against it.
 */
#include "sim/machine.h"

#include "backend-sim/graph/graph.h"

static rill_devptr words(struct machine *m, size_t count)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc(m->context[0], count * 4, &address));
    return address;
}

/* ---- How many bodies there are --------------------------------------------------------------- */

static void a_switch_has_so_many_bodies_and_no_more(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]), *body = NULL;
    rill_conditional handle;
    rill_node node = NULL;
    ok(rill_conditional_create(graph, 0, 0, &handle));
    const uint32_t counts[] = { UINT32_MAX, UINT32_MAX - 1, 1u << 31, (1u << 16) + 1 };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        is(RILL_ERROR_INVALID_VALUE,
           rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_SWITCH, counts[i],
                                      &body, &node));
        blames("body_count", "65536", "");
        assert_null(body);
    }
    ok(rill_graph_destroy(&graph));
    machine_close(&m);
}

/* ---- Bodies of another context ------------------------------------------------------------ */

static rill_status body_of_fill(struct machine *m, rill_context *bound, rill_exec_result *why)
{
    rill_graph *graph = machine_graph(m->context[0]), *body = NULL;
    rill_conditional handle;
    rill_node node;
    rill_exec *exec = NULL;
    rill_exec_options options = { .size = sizeof options };
    const rill_fill fill = { .dst = words(m, 1), .element_bytes = 4, .width = 1, .height = 1 };
    ok(rill_sim_conditional_create(graph, bound, 0, 0, &handle));
    ok(rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    ok(rill_graph_add_memset(body, NULL, 0, &fill, &node));
    rill_status status = rill_exec_create(graph, &options, &exec);
    *why = options.result;
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    return status;
}

static void bodies_hold_what_is_of_the_context_of_their_handle(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    rill_context *other = NULL;
    rill_graph *graph = machine_graph(m.context[0]);
    rill_conditional handle;
    rill_exec_result why;
    ok(rill_context_create(m.platform, &own, &other));
    ok(body_of_fill(&m, m.context[0], &why));
    is(RILL_ERROR_INVALID_VALUE, body_of_fill(&m, other, &why));
    assert_int_equal(why, RILL_EXEC_MULTIPLE_CONTEXTS);
    is(RILL_ERROR_INVALID_VALUE, rill_sim_conditional_create(graph, other, 0, 2, &handle));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_conditional_create(graph, other, 0, 0, NULL));
    is(RILL_ERROR_INVALID_CONTEXT, rill_sim_conditional_create(graph, NULL, 0, 0, &handle));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_conditional_create(NULL, other, 0, 0, &handle));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_conditional_find(graph, other, 1, &handle));
    struct machine far;
    machine_open(&far, 0);
    is(RILL_ERROR_INVALID_CONTEXT,
       rill_sim_conditional_create(graph, far.context[0], 0, 0, &handle));
    is(RILL_ERROR_INVALID_CONTEXT, rill_sim_conditional_find(graph, far.context[0], 1, &handle));
    machine_close(&far);
    ok(rill_graph_destroy(&graph));
    ok(rill_context_destroy(&other));
    machine_close(&m);
}

static rill_conditional handle_for(rill_graph *graph, rill_context *context)
{
    rill_conditional handle = 0, found = 0;
    ok(rill_sim_conditional_create(graph, context, 0, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_sim_conditional_find(graph, context, (uint32_t)handle, &found));
    assert_int_equal(found, handle);
    return handle;
}

static void set_it(const rill_launch *launch)
{
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), 1);
}

static rill_kernel *setter_of(rill_context *context, rill_module **module)
{
    static const rill_param params[] = { RILL_PARAM(rill_conditional) };
    static const rill_function function = { .name = "set", .over_grid = set_it,
                                            .params = params, .param_count = 1 };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    rill_kernel *kernel = NULL;
    ok(rill_module_load(context, &image, module));
    ok(rill_module_kernel(*module, "set", &kernel));
    return kernel;
}

/* An IF whose body writes to `word`, memory of the context, behind `before`. */
static void put_if(rill_graph *graph, rill_node before, rill_conditional handle, rill_devptr word)
{
    const rill_fill fill = { .dst = word, .value = 1, .element_bytes = 4, .width = 1, .height = 1 };
    rill_graph *body = NULL;
    rill_node node;
    ok(rill_graph_add_conditional(graph, &before, 1, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    ok(rill_graph_add_memset(body, NULL, 0, &fill, &node));
}

static uint32_t word_at(rill_context *context, rill_devptr address)
{
    uint32_t word;
    ok(rill_memcpy_dtoh(context, &word, address, 4));
    return word;
}

/* H200, driver 580: a kernel sets the handle of its own context. */
static void handles_are_numbered_for_each_context_of_a_graph(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    rill_context *contexts[2] = { m.context[0], machine_context(m.platform, 0) };
    const rill_dim3 one = { 1, 1, 1 };
    for (int setter = 0; setter < 2; setter++) {
        rill_graph *graph = machine_graph(m.context[0]);
        rill_conditional handles[2];
        rill_module *module = NULL;
        rill_exec *exec = NULL;
        rill_devptr address[2];
        rill_node node;
        for (int c = 0; c < 2; c++) handles[c] = handle_for(graph, contexts[c]);
        assert_int_equal((uint32_t)handles[0], (uint32_t)handles[1]);
        assert_int_not_equal(handles[0], handles[1]);
        ok(rill_graph_add_kernel(graph, NULL, 0, setter_of(contexts[setter], &module), one, one, 0,
                                 (const void *const[]){ &handles[0] }, &node));
        for (int c = 0; c < 2; c++) {
            ok(rill_mem_alloc(contexts[c], 4, &address[c]));
            ok(rill_memset_d32(contexts[c], address[c], 0, 1));
            ok(rill_context_synchronize(contexts[c]));
            put_if(graph, node, handles[c], address[c]);
        }
        ok(rill_exec_create(graph, NULL, &exec));
        ok(rill_exec_launch(exec, m.stream[0]));
        ok(rill_stream_synchronize(m.stream[0]));
        for (int c = 0; c < 2; c++)
            assert_int_equal(word_at(contexts[c], address[c]), c == setter);
        ok(rill_exec_destroy(&exec));
        ok(rill_graph_destroy(&graph));
        ok(rill_module_unload(&module));
    }
    ok(rill_context_destroy(&contexts[1]));
    machine_close(&m);
}

static void a_graph_without_a_home_has_handles_for_any_kernel(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    const rill_dim3 one = { 1, 1, 1 };
    rill_exec_options options = { .size = sizeof options, .context = m.context[0] };
    rill_graph *graph = NULL;
    rill_module *module = NULL;
    rill_exec *exec = NULL;
    rill_conditional handle;
    rill_node node;
    const rill_devptr address = words(&m, 1);
    ok(rill_memset_d32(m.context[0], address, 0, 1));
    ok(rill_context_synchronize(m.context[0]));
    ok(rill_graph_create_in(m.platform, NULL, &graph));
    ok(rill_conditional_create(graph, 0, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_graph_add_kernel(graph, NULL, 0, setter_of(m.context[0], &module), one, one, 0,
                             (const void *const[]){ &handle }, &node));
    put_if(graph, node, handle, address);
    ok(rill_exec_create(graph, &options, &exec));
    ok(rill_exec_launch(exec, m.stream[0]));
    ok(rill_stream_synchronize(m.stream[0]));
    assert_int_equal(word_at(m.context[0], address), 1);
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    ok(rill_module_unload(&module));
    machine_close(&m);
}

/* ---- Kernels in libraries of their own ------------------------------------------------------- */

static size_t calls_size;

/* As one that is not linked with the library would do it. */
static void set_by_its_calls(const rill_launch *launch)
{
    calls_size = launch->calls->size;
    launch->calls->set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), 1);
}

static void a_kernel_finds_in_its_launch_what_it_may_call(void **state)
{
    (void)state;
    static const rill_param params[] = { RILL_PARAM(rill_conditional) };
    static const rill_function function = { .name = "set", .over_grid = set_by_its_calls,
                                            .params = params, .param_count = 1 };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    const rill_dim3 one = { 1, 1, 1 };
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]), *body = NULL;
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    rill_exec *exec = NULL;
    rill_conditional handle;
    rill_node node;
    uint32_t word = 0;
    const rill_fill fill = { .dst = words(&m, 1), .value = 7, .element_bytes = 4, .width = 1,
                             .height = 1 };
    ok(rill_memset_d32(m.context[0], fill.dst, 0, 1));
    ok(rill_context_synchronize(m.context[0]));
    ok(rill_module_load(m.context[0], &image, &module));
    ok(rill_module_kernel(module, "set", &kernel));
    ok(rill_conditional_create(graph, 0, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_graph_add_kernel(graph, NULL, 0, kernel, one, one, 0, (const void *const[]){ &handle },
                             &node));
    ok(rill_graph_add_conditional(graph, &node, 1, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    ok(rill_graph_add_memset(body, NULL, 0, &fill, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, m.stream[0]));
    ok(rill_stream_synchronize(m.stream[0]));
    ok(rill_memcpy_dtoh(m.context[0], &word, fill.dst, 4));
    assert_int_equal(word, 7);
    assert_int_equal(calls_size, sizeof(rill_launch_calls));
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    ok(rill_module_unload(&module));
    machine_close(&m);
}

/* ---- From a node to its graph -------------------------------------------------------------- */

static void a_node_leads_to_its_graph(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]), *inside = NULL, *copy = NULL, *found = NULL;
    rill_node child, innermost, same, node = NULL;
    size_t count = 1;
    ok(rill_graph_add_empty(graph, NULL, 0, &node));
    ok(rill_sim_node_graph(m.platform, node, &found));
    assert_ptr_equal(found, graph);
    ok(rill_graph_clone(graph, &copy));
    ok(rill_graph_find_in_clone(copy, node, &same));
    ok(rill_sim_node_graph(m.platform, same, &found));
    assert_ptr_equal(found, copy);
    ok(rill_graph_add_child(graph, NULL, 0, copy, 0, &child));
    ok(rill_node_child_graph(graph, child, &inside));
    ok(rill_graph_nodes(inside, &innermost, &count));
    ok(rill_sim_node_graph(m.platform, innermost, &found));
    assert_ptr_equal(found, inside);
    ok(rill_graph_remove_node(graph, node));
    ok(rill_graph_destroy(&copy));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_node_graph(m.platform, node, &found));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_node_graph(m.platform, same, &found));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_node_graph(m.platform, NULL, &found));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_node_graph(m.platform, child, NULL));
    is(RILL_ERROR_NOT_INITIALIZED, rill_sim_node_graph(NULL, child, &found));
    ok(rill_graph_destroy(&graph));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_node_graph(m.platform, child, &found));
    is(RILL_ERROR_INVALID_VALUE, rill_sim_node_graph(m.platform, innermost, &found));
    assert_ptr_equal(found, inside);
    machine_close(&m);
}

/* A process may make more graphs than there are serials. */
static void no_two_graphs_have_one_serial(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    const uint64_t again = (uint64_t)1 << 32;
    rill_graph *graph = machine_graph(m.context[0]);
    const uint32_t first = sim_graph_of(graph)->serial;
    struct sim_graph others[3] = { { .handle = NULL } };
    sim_graph_register(&others[0], again + first);
    sim_graph_register(&others[1], again + first);
    sim_graph_register(&others[2], 2 * again);
    assert_int_equal(others[0].serial, first + 1);
    assert_int_equal(others[1].serial, first + 2);
    assert_int_not_equal(others[2].serial, 0);
    assert_int_not_equal(others[2].serial, first);
    for (int i = 0; i < 3; i++) sim_graph_unregister(&others[i]);
    sim_graph_register(&others[0], again + first + 1);
    assert_int_equal(others[0].serial, first + 1);
    sim_graph_unregister(&others[0]);
    ok(rill_graph_destroy(&graph));
    machine_close(&m);
}

/* ---- Inside host functions ------------------------------------------------------------------ */

struct asked {
    rill_graph *graph;
    rill_node node, foreign;
    rill_status node_get, get, set, copy;
};

static void ask_inside(void *data)
{
    struct asked *asked = data;
    rill_attribute priority = { .id = RILL_ATTRIBUTE_PRIORITY };
    asked->node_get = rill_node_get_attribute(asked->graph, asked->node, &priority);
    asked->get = rill_node_get_attribute(asked->graph, asked->foreign, &priority);
    asked->set = rill_node_set_attribute(asked->graph, asked->foreign, &priority);
    asked->copy = rill_node_copy_attributes(asked->graph, asked->foreign, asked->node);
}

/* As of what a node does: that it is none comes before that nobody may ask there. */
static void attributes_of_no_node_are_a_wrong_value_inside_a_function_too(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    struct asked asked = { .graph = machine_graph(m.context[0]) };
    rill_graph *other = machine_graph(m.context[0]);
    ok(rill_graph_add_empty(asked.graph, NULL, 0, &asked.node));
    ok(rill_graph_add_empty(other, NULL, 0, &asked.foreign));
    ok(rill_launch_host(m.stream[0], ask_inside, &asked, NULL));
    ok(rill_stream_synchronize(m.stream[0]));
    is(RILL_ERROR_NOT_PERMITTED, asked.node_get);
    is(RILL_ERROR_INVALID_VALUE, asked.get);
    is(RILL_ERROR_INVALID_VALUE, asked.set);
    is(RILL_ERROR_INVALID_VALUE, asked.copy);
    ok(rill_graph_destroy(&other));
    ok(rill_graph_destroy(&asked.graph));
    machine_close(&m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_leads_to_its_graph),
        cmocka_unit_test(no_two_graphs_have_one_serial),
        cmocka_unit_test(attributes_of_no_node_are_a_wrong_value_inside_a_function_too),
        cmocka_unit_test(a_switch_has_so_many_bodies_and_no_more),
        cmocka_unit_test(bodies_hold_what_is_of_the_context_of_their_handle),
        cmocka_unit_test(handles_are_numbered_for_each_context_of_a_graph),
        cmocka_unit_test(a_graph_without_a_home_has_handles_for_any_kernel),
        cmocka_unit_test(a_kernel_finds_in_its_launch_what_it_may_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
