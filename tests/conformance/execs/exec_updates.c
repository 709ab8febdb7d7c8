/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates of whole execs: what is taken over, what is refused and in whose name,
 * what the exec does afterwards.
 */
#include "conformance/execs/exec_work.h"

#include <string.h>

/* ---- What is taken over ----------------------------------------------------------- */

/* update.identical */
static void an_equal_graph_changes_nothing(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = chain(&t, 3, 10, 1, NULL), *clone;
    rill_exec *exec = new_exec(t.f, g);
    updates(exec, g);
    updates(exec, chain(&t, 3, 10, 1, NULL));
    ok(rill_graph_clone(g, &clone));
    updates(exec, keep_graph(t.f, clone));
    goes(&t, exec, 111);
}

/* update.null_info */
static void nobody_has_to_ask_for_the_reason(void **state)
{
    struct trial t = trial(state);
    rill_node node;
    rill_graph *g = one_kernel(&t, 1, 1, &node);
    rill_exec *exec = new_exec(t.f, g);
    ok(edit_kernel(&t, g, node, t.words, 1, 5));
    ok(rill_exec_update(exec, g, NULL));
    goes(&t, exec, 5);
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, rill_exec_update(exec, new_graph(t.f), NULL));
    goes(&t, exec, 10);
}

/* update.whole_kernel */
static void a_kernel_may_become_another_one(void **state)
{
    struct trial t = trial(state);
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 1, 1, NULL));
    rill_graph *g = new_graph(t.f);
    rill_devptr p = t.words;
    uint32_t value = 40;
    const void *params[] = { &p, &value };
    add(g, NULL, kernel_op(kernel(t.f, &put_function), params));
    updates(exec, g);
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    goes(&t, exec, 40);
    g = new_graph(t.f);
    add(g, NULL, kernel_op(kernel(t.f, &nop_function), NULL));
    updates(exec, g);
    goes(&t, exec, 40);
    updates(exec, one_kernel(&t, 1, 2, NULL));
    goes(&t, exec, 42);
}

/* update.whole_sources_destroyed, update.whole_by_turns */
static void graphs_may_go_as_soon_as_they_were_taken_over(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = one_kernel(&t, 10, 1, NULL);
    rill_exec *exec = new_exec(t.f, g);
    for (uint32_t i = 2; i < 6; i++) {
        forget(t.f, g);
        ok(rill_graph_destroy(&g));
        g = one_kernel(&t, 10, i, NULL);
        updates(exec, g);
    }
    forget(t.f, g);
    ok(rill_graph_destroy(&g));
    goes(&t, exec, 5);
    rill_graph *turns[] = { one_kernel(&t, 1, 1, NULL), one_kernel(&t, 1, 100, NULL) };
    for (int i = 0; i < 100; i++) {
        updates(exec, turns[i % 2]);
        ok(rill_exec_launch(exec, t.stream));
    }
    ok(rill_stream_synchronize(t.stream));
    assert_int_equal(peek(t.f, t.words), 5 + 50 * 101);
}

static rill_value write_of(rill_devptr address, uint32_t value)
{
    return (rill_value){ .kind = RILL_VALUE_WRITE_32, .address = address, .value = value };
}

/* A chain of a host function, events recorded and waited for, and values. */
static rill_graph *mixed(const struct trial *t, rill_op host, rill_event *record,
                         rill_event *wait, const rill_value *items, size_t count,
                         rill_node *values)
{
    rill_graph *g = new_graph(t->f);
    rill_node node = add(g, NULL, host);
    node = add(g, node, event_op(RILL_OP_EVENT_RECORD, record));
    node = add(g, node, event_op(RILL_OP_EVENT_WAIT, wait));
    *values = add(g, node, values_op(items, count));
    add(g, *values, empty_op());
    return g;
}

