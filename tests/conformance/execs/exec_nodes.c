/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing single nodes of an exec.
 */
#include "conformance/execs/exec_work.h"

/* ---- Kernels ---------------------------------------------------------------------- */

/* update.kernel_args */
static void new_arguments_are_one_execs_alone(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_graph *g = one_kernel(&t, 1, 1, &node);
    rill_exec *x = new_exec(t.f, g), *y = new_exec(t.f, g);
    goes(&t, x, 1, 0);
    ok(set_kernel(&t, x, node, t.words, 1, 10));
    goes(&t, x, 11, 0);
    goes(&t, y, 12, 0);
    assert_int_equal(*(const uint32_t *)op_of(g, node).kernel.params[2], 1);
    ok(set_kernel(&t, x, node, word(&t, 1), 1, 3));
    goes(&t, x, 12, 3);
    ok(edit_kernel(&t, g, node, t.words, 1, 1000));
    goes(&t, x, 12, 6);
}

/* update.kernel_dims */
static void what_no_kernel_can_do_is_refused(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 1, 1, &node));
    static const struct {
        rill_dim3 grid, block;
        size_t shared;
    } bad[] = {
        { { 0, 1, 1 }, { 1, 1, 1 }, 0 },    { { 1, 1, 1 }, { 1, 0, 1 }, 0 },
        { { 1, 1, 1 }, { 2048, 1, 1 }, 0 }, { { 1, 70000, 1 }, { 1, 1, 1 }, 0 },
        { { 1, 1, 1 }, { 1, 1, 1 }, MB },
    };
    rill_devptr p = t.words;
    uint32_t m = 1, a = 100;
    const void *params[] = { &p, &m, &a };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rill_op op = kernel_op(t.mul_add, params);
        op.kernel.grid = bad[i].grid;
        op.kernel.block = bad[i].block;
        op.kernel.shared_bytes = bad[i].shared;
        is(RILL_ERROR_INVALID_VALUE, set_op(exec, node, op));
    }
    goes(&t, exec, 1);
}

/* update.kernel_function */
static void another_function_may_take_other_arguments(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 1, 1, &node));
    rill_devptr p = t.words;
    uint32_t value = 50;
    const void *params[] = { &p, &value };
    ok(set_op(exec, node, kernel_op(kernel(t.f, &put_function), params)));
    goes(&t, exec, 50);
    ok(set_op(exec, node, kernel_op(kernel(t.f, &nop_function), NULL)));
    goes(&t, exec, 50);
    ok(set_kernel(&t, exec, node, p, 2, 1));
    goes(&t, exec, 101);
}

/* The driver's calls have no place for them: what was given would be dropped. */
static void attributes_of_one_node_stay(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_graph *g = one_kernel(&t, 1, 1, &node);
    rill_attribute priority = { .id = RILL_ATTRIBUTE_PRIORITY };
    rill_exec *exec = new_exec(t.f, g);
    ok(rill_node_get_attribute(g, node, &priority));
    rill_op op = op_of(g, node);
    op.kernel.attributes = &priority;
    op.kernel.attribute_count = 1;
    ok(set_op(exec, node, op));
    priority.priority -= 1;
    is(RILL_ERROR_NOT_SUPPORTED, set_op(exec, node, op));
    blames("rill_exec_set_op", "op->kernel.attributes");
    priority = (rill_attribute){ .id = RILL_ATTRIBUTE_IGNORE };
    ok(set_op(exec, node, op));
    goes(&t, exec, 1);
}

/* ---- Which nodes ------------------------------------------------------------------ */

