/* SPDX-License-Identifier: Apache-2.0
 *
 * Alloc and free nodes as they are built: addresses, arguments, and what they
 * forbid their graph.
 */
#include "conformance/nodes.h"

/* gmem.add_and_get */
static void an_alloc_node_has_its_address_at_once(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr p = 0;
    rill_node a = add_alloc(g, NULL, 1000, &p);
    assert_true(p);
    assert_int_equal(p % 256, 0);
    rill_op got = op_of(g, a);
    assert_int_equal(got.kind, RILL_OP_ALLOC);
    assert_int_equal(got.alloc.bytes, 1000);
    assert_int_equal(got.alloc.device, 0);
    assert_int_equal(got.alloc.address, p);
    got = op_of(g, add(g, a, free_op(p)));
    assert_int_equal(got.kind, RILL_OP_FREE);
    assert_int_equal(got.free.address, p);
}

/* gmem.sizes */
static void an_allocation_has_a_size_that_the_device_has(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_op op = alloc_op(0);
    rill_node node = NULL;
    op.alloc.address = 7;
    refuses(RILL_ERROR_INVALID_VALUE, "op->alloc.bytes",
            rill_graph_add_node(g, NULL, 0, &op, &node));
    assert_int_equal(op.alloc.address, 7);
    op.alloc.bytes = TOO_MUCH;
    refuses(RILL_ERROR_OUT_OF_MEMORY, "bytes", rill_graph_add_node(g, NULL, 0, &op, &node));
    assert_int_equal(op.alloc.address, 7);
    refused(RILL_ERROR_OUT_OF_MEMORY, g, alloc_op(SIZE_MAX));
    op = alloc_op(64);
    op.alloc.device = 99;
    refused_for(RILL_ERROR_INVALID_VALUE, "op->alloc.device", g, op);
    op.alloc.device = -1;
    refused(RILL_ERROR_INVALID_VALUE, g, op);
    rill_devptr p;
    add_alloc(g, NULL, 1, &p);
}

/* gmem.free_not_ours */
static void a_free_node_takes_what_an_alloc_node_gave_and_nothing_else(void **state)
{
    struct fixture *f = *state;
    static int plain;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p, d = device_words(f, 16), q = 0;
    rill_node a = add_alloc(g, NULL, 4096, &p);
    ok(rill_mem_alloc_async(s, 4096, &q));
    ok(rill_stream_synchronize(s));
    const rill_devptr others[] = { 0, d, q, at(&plain), p + 256, p + 4096, p - 1 };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        refused_for(RILL_ERROR_INVALID_VALUE, "op->free.address", g, free_op(others[i]));
    }
    add(g, a, free_op(p));
    ok(rill_mem_free_async(s, q));
    ok(rill_stream_synchronize(s));
}

/* gmem.free_twice, capop.free_twice */
static void a_graph_frees_an_allocation_once(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *other = new_graph(f);
    rill_devptr p, q;
    rill_node a = add_alloc(g, NULL, 4096, &p);
    rill_node free = add(g, a, free_op(p)), twice = free;
    rill_op op = free_op(p);
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(g, &free, 1, &op, &twice));
    is(RILL_ERROR_INVALID_VALUE, rill_graph_add_node(g, &a, 1, &op, &twice));
    assert_ptr_equal(twice, free);
    refused(RILL_ERROR_INVALID_VALUE, other, free_op(p));
    assert_int_equal(node_count(g), 2);

    add_alloc(g, NULL, 4096, &q);
    add(other, NULL, free_op(q));
    refused(RILL_ERROR_INVALID_VALUE, other, free_op(q));
}

/* H200, driver 580.159.04 */
static void what_another_graph_may_free_its_own_never_does_again(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *first = new_graph(f), *second = new_graph(f);
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    add(first, NULL, free_op(p));
    add(second, NULL, free_op(p));
    refused(RILL_ERROR_INVALID_VALUE, g, free_op(p));
    forget(f, first);
    ok(rill_graph_destroy(&first));
    forget(f, second);
    ok(rill_graph_destroy(&second));
    refused(RILL_ERROR_INVALID_VALUE, g, free_op(p));
    add(new_graph(f), NULL, free_op(p));
}

/* H200, driver 580.159.04 */
static void what_is_live_gets_no_free_node_in_its_graph_and_takes_no_values(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    ok(rill_exec_launch(new_exec(f, g), s));
    refused(RILL_ERROR_INVALID_VALUE, g, free_op(p));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(s, p, 1, 0));
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
}

/* gmem.no_deletion */
static void a_graph_with_memory_nodes_loses_neither_nodes_nor_edges(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *plain = new_graph(f);
    const rill_op empty = { .kind = RILL_OP_EMPTY };
    rill_devptr p, d = device_words(f, 1);
    rill_node first = add(g, NULL, empty), second = add(g, first, empty);
    rill_node a = add_alloc(g, NULL, 4096, &p);
    rill_node free = add(g, a, free_op(p));
    const rill_node all[] = { a, free, second };
    for (size_t i = 0; i < 3; i++) is(RILL_ERROR_NOT_SUPPORTED, rill_graph_remove_node(g, all[i]));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_remove_edges(g, &a, &free, NULL, 1));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_remove_edges(g, &first, &second, NULL, 1));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_remove_edges(g, NULL, NULL, NULL, 0));
    ok(rill_graph_add_edges(g, &second, &a, NULL, 1));
    add(g, free, fill_op(d, 1, 1));
    assert_int_equal(node_count(g), 5);
    ok(rill_graph_remove_node(plain, add(plain, NULL, empty)));
}

