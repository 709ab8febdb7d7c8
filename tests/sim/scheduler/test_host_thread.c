/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread for all host functions (host_thread.h): where it is asked for, they
 * run there, one after the other, wherever they come from.
 */
#include "sim/machine.h"

#include <sched.h>

static rill_platform *platform;
static rill_context *context;
static rill_stream *stream[2];

static void open_with(int host_thread)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = 3, .host_thread = host_thread };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    ok(rill_open(&options, &platform));
    context = machine_context(platform, 0);
    for (int i = 0; i < 2; i++) stream[i] = machine_stream(context);
}

static int setup(void **state)
{
    (void)state;
    open_with(1);
    return 0;
}

static int setup_by_environment(void **state)
{
    (void)state;
    setenv("RILL_SIM_HOST_THREAD", "1", 1);
    open_with(0);
    unsetenv("RILL_SIM_HOST_THREAD");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) ok(rill_stream_destroy(&stream[i]));
    ok(rill_context_destroy(&context));
    ok(rill_close(&platform));
    return 0;
}

/* ---- Who called ---------------------------------------------------------------------- */

/* What a function notes; plain, since the functions come one after the other and the
 * test looks when they are done. */
struct visit {
    pthread_t thread;
    int times;
};

static void visit(void *data)
{
    struct visit *visit = data;
    visit->thread = pthread_self();
    visit->times++;
}

/* Counts only where it is called with what it should be. */
static void visit_back(rill_stream *of, rill_status status, void *data)
{
    if (of == stream[1] && !status) visit(data);
}

static void alike(const struct visit *a, const struct visit *b)
{
    assert_true(a->times && b->times);
    assert_true(pthread_equal(a->thread, b->thread));
    assert_false(pthread_equal(a->thread, pthread_self()));
}

static void functions_and_callbacks_of_all_streams_share_a_thread(void **state)
{
    (void)state;
    struct visit first = { 0 }, second = { 0 }, third = { 0 };
    ok(rill_launch_host(stream[0], visit, &first, NULL));
    ok(rill_launch_host(stream[1], visit, &second, NULL));
    ok(rill_stream_add_callback(stream[1], visit_back, &third, 0));
    for (int i = 0; i < 2; i++) ok(rill_stream_synchronize(stream[i]));
    alike(&first, &second);
    alike(&first, &third);
}

static void the_environment_asks_for_it_as_well(void **state)
{
    functions_and_callbacks_of_all_streams_share_a_thread(state);
}

/* A graph whose two host nodes have no order. */
static rill_exec *pair(rill_host_fn fn, void *first, void *second)
{
    rill_op op = { .kind = RILL_OP_HOST };
    rill_graph *graph;
    rill_node node;
    rill_exec *exec;
    ok(rill_graph_create(context, NULL, &graph));
    op.host = (rill_host_op){ fn, first, NULL };
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    op.host = (rill_host_op){ fn, second, NULL };
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_graph_destroy(&graph));
    return exec;
}

static void the_nodes_of_graphs_run_there_too(void **state)
{
    (void)state;
    struct visit first = { 0 }, second = { 0 }, third = { 0 };
    rill_exec *exec = pair(visit, &first, &second);
    ok(rill_launch_host(stream[0], visit, &third, NULL));
    for (int i = 0; i < 3; i++) ok(rill_exec_launch(exec, stream[1]));
    for (int i = 0; i < 2; i++) ok(rill_stream_synchronize(stream[i]));
    assert_true(first.times == 3 && second.times == 3);
    alike(&first, &second);
    alike(&first, &third);
    ok(rill_exec_destroy(&exec));
}

/* ---- One after the other ---------------------------------------------------------------- */

/* Two of them in one another would be seen: each leaves as it came, and gives the
 * processor to others that are already waiting, again and again. */
static atomic_int inside, most;

static void stay(void *data)
{
    (void)data;
    int now = atomic_fetch_add(&inside, 1) + 1;
    if (now > atomic_load(&most)) atomic_store(&most, now);
    for (int i = 0; i < 50 && atomic_load(&inside) < 2; i++) sched_yield();
    atomic_fetch_sub(&inside, 1);
}

static void no_two_functions_run_at_the_same_time(void **state)
{
    (void)state;
    rill_exec *exec = pair(stay, NULL, NULL);
    atomic_store(&most, 0);
    for (int i = 0; i < 200; i++) {
        ok(rill_launch_host(stream[0], stay, NULL, NULL));
        ok(rill_exec_launch(exec, stream[1]));
    }
    for (int i = 0; i < 2; i++) ok(rill_stream_synchronize(stream[i]));
    assert_int_equal(atomic_load(&most), 1);
    ok(rill_exec_destroy(&exec));
}

/* ---- Waiting inside ------------------------------------------------------------------------ */

static atomic_bool submitted;
static rill_status waited[3];

static void wait_for_both(void *data)
{
    (void)data;
    while (!atomic_load(&submitted)) sched_yield();
    for (int i = 0; i < 2; i++) waited[i] = rill_stream_synchronize(stream[i]);
}

static void wait_for_the_other(void *data)
{
    (void)data;
    waited[2] = rill_stream_synchronize(stream[1]);
}

/* Its own stream cannot go on meanwhile; another one can, since a function that waits
 * lets others go first. */