/* update.kernel_errors */
static void only_nodes_that_the_graph_had_then_can_be_set(void **state)
{
    struct trial t = trial(state);
    rill_node node, foreign, copied;
    rill_graph *g = one_kernel(&t, 1, 1, &node), *clone;
    one_kernel(&t, 1, 1, &foreign);
    ok(rill_graph_clone(g, &clone));
    keep_graph(t.f, clone);
    ok(rill_graph_find_in_clone(clone, node, &copied));
    rill_node fill = add(g, node, fill_op(word(&t, 1), 9, 1));
    rill_exec *exec = new_exec(t.f, g);
    rill_node late = add_kernel(&t, g, fill, word(&t, 2), 1, 1);
    rill_node nodes[] = { NULL, fill, foreign, copied, late, (rill_node)(uintptr_t)0x1234 };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        is(RILL_ERROR_INVALID_VALUE, set_kernel(&t, exec, nodes[i], t.words, 1, 100));
    blames("rill_exec_set_op", "node");
    is(RILL_ERROR_INVALID_VALUE, set_kernel(&t, exec, fill, t.words, 1, 100));
    blames("rill_exec_set_op", "op->kind");
    goes(&t, exec, 1, 9, 0);
}

/* update.whole_then_node */
static void handles_stay_those_of_the_first_graph(void **state)
{
    struct trial t = trial(state);
    rill_node own, other;
    rill_graph *g = one_kernel(&t, 10, 1, &own), *o = one_kernel(&t, 10, 2, &other);
    rill_exec *exec = new_exec(t.f, g);
    int enabled = 9;
    updates(exec, o);
    ok(set_kernel(&t, exec, own, t.words, 10, 3));
    goes(&t, exec, 3);
    is(RILL_ERROR_INVALID_VALUE, set_kernel(&t, exec, other, t.words, 10, 4));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_get_enabled(exec, other, &enabled));
    ok(rill_exec_get_enabled(exec, own, &enabled));
    assert_int_equal(enabled, 1);
    updates(exec, o);
    goes(&t, exec, 32);
    updates(exec, g);
    goes(&t, exec, 321);
}

/* ---- Other kinds ------------------------------------------------------------------ */

static rill_op given_back(rill_host_fn fn, atomic_int *number, rill_destroy_fn destroy)
{
    return (rill_op){ .kind = RILL_OP_HOST,
                      .host = { .fn = fn, .data = number, .destroy = destroy } };
}

static void a_host_function_is_given_back_once(void **state)
{
    static atomic_int first, second, refused;
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f);
    atomic_store(&first, 0);
    atomic_store(&second, 0);
    atomic_store(&refused, 0);
    rill_node node = add(g, NULL, given_back(add_hundred, &first, count_up));
    rill_node empty = add(g, node, empty_op());
    rill_exec *exec = new_exec(t.f, g);
    ok(set_op(exec, node, given_back(add_hundred, &second, count_up)));
    assert_int_equal(atomic_load(&first), 0);
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, empty, given_back(add_hundred, &refused, count_up)));
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, NULL, given_back(add_hundred, &refused, count_up)));
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, node, given_back(NULL, &refused, count_up)));
    comes_to(&refused, 3);
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    go(&t, exec);
    comes_to(&second, 100);
    forget(t.f, exec);
    ok(rill_exec_destroy(&exec));
    ok(rill_context_synchronize(t.f->context));
    comes_to(&first, 1);
    comes_to(&second, 101);
}

static rill_value value_of(rill_value_kind kind, rill_devptr address, uint32_t value)
{
    return (rill_value){ .kind = kind, .address = address, .value = value };
}

/* update.memop_params */
static void a_batch_keeps_its_number_and_kinds(void **state)
{
    struct trial t = trial(state);
    atomic_uint *flag = new_word(t.f);
    atomic_store(flag, 5);
    rill_value items[3] = {
        value_of(RILL_VALUE_WAIT_32, address_of(t.f, flag), 5),
        value_of(RILL_VALUE_WRITE_32, t.words, 1),
        value_of(RILL_VALUE_WRITE_32, word(&t, 1), 2),
    };
    rill_graph *g = new_graph(t.f);
    rill_node node = add(g, NULL, values_op(items, 2));
    rill_exec *exec = new_exec(t.f, g);
    goes(&t, exec, 1, 0);
    items[1].value = 7;
    ok(set_op(exec, node, values_op(items, 2)));
    items[1].value = 99;
    goes(&t, exec, 7, 0);
    items[1] = value_of(RILL_VALUE_WRITE_32, word(&t, 1), 8);
    items[0].flags = RILL_WAIT_EQ;
    ok(set_op(exec, node, values_op(items, 2)));
    goes(&t, exec, 7, 8);
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, node, values_op(items, 3)));
    blames("rill_exec_set_op", "count");
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, node, values_op(items, 1)));
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, node, values_op(items, 0)));
    items[0] = value_of(RILL_VALUE_WRITE_32, t.words, 5);
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, node, values_op(items, 2)));
    blames("rill_exec_set_op", "items");
    goes(&t, exec, 7, 8);
}

