/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs from the inside: what is said of graphs that cannot become one, or do not fit one,
 * and what runs when memory is short.
 */
#include "sim/machine.h"
#include "support/shortage.h"

static rill_node add_empty(rill_graph *graph, const rill_node *before)
{
    rill_node node = NULL;
    ok(rill_graph_add_empty(graph, before, before ? 1 : 0, &node));
    return node;
}

static rill_node add_child(rill_graph *graph, rill_graph *child)
{
    rill_node node = NULL;
    ok(rill_graph_add_child(graph, NULL, 0, child, 0, &node));
    return node;
}

static void join(rill_graph *graph, rill_node from, rill_node to)
{
    ok(rill_graph_add_edges(graph, &from, &to, NULL, 1));
}

/* So many nodes, one behind the other. */
static rill_graph *chain(struct machine *m, int count)
{
    rill_graph *graph = machine_graph(m->context[0]);
    rill_node last = NULL;
    for (int i = 0; i < count; i++) last = add_empty(graph, last ? &last : NULL);
    return graph;
}

/* ---- Cycles ------------------------------------------------------------------------------- */

/* A cycle goes through the end of a child graph, too, which is no node of anybody's.  How
 * many others there are decides where the search for it ends. */
static void a_cycle_through_a_child_graph_names_a_node_on_it(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    for (int others = 0; others < 5; others++) {
        rill_graph *graph = machine_graph(m.context[0]), *inside = machine_graph(m.context[0]);
        rill_exec_options options = { .size = sizeof options };
        rill_exec *exec = NULL;
        rill_node child = add_child(graph, inside), node = add_empty(graph, &child);
        join(graph, node, child);
        for (int i = 0; i < others; i++) add_empty(graph, NULL);
        is(INVALID, rill_exec_create(graph, &options, &exec));
        assert_int_equal(options.result, RILL_EXEC_INVALID_STRUCTURE);
        assert_true(options.failing_node == child || options.failing_node == node);
        ok(rill_graph_destroy(&graph));
        ok(rill_graph_destroy(&inside));
    }
    machine_close(&m);
}

/* ---- Graphs that do not fit --------------------------------------------------------------- */

static void update_refused(rill_exec *exec, rill_graph *graph, const char *words)
{
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, rill_exec_update(exec, graph, NULL));
    blames("graph", words, "");
}

static void what_keeps_a_graph_from_fitting_is_said(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    rill_graph *apart = machine_graph(m.context[0]), *two = chain(&m, 2), *three = chain(&m, 3);
    rill_graph *circle = machine_graph(m.context[0]);
    rill_node a = add_empty(circle, NULL), b = add_empty(circle, &a);
    join(circle, b, a);
    add_empty(apart, NULL);
    add_empty(apart, NULL);
    rill_exec *exec = NULL;
    ok(rill_exec_create(apart, NULL, &exec));
    update_refused(exec, three, "it has 3 nodes, but the exec has 2");
    update_refused(exec, two, "it has fewer ends");
    ok(rill_exec_destroy(&exec));
    ok(rill_exec_create(two, NULL, &exec));
    update_refused(exec, apart, "empty node 0");
    update_refused(exec, circle, "it has fewer ends");
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&apart));
    ok(rill_graph_destroy(&two));
    ok(rill_graph_destroy(&three));
    ok(rill_graph_destroy(&circle));
    machine_close(&m);
}

/* What a child graph node is set to must have been built in the order of what it holds. */
static void a_child_in_another_order_does_not_fit(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]), *inside = chain(&m, 2),
               *turned = machine_graph(m.context[0]);
    rill_node child = add_child(graph, inside);
    rill_node last = add_empty(turned, NULL), first = add_empty(turned, NULL);
    join(turned, first, last);
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, NULL, &exec));
    const rill_op other = { .kind = RILL_OP_GRAPH, .graph = { .graph = turned } };
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, rill_exec_set_op(exec, child, &other));
    blames("graph", "created in another order", "");
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    ok(rill_graph_destroy(&inside));
    ok(rill_graph_destroy(&turned));
    machine_close(&m);
}

