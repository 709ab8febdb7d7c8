/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of graphs from the inside: lives in the order of submission and in that in which
 * they happen.
 */
#include "sim/graphs/graph_memory_scene.h"

/* ---- Lives ----------------------------------------------------------------- */

static void memory_is_there_from_its_alloc_to_its_free(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_devptr p;
    rill_node a = add_alloc(g, NULL, 1000, &p), free = add_free(g, a, p);
    struct sim_graph *graph = sim_graph_of(g);
    struct task *alloc_task = sim_node_task(graph, sim_node_slot(a));
    struct task *free_task = sim_node_task(graph, sim_node_slot(free));
    struct exec_memory *x = take(g, 0);
    for (int i = 0; i < 3; i++) {
        ok(submit(x));
        assert_false(there(p, 1));
        alloc_task->kind->run(alloc_task);
        assert_true(there(p, 1000));
        assert_true(there(p + 999, 1));
        assert_false(there(p, 1001));
        assert_false(there(p + 1000, 1));
        assert_false(there(p + 1, UINT64_MAX));
        free_task->kind->run(free_task);
        assert_false(there(p, 1));
        sim_exec_memory_conclude(x, strand_of(0));
    }
    drop(x);
    ok(rill_graph_destroy(&g));
    assert_false(there(p, 1));
}

/* A free that a stream gets to late, behind the next launch in another one, does
 * not end what that allocated. */
static void a_late_free_ends_its_own_life_only(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_devptr p;
    add_alloc(g, NULL, 64, &p);
    struct exec_memory *x = take(g, 0);
    launch(g, x);
    int closed = gate(&machine, machine.stream[0]);
    ok(rill_mem_free_async(machine.stream[0], p));
    launch(g, x);
    open_gate(&machine, closed);
    ok(rill_stream_synchronize(machine.stream[0]));
    assert_true(there(p, 64));
    release(p);
    assert_false(there(p, 64));
    drop(x);
    ok(rill_graph_destroy(&g));
    trim();
}

/* Submitted one behind the other, all before the first one runs. */
static void lives_that_are_submitted_ahead_follow_each_other(void **state)
{
    (void)state;
    rill_graph *g = new_graph(), *h = new_graph();
    rill_devptr p;
    add_alloc(g, NULL, 64, &p);
    add_free(h, NULL, p);
    struct exec_memory *x = take(g, 0), *y = take(h, 0);
    is(INVALID, submit(y));
    for (int i = 0; i < 3; i++) {
        ok(submit(x));
        is(INVALID, submit(x));
        ok(submit(y));
        is(INVALID, submit(y));
    }
    for (int i = 0; i < 3; i++) {
        play(g, x);
        assert_true(there(p, 64));
        play(h, y);
        assert_false(there(p, 64));
    }
    drop(x);
    drop(y);
    ok(rill_graph_destroy(&g));
    ok(rill_graph_destroy(&h));
    trim();
}

static void a_launch_that_is_taken_back_was_never_there(void **state)
{
    (void)state;
    rill_graph *g = new_graph(), *h = new_graph();
    rill_devptr p, q;
    add_alloc(g, NULL, 64, &p);
    rill_node a = add_alloc(g, NULL, 64, &q);
    add_free(g, a, q);
    add_free(h, NULL, p);
    struct exec_memory *x = take(g, 0), *y = take(h, 0);
    ok(submit(x));
    sim_exec_memory_cancel(x, strand_of(0));
    is(INVALID, rill_mem_free(machine.context[0], p));
    trim();
    assert_int_equal(reserved(), 0);
    launch(g, x);
    ok(submit(y));
    is(INVALID, rill_mem_free(machine.context[0], p));
    sim_exec_memory_cancel(y, strand_of(0));
    assert_true(there(p, 64));
    release(p);
    assert_false(there(p, 64));
    drop(x);
    drop(y);
    ok(rill_graph_destroy(&g));
    ok(rill_graph_destroy(&h));
    trim();
    assert_int_equal(reserved(), 0);
}

/* Whatever was there ends when a launch of an exec that frees by itself begins. */
static void an_exec_that_frees_by_itself_does_so_when_a_launch_begins(void **state)
{
    (void)state;
    rill_graph *g = new_graph();
    rill_devptr p;
    add_alloc(g, NULL, 64, &p);
    struct exec_memory *x = take(g, RILL_EXEC_AUTO_FREE);
    launch(g, x);
    ok(submit(x));
    assert_true(there(p, 64));
    sim_exec_memory_begin(x);
    assert_false(there(p, 64));
    play(g, x);
    assert_true(there(p, 64));
    drop(x);
    release(p);
    ok(rill_graph_destroy(&g));
    trim();
}

