/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of graphs from the inside: addresses that are used again, and memory behind them.
 */
#include "sim/graphs/graph_memory_scene.h"

/* ---- What there is --------------------------------------------------------- */

static uint64_t taken(void)
{
    size_t left = 0, total = 0;
    ok(rill_mem_info(machine.context[0], &left, &total));
    return total - left;
}

/* ---- Addresses ------------------------------------------------------------- */

static void an_alloc_behind_a_free_gets_its_addresses_again(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_devptr p, q;
    rill_node last = add_alloc(g, NULL, 4096, &p);
    last = add_free(g, last, p);
    for (int i = 0; i < 20; i++) last = add_empty(g, last);
    last = add_alloc(g, last, 100, &q);
    assert_int_equal(q, p);
    last = add_free(g, last, q);
    /* What fits into the block, although not into what was asked for last. */
    last = add_alloc(g, last, 4000, &q);
    assert_int_equal(q, p);
    last = add_free(g, last, q);
    last = add_alloc(g, last, 4097, &q);
    assert_int_not_equal(q, p);
    rill_devptr other;
    add_alloc(g, NULL, 64, &other);
    assert_int_not_equal(other, p);
    ok(rill_graph_destroy(&g));
}

/* The search for a free node has an end, however large the graph is. */
static void a_free_that_is_far_away_is_not_found(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_devptr p, q;
    rill_node a = add_alloc(g, NULL, 4096, &p);
    rill_node last = add_free(g, a, p);
    for (int i = 0; i < 300; i++) last = add_empty(g, last);
    add_alloc(g, last, 4096, &q);
    assert_int_not_equal(q, p);
    ok(rill_graph_destroy(&g));
}

static void addresses_are_used_again_when_a_graph_is_gone_but_not_while_they_live(void **state)
{
    (void)state;
    rill_graph *g = new_graph(), *h = new_graph();
    rill_devptr p, q, u;
    add_alloc(g, NULL, 4096, &p);
    ok(rill_graph_destroy(&g));
    add_alloc(h, NULL, 4096, &q);
    assert_int_equal(q, p);
    struct exec_memory *x = take(h, 0);
    launch(h, x);
    drop(x);
    ok(rill_graph_destroy(&h));
    g = new_graph();
    add_alloc(g, NULL, 4096, &u);
    assert_int_not_equal(u, q);
    assert_true(there(q, 4096));
    release(q);
    assert_false(there(q, 4096));
    ok(rill_graph_destroy(&g));
    trim();
    assert_int_equal(reserved(), 0);
}

/* ---- Memory ---------------------------------------------------------------- */

static void memory_is_taken_by_a_launch_and_kept_until_it_is_trimmed(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_devptr p, q;
    uint64_t before = taken();
    rill_node a = add_alloc(g, NULL, 3 * CHUNK, &p);
    add_free(g, a, p);
    add_alloc(g, NULL, 100, &q);
    struct exec_memory *x = take(g, 0);
    assert_int_equal(taken(), before);
    launch(g, x);
    assert_int_equal(reserved(), 4 * CHUNK);
    assert_int_equal(taken(), before + 4 * CHUNK);
    trim(); /* what is live stays, and with it its chunk */
    assert_int_equal(reserved(), CHUNK);
    release(q);
    assert_int_equal(reserved(), CHUNK);
    trim();
    assert_int_equal(taken(), before);
    drop(x);
    ok(rill_graph_destroy(&g));
}

