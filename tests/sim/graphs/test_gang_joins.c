/* SPDX-License-Identifier: Apache-2.0
 *
 * How threads come to a run of a gang: in time, without the engine's lock, and to the seat that
 * they had.
 */
#include "sim/graphs/gang_scene.h"

#include "support/process.h"

/* ---- Coming in time ------------------------------------------------------------------------ */

enum { WIDTH = 5, LONG_NS = 50000 };

static struct gang *watched; /* by the node before all others         */
static uint32_t called;      /* threads, by the end of that node       */

static uint32_t threads_called(struct gang *gang)
{
    rl_lock(&engine->lock);
    uint32_t count = gang->called;
    rl_unlock(&engine->lock);
    return count;
}

static void await_calls(void *data)
{
    (void)data;
    uint64_t end = rl_monotonic_ns() + SECONDS * UINT64_C(1000000000) / 2;
    while ((called = threads_called(watched)) < WIDTH && rl_monotonic_ns() < end) sched_yield();
}

/* A program with a plan: one node, and as many after it as can run at the same time. */
static struct program *make_fork(void (*first)(void *data))
{
    rill_node root, node;
    rill_graph *graph = machine_graph(m.context[0]);
    ok(rill_graph_add_host(graph, NULL, 0, first, NULL, NULL, &root));
    for (int i = 0; i < WIDTH; i++)
        ok(rill_graph_add_host(graph, &root, 1, do_nothing, NULL, NULL, &node));
    struct program *program = freeze(graph);
    assert_true(sim_plan_make_room(program) && sim_gang_prepare(engine, program));
    for (uint32_t p = 0; p < program->count; p++) program->run.costs[p] = LONG_NS;
    program->run.plan = sim_plan_make(program, CROWD);
    assert_non_null(program->run.plan);
    assert_int_equal(program->run.plan->width, WIDTH);
    program->run.schedule = SCHEDULE_PLANNED;
    return program;
}

/* Workers that have left the run before, and found no processor since then to go to rest, cannot be
 * called; and they do not come by themselves once those who did come have idled. */
static void await_rest(void)
{
    while (atomic_load(&engine->idlers) < (unsigned)engine->workers_max) sched_yield();
}

/* To call threads only when there is work for them would keep that waiting until they have come.
 * The one that begins calls two, and each that comes two more. */
static void a_run_along_a_plan_calls_its_threads_before_their_work(void **state)
{
    (void)state;
    struct program *program = make_fork(await_calls);
    watched = program->run.gang;
    for (int i = 0; i < 20; i++) {
        await_rest();
        run(program);
        assert_int_equal(called, WIDTH);
    }
    sim_program_free(program);
}

/* ---- Coming without the lock --------------------------------------------------------------- */

static atomic_uint came_meanwhile; /* members that came while the lock was held */

/* Who comes now spins since the run before: others need the lock for it. */
static void hold_lock(void *data)
{
    (void)data;
    rl_lock(&engine->lock);
    unsigned before = atomic_load(&watched->members), now = before;
    uint64_t end = rl_monotonic_ns() + 1000000;
    while (now <= before && rl_monotonic_ns() < end) now = atomic_load(&watched->members);
    if (now > before) atomic_fetch_add(&came_meanwhile, now - before);
    rl_unlock(&engine->lock);
}

static void threads_that_spin_come_without_the_lock(void **state)
{
    (void)state;
    struct program *program = make_fork(hold_lock);
    watched = program->run.gang;
    atomic_store(&came_meanwhile, 0);
    uint64_t end = rl_monotonic_ns() + SECONDS * UINT64_C(1000000000);
    while (!atomic_load(&came_meanwhile) && rl_monotonic_ns() < end) run(program);
    assert_true(atomic_load(&came_meanwhile) || process_is_wrapped());
    sim_program_free(program);
}

/* They may find its gang in the list just before it leaves that. */
static void a_program_may_end_with_a_run_to_which_threads_come(void **state)
{
    (void)state;
    for (int i = 0; i < scaled(2000); i++) {
        struct program *program = make_fork(do_nothing);
        run(program);
        sim_program_free(program);
    }
}

static void a_thread_takes_the_seat_that_it_had(void **state)
{
    (void)state;
    struct program *program = make_fork(do_nothing);
    struct gang *gang = program->run.gang;
    gang->most = WIDTH;
    atomic_store(&gang->taken, 3);
    assert_int_equal(sim_gang_take_seat(gang), 2);
    atomic_store(&gang->taken, 1);
    assert_int_equal(sim_gang_take_seat(gang), 2);
    assert_int_equal(sim_gang_take_seat(gang), 1); /* it is taken */
    sim_program_free(program);
}

#define WITH(open, test) cmocka_unit_test_setup_teardown(test, open, close_machine)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH(open_crowd, a_run_along_a_plan_calls_its_threads_before_their_work),
        WITH(open_crowd, threads_that_spin_come_without_the_lock),
        WITH(open_crowd, a_program_may_end_with_a_run_to_which_threads_come),
        WITH(open_crowd, a_thread_takes_the_seat_that_it_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
