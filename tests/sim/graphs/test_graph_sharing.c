/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of graphs from the inside: how much of it launches need, and which of them
 * share it.
 */
#include "sim/graphs/graph_memory_scene.h"

/* ---- Execs ----------------------------------------------------------------- */

/* A graph that allocates `freed` bytes and frees them, and leaves `left`. */
struct work {
    rill_graph *graph;
    struct exec_memory *exec;
    rill_devptr left;
};

static struct work work_of(size_t freed, size_t left, uint32_t flags)
{
    struct work work = { .graph = new_graph() };
    rill_devptr p;
    if (freed) {
        rill_node a = add_alloc(work.graph, NULL, freed, &p);
        add_free(work.graph, a, p);
    }
    if (left) add_alloc(work.graph, NULL, left, &work.left);
    work.exec = take(work.graph, flags);
    return work;
}

/* And the one that frees what the first one leaves. */
static struct work end_of(const struct work *other)
{
    struct work work = { .graph = new_graph() };
    add_free(work.graph, NULL, other->left);
    work.exec = take(work.graph, 0);
    return work;
}

static void submit_in(int stream, struct work *work)
{
    ok(sim_exec_memory_launch(work->exec, strand_of(stream)));
}

static void end_in(int stream, struct work *work)
{
    play_in(stream, work->graph, work->exec);
}

static void forget(struct work *work)
{
    drop(work->exec);
    ok(rill_graph_destroy(&work->graph));
}

static void all_is_given_back(void)
{
    trim();
    assert_int_equal(reserved(), 0);
    assert_int_equal(heap()->reserve.run_count, 0);
    assert_int_equal(heap()->touched, 0);
}

/* ---- Layouts --------------------------------------------------------------- */

static void an_execs_allocations_lie_side_by_side_in_chunks_of_their_own(void **state)
{
    (void)state;
    struct work byte = work_of(0, 1, 0), two = work_of(CHUNK / 2, CHUNK / 2, 0);
    struct work most = work_of(CHUNK / 2 + 1, CHUNK / 2, 0), wide = work_of(3 * CHUNK, 1, 0);
    struct work *all[] = { &byte, &two, &most, &wide };
    const size_t needs[] = { 1, 1, 2, 4 }, left[] = { 1, 1, 2, 1 };
    for (int i = 0; i < 4; i++) {
        submit_in(0, all[i]);
        assert_int_equal(reserved(), needs[i] * CHUNK);
        end_in(0, all[i]);
        trim(); /* only those chunks stay that hold something */
        assert_int_equal(reserved(), left[i] * CHUNK);
        release(all[i]->left);
        trim();
        assert_int_equal(reserved(), 0);
    }
    for (int i = 0; i < 4; i++) submit_in(0, all[i]);
    assert_int_equal(reserved(), (1 + 1 + 2 + 1 + 3) * CHUNK);
    for (int i = 0; i < 4; i++) {
        end_in(0, all[i]);
        release(all[i]->left);
        forget(all[i]);
    }
    all_is_given_back();
}

static void each_device_has_its_own_part_of_an_exec(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_op there = { .kind = RILL_OP_ALLOC, .alloc = { .bytes = 2 * CHUNK, .device = 1 } };
    rill_devptr p;
    rill_node node;
    uint64_t bytes = 0;
    node = add_alloc(g, NULL, CHUNK, &p);
    add_free(g, node, p);
    ok(rill_graph_add_node(g, NULL, 0, &there, &node));
    add_free(g, node, there.alloc.address);
    add_alloc(g, NULL, CHUNK, &p);
    struct exec_memory *x = take(g, 0);
    ok(submit(x));
    assert_int_equal(reserved(), 2 * CHUNK);
    ok(rill_device_get_graph_memory(machine.platform, 1, RILL_GRAPH_MEMORY_RESERVED_CURRENT,
                                    &bytes));
    assert_int_equal(bytes, 2 * CHUNK);
    play(g, x);
    release(p);
    ok(rill_device_trim_graph_memory(machine.platform, 1));
    ok(rill_device_get_graph_memory(machine.platform, 1, RILL_GRAPH_MEMORY_RESERVED_CURRENT,
                                    &bytes));
    assert_int_equal(bytes, 0);
    drop(x);
    ok(rill_graph_destroy(&g));
    all_is_given_back();
}

