/* SPDX-License-Identifier: Apache-2.0
 *
 * What nodes do, run by hand, one at a time.
 */
#include "sim/graphs/node_scene.h"

#include "backend-sim/graph/graph.h"

static void run_node(rill_graph *graph, rill_node node)
{
    struct task *task = sim_node_task(sim_graph_of(graph), sim_node_slot(node));
    task->kind->run(task);
}

/* Ends one whose device failed: every call says so, and is made all the same. */
static void close_failed(struct machine *m, rill_graph *graph)
{
    rill_graph_destroy(&graph);
    for (int i = 0; i < 4; i++) rill_module_unload(&modules[i]);
    for (int i = 0; i < 2; i++) rill_stream_destroy(&m->stream[i]);
    for (int i = 1; i >= 0; i--) rill_context_destroy(&m->context[i]);
    rill_close(&m->platform);
}

/* ---- Kernels -------------------------------------------------------------------------------- */

static void a_kernel_runs_again_and_again_without_memory(void **state)
{
    (void)state;
    static const rill_function function = {
        .name = "add_up", .over_block = add_up, .params = two_params, .param_count = 2,
        .static_shared_bytes = 64,
    };
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_devptr sum = words(&m, 0, 1);
    uint32_t by = 5;
    rill_op op = kernel_op(kernel_of(&m, &function),
                           (const void *const[]){ &sum, &by });
    op.kernel.grid = (rill_dim3){ 3, 2, 1 };
    op.kernel.shared_bytes = 100;
    rill_node node = add(graph, op);
    by = 0;
    rl_alloc_fail_after(0);
    for (int i = 0; i < 10; i++) run_node(graph, node);
    rl_alloc_fail_after(-1);
    assert_int_equal(*at(sum), 300);
    finish(&m, graph);
}

/* Two execs of one graph may run the same task at once: here the kernel of one
 * is in the midst of it when the other begins. */
static rill_graph *deep_graph;
static rill_node deep_node;
static int depth;
static void *seen_shared[2];

static void nest(const rill_launch *launch)
{
    int level = depth++;
    seen_shared[level] = launch->shared;
    memset(launch->shared, level, launch->shared_bytes);
    if (level == 0) run_node(deep_graph, deep_node);
    for (size_t i = 0; i < launch->shared_bytes; i++)
        assert_int_equal(((unsigned char *)launch->shared)[i], level);
}

static void launches_that_overlap_have_shared_memory_of_their_own(void **state)
{
    (void)state;
    static const rill_function function = { .name = "nest", .over_block = nest,
                                            .static_shared_bytes = 256 };
    struct machine m;
    machine_open(&m, 0);
    deep_graph = machine_graph(m.context[0]);
    deep_node = add(deep_graph, kernel_op(kernel_of(&m, &function), NULL));
    for (int i = 0; i < 2; i++) {
        depth = 0;
        run_node(deep_graph, deep_node);
        assert_int_equal(depth, 2);
        assert_ptr_not_equal(seen_shared[0], seen_shared[1]);
    }
    finish(&m, deep_graph);
}

/* The device failed with this, and the record says so in these words. */
static void failed(struct machine *m, rill_status status, const char *operation,
                   const char *words)
{
    is(status, rill_context_synchronize(m->context[0]));
    const rill_error *last = rill_last_error();
    assert_int_equal(last->cause.status, status);
    assert_string_equal(last->cause.operation, operation);
    if (!strstr(last->message, words)) fail_msg("\"%s\" lacks \"%s\"", last->message, words);
}

static void give_up(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_ASSERT, "it was not to be");
}

static void a_kernel_that_fails_is_named(void **state)
{
    (void)state;
    static const rill_function function = { .name = "give_up", .over_grid = give_up };
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    run_node(graph, add(graph, kernel_op(kernel_of(&m, &function), NULL)));
    failed(&m, RILL_ERROR_ASSERT, "kernel 'give_up'", "it was not to be");
    close_failed(&m, graph);
}

static void set_condition(const rill_launch *launch)
{
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), 1);
}

/* cond.outside_setter */
static void a_condition_is_set_only_where_it_is(void **state)
{
    (void)state;
    static const rill_param params[] = { RILL_PARAM(rill_conditional) };
    static const rill_function function = { .name = "set_condition", .over_grid = set_condition,
                                            .params = params, .param_count = 1 };
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_conditional handle;
    ok(rill_conditional_create(graph, 0, 0, &handle));
    rill_kernel *kernel = kernel_of(&m, &function);
    ok(rill_launch_kernel(m.stream[0], kernel, one, one, 0, (const void *const[]){ &handle }));
    failed(&m, RILL_ERROR_ILLEGAL_ADDRESS, "kernel 'set_condition'", "conditional");
    close_failed(&m, graph);
}

/* ---- Memory ----------------------------------------------------------------------------- */