/* update.whole_other_types */
static void functions_events_and_values_are_taken_over(void **state)
{
    struct trial t = trial(state);
    atomic_int a = 0, b = 0;
    rill_event *e[4];
    for (int i = 0; i < 4; i++) e[i] = new_event_in(t.f, t.f->context, RILL_EVENT_TIMING);
    rill_value items[] = { write_of(t.words, 3), write_of(word(&t, 2), 1) };
    rill_op ones = host_op(count_up, &a), hundreds = host_op(add_hundred, &b);
    rill_node values;
    float ms;
    rill_exec *exec = new_exec(t.f, mixed(&t, ones, e[0], e[1], items, 1, &values));
    goes(&t, exec, 3, 0, 0);
    updates(exec, mixed(&t, hundreds, e[2], e[3], items, 1, &values));
    is(RILL_ERROR_INVALID_HANDLE, rill_event_elapsed(e[2], e[2], &ms));
    goes(&t, exec, 3, 0, 0);
    ok(rill_event_elapsed(e[2], e[2], &ms));
    comes_to(&a, 1);
    comes_to(&b, 100);
    items[0] = write_of(word(&t, 1), 7);
    updates(exec, mixed(&t, hundreds, e[2], e[3], items, 1, &values));
    goes(&t, exec, 3, 7, 0);
    rill_graph *more = mixed(&t, ones, e[2], e[3], items, 2, &values);
    update_refused(exec, more, RILL_UPDATE_PARAMETERS_CHANGED, values);
    items[0].kind = RILL_VALUE_WAIT_32;
    rill_graph *other = mixed(&t, ones, e[2], e[3], items, 1, &values);
    update_refused(exec, other, RILL_UPDATE_PARAMETERS_CHANGED, values);
    goes(&t, exec, 3, 7, 0);
    comes_to(&a, 1);
    comes_to(&b, 300);
}

/* ---- What a refusal leaves -------------------------------------------------------- */

/* The last node is at fault, when all others were looked at. */
static void a_refused_update_leaves_the_exec_as_it_was(void **state)
{
    static atomic_int kept, refused;
    struct trial t = trial(state);
    rill_graph *g = chain(&t, 4, 10, 1, NULL), *other = chain(&t, 3, 10, 2, NULL);
    atomic_store(&kept, 0);
    atomic_store(&refused, 0);
    rill_op host = { .kind = RILL_OP_HOST,
                     .host = { .fn = count_up, .data = &kept, .destroy = count_up } };
    rill_graph *source = new_graph(t.f), *bad = new_graph(t.f);
    add(source, NULL, host);
    host.host.data = &refused;
    add(bad, add(bad, NULL, host), empty_op());
    rill_node nodes[4];
    size_t count = 4;
    ok(rill_graph_nodes(other, nodes, &count));
    rill_node odd = add(other, nodes[2], empty_op());
    rill_exec *exec = new_exec(t.f, g);
    update_refused(exec, other, RILL_UPDATE_NODE_TYPE_CHANGED, odd);
    assert_non_null(strstr(rill_last_error()->message, "empty node"));
    goes(&t, exec, 1111);
    exec = new_exec(t.f, source);
    update_refused(exec, bad, RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    forget(t.f, bad);
    ok(rill_graph_destroy(&bad));
    comes_to(&refused, 1);
    assert_int_equal(atomic_load(&kept), 0);
    go(&t, exec);
    comes_to(&kept, 1);
}

/* The record names the node by its label. */
static void the_record_names_the_node(void **state)
{
    struct trial t = trial(state);
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 1, 1, NULL));
    rill_graph *g = new_graph(t.f);
    rill_node node = add(g, NULL, host_op(count_up, NULL));
    ok(rill_node_set_label(g, node, "preprocess"));
    update_refused(exec, g, RILL_UPDATE_NODE_TYPE_CHANGED, node);
    assert_non_null(strstr(rill_last_error()->message, "'preprocess'"));
    assert_non_null(strstr(rill_last_error()->message, "host node"));
}

