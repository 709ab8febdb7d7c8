/* SPDX-License-Identifier: Apache-2.0
 *
 * What graphs allocate, from launch to launch: when it is there, who may free it,
 * and what a launch is refused for.
 */
#include "conformance/nodes.h"

/* The test's to destroy. */
static rill_exec *exec_with(rill_graph *graph, uint32_t flags)
{
    rill_exec_options options = { .size = sizeof options, .flags = flags };
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, &options, &exec));
    return exec;
}

static rill_place words(rill_devptr address)
{
    return (rill_place){ .kind = RILL_MEMORY_DEVICE, .address = address };
}

/* Alloc, set the word, and leave it. */
static rill_devptr unfreed(rill_graph *graph, uint32_t value)
{
    rill_devptr p;
    rill_node a = add_alloc(graph, NULL, 4096, &p);
    add(graph, a, fill_op(p, value, 1));
    return p;
}

/* Alloc, set the word, copy it to `d`, free. */
static rill_devptr inside(rill_graph *graph, rill_devptr d, uint32_t value)
{
    rill_devptr p;
    rill_node a = add_alloc(graph, NULL, 4096, &p);
    rill_node set = add(graph, a, fill_op(p, value, 1));
    rill_node copy = add(graph, set, copy_op(words(d), words(p), 4));
    add(graph, copy, free_op(p));
    return p;
}

/* gmem.inside, capop.alloc_free */
static void what_a_graph_frees_itself_is_there_inside_each_launch(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr d = device_words(f, 1), p = inside(g, d, 42);
    rill_exec *x = new_exec(f, g);
    for (int i = 0; i < 3; i++) {
        poke(f, d, 0);
        ok(run_exec(x, s));
        assert_int_equal(peek(f, d), 42);
    }
    ok(rill_exec_launch(x, s));
    ok(rill_exec_launch(x, s));
    ok(rill_stream_synchronize(s));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_mem_free_async(s, p));
    ok(run_exec(x, s));
}

/* gmem.outlives_launch */
static void what_a_graph_leaves_is_the_programs_to_use_and_free(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = unfreed(g, 77), base;
    size_t bytes;
    rill_exec *x = exec_with(g, 0);
    for (int i = 0; i < 2; i++) {
        ok(run_exec(x, s));
        assert_int_equal(peek(f, p), 77);
        poke(f, p + 4, 5);
        assert_int_equal(peek(f, p + 4), 5);
        rill_pointer_info info = { .size = sizeof info };
        ok(rill_pointer_get_info(f->context, p, &info));
        assert_true(info.known);
        assert_int_equal(info.kind, RILL_MEMORY_DEVICE);
        ok(rill_mem_range(f->context, p + 40, &base, &bytes));
        assert_int_equal(base, p);
        assert_true(bytes >= 4096);
        ok(rill_mem_free(f->context, p));
        ok(rill_pointer_get_info(f->context, p, &info));
        assert_false(info.known);
        is(RILL_ERROR_NOT_FOUND, rill_mem_range(f->context, p, &base, &bytes));
        is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
    }
    ok(rill_exec_destroy(&x));
}