/* gmem.no_clone */
static void a_graph_with_memory_nodes_is_not_copied(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *frees = new_graph(f), *parent = new_graph(f);
    rill_graph *clone = NULL;
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_clone(g, &clone));
    assert_null(clone);
    const rill_op child = { .kind = RILL_OP_GRAPH, .graph = { .graph = g } };
    refused(RILL_ERROR_NOT_SUPPORTED, parent, child);
    add(frees, NULL, free_op(p));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_clone(frees, &clone));
    const rill_op other = { .kind = RILL_OP_GRAPH, .graph = { .graph = frees } };
    refused(RILL_ERROR_NOT_SUPPORTED, parent, other);
}

/* GR-23 */
static void what_memory_nodes_are_cannot_be_set(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr p;
    rill_node a = add_alloc(g, NULL, 4096, &p), free = add(g, a, free_op(p));
    rill_op op = alloc_op(4096);
    refuses(RILL_ERROR_NOT_SUPPORTED, "op->kind", rill_node_set_op(g, a, &op));
    op = free_op(p);
    is(RILL_ERROR_NOT_SUPPORTED, rill_node_set_op(g, free, &op));
    assert_int_equal(op_of(g, a).alloc.address, p);
}

static bool apart(rill_devptr p, size_t p_bytes, rill_devptr q, size_t q_bytes)
{
    return p + p_bytes <= q || q + q_bytes <= p;
}

/* gmem.two_alive */
static void allocations_that_may_live_together_have_addresses_of_their_own(void **state)
{
    struct fixture *f = *state;
    enum { COUNT = 40 };
    static const size_t sizes[] = { 1, 512, 513, 4096, 3 * MB };
    rill_graph *g = new_graph(f);
    rill_devptr p[COUNT];
    size_t bytes[COUNT];
    rill_node a = NULL;
    for (int i = 0; i < COUNT; i++) {
        bytes[i] = sizes[i % 5];
        /* Chains of four, of which the last is freed at the end. */
        a = add_alloc(g, i % 4 ? a : NULL, bytes[i], &p[i]);
        if (i % 4 == 3) add(g, a, free_op(p[i]));
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++) assert_true(apart(p[i], bytes[i], p[j], bytes[j]));
}

/* Whether it gets the same addresses or others; of two nodes that are behind a free,
 * but not behind each other, one at most does. */
static void only_one_node_behind_a_free_has_its_addresses_again(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_devptr p, q, u, v;
    rill_node a = add_alloc(g, NULL, 4096, &p);
    rill_node free = add(g, a, free_op(p));
    add_alloc(g, free, 4096, &q);
    add_alloc(g, free, 4096, &u);
    add_alloc(g, NULL, 4096, &v);
    assert_true(apart(q, 4096, u, 4096));
    assert_true(apart(v, 4096, u, 4096));
    assert_true(apart(v, 4096, q, 4096));
    assert_true(apart(v, 4096, p, 4096));
}

/* gmem.pointer_queries */
static void before_a_launch_the_address_is_nobodys(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p, base = 0, d = device_words(f, 1);
    size_t bytes = 0;
    add_alloc(g, NULL, 4096, &p);
    rill_pointer_info info = { .size = sizeof info };
    ok(rill_pointer_get_info(f->context, p, &info));
    assert_false(info.known);
    is(RILL_ERROR_NOT_FOUND, rill_mem_range(f->context, p, &base, &bytes));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(s, p, 1, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtod_async(s, d, p, 4));
}

/* Nodes may name it, as far as it reaches. */
static void nodes_may_name_what_will_be_allocated(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *other = new_graph(f);
    rill_devptr p, d = device_words(f, 2);
    rill_node a = add_alloc(g, NULL, 4096, &p);
    add(g, a, fill_op(p + 4092, 1, 1));
    const rill_place end = { .kind = RILL_MEMORY_DEVICE, .address = p + 4092 };
    const rill_place to = { .kind = RILL_MEMORY_DEVICE, .address = d };
    add(g, a, copy_op(to, end, 4));
    add(other, NULL, fill_op(p, 1, 1));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_alloc_node_has_its_address_at_once),
    cmocka_unit_test(an_allocation_has_a_size_that_the_device_has),
    cmocka_unit_test(a_free_node_takes_what_an_alloc_node_gave_and_nothing_else),
    cmocka_unit_test(a_graph_frees_an_allocation_once),
    cmocka_unit_test(what_another_graph_may_free_its_own_never_does_again),
    cmocka_unit_test(what_is_live_gets_no_free_node_in_its_graph_and_takes_no_values),
    cmocka_unit_test(a_graph_with_memory_nodes_loses_neither_nodes_nor_edges),
    cmocka_unit_test(a_graph_with_memory_nodes_is_not_copied),
    cmocka_unit_test(what_memory_nodes_are_cannot_be_set),
    cmocka_unit_test(allocations_that_may_live_together_have_addresses_of_their_own),
    cmocka_unit_test(only_one_node_behind_a_free_has_its_addresses_again),
    cmocka_unit_test(before_a_launch_the_address_is_nobodys),
    cmocka_unit_test(nodes_may_name_what_will_be_allocated),
};

SUITE_GROUP(graph_memory_nodes, 1);