/* ---- Words ----------------------------------------------------------------- */

static void a_fault_names_the_alloc_node(void **state)
{
    (void)state;
    struct sim_platform *platform = sim_platform_of(machine.platform);
    rill_graph *g = new_graph();
    char message[RILL_ERROR_MESSAGE_MAX];
    rill_devptr p;
    add_empty(g, NULL);
    rill_node a = add_alloc(g, NULL, 64, &p);
    const size_t size = sizeof message;
    assert_true(sim_describe_graph_memory(platform, "memset", p, 4, message, size));
    assert_non_null(strstr(message, "memset uses 4 bytes at 0x"));
    assert_non_null(strstr(message, "before it was allocated by alloc node 1"));
    ok(rill_node_set_label(g, a, "weights"));
    struct exec_memory *x = take(g, 0);
    launch(g, x);
    assert_true(sim_describe_graph_memory(platform, "memset", p, 80, message, size));
    assert_non_null(strstr(message, "alloc node 'weights' allocated only 64 bytes"));
    release(p);
    assert_true(sim_describe_graph_memory(platform, "memcpy", p, 4, message, size));
    assert_non_null(strstr(message, "after the free of alloc node 'weights'"));
    drop(x);
    ok(rill_graph_destroy(&g));
    assert_true(sim_describe_graph_memory(platform, "memcpy", p, 4, message, size));
    assert_non_null(strstr(message, "its graph is gone"));
    assert_false(sim_describe_graph_memory(platform, "memcpy", 4096, 4, message, size));
    trim();
}

/* ---- Faults ---------------------------------------------------------------- */

/* Launches the graph once on a machine of its own, since the device fails. */
static void fails(rill_graph *graph, const char *operation, const char *words)
{
    rill_exec *exec = NULL;
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_exec_launch(exec, machine.stream[0]));
    is(!strcmp(operation, "value write") ? RILL_ERROR_ILLEGAL_ADDRESS : RILL_ERROR_LAUNCH_FAILED,
       rill_stream_synchronize(machine.stream[0]));
    const rill_error *last = rill_last_error();
    assert_string_equal(last->cause.operation, operation);
    if (!strstr(last->message, words)) fail_msg("\"%s\" does not say: %s", last->message, words);
    rill_exec_destroy(&exec);
    rill_graph_destroy(&graph);
}

static rill_op fill_of(rill_devptr address, size_t words)
{
    return (rill_op){ .kind = RILL_OP_MEMSET,
                      .memset = { .dst = address, .element_bytes = 4, .width = words,
                                  .height = 1 } };
}

static rill_op copy_of(rill_devptr dst, rill_devptr src)
{
    return (rill_op){ .kind = RILL_OP_MEMCPY,
                      .memcpy = { .dst = { .kind = RILL_MEMORY_DEVICE, .address = dst },
                                  .src = { .kind = RILL_MEMORY_DEVICE, .address = src },
                                  .width = 4, .height = 1, .depth = 1 } };
}

static void a_node_that_comes_too_early_or_too_late_fails_the_device(void **state)
{
    (void)state;
    struct machine kept = machine;
    for (int i = 0; i < 5; i++) {
        machine_open(&machine, DEVICE);
        rill_graph *g = new_graph(), *h = NULL;
        rill_devptr p, q, d;
        ok(rill_mem_alloc(machine.context[0], 64, &d));
        rill_node e = add_empty(g, NULL), a = add_alloc(g, e, 64, &p);
        if (i == 0) { /* before it */
            rill_node fill = add(g, NULL, fill_of(p, 1));
            ok(rill_graph_add_edges(g, &fill, &e, NULL, 1));
            fails(g, "memset", "before it was allocated by alloc node 1");
        } else if (i == 1) { /* behind its free */
            rill_node copy = add(g, a, copy_of(d, p)), free = add_free(g, a, p);
            ok(rill_graph_add_edges(g, &free, &copy, NULL, 1));
            fails(g, "memcpy", "after the free of alloc node 1");
        } else if (i == 2) { /* in a graph that is launched while it is not there */
            h = g;
            g = new_graph();
            add(g, NULL, copy_of(p, d));
            fails(g, "memcpy", "before it was allocated by alloc node 1");
            ok(rill_graph_destroy(&h));
        } else if (i == 3) { /* beyond the end of a smaller one in the same place */
            rill_node b = add_alloc(g, add_free(g, a, p), 8, &q);
            assert_int_equal(q, p);
            add(g, b, fill_of(q, 4));
            fails(g, "memset", "allocated only 8 bytes");
        } else { /* with a value */
            const rill_value write = { .kind = RILL_VALUE_WRITE_32, .address = p };
            rill_node values = add(g, NULL, (rill_op){ .kind = RILL_OP_VALUES,
                                               .values = { .items = &write, .count = 1 } });
            ok(rill_graph_add_edges(g, &values, &e, NULL, 1));
            fails(g, "value write", "before it was allocated by alloc node 1");
        }
        for (int k = 0; k < 2; k++) {
            rill_stream_destroy(&machine.stream[k]);
            rill_context_destroy(&machine.context[k]);
        }
        rill_close(&machine.platform);
    }
    machine = kept;
}

