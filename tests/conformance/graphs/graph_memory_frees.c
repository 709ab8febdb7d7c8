/* SPDX-License-Identifier: Apache-2.0
 *
 * When memory of graphs is there, as promised: what streams may name and who may
 * free it.  All as measured on an H200, driver 580.159.04.
 */
#include "conformance/nodes.h"

static rill_graph *frees(struct fixture *f, rill_devptr address)
{
    rill_graph *g = new_graph(f);
    add(g, NULL, free_op(address));
    return g;
}

static void a_graph_frees_only_what_is_there(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    rill_exec *free = new_exec(f, frees(f, p)), *again = new_exec(f, frees(f, p));
    rill_exec *alloc = new_exec(f, g);
    is(RILL_ERROR_INVALID_VALUE, run_exec(free, s));
    ok(run_exec(alloc, s));
    ok(run_exec(free, s));
    is(RILL_ERROR_INVALID_VALUE, run_exec(free, s));
    is(RILL_ERROR_INVALID_VALUE, run_exec(again, s));
    ok(run_exec(alloc, s));
    ok(run_exec(free, other));
    ok(run_exec(alloc, s));
    ok(rill_mem_free(f->context, p));
    is(RILL_ERROR_INVALID_VALUE, run_exec(free, s));
    ok(rill_stream_synchronize(s));
}

/* What was submitted counts, whatever has run. */
static void what_is_there_is_what_was_promised(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    rill_exec *alloc = new_exec(f, g), *free = new_exec(f, frees(f, p));
    struct gate *closed = gate(f, s);
    ok(rill_exec_launch(alloc, s));
    ok(rill_exec_launch(free, s));
    ok(rill_exec_launch(alloc, s));
    ok(rill_mem_free_async(s, p));
    is(RILL_ERROR_INVALID_VALUE, rill_exec_launch(free, s));
    ok(rill_exec_launch(alloc, s));
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    forget(f, g);
    ok(rill_graph_destroy(&g));
    forget(f, alloc);
    ok(rill_exec_destroy(&alloc));
    ok(run_exec(free, s));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
}

static void a_free_waits_for_no_launch(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    rill_exec *alloc = new_exec(f, g);
    struct gate *closed = gate(f, s);
    ok(rill_exec_launch(alloc, s));
    ok(rill_mem_free(f->context, p));
    is(RILL_ERROR_NOT_READY, rill_stream_query(s));
    open_gate(closed);
    ok(rill_stream_synchronize(s));
}

static rill_status fill(rill_stream *stream, rill_devptr address, size_t words)
{
    rill_op op = fill_op(address, 7, words);
    return rill_stream_submit(stream, &op);
}

static void streams_name_it_while_it_is_promised(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    rill_exec *alloc = new_exec(f, g);
    is(RILL_ERROR_INVALID_VALUE, fill(s, p, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(s, p, 1, 0));
    struct gate *closed = gate(f, s);
    ok(rill_exec_launch(alloc, s));
    ok(fill(s, p, 1));
    ok(fill(s, p + 4092, 1));
    is(RILL_ERROR_INVALID_VALUE, fill(s, p + 4092, 2));
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(s, p + 4, 1, 0));
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 7);
    closed = gate(f, s);
    ok(rill_mem_free_async(s, p));
    is(RILL_ERROR_INVALID_VALUE, fill(s, p, 1));
    open_gate(closed);
    ok(rill_stream_synchronize(s));
    is(RILL_ERROR_INVALID_VALUE, fill(s, p, 1));
}

static void a_parent_frees_what_moved_in_allocates(void **state)
{
    struct fixture *f = *state;
    rill_graph *parent = new_graph(f), *g = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p, q;
    rill_node a = add_alloc(g, NULL, 4096, &p);
    rill_node last = add(g, add(g, a, fill_op(p, 1, 1)), free_op(p));
    add_alloc(g, last, 4096, &q);
    rill_node child = add(parent, NULL, (rill_op){ .kind = RILL_OP_GRAPH,
                                                   .graph = { g, RILL_CHILD_MOVE } });
    forget(f, g);
    refused(RILL_ERROR_NOT_SUPPORTED, g, alloc_op(64));
    refused(RILL_ERROR_NOT_SUPPORTED, g, free_op(q));
    add(parent, child, free_op(q));
    rill_exec *exec = NULL;
    is(RILL_ERROR_NOT_SUPPORTED, rill_exec_create(g, NULL, &exec));
    exec = new_exec(f, parent);
    ok(run_exec(exec, s));
    ok(run_exec(exec, s));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, q));
    add(new_graph(f), NULL, free_op(q));
}

/* As measured, not even when the exec is gone. */
static void what_an_exec_had_its_own_graph_frees_no_more(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *other = new_graph(f);
    rill_devptr p, q;
    add_alloc(g, NULL, 4096, &p);
    rill_exec *exec = new_exec(f, g);
    add_alloc(g, NULL, 4096, &q);
    refused_for(RILL_ERROR_INVALID_VALUE, "op->free.address", g, free_op(p));
    add(g, NULL, free_op(q));
    forget(f, exec);
    ok(rill_exec_destroy(&exec));
    refused(RILL_ERROR_INVALID_VALUE, g, free_op(p));
    add_alloc(other, NULL, 4096, &p);
    new_exec(f, other);
    add(new_graph(f), NULL, free_op(p));
}

/* Its exec and its graph are gone: another graph may free it, and nobody once that is done. */
static void what_a_graph_left_another_one_frees(void **state)
{
    struct fixture *f = *state;
    rill_graph *g = new_graph(f), *late = new_graph(f);
    rill_stream *s = new_non_blocking(f);
    rill_devptr p;
    add_alloc(g, NULL, 4096, &p);
    rill_exec *exec = new_exec(f, g);
    ok(run_exec(exec, s));
    forget(f, exec);
    ok(rill_exec_destroy(&exec));
    forget(f, g);
    ok(rill_graph_destroy(&g));
    poke(f, p, 5);
    add(late, NULL, free_op(p));
    rill_exec *free = new_exec(f, late);
    assert_int_equal(peek(f, p), 5);
    ok(run_exec(free, s));
    is(RILL_ERROR_INVALID_VALUE, rill_mem_free(f->context, p));
    is(RILL_ERROR_INVALID_VALUE, run_exec(free, s));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_graph_frees_only_what_is_there),
    cmocka_unit_test(what_is_there_is_what_was_promised),
    cmocka_unit_test(a_free_waits_for_no_launch),
    cmocka_unit_test(streams_name_it_while_it_is_promised),
    cmocka_unit_test(a_parent_frees_what_moved_in_allocates),
    cmocka_unit_test(what_an_exec_had_its_own_graph_frees_no_more),
    cmocka_unit_test(what_a_graph_left_another_one_frees),
};

SUITE_GROUP(graph_memory_frees, 1);