/* update.whole_attributes */
static void attributes_that_an_exec_is_built_on_stay(void **state)
{
    struct trial t = trial(state);
    static const struct {
        uint32_t flags;
        rill_attribute from, to;
        bool good;
    } changes[] = {
        { 0, { .id = RILL_ATTRIBUTE_COOPERATIVE }, { .id = RILL_ATTRIBUTE_COOPERATIVE,
                                                     .cooperative = 1 }, false },
        { 0, { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 },
          { .id = RILL_ATTRIBUTE_COOPERATIVE }, false },
        { 0, { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 },
          { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 }, true },
        { 0, { .id = RILL_ATTRIBUTE_PRIORITY }, { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 },
          true },
        { RILL_EXEC_NODE_PRIORITY, { .id = RILL_ATTRIBUTE_PRIORITY },
          { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 }, false },
        { RILL_EXEC_NODE_PRIORITY, { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 },
          { .id = RILL_ATTRIBUTE_PRIORITY, .priority = -1 }, true },
        { 0, { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN }, { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN,
                                                         .domain = 1 }, true },
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        rill_node before, after;
        rill_graph *from = one_kernel(&t, 1, 1, &before), *to = one_kernel(&t, 1, 2, &after);
        ok(rill_node_set_attribute(from, before, &changes[i].from));
        ok(rill_node_set_attribute(to, after, &changes[i].to));
        rill_exec_options options = { .size = sizeof options, .flags = changes[i].flags };
        rill_exec *exec = NULL;
        ok(rill_exec_create(from, &options, &exec));
        zero_words(&t);
        if (changes[i].good) updates(exec, to);
        else update_refused(exec, to, RILL_UPDATE_ATTRIBUTES_CHANGED, after);
        goes(&t, exec, changes[i].good ? 2 : 1);
        ok(rill_exec_destroy(&exec));
    }
}

/* update.other_context */
static void a_kernel_of_another_context_is_refused(void **state)
{
    struct trial t = trial(state);
    rill_node node, foreign;
    rill_exec *exec = new_exec(t.f, one_kernel(&t, 1, 1, &node));
    rill_context *context = new_context(t.f, 0, RILL_CONTEXT_OWN);
    struct trial other = t;
    other.mul_add = new_kernel(t.f, context, &mul_add_function);
    is(RILL_ERROR_INVALID_VALUE, set_kernel(&other, exec, node, t.words, 1, 2));
    goes(&t, exec, 1);
    rill_graph *g = one_kernel(&other, 1, 2, &foreign);
    update_refused(exec, g, RILL_UPDATE_UNSUPPORTED_FUNCTION_CHANGE, foreign);
    goes(&t, exec, 2);
}

/* update.whole_flags */
static void flags_stay(void **state)
{
    struct trial t = trial(state);
    static const uint32_t flags[][2] = { { 0, 0 }, { 1, 1 }, { 4, 4 }, { 8, 0 }, { 12, 4 } };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        rill_exec_options options = { .size = sizeof options, .flags = flags[i][0] };
        rill_exec *exec = NULL;
        uint32_t got = 99;
        ok(rill_exec_create(one_kernel(&t, 1, 1, NULL), &options, &exec));
        ok(rill_exec_upload(exec, t.stream));
        updates(exec, one_kernel(&t, 0, 10, NULL));
        ok(rill_exec_flags(exec, &got));
        assert_int_equal(got, flags[i][1]);
        goes(&t, exec, 10);
        ok(rill_exec_destroy(&exec));
    }
}

/* ---- Memory of graphs ------------------------------------------------------------- */

static rill_graph *with_memory(const struct trial *t, uint32_t value, rill_node *fill,
                               rill_devptr *address)
{
    rill_graph *g = new_graph(t->f);
    rill_node node = add_alloc(g, NULL, 4096, address);
    *fill = add(g, node, fill_op(*address, value, 1));
    node = add(g, *fill, copy_op(rill_device_place(t->words), rill_device_place(*address), 4));
    add(g, node, free_op(*address));
    return g;
}