/* ---- Short memory of the host ---------------------------------------------- */

/* Builds a graph, makes an exec, launches, and gives all back; the first status
 * that is no success. */
static rill_status build_and_launch(rill_graph *graph)
{
    rill_op alloc = { .kind = RILL_OP_ALLOC, .alloc = { .bytes = 4096 } };
    rill_node a, free;
    rill_status status = rill_graph_add_node(graph, NULL, 0, &alloc, &a);
    if (status) return status;
    rill_op op = { .kind = RILL_OP_FREE, .free = { .address = alloc.alloc.address } };
    status = rill_graph_add_node(graph, &a, 1, &op, &free);
    if (!status) status = rill_graph_add_node(graph, &free, 1, &alloc, &a);
    struct exec_memory *x = NULL;
    if (!status) status = sim_exec_memory_take(sim_graph_of(graph), 0, &x);
    if (status) return status;
    status = submit(x);
    if (!status) {
        play(graph, x);
        release(alloc.alloc.address);
    }
    drop(x);
    return status;
}

static void short_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    long live = rl_alloc_live(), after = 0;
    for (rill_status status = RILL_ERROR_OUT_OF_MEMORY; status; after++) {
        struct machine m;
        machine_open(&m, DEVICE); /* so that the window is opened anew */
        struct machine kept = machine;
        machine = m;
        rill_graph *g = new_graph();
        rl_alloc_fail_after(after);
        status = build_and_launch(g);
        rl_alloc_fail_after(-1);
        if (status) is(RILL_ERROR_OUT_OF_MEMORY, status);
        ok(build_and_launch(g));
        ok(rill_graph_destroy(&g));
        m = machine;
        machine = kept;
        machine_close(&m);
        assert_true(comes_down_to(live));
    }
    assert_true(after > 5);
}

/* ---- Threads --------------------------------------------------------------- */

static void *come_and_go(void *data)
{
    intptr_t *bad = data;
    for (int i = 0; i < scaled(TURNS); i++) {
        rill_graph *g = NULL;
        rill_op alloc = { .kind = RILL_OP_ALLOC, .alloc = { .bytes = 4096 } };
        rill_node a;
        struct exec_memory *x = NULL;
        *bad += rill_graph_create(machine.context[0], NULL, &g) != RILL_SUCCESS;
        *bad += rill_graph_add_node(g, NULL, 0, &alloc, &a) != RILL_SUCCESS;
        rill_devptr p = alloc.alloc.address;
        *bad += sim_exec_memory_take(sim_graph_of(g), 0, &x) != RILL_SUCCESS;
        for (int k = 0; k < 3; k++) {
            *bad += submit(x) != RILL_SUCCESS;
            play(g, x);
            *bad += !is_poison(p, 4096);
            memset(bytes_at(p), k, 4096);
            *bad += !there(p, 4096);
            if (k == 1) *bad += rill_mem_free_async(machine.stream[0], p) != RILL_SUCCESS;
            else *bad += rill_mem_free(machine.context[0], p) != RILL_SUCCESS;
            if (k == 1) *bad += rill_stream_synchronize(machine.stream[0]) != RILL_SUCCESS;
            *bad += rill_device_trim_graph_memory(machine.platform, 0) != RILL_SUCCESS;
        }
        drop(x);
        *bad += rill_graph_destroy(&g) != RILL_SUCCESS;
    }
    return NULL;
}

static void graphs_of_several_threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    intptr_t bad[THREADS] = { 0 };
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &bad[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(bad[i], 0);
    }
    trim();
    assert_int_equal(reserved(), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_there_from_its_alloc_to_its_free),
        cmocka_unit_test(a_late_free_ends_its_own_life_only),
        cmocka_unit_test(lives_that_are_submitted_ahead_follow_each_other),
        cmocka_unit_test(a_launch_that_is_taken_back_was_never_there),
        cmocka_unit_test(an_exec_that_frees_by_itself_does_so_when_a_launch_begins),
        cmocka_unit_test(a_fault_names_the_alloc_node),
        cmocka_unit_test(a_node_that_comes_too_early_or_too_late_fails_the_device),
        cmocka_unit_test(short_memory_leaves_nothing_behind),
        cmocka_unit_test(graphs_of_several_threads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