/* gmem.relaunch_unfreed, capop.alloc_left */
static void a_launch_waits_for_nobody_to_free_what_the_last_one_left(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = unfreed(g, 3);
    rill_exec *x = new_exec(f, g);
    struct gate *first = gate(f, s);
    ok(rill_exec_launch(x, s));
    refuses(RILL_ERROR_INVALID_VALUE, "exec", rill_exec_launch(x, s));
    open_gate(first);
    ok(rill_stream_synchronize(s));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_launch(x, s));
    assert_int_equal(peek(f, p), 3);
    struct gate *second = gate(f, s);
    ok(rill_mem_free_async(s, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
    ok(rill_exec_launch(x, s));
    ok(rill_mem_free_async(s, p));
    ok(rill_exec_launch(x, s));
    open_gate(second);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 3);
    ok(rill_mem_free(f->context, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
}

/* gmem.free_before_launch */
static void what_was_not_launched_cannot_be_freed(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = unfreed(g, 3);
    rill_exec *x = new_exec(f, g);
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
    ok(run_exec(x, s));
    ok(rill_mem_free(f->context, p));
}

/* gmem.one_exec_free_only */
static void a_graph_with_memory_nodes_has_one_exec_at_a_time(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *frees = new_graph(f), *both[2] = { g, frees };
    rill_devptr p = unfreed(g, 3);
    add(frees, NULL, free_op(p));
    for (int i = 0; i < 2; i++) {
        rill_exec *x = exec_with(both[i], 0), *y = NULL;
        refuses(RILL_ERROR_NOT_SUPPORTED, "graph", rill_exec_create(both[i], NULL, &y));
        assert_null(y);
        ok(rill_exec_destroy(&x));
        x = exec_with(both[i], 0);
        ok(rill_exec_destroy(&x));
    }
}

/* H200, driver 580: of two faults that one is said. */
static void a_second_exec_is_refused_before_a_cycle_is_looked_for(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_exec_options options = { .size = sizeof options };
    rill_exec *exec = NULL;
    unfreed(g, 3);
    new_exec(f, g);
    rill_node a = add(g, NULL, empty_op()), b = add(g, a, empty_op());
    ok(rill_graph_add_edges(g, &b, &a, NULL, 1));
    is(RILL_ERROR_NOT_SUPPORTED, rill_exec_create(g, &options, &exec));
    assert_int_equal(options.result, RILL_EXEC_ERROR);
}

/* gmem.live_then_new_exec */
static void a_new_exec_finds_what_the_old_one_left(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = unfreed(g, 6);
    rill_exec *x = exec_with(g, 0);
    ok(run_exec(x, s));
    ok(rill_exec_destroy(&x));
    x = exec_with(g, 0);
    is(RILL_ERROR_INVALID_VALUE, run_exec(x, s));
    ok(rill_mem_free(f->context, p));
    ok(run_exec(x, s));
    assert_int_equal(peek(f, p), 6);
    ok(rill_exec_destroy(&x));
    ok(rill_mem_free(f->context, p));
}

/* gmem.auto_free, gmem.auto_free_new_exec */
static void an_exec_can_free_by_itself_what_its_last_launch_left(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = unfreed(g, 5);
    rill_exec *x = exec_with(g, RILL_EXEC_AUTO_FREE);
    for (int i = 0; i < 3; i++) ok(run_exec(x, s));
    assert_int_equal(peek(f, p), 5);
    ok(rill_mem_free(f->context, p));
    ok(run_exec(x, s));
    ok(rill_exec_destroy(&x));
    assert_int_equal(peek(f, p), 5);
    x = exec_with(g, RILL_EXEC_AUTO_FREE);
    struct gate *closed = gate(f, s);
    ok(rill_exec_launch(x, s));
    ok(rill_exec_launch(x, s));
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    ok(rill_exec_destroy(&x));
    ok(rill_mem_free(f->context, p));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
}

/* capop.free_in_other_graph */
static void another_graph_frees_what_one_allocates(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *frees = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = unfreed(g, 9);
    add(frees, NULL, free_op(p));
    rill_exec *x = new_exec(f, g), *y = new_exec(f, frees);
    for (int i = 0; i < 2; i++) {
        ok(rill_exec_launch(x, s));
        ok(rill_exec_launch(y, s));
    }
    ok(rill_stream_synchronize(s));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
    ok(run_exec(x, s));
    assert_int_equal(peek(f, p), 9);
    ok(rill_mem_free(f->context, p));
}

/* MN-11 */
static void what_is_left_outlives_its_graph_and_exec(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = unfreed(g, 8);
    rill_exec *x = exec_with(g, 0);
    struct gate *closed = gate(f, s);
    ok(rill_exec_launch(x, s));
    forget(f, g);
    ok(rill_graph_destroy(&g));
    ok(rill_exec_destroy(&x));
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 8);
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free_async(s, p));
}

/* gmem.two_alive */
static void allocations_of_one_launch_keep_their_values(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    enum { COUNT = 16 };
    rill_devptr p[COUNT], d = device_words(f, COUNT);
    rill_node set[COUNT], last = NULL;
    for (uint32_t i = 0; i < COUNT; i++) {
        rill_node a = add_alloc(g, NULL, 4096, &p[i]);
        set[i] = add(g, a, fill_op(p[i], i + 1, 1024));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        rill_op op = copy_op(words(d + 4 * i), words(p[i] + 4092), 4);
        ok(rill_graph_add_node(g, set, COUNT, &op, &last));
        add(g, last, free_op(p[i]));
    }
    rill_exec *x = new_exec(f, g);
    for (int turn = 0; turn < 3; turn++) {
        ok(run_exec(x, s));
        for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(peek(f, d + 4 * i), i + 1);
    }
}