static void a_function_that_waits_calls_the_others_itself(void **state)
{
    (void)state;
    atomic_store(&submitted, false);
    ok(rill_launch_host(stream[0], wait_for_both, NULL, NULL));
    ok(rill_launch_host(stream[1], stay, NULL, NULL));
    atomic_store(&submitted, true);
    for (int i = 0; i < 2; i++) ok(rill_stream_synchronize(stream[i]));
    ok(rill_launch_host(stream[0], wait_for_the_other, NULL, NULL));
    ok(rill_stream_synchronize(stream[0]));
    is(RILL_ERROR_NOT_PERMITTED, waited[0]);
    is(RILL_SUCCESS, waited[1]);
    is(RILL_SUCCESS, waited[2]);
}

static void and_those_of_graphs(void **state)
{
    (void)state;
    rill_exec *exec = pair(stay, NULL, NULL);
    atomic_store(&submitted, false);
    ok(rill_launch_host(stream[0], wait_for_both, NULL, NULL));
    ok(rill_exec_launch(exec, stream[1]));
    atomic_store(&submitted, true);
    for (int i = 0; i < 2; i++) ok(rill_stream_synchronize(stream[i]));
    is(RILL_ERROR_NOT_PERMITTED, waited[0]);
    is(RILL_SUCCESS, waited[1]);
    ok(rill_exec_destroy(&exec));
}

/* ---- Its end ------------------------------------------------------------------------------ */

static atomic_bool entered, let_go;

static void hold(void *data)
{
    (void)data;
    atomic_store(&entered, true);
    while (!atomic_load(&let_go)) nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

/* Of a platform that answers nothing any more. */
static void give_all_back(void)
{
    for (int i = 0; i < 2; i++)
        is(RILL_ERROR_DEINITIALIZED, rill_stream_destroy(&stream[i]));
    is(RILL_ERROR_DEINITIALIZED, rill_context_destroy(&context));
    ok(rill_close(&platform));
}

static void a_function_that_does_not_end_is_left_to_itself(void **state)
{
    (void)state;
    setup(NULL);
    atomic_store(&let_go, false);
    ok(rill_launch_host(stream[0], hold, NULL, NULL));
    ok(rill_launch_host(stream[1], stay, NULL, NULL));
    while (!atomic_load(&entered)) rill_stream_query(stream[0]);
    is(RILL_ERROR_NOT_READY, rill_sim_abandon(platform, 1000000));
    atomic_store(&let_go, true);
    /* Now it does, and so does whoever waited for its turn. */
    is(RILL_SUCCESS, rill_sim_abandon(platform, UINT64_C(20000000000)));
    give_all_back();
}

static void an_idle_thread_ends_when_it_is_abandoned(void **state)
{
    (void)state;
    struct visit seen = { 0 };
    setup(NULL);
    ok(rill_launch_host(stream[0], visit, &seen, NULL));
    ok(rill_stream_synchronize(stream[0]));
    ok(rill_sim_abandon(platform, UINT64_C(20000000000)));
    give_all_back();
}

/* What still waits for its turn, so many operations of streams. */
static void wait_until_posted(uint64_t many)
{
    rill_sim_counters counters = { .size = sizeof counters };
    do {
        rill_stream_query(stream[1]);
        ok(rill_sim_get_counters(platform, &counters));
    } while (counters.parks < many);
}

static atomic_int destroyed;

static void count_destroyed(void *data)
{
    (void)data;
    atomic_fetch_add(&destroyed, 1);
}

static rill_status told;

static void note_status(rill_stream *of, rill_status status, void *data)
{
    (void)of;
    told = status;
    visit(data);
}

/* As on a device that failed: a function is not called but gives its data back, a status
 * callback is called. */
static void what_waits_for_its_turn_when_it_is_abandoned_is_dropped(void **state)
{
    (void)state;
    struct visit never = { 0 }, once = { 0 };
    setup(NULL);
    rill_stream *held = machine_stream(context);
    atomic_store(&entered, false);
    atomic_store(&let_go, false);
    atomic_store(&destroyed, 0);
    ok(rill_launch_host(held, hold, NULL, NULL));
    while (!atomic_load(&entered)) rill_stream_query(held);
    ok(rill_launch_host(stream[1], visit, &never, count_destroyed));
    ok(rill_stream_add_callback(stream[0], note_status, &once, 0));
    wait_until_posted(3);
    is(RILL_ERROR_NOT_READY, rill_sim_abandon(platform, 1000000));
    atomic_store(&let_go, true);
    ok(rill_sim_abandon(platform, UINT64_C(20000000000)));
    is(RILL_ERROR_DEINITIALIZED, rill_stream_destroy(&held));
    give_all_back();
    assert_int_equal(never.times, 0);
    assert_int_equal(atomic_load(&destroyed), 1);
    assert_int_equal(once.times, 1);
    is(RILL_ERROR_DEINITIALIZED, told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(functions_and_callbacks_of_all_streams_share_a_thread,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(the_environment_asks_for_it_as_well, setup_by_environment,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_nodes_of_graphs_run_there_too, setup, teardown),
        cmocka_unit_test_setup_teardown(no_two_functions_run_at_the_same_time, setup, teardown),
        cmocka_unit_test_setup_teardown(a_function_that_waits_calls_the_others_itself, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(and_those_of_graphs, setup, teardown),
        cmocka_unit_test(an_idle_thread_ends_when_it_is_abandoned),
        cmocka_unit_test(a_function_that_does_not_end_is_left_to_itself),
        cmocka_unit_test(what_waits_for_its_turn_when_it_is_abandoned_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