/* ---- Streams --------------------------------------------------------------- */

static void launches_in_one_stream_need_the_largest_of_them(void **state)
{
    (void)state;
    struct work little = work_of(CHUNK, 0, 0), large = work_of(4 * CHUNK, 0, 0);
    submit_in(0, &little);
    assert_int_equal(reserved(), CHUNK);
    submit_in(0, &large);
    submit_in(0, &little);
    assert_int_equal(reserved(), 4 * CHUNK);
    submit_in(1, &little);
    assert_int_equal(reserved(), 5 * CHUNK);
    for (int i = 0; i < 3; i++) end_in(0, i == 1 ? &large : &little);
    trim();
    assert_int_equal(reserved(), CHUNK);
    end_in(1, &little);
    submit_in(1, &large);
    end_in(1, &large);
    assert_int_equal(reserved(), 4 * CHUNK);
    forget(&little);
    forget(&large);
    all_is_given_back();
}

/* An exec's launches follow each other, in whatever streams they are. */
static void an_exec_takes_its_memory_along_to_another_stream(void **state)
{
    (void)state;
    struct work x = work_of(4 * CHUNK, 0, 0), y = work_of(4 * CHUNK, 0, 0);
    submit_in(0, &x);
    submit_in(1, &x);
    submit_in(1, &y); /* behind both */
    assert_int_equal(reserved(), 4 * CHUNK);
    submit_in(0, &y); /* beside the second */
    assert_int_equal(reserved(), 8 * CHUNK);
    end_in(0, &x);
    end_in(1, &x);
    end_in(1, &y);
    end_in(0, &y);
    all_is_given_back();
    submit_in(0, &x);
    submit_in(0, &y);
    submit_in(1, &x); /* not what another needs behind it */
    assert_int_equal(reserved(), 8 * CHUNK);
    end_in(0, &x);
    end_in(0, &y);
    end_in(1, &x);
    all_is_given_back();
    submit_in(0, &x);
    submit_in(1, &y);
    submit_in(1, &x); /* the first runs beside the second */
    assert_int_equal(reserved(), 8 * CHUNK);
    trim();
    assert_int_equal(reserved(), 8 * CHUNK);
    end_in(0, &x);
    end_in(1, &y);
    end_in(1, &x);
    forget(&x);
    forget(&y);
    all_is_given_back();
}

static void an_upload_takes_what_a_launch_will_need(void **state)
{
    (void)state;
    struct work x = work_of(2 * CHUNK, CHUNK, 0);
    ok(sim_exec_memory_upload(x.exec, strand_of(0)));
    assert_int_equal(reserved(), 3 * CHUNK);
    submit_in(1, &x);
    end_in(1, &x);
    assert_int_equal(reserved(), 3 * CHUNK);
    ok(sim_exec_memory_upload(x.exec, strand_of(0)));
    assert_int_equal(reserved(), 3 * CHUNK);
    release(x.left);
    forget(&x);
    all_is_given_back();
    x = work_of(DEVICE - CHUNK, CHUNK, 0);
    ok(sim_exec_memory_upload(x.exec, strand_of(0)));
    all_is_given_back();
    struct work y = work_of(0, 1, 0);
    submit_in(0, &y);
    is(RILL_ERROR_OUT_OF_MEMORY, sim_exec_memory_upload(x.exec, strand_of(0)));
    is(RILL_ERROR_OUT_OF_MEMORY, submit(x.exec));
    assert_int_equal(reserved(), CHUNK);
    end_in(0, &y);
    release(y.left);
    forget(&x);
    forget(&y);
    all_is_given_back();
}