static void an_event_node_takes_another_event(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f);
    rill_event *e[3];
    float ms;
    for (int i = 0; i < 3; i++) e[i] = new_event_in(t.f, t.f->context, RILL_EVENT_TIMING);
    rill_node record = add(g, NULL, event_op(RILL_OP_EVENT_RECORD, e[0]));
    rill_node wait = add(g, record, event_op(RILL_OP_EVENT_WAIT, e[1]));
    rill_exec *exec = new_exec(t.f, g);
    ok(set_op(exec, record, event_op(RILL_OP_EVENT_RECORD, e[2])));
    rill_context *context = new_context(t.f, 0, RILL_CONTEXT_OWN);
    rill_event *foreign = new_event_in(t.f, context, 0);
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, record, event_op(RILL_OP_EVENT_RECORD, foreign)));
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, wait, event_op(RILL_OP_EVENT_WAIT, foreign)));
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, wait, event_op(RILL_OP_EVENT_RECORD, e[2])));
    go(&t, exec);
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(e[0], e[0], &ms));
    ok(rill_event_elapsed(e[2], e[2], &ms));
    /* The wait now waits for what is held. */
    rill_stream *busy = new_non_blocking(t.f);
    struct gate *gated = gate(t.f, busy);
    ok(rill_event_record(e[1], busy, 0));
    ok(rill_exec_launch(exec, t.stream));
    held(t.stream);
    ok(set_op(exec, wait, event_op(RILL_OP_EVENT_WAIT, e[0])));
    open_gate(gated);
    ok(rill_stream_synchronize(t.stream));
    gated = gate(t.f, busy);
    ok(rill_event_record(e[1], busy, 0));
    ok(rill_exec_launch(exec, t.stream));
    drained(t.stream);
    open_gate(gated);
}

static void memory_and_conditionals_cannot_be_set(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f), *body;
    rill_devptr address;
    rill_conditional handle;
    ok(rill_conditional_create(g, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    rill_op op = { .kind = RILL_OP_CONDITIONAL,
                   .conditional = { .handle = handle, .body_count = 1, .bodies = &body } };
    rill_node conditional = add(g, NULL, op);
    rill_node inside = add_kernel(&t, body, NULL, t.words, 10, 1);
    rill_node alloc = add_alloc(g, NULL, 64, &address), release = add(g, alloc, free_op(address));
    rill_exec *exec = new_exec(t.f, g);
    is(RILL_ERROR_NOT_SUPPORTED, set_op(exec, conditional, op));
    is(RILL_ERROR_NOT_SUPPORTED, set_op(exec, alloc, alloc_op(64)));
    is(RILL_ERROR_NOT_SUPPORTED, set_op(exec, release, free_op(address)));
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, inside, op));
    is(RILL_ERROR_INVALID_VALUE, set_kernel(&t, exec, conditional, t.words, 1, 1));
    goes(&t, exec, 1);
    ok(set_kernel(&t, exec, inside, t.words, 10, 2)); /* cond.exec_body_params */
    goes(&t, exec, 12);
    ok(rill_exec_set_enabled(exec, inside, 0));
    goes(&t, exec, 12);
}

/* ---- Child graphs ----------------------------------------------------------------- */

static rill_graph *child_of(const struct trial *t, unsigned at, uint32_t a, atomic_int *count)
{
    rill_graph *g = new_graph(t->f);
    add(g, add_kernel(t, g, NULL, word(t, at), 1, a), host_op(count_up, count));
    return g;
}

