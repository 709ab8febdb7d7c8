/* SPDX-License-Identifier: Apache-2.0
 *
 * When a program that one thread runs is shared: it takes 100 us and longer, its nodes can run at
 * the same time, and to share it has gained something so far.
 */
#include "sim/machine.h"

#include "backend-sim/exec/exec.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/scheduler/worker.h"
#include "base/thread.h"
#include "support/process.h"

enum { WORKERS = 2, NODES = 100, SECONDS = 20 };

static struct machine m;
static struct engine *engine;

static int open_machine(int workers)
{
    machine_open_with(&m, 0, workers);
    engine = sim_platform_of(m.platform)->engine;
    return 0;
}

static int open_pair(void **state)
{
    (void)state;
    return open_machine(WORKERS);
}

static int open_one(void **state)
{
    (void)state;
    return open_machine(1);
}

static int close_machine(void **state)
{
    (void)state;
    machine_close(&m);
    return 0;
}

/* ---- Execs whose nodes know who ran them ----------------------------------------------- */

static pthread_t runners[NODES];

static void run_node(void *data)
{
    *(pthread_t *)data = pthread_self();
}

static void work_for_a_microsecond(void *data)
{
    uint64_t begin = rl_monotonic_ns();
    while (rl_monotonic_ns() - begin < 1000) continue;
    run_node(data);
}

static rill_exec *make_exec(void (*fn)(void *data))
{
    rill_exec *exec;
    rill_node node;
    rill_graph *graph = machine_graph(m.context[0]);
    for (int i = 0; i < NODES; i++)
        ok(rill_graph_add_host(graph, NULL, 0, fn, &runners[i], NULL, &node));
    ok(rill_exec_create(graph, NULL, &exec));
    ok(rill_graph_destroy(&graph));
    return exec;
}

static struct program *program_of(const rill_exec *exec)
{
    return sim_exec_of(exec)->program;
}

/* Returns whether several threads ran the nodes of a launch. */
static bool launch_is_shared(rill_exec *exec)
{
    bool shared = false;
    ok(rill_exec_launch(exec, m.stream[0]));
    ok(rill_stream_synchronize(m.stream[0]));
    for (int i = 1; i < NODES; i++) shared = shared || !pthread_equal(runners[i], runners[0]);
    return shared;
}

static bool is_planned(const rill_exec *exec)
{
    return program_of(exec)->run.schedule == SCHEDULE_PLANNED;
}

/* ---- Workers that are held: no thread can look on ---------------------------------------- */

static rill_stream *holders[WORKERS];
static atomic_uint held;
static atomic_bool let_go;

static void hold(void *data)
{
    (void)data;
    atomic_fetch_add(&held, 1);
    while (!atomic_load(&let_go)) sched_yield();
}

static void hold_workers(void)
{
    atomic_store(&held, 0);
    atomic_store(&let_go, false);
    for (int i = 0; i < WORKERS; i++) {
        holders[i] = machine_stream(m.context[0]);
        ok(rill_launch_host(holders[i], hold, NULL, NULL));
    }
    while (atomic_load(&held) < WORKERS) sched_yield();
}

static void let_workers_go(void)
{
    atomic_store(&let_go, true);
    for (int i = 0; i < WORKERS; i++) ok(rill_stream_destroy(&holders[i]));
}

/* ---- As a whole --------------------------------------------------------------------------- */

/* It is timed, then measured twice; again after 64 runs if somebody else had the processor then. */
static void a_program_of_100_us_is_planned_though_nobody_looked_on(void **state)
{
    rill_exec *exec = make_exec(work_for_a_microsecond);
    (void)state;
    hold_workers();
    for (int i = 0; i < 1000 && !is_planned(exec); i++) (void)launch_is_shared(exec);
    bool planned = is_planned(exec);
    let_workers_go();
    assert_true(planned);
    ok(rill_exec_destroy(&exec));
}

/* After how many launches depends on who else wants the processors. */
static void a_program_of_100_us_is_shared(void **state)
{
    rill_exec *exec = make_exec(work_for_a_microsecond);
    time_t begun = time(NULL);
    bool shared = false;
    (void)state;
    while (!shared && time(NULL) - begun < SECONDS)
        shared = launch_is_shared(exec) && is_planned(exec);
    assert_true(shared || process_is_wrapped() || sysconf(_SC_NPROCESSORS_ONLN) < 2);
    ok(rill_exec_destroy(&exec));
}