/* Submitted, but not yet there; freed, but not yet gone. */
static void a_trim_leaves_alone_what_is_underway(void **state)
{
    (void)state;
    rill_graph *g = new_graph(), *f = new_graph();
    rill_devptr p, q;
    add_alloc(g, NULL, CHUNK, &p);
    rill_node a = add_alloc(f, NULL, CHUNK, &q);
    add_free(f, a, q);
    struct exec_memory *x = take(g, 0), *y = take(f, 0);
    ok(submit(x));
    ok(submit(y));
    trim();
    assert_int_equal(reserved(), 2 * CHUNK);
    play(g, x);
    play(f, y);
    trim();
    assert_int_equal(reserved(), CHUNK);
    int closed = gate(&machine, machine.stream[0]);
    ok(rill_mem_free_async(machine.stream[0], p));
    trim();
    assert_int_equal(reserved(), CHUNK);
    assert_true(there(p, CHUNK));
    open_gate(&machine, closed);
    ok(rill_stream_synchronize(machine.stream[0]));
    assert_false(there(p, CHUNK));
    trim();
    assert_int_equal(reserved(), 0);
    drop(x);
    drop(y);
    ok(rill_graph_destroy(&g));
    ok(rill_graph_destroy(&f));
}

static void graphs_that_come_and_go_share_their_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        rill_graph *g = new_graph();
        rill_devptr p;
        rill_node a = add_alloc(g, NULL, 10 * MIB, &p);
        add_free(g, a, p);
        struct exec_memory *x = take(g, 0);
        launch(g, x);
        drop(x);
        ok(rill_graph_destroy(&g));
        assert_int_equal(reserved(), 10 * MIB);
    }
    trim();
}

static void a_launch_for_which_there_is_no_memory_changes_nothing(void **state)
{
    (void)state;
    rill_graph *g = new_graph(), *h = new_graph();
    rill_devptr p, q, u;
    add_alloc(g, NULL, 40 * MIB, &p);
    add_alloc(h, NULL, 10 * MIB, &q);
    add_alloc(h, NULL, 40 * MIB, &u);
    struct exec_memory *x = take(g, 0), *y = take(h, 0);
    launch(g, x);
    bytes_at(p)[20 * MIB] = 7;
    uint64_t before = taken();
    for (int i = 0; i < 3; i++) {
        is(RILL_ERROR_OUT_OF_MEMORY, submit(y));
        assert_int_equal(taken(), before);
    }
    is(INVALID, rill_mem_free(machine.context[0], q));
    assert_int_equal(bytes_at(p)[20 * MIB], 7);
    release(p); /* its memory is there for the taking */
    launch(h, y);
    assert_int_equal(reserved(), 50 * MIB);
    is(RILL_ERROR_OUT_OF_MEMORY, submit(x));
    release(q);
    release(u);
    launch(g, x);
    release(p);
    drop(x);
    drop(y);
    ok(rill_graph_destroy(&g));
    ok(rill_graph_destroy(&h));
    trim();
    assert_int_equal(reserved(), 0);
}

static void fresh_memory_is_poisoned_at_each_launch(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_devptr p, q;
    add_alloc(g, NULL, MIB, &p);
    add_alloc(g, NULL, 8 * MIB, &q);
    struct exec_memory *x = take(g, RILL_EXEC_AUTO_FREE);
    for (int i = 0; i < 3; i++) {
        launch(g, x);
        assert_true(is_poison(p, MIB));
        assert_true(is_poison(q, 64 << 10));
        assert_true(is_poison(q + 8 * MIB - (64 << 10), 64 << 10));
        memset(bytes_at(p), i, MIB);
        memset(bytes_at(q), i, 8 * MIB);
    }
    drop(x);
    release(p);
    release(q);
    ok(rill_graph_destroy(&g));
    trim();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alloc_behind_a_free_gets_its_addresses_again),
        cmocka_unit_test(a_free_that_is_far_away_is_not_found),
        cmocka_unit_test(addresses_are_used_again_when_a_graph_is_gone_but_not_while_they_live),
        cmocka_unit_test(memory_is_taken_by_a_launch_and_kept_until_it_is_trimmed),
        cmocka_unit_test(a_trim_leaves_alone_what_is_underway),
        cmocka_unit_test(graphs_that_come_and_go_share_their_memory),
        cmocka_unit_test(a_launch_for_which_there_is_no_memory_changes_nothing),
        cmocka_unit_test(fresh_memory_is_poisoned_at_each_launch),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