/* update.whole_alloc */
static void memory_is_that_of_one_graph(void **state)
{
    struct trial t = trial(state);
    rill_node fill, other_fill;
    rill_devptr address, other_address;
    rill_graph *g = with_memory(&t, 10, &fill, &address);
    rill_graph *other = with_memory(&t, 20, &other_fill, &other_address);
    rill_exec *exec = new_exec(t.f, g);
    goes(&t, exec, 10);
    updates(exec, g);
    rill_op op = fill_op(address, 11, 1);
    ok(rill_node_set_op(g, fill, &op));
    updates(exec, g);
    goes(&t, exec, 11);
    update_refused(exec, other, RILL_UPDATE_ERROR, other_fill);
    goes(&t, exec, 11);
}

/* Measured: what the nodes themselves say of memory is not compared. */
static void other_memory_is_not_the_execs(void **state)
{
    struct trial t = trial(state);
    rill_graph *graphs[2];
    for (uint32_t i = 0; i < 2; i++) {
        rill_devptr address;
        graphs[i] = new_graph(t.f);
        rill_node node = add_alloc(graphs[i], NULL, i ? MB : 4096, &address);
        node = add_kernel(&t, graphs[i], node, t.words, 10, i + 1);
        add(graphs[i], node, free_op(address));
    }
    rill_exec *exec = new_exec(t.f, graphs[0]);
    goes(&t, exec, 1);
    updates(exec, graphs[1]);
    goes(&t, exec, 12);
    updates(exec, graphs[0]);
    goes(&t, exec, 121);
}

/* ---- Objects that a graph keeps alive --------------------------------------------- */

static rill_user_object *object_of(struct fixture *f, rill_graph *graph, atomic_int *destroyed)
{
    rill_user_object *object = NULL;
    ok(rill_user_object_create(f->platform, destroyed, count_up, 1, &object));
    ok(rill_graph_retain_user_object(graph, object, 1, RILL_USER_OBJECT_MOVE));
    return object;
}

static void destroyed(struct fixture *f, rill_graph *graph)
{
    forget(f, graph);
    ok(rill_graph_destroy(&graph));
}

static void what_the_new_graph_keeps_alive_the_exec_does(void **state)
{
    struct trial t = trial(state);
    atomic_int first = 0, second = 0, third = 0;
    rill_graph *a = one_kernel(&t, 1, 1, NULL), *b = one_kernel(&t, 1, 2, NULL);
    rill_graph *bad = new_graph(t.f);
    object_of(t.f, a, &first);
    object_of(t.f, b, &second);
    object_of(t.f, bad, &third);
    rill_exec *exec = new_exec(t.f, a);
    update_refused(exec, bad, RILL_UPDATE_TOPOLOGY_CHANGED, NULL);
    destroyed(t.f, bad);
    comes_to(&third, 1);
    updates(exec, b);
    destroyed(t.f, b);
    goes(&t, exec, 2);
    assert_int_equal(atomic_load(&second), 0);
    destroyed(t.f, a);
    comes_to(&first, 1);
    forget(t.f, exec);
    ok(rill_exec_destroy(&exec));
    ok(rill_context_synchronize(t.f->context));
    comes_to(&second, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_equal_graph_changes_nothing),
    cmocka_unit_test(nobody_has_to_ask_for_the_reason),
    cmocka_unit_test(a_kernel_may_become_another_one),
    cmocka_unit_test(graphs_may_go_as_soon_as_they_were_taken_over),
    cmocka_unit_test(functions_events_and_values_are_taken_over),
    cmocka_unit_test(a_refused_update_leaves_the_exec_as_it_was),
    cmocka_unit_test(the_record_names_the_node),
    cmocka_unit_test(attributes_that_an_exec_is_built_on_stay),
    cmocka_unit_test(a_kernel_of_another_context_is_refused),
    cmocka_unit_test(flags_stay),
    cmocka_unit_test(memory_is_that_of_one_graph),
    cmocka_unit_test(other_memory_is_not_the_execs),
    cmocka_unit_test(what_the_new_graph_keeps_alive_the_exec_does),
};

SUITE_GROUP(exec_updates, 1);