/* node.memcpy_reads_late */
static void a_copy_reads_when_it_runs(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_devptr d = words(&m, 0, 2);
    uint32_t page = 1;
    void *pin = NULL;
    ok(rill_host_alloc(m.context[0], 4, 0, &pin));
    rill_node from_page = add(graph, copy_op(d, rill_host_place(&page), 4));
    rill_node from_pin = add(graph, copy_op(d + 4, rill_host_place(pin), 4));
    for (uint32_t i = 3; i < 5; i++) {
        page = i;
        *(uint32_t *)pin = 10 * i;
        run_node(graph, from_page);
        run_node(graph, from_pin);
        assert_int_equal(at(d)[0], i);
        assert_int_equal(at(d)[1], 10 * i);
    }
    ok(rill_host_free(m.context[0], pin));
    finish(&m, graph);
}

/* multi.graph_memset_mismatch */
static void a_fill_reaches_the_memory_of_every_device(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_devptr far = words(&m, 1, 4);
    run_node(graph, add(graph, fill_op(far, 7, 2)));
    assert_int_equal(at(far)[1], 7);
    assert_int_equal(at(far)[2], 0);
    finish(&m, graph);
}

enum victim { COPY_SOURCE, COPY_TARGET, FILL, WRITE, PINNED };

/* What a node names is freed between two runs: the second fails the device, and
 * the process lives. */
static void frees_between_runs(enum victim victim, const char *operation)
{
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_devptr kept = words(&m, 0, 1 << 20), lost = words(&m, 0, 1 << 20);
    void *pin = NULL;
    ok(rill_host_alloc(m.context[0], MIB, 0, &pin));
    memset(pin, 1, MIB);
    const rill_value value = { .kind = RILL_VALUE_WRITE_32, .address = lost, .value = 3 };
    rill_op op = victim == FILL ? fill_op(lost, 3, 1 << 20) :
                 victim == WRITE ? write_op(&value) :
                 victim == COPY_TARGET ? copy_op(lost, rill_device_place(kept), 4 * MIB) :
                 victim == PINNED ? copy_op(kept, rill_host_place(pin), MIB) :
                 copy_op(kept, rill_device_place(lost), 4 * MIB);
    rill_node node = add(graph, op);
    run_node(graph, node);
    run_node(graph, node);
    ok(rill_context_synchronize(m.context[0]));
    ok(rill_mem_free(m.context[0], lost));
    ok(rill_host_free(m.context[0], pin));
    run_node(graph, node);
    char address[32];
    snprintf(address, sizeof address, "0x%llx",
             victim == PINNED ? (unsigned long long)(uintptr_t)pin : (unsigned long long)lost);
    failed(&m, victim == WRITE ? RILL_ERROR_ILLEGAL_ADDRESS : RILL_ERROR_LAUNCH_FAILED, operation,
           address);
    close_failed(&m, graph);
}

static void a_copy_from_freed_memory_fails_the_device(void **state)
{
    (void)state;
    frees_between_runs(COPY_SOURCE, "memcpy");
}

static void a_copy_to_freed_memory_fails_the_device(void **state)
{
    (void)state;
    frees_between_runs(COPY_TARGET, "memcpy");
}

static void a_copy_from_freed_host_memory_fails_the_device(void **state)
{
    (void)state;
    frees_between_runs(PINNED, "memcpy");
}

static void a_fill_of_freed_memory_fails_the_device(void **state)
{
    (void)state;
    frees_between_runs(FILL, "memset");
}

static void a_value_in_freed_memory_fails_the_device(void **state)
{
    (void)state;
    frees_between_runs(WRITE, "value write");
}

/* Freed is not what another allocation took over. */
static void memory_that_was_freed_elsewhere_changes_nothing(void **state)
{
    (void)state;
    struct machine m;
    machine_open(&m, 0);
    rill_graph *graph = machine_graph(m.context[0]);
    rill_devptr kept = words(&m, 0, 4), other = words(&m, 0, 4);
    rill_node node = add(graph, fill_op(kept, 3, 4));
    run_node(graph, node);
    ok(rill_mem_free(m.context[0], other));
    run_node(graph, node);
    ok(rill_context_synchronize(m.context[0]));
    finish(&m, graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_runs_again_and_again_without_memory),
        cmocka_unit_test(launches_that_overlap_have_shared_memory_of_their_own),
        cmocka_unit_test(a_kernel_that_fails_is_named),
        cmocka_unit_test(a_condition_is_set_only_where_it_is),
        cmocka_unit_test(a_copy_reads_when_it_runs),
        cmocka_unit_test(a_fill_reaches_the_memory_of_every_device),
        cmocka_unit_test(a_copy_from_freed_memory_fails_the_device),
        cmocka_unit_test(a_copy_to_freed_memory_fails_the_device),
        cmocka_unit_test(a_copy_from_freed_host_memory_fails_the_device),
        cmocka_unit_test(a_fill_of_freed_memory_fails_the_device),
        cmocka_unit_test(a_value_in_freed_memory_fails_the_device),
        cmocka_unit_test(memory_that_was_freed_elsewhere_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