/* A capture that failed takes the graph with it that it was to fill. */
static rill_graph *lost_graph(struct machine *m)
{
    rill_graph *graph = machine_graph(m->context[0]), *captured = NULL;
    const rill_capture_options into = { .size = sizeof into, .mode = RILL_CAPTURE_RELAXED,
                                        .graph = graph };
    ok(rill_stream_begin_capture(m->stream[0], &into));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_stream_query(m->stream[0]));
    is(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, rill_stream_end_capture(m->stream[0], &captured));
    return graph;
}

static void a_graph_that_was_lost_fits_nowhere(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]), *inside = machine_graph(m.context[0]),
               *lost = lost_graph(&m);
    rill_node child = add_child(graph, inside);
    rill_exec *exec = NULL, *empty = NULL;
    const rill_op other = { .kind = RILL_OP_GRAPH, .graph = { .graph = lost } };
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_create(inside, NULL, &empty));
    is(INVALID, rill_exec_set_op(exec, child, &other));
    blames("graph", "took the graph with it", "");
    is(INVALID, rill_exec_update(empty, lost, NULL));
    is(INVALID, rill_graph_find_in_clone(lost, child, &child));
    blames("graph", "took the graph with it", "");
    ok(rill_exec_destroy(&exec));
    ok(rill_exec_destroy(&empty));
    ok(rill_graph_destroy(&graph));
    ok(rill_graph_destroy(&inside));
    ok(rill_graph_destroy(&lost));
    machine_close(&m);
}

/* ---- Short memory ------------------------------------------------------------------------- */

/* The object is gone. */
static void forget(void *data)
{
    *(rill_user_object **)data = NULL;
}

/* With all that an exec takes from its graph: memory, handles, what it keeps alive. */
static rill_graph *full_graph(struct machine *m, rill_user_object **kept)
{
    rill_graph *graph = machine_graph(m->context[0]), *inside = chain(m, 2), *body = NULL;
    rill_op alloc = { .kind = RILL_OP_ALLOC, .alloc = { .bytes = 64 } };
    rill_conditional handle;
    rill_node node, freed;
    add_child(graph, inside);
    ok(rill_graph_destroy(&inside));
    ok(rill_graph_add_node(graph, NULL, 0, &alloc, &node));
    rill_op back = { .kind = RILL_OP_FREE, .free = { .address = alloc.alloc.address } };
    ok(rill_graph_add_node(graph, &node, 1, &back, &freed));
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    add_empty(body, NULL);
    ok(rill_user_object_create(m->platform, kept, forget, 1, kept));
    ok(rill_graph_retain_user_object(graph, *kept, 1, RILL_USER_OBJECT_MOVE));
    return graph;
}

/* What was taken is given back, so that the next one has it. */
static void an_exec_that_memory_was_short_for_takes_nothing(void **state)
{
    struct machine m;
    rill_user_object *kept = NULL;
    rill_exec *exec = NULL;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    long nth = 0;
    (void)state;
    machine_open(&m, 0);
    rill_graph *graph = full_graph(&m, &kept);
    for (; status; nth++) {
        rill_exec_options options = { .size = sizeof options, .flags = RILL_EXEC_UPLOAD,
                                      .upload_stream = m.stream[0] };
        long live = rl_alloc_live();
        rl_alloc_fail_after(nth);
        status = rill_exec_create(graph, &options, &exec);
        rl_alloc_fail_after(-1);
        if (!status) break;
        is(RILL_ERROR_OUT_OF_MEMORY, status);
        assert_int_equal(options.result, RILL_EXEC_ERROR);
        assert_null(exec);
        assert_true(rl_alloc_live() <= live + 1); /* a queue may have begun */
    }
    assert_true(nth > 10);
    ok(rill_exec_launch(exec, m.stream[0]));
    ok(rill_graph_destroy(&graph));
    ok(rill_stream_synchronize(m.stream[0]));
    assert_non_null(kept);
    ok(rill_exec_destroy(&exec));
    assert_null(kept);
    machine_close(&m);
}

static void count_up(const rill_launch *launch)
{
    ++*RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), uint32_t);
}

static void ignore(void *data, const rill_sim_sighting *sighting)
{
    (void)data, (void)sighting;
}