/* ---- What is left ------------------------------------------------------------ */

static void what_a_launch_leaves_needs_memory_until_its_free_has_happened(void **state)
{
    (void)state;
    struct work x = work_of(0, CHUNK, 0), end = end_of(&x);
    for (int i = 0; i < 3; i++) {
        submit_in(0, &x);
        submit_in(0, &end);
    }
    assert_int_equal(reserved(), CHUNK); /* always the same one */
    for (int i = 0; i < 3; i++) {
        trim();
        assert_int_equal(reserved(), CHUNK);
        end_in(0, &x);
        end_in(0, &end);
    }
    trim();
    assert_int_equal(reserved(), 0);
    submit_in(0, &x);
    ok(sim_exec_memory_launch(end.exec, strand_of(0)));
    sim_exec_memory_cancel(end.exec, strand_of(0));
    end_in(0, &x);
    trim();
    assert_int_equal(reserved(), CHUNK);
    release(x.left);
    forget(&end);
    forget(&x);
    all_is_given_back();
}

static void an_exec_that_frees_by_itself_needs_the_same_memory_again(void **state)
{
    (void)state;
    struct work x = work_of(CHUNK, CHUNK, RILL_EXEC_AUTO_FREE);
    for (int i = 0; i < 3; i++) {
        submit_in(i & 1, &x);
        end_in(i & 1, &x);
        assert_int_equal(reserved(), 2 * CHUNK);
    }
    drop(x.exec); /* and so does the next exec of the graph */
    x.exec = take(x.graph, RILL_EXEC_AUTO_FREE);
    submit_in(0, &x);
    end_in(0, &x);
    assert_int_equal(reserved(), 2 * CHUNK);
    forget(&x);
    trim();
    assert_int_equal(reserved(), CHUNK);
    release(x.left);
    all_is_given_back();
}

static void a_launch_that_is_taken_back_needs_nothing(void **state)
{
    (void)state;
    struct work x = work_of(CHUNK, CHUNK, 0), y = work_of(2 * CHUNK, 0, 0);
    submit_in(0, &y);
    submit_in(0, &x);
    assert_int_equal(reserved(), 3 * CHUNK);
    sim_exec_memory_cancel(x.exec, strand_of(0));
    trim();
    assert_int_equal(reserved(), 2 * CHUNK);
    end_in(0, &y);
    forget(&x);
    forget(&y);
    all_is_given_back();
}

/* ---- Pages --------------------------------------------------------------------- */

/* However many graphs take turns with it. */
static void no_more_pages_are_kept_than_the_device_has_memory(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    struct work works[COUNT];
    for (int i = 0; i < COUNT; i++) works[i] = work_of(10 * MIB, 0, 0);
    for (int i = 0; i < 3 * COUNT; i++) {
        struct work *work = &works[i % COUNT];
        submit_in(0, work);
        assert_true(heap()->touched <= DEVICE);
        end_in(0, work);
        assert_int_equal(reserved(), 10 * MIB);
    }
    for (int i = 0; i < COUNT; i++) forget(&works[i]);
    all_is_given_back();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_execs_allocations_lie_side_by_side_in_chunks_of_their_own),
        cmocka_unit_test(each_device_has_its_own_part_of_an_exec),
        cmocka_unit_test(launches_in_one_stream_need_the_largest_of_them),
        cmocka_unit_test(an_exec_takes_its_memory_along_to_another_stream),
        cmocka_unit_test(an_upload_takes_what_a_launch_will_need),
        cmocka_unit_test(what_a_launch_leaves_needs_memory_until_its_free_has_happened),
        cmocka_unit_test(an_exec_that_frees_by_itself_needs_the_same_memory_again),
        cmocka_unit_test(a_launch_that_is_taken_back_needs_nothing),
        cmocka_unit_test(no_more_pages_are_kept_than_the_device_has_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