/* Launches that follow each other closely, and have no place for it. */
static void a_worker_that_looks_in_vain_rests(void **state)
{
    struct worker worker = { .engine = engine, .spins = 4000 };
    unsigned looks = 0;
    (void)state;
    for (; worker.spins && looks < 1000; looks++)
        sim_worker_spin(engine, &worker, atomic_load(&engine->work_events) - 1);
    assert_in_range(looks, 1, 100);
}

/* But for launches in which the system takes the thread off its processor. */
static void a_program_of_trivial_nodes_stays_with_one_thread(void **state)
{
    enum { LAUNCHES = 2000 };
    rill_exec *exec = make_exec(run_node);
    int launches = scaled(LAUNCHES), shared = 0;
    (void)state;
    for (int i = 0; i < launches; i++) shared += launch_is_shared(exec);
    assert_true(shared <= launches / 20);
    ok(rill_exec_destroy(&exec));
}

/* ---- By what is told of its runs ------------------------------------------------------------ */

/* Returns how many runs by one thread come before one that is timed. */
static int runs_before_a_timed_one(struct program *program)
{
    int runs = 0;
    while (runs < 1000 && !sim_plan_times_run(program)) runs++;
    return runs;
}

static bool is_measured(const struct program *program)
{
    return program->run.schedule == SCHEDULE_MEASURE ||
           program->run.schedule == SCHEDULE_MEASURE_SERIAL;
}

/* Gives the first node one cost and the others another one, as a launch that is measured does.
 * What reading the clock adds is taken off later. */
static void measure_once(struct program *program, uint32_t first_ns, uint32_t node_ns)
{
    uint32_t added_ns = (uint32_t)rl_monotonic_cost_ns() * 3 / 2;
    bool first = !program->run.measured;
    assert_true(is_measured(program));
    assert_true(sim_plan_make_room(program));
    for (uint32_t p = 0; p < program->count; p++)
        sim_plan_note(program, p, (p ? node_ns : first_ns) + added_ns, first);
    sim_plan_judge(program, 2);
}

static void measure(struct program *program, uint32_t node_ns)
{
    measure_once(program, node_ns, node_ns);
    if (is_measured(program)) measure_once(program, node_ns, node_ns);
}

static void the_second_run_is_timed_and_then_one_of_64(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = program_of(exec);
    (void)state;
    assert_int_equal(runs_before_a_timed_one(program), 1);
    for (int i = 0; i < 3; i++) {
        sim_plan_timed(program, engine, 49000);
        assert_int_equal(program->run.schedule, SCHEDULE_LIGHT);
        assert_int_equal(runs_before_a_timed_one(program), 63);
    }
    ok(rill_exec_destroy(&exec));
}

static void a_run_of_50_us_has_nodes_measured(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = program_of(exec);
    (void)state;
    sim_plan_timed(program, engine, 50000);
    assert_int_equal(program->run.schedule, SCHEDULE_MEASURE);
    measure(program, 500);
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    ok(rill_exec_destroy(&exec));
}

/* The system took the thread off its processor there. */
static void a_node_held_up_in_one_launch_does_not_pass_for_the_program(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = program_of(exec);
    (void)state;
    sim_plan_timed(program, engine, 50000);
    measure_once(program, 10000000, 500);
    measure_once(program, 500, 500);
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    ok(rill_exec_destroy(&exec));
}

static void a_node_that_is_most_of_the_program_leaves_it_to_one_thread(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = program_of(exec);
    (void)state;
    sim_plan_timed(program, engine, 50000);
    measure_once(program, 10000000, 500);
    measure_once(program, 10000000, 500);
    assert_int_equal(program->run.schedule, SCHEDULE_SERIAL);
    ok(rill_exec_destroy(&exec));
}

/* To hand 10,000 of them to other threads one by one would take longer than to run them. */
static void fine_grained_nodes_are_measured_by_one_thread(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = program_of(exec);
    uint32_t count = program->count;
    (void)state;
    program->count = 10000;
    sim_plan_timed(program, engine, 50000);
    assert_int_equal(program->run.schedule, SCHEDULE_MEASURE_SERIAL);
    program->count = count;
    ok(rill_exec_destroy(&exec));
}