static rill_kernel *counter(struct machine *m, rill_module **module)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr) };
    static const rill_function function = { .name = "count_up", .over_grid = count_up,
                                            .params = params, .param_count = 1 };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    rill_kernel *kernel = NULL;
    ok(rill_module_load(m->context[0], &image, module));
    ok(rill_module_kernel(*module, "count_up", &kernel));
    return kernel;
}

/* Runs a body of one kernel while the `nth` allocation fails; whether there was one. */
static bool run_short(struct machine *m, rill_kernel *kernel, rill_devptr word, long nth)
{
    const void *const params[] = { &word };
    const rill_op op = { .kind = RILL_OP_KERNEL,
                         .kernel = { .kernel = kernel, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
                                     .params = params } };
    rill_graph *graph = machine_graph(m->context[0]), *body = NULL;
    rill_conditional handle;
    rill_node node;
    rill_exec *exec = NULL;
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    ok(rill_graph_add_conditional(graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &body, &node));
    rill_op copy = op;
    ok(rill_graph_add_node(body, NULL, 0, &copy, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    int held = gate(m, m->stream[0]);
    ok(rill_exec_launch(exec, m->stream[0]));
    rl_alloc_fail_after(nth);
    open_gate(m, held);
    rill_status status = rill_stream_synchronize(m->stream[0]);
    bool was = !shortage_is_left(nth);
    if (status) is(RILL_ERROR_OUT_OF_MEMORY, status);
    ok(rill_stream_synchronize(m->stream[0]));
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
    return was;
}

/* While somebody observes, every program is run by a gang, which wants memory the first
 * time; without that one thread does it. */
static void a_body_runs_also_when_there_is_no_memory_for_several_threads(void **state)
{
    const rill_sim_observer observer = { .see = ignore };
    const int times = 20;
    struct machine m;
    rill_module *module = NULL;
    rill_devptr word = 0;
    uint32_t count = 0;
    (void)state;
    machine_open(&m, 0);
    rill_kernel *kernel = counter(&m, &module);
    ok(rill_mem_alloc(m.context[0], 4, &word));
    ok(rill_memset_d32(m.context[0], word, 0, 1));
    ok(rill_sim_observe(m.platform, &observer));
    int short_times = 0;
    for (long nth = 0; nth < times; nth++) short_times += run_short(&m, kernel, word, nth);
    assert_true(short_times > 0);
    ok(rill_memcpy_dtoh(m.context[0], &count, word, 4));
    assert_int_equal(count, times);
    ok(rill_sim_observe(m.platform, NULL));
    ok(rill_module_unload(&module));
    machine_close(&m);
}

/* ---- Memory ------------------------------------------------------------------------------- */

static size_t bytes_of(rill_graph *graph)
{
    rill_exec *exec = NULL;
    size_t bytes = 0;
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_bytes(exec, &bytes));
    ok(rill_exec_destroy(&exec));
    return bytes;
}

/* At least a pointer and an edge for each node, whichever graph it is in. */
static void an_exec_takes_more_memory_the_more_nodes_it_has(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, 0);
    size_t before = 0;
    for (size_t count = 1; count <= 1000; count *= 10) {
        rill_graph *graph = chain(&m, (int)count), *around = machine_graph(m.context[0]);
        size_t bytes = bytes_of(graph);
        assert_true(bytes > before + count * sizeof(void *));
        add_child(around, graph);
        assert_true(bytes_of(around) > before + count * sizeof(void *));
        before = bytes;
        ok(rill_graph_destroy(&around));
        ok(rill_graph_destroy(&graph));
    }
    machine_close(&m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_through_a_child_graph_names_a_node_on_it),
        cmocka_unit_test(what_keeps_a_graph_from_fitting_is_said),
        cmocka_unit_test(a_child_in_another_order_does_not_fit),
        cmocka_unit_test(a_graph_that_was_lost_fits_nowhere),
        cmocka_unit_test(an_exec_that_memory_was_short_for_takes_nothing),
        cmocka_unit_test(a_body_runs_also_when_there_is_no_memory_for_several_threads),
        cmocka_unit_test(an_exec_takes_more_memory_the_more_nodes_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