/* One behind the free of the other, as often as there is room for. */
static void allocations_in_turn_keep_their_values(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    enum { COUNT = 50 };
    rill_devptr p, d = device_words(f, COUNT);
    rill_node last = NULL;
    for (uint32_t i = 0; i < COUNT; i++) {
        last = add_alloc(g, last, i % 3 ? 64 : 4096, &p);
        last = add(g, last, fill_op(p, i + 1, 1));
        last = add(g, last, copy_op(words(d + 4 * i), words(p), 4));
        last = add(g, last, free_op(p));
    }
    last = add_alloc(g, last, 64, &p);
    add(g, last, fill_op(p, 99, 1));
    rill_exec *x = new_exec(f, g);
    ok(run_exec(x, s));
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(peek(f, d + 4 * i), i + 1);
    assert_int_equal(peek(f, p), 99);
    is(RILL_ERROR_INVALID_VALUE, rill_exec_launch(x, s));
    ok(rill_mem_free(f->context, p));
    ok(run_exec(x, s));
    ok(rill_mem_free(f->context, p));
}

/* GR-24: a child that moves in brings its memory nodes along. */
static void a_child_that_moves_in_allocates_in_its_parents_launches(void **state)
{
    struct fixture *f = *state;
    rill_graph *parent = new_graph(f), *child = new_graph(f), *clone = NULL;
    rill_stream *s = new_non_blocking(f);
    rill_devptr d = device_words(f, 2), left;
    inside(child, d, 21);
    rill_node a = add_alloc(child, NULL, 64, &left);
    add(child, a, fill_op(left, 22, 1));
    rill_node empty = add(parent, NULL, (rill_op){ .kind = RILL_OP_EMPTY });
    forget(f, child);
    rill_node node = add(parent, empty, (rill_op){ .kind = RILL_OP_GRAPH,
                         .graph = { .graph = child, .flags = RILL_CHILD_MOVE } });
    add(parent, node, copy_op(words(d + 4), words(left), 4));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_remove_node(parent, empty));
    is(RILL_ERROR_NOT_SUPPORTED, rill_graph_clone(parent, &clone));
    rill_exec *x = new_exec(f, parent), *y = NULL;
    is(RILL_ERROR_NOT_SUPPORTED, rill_exec_create(parent, NULL, &y));
    for (int i = 0; i < 2; i++) {
        ok(run_exec(x, s));
        assert_int_equal(peek(f, d), 21);
        assert_int_equal(peek(f, d + 4), 22);
        is(RILL_ERROR_INVALID_VALUE, rill_exec_launch(x, s));
        ok(rill_mem_free(f->context, left));
    }
}

/* MN-4: they are in one exec, wherever they went since. */
static void a_child_that_has_an_exec_gives_its_new_parent_none(void **state)
{
    struct fixture *f = *state;
    rill_graph *parent = new_graph(f), *child = new_graph(f);
    rill_devptr d = device_words(f, 1);
    inside(child, d, 21);
    rill_exec *x = exec_with(child, 0), *y = NULL;
    rill_op op = { .kind = RILL_OP_GRAPH,
                   .graph = { .graph = child, .flags = RILL_CHILD_MOVE } };
    rill_node node;
    if (rill_graph_add_node(parent, NULL, 0, &op, &node) == RILL_SUCCESS) {
        forget(f, child);
        assert_int_not_equal(rill_exec_create(parent, NULL, &y), RILL_SUCCESS);
    }
    ok(rill_exec_destroy(&x));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_a_graph_frees_itself_is_there_inside_each_launch),
    cmocka_unit_test(what_a_graph_leaves_is_the_programs_to_use_and_free),
    cmocka_unit_test(a_launch_waits_for_nobody_to_free_what_the_last_one_left),
    cmocka_unit_test(what_was_not_launched_cannot_be_freed),
    cmocka_unit_test(a_graph_with_memory_nodes_has_one_exec_at_a_time),
    cmocka_unit_test(a_second_exec_is_refused_before_a_cycle_is_looked_for),
    cmocka_unit_test(a_new_exec_finds_what_the_old_one_left),
    cmocka_unit_test(an_exec_can_free_by_itself_what_its_last_launch_left),
    cmocka_unit_test(another_graph_frees_what_one_allocates),
    cmocka_unit_test(what_is_left_outlives_its_graph_and_exec),
    cmocka_unit_test(allocations_of_one_launch_keep_their_values),
    cmocka_unit_test(allocations_in_turn_keep_their_values),
    cmocka_unit_test(a_child_that_moves_in_allocates_in_its_parents_launches),
    cmocka_unit_test(a_child_that_has_an_exec_gives_its_new_parent_none),
};

SUITE_GROUP(graph_memory_life, 1);