static void nodes_that_took_little_after_all_are_left_to_one_thread(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = program_of(exec);
    (void)state;
    sim_plan_timed(program, engine, 50000);
    measure(program, 50);
    assert_int_equal(program->run.schedule, SCHEDULE_LIGHT);
    assert_int_equal(runs_before_a_timed_one(program), 63);
    ok(rill_exec_destroy(&exec));
}

static void a_device_with_one_worker_shares_nothing(void **state)
{
    rill_exec *exec = make_exec(run_node);
    (void)state;
    sim_plan_timed(program_of(exec), engine, 1000000);
    assert_int_equal(program_of(exec)->run.schedule, SCHEDULE_LIGHT);
    ok(rill_exec_destroy(&exec));
}

/* ---- What a plan gains ----------------------------------------------------------------------- */

static struct program *planned(const rill_exec *exec, uint64_t alone_ns)
{
    struct program *program = program_of(exec);
    sim_plan_timed(program, engine, alone_ns);
    measure(program, (uint32_t)(alone_ns / NODES));
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    return program;
}

/* Tells of so many runs of the plan that took so long. */
static void took(struct program *program, int runs, uint64_t ns)
{
    for (int i = 0; i < runs && program->run.schedule == SCHEDULE_PLANNED; i++)
        sim_plan_check(program, ns);
}

static void a_plan_that_gains_stays(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = planned(exec, 100000);
    (void)state;
    for (int i = 0; i < 100; i++) {
        took(program, 2, 60000);
        took(program, 1, 120000);
    }
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    ok(rill_exec_destroy(&exec));
}

static void a_plan_that_gains_nothing_is_given_up_for_256_runs(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = planned(exec, 100000);
    (void)state;
    took(program, 16, 80000);
    took(program, 15, 120000);
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    took(program, 1, 120000);
    assert_int_equal(program->run.schedule, SCHEDULE_SERIAL);
    assert_int_equal(runs_before_a_timed_one(program), 255);
    sim_plan_timed(program, engine, 100000);
    measure(program, 1000);
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    ok(rill_exec_destroy(&exec));
}

static void a_run_that_was_held_up_does_not_outweigh_the_others(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = planned(exec, 100000);
    (void)state;
    for (int i = 0; i < 100; i++) {
        took(program, 31, 80000);
        took(program, 1, 10000000);
    }
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    ok(rill_exec_destroy(&exec));
}

/* What others on its processors take from a long program is more than sharing costs. */
static void a_plan_of_a_long_program_is_not_given_up(void **state)
{
    rill_exec *exec = make_exec(run_node);
    struct program *program = planned(exec, 10000000);
    (void)state;
    took(program, 100, 11000000);
    assert_int_equal(program->run.schedule, SCHEDULE_PLANNED);
    ok(rill_exec_destroy(&exec));
}

#define ON_PAIR(test) cmocka_unit_test_setup_teardown(test, open_pair, close_machine)
#define ON_ONE(test) cmocka_unit_test_setup_teardown(test, open_one, close_machine)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        ON_PAIR(a_program_of_100_us_is_planned_though_nobody_looked_on),
        ON_PAIR(a_worker_that_looks_in_vain_rests),
        ON_PAIR(a_program_of_100_us_is_shared),
        ON_PAIR(a_program_of_trivial_nodes_stays_with_one_thread),
        ON_PAIR(the_second_run_is_timed_and_then_one_of_64),
        ON_PAIR(a_run_of_50_us_has_nodes_measured),
        ON_PAIR(a_node_held_up_in_one_launch_does_not_pass_for_the_program),
        ON_PAIR(a_node_that_is_most_of_the_program_leaves_it_to_one_thread),
        ON_PAIR(fine_grained_nodes_are_measured_by_one_thread),
        ON_PAIR(nodes_that_took_little_after_all_are_left_to_one_thread),
        ON_ONE(a_device_with_one_worker_shares_nothing),
        ON_PAIR(a_plan_that_gains_stays),
        ON_PAIR(a_plan_that_gains_nothing_is_given_up_for_256_runs),
        ON_PAIR(a_run_that_was_held_up_does_not_outweigh_the_others),
        ON_PAIR(a_plan_of_a_long_program_is_not_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