/* update.child_params */
static void a_child_graph_takes_over_another_of_its_shape(void **state)
{
    struct trial t = trial(state);
    atomic_int a = 0, b = 0;
    rill_graph *g = new_graph(t.f), *embedded;
    rill_op op = { .kind = RILL_OP_GRAPH, .graph = { .graph = child_of(&t, 0, 1, &a) } };
    rill_node node = add(g, NULL, op);
    rill_exec *exec = new_exec(t.f, g);
    goes(&t, exec, 1, 0);
    rill_graph *other = child_of(&t, 1, 5, &b);
    op.graph.graph = other;
    ok(set_op(exec, node, op));
    forget(t.f, other);
    ok(rill_graph_destroy(&other));
    goes(&t, exec, 1, 5);
    comes_to(&a, 1);
    comes_to(&b, 1);
    ok(rill_node_child_graph(g, node, &embedded));
    op.graph.graph = embedded;
    ok(set_op(exec, node, op));
    goes(&t, exec, 2, 5);
    op.graph.graph = one_kernel(&t, 1, 1, NULL);
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, set_op(exec, node, op));
    op.graph.graph = new_graph(t.f);
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, set_op(exec, node, op));
    blames("rill_exec_set_op", "graph");
    op.graph.graph = NULL;
    is(RILL_ERROR_INVALID_VALUE, set_op(exec, node, op));
    /* Unlike for an update, the nodes must have come in the same order. */
    rill_graph *turned = op.graph.graph = new_graph(t.f);
    rill_node last = add(turned, NULL, host_op(count_up, &a));
    rill_node first = add_kernel(&t, turned, NULL, t.words, 1, 1);
    ok(rill_graph_add_edges(turned, &first, &last, NULL, 1));
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, set_op(exec, node, op));
    goes(&t, exec, 3, 5);
}

/* update.child_inner */
static void nodes_of_the_embedded_graph_can_be_set(void **state)
{
    struct trial t = trial(state);
    rill_node outside, inside;
    rill_graph *g = new_graph(t.f), *child = one_kernel(&t, 1, 1, &outside), *embedded;
    rill_node node = add(g, NULL, child_op(child, 0));
    size_t count = 1;
    ok(rill_node_child_graph(g, node, &embedded));
    ok(rill_graph_nodes(embedded, &inside, &count));
    rill_exec *exec = new_exec(t.f, g);
    int enabled = 9;
    is(RILL_ERROR_INVALID_VALUE, set_kernel(&t, exec, outside, t.words, 1, 10));
    goes(&t, exec, 1);
    ok(set_kernel(&t, exec, inside, t.words, 1, 100));
    goes(&t, exec, 101);
    ok(rill_exec_set_enabled(exec, inside, 0));
    ok(rill_exec_get_enabled(exec, inside, &enabled));
    assert_int_equal(enabled, 0);
    goes(&t, exec, 101);
    ok(rill_exec_set_enabled(exec, inside, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_set_enabled(exec, outside, 0));
    goes(&t, exec, 201);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(new_arguments_are_one_execs_alone),
    cmocka_unit_test(what_no_kernel_can_do_is_refused),
    cmocka_unit_test(another_function_may_take_other_arguments),
    cmocka_unit_test(attributes_of_one_node_stay),
    cmocka_unit_test(only_nodes_that_the_graph_had_then_can_be_set),
    cmocka_unit_test(handles_stay_those_of_the_first_graph),
    cmocka_unit_test(a_host_function_is_given_back_once),
    cmocka_unit_test(a_batch_keeps_its_number_and_kinds),
    cmocka_unit_test(an_event_node_takes_another_event),
    cmocka_unit_test(memory_and_conditionals_cannot_be_set),
    cmocka_unit_test(a_child_graph_takes_over_another_of_its_shape),
    cmocka_unit_test(nodes_of_the_embedded_graph_can_be_set),
};

SUITE_GROUP(exec_nodes, 1);
